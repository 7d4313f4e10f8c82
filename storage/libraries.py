"""Libraries as rows, and what their rows say of their indexes."""

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Final

from ragspine_tui.errors import DamageError
from ragspine_tui.types import DocumentStatus, Library, LibraryProblem, LibrarySummary, Sensitivity
from storage.database import is_undecodable
from storage.records import read_unfound

COLUMNS: Final = (
    "slug, root, title, description, chunker, language, include, exclude, restrict_globs, sensitivity, ignoring"
)


def row_of(library: Library) -> tuple[object, ...]:
    """The values of `COLUMNS`."""
    return (
        library.library_id,
        os.fsencode(library.root),
        library.title,
        library.description,
        library.chunker,
        library.language,
        json.dumps(library.include),
        json.dumps(library.exclude),
        json.dumps(library.restrict),
        library.sensitivity.value,
        library.ignoring,
    )


def library_of(row: Sequence[object]) -> Library:
    """The library behind the values of `COLUMNS`. Raises ValueError where they are not what `row_of` gives."""
    slug, root, *texts, ignoring = row
    title, description, chunker, language, include, exclude, restrict, sensitivity = map(_text, texts)
    return Library(
        library_id=_text(slug),
        root=os.fsdecode(root if isinstance(root, bytes) else _text(root)),
        title=title,
        description=description,
        chunker=chunker,
        language=language,
        include=_globs(include),
        exclude=_globs(exclude),
        restrict=_globs(restrict),
        sensitivity=Sensitivity(sensitivity),
        ignoring=bool(ignoring),
    )


def insert_library(connection: sqlite3.Connection, library: Library) -> None:
    """A row for a new library. Raises sqlite3.IntegrityError where its id is taken."""
    values = row_of(library)
    connection.execute(f"INSERT INTO libraries ({COLUMNS}) VALUES ({', '.join('?' * len(values))})", values)


def read_library(connection: sqlite3.Connection, row: int) -> Library:
    """The library of that row. Raises DamageError that names it."""
    with _sound_library(connection, row):
        return library_of(connection.execute(f"SELECT {COLUMNS} FROM libraries WHERE id = ?", (row,)).fetchone())


def read_libraries(connection: sqlite3.Connection) -> tuple[list[tuple[int, Library]], list[LibraryProblem]]:
    """The libraries that can be read with their rows, by id, and what is wrong with the others."""
    with suppress(ValueError, TypeError, sqlite3.OperationalError):
        rows = connection.execute(f"SELECT id, {COLUMNS} FROM libraries ORDER BY slug").fetchall()
        return [(row[0], library_of(row[1:])) for row in rows], []
    found: list[tuple[int, Library]] = []
    problems: list[LibraryProblem] = []
    # One by one now: a row that cannot be read fails all of them.
    for (row,) in connection.execute("SELECT id FROM libraries ORDER BY slug").fetchall():
        try:
            found.append((row, read_library(connection, row)))
        except DamageError as error:
            problems.append(LibraryProblem(_name(connection, row), str(error)))
    return found, problems


def read_marks(connection: sqlite3.Connection, row: int) -> tuple[str, ...]:
    """What a person marked as restricted, in order. Raises DamageError: no mark may be left out."""
    with _sound_library(connection, row):
        rows = connection.execute("SELECT pattern FROM marks WHERE library = ? ORDER BY pattern", (row,)).fetchall()
        return tuple(os.fsdecode(pattern) for (pattern,) in rows)


def read_restricting(connection: sqlite3.Connection) -> Iterator[tuple[Library, tuple[str, ...]]]:
    """The libraries that restrict documents by their paths, each with its marks; all of it where they are damaged."""
    marked = {row for (row,) in connection.execute("SELECT DISTINCT library FROM marks")}
    for row, library in read_libraries(connection)[0]:
        if row in marked or library.restrict or library.sensitivity == Sensitivity.RESTRICTED:
            try:
                yield library, read_marks(connection, row)
            except DamageError:
                yield replace(library, sensitivity=Sensitivity.RESTRICTED), ()


def insert_marks(connection: sqlite3.Connection, row: int, patterns: Iterable[str]) -> None:
    """Mark path patterns as restricted; those that are marked stay so."""
    connection.executemany(
        "INSERT OR IGNORE INTO marks VALUES (?, ?)", [(row, os.fsencode(pattern)) for pattern in patterns]
    )


def read_mount(connection: sqlite3.Connection, row: int) -> str:
    """Where the file system is mounted that a library was read on."""
    (mount,) = connection.execute("SELECT CAST(mount AS BLOB) FROM libraries WHERE id = ?", (row,)).fetchone()
    return os.fsdecode(mount)


def write_mount(connection: sqlite3.Connection, row: int, mount: str) -> None:
    """Keep where it is mounted."""
    connection.execute("UPDATE libraries SET mount = ? WHERE id = ?", (os.fsencode(mount), row))


def read_summary(connection: sqlite3.Connection, row: int, library: Library) -> LibrarySummary:
    """What the library's index holds; `offline` is left to the caller, who knows the disk."""
    counts = dict(
        connection.execute(
            "SELECT CAST(status AS BLOB), count(*) FROM documents WHERE library = ? GROUP BY status", (row,)
        )
    )
    language, _, complete = read_state(connection, row)
    (since,) = connection.execute("SELECT CAST(offline_since AS BLOB) FROM libraries WHERE id = ?", (row,)).fetchone()
    chunks, text_bytes = connection.execute(
        "SELECT total(chunks), total(text_bytes) FROM documents WHERE library = ?", (row,)
    ).fetchone()
    unfound = len(read_unfound(connection, row, library.library_id))
    fine = sum(counts.get(status.value.encode(), 0) for status in DocumentStatus if not status.not_read)
    return LibrarySummary(
        library=library,
        documents=counts.get(DocumentStatus.INDEXED.value.encode(), 0),
        chunks=int(chunks),
        problems=sum(counts.values()) - fine + unfound,
        restricted=counts.get(DocumentStatus.RESTRICTED.value.encode(), 0),
        text_bytes=int(text_bytes),
        indexed_language=language,
        complete=complete,
        offline_since=_replaced(since),
    )


def read_state(connection: sqlite3.Connection, row: int) -> tuple[str, str, bool]:
    """(language, recipe) of the library's index, empty before the first document, and whether a run came to its end.

    What is damaged there reads as a language that nobody knows: the next run makes the index anew.
    """
    found = connection.execute(
        "SELECT CAST(language AS BLOB), CAST(recipe AS BLOB), CAST(complete AS INTEGER) FROM index_states"
        " WHERE library = ?",
        (row,),
    ).fetchone()
    return (_replaced(found[0]), _replaced(found[1]), bool(found[2])) if found else ("", "", True)


def read_purges(connection: sqlite3.Connection) -> tuple[str, ...]:
    """The libraries some of whose deleted bytes may still be in the database's files; '' for those that are gone."""
    rows = connection.execute(
        "SELECT DISTINCT coalesce(CAST(slug AS BLOB), X'') FROM purges LEFT JOIN libraries"
        " ON libraries.id = purges.library ORDER BY slug"
    ).fetchall()
    return tuple(_replaced(slug) for (slug,) in rows)


@contextmanager
def _sound_library(connection: sqlite3.Connection, row: int) -> Iterator[None]:
    try:
        yield
    except (ValueError, TypeError, sqlite3.OperationalError) as error:
        if isinstance(error, sqlite3.OperationalError) and not is_undecodable(error):
            raise
        name = _name(connection, row)
        can_be_typed = name and connection.execute("SELECT 1 FROM libraries WHERE slug = ?", (name,)).fetchone()
        raise DamageError(
            f"what is kept of the library {name!r} is damaged",
            f"run `ragspine-tui remove {name}`, then add its folder anew"
            if can_be_typed
            else "restore a copy of the database, or move it away and index again",
        ) from error


def _name(connection: sqlite3.Connection, row: int) -> str:
    """A library's id as far as it can be read."""
    return _replaced(connection.execute("SELECT CAST(slug AS BLOB) FROM libraries WHERE id = ?", (row,)).fetchone()[0])


def _replaced(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"a {type(value).__name__} that should be text")
    return value


def _globs(text: str) -> tuple[str, ...]:
    globs = json.loads(text)
    if not isinstance(globs, list):
        raise ValueError("globs that are no list")
    return tuple(map(_text, globs))
