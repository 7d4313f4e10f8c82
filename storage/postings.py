"""The inverted index: segments whose postings are blobs of numpy arrays.

A segment numbers its chunks from 0 (ordinals), documents and sections likewise; it holds at most 65,536 chunks, unless
a single document has more. How a posting list is written is for `storage.encoding`.
"""

import sqlite3
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Final

import numpy as np
from numpy.typing import NDArray

from storage.encoding import MAX_SHORT, Blob, encode_runs

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

COUNTED: Final = ("body", "exact", "value")
"""The fields whose lists a row's `doc_freq` counts: it orders the words of a prefix, and the values of a field."""

MARK: Final = "\x1f"
"""Begins the terms of metadata, which no word begins with: see `presence_term` and `value_term`."""


NAMED: Final = "\x1e"
"""Begins the terms of whole names: see `named_term`."""


def named_term(key: str) -> str:
    """The term of all documents that are called exactly so, in the `name` field."""
    return f"{NAMED}{key}"


def presence_term(name: str) -> str:
    """The term of all documents that have a metadata field."""
    return f"{MARK}{name}"


def value_term(name: str, value: str) -> str:
    """The term of all documents that have `value` in a metadata field; those of one field sort by value."""
    return f"{MARK}{name}{MARK}{value}"


PostingRow = tuple[str | int | Blob | None, ...]


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


@dataclass(frozen=True, slots=True)
class IndexedSection:
    """What a section adds to the index: its heading path's terms, and for each of its chunks body and exact terms."""

    heading: Mapping[str, int]
    chunks: Sequence[tuple[Mapping[str, int], Mapping[str, int], int]]


@dataclass(frozen=True, slots=True)
class IndexedDocument:
    """What a document adds to the index: terms of its title, name and front matter, its sections, fields, names."""

    hash: int
    title: Mapping[str, int]
    name: Mapping[str, int]
    metadata: Mapping[str, int]
    sections: Sequence[IndexedSection]
    fields: Mapping[str, Sequence[str]] = field(default_factory=dict)
    named: Sequence[str] = ()

    @property
    def chunks(self) -> int:
        """How many chunks the document has."""
        return sum(len(section.chunks) for section in self.sections)


class SegmentBuilder:
    """Collects documents in memory and turns them into one segment's arrays and posting rows."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = defaultdict(lambda: len(self._ids))
        # Arrays of C integers: lists of Python's would hold eight times the memory.
        self._terms = {name: array("i") for name in FIELDS}
        self._frequencies = {name: array("i") for name in FIELDS}
        self._ordinals = {name: array("i") for name in FIELDS}
        self._hashes: list[int] = []
        self._first_chunk = [0]
        self._first_section = [0]
        self._section_first_chunk = [0]
        self._lengths: dict[str, list[int]] = {name: [] for name in FIELDS}

    @property
    def chunks(self) -> int:
        """How many chunks have been added."""
        return self._first_chunk[-1]

    def fits(self, document: IndexedDocument) -> bool:
        """Whether the document may join this segment: the first always may."""
        return not self._hashes or self.chunks + document.chunks <= MAX_CHUNKS

    def add(self, document: IndexedDocument) -> None:
        """Append a document; the caller starts another segment where `fits` says no."""
        position = len(self._hashes)
        self._hashes.append(document.hash)
        self._count("title", position, document.title)
        self._count("name", position, document.name)
        self._count("metadata", position, document.metadata)
        self._append("value", position, _field_terms(document.fields))
        # Beside the name's words and not among them: a whole name adds nothing to its length.
        self._append("name", position, {named_term(key): 1 for key in document.named if key})
        chunk = self.chunks
        for section in document.sections:
            self._count("heading", len(self._section_first_chunk) - 1, section.heading)
            for body, exact, length in section.chunks:
                self._append("body", chunk, body)
                self._append("exact", chunk, exact)
                self._lengths["body"].append(length)
                chunk += 1
            self._section_first_chunk.append(chunk)
        self._first_chunk.append(chunk)
        self._first_section.append(len(self._section_first_chunk) - 1)

    def _count(self, name: str, ordinal: int, counts: Mapping[str, int]) -> None:
        self._append(name, ordinal, counts)
        self._lengths[name].append(sum(counts.values()))

    def _append(self, name: str, ordinal: int, counts: Mapping[str, int]) -> None:
        self._terms[name].extend(map(self._ids.__getitem__, counts))
        self._frequencies[name].extend(counts.values())
        self._ordinals[name].extend(repeat(ordinal, len(counts)))

    def arrays(self, documents: Sequence[int]) -> SegmentArrays:
        """The segment's arrays, with the row ids of its documents in the order they were added; none of them dead."""
        return SegmentArrays(
            documents=np.array(documents, dtype="<i8"),
            hashes=np.array(self._hashes, dtype="<u8"),
            dead=np.zeros(len(documents), dtype="u1"),
            first_chunk=np.array(self._first_chunk, dtype="<u4"),
            first_section=np.array(self._first_section, dtype="<u4"),
            section_first_chunk=np.array(self._section_first_chunk, dtype="<u4"),
            body_lengths=np.array(self._lengths["body"], dtype="<u4"),
            title_lengths=np.array(self._lengths["title"], dtype="<u4"),
            name_lengths=np.array(self._lengths["name"], dtype="<u4"),
            metadata_lengths=np.array(self._lengths["metadata"], dtype="<u4"),
            heading_lengths=np.array(self._lengths["heading"], dtype="<u4"),
        )

    def rows(self) -> Iterator[PostingRow]:
        """Posting rows (term, doc_freq, then a blob a field of `FIELDS`), ordered by term.

        `doc_freq` adds the lengths of the `COUNTED` lists.
        """
        units = {
            "chunk": self.chunks,
            "document": len(self._hashes),
            "section": len(self._section_first_chunk) - 1,
        }
        columns = {name: self._column(name, units[UNIT_OF_FIELD[name]]) for name in FIELDS}
        counted = [np.asarray(self._terms[name], dtype=np.int32) for name in COUNTED]
        counts = np.bincount(np.concatenate(counted), minlength=len(self._ids))
        for term in sorted(self._ids, key=lambda text: text.encode()):
            term_id = self._ids[term]
            yield (term, int(counts[term_id]), *(columns[name].get(term_id) for name in FIELDS))

    def _column(self, name: str, units: int) -> dict[int, Blob]:
        terms = np.asarray(self._terms[name], dtype=np.int32)
        order = np.argsort(terms, kind="stable")
        terms = terms[order]
        ordinals = np.asarray(self._ordinals[name], dtype=np.int32)[order]
        frequencies = np.asarray(self._frequencies[name], dtype=np.int32)[order]
        starts = np.flatnonzero(np.diff(terms, prepend=-1))
        return dict(zip(terms[starts].tolist(), encode_runs(ordinals, frequencies, starts, units), strict=True))


def _field_terms(fields: Mapping[str, Sequence[str]]) -> dict[str, int]:
    terms = {presence_term(name): 1 for name, values in fields.items() if values}
    terms.update((value_term(name, value), 1) for name, values in fields.items() for value in values)
    return terms


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
    connection.executemany(f"INSERT INTO postings VALUES ({segment}, ?, ?{', ?' * len(FIELDS)})", rows)
    return segment


def read_segments(connection: sqlite3.Connection, library: int) -> dict[int, SegmentArrays]:
    """Every segment of a library by id, in order of id."""
    names = list(_ARRAY_TYPES)
    rows = connection.execute(f"SELECT id, {', '.join(names)} FROM segments WHERE library = ? ORDER BY id", (library,))
    return {
        row[0]: SegmentArrays(
            **{name: np.frombuffer(blob, dtype=_ARRAY_TYPES[name]) for name, blob in zip(names, row[1:], strict=True)}
        )
        for row in rows
    }


def delete_segment(connection: sqlite3.Connection, segment: int) -> None:
    """Drop a segment and its postings inside the caller's transaction."""
    connection.execute("DELETE FROM postings WHERE segment = ?", (segment,))
    connection.execute("DELETE FROM segments WHERE id = ?", (segment,))


def mark_dead(connection: sqlite3.Connection, segment: int, document_ids: Iterable[int]) -> None:
    """Mark documents of a segment as gone: their postings no longer count, and the next merge drops them."""
    (documents, dead) = connection.execute("SELECT documents, dead FROM segments WHERE id = ?", (segment,)).fetchone()
    flags = np.frombuffer(dead, dtype="u1").copy()
    flags[np.isin(np.frombuffer(documents, dtype="<i8"), list(document_ids))] = 1
    connection.execute("UPDATE segments SET dead = ? WHERE id = ?", (flags.tobytes(), segment))
