"""The text of a file in which other files lie: what their readers made of them, one below the other, with its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from ragspine_tui.documents.bounds import MAX_BLOCKS, check_count
from ragspine_tui.documents.extracted import MAX_TEXT, ExtractedText
from ragspine_tui.documents.labels import FIELD, distinct, label_named
from ragspine_tui.types import Block, Document, Sensitivity, Span

_MAX_NOTES: Final = 8


class GatheredText(ExtractedText):
    """Blocks of one's own and whole documents; `labels` are those of all the documents, `notes` remarks on them."""

    def __init__(self) -> None:
        super().__init__()
        self.labels: tuple[str, ...] = ()
        self._notes: list[str] = []
        self._unsaid = 0

    @property
    def notes(self) -> tuple[str, ...]:
        """The first remarks, and how many more there were."""
        return (*self._notes, *([f"and {self._unsaid} more remarks"] if self._unsaid else []))

    def note(self, *notes: str) -> None:
        """Remarks for a person, each once."""
        for note in notes:
            if note in self._notes:
                continue
            if len(self._notes) < _MAX_NOTES:
                self._notes.append(note)
            else:
                self._unsaid += 1

    def label(self, *labels: str) -> None:
        """What labels a file in the file counts for the whole, but none makes the whole more public than it is."""
        known = (label_named(label) for label in labels)
        self.labels = distinct([*self.labels, *(label for label in known if label != Sensitivity.PUBLIC)])

    def add_document(
        self, document: Document, part: str, place: str, wanted: Callable[[str], bool] | None = None
    ) -> None:
        """The text of a document in the file; with `wanted` only the blocks whose text it wants.

        Its own parts become parts of `place`. ReadError `too_large` where it does not fit, with nothing added.
        """
        self.label(*document.fields.get(FIELD, ()))
        if wanted is not None:
            document = _only(document, wanted)
        if document.text and not document.text.isspace():
            blocks = document.blocks or (Block(Span(0, len(document.text))),)
            self._append(document.text, [_placed(block, part, place) for block in blocks])

    def append(self, other: GatheredText) -> None:
        """All of another text, with its labels and remarks; ReadError `too_large` where it does not fit."""
        if other.blocks:
            self._append(other.text, other.blocks)
        self.label(*other.labels)
        self.note(*other._notes)
        self._unsaid += other._unsaid

    def _append(self, text: str, blocks: Sequence[Block]) -> None:
        gap = "\n\n" if self.blocks else ""
        start = self._length + len(gap)
        check_count(start + len(text), MAX_TEXT, "characters of text")
        check_count(len(self.blocks) + len(blocks), MAX_BLOCKS, "paragraphs")
        self._parts += [gap, text]
        self._length = start + len(text)
        self.blocks += [_moved(block, start) for block in blocks]


def _moved(block: Block, by: int) -> Block:
    """A block further on; made anew by its fields, for this is done for every block of a mailbox."""
    span = Span(block.span.start + by, block.span.end + by)
    return Block(span, block.kind, block.level, block.heading, block.line, block.page, block.part, block.place)


def _placed(block: Block, part: str, place: str) -> Block:
    """A block of a document in the file: its line is that of a file nobody can open, its page and place are of use."""
    inner = block.place or block.part
    own = f"{place}: {block.part}" if block.part else part
    finer = f"{place}: {inner}" if inner else place
    return Block(block.span, block.kind, block.level, block.heading, None, block.page, own, finer)


def _only(document: Document, wanted: Callable[[str], bool]) -> Document:
    text = ExtractedText()
    for block in document.blocks or (Block(Span(0, len(document.text))),):
        said = block.span.of(document.text)
        if wanted(said):
            text.add(said, block.kind, level=block.level)
    return replace(document, text=text.text, blocks=tuple(text.blocks))
