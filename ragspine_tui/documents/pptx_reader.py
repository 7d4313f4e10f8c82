"""PowerPoint files: each slide in the order of the show, hidden ones too; the part is `slide 3`.

A slide's title is its heading and comes first; then its shapes in their order, groups and tables included, charts,
diagrams and pictures said to be such. Its notes and comments follow, begun with `Notes:` and `Comment by X:`. What the
masters and layouts write on every slide comes once, at the end, as part `slide master`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

from ragspine_tui.documents.gathered import GatheredText
from ragspine_tui.documents.office_fields import add_head_labels, label_row, title_of
from ragspine_tui.documents.ooxml import (
    Relation,
    alternative_text,
    by_id,
    chosen,
    graphic_texts,
    main_part,
    optional_root,
    paragraph_text,
    paragraphs,
    properties,
    relations,
    root_tag,
)
from ragspine_tui.documents.packages import Package
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.documents.xml_names import root_of
from ragspine_tui.types import BlockKind, Document

_TITLES: Final = frozenset({"title", "ctrTitle"})
_NUMBERS: Final = frozenset({"sldNum"})
_NOT_NOTES: Final = frozenset({"sldImg", "sldNum", "hdr", "ftr", "dt"})
_MASTER: Final = "slide master"
_DEPTH: Final = 60


class PptxFormat:
    """PowerPoint's packages."""

    kind = "pptx"

    def holds(self, package: Package, /) -> bool:
        """Whether the main part is a presentation."""
        return root_tag(package) == "p:presentation"

    def read(self, source: SourceFile, package: Package, /) -> Document:
        """The text of every slide, and the properties as fields."""
        reading = _Reading(package)
        reading.read()
        out, fields = reading.out, properties(package)
        doubts = add_head_labels(fields, out, reading.everywhere)
        return Document(
            path=source.relative,
            text=out.text,
            blocks=tuple(out.blocks),
            title=title_of(fields, out.first_heading, source.stem),
            kind=self.kind,
            fields=fields.build(),
            verbatim=False,
            notes=tuple(package.notes) + doubts,
        )


class _Reading:
    """One presentation being read; `everywhere` is what stands on all slides."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.main = main_part(package)
        self.out = GatheredText()
        self.everywhere: list[str] = []
        self._layouts: dict[str, None] = {}
        self._authors: dict[str, str] = {}

    def read(self) -> None:
        """Reads every slide, then what their layouts and masters add."""
        found = relations(self.package, self.main)
        for relation in found:
            if relation.kind in {"commentAuthors", "authors"}:
                for author in optional_root(self.package, relation.target) or ():
                    self._authors[author.get("id", "")] = " ".join(author.get("name", "").split())
        for number, part in enumerate(self._slides(by_id(found)), 1):
            if (root := optional_root(self.package, part)) is not None:
                self._slide(root, part, f"slide {number}")
        for layout in list(self._layouts):
            for relation in relations(self.package, layout):
                if relation.kind == "slideMaster":
                    self._layouts[relation.target] = None
        for part in self._layouts:
            self._master(part)
        for text in self.everywhere:
            self.out.add(text, part=_MASTER)

    def _slides(self, targets: dict[str, Relation]) -> Iterator[str]:
        root = root_of(self.package, self.main)
        for listed in root.iter("p:sldId"):
            if relation := targets.get(listed.get("r:id", "")):
                yield relation.target

    def _slide(self, root: Element, part: str, place: str) -> None:
        found = relations(self.package, part)
        shapes = list(_shapes(root))
        titles = [shape for shape in shapes if _placeholder(shape) in _TITLES]
        targets = by_id(found)
        for shape in titles:
            text = " ".join(paragraphs(shape))
            self.out.add(text, BlockKind.HEADING, level=1, part=place)
        for shape in shapes:
            if _placeholder(shape) not in _TITLES | _NUMBERS:
                self._shape(shape, targets, place)
        for relation in found:
            if relation.kind == "notesSlide":
                self._notes(relation.target, place)
            elif relation.kind == "comments":
                self._comments(relation.target, place)
            elif relation.kind == "slideLayout":
                self._layouts[relation.target] = None

    def _shape(self, shape: Element, targets: dict[str, Relation], place: str) -> None:
        if said := _alternative(shape):
            self.out.add(said, part=place)
        tables = list(shape.iter("a:tbl"))
        for row in (row for table in tables for row in table.iter("a:tr")):
            cells = [" ".join(paragraphs(cell)) for cell in row if cell.tag == "a:tc"]
            label_row(self.out, cells)
            self.out.add("\t".join(cells).rstrip("\t"), BlockKind.TABLE, part=place)
        if not tables:
            texts = list(paragraphs(shape))
            # The lines of one shape belong together; a list's items are short.
            kind = BlockKind.LIST if len(texts) > 1 else BlockKind.PARAGRAPH
            for text in texts:
                self.out.add(text, kind, part=place)
        for text in graphic_texts(self.package, shape, targets):
            self.out.add(text, part=place)

    def _notes(self, part: str, place: str) -> None:
        root = optional_root(self.package, part)
        shapes = _shapes(root) if root is not None else iter(())
        texts = [text for shape in shapes if _placeholder(shape) not in _NOT_NOTES for text in paragraphs(shape)]
        if texts:
            self.out.add("Notes: " + "\n".join(texts), part=place)

    def _comments(self, part: str, place: str) -> None:
        root = optional_root(self.package, part)
        for comment in root.iter() if root is not None else ():
            if comment.tag == "p:cm":
                texts = ["".join(child.itertext()) for child in comment if child.tag == "p:text"]
            elif comment.tag in {"pc:cm", "pc:reply"}:
                bodies = (child for child in comment if child.tag == "pc:txBody")
                texts = [paragraph_text(each) for body in bodies for each in body if each.tag == "a:p"]
            else:
                continue
            author = self._authors.get(comment.get("authorId", ""), "")
            if text := "\n".join(" ".join(text.split()) for text in texts if text.strip()):
                self.out.add(f"Comment by {author}: {text}" if author else f"Comment: {text}", part=place)

    def _master(self, part: str) -> None:
        root = optional_root(self.package, part)
        for shape in _shapes(root) if root is not None else ():
            text = "" if _placeholder(shape) is not None else "\n".join(paragraphs(shape))
            if text and text not in self.everywhere:
                self.everywhere.append(text)


def _shapes(root: Element) -> Iterator[Element]:
    """The shapes of a slide that hold text themselves, in order, through groups and alternatives."""
    waiting = [(tree, 0) for tree in root.iter("p:spTree")]
    while waiting:
        element, depth = waiting.pop()
        if element.tag in {"p:sp", "p:graphicFrame", "p:pic", "p:cxnSp"} or depth > _DEPTH:
            yield element
        elif element.tag == "mc:AlternateContent":
            option = chosen(element)
            waiting.extend((child, depth + 1) for child in reversed(option if option is not None else ()))
        elif element.tag in {"p:spTree", "p:grpSp"}:
            if element.tag == "p:grpSp":
                yield from (child for child in element if child.tag == "p:nvGrpSpPr")
            waiting.extend((child, depth + 1) for child in reversed(element))


def _placeholder(shape: Element) -> str | None:
    """The kind of placeholder a shape is, None for a shape of its own."""
    for child in shape:
        if child.tag in {"p:nvSpPr", "p:nvPicPr", "p:nvGraphicFramePr"}:
            found = next(child.iter("p:ph"), None)
            return found.get("type", "obj") if found is not None else None
    return None


def _alternative(shape: Element) -> str:
    properties = next(shape.iter("p:cNvPr"), None)
    return alternative_text(properties) if properties is not None else ""
