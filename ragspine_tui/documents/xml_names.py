"""Elements of Office formats under short names: `w:p` for both namespaces that a Word paragraph may have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal
from xml.etree.ElementTree import Element

from ragspine_tui.documents.packages import Package, PartError, shown
from ragspine_tui.types import DocumentStatus

MAX_HELD: Final = 2_000_000
"""How many elements are held in memory at a time."""
_OOXML: Final = {
    "wordprocessingml/main": "w",
    "presentationml/main": "p",
    "spreadsheetml/main": "s",
    "drawingml/main": "a",
    "drawingml/wordprocessingDrawing": "wp",
    "drawingml/spreadsheetDrawing": "xdr",
    "drawingml/chart": "c",
    "drawingml/chartDrawing": "cdr",
    "drawingml/diagram": "dgm",
    "drawingml/picture": "pic",
    "officeDocument/relationships": "r",
    "officeDocument/math": "m",
    "officeDocument/extendedProperties": "ep",
    "officeDocument/customProperties": "op",
    "officeDocument/docPropsVTypes": "vt",
}
_OTHERS: Final = {
    "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties": "ep",
    "http://schemas.openxmlformats.org/officeDocument/2006/custom-properties": "op",
    "http://schemas.openxmlformats.org/package/2006/relationships": "rel",
    "http://schemas.openxmlformats.org/package/2006/metadata/core-properties": "cp",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
    "http://schemas.microsoft.com/office/word/2010/wordprocessingShape": "wps",
    "http://schemas.microsoft.com/office/drawing/2014/chartex": "cx",
    "http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments": "tc",
    "http://schemas.microsoft.com/office/powerpoint/2018/8/main": "pc",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://purl.org/dc/terms/": "dcterms",
    "urn:schemas-microsoft-com:vml": "v",
    "http://www.w3.org/1999/xlink": "xlink",
}
_ODF: Final = "office text table presentation style meta manifest number chart dr3d fo config form script"
_PREFIXES: Final = {
    **{f"http://purl.oclc.org/ooxml/{name}": prefix for name, prefix in _OOXML.items()},
    **{
        f"http://schemas.openxmlformats.org/{kind}/2006/{name}": prefix
        for (kind, _, name), prefix in ((key.partition("/"), value) for key, value in _OOXML.items())
    },
    **{f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0": name for name in _ODF.split()},
    "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0": "draw",
    "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0": "svg",
    **_OTHERS,
}


class _Names(dict[str, str]):
    """`{namespace}name` to its short name, worked out once; other namespaces are all `?`."""

    def __missing__(self, tag: str) -> str:
        namespace, closing, name = tag[1:].partition("}")
        short = f"{_PREFIXES.get(namespace, '?')}:{name}" if closing else tag
        if len(self) < 20_000:
            self[tag] = short
        return short


_NAMES: Final = _Names()


def elements(package: Package, part: str) -> Iterator[tuple[str, Element]]:
    """As `Package.events`, with short names for tags and attributes."""
    for event, element in package.events(part):
        if event == "start":
            _shorten(element)
        yield event, element


def root_of(package: Package, part: str) -> Element:
    """The whole of a small XML part under short names; errors as from `Package.events`."""
    root: Element | None = None
    held = 0
    for event, element in elements(package, part):
        root = element if root is None else root
        held += event == "start"
        if held > MAX_HELD:
            raise _too_much_held()
    if root is None:
        raise PartError(f"has a damaged part {shown(part)}", status=DocumentStatus.DAMAGED)
    return root


def children_of(package: Package, part: str, parents: frozenset[str]) -> Iterator[Element]:
    """Each child of an element named in `parents` when it is complete; afterwards it is let go."""
    return (element for event, element in taken_apart(package.events(part), parents) if event == "whole")


def taken_apart(
    events: Iterable[tuple[str, Element]], parents: frozenset[str]
) -> Iterator[tuple[Literal["open", "close", "whole"], Element]]:
    """`open` and `close` of each element named in `parents`, and each other child of theirs when it is `whole`.

    All come under their short names, which `events` need not have.
    A parent counts as one only where all elements around it do. What was given is let go afterwards; PartError where
    one child is too much to hold.
    """
    outer: list[Element] = []
    depth = held = 0
    for event, element in events:
        if event == "start":
            _shorten(element)
            if depth or element.tag not in parents:
                depth += 1
                held += 1
                if held > MAX_HELD:
                    raise _too_much_held()
            else:
                outer.append(element)
                yield "open", element
        elif depth > 1:
            depth -= 1
        elif depth:
            depth = held = 0
            if outer:
                yield "whole", element
                outer[-1].remove(element)
        else:
            yield "close", outer.pop()
            if outer:
                outer[-1].remove(element)


def _too_much_held() -> PartError:
    return PartError(f"has more than {MAX_HELD:,} elements in one piece", status=DocumentStatus.DAMAGED)


def _shorten(element: Element) -> None:
    element.tag = _NAMES[element.tag]
    attributes = element.attrib
    for name in attributes:
        if name[0] == "{":
            element.attrib = {_NAMES[name]: value for name, value in attributes.items()}
            break
