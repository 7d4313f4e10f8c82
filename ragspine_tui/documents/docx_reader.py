"""Word files: every part with text, transitional or strict.

The body comes first, in its order; text boxes follow the paragraph that holds them (place `text box`), and pictures,
charts and diagrams are said to be such; deleted and hidden text is left out. After it stand what is not main text, each
as a part of its own: `footnote`, `endnote`, `comment` (begun with its author), `header`, `footer` (each text once).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final
from xml.etree.ElementTree import Element

from ragspine_tui.documents.docx_styles import Styles, is_list, outline_level, read_styles
from ragspine_tui.documents.docx_text import DEPTH, Inline
from ragspine_tui.documents.gathered import GatheredText
from ragspine_tui.documents.labels import FIELD
from ragspine_tui.documents.math_text import math_text
from ragspine_tui.documents.office_fields import add_head_labels, label_row, title_of
from ragspine_tui.documents.ooxml import (
    Relation,
    by_id,
    chosen,
    graphic_texts,
    main_part,
    note_damage,
    optional_root,
    properties,
    relations,
    remark,
    root_tag,
)
from ragspine_tui.documents.packages import Package, PartError
from ragspine_tui.documents.source_file import ReadInner, SourceFile
from ragspine_tui.documents.table_rows import TableRows
from ragspine_tui.documents.xml_names import children_of
from ragspine_tui.errors import ReadError
from ragspine_tui.types import BlockKind, Document

_BODY: Final = frozenset({"w:document", "w:body"})
_HOLDERS: Final = frozenset(
    {"w:sdt", "w:sdtContent", "w:customXml", "w:ins", "w:moveTo", "w:smartTag", "w:txbxContent", "w:subDoc"}
)
_NOTES: Final = {"footnotes": ("w:footnotes", "footnote"), "endnotes": ("w:endnotes", "endnote")}
_SEPARATORS: Final = frozenset({"separator", "continuationSeparator", "continuationNotice"})
_LONG_CELL: Final = 1_000
_BOX: Final = "text box"
# By depth: what a few bytes may cost would else be multiplied with every file in a file.
_INSERTIONS: Final = {0: 20, 1: 5}


class DocxFormat:
    """Word's packages."""

    kind = "docx"

    def __init__(self, read_inner: ReadInner) -> None:
        """`read_inner` reads files that stand for a part of the text."""
        self._read_inner = read_inner

    def holds(self, package: Package, /) -> bool:
        """Whether the main part is a Word document."""
        return root_tag(package) == "w:document"

    def read(self, source: SourceFile, package: Package, /) -> Document:
        """The text of every part, and the properties as fields."""
        reading = _Reading(package, lambda name, data: self._read_inner(source.inner(name, data)))
        reading.insertions = _INSERTIONS.get(source.depth, 0)
        reading.read()
        out, fields = reading.out, properties(package)
        doubts = add_head_labels(fields, out, reading.margins)
        return Document(
            path=source.relative,
            text=out.text,
            blocks=tuple(out.blocks),
            title=title_of(fields, reading.title, out.first_heading, source.stem),
            kind=self.kind,
            fields=fields.build(),
            verbatim=False,
            notes=tuple(package.notes) + doubts,
        )


class _Reading:
    """One Word file being read; `margins` are the texts of headers and footers."""

    def __init__(self, package: Package, read_inner: Callable[[str, bytes], Document]) -> None:
        self.package = package
        self.read_inner = read_inner
        self.insertions = 0
        self.main = main_part(package)
        self.out = GatheredText()
        self.margins: list[str] = []
        self.title = ""
        self._relations = relations(package, self.main)

    def read(self) -> None:
        """Reads the parts in the order of the module's docstring."""
        styles = next((each.target for each in self._relations if each.kind == "styles"), "")
        self.styles = read_styles(optional_root(self.package, styles) if styles else None)
        story = _Story(self, self._relations)
        try:
            for child in children_of(self.package, self.main, _BODY):
                story.block(child)
        except PartError as error:
            if not self.out.blocks:
                raise
            note_damage(self.package, error)
        self.title = story.title
        for kind, (root, part) in _NOTES.items():
            for relation in self._relations:
                if relation.kind == kind:
                    self._notes(relation, root, part)
        for relation in self._relations:
            if relation.kind == "comments":
                self._comments(relation)
        for kind in ("header", "footer"):
            for text in self._margin_texts(kind):
                self.margins.append(text)
                self.out.add(text, part=kind)

    def _notes(self, relation: Relation, root: str, part: str) -> None:
        story = _Story(self, relations(self.package, relation.target), part)
        for note in self._children(relation, root):
            if note.get("w:type") not in _SEPARATORS:
                self.out.add(story.flat(note), part=part)

    def _comments(self, relation: Relation) -> None:
        story = _Story(self, relations(self.package, relation.target), "comment")
        for comment in self._children(relation, "w:comments"):
            author = " ".join(comment.get("w:author", "").split())
            if text := story.flat(comment):
                self.out.add(f"{author}: {text}" if author else text, part="comment")

    def _margin_texts(self, kind: str) -> Iterator[str]:
        seen = set()
        for relation in self._relations:
            if relation.kind != kind:
                continue
            story = _Story(self, relations(self.package, relation.target), kind)
            root = optional_root(self.package, relation.target)
            text = story.flat(root) if root is not None else ""
            if text and text not in seen:
                seen.add(text)
                yield text

    def _children(self, relation: Relation, root: str) -> Iterator[Element]:
        try:
            yield from children_of(self.package, relation.target, frozenset({root}))
        except PartError as error:
            note_damage(self.package, error)


class _Story:
    """One flow of paragraphs and tables."""

    def __init__(self, reading: _Reading, found: list[Relation], part: str = "") -> None:
        self.title = ""
        self._reading = reading
        self._package = reading.package
        self._styles: Styles = reading.styles
        self._out = reading.out
        self._targets = by_id(found)
        self._part = part
        self._place = ""

    def _add(self, text: str, kind: BlockKind = BlockKind.PARAGRAPH, level: int = 0) -> None:
        self._out.add(text, kind, level=level, part=self._part, place=self._place)

    def block(self, element: Element, depth: int = 0) -> None:
        """Writes what a child of the body, a cell or a text box says."""
        tag = element.tag
        if depth > DEPTH:
            self._add(_unstructured(element))
        elif tag == "w:p":
            self._paragraph(element, depth)
        elif tag == "w:tbl":
            self._table(element, depth)
        elif tag == "mc:AlternateContent":
            option = chosen(element)
            self._blocks(option, depth) if option is not None else None
        elif tag in _HOLDERS:
            self._blocks(element, depth)
        elif tag == "w:altChunk":
            self._inserted(element.get("r:id", ""))
        elif tag in {"m:oMathPara", "m:oMath"}:
            self._add(math_text(element))

    def _inserted(self, name: str) -> None:
        """A whole file that stands for a part of the text, as programs write it that turn pages into Word files."""
        relation = self._targets.get(name)
        if relation is None:
            return
        self._reading.insertions -= 1
        if self._reading.insertions < 0:
            remark(self._package, "more files are inserted than are read")
            return
        try:
            document = self._reading.read_inner(relation.target, self._package.read(relation.target))
        except ReadError as error:
            remark(self._package, f"an inserted file {error}")
            return
        self._out.label(*document.fields.get(FIELD, ()))
        for block in document.blocks:
            self._add(block.span.of(document.text), block.kind, block.level)

    def _blocks(self, parent: Element, depth: int) -> None:
        for child in parent:
            self.block(child, depth + 1)

    def _paragraph(self, paragraph: Element, depth: int) -> None:
        inline = Inline()
        inline.take(paragraph)
        text = inline.text
        if text:
            kind, level = self._kind(paragraph)
            if kind is BlockKind.HEADING:
                text = " ".join(text.split())
                self.title = self.title or (text[:1_000] if self._style(paragraph) in self._styles.titles else "")
            self._add(text, kind, level)
        self._hanging(inline, depth)

    def _hanging(self, inline: Inline, depth: int) -> None:
        for picture in inline.pictures:
            self._add(picture)
        for drawing in inline.drawings:
            for text in graphic_texts(self._package, drawing, self._targets):
                self._add(text)
        around, self._place = self._place, _BOX
        for box in inline.boxes:
            self._blocks(box, depth)
        self._place = around

    def _style(self, paragraph: Element) -> str:
        found = paragraph.find("w:pPr")
        style = found.find("w:pStyle") if found is not None else None
        return style.get("w:val", "") if style is not None else ""

    def _kind(self, paragraph: Element) -> tuple[BlockKind, int]:
        found, style_id = paragraph.find("w:pPr"), self._style(paragraph)
        level = outline_level(found)
        if level is None:
            level = self._styles.levels.get(style_id, 0)
        level = level or int(style_id in self._styles.titles)
        if level:
            return BlockKind.HEADING, level
        listed = is_list(found)
        if listed or (listed is None and style_id in self._styles.lists):
            return BlockKind.LIST, 0
        return BlockKind.PARAGRAPH, 0

    def _table(self, table: Element, depth: int) -> None:
        rows = TableRows(lambda text: self._add(text, BlockKind.TABLE))
        for row in _inside(table, "w:tr"):
            changes = row.find("w:trPr")
            if changes is not None and changes.find("w:del") is not None:
                continue
            cells = list(_inside(row, "w:tc"))
            if self._flows(cells):
                rows.flush()
                for cell in cells:
                    self._blocks(cell, depth)
            else:
                is_head = changes is not None and changes.find("w:tblHeader") is not None
                self._row(rows, cells, depth, is_head=is_head)
        rows.flush()

    def _flows(self, cells: list[Element]) -> bool:
        """Whether a row is a layout rather than data: headings, long texts, or several paragraphs in its one cell."""
        lengths = [sum(len(t.text or "") for t in cell.iter("w:t")) for cell in cells]
        filled = [cell for cell, length in zip(cells, lengths, strict=True) if length]
        if max(lengths, default=0) > _LONG_CELL or (len(filled) == 1 and len(filled[0].findall("w:p")) > 1):
            return True
        direct = (paragraph for cell in filled for paragraph in cell.findall("w:p"))
        return any(self._kind(paragraph)[0] is BlockKind.HEADING for paragraph in direct)

    def _row(self, rows: TableRows, cells: list[Element], depth: int, *, is_head: bool) -> None:
        hanging: list[Inline] = []
        tables: list[Element] = []
        texts = []
        for cell in cells:
            inlines = []
            for child in _flat(cell):
                if child.tag == "w:tbl":
                    tables.append(child)
                    continue
                inline = Inline()
                inline.take(child)
                inlines.append(inline)
            texts.append(" ".join(" ".join(inline.text for inline in inlines).split()))
            hanging += inlines
        label_row(self._out, texts)
        rows.row(texts, is_head=is_head, after=lambda: self._after_row(hanging, tables, depth))

    def _after_row(self, hanging: list[Inline], tables: list[Element], depth: int) -> None:
        for inline in hanging:
            self._hanging(inline, depth)
        for table in tables:
            self.block(table, depth + 1)

    def flat(self, element: Element) -> str:
        """All the text below in lines, one for each paragraph."""
        lines: list[str] = []
        waiting = [element]
        while waiting:
            each = waiting.pop()
            if each.tag in {"w:del", "w:moveFrom"}:
                continue
            if each.tag != "w:p":
                option = chosen(each) if each.tag == "mc:AlternateContent" else each
                waiting.extend(reversed(option) if option is not None else ())
                continue
            inline = Inline()
            inline.take(each)
            lines += [inline.text, *inline.pictures]
            for drawing in inline.drawings:
                lines += graphic_texts(self._package, drawing, self._targets)
            waiting.extend(reversed(inline.boxes))
        return "\n".join(line for line in lines if line)


def _inside(parent: Element, tag: str) -> Iterator[Element]:
    """The elements named `tag` below that stand in no other one of this name, through what only wraps them."""
    waiting = list(reversed(parent))
    while waiting:
        element = waiting.pop()
        if element.tag == tag:
            yield element
        elif element.tag in _HOLDERS:
            waiting.extend(reversed(element))


def _flat(cell: Element) -> Iterator[Element]:
    """The paragraphs and tables of a cell, through what only wraps them."""
    waiting = list(reversed(cell))
    while waiting:
        element = waiting.pop()
        if element.tag in {"w:p", "w:tbl"}:
            yield element
        elif element.tag in _HOLDERS:
            waiting.extend(reversed(element))


def _unstructured(element: Element) -> str:
    return " ".join("".join(each.text or " " for each in element.iter() if each.tag in {"w:t", "w:p"}).split())
