"""The text of a file whose own words stand between signs that nobody reads: blocks that know their line or place."""

from __future__ import annotations

from typing import Final

from ragspine_tui.documents.bounds import MAX_BLOCKS, check_count, heading_text
from ragspine_tui.documents.encoding import Decoded
from ragspine_tui.documents.fields import FieldsBuilder
from ragspine_tui.documents.front_matter import front_of
from ragspine_tui.documents.head_labels import head_labels
from ragspine_tui.documents.labels import FIELD, front_labels
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.types import Block, BlockKind, Document, Span

MAX_TEXT: Final = 64_000_000
"""The most characters that the extracted text of one file may have."""
_TIGHT: Final = frozenset({BlockKind.LIST, BlockKind.TABLE})


class ExtractedText:
    """Collects blocks in reading order; ReadError with status `too_large` where they are too many or too long."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._parts: list[str] = []
        self._length = 0

    def add(
        self,
        text: str,
        kind: BlockKind = BlockKind.PARAGRAPH,
        *,
        line: int | None = None,
        level: int = 0,
        part: str = "",
        place: str = "",
    ) -> None:
        """One more block, unless it is blank; a HEADING is named by its own text."""
        if not text or text.isspace():
            return
        if self.blocks:
            last = self.blocks[-1]
            gap = "\n" if last.kind is kind and kind in _TIGHT else "\n\n"
            self._parts.append(gap)
            self._length += len(gap)
        span = Span(self._length, self._length + len(text))
        self._parts.append(text)
        self._length = span.end
        heading = heading_text(" ".join(text[:2_000].split())) if kind is BlockKind.HEADING else ""
        self.blocks.append(Block(span, kind, max(1, level) if heading else 0, heading, line, part=part, place=place))
        check_count(len(self.blocks), MAX_BLOCKS, "paragraphs")
        check_count(self._length, MAX_TEXT, "characters of text")

    @property
    def text(self) -> str:
        """All that was added, blocks a blank line apart, rows and items a line."""
        return "".join(self._parts)

    @property
    def first_heading(self) -> str:
        """The first heading, '' without one."""
        return next((block.heading for block in self.blocks if block.kind is BlockKind.HEADING), "")


def extracted_document(
    source: SourceFile,
    kind: str,
    decoded: Decoded,
    written: ExtractedText,
    fields: FieldsBuilder,
    notes: tuple[str, ...],
    *,
    named: str,
) -> Document:
    """The document of a decoded file whose text was extracted, called `named` where its fields have no title."""
    return Document(
        path=source.relative,
        text=written.text,
        blocks=tuple(written.blocks),
        title=fields.first("title") or named,
        kind=kind,
        fields=fields.build(),
        encoding=decoded.encoding,
        verbatim=False,
        notes=decoded.notes + notes,
    )


def head_fields(text: str) -> tuple[FieldsBuilder, int, tuple[str, ...]]:
    """What the top of a decoded file declares whatever its format: fields and labels; where it ends; remarks.

    For readers whose text is not the file itself: the labels of one that is are looked for at the seam.
    """
    front, start = front_of(text)
    fields = FieldsBuilder()
    for name, value in front.values:
        fields.add(name, value)
    head = head_labels(text)
    if labels := front_labels(text) + head.labels:
        fields.add(FIELD, *labels)
    return fields, start, (front.notes if start else ()) + head.notes
