"""What the formats share whose text is the decoded file and whose structure is told line by line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ragspine_tui.documents.bounds import MAX_BLOCKS, check_count, heading_text
from ragspine_tui.documents.code_reader import declared_encoding
from ragspine_tui.documents.encoding import decode
from ragspine_tui.documents.fields import FieldsBuilder, split_tags
from ragspine_tui.documents.front_matter import front_of
from ragspine_tui.documents.lines import Lines, line_ends, numbered_lines
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.types import Block, BlockKind, Document, Span

_TAG_NAMES: Final = frozenset({"tags", "tag", "keywords"})


class LineBlocks:
    """The blocks made so far and the one that is open: whole lines, in order."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.blocks: list[Block] = []
        self.kind: BlockKind | None = None
        self.first = 0
        self.last = 0

    def extend(self, number: int, kind: BlockKind) -> None:
        """The line joins the open block if that is of this kind; else it opens one."""
        if self.kind is not kind:
            self.close()
            self.kind, self.first = kind, number
        self.last = number

    def close(self) -> None:
        """Ends the open block."""
        if self.kind is not None:
            self._add(self.first, self.last, self.kind)
            self.kind = None

    def heading(self, first: int, last: int, level: int, title: str) -> None:
        """The lines from `first` to `last` name a section."""
        self.close()
        title = heading_text(title)
        self._add(first, last, BlockKind.HEADING if title else BlockKind.PARAGRAPH, level if title else 0, title)

    def _add(self, first: int, last: int, kind: BlockKind, level: int = 0, title: str = "") -> None:
        span = Span(self.lines.starts[first], self.lines.ends[last])
        self.blocks.append(Block(span, kind, level, title, self.lines.numbers[first]))
        check_count(len(self.blocks), MAX_BLOCKS, "paragraphs")


def line_document(source: SourceFile, kind: str, scan: Callable[[Lines, int, FieldsBuilder], list[Block]]) -> Document:
    """The decoded file with the blocks and fields that `scan` finds from the line behind its front matter on."""
    decoded = decode(source.data, declared_encoding(source.data))
    front, start = front_of(decoded.text)
    fields = FieldsBuilder()
    for name, value in front.values:
        fields.add(name, value)
    lines = numbered_lines(decoded.text)
    first = lines.index_after(line_ends(decoded.text, 0, start)) if start else 0
    blocks = scan(lines, first, fields)
    heading = next((block.heading for block in blocks if block.kind is BlockKind.HEADING), "")
    if start:
        blocks.insert(0, Block(Span(0, start), BlockKind.FRONT_MATTER, line=1))
    return Document(
        path=source.relative,
        text=decoded.text,
        blocks=tuple(blocks),
        title=fields.first("title") or heading or source.stem,
        kind=kind,
        fields=fields.build(),
        encoding=decoded.encoding,
        notes=decoded.notes + (front.notes if start else ()),
    )


def add_field(fields: FieldsBuilder, name: str, value: str) -> None:
    """One declared field; keywords are tags, several names of authors several values."""
    name, value = name.strip().lower(), " ".join(value.split())
    if not name or not value:
        return
    if name in _TAG_NAMES:
        fields.add("tags", *split_tags([value]))
    elif name == "authors":
        fields.add("author", *(one.strip() for one in value.split(";" if ";" in value else ",") if one.strip()))
    else:
        fields.add(name, value)
