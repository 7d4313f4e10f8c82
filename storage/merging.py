"""Merging segments: which ones, and how; the work of one merge is bounded by the size of a segment."""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from storage.encoding import Blob, Ordinals, decode_gaps, decode_runs
from storage.postings import (
    FIELDS,
    MAX_CHUNKS,
    UNIT_OF_FIELD,
    PostingRow,
    SegmentArrays,
    delete_segment,
    insert_segment,
    read_segments,
)
from storage.rows import Lists, lists_of, places_of, posting_rows

FAN_IN: Final = 8
"""How many segments of one tier (a tier is a power of `FAN_IN` in chunks) are merged into one of the next."""

DEAD_SHARE: Final = 0.25
"""The share of dead chunks from which a segment is rewritten."""


def due(segments: dict[int, SegmentArrays]) -> list[int]:
    """Ids of the segments to merge next (one, where it is only to be cleaned), or [] where nothing is due."""
    live = {segment: live_chunks(arrays) for segment, arrays in segments.items()}
    for segment, arrays in segments.items():
        if live[segment] < (1 - DEAD_SHARE) * arrays.chunks or not live[segment]:
            return [segment]
    tiers: dict[int, list[int]] = {}
    for segment, count in sorted(live.items()):
        tiers.setdefault(_tier(count), []).append(segment)
    for _, members in sorted(tiers.items()):
        chosen: list[int] = []
        total = 0
        for segment in members:
            if total + live[segment] <= MAX_CHUNKS:
                chosen.append(segment)
                total += live[segment]
        if len(members) >= FAN_IN and len(chosen) > 1:
            return chosen
    return []


def _tier(chunks: int) -> int:
    tier = 0
    while chunks >= FAN_IN:
        chunks //= FAN_IN
        tier += 1
    return tier


def live_chunks(arrays: SegmentArrays) -> int:
    """How many of a segment's chunks belong to documents that are not dead."""
    return int(_sizes(arrays.first_chunk)[arrays.dead == 0].sum())


def _sizes(bounds: NDArray[np.uint32]) -> NDArray[np.int64]:
    wide = bounds.astype(np.int64)
    return wide[1:] - wide[:-1]


def merge(connection: sqlite3.Connection, library: int, chosen: Sequence[int]) -> int | None:
    """Rewrite the `chosen` segments as one without their dead, inside the caller's transaction.

    Returns the new segment's id, or None where nothing in them was alive.
    """
    segments = read_segments(connection, library, chosen)
    parts = [_Part(segments[segment]) for segment in chosen]
    arrays = _join(parts)
    merged = None
    if len(arrays.documents):
        rows = _merged_rows(connection, chosen, parts)
        merged = insert_segment(connection, library, arrays, rows)
        connection.executemany(
            "UPDATE documents SET segment = ? WHERE id = ?", [(merged, int(row)) for row in arrays.documents]
        )
    for segment in chosen:
        connection.execute("UPDATE documents SET segment = NULL WHERE segment = ?", (segment,))
        delete_segment(connection, segment)
    return merged


class _Part:
    """A segment's live units and, for each kind of unit, the map from old ordinals to new ones (-1: dropped)."""

    def __init__(self, arrays: SegmentArrays) -> None:
        self.arrays = arrays
        alive = arrays.dead == 0
        sections = np.repeat(alive, _sizes(arrays.first_section))
        chunks = np.repeat(alive, _sizes(arrays.first_chunk))
        self.all_alive = bool(alive.all())
        self.alive = {"document": alive, "section": sections, "chunk": chunks}
        self.maps = {unit: np.where(mask, np.cumsum(mask) - 1, -1) for unit, mask in self.alive.items()}

    def count(self, unit: str) -> int:
        return int(np.count_nonzero(self.alive[unit]))


def _join(parts: Sequence[_Part]) -> SegmentArrays:
    def joined(name: str, unit: str) -> NDArray[np.int64]:
        return np.concatenate([getattr(part.arrays, name)[part.alive[unit]] for part in parts])

    def bounds(name: str, unit: str) -> NDArray[np.uint32]:
        sizes = [_sizes(getattr(part.arrays, name))[part.alive[unit]] for part in parts]
        return np.concatenate([[0], np.cumsum(np.concatenate(sizes))]).astype(np.uint32)

    documents = joined("documents", "document")
    return SegmentArrays(
        documents=documents,
        hashes=joined("hashes", "document").astype(np.uint64),
        dead=np.zeros(len(documents), dtype=np.uint8),
        first_chunk=bounds("first_chunk", "document"),
        first_section=bounds("first_section", "document"),
        section_first_chunk=bounds("section_first_chunk", "section"),
        body_lengths=joined("body_lengths", "chunk").astype(np.uint32),
        title_lengths=joined("title_lengths", "document").astype(np.uint32),
        name_lengths=joined("name_lengths", "document").astype(np.uint32),
        metadata_lengths=joined("metadata_lengths", "document").astype(np.uint32),
        heading_lengths=joined("heading_lengths", "section").astype(np.uint32),
    )


def _merged_rows(connection: sqlite3.Connection, chosen: Sequence[int], parts: Sequence[_Part]) -> Iterator[PostingRow]:
    offsets = {
        unit: np.concatenate([[0], np.cumsum([part.count(unit) for part in parts])])
        for unit in ("document", "section", "chunk")
    }
    ids: dict[str, int] = {}
    pieces: dict[str, list[_Postings]] = {name: [] for name in FIELDS}
    places: list[_Places] = []
    for number, (segment, part) in enumerate(zip(chosen, parts, strict=True)):
        rows = connection.execute(
            f"SELECT term, {', '.join(FIELDS)}, places FROM postings WHERE segment = ?", (segment,)
        ).fetchall()
        terms = np.array([ids.setdefault(row[0], len(ids)) for row in rows], dtype=np.int64)
        for column, name in enumerate(FIELDS, start=1):
            unit = UNIT_OF_FIELD[name]
            pieces[name].append(_moved(terms, [row[column] for row in rows], part.maps[unit], offsets[unit][number]))
        places.append(_moved_places(terms, rows, part))
    lists = {name: _joined(found) for name, found in pieces.items()}
    units = {unit: int(bounds[-1]) for unit, bounds in offsets.items()}
    return posting_rows(ids, lists, _joined_places(places), units)


_Postings = tuple[Ordinals, Ordinals, Ordinals]
"""(term, ordinal, frequency) of every posting, one list after the other."""

_Places = tuple[Ordinals, Ordinals]
"""(term, first place or gap) of every occurrence that has a place."""

_BODY: Final = 1 + FIELDS.index("body")


def _moved(terms: Ordinals, blobs: Sequence[Blob | None], new_ordinal: Ordinals, offset: np.int64) -> _Postings:
    """A column's live postings where they will be."""
    there = [number for number, blob in enumerate(blobs) if blob is not None]
    counts, ordinals, frequencies = decode_runs([blob for blob in blobs if blob is not None])
    moved = new_ordinal[ordinals]
    alive = moved >= 0
    return np.repeat(terms[there], counts)[alive], moved[alive] + offset, frequencies[alive]


def _moved_places(terms: Ordinals, rows: Sequence[tuple[Any, ...]], part: _Part) -> _Places:
    """The places of the occurrences that live on: they stand in their chunks, and do not move."""
    there = [number for number, row in enumerate(rows) if row[-1] is not None]
    counts, ordinals, frequencies = decode_runs([rows[number][_BODY] for number in there])
    gaps = decode_gaps(b"".join(rows[number][-1] for number in there))
    owners = np.repeat(np.repeat(terms[there], counts), frequencies)
    if len(owners) != len(gaps):
        raise ValueError("places do not belong to their posting lists")
    if part.all_alive:
        return owners, gaps
    alive = np.repeat(part.alive["chunk"][ordinals], frequencies)
    return owners[alive], gaps[alive]


def _joined(pieces: Sequence[_Postings]) -> Lists:
    terms, ordinals, frequencies = (np.concatenate(columns) for columns in zip(*pieces, strict=True))
    order = np.argsort(terms, kind="stable")
    return lists_of(terms[order], ordinals[order], frequencies[order])


def _joined_places(pieces: Sequence[_Places]) -> dict[int, Blob]:
    terms, gaps = (np.concatenate(columns) for columns in zip(*pieces, strict=True))
    order = np.argsort(terms, kind="stable")
    return places_of(terms[order], gaps[order])
