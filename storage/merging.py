"""Merging segments: which ones, and how; the work of one merge is bounded by the size of a segment."""

import heapq
import sqlite3
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from storage.encoding import Blob, Ordinals, decode, decode_gaps, encode, encode_gaps
from storage.postings import (
    COUNTED,
    FIELDS,
    MAX_CHUNKS,
    UNIT_OF_FIELD,
    PostingRow,
    SegmentArrays,
    delete_segment,
    insert_segment,
    read_segments,
)

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
    segments = read_segments(connection, library)
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
    streams = [_stream(connection, segment, number) for number, segment in enumerate(chosen)]
    rows = heapq.merge(*streams, key=itemgetter(0, 1))
    for _, group in groupby(rows, key=itemgetter(0)):
        members = list(group)
        blobs: list[Blob | None] = []
        doc_freq = 0
        for column, name in enumerate(FIELDS, start=3):
            unit = UNIT_OF_FIELD[name]
            pieces = [
                _moved(blob, parts[row[1]].maps[unit], int(offsets[unit][row[1]]))
                for row in members
                if isinstance(blob := row[column], bytes)
            ]
            blobs.append(_encoded(pieces, int(offsets[unit][-1])))
            if name in COUNTED:
                doc_freq += sum(len(piece[0]) for piece in pieces)
        if any(blob is not None for blob in blobs):
            yield (members[0][2], doc_freq, *blobs, _merged_places(members, parts))


_BODY: Final = 3 + FIELDS.index("body")


def _merged_places(members: Sequence[tuple[Any, ...]], parts: Sequence[_Part]) -> Blob | None:
    """The places of the occurrences that live on: as bytes they follow one another, since each posting's begin anew."""
    pieces = []
    for row in members:
        places, body = row[-1], row[_BODY]
        if places is None or body is None:
            continue
        part = parts[row[1]]
        if not part.all_alive:
            ordinals, frequencies = decode(body)
            alive = part.alive["chunk"][ordinals]
            gaps = decode_gaps(places)[np.repeat(alive, frequencies)]
            places = encode_gaps(gaps) if len(gaps) else b""
        pieces.append(places)
    return b"".join(pieces) or None


def _stream(connection: sqlite3.Connection, segment: int, number: int) -> Iterator[tuple[Any, ...]]:
    """(term's bytes, part number, term, a blob a field, places) in the byte order SQLite keeps terms in."""
    cursor = connection.execute(
        f"SELECT term, {', '.join(FIELDS)}, places FROM postings WHERE segment = ? ORDER BY term", (segment,)
    )
    for row in cursor:
        yield (row[0].encode(), number, *row)


def _moved(blob: Blob, new_ordinal: Ordinals, offset: int) -> tuple[Ordinals, Ordinals]:
    ordinals, frequencies = decode(blob)
    moved = new_ordinal[ordinals]
    alive = moved >= 0
    return moved[alive] + offset, frequencies[alive]


def _encoded(pieces: Sequence[tuple[Ordinals, Ordinals]], units: int) -> Blob | None:
    ordinals = np.concatenate([piece[0] for piece in pieces]) if pieces else np.empty(0, dtype=np.int64)
    if not len(ordinals):
        return None
    return encode(ordinals, np.concatenate([piece[1] for piece in pieces]), units)
