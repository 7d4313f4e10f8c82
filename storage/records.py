"""What is known of a library's files: how each was when it was read, and how that ended."""

import os
import sqlite3
from typing import Final

from ragspine_tui.types import DocumentStatus, FileProblem
from storage.documents import KnownDocument, SourceRow

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
    """Files that need attention, by path: those not read, and others with a note (empty files need none).

    Raises ValueError or TypeError on a damaged row.
    """
    rows = connection.execute(
        "SELECT path, status, reason FROM documents WHERE library = ? AND status != 'empty'"
        " AND (reason != '' OR status NOT IN ('indexed', 'restricted')) ORDER BY path",
        (library,),
    )
    return tuple(
        FileProblem(library_id, os.fsdecode(path), DocumentStatus(status), _text(reason))
        for path, status, reason in rows
    )


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError("a count that is no number")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a remark that is no text")
    return value
