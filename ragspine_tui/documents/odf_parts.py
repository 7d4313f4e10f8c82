"""Where the XML of an OpenDocument file stands: in the parts of a package, or all in one flat file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Protocol
from xml.etree.ElementTree import Element

from ragspine_tui.documents.fields import FieldsBuilder
from ragspine_tui.documents.office_fields import add_authors, add_keywords, add_property
from ragspine_tui.documents.ooxml import note_damage, optional_root
from ragspine_tui.documents.packages import Package, PartError, xml_events

_META: Final = {
    "dc:title": "title",
    "dc:subject": "subject",
    "dc:description": "description",
    "dc:language": "language",
    "dc:date": "modified",
    "meta:creation-date": "created",
}
_STEP: Final = 1 << 16


class Parts(Protocol):
    """The XML of one document, for `taken_apart`; `notes` are remarks on what was left out."""

    notes: list[str]

    def content(self) -> Iterator[tuple[str, Element]]:
        """The events of the document itself."""
        ...

    def styles(self) -> Iterator[tuple[str, Element]]:
        """The events of its styles and master pages."""
        ...

    def meta(self) -> Iterator[tuple[str, Element]]:
        """The events of its metadata."""
        ...

    def inner(self, target: str) -> Element | None:
        """An object inside (a chart, an equation), None where it is not XML."""
        ...


class PackageParts:
    """The parts of a package."""

    def __init__(self, package: Package) -> None:
        self.notes = package.notes
        self._package = package

    def content(self) -> Iterator[tuple[str, Element]]:
        """`content.xml`."""
        return self._package.events("content.xml")

    def styles(self) -> Iterator[tuple[str, Element]]:
        """`styles.xml`; nothing where it is damaged, and a remark says so."""
        return self._optional("styles.xml")

    def meta(self) -> Iterator[tuple[str, Element]]:
        """`meta.xml`; nothing where it is damaged, and a remark says so."""
        return self._optional("meta.xml")

    def inner(self, target: str) -> Element | None:
        """The content of an object's own folder."""
        name = target.removeprefix("./").strip("/") + "/content.xml"
        return optional_root(self._package, name) if name in self._package else None

    def _optional(self, name: str) -> Iterator[tuple[str, Element]]:
        try:
            if name in self._package:
                yield from self._package.events(name)
        except PartError as error:
            note_damage(self._package, error)


class FlatParts:
    """One XML file that holds everything; it is gone through for each question."""

    def __init__(self, data: bytes) -> None:
        self.notes: list[str] = []
        self._data = data

    def content(self) -> Iterator[tuple[str, Element]]:
        """The whole file."""
        pieces = (self._data[start : start + _STEP] for start in range(0, len(self._data), _STEP))
        return xml_events(pieces, "the file")

    def styles(self) -> Iterator[tuple[str, Element]]:
        """The whole file as far as it can be read."""
        try:
            yield from self.content()
        except PartError:
            # What reads the content says so.
            return

    meta = styles

    def inner(self, _target: str) -> Element | None:
        """None: objects stand in their place."""
        return None


def metadata(items: Iterator[Element]) -> FieldsBuilder:
    """The fields that the children of `office:meta` declare."""
    fields = FieldsBuilder()
    creator = ""
    for item in items:
        value = "".join(item.itertext()).strip()
        if item.tag == "meta:initial-creator" and value:
            add_authors(fields, value)
        elif item.tag in _META and value:
            fields.add(_META[item.tag], value)
        elif item.tag == "dc:creator":
            creator = value
        elif item.tag == "meta:keyword" and value:
            add_keywords(fields, value)
        elif item.tag == "meta:user-defined":
            add_property(fields, item.get("meta:name", ""), value)
        elif item.tag == "meta:document-statistic" and (pages := item.get("meta:page-count")):
            fields.add("pages", pages)
    if creator and not fields.first("author"):
        add_authors(fields, creator)
    return fields
