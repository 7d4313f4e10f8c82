"""Reading a library's inverted index as one run of chunks, whatever its segments and deletions."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from storage.columns import Column, read_column
from storage.database import sound_rows
from storage.encoding import Blob, Ordinals, column_of, decode, decode_places
from storage.expanding import Expander
from storage.memo import Memo
from storage.merging import live_chunks
from storage.postings import FIELDS, UNIT_OF_FIELD, SegmentArrays, named_term, read_segments

_NAMING: Final = ("title", "name", "metadata", "heading")

Postings = tuple[Ordinals, Ordinals]
"""(ordinals in the library, term frequencies); ordinals rise."""

PostingList = Postings | NDArray[np.unsignedinteger[Any]]
"""The postings of a term in a field: ordinals and frequencies, or where they are many a column of all frequencies."""

MEMO_BYTES: Final = 64 << 20
"""How much a snapshot keeps of what was read: people type the same words again and again."""

_OVERHEAD: Final = 500
"""Bytes that remembering something takes beside it, roughly."""

_COLUMN_SHARE: Final = 16
"""From one unit in so many on, a column is smaller and faster than ordinals."""


class Snapshot:
    """A library's index at one generation. Ordinals count over all its segments; postings hold no dead document.

    It reads through `connection`, so that it belongs to that connection's thread, and is true inside the read
    transaction in which its generation was checked. Raises StorageError where rows are damaged.
    """

    def __init__(self, connection: sqlite3.Connection, library: int, generation: int) -> None:
        self.generation = generation
        self.connection = connection
        self.memo = Memo(MEMO_BYTES)
        """What searches have made of posting lists so far."""
        with sound_rows():
            self._segments = read_segments(connection, library)
        self._numbers = {segment: number for number, segment in enumerate(self._segments)}
        self._segment_ids = ", ".join(map(str, self._segments))
        arrays = list(self._segments.values())
        self._offsets = {
            "document": _offsets([len(part.documents) for part in arrays]),
            "section": _offsets([len(part.section_first_chunk) - 1 for part in arrays]),
            "chunk": _offsets([part.chunks for part in arrays]),
        }
        self.documents: NDArray[np.int64] = _joined(arrays, "documents", np.int64)
        self.hashes: NDArray[np.uint64] = _joined(arrays, "hashes", np.uint64)
        self.first_chunk = self._bounds("first_chunk", "chunk")
        self.chunk_count = int(self._offsets["chunk"][-1])
        self.live_documents = int(sum(np.count_nonzero(part.dead == 0) for part in arrays))
        self.live_chunks = sum(live_chunks(part) for part in arrays)
        self.alive_documents: NDArray[np.bool_] = _joined(arrays, "dead", np.uint8) == 0
        self._alive: dict[str, NDArray[np.bool_]] | None = None
        if self.live_documents < len(self.documents):
            self._alive = {
                "document": self.alive_documents,
                "section": self.alive_documents[self.document_of_section],
                "chunk": self.alive_documents[self.document_of_chunk],
            }

    def segments(self) -> Sequence[tuple[int, int]]:
        """(segment, the ordinal of its first document), in order."""
        return list(zip(self._segments, self._offsets["document"][:-1].tolist(), strict=True))

    def column(self, segment: int, name: str) -> Column:
        """The values of a metadata field in a segment, whose dead documents are among theirs."""

        def make() -> tuple[Column, int]:
            with sound_rows():
                found = read_column(self.connection, segment, name, len(self._segments[segment].documents))
            return found, _OVERHEAD + found.nbytes

        return self.memo.get(("column", segment, name), make)

    @cached_property
    def document_of_chunk(self) -> NDArray[np.int64]:
        """The document ordinal of every chunk."""
        return np.repeat(np.arange(len(self.documents)), self.first_chunk[1:] - self.first_chunk[:-1])

    @cached_property
    def opening_chunk(self) -> NDArray[np.int64]:
        """The first chunk of every document that has words in its body, or else its first."""
        firsts, ends = self.first_chunk[:-1], self.first_chunk[1:]
        # As they were indexed: a document that is gone must not send its neighbour elsewhere.
        worded = np.flatnonzero(np.concatenate([np.empty(0), *(part.body_lengths for part in self._segments.values())]))
        at = worded.searchsorted(firsts)
        found = np.append(worded, self.chunk_count)[at]
        return np.where(found < ends, found, firsts)

    @cached_property
    def section_of_chunk(self) -> NDArray[np.int64]:
        """The section ordinal of every chunk."""
        bounds = self.section_first_chunk
        return np.repeat(np.arange(len(bounds) - 1), bounds[1:] - bounds[:-1])

    @cached_property
    def section_first_chunk(self) -> NDArray[np.int64]:
        """The first chunk of every section, and the end of the last."""
        return self._bounds("section_first_chunk", "chunk")

    @cached_property
    def document_of_section(self) -> NDArray[np.int64]:
        """The document ordinal of every section."""
        bounds = self._bounds("first_section", "section")
        return np.repeat(np.arange(len(self.documents)), bounds[1:] - bounds[:-1])

    @cached_property
    def lengths(self) -> Mapping[str, NDArray[np.float64]]:
        """Length in terms of every unit, a field: `body` by chunk, `document`, `title`, `name` and `metadata` by
        document, `heading` by section; 0 for the dead.
        """
        parts = list(self._segments.values())
        body: NDArray[np.float64] = _joined(parts, "body_lengths", np.float64)
        lengths: dict[str, NDArray[np.float64]] = {
            "body": body,
            "document": _sums(body, self.document_of_chunk, len(self.documents)),
            **{name: _joined(parts, f"{name}_lengths", np.float64) for name in _NAMING},
        }
        if self._alive:
            for name, values in lengths.items():
                unit = "document" if name == "document" else UNIT_OF_FIELD[name]
                lengths[name] = np.where(self._alive[unit], values, 0.0)
        return lengths

    @cached_property
    def unit_counts(self) -> Mapping[str, int]:
        """How many live units each field of `lengths` has."""
        sections = len(self.document_of_section)
        if self._alive:
            sections = int(np.count_nonzero(self._alive["section"]))
        return {
            "body": self.live_chunks,
            "document": self.live_documents,
            "title": self.live_documents,
            "name": self.live_documents,
            "metadata": self.live_documents,
            "heading": sections,
        }

    @cached_property
    def total_lengths(self) -> Mapping[str, float]:
        """The sum of each field of `lengths`."""
        return {name: float(values.sum()) for name, values in self.lengths.items()}

    def lists(self, term: str) -> Mapping[str, PostingList]:
        """The live postings of `term`, a field; fields without any are absent."""

        def make() -> tuple[Mapping[str, PostingList], int]:
            with sound_rows():
                found = self._read_lists(term)
            return found, _OVERHEAD + sum(_bytes_of(one) for one in found.values())

        return self.memo.get(("lists", term), make)

    def postings(self, term: str) -> Mapping[str, Postings]:
        """The same as ordinals and frequencies, whatever their number."""
        return {name: sparse(one) for name, one in self.lists(term).items()}

    def places(self, term: str) -> Postings:
        """(chunk, place in it) of every live occurrence in bodies that has a place, in their order."""

        def make() -> tuple[Postings, int]:
            with sound_rows():
                found = self._read_places(term)
            return found, _OVERHEAD + _bytes_of(found)

        return self.memo.get(("places", term), make)

    def _rows(self, term: str, columns: str) -> list[tuple[Any, ...]]:
        """(number of the segment, a blob a column) where a segment has the term."""
        rows = self.connection.execute(
            f"SELECT segment, {columns} FROM postings WHERE segment IN ({self._segment_ids}) AND term = ?", (term,)
        ).fetchall()
        return sorted((self._numbers[row[0]], *row[1:]) for row in rows)

    def _read_lists(self, term: str) -> Mapping[str, PostingList]:
        rows = self._rows(term, ", ".join(FIELDS))
        found: dict[str, PostingList] = {}
        for position, name in enumerate(FIELDS, start=1):
            pieces = [(row[0], row[position]) for row in rows if row[position] is not None]
            if pieces and (one := self._joined_list(name, pieces)) is not None:
                found[name] = one
        return found

    def _joined_list(self, name: str, pieces: Sequence[tuple[int, Blob]]) -> PostingList | None:
        unit = UNIT_OF_FIELD[name]
        offsets = self._offsets[unit]
        alive = self._alive[unit] if self._alive else None
        parts: list[tuple[int, int, PostingList]] = []
        count = 0
        for number, blob in pieces:
            start, end = int(offsets[number]), int(offsets[number + 1])
            raw = column_of(blob)
            one: PostingList = decode(blob) if raw is None else raw
            if (raw is not None and len(raw) != end - start) or (raw is None and one[0][-1] >= end - start):
                raise ValueError("a posting list goes beyond its segment")
            count += int(np.count_nonzero(raw)) if raw is not None else len(one[0])
            parts.append((start, end, one))
        if count * _COLUMN_SHARE > int(offsets[-1]):
            return _as_column(parts, int(offsets[-1]), alive)
        lists = [(ordinals + start, frequencies) for start, _, (ordinals, frequencies) in _sparse_parts(parts)]
        ordinals, frequencies = _chain(lists)
        if alive is not None:
            keep = alive[ordinals]
            ordinals, frequencies = ordinals[keep], frequencies[keep]
        return (ordinals, frequencies) if len(ordinals) else None

    def _read_places(self, term: str) -> Postings:
        found: list[Postings] = []
        for number, body, places in self._rows(term, "body, places"):
            if body is not None and places is not None:
                ordinals, frequencies = decode(body)
                offset = int(self._offsets["chunk"][number])
                found.append((np.repeat(ordinals + offset, frequencies), decode_places(places, frequencies)))
        if not found:
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
        chunks, at = _chain(found)
        if self._alive is None:
            return chunks, at
        keep = self._alive["chunk"][chunks]
        return chunks[keep], at[keep]

    def named(self, key: str) -> Ordinals:
        """The live documents that are called exactly so."""

        def make() -> tuple[Ordinals, int]:
            found = self.postings(named_term(key)).get("name", (np.empty(0, dtype=np.int64),))[0]
            return found, found.nbytes + _OVERHEAD

        return self.memo.get(("named", key), make)

    def expansions(self, prefix: str, limit: int) -> Sequence[str]:
        """At most `limit` live terms that begin with `prefix`, most frequent in bodies first."""
        with sound_rows():
            sizes = {segment: arrays.chunks for segment, arrays in self._segments.items()}
            return Expander(self.connection, sizes, self._live_frequency).best(prefix, limit)

    def _live_frequency(self, term: str) -> int | None:
        """In how many bodies a term lives, stemmed or not; None where it lives nowhere."""
        found = self.lists(term)
        return sum(count_of(found[name]) for name in ("body", "exact") if name in found) if found else None

    def _bounds(self, name: str, unit: str) -> NDArray[np.int64]:
        pieces = [
            getattr(part, name)[:-1].astype(np.int64) + offset
            for part, offset in zip(self._segments.values(), self._offsets[unit][:-1], strict=True)
        ]
        return np.concatenate([*pieces, self._offsets[unit][-1:]])


def _offsets(sizes: Sequence[int]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(np.array(sizes, dtype=np.int64))]).astype(np.int64)


def _joined(parts: Sequence[SegmentArrays], name: str, dtype: type) -> NDArray[Any]:
    pieces = [getattr(part, name) for part in parts]
    return np.concatenate(pieces).astype(dtype) if pieces else np.empty(0, dtype=dtype)


def _sums(values: NDArray[np.float64], group: Ordinals, groups: int) -> NDArray[np.float64]:
    return np.bincount(group, weights=values, minlength=groups).astype(np.float64)


def sparse(one: PostingList) -> Postings:
    """A posting list as ordinals and frequencies."""
    if isinstance(one, tuple):
        return one
    ordinals = np.flatnonzero(one)
    return ordinals, one[ordinals].astype(np.int64)


def count_of(one: PostingList) -> int:
    """How many units a posting list has."""
    return len(one[0]) if isinstance(one, tuple) else int(np.count_nonzero(one))


def _bytes_of(one: PostingList) -> int:
    return one[0].nbytes + one[1].nbytes if isinstance(one, tuple) else one.nbytes


def _sparse_parts(parts: Sequence[tuple[int, int, PostingList]]) -> Iterator[tuple[int, int, Postings]]:
    return ((start, end, sparse(one)) for start, end, one in parts)


def _as_column(
    parts: Sequence[tuple[int, int, PostingList]], units: int, alive: NDArray[np.bool_] | None
) -> PostingList | None:
    peak = max(int(one[1].max()) if isinstance(one, tuple) else 1 for _, _, one in parts)
    column: NDArray[Any] = np.zeros(units, dtype=np.uint8 if peak < 256 else np.uint16)
    for start, end, one in parts:
        if isinstance(one, tuple):
            column[one[0] + start] = one[1]
        else:
            column[start:end] = one
    if alive is not None:
        column *= alive
        if not column.any():
            return None
    return column


def _chain(pieces: Sequence[Postings]) -> Postings:
    if len(pieces) == 1:
        return pieces[0]
    return np.concatenate([piece[0] for piece in pieces]), np.concatenate([piece[1] for piece in pieces])
