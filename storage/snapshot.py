"""Reading a library's inverted index as one run of chunks, whatever its segments and deletions."""

import sqlite3
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from storage.database import sound_rows
from storage.encoding import Ordinals, decode
from storage.merging import live_chunks
from storage.postings import FIELDS, UNIT_OF_FIELD, SegmentArrays, named_term, read_segments

_NAMING: Final = ("title", "name", "metadata", "heading")

Postings = tuple[Ordinals, Ordinals]
"""(ordinals in the library, term frequencies); ordinals rise."""


class Snapshot:
    """A library's index at one generation. Ordinals count over all its segments; postings hold no dead document.

    It reads through `connection`, so that it belongs to that connection's thread, and is true inside the read
    transaction in which its generation was checked. Raises StorageError where rows are damaged.
    """

    def __init__(self, connection: sqlite3.Connection, library: int, generation: int) -> None:
        self.generation = generation
        self.connection = connection
        self.columns: dict[str, object] = {}
        """What filters have read of the metadata so far, by field."""
        with sound_rows():
            self._segments = read_segments(connection, library)
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

    def has_dead(self, segment: int) -> bool:
        """Whether some of a segment's documents are gone."""
        return bool(self._segments[segment].dead.any())

    @cached_property
    def document_of_chunk(self) -> NDArray[np.int64]:
        """The document ordinal of every chunk."""
        return np.repeat(np.arange(len(self.documents)), self.first_chunk[1:] - self.first_chunk[:-1])

    @cached_property
    def section_of_chunk(self) -> NDArray[np.int64]:
        """The section ordinal of every chunk."""
        bounds = self._bounds("section_first_chunk", "chunk")
        return np.repeat(np.arange(len(bounds) - 1), bounds[1:] - bounds[:-1])

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

    def postings(self, term: str) -> Mapping[str, Postings]:
        """The live postings of `term`, a field; fields without any are absent."""
        with sound_rows():
            return self._read_postings(term)

    def _read_postings(self, term: str) -> Mapping[str, Postings]:
        found: dict[str, list[Postings]] = {}
        for number, segment in enumerate(self._segments):
            row = self.connection.execute(
                f"SELECT {', '.join(FIELDS)} FROM postings WHERE segment = ? AND term = ?", (segment, term)
            ).fetchone()
            if row is None:
                continue
            for name, blob in zip(FIELDS, row, strict=True):
                if blob is not None:
                    ordinals, frequencies = decode(blob)
                    offset, end = self._offsets[UNIT_OF_FIELD[name]][number : number + 2].tolist()
                    if len(ordinals) and int(ordinals[-1]) >= end - offset:
                        raise ValueError("a posting list goes beyond its segment")
                    found.setdefault(name, []).append((ordinals + offset if offset else ordinals, frequencies))
        live = ((name, self._live(name, _chain(pieces))) for name, pieces in found.items())
        return {name: lists for name, lists in live if len(lists[0])}

    def named(self, key: str) -> Ordinals:
        """The live documents that are called exactly so."""
        return self.postings(named_term(key)).get("name", (np.empty(0, dtype=np.int64),))[0]

    def expansions(self, prefix: str, limit: int) -> Sequence[str]:
        """At most `limit` live terms that begin with `prefix`, most frequent in bodies first."""
        with sound_rows():
            return self._read_expansions(prefix, limit)

    def _read_expansions(self, prefix: str, limit: int) -> Sequence[str]:
        totals: dict[str, int] = {}
        end = prefix + "\U0010ffff"
        for number, (segment, arrays) in enumerate(self._segments.items()):
            dead = bool(arrays.dead.any())
            columns = ", ".join(FIELDS) if dead else "NULL"
            for term, doc_freq, *blobs in self.connection.execute(
                f"SELECT term, doc_freq, {columns} FROM postings WHERE segment = ? AND term >= ? AND term < ?",
                (segment, prefix, end),
            ):
                if not dead:
                    totals[term] = totals.get(term, 0) + doc_freq
                elif (live := self._live_frequency(blobs, number)) is not None:
                    totals[term] = totals.get(term, 0) + live
        return sorted(totals, key=lambda term: (-totals[term], term))[:limit]

    def _live_frequency(self, blobs: Sequence[bytes | None], number: int) -> int | None:
        """What `doc_freq` would be without the dead; None where every posting is dead."""
        counts = {}
        for name, blob in zip(FIELDS, blobs, strict=True):
            if blob is not None:
                ordinals, frequencies = decode(blob)
                counts[name] = len(
                    self._live(name, (ordinals + self._offsets[UNIT_OF_FIELD[name]][number], frequencies))[0]
                )
        return counts.get("body", 0) + counts.get("exact", 0) if any(counts.values()) else None

    def _live(self, name: str, lists: Postings) -> Postings:
        if self._alive is None:
            return lists
        keep = self._alive[UNIT_OF_FIELD[name]][lists[0]]
        return lists[0][keep], lists[1][keep]

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


def _chain(pieces: Sequence[Postings]) -> Postings:
    if len(pieces) == 1:
        return pieces[0]
    return np.concatenate([piece[0] for piece in pieces]), np.concatenate([piece[1] for piece in pieces])
