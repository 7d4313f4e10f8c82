"""What is known of a library's files: how each was when it was read, and how that ended."""

import json
import os
import sqlite3
from collections.abc import Sequence
from typing import Final

from ragspine_tui.types import DocumentStatus, FileProblem
from storage.documents import KnownDocument, SourceRow

MOST_UNFOUND: Final = 10_000

# A call of the enumeration takes as long as all else of a row.
_STATUSES: Final = {status.value: status for status in DocumentStatus}


def known_documents(connection: sqlite3.Connection, library: int) -> dict[str, KnownDocument]:
    """Every file by path, in order. Raises ValueError, TypeError or LookupError on a damaged row."""
    rows = connection.execute(
        "SELECT id, path, size, mtime_ns, hash, status, chunks FROM documents WHERE library = ? ORDER BY path",
        (library,),
    )
    return {
        (path := os.fsdecode(row[1])): KnownDocument(
            row[0], SourceRow(path, row[2], row[3], row[4]), _STATUSES[row[5]], _number(row[6])
        )
        for row in rows
    }


def problems(connection: sqlite3.Connection, library: int, library_id: str) -> tuple[FileProblem, ...]:
    """Files that need attention, by path: those without text in the index, and others with a note.

    Raises ValueError or TypeError on a damaged row.
    """
    rows = connection.execute(
        "SELECT path, status, reason FROM documents WHERE library = ?"
        " AND (reason != '' OR status NOT IN ('indexed', 'restricted')) ORDER BY path",
        (library,),
    )
    found = [
        FileProblem(library_id, os.fsdecode(path), DocumentStatus(status), _text(reason))
        for path, status, reason in rows
    ]
    return tuple(sorted([*found, *read_unfound(connection, library, library_id)], key=lambda one: one.document))


def read_unfound(connection: sqlite3.Connection, library: int, library_id: str) -> list[FileProblem]:
    """What the last walk met that is no document: links out of the folder, folders that cannot be read."""
    row = connection.execute("SELECT value FROM settings WHERE key = ?", (_unfound(library),)).fetchone()
    return [FileProblem(library_id, path, status, reason) for path, status, reason in _listed(row)]


def write_unfound(connection: sqlite3.Connection, library: int, found: Sequence[FileProblem]) -> None:
    """Keep it, in place of what is kept; nothing is written where that is the same."""
    value = json.dumps([(one.document, one.status, one.reason) for one in found[:MOST_UNFOUND]])
    row = connection.execute("SELECT value FROM settings WHERE key = ?", (_unfound(library),)).fetchone()
    if found and (row is None or row[0] != value):
        connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (_unfound(library), value))
    elif row and not found:
        connection.execute("DELETE FROM settings WHERE key = ?", (_unfound(library),))


def find_document(connection: sqlite3.Connection, library: int, paths: Sequence[str]) -> int | None:
    """The row id of the document at the first of `paths` that is there."""
    for path in paths:
        found = connection.execute(
            "SELECT id FROM documents WHERE library = ? AND path = ?", (library, os.fsencode(path))
        ).fetchone()
        if found:
            return int(found[0])
    return None


def _unfound(library: int) -> str:
    return f"unfound in {library}"


def _listed(row: tuple[object] | None) -> list[tuple[str, DocumentStatus, str]]:
    """What `write_unfound` kept; nothing where it is damaged: the next run keeps it anew."""
    try:
        found = json.loads(_text(row[0])) if row else []
        return [(_text(path), DocumentStatus(status), _text(reason)) for path, status, reason in found]
    except (ValueError, TypeError):
        return []


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError("a count that is no number")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a remark that is no text")
    return value
