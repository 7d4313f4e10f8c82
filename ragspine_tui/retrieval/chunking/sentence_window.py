"""Chunking by sentences: each sentence is found by itself and read among its neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from ragspine_tui.retrieval.chunking.cutting import cut_points, sentence_ends, trimmed
from ragspine_tui.retrieval.chunking.layout_chunker import MAX_CHARS, Chunking, LayoutAwareChunker, Piece
from ragspine_tui.retrieval.chunking.marked import lines_of
from ragspine_tui.retrieval.chunking.units import Unit
from ragspine_tui.types import BlockKind, Chunk, Document, Section, Span

NEIGHBOURS: Final = 2
_AS_LAYOUT: Final = frozenset({BlockKind.CODE, BlockKind.FRONT_MATTER})
_A_LINE_EACH: Final = frozenset({BlockKind.TABLE, BlockKind.LIST})


class SentenceWindowChunker(LayoutAwareChunker):
    """A sentence (an item of a list, a row of a table) is a chunk; its window reaches `neighbours` chunks each way.

    Windows stay inside the section. ValueError unless `neighbours` is a whole number from 0 to 100.
    """

    def __init__(self, max_chars: int = MAX_CHARS, overlap: int = 0, neighbours: int = NEIGHBOURS) -> None:
        super().__init__(max_chars, overlap)
        if isinstance(neighbours, bool) or not isinstance(neighbours, int) or not 0 <= neighbours <= 100:
            raise ValueError(f"neighbours must be a whole number from 0 to 100, not {neighbours!r}")
        self.neighbours = neighbours

    def chunk(self, document: Document) -> Chunking:
        """The sections and chunks of a document, each chunk with its window."""
        result = super().chunk(document)
        chunks: list[Chunk] = []
        for index, group in groupby(result.chunks, key=lambda chunk: chunk.section):
            chunks.extend(self._with_windows(result.sections[index], list(group)))
        return Chunking(result.sections, tuple(chunks))

    def _with_windows(self, section: Section, chunks: Sequence[Chunk]) -> Iterator[Chunk]:
        for place, chunk in enumerate(chunks):
            first = chunks[max(0, place - self.neighbours)]
            last = chunks[min(len(chunks) - 1, place + self.neighbours)]
            window = Span(first.span.start, last.span.end)
            yield replace(chunk, parent_locator=str(section.locator), window=window)

    def _pieces(self, text: str, units: Sequence[Unit]) -> list[Piece]:
        limit = self.max_chars - self.overlap
        pieces: list[Piece] = []
        for unit in units:
            if unit.block.kind in _AS_LAYOUT:
                pieces.extend(super()._pieces(text, [unit]))
                continue
            start, end = trimmed(text, unit.start, unit.end)
            last = trimmed(text, unit.body, unit.tail)[1] - 1
            bounds = [start, *_ends(text, unit, end), end]
            for number in range(len(bounds) - 1):
                low, high = trimmed(text, bounds[number], bounds[number + 1])
                floor = unit.body + 1 if low < unit.body else 0
                keep = last if unit.tail < high else 0
                points = cut_points(text, low, high, limit, by_lines=False, floor=floor, keep=keep)
                for begin, stop in zip([low, *points], [*points, high], strict=True):
                    pieces.append(Piece(*trimmed(text, begin, stop), unit, begin > start))
        return pieces

    def _packed(self, group: Sequence[Piece]) -> Iterator[list[Piece]]:
        """Each sentence by itself; code, which has none, by its size."""
        for as_layout, pieces in groupby(group, key=lambda piece: piece.unit.block.kind in _AS_LAYOUT):
            run = list(pieces)
            yield from super()._packed(run) if as_layout else ([piece] for piece in run)


def _ends(text: str, unit: Unit, end: int) -> list[int]:
    """Where sentences end in a unit; headings before its body and at its end stay with a sentence of it."""
    last = trimmed(text, unit.body, unit.tail)[1]
    stop = end if unit.tail >= end else last
    if unit.block.kind in _A_LINE_EACH:
        lines = lines_of(text, replace(unit.block, span=Span(unit.body, max(unit.body, stop))), None)
        return [line.start for line in lines[1:]]
    return sentence_ends(text, unit.body, stop)
