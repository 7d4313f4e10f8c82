"""Units: what a chunker never tears apart without need. A body block with the headings that lead to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from ragspine_tui.types import Block, BlockKind, Document, Span

HEADING_CHARS: Final = 500
PATH_CHARS: Final = 1_000
PATH_HEADINGS: Final = 16
OUTER_CHARS: Final = 60
_GAP: Final = re.compile(r"(?>\r\n|\r|\n)[ \t\f\v]*+(?>\r\n|\r|\n)\s*+")


class Unit(NamedTuple):
    """`start` to `end` covers the headings, the body and whatever stands before the next unit.

    `body` is where the body begins and `tail` where headings begin that nothing follows (`end` without any); `first`
    and `last` are paragraph numbers; `opens` says that a section begins here.
    """

    start: int
    body: int
    tail: int
    end: int
    first: int
    last: int
    path: tuple[str, ...]
    opens: bool
    lead: Block
    block: Block


def units_of(document: Document, opens: Callable[[Block], bool] | None = None) -> list[Unit]:
    """The units of a document in order; together they cover its text. Empty for a text of white space.

    Headings for which `opens` is false join what follows them, without opening a section or a place in the path.
    """
    return _Builder(document.text, blocks_of(document), opens).units()


def blocks_of(document: Document) -> list[Block]:
    """The blocks of a document that hold text; its paragraphs, or all of it, where the reader gave none."""
    text = document.text
    blocks = [b for b in document.blocks or _paragraph_blocks(text) if not text[b.span.start : b.span.end].isspace()]
    blocks = [b for b in blocks if b.span.start < b.span.end]
    if not blocks and text and not text.isspace():
        blocks = [Block(Span(0, len(text)))]
    return blocks


def _paragraph_blocks(text: str) -> list[Block]:
    starts = [0, *(gap.end() for gap in _GAP.finditer(text))]
    return [Block(Span(start, end)) for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def _bounded_path(headings: Sequence[str]) -> tuple[str, ...]:
    """Headings down to the innermost; where they are long, those above it are cut, for every section repeats them."""
    if sum(map(len, headings)) <= PATH_CHARS:
        return tuple(headings)
    return (*(heading[:OUTER_CHARS].strip() for heading in headings[:-1]), headings[-1])


class _Builder:
    def __init__(self, text: str, blocks: Sequence[Block], opens: Callable[[Block], bool] | None) -> None:
        self._blocks = blocks
        self._opens = opens
        self._length = len(text)
        self._units: list[Unit] = []
        self._stack: list[tuple[int, str]] = []
        self._path: tuple[str, ...] = ()
        self._waiting = -1
        self._opening = False
        self._number = 0

    def units(self) -> list[Unit]:
        part = self._blocks[0].part if self._blocks else ""
        new_part = False
        for index, block in enumerate(self._blocks):
            if block.part != part:
                # Headings of one slide or mail part say nothing about the next.
                self._flush(self._number + 1)
                part, new_part, self._stack, self._path = block.part, True, [], ()
            if block.kind is BlockKind.HEADING:
                if self._opens is None or self._opens(block):
                    self._descend(block)
                    self._opening = True
                if self._waiting < 0:
                    self._waiting = index
                continue
            self._number += 1
            lead = index if self._waiting < 0 else self._waiting
            self._add(lead, index, self._number, self._number, new_part or self._opening)
            self._waiting, self._opening, new_part = -1, False, False
        self._end()
        return self._closed()

    def _descend(self, block: Block) -> None:
        while self._stack and self._stack[-1][0] >= block.level:
            self._stack.pop()
        self._stack.append((block.level, block.heading[:HEADING_CHARS].strip()))
        self._path = _bounded_path([heading for _, heading in self._stack[-PATH_HEADINGS:] if heading])

    def _add(self, lead: int, index: int, first: int, last: int, opens: bool) -> None:
        start, body = self._blocks[lead].span.start, self._blocks[index].span.start
        unit = Unit(start, body, -1, -1, first, last, self._path, opens, self._blocks[lead], self._blocks[index])
        self._units.append(unit)

    def _flush(self, number: int) -> None:
        """Headings that end their part stand for themselves."""
        if self._waiting >= 0:
            self._add(self._waiting, self._waiting, number, number, True)
            self._waiting, self._opening = -1, False

    def _end(self) -> None:
        """Headings that nothing follows join the unit before them; alone, they count as paragraphs."""
        if self._waiting < 0:
            return
        if not self._units:
            self._add(self._waiting, self._waiting, 1, len(self._blocks), True)
        elif self._units[-1].block.part != self._blocks[self._waiting].part:
            self._flush(self._units[-1].last)
        else:
            self._units[-1] = self._units[-1]._replace(tail=self._blocks[self._waiting].span.start)

    def _closed(self) -> list[Unit]:
        if not self._units:
            return []
        ends = [*(unit.start for unit in self._units[1:]), self._length]
        closed = [
            unit._replace(end=end, tail=unit.tail if unit.tail >= 0 else end)
            for unit, end in zip(self._units, ends, strict=True)
        ]
        closed[0] = closed[0]._replace(start=0)
        return closed
