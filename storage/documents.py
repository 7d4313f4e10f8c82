"""Writing documents: a batch of them, with their sections, chunks, fields and postings, is one transaction."""

import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ragspine_tui.types import Chunk, DocumentStatus, Section, Sensitivity
from storage.postings import IndexedDocument, SegmentBuilder, insert_segment, mark_dead

KEY_BITS: Final = 20
"""A section's or chunk's key is `document << KEY_BITS | index`."""

MAX_PARTS: Final = 1 << KEY_BITS
_COMPRESSION: Final = 4


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A file as it was when it was read: `path` is relative and surrogate-escaped, `hash` of its bytes."""

    path: str
    size: int
    mtime_ns: int
    hash: bytes = b""


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


def insert_documents(connection: sqlite3.Connection, library: int, entries: Sequence[DocumentEntry]) -> None:
    """Store `entries`, replacing what the database holds under their paths, inside the caller's transaction."""
    delete_paths(connection, library, [entry.source.path for entry in entries])
    values = _ValueIds(connection, library)
    builder = SegmentBuilder()
    members: list[int] = []
    for entry in entries:
        row = _insert_document(connection, library, entry)
        _insert_parts(connection, row, entry)
        values.insert(row, entry.fields)
        if entry.terms is None or not entry.terms.chunks:
            continue
        if not builder.fits(entry.terms):
            _insert_segment(connection, library, builder, members)
            builder, members = SegmentBuilder(), []
        builder.add(row, entry.terms)
        members.append(row)
    _insert_segment(connection, library, builder, members)


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
    """Delete a document's text, chunks and field values, and values that no other document carries."""
    for table in ("sections", "chunks"):
        connection.execute(
            f"DELETE FROM {table} WHERE key BETWEEN ? AND ?", (row << KEY_BITS, (row + 1 << KEY_BITS) - 1)
        )
    ids = connection.execute("SELECT DISTINCT value FROM document_values WHERE document = ?", (row,)).fetchall()
    connection.execute("DELETE FROM document_values WHERE document = ?", (row,))
    connection.executemany(
        "DELETE FROM field_values WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM document_values WHERE value = ?1)", ids
    )


def pack(heading_path: Sequence[str], text: str) -> bytes:
    """A section's headings and text as they are stored: together, since a text repeats its heading."""
    head = json.dumps(list(heading_path), ensure_ascii=False) if heading_path else ""
    return zlib.compress(f"{head}\n{text}".encode("utf-8", "surrogatepass"), _COMPRESSION)


def unpack(blob: bytes) -> tuple[tuple[str, ...], str]:
    """The (headings, text) that `pack` stored."""
    head, _, text = zlib.decompress(blob).decode("utf-8", "surrogatepass").partition("\n")
    return (tuple(json.loads(head)) if head else ()), text


def _insert_segment(
    connection: sqlite3.Connection, library: int, builder: SegmentBuilder, members: Sequence[int]
) -> None:
    if members:
        segment = insert_segment(connection, library, builder.arrays(), builder.rows())
        connection.executemany("UPDATE documents SET segment = ? WHERE id = ?", [(segment, row) for row in members])


def _insert_document(connection: sqlite3.Connection, library: int, entry: DocumentEntry) -> int:
    source = entry.source
    cursor = connection.execute(
        "INSERT INTO documents (library, path, size, mtime_ns, hash, status, reason, sensitivity, kind, title,"
        " encoding, verbatim, characters, text_bytes, chunks) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            library,
            os.fsencode(source.path),
            source.size,
            source.mtime_ns,
            source.hash,
            entry.status.value,
            entry.reason,
            entry.sensitivity.value,
            entry.kind,
            _storable(entry.title),
            entry.encoding,
            entry.verbatim,
            len(entry.text),
            len(entry.text.encode("utf-8", "surrogatepass")),
            len(entry.chunks),
        ),
    )
    row = cursor.lastrowid
    assert row is not None  # noqa: S101 - an INSERT into a rowid table always has one
    return row


def _insert_parts(connection: sqlite3.Connection, row: int, entry: DocumentEntry) -> None:
    connection.executemany(
        "INSERT INTO sections VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                row << KEY_BITS | section.index,
                section.span.start,
                len(section.span),
                section.locator.first,
                section.locator.last,
                section.page,
                section.part or None,
                pack(section.heading_path, section.span.of(entry.text)),
            )
            for section in entry.sections
        ],
    )
    connection.executemany(
        "INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                row << KEY_BITS | chunk.index,
                chunk.section,
                chunk.span.start,
                len(chunk.span),
                chunk.locator.first,
                chunk.locator.last,
                bool(chunk.parent_locator),
                chunk.line,
                chunk.page,
                chunk.part or None,
            )
            for chunk in entry.chunks
        ],
    )


class _ValueIds:
    """Interns field values of one library: each distinct (name, value) is stored once."""

    def __init__(self, connection: sqlite3.Connection, library: int) -> None:
        self._connection = connection
        self._library = library
        self._known: dict[tuple[str, str], int] = {}

    def insert(self, row: int, fields: Mapping[str, Sequence[str]]) -> None:
        pairs = [(name, value) for name, values in fields.items() for value in values]
        self._connection.executemany(
            "INSERT INTO document_values VALUES (?, ?, ?)",
            [
                (row, position, self._id(_storable(name), _storable(value)))
                for position, (name, value) in enumerate(pairs)
            ],
        )

    def _id(self, name: str, value: str) -> int:
        known = self._known.get((name, value))
        if known is not None:
            return known
        key = (self._library, name, value)
        found = self._connection.execute(
            "SELECT id FROM field_values WHERE library = ? AND name = ? AND value = ?", key
        ).fetchone()
        if found is None:
            cursor = self._connection.execute("INSERT INTO field_values (library, name, value) VALUES (?, ?, ?)", key)
            found = (cursor.lastrowid,)
        self._known[name, value] = found[0]
        return int(found[0])


def _storable(text: str) -> str:
    """Text that SQLite takes: an undecodable byte of a name or value becomes U+FFFD."""
    return text.encode("utf-8", "replace").decode("utf-8") if _has_surrogate(text) else text


def _has_surrogate(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False
