"""The flow of an OpenDocument text: headings, paragraphs, lists, tables row by row, shapes where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

from ragspine_tui.documents.gathered import GatheredText
from ragspine_tui.documents.odf_parts import Parts
from ragspine_tui.documents.odf_text import SHAPES, Inline, flat_text, inline, paragraphs_below, remark
from ragspine_tui.documents.office_fields import label_row
from ragspine_tui.documents.table_rows import TableRows
from ragspine_tui.types import BlockKind

_HEADING: Final = re.compile(r"Heading_20_([1-9])")
_UNREAD: Final = frozenset(
    """text:tracked-changes office:forms text:sequence-decls text:variable-decls text:user-field-decls
    text:table-of-content-source text:alphabetical-index-source text:bibliography-source text:illustration-index-source
    text:table-index-source text:object-index-source text:user-index-source office:event-listeners presentation:notes
    table:calculation-settings table:content-validations table:named-expressions""".split()  # noqa: SIM905
)
_LISTS: Final = frozenset({"text:list-item", "text:list-header"})
_CELLS: Final = frozenset({"table:table-cell", "table:covered-table-cell"})
_NUMBER: Final = re.compile(r"[-+]?[\d.,\s]*(?:e[-+]?\d+)?%?|NaN", re.IGNORECASE)
_LONG_CELL: Final = 1_000
_DEPTH: Final = 60
_CHART_TEXTS: Final = 200


class Flow:
    """Writes elements of one flow; notes, annotations and the title are kept for whoever asked.

    `box` is the place of what stands in text boxes.
    """

    def __init__(self, out: GatheredText, parts: Parts, parents: dict[str, str], part: str = "", box: str = "") -> None:
        self.title = ""
        self.notes: list[Element] = []
        self.remarks: list[tuple[str, str]] = []
        self.part = part
        self._out = out
        self._parts = parts
        self._parents = parents
        self._box = box
        self._place = ""
        self._tables: list[TableRows] = []
        self._in_head = False

    def _add(self, text: str, kind: BlockKind = BlockKind.PARAGRAPH, level: int = 0) -> None:
        self._out.add(text, kind, level=level, part=self.part, place=self._place)

    def block(self, element: Element, depth: int = 0, *, listed: bool = False) -> None:
        """Writes one element and all below it."""
        tag = element.tag
        if depth > _DEPTH:
            self._add(" ".join("".join(element.itertext()).split()))
        elif tag in {"text:p", "text:h"}:
            self._paragraph(element, depth, listed=listed)
        elif tag == "table:table-row":
            self._row(element, depth)
        elif tag in {"table:table", "table:table-header-rows"}:
            self.enter(tag)
            for child in element:
                self.block(child, depth + 1)
            self.leave(tag)
        elif tag == "office:annotation":
            self.remarks.append(remark(element))
        elif tag in SHAPES:
            self.shape(element, depth)
        elif tag not in _UNREAD:
            for child in element:
                self.block(child, depth + 1, listed=listed or tag in _LISTS)

    def enter(self, tag: str) -> None:
        """A table, or the rows of names in it, begins."""
        if tag == "table:table":
            self._tables.append(TableRows(lambda text: self._add(text, BlockKind.TABLE)))
        self._in_head = tag == "table:table-header-rows"

    def leave(self, tag: str) -> None:
        """What was entered ends."""
        self._in_head = False
        if tag == "table:table" and self._tables:
            self._tables.pop().flush()

    def _paragraph(self, paragraph: Element, depth: int, *, listed: bool) -> None:
        found = inline(paragraph, self._formula)
        kind, level = self._kind(paragraph)
        if kind is BlockKind.PARAGRAPH and listed:
            kind = BlockKind.LIST
        text = " ".join(found.text.split()) if kind is BlockKind.HEADING else found.text
        self._add(text, kind, level)
        self._hanging(found, depth)

    def _kind(self, paragraph: Element) -> tuple[BlockKind, int]:
        style = paragraph.get("text:style-name", "")
        if paragraph.tag == "text:h":
            level = paragraph.get("text:outline-level", "1")
            return BlockKind.HEADING, int(level) if level.isdecimal() and len(level) < 3 else 1
        for _ in range(_DEPTH):
            if match := _HEADING.fullmatch(style):
                return BlockKind.HEADING, int(match[1])
            if style == "Title":
                self.title = self.title or " ".join(inline(paragraph).text.split())[:1_000]
                return BlockKind.HEADING, 1
            style = self._parents.get(style, "")
            if not style:
                break
        return BlockKind.PARAGRAPH, 0

    def _hanging(self, found: Inline, depth: int) -> None:
        self.notes += found.notes
        self.remarks += map(remark, found.annotations)
        for shape in found.shapes:
            self.shape(shape, depth + 1)

    def shape(self, shape: Element, depth: int = 0) -> None:
        """Writes what a frame, a drawn shape or a group of them says."""
        if words := self._formula(shape):
            self._add(words)
            return
        said = {each.tag: " ".join("".join(each.itertext()).split()) for each in shape if each.tag.startswith("svg:")}
        words = ". ".join(dict.fromkeys(said[tag] for tag in ("svg:title", "svg:desc") if said.get(tag)))
        self._add(f"Picture: {words}" if words else "")
        for child in shape:
            if child.tag == "draw:object":
                self._object(child)
            elif not child.tag.startswith("svg:"):
                around, self._place = self._place, self._box
                self.block(child, depth + 1)
                self._place = around

    def _object(self, element: Element) -> None:
        # In a flat file the object stands inside.
        root = self._parts.inner(element.get("xlink:href", "")) if element.get("xlink:href") else element
        if root is None:
            return
        if any(each.tag == "chart:chart" for each in root.iter()):
            texts = [" ".join(inline(each).text.split()) for each in paragraphs_below(root)]
            texts = [text for text in dict.fromkeys(texts) if text and not _NUMBER.fullmatch(text)][:_CHART_TEXTS]
            self._add("Chart: " + "; ".join(texts) if texts else "")
        elif not _is_math(root):
            self._add(flat_text(root))

    def _formula(self, frame: Element) -> str:
        """An equation in the line of its paragraph; '' for any other frame."""
        held = next((child for child in frame if child.tag == "draw:object"), None)
        if held is None:
            return ""
        target = held.get("xlink:href", "")
        root = self._parts.inner(target) if target else held
        if root is None or not _is_math(root):
            return ""
        symbols = (each.text or "" for each in root.iter() if not each.tag.endswith(":annotation"))
        return " ".join(" ".join(symbols).split())

    def _row(self, row: Element, depth: int) -> None:
        cells = [each for each in row if each.tag in _CELLS]
        rows = self._tables[-1] if self._tables else TableRows(lambda text: self._add(text, BlockKind.TABLE))
        if self._flows(cells):
            rows.flush()
            for cell in cells:
                for child in cell:
                    self.block(child, depth + 1)
            return
        texts: list[str] = []
        apart: list[Inline] = []
        tables: list[Element] = []
        for cell in cells:
            found = [inline(each, self._formula) for each in _own_paragraphs(cell, tables)]
            texts.append(" ".join(" ".join(each.text for each in found).split()))
            apart += found
        label_row(self._out, texts)
        rows.row(texts, is_head=self._in_head, after=lambda: self._after_row(apart, tables, depth))

    def _after_row(self, apart: list[Inline], tables: list[Element], depth: int) -> None:
        for each in apart:
            self._hanging(each, depth)
        for table in tables:
            self.block(table, depth + 1)

    def _flows(self, cells: list[Element]) -> bool:
        """Whether a row is a layout rather than data: headings, long texts, or several paragraphs in its one cell."""
        filled = [own for cell in cells if (own := [each for each in cell if each.tag in {"text:p", "text:h"}])]
        if len(filled) == 1 and len(filled[0]) > 1:
            return True
        if any(self._kind(each)[0] is BlockKind.HEADING for own in filled for each in own):
            return True
        return any(sum(len(text) for each in own for text in each.itertext()) > _LONG_CELL for own in filled)


def _is_math(root: Element) -> bool:
    return root.tag.endswith(":math") or any(each.tag.endswith(":math") for each in root)


def _own_paragraphs(cell: Element, tables: list[Element]) -> Iterator[Element]:
    """The paragraphs of a cell; tables and shapes that stand in it are put aside."""
    waiting = list(reversed(cell))
    while waiting:
        element = waiting.pop()
        if element.tag in {"text:p", "text:h"}:
            yield element
        elif element.tag == "table:table" or element.tag in SHAPES or element.tag == "office:annotation":
            tables.append(element)
        elif element.tag not in _UNREAD:
            waiting.extend(reversed(element))
