"""The inverted index: segments whose postings are blobs of numpy arrays.

A segment numbers its chunks from 0 (ordinals), documents and sections likewise; it holds at most 65,536 chunks, unless
a single document has more. How a posting list is written is for `storage.encoding`.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from storage.columns import delete_columns, insert_columns
from storage.encoding import MAX_SHORT, Blob
from storage.terms import MARK as MARK
from storage.terms import named_term as named_term
from storage.terms import presence_term as presence_term
from storage.terms import value_term as value_term

MAX_CHUNKS: Final = MAX_SHORT
FIELDS: Final = ("body", "exact", "title", "name", "metadata", "heading", "value")
"""Fields of a posting row, in column order."""

UNIT_OF_FIELD: Final[Mapping[str, str]] = {
    "body": "chunk",
    "exact": "chunk",
    "title": "document",
    "name": "document",
    "metadata": "document",
    "heading": "section",
    "value": "document",
}
"""What the ordinals of each field's postings count."""

FREQUENT: Final = 16
"""The `doc_freq` from which a segment lists a word as frequent."""

COUNTED: Final = ("body", "exact", "value")
"""The fields whose lists a row's `doc_freq` counts: it orders the words of a prefix, and the values of a field."""

PostingRow = tuple[str | int | Blob | None, ...]
"""(term, doc_freq, a blob a field of FIELDS, places of the body's occurrences)"""


@dataclass(frozen=True, slots=True)
class SegmentArrays:
    """A segment's per-chunk, per-document and per-section arrays.

    `documents` are row ids, `hashes` 64-bit keys that order ties, `dead` marks documents that are gone;
    `first_chunk` and `first_section` have one entry more than there are documents, `section_first_chunk` one more than
    sections; lengths count terms.
    """

    documents: NDArray[np.int64]
    hashes: NDArray[np.uint64]
    dead: NDArray[np.uint8]
    first_chunk: NDArray[np.uint32]
    first_section: NDArray[np.uint32]
    section_first_chunk: NDArray[np.uint32]
    body_lengths: NDArray[np.uint32]
    title_lengths: NDArray[np.uint32]
    name_lengths: NDArray[np.uint32]
    metadata_lengths: NDArray[np.uint32]
    heading_lengths: NDArray[np.uint32]

    def __post_init__(self) -> None:
        documents, sections = len(self.documents), len(self.heading_lengths)
        per_document = (self.hashes, self.dead, self.title_lengths, self.name_lengths, self.metadata_lengths)
        bounds = (
            (self.first_chunk, documents, len(self.body_lengths)),
            (self.first_section, documents, sections),
            (self.section_first_chunk, sections, len(self.body_lengths)),
        )
        if any(len(array) != documents for array in per_document) or any(
            len(array) != units + 1 or array[0] != 0 or array[-1] != end or (array[1:] < array[:-1]).any()
            for array, units, end in bounds
        ):
            raise ValueError("a segment's arrays do not belong together")

    @property
    def chunks(self) -> int:
        """How many chunks the segment numbers, dead ones included."""
        return int(self.first_chunk[-1])


_ARRAY_TYPES: Final[Mapping[str, str]] = {
    "documents": "<i8",
    "hashes": "<u8",
    "dead": "u1",
    "first_chunk": "<u4",
    "first_section": "<u4",
    "section_first_chunk": "<u4",
    "body_lengths": "<u4",
    "title_lengths": "<u4",
    "name_lengths": "<u4",
    "metadata_lengths": "<u4",
    "heading_lengths": "<u4",
}


def insert_segment(
    connection: sqlite3.Connection,
    library: int,
    arrays: SegmentArrays,
    rows: Iterable[PostingRow],
) -> int:
    """Store a segment inside the caller's transaction; returns its id."""
    names = list(_ARRAY_TYPES)
    cursor = connection.execute(
        f"INSERT INTO segments (library, chunks, {', '.join(names)}) VALUES (?, ?{', ?' * len(names)})",
        (library, arrays.chunks, *(getattr(arrays, name).astype(_ARRAY_TYPES[name]).tobytes() for name in names)),
    )
    segment = cursor.lastrowid
    assert segment is not None  # noqa: S101 - an INSERT into a rowid table always has one
    values: list[tuple[str, Blob]] = []
    connection.executemany(
        f"INSERT INTO postings VALUES ({segment}, ?, ?{', ?' * len(FIELDS)}, ?)", _noting_values(rows, values)
    )
    insert_columns(connection, segment, values)
    connection.execute(
        "INSERT INTO frequent SELECT segment, term, doc_freq FROM postings WHERE segment = ? AND doc_freq >= ?"
        " AND term >= ' '",
        (segment, FREQUENT),
    )
    return segment


def _noting_values(rows: Iterable[PostingRow], values: list[tuple[str, Blob]]) -> Iterator[PostingRow]:
    """The rows as they come; value terms with their lists are put into `values`."""
    at = 2 + FIELDS.index("value")
    for row in rows:
        term, blob = row[0], row[at]
        if isinstance(blob, bytes) and isinstance(term, str) and MARK in term[1:]:
            values.append((term, blob))
        yield row


def read_segments(
    connection: sqlite3.Connection, library: int, only: Sequence[int] | None = None
) -> dict[int, SegmentArrays]:
    """A library's segments by id, in order of id: every one, or those of `only`."""
    names = list(_ARRAY_TYPES)
    chosen = "" if only is None else f" AND id IN ({', '.join(map(str, only))})"
    rows = connection.execute(
        f"SELECT id, {', '.join(names)} FROM segments WHERE library = ?{chosen} ORDER BY id", (library,)
    )
    return {
        row[0]: SegmentArrays(
            **{name: np.frombuffer(blob, dtype=_ARRAY_TYPES[name]) for name, blob in zip(names, row[1:], strict=True)}
        )
        for row in rows
    }


def delete_segment(connection: sqlite3.Connection, segment: int) -> None:
    """Drop a segment and its postings inside the caller's transaction."""
    connection.execute("DELETE FROM postings WHERE segment = ?", (segment,))
    connection.execute("DELETE FROM frequent WHERE segment = ?", (segment,))
    delete_columns(connection, segment)
    connection.execute("DELETE FROM segments WHERE id = ?", (segment,))


def mark_dead(connection: sqlite3.Connection, segment: int, document_ids: Iterable[int]) -> None:
    """Mark documents of a segment as gone: their postings no longer count, and the next merge drops them."""
    (documents, dead) = connection.execute("SELECT documents, dead FROM segments WHERE id = ?", (segment,)).fetchone()
    flags = np.frombuffer(dead, dtype="u1").copy()
    flags[np.isin(np.frombuffer(documents, dtype="<i8"), list(document_ids))] = 1
    connection.execute("UPDATE segments SET dead = ? WHERE id = ?", (flags.tobytes(), segment))
