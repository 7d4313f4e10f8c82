"""OpenDocument texts, spreadsheets, presentations and drawings, in packages and in flat files.

Texts: the body (text boxes at the place `text box`), then what is not main text, each as a part of its own: `footnote`,
`endnote`, `comment` (begun with its author), `header`, `footer` (each text once). Spreadsheets are written as `sheets`
writes them. Presentations: the part is `slide 3`; notes and comments are said to be such; what masters add comes once,
as part `slide master`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

from ragspine_tui.documents.gathered import GatheredText
from ragspine_tui.documents.odf_blocks import Flow
from ragspine_tui.documents.odf_parts import FlatParts, PackageParts, Parts, metadata
from ragspine_tui.documents.odf_sheets import SheetRows
from ragspine_tui.documents.odf_text import flat_text, remark
from ragspine_tui.documents.office_fields import add_head_labels, title_of
from ragspine_tui.documents.ooxml import optional_root
from ragspine_tui.documents.packages import Package, PartError
from ragspine_tui.documents.sheets import Row, Sheet, SheetWriter
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.documents.xml_names import taken_apart
from ragspine_tui.errors import ReadError
from ragspine_tui.types import BlockKind, Document, DocumentStatus

_MIMETYPE: Final = b"application/vnd.oasis.opendocument."
_KINDS: Final = {
    "office:text": "odt",
    "office:spreadsheet": "ods",
    "office:presentation": "odp",
    "office:drawing": "odg",
}
_DOCUMENT: Final = frozenset({"office:document-content", "office:document", "office:body", *_KINDS})
_TABLES: Final = frozenset(
    """text:section table:table table:table-rows table:table-row-group table:table-header-rows
    office:automatic-styles""".split()  # noqa: SIM905
)
_STYLES: Final = frozenset(
    {"office:document-styles", "office:document", "office:styles", "office:automatic-styles", "office:master-styles"}
)
_META: Final = frozenset({"office:document-meta", "office:document", "office:meta"})
_MARGINS: Final = re.compile(r"style:(header|footer)(?:-left|-first)?")
_DECLARED: Final = frozenset({"presentation:footer-decl", "presentation:header-decl"})
_ONE_WORD: Final = re.compile(r"[\W\d]*(?:[^\W\d]+[\W\d]*)?")


class OdfFormat:
    """OpenDocument packages."""

    def holds(self, package: Package, /) -> bool:
        """Whether the package says that it is an OpenDocument."""
        if "mimetype" in package and package.read("mimetype").strip().startswith(_MIMETYPE):
            return True
        return "content.xml" in package and "META-INF/manifest.xml" in package

    def read(self, source: SourceFile, package: Package, /) -> Document:
        """The text of the document, and its metadata as fields; `encrypted` where the manifest says so."""
        manifest = optional_root(package, "META-INF/manifest.xml") if "META-INF/manifest.xml" in package else None
        for entry in manifest if manifest is not None else ():
            locked = any(child.tag == "manifest:encryption-data" for child in entry)
            if locked and entry.get("manifest:full-path") in {"content.xml", "encrypted-package"}:
                raise ReadError("needs a password", "save a copy without one", status=DocumentStatus.ENCRYPTED)
        return _Reading(PackageParts(package)).document(source)


def read_flat(source: SourceFile) -> Document:
    """The text of an OpenDocument in one XML file."""
    return _Reading(FlatParts(source.data)).document(source)


class _Reading:
    """One OpenDocument being read."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.out = GatheredText()
        self.kind = ""
        self._parents: dict[str, str] = {}
        self._margins: list[tuple[str, str]] = []
        self._masters: list[str] = []
        self._title = ""

    def document(self, source: SourceFile) -> Document:
        """Reads everything."""
        self._styles()
        fields = metadata(element for event, element in taken_apart(self.parts.meta(), _META) if event == "whole")
        try:
            self._content()
        except PartError as error:
            if not self.out.blocks:
                raise
            self.parts.notes.append(f"{error}; the rest is indexed")
        if not self.kind:
            raise ReadError("is an OpenDocument of a kind that is not read", status=DocumentStatus.UNSUPPORTED)
        self._finish()
        out = self.out
        doubts = add_head_labels(fields, out, [text for _, text in self._margins])
        heading = "" if self.kind == "ods" else out.first_heading
        return Document(
            path=source.relative,
            text=out.text,
            blocks=tuple(out.blocks),
            title=title_of(fields, self._title, heading, source.stem),
            kind=self.kind,
            fields=fields.build(),
            verbatim=False,
            notes=tuple(self.parts.notes) + doubts,
        )

    def _styles(self) -> None:
        """What styles are based on, and what the master pages write on every page."""
        for event, element in taken_apart(self.parts.styles(), _STYLES):
            if event != "whole":
                continue
            if element.tag == "style:style":
                self._style(element)
            elif element.tag == "style:master-page":
                self._master(element)

    def _style(self, style: Element) -> None:
        if style.get("style:family", "paragraph") == "paragraph":
            self._parents[style.get("style:name", "")] = style.get("style:parent-style-name", "")

    def _master(self, page: Element) -> None:
        for child in page:
            match = _MARGINS.fullmatch(child.tag)
            if match and child.get("style:display") != "false":
                text = flat_text(child)
                if text and (match[1], text) not in self._margins:
                    self._margins.append((match[1], text))
            elif child.tag.startswith("draw:") and not child.get("presentation:class"):
                self._masters += [text for text in self._said(child) if text not in self._masters]

    def _content(self) -> None:
        events = taken_apart(self.parts.content(), _DOCUMENT | _TABLES)
        for event, element in events:
            if event == "whole" and element.tag == "style:style":
                self._style(element)
            if event == "open" and element.tag in _KINDS:
                self.kind = _KINDS[element.tag]
                break
        if self.kind == "ods":
            self._sheets(events)
        elif self.kind in {"odp", "odg"}:
            self._slides(events)
        else:
            self._text(events)

    def _text(self, events: Iterator[tuple[str, Element]]) -> None:
        flow = Flow(self.out, self.parts, self._parents, box="text box")
        try:
            for event, element in events:
                if event == "whole":
                    flow.block(element)
                elif event == "open":
                    flow.enter(element.tag)
                else:
                    flow.leave(element.tag)
        finally:
            flow.leave("table:table")
            self._title = flow.title
            self._apart(flow)

    def _apart(self, flow: Flow) -> None:
        for name in ("footnote", "endnote"):
            for note in flow.notes:
                if note.get("text:note-class", "footnote") == name:
                    self.out.add(flat_text(note), part=name)
        for author, text in flow.remarks:
            self.out.add(f"{author}: {text}" if author and text else text, part="comment")

    def _sheets(self, events: Iterator[tuple[str, Element]]) -> None:
        writer = SheetWriter(self.out)
        for event, element in events:
            if event == "open" and element.tag == "table:table":
                taking = SheetRows()
                shapes: list[Element] = []
                rows = _rows_of(events, taking, shapes)
                writer.write(Sheet(element.get("table:name", ""), rows, taking.comments))
                for place, shape in [*taking.shapes, *(("", shape) for shape in shapes)]:
                    for text in self._said(shape):
                        writer.add(text, place)

    def _said(self, shape: Element) -> list[str]:
        out = GatheredText()
        Flow(out, self.parts, self._parents).block(shape)
        text = out.text
        return [block.span.of(text) for block in out.blocks]

    def _slides(self, events: Iterator[tuple[str, Element]]) -> None:
        number = 0
        for event, element in events:
            if event != "whole":
                continue
            if element.tag == "draw:page":
                number += 1
                self._slide(element, f"slide {number}")
            elif element.tag in _DECLARED and (text := flat_text(element) or " ".join((element.text or "").split())):
                self._masters += [text] if text not in self._masters else []

    def _slide(self, page: Element, place: str) -> None:
        flow = Flow(self.out, self.parts, self._parents, place)
        shapes = [child for child in page if child.tag not in {"presentation:notes", "office:annotation"}]
        for shape in shapes:
            if shape.get("presentation:class") == "title":
                self.out.add(" ".join(flat_text(shape).split()), BlockKind.HEADING, level=1, part=place)
        for shape in shapes:
            if shape.get("presentation:class") != "title":
                flow.block(shape)
        for child in page:
            if child.tag == "presentation:notes":
                text = flat_text(child)
                self.out.add(f"Notes: {text}" if text else "", part=place)
            elif child.tag == "office:annotation":
                flow.remarks.append(remark(child))
        for note in flow.notes:
            self.out.add(flat_text(note), part=place)
        for author, text in flow.remarks:
            said = f"Comment by {author}: {text}" if author else f"Comment: {text}"
            self.out.add(said if text else "", part=place)

    def _finish(self) -> None:
        for name in ("header", "footer"):
            for kind, text in self._margins:
                # Every spreadsheet has "Page 1" below its sheets.
                if kind == name and not (self.kind == "ods" and _ONE_WORD.fullmatch(text)):
                    self.out.add(text, part=name)
        for text in self._masters if self.kind in {"odp", "odg"} else ():
            self.out.add(text, part="slide master")


def _rows_of(events: Iterator[tuple[str, Element]], taking: SheetRows, shapes: list[Element]) -> Iterator[Row]:
    """The rows up to the end of the sheet that has just begun."""
    depth = 0
    for event, element in events:
        if event == "open":
            depth += 1
        elif event == "close":
            if depth == 0:
                return
            depth -= 1
        elif element.tag == "table:table-row":
            yield from taking.rows(element)
        elif element.tag == "table:shapes":
            shapes.append(element)
