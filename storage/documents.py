"""Writing documents: a batch of them, with their sections, chunks, fields and postings, is one transaction."""

import json
import os
import re
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, Self

from ragspine_tui.types import Chunk, DocumentStatus, Section, Sensitivity, Span
from storage.building import IndexedDocument, SegmentBuilder
from storage.postings import MARK, insert_segment, mark_dead

KEY_BITS: Final = 20
"""A section's or chunk's key is `document << KEY_BITS | index`."""

MAX_PARTS: Final = 1 << KEY_BITS
BLOCK_CHARACTERS: Final = 4_096
"""Sections share blocks of about this size: alone, short ones would hardly compress."""

_COMPRESSION: Final = 4
_JSON: Final = json.JSONEncoder(ensure_ascii=False)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A file as it was when it was read: `path` is relative and surrogate-escaped, `hash` of its bytes."""

    path: str
    size: int
    mtime_ns: int
    hash: bytes = b""


def stored_time(mtime_ns: int) -> int:
    """A file's time as the database can hold it: dates far in the future or past all count as the last or first."""
    return max(-(2**63), min(mtime_ns, 2**63 - 1))


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """What the database holds of a file."""

    document_id: int
    source: SourceRow
    status: DocumentStatus
    chunks: int


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    """Everything to be stored of one file. A RESTRICTED one carries no title, text, fields or terms."""

    source: SourceRow
    status: DocumentStatus
    reason: str = ""
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    kind: str = ""
    title: str = ""
    encoding: str = ""
    verbatim: bool = True
    text: str = ""
    fields: Mapping[str, Sequence[str]] = field(default_factory=dict)
    sections: Sequence[Section] = ()
    chunks: Sequence[Chunk] = ()
    terms: IndexedDocument | None = None


class DocumentBatch:
    """Documents on their way into the database: what is added is at once as small as it will be stored."""

    def __init__(self) -> None:
        self._documents: list[_Prepared] = []
        self._builders = [SegmentBuilder()]
        self.restricted: list[str] = []
        """Paths of the RESTRICTED documents among them."""
        self.characters = 0
        """How long all their texts are."""

    @classmethod
    def of(cls, entries: Iterable[DocumentEntry]) -> Self:
        """A batch of these."""
        batch = cls()
        for entry in entries:
            batch.add(entry)
        return batch

    def __len__(self) -> int:
        return len(self._documents)

    @property
    def paths(self) -> list[str]:
        """The paths of the documents, in the order they came."""
        return [document.path for document in self._documents]

    def add(self, entry: DocumentEntry) -> None:
        """Take a document in."""
        if entry.status == DocumentStatus.RESTRICTED:
            self.restricted.append(entry.source.path)
        fields = _storable_fields(entry.fields)
        segment = None
        if entry.terms is not None and entry.terms.chunks:
            if not self._builders[-1].fits(entry.terms):
                self._builders.append(SegmentBuilder())
            self._builders[-1].add(replace(entry.terms, fields=fields))
            segment = len(self._builders) - 1
        self.characters += len(entry.text)
        blocks, sections = _pack_sections(entry)
        self._documents.append(
            _Prepared(entry.source.path, _document_row(entry, fields), blocks, sections, _chunk_rows(entry), segment)
        )

    def extend(self, other: "DocumentBatch") -> None:
        """Take in all documents of another batch, in its order."""
        segments: list[int] = []
        for builder in other._builders:
            if not self._builders[-1].fits(builder):
                self._builders.append(SegmentBuilder())
            self._builders[-1].extend(builder)
            segments.append(len(self._builders) - 1)
        for document in other._documents:
            moved = None if document.segment is None else segments[document.segment]
            self._documents.append(document._replace(segment=moved))
        self.restricted += other.restricted
        self.characters += other.characters

    def write(self, connection: sqlite3.Connection, library: int) -> None:
        """Store the documents, in place of what is there under their paths, inside the caller's transaction."""
        delete_paths(connection, library, self.paths)
        rows = [document.insert(connection, library) for document in self._documents]
        for statement, part in _PARTS:
            numbered = (
                (row << KEY_BITS | number, *values)
                for row, document in zip(rows, self._documents, strict=True)
                for number, values in part(document)
            )
            connection.executemany(statement, numbered)
        members: list[list[int]] = [[] for _ in self._builders]
        for row, document in zip(rows, self._documents, strict=True):
            if document.segment is not None:
                members[document.segment].append(row)
        for builder, within in zip(self._builders, members, strict=True):
            if within:
                segment = insert_segment(connection, library, builder.arrays(within), builder.rows())
                connection.executemany(
                    "UPDATE documents SET segment = ? WHERE id = ?", [(segment, row) for row in within]
                )


class _Prepared(NamedTuple):
    """A document as rows that only lack their keys."""

    path: str
    row: tuple[object, ...]
    blocks: Sequence[bytes]
    sections: Sequence[tuple[object, ...]]
    chunks: Sequence[tuple[object, ...]]
    segment: int | None

    def insert(self, connection: sqlite3.Connection, library: int) -> int:
        """Store the document's own row; returns its id."""
        row = connection.execute(
            "INSERT INTO documents (library, path, size, mtime_ns, hash, status, reason, sensitivity, kind, title,"
            " encoding, verbatim, characters, text_bytes, chunks, fields)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (library, *self.row),
        ).lastrowid
        assert row is not None  # noqa: S101 - an INSERT into a rowid table always has one
        return row


_Part = Callable[[_Prepared], Iterable[tuple[int, Sequence[object]]]]
_PARTS: Final[Sequence[tuple[str, _Part]]] = (
    ("INSERT INTO blocks VALUES (?, ?)", lambda one: enumerate(zip(one.blocks))),
    ("INSERT INTO sections VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", lambda one: enumerate(one.sections)),
    ("INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", lambda one: enumerate(one.chunks, start=1)),
)


def delete_paths(connection: sqlite3.Connection, library: int, paths: Iterable[str]) -> int:
    """Forget documents by path inside the caller's transaction; returns how many there were."""
    rows: list[tuple[int, int | None]] = []
    for path in paths:
        rows += connection.execute(
            "SELECT id, segment FROM documents WHERE library = ? AND path = ?", (library, os.fsencode(path))
        )
    by_segment: dict[int, list[int]] = {}
    for row, segment in rows:
        if segment is not None:
            by_segment.setdefault(segment, []).append(row)
    for segment, members in by_segment.items():
        mark_dead(connection, segment, members)
    for row, _ in rows:
        delete_parts(connection, row)
        connection.execute("DELETE FROM documents WHERE id = ?", (row,))
    return len(rows)


def delete_parts(connection: sqlite3.Connection, row: int) -> None:
    """Delete a document's text, sections and chunks."""
    for table in ("blocks", "sections", "chunks"):
        connection.execute(
            f"DELETE FROM {table} WHERE key BETWEEN ? AND ?", (row << KEY_BITS, (row + 1 << KEY_BITS) - 1)
        )


def pack(heading_paths: Sequence[Sequence[str]], text: str) -> bytes:
    """A block as it is stored: the headings of its sections, which the text repeats, and the text of all of them."""
    head = _JSON.encode([list(path) for path in heading_paths])
    return zlib.compress(f"{head}\n{text}".encode("utf-8", "surrogatepass"), _COMPRESSION)


def unpack(blob: bytes) -> tuple[list[list[str]], str]:
    """The (heading paths, text) that `pack` stored."""
    head, _, text = zlib.decompress(blob).decode("utf-8", "surrogatepass").partition("\n")
    return json.loads(head), text


def pack_fields(fields: Mapping[str, Sequence[str]]) -> bytes:
    """A document's storable metadata as it is kept to be shown; to be searched, it is in the index."""
    return zlib.compress(_JSON.encode(fields).encode(), _COMPRESSION)


def unpack_fields(blob: bytes) -> dict[str, tuple[str, ...]]:
    """The metadata that `pack_fields` stored."""
    return {name: tuple(values) for name, values in json.loads(zlib.decompress(blob)).items()}


def _pack_sections(entry: DocumentEntry) -> tuple[list[bytes], list[tuple[object, ...]]]:
    """Blocks of whole sections, each but the last of `BLOCK_CHARACTERS` or more, and the rows that point into them."""
    blocks: list[bytes] = []
    rows: list[tuple[object, ...]] = []
    members: list[Section] = []
    for section in entry.sections:
        members.append(section)
        first = members[0].span.start
        offset, number = section.span.start - first, len(members) - 1
        place = (len(blocks), number, offset, section.span.start, len(section.span))
        rows.append((*place, section.locator.first, section.locator.last, section.part or None))
        if section.span.end - first >= BLOCK_CHARACTERS or section is entry.sections[-1]:
            text = entry.text[first : section.span.end]
            blocks.append(pack([member.heading_path for member in members], text))
            members = []
    return blocks, rows


def _document_row(entry: DocumentEntry, fields: Mapping[str, Sequence[str]]) -> tuple[object, ...]:
    source = entry.source
    return (
        os.fsencode(source.path),
        source.size,
        source.mtime_ns,
        source.hash,
        entry.status.value,
        _storable(entry.reason),
        entry.sensitivity.value,
        _storable(entry.kind),
        _storable(entry.title),
        _storable(entry.encoding),
        entry.verbatim,
        len(entry.text),
        len(entry.text.encode("utf-8", "surrogatepass")),
        len(entry.chunks),
        pack_fields(fields),
    )


def _chunk_rows(entry: DocumentEntry) -> list[tuple[object, ...]]:
    return [
        (
            chunk.section,
            chunk.span.start,
            len(chunk.span),
            chunk.locator.first,
            chunk.locator.last,
            bool(chunk.parent_locator),
            *_window_row(chunk, entry.sections[chunk.section].span),
            chunk.line,
            chunk.page,
            chunk.part or None,
        )
        for chunk in entry.chunks
    ]


def _window_row(chunk: Chunk, section: Span) -> tuple[int | None, int | None]:
    """Where a chunk's window stands, (None, None) where it is the whole section or there is none."""
    window = chunk.window
    return (None, None) if window is None or window == section else (window.start, len(window))


def _storable(text: str) -> str:
    """Text that SQLite takes: an undecodable byte of a name or value becomes U+FFFD."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def _storable_fields(fields: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Metadata as it can be indexed. A name that held the mark of terms would be another field's value."""
    kept: dict[str, list[str]] = {}
    for name, values in fields.items():
        kept.setdefault(_storable(name).replace(MARK, "\ufffd"), []).extend(map(_storable, values))
    return kept
