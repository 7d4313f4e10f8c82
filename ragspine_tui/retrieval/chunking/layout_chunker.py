"""Chunking by layout: a heading opens a section, paragraphs are packed to a budget.

No chunk crosses a section, a page or a place: where a hit stands is where its words do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, NamedTuple

from ragspine_tui.retrieval.chunking.cutting import cut_points, torn, trimmed
from ragspine_tui.retrieval.chunking.units import Unit, units_of
from ragspine_tui.types import BlockKind, Chunk, Document, Locator, Section, Span

MAX_CHARS: Final = 480
MAX_CHARS_LIMIT: Final = 20_000
SECTION_CHARS: Final = 65_536
_BY_LINES: Final = frozenset({BlockKind.CODE, BlockKind.TABLE, BlockKind.LIST, BlockKind.FRONT_MATTER})
_WORD_START: Final = re.compile(r"\s(?=\S)")


@dataclass(frozen=True, slots=True)
class Chunking:
    """A document cut: its sections in order, without gap or overlap, and its chunks in order."""

    sections: tuple[Section, ...]
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True)
class ChildExtra:
    """What a chunker attaches to each chunk of a section beyond its own span."""

    parent_locator: str = ""
    window: Span | None = None


class Piece(NamedTuple):
    """A trimmed span of one unit that fits the budget; `inner` says that the unit began in an earlier piece."""

    start: int
    end: int
    unit: Unit
    inner: bool


class LayoutAwareChunker:
    """Cuts at headings, packs paragraphs to `max_chars` characters, each chunk reaching `overlap` back into the last.

    ValueError on numbers that make no sense: 0 < max_chars <= 20,000 and 0 <= overlap < max_chars.
    """

    by_headings = True

    def __init__(self, max_chars: int = MAX_CHARS, overlap: int = 0) -> None:
        if isinstance(max_chars, bool) or not isinstance(max_chars, int) or not 0 < max_chars <= MAX_CHARS_LIMIT:
            raise ValueError(f"max_chars must be a whole number from 1 to {MAX_CHARS_LIMIT}, not {max_chars!r}")
        if isinstance(overlap, bool) or not isinstance(overlap, int) or not 0 <= overlap < max_chars:
            raise ValueError(f"overlap must be a whole number from 0 to below max_chars ({max_chars}), not {overlap!r}")
        self.max_chars = max_chars
        self.overlap = overlap

    def chunk(self, document: Document) -> Chunking:
        """The sections and chunks of a document; both empty for an empty text."""
        text = document.text
        if not text:
            return Chunking((), ())
        units = self._units(document)
        if not units:
            whole = Section(0, Span(0, len(text)), (), Locator(document.path, 1, 1))
            return Chunking((whole,), ())
        groups = [group for opened in self._opened(units) for group in _bounded(self._pieces(text, opened))]
        starts = [0, *(_section_start(group) for group in groups[1:]), len(text)]
        sections = tuple(
            self._section(document.path, index, Span(starts[index], starts[index + 1]), group)
            for index, group in enumerate(groups)
        )
        return Chunking(sections, tuple(self._chunks(document, sections, groups)))

    def _units(self, document: Document) -> list[Unit]:
        """What must not be torn apart, with its headings; for subclasses that find headings of their own."""
        return units_of(document)

    def _opened(self, units: Sequence[Unit]) -> Iterator[list[Unit]]:
        """Runs of units that make a section by layout."""
        group: list[Unit] = []
        for unit in units:
            new_part = bool(group) and unit.block.part != group[-1].block.part
            if group and (new_part or (unit.opens and self.by_headings)):
                yield group
                group = []
            group.append(unit)
        if group:
            yield group

    def _pieces(self, text: str, units: Sequence[Unit]) -> list[Piece]:
        limit = self.max_chars - self.overlap
        pieces: list[Piece] = []
        for unit in units:
            start, end = trimmed(text, unit.start, unit.end)
            if end - start <= limit:
                pieces.append(Piece(start, end, unit, False))
                continue
            keep = trimmed(text, unit.body, unit.tail)[1] - 1 if unit.tail < unit.end else 0
            floor = unit.body + 1 if unit.body > unit.start else 0
            lines = unit.block.kind in _BY_LINES
            points = cut_points(text, start, end, limit, by_lines=lines, floor=floor, keep=keep)
            for low, high in zip([start, *points], [*points, end], strict=True):
                pieces.append(Piece(*trimmed(text, low, high), unit, low > start))
        return pieces

    def _section(self, path: str, index: int, span: Span, group: Sequence[Piece]) -> Section:
        unit = group[0].unit
        block = unit.block if group[0].inner else unit.lead
        locator = Locator(path, unit.first, group[-1].unit.last)
        headings = unit.path if self.by_headings else ()
        return Section(index, span, headings, locator, block.page, block.part)

    def _chunks(
        self, document: Document, sections: Sequence[Section], groups: Sequence[Sequence[Piece]]
    ) -> Iterator[Chunk]:
        text, path = document.text, document.path
        lines = _LineCounter(text) if document.verbatim else None
        index = 0
        for section, group in zip(sections, groups, strict=True):
            extra = self._child_extra(section)
            parent_id = f"{path}#s{section.index}"
            previous = section.span.start - 1
            for run in self._packed(group):
                index += 1
                start, first = self._reach_back(text, run[0], group, max(section.span.start, previous + 1))
                previous = start
                block = first.unit.block if first.inner else first.unit.lead
                yield Chunk(
                    path,
                    index,
                    section.index,
                    Span(start, run[-1].end),
                    Locator(path, first.unit.first, run[-1].unit.last),
                    parent_id,
                    lines.at(start) if lines else block.line,
                    block.page,
                    block.place or first.unit.block.place or block.part,
                    extra.parent_locator,
                    extra.window,
                    text,
                )

    def _packed(self, group: Sequence[Piece]) -> Iterator[list[Piece]]:
        """Pieces put together greedily while they fit."""
        limit = self.max_chars - self.overlap
        run: list[Piece] = []
        for piece in group:
            if run and (piece.end - run[0].start > limit or _place(piece) != _place(run[-1])):
                yield run
                run = []
            run.append(piece)
        if run:
            yield run

    def _reach_back(self, text: str, piece: Piece, group: Sequence[Piece], floor: int) -> tuple[int, Piece]:
        """Where a chunk that begins with `piece` really begins: up to `overlap` characters earlier, at a word."""
        if not self.overlap or piece is group[0]:
            return piece.start, piece
        before = group[: group.index(piece)]
        same = takewhile(lambda other: _place(other) == _place(piece), reversed(before))
        low = max(floor, min((other.start for other in same), default=piece.start), piece.start - self.overlap)
        word = _WORD_START.search(text, max(low - 1, 0), piece.start)
        start = word.end() if word else low
        while start < piece.start and (text[start].isspace() or torn(text, start)):
            start += 1
        first = next((p for p in reversed(group) if p.start <= start), piece)
        return start, first

    def _child_extra(self, section: Section) -> ChildExtra:  # noqa: ARG002
        """What every chunk of `section` carries; nothing here, for subclasses to override."""
        return _NOTHING


_NOTHING: Final = ChildExtra()


def _place(piece: Piece) -> tuple[int | None, str]:
    return piece.unit.block.page, piece.unit.block.place


def _section_start(group: Sequence[Piece]) -> int:
    """A section begins where its first unit does, or where a unit too long for one section was cut."""
    return group[0].start if group[0].inner else group[0].unit.start


def _bounded(pieces: Sequence[Piece]) -> Iterator[Sequence[Piece]]:
    """A section of more than SECTION_CHARS is cut between paragraphs, inside one only where there is no other place."""
    first = boundary = 0
    for place, piece in enumerate(pieces):
        if not piece.inner:
            boundary = place
        if piece.end - pieces[first].start > SECTION_CHARS and place > first:
            cut = boundary if boundary > first else place
            yield pieces[first:cut]
            first = cut
    yield pieces[first:]


class _LineCounter:
    """Line numbers at rising offsets of a text whose lines end with \\n, \\r\\n or \\r."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._returns = "\r" in text
        self._offset = 0
        self._line = 1

    def at(self, offset: int) -> int:
        """The line that holds `offset`, which never falls."""
        text, start = self._text, self._offset
        self._line += text.count("\n", start, offset)
        if self._returns:
            self._line += text.count("\r", start, offset) - text.count("\r\n", start, offset + 1)
        self._offset = offset
        return self._line
