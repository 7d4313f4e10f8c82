"""The store: libraries, marks and settings, what is known of their files, and the way to all else in the database."""

import os
import sqlite3
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ragspine_tui.errors import LibraryError
from ragspine_tui.types import Condition, FieldValues, FileProblem, Library, LibraryProblem, LibrarySummary
from storage import counting, documents, fields, libraries, merging, passages, records
from storage.database import Database, owe_purge, sound_rows
from storage.documents import DocumentBatch, DocumentEntry, KnownDocument
from storage.postings import delete_segment, read_segments
from storage.snapshot import Snapshot

LateEntries = Callable[[Sequence[str], Sequence[str]], Sequence[DocumentEntry]]
"""(marks as they are now, paths of a batch) -> RESTRICTED entries for those of the paths that the marks restrict."""

NewlyRestricted = Callable[[Sequence[str], Mapping[str, KnownDocument]], Sequence[DocumentEntry]]
"""(marks as they are now, what is known) -> RESTRICTED entries for the documents that the marks restrict only now."""


class Store:
    """The database of one home, for one thread. Every method raises StorageError where SQLite fails.

    Methods that take a library id raise LibraryError where there is no such library.
    """

    def __init__(self, path: Path) -> None:
        self._database = Database(path)
        self._snapshots: dict[int, Snapshot] = {}

    @property
    def path(self) -> Path:
        """The database file."""
        return self._database.path

    @property
    def notes(self) -> Sequence[str]:
        """One-line remarks on how the database could be opened."""
        return self._database.notes

    def close(self) -> None:
        """Close the connection."""
        self._database.close()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Everything read inside sees one state of the database."""
        with self._database.read():
            yield

    # Libraries

    def libraries(self) -> tuple[Library, ...]:
        """All libraries whose rows can be read, by id."""
        with self._database.read() as connection:
            return tuple(library for _, library in libraries.read_libraries(connection)[0])

    def damaged_libraries(self) -> tuple[LibraryProblem, ...]:
        """The libraries whose rows cannot be read, with what to do."""
        with self._database.read() as connection:
            return tuple(libraries.read_libraries(connection)[1])

    def library_ids(self) -> set[str]:
        """The ids of all libraries, whether their rows can be read or not."""
        with self._database.read() as connection:
            found, damaged = libraries.read_libraries(connection)
        return {library.library_id for _, library in found} | {one.library_id for one in damaged}

    def library(self, library_id: str) -> Library:
        """The library of that id. Raises DamageError where its row cannot be read."""
        with self._database.read() as connection:
            return libraries.read_library(connection, _row_id(connection, library_id))

    def add_library(self, library: Library) -> None:
        """Store a new library; raises LibraryError where its id is taken."""
        with self._database.write() as connection:
            try:
                libraries.insert_library(connection, library)
            except sqlite3.IntegrityError as error:
                raise LibraryError(
                    f"there is a library {library.library_id!r} already", "choose another id with --id"
                ) from error

    def describe_library(self, library_id: str, title: str, description: str) -> None:
        """Change what a library is called and described as."""
        with self._database.write() as connection:
            row = _row_id(connection, library_id)
            connection.execute(
                "UPDATE libraries SET title = ?, description = ? WHERE id = ?", (title, description, row)
            )

    def note_offline(self, library_id: str, since: str) -> str:
        """Keep since when a library's folder is away, '' where it is not; returns the first time that was kept."""
        sql = "UPDATE libraries SET offline_since = iif(?1 = '' OR offline_since = '', ?1, offline_since) WHERE id = ?2"
        with self._database.write() as connection:
            row = _row_id(connection, library_id)
            return str(connection.execute(f"{sql} RETURNING offline_since", (since, row)).fetchone()[0])

    def mount(self, library_id: str) -> str:
        """Where the file system is mounted that a library was read on; '' before the first run."""
        with self._database.read() as connection:
            return libraries.read_mount(connection, _row_id(connection, library_id))

    def note_mount(self, library_id: str, mount: str) -> None:
        """Keep where it is mounted."""
        with self._database.write() as connection:
            libraries.write_mount(connection, _row_id(connection, library_id), mount)

    def remove_library(self, library_id: str) -> None:
        """Forget a library: its marks, and every byte derived from its files, as far as `purge` can."""
        with self._database.write() as connection:
            row = _row_id(connection, library_id)
            self._clear(connection, row)
            records.write_unfound(connection, row, ())
            connection.execute("DELETE FROM libraries WHERE id = ?", (row,))
            owe_purge(connection, row)

    def summaries(self) -> tuple[LibrarySummary, ...]:
        """All libraries with what their indexes hold, by id; `offline` is left to the caller, who knows the disk."""
        with self._database.read() as connection:
            return tuple(libraries.read_summary(connection, *one) for one in libraries.read_libraries(connection)[0])

    # Marks and settings

    def marks(self, library_id: str) -> tuple[str, ...]:
        """Path patterns of documents a person marked as restricted, in order."""
        with self._database.read() as connection:
            return libraries.read_marks(connection, _row_id(connection, library_id))

    def restricting(self) -> tuple[tuple[Library, tuple[str, ...]], ...]:
        """The libraries that restrict documents by their paths, each with its marks.

        One whose marks cannot be read restricts everything: no mark may be left out.
        """
        with self._database.read() as connection:
            return tuple(libraries.read_restricting(connection))

    def add_marks(self, library_id: str, patterns: Iterable[str]) -> None:
        """Mark path patterns as restricted; what is kept of the documents is for `restrict`."""
        with self._database.write() as connection:
            libraries.insert_marks(connection, _row_id(connection, library_id), patterns)

    def restrict(self, library_id: str, patterns: Iterable[str], entries: NewlyRestricted) -> int:
        """Mark path patterns and put the entries in place of what is kept, all or nothing; returns how many there are.

        What was kept of them leaves every file of the database, as far as `purge` can.
        """
        with self._database.write() as connection, sound_rows(library_id):
            row = _row_id(connection, library_id)
            libraries.insert_marks(connection, row, patterns)
            found = entries(libraries.read_marks(connection, row), records.known_documents(connection, row))
            if found:
                DocumentBatch.of(found).write(connection, row)
                self._clean(connection, row)
                _touch(connection, row)
        return len(found)

    def remove_marks(self, library_id: str, patterns: Iterable[str]) -> int:
        """Take marks back; returns how many there were."""
        with self._database.write() as connection:
            row = _row_id(connection, library_id)
            before = connection.total_changes
            connection.executemany(
                "DELETE FROM marks WHERE library = ? AND pattern = ?",
                [(row, os.fsencode(pattern)) for pattern in patterns],
            )
            return connection.total_changes - before

    def setting(self, key: str, default: str = "") -> str:
        """A value kept for the interface."""
        with self._database.read() as connection:
            row = connection.execute("SELECT value FROM settings WHERE key = ?", (key,)).fetchone()
        return row[0] if row else default

    def set_setting(self, key: str, value: str) -> None:
        """Keep a value for the interface."""
        with self._database.write() as connection:
            connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (key, value))

    # Documents

    def known_documents(self, library_id: str) -> dict[str, KnownDocument]:
        """What the database holds of each file, by path."""
        with self._database.read() as connection, sound_rows(library_id):
            return records.known_documents(connection, _row_id(connection, library_id))

    def library_key(self, library_id: str) -> int:
        """A number that no other library ever has: another one under the same id has another."""
        with self._database.read() as connection:
            return _row_id(connection, library_id)

    def write_batch(
        self, library_id: str, batch: DocumentBatch, *, key: int | None = None, late: LateEntries | None = None
    ) -> None:
        """Store documents with their postings in one transaction, in place of what was there under their paths.

        `late` gives the entries that marks set meanwhile call for; LibraryError where `key` is no more the library's.
        Where a document is RESTRICTED now, what was kept of it leaves every file of the database as far as `purge` can.
        """
        with self._database.write() as connection, sound_rows(library_id):
            row = _row_id(connection, library_id)
            if key is not None and row != key:
                raise _unknown(library_id)
            batch.write(connection, row)
            restricted = bool(batch.restricted)
            if late is not None and (entries := late(libraries.read_marks(connection, row), batch.paths)):
                DocumentBatch.of(entries).write(connection, row)
                restricted = True
            if restricted:
                self._clean(connection, row)
            _touch(connection, row)

    def replace_documents(self, library_id: str, entries: Iterable[DocumentEntry]) -> None:
        """Store the entries as one batch."""
        self.write_batch(library_id, DocumentBatch.of(entries))

    def remove_documents(self, library_id: str, paths: Iterable[str]) -> int:
        """Forget documents by path; returns how many there were."""
        with self._database.write() as connection, sound_rows(library_id):
            row = _row_id(connection, library_id)
            count = documents.delete_paths(connection, row, paths)
            _touch(connection, row)
            return count

    def touch_document(self, library_id: str, path: str, size: int, mtime_ns: int) -> None:
        """Note that a file with new times still has the same bytes."""
        with self._database.write() as connection:
            connection.execute(
                "UPDATE documents SET size = ?, mtime_ns = ? WHERE library = ? AND path = ?",
                (size, mtime_ns, _row_id(connection, library_id), os.fsencode(path)),
            )

    def clear_index(self, library_id: str) -> None:
        """Drop everything derived from a library's files."""
        with self._database.write() as connection:
            row = _row_id(connection, library_id)
            self._clear(connection, row)
            _touch(connection, row)

    def merge_segments(self, library_id: str) -> bool:
        """Do one due merge, in a transaction of its own; returns whether there was one to do."""
        with self._database.write() as connection, sound_rows(library_id):
            row = _row_id(connection, library_id)
            due = merging.due(read_segments(connection, row))
            if due:
                merging.merge(connection, row, due)
                _touch(connection, row)
            return bool(due)

    def shrink(self) -> None:
        """Give empty pages of the database back to the file system."""
        self._database.shrink()

    def purge(self, *, wait: bool = False) -> tuple[str, ...]:
        """Try to leave no byte of restricted documents and removed libraries in any file of the database.

        Returns the ids of the libraries of which some may be there still ('': a removed one): a reader keeps the log.
        """
        if self._database.purge(wait=wait):
            return ()
        with self._database.read() as connection:
            return libraries.read_purges(connection)

    def problems(self, library_id: str) -> tuple[FileProblem, ...]:
        """Files that need attention, by path: those not read, and others with a note (empty files need none)."""
        with self._database.read() as connection, sound_rows(library_id):
            return records.problems(connection, _row_id(connection, library_id), library_id)

    def note_unfound(self, library_id: str, found: Sequence[FileProblem]) -> None:
        """Keep, for `problems`, what the last walk met that is no document, in place of what the one before did."""
        with self._database.write() as connection:
            records.write_unfound(connection, _row_id(connection, library_id), found)

    # Index

    def index_state(self, library_id: str) -> tuple[str, str]:
        """(language, recipe) the library's index was made with; empty before the first document."""
        with self._database.read() as connection:
            return libraries.read_state(connection, _row_id(connection, library_id))[:2]

    def is_complete(self, library_id: str) -> bool:
        """Whether the last run over the library came to its end."""
        with self._database.read() as connection:
            return libraries.read_state(connection, _row_id(connection, library_id))[2]

    def set_index_state(self, library_id: str, language: str, recipe: str, *, complete: bool) -> None:
        """Note what the library's index is made with, and whether a run has come to its end."""
        state = {"language": language, "recipe": recipe, "complete": complete}
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO index_states VALUES (:library, 1, :language, :recipe, :complete) ON CONFLICT (library)"
                " DO UPDATE SET language = :language, recipe = :recipe, complete = :complete,"
                " generation = generation + 1",
                {**state, "library": _row_id(connection, library_id)},
            )

    def snapshot(self, library_id: str) -> Snapshot:
        """The library's index as it is now; call it and use it inside `reading`."""
        with self._database.read() as connection:
            row = _row_id(connection, library_id)
            state = connection.execute("SELECT generation FROM index_states WHERE library = ?", (row,)).fetchone()
            generation = state[0] if state else 0
            known = self._snapshots.get(row)
            if known is None or known.generation != generation:
                known = self._snapshots[row] = Snapshot(connection, row, generation)
            return known

    def narrow(
        self, library_id: str, conditions: Sequence[Condition], combine: str, besides: Sequence[Condition] = ()
    ) -> fields.Narrowed:
        """The library's documents that the conditions match."""
        with self._database.read(), sound_rows():
            return fields.narrow(self.snapshot(library_id), conditions, combine, besides)

    def field_values(
        self, library_ids: Sequence[str], limit: int, bare: Container[str] = ()
    ) -> tuple[FieldValues, ...]:
        """The libraries' fields with their `limit` most frequent values; of the fields in `bare`, no values."""
        with self._database.read(), sound_rows():
            snapshots = [self.snapshot(library_id) for library_id in library_ids]
            return counting.field_values([(one, one.alive_documents) for one in snapshots], limit, bare)

    def count_values(
        self, documents: Mapping[str, NDArray[np.bool_]], limit: int, bare: Container[str] = ()
    ) -> tuple[FieldValues, ...]:
        """The same of some documents of each library, flagged; of the fields in `bare`, no values."""
        with self._database.read(), sound_rows():
            chosen = [(self.snapshot(library_id), flags) for library_id, flags in documents.items()]
            return counting.field_values(chosen, limit, bare)

    # Passages

    def document_paths(self, library_id: str) -> dict[int, str]:
        """The paths of all documents by row id."""
        with self._database.read() as connection, sound_rows(library_id):
            row = _row_id(connection, library_id)
            rows = connection.execute("SELECT id, path FROM documents WHERE library = ?", (row,))
            return {document: os.fsdecode(path) for document, path in rows}

    def find_document(self, library_id: str, paths: Sequence[str]) -> int | None:
        """The row id of the document at the first of `paths` that is there."""
        with self._database.read() as connection:
            return records.find_document(connection, _row_id(connection, library_id), paths)

    def passage(self, library_id: str, document_id: int, index: int) -> passages.PassageRow | None:
        """A chunk with its section, or None where it is gone."""
        with self._database.read() as connection, sound_rows():
            return passages.read_passage(connection, library_id, document_id, index)

    def fields_of(self, document_id: int) -> dict[str, tuple[str, ...]]:
        """A document's metadata."""
        with self._database.read() as connection, sound_rows():
            return dict(passages.read_fields(connection, document_id))

    def text_of(self, document_id: int) -> str:
        """A document's whole text."""
        with self._database.read() as connection, sound_rows():
            return passages.read_text(connection, document_id)

    def _clean(self, connection: sqlite3.Connection, row: int) -> None:
        """Rewrite every segment with dead documents: earlier versions of a text may be in any of them."""
        for segment, arrays in read_segments(connection, row).items():
            if arrays.dead.any():
                merging.merge(connection, row, [segment])
        owe_purge(connection, row)

    def _clear(self, connection: sqlite3.Connection, row: int) -> None:
        ids = connection.execute("SELECT id FROM documents WHERE library = ?", (row,)).fetchall()
        for (document,) in ids:
            documents.delete_parts(connection, document)
        connection.execute("DELETE FROM documents WHERE library = ?", (row,))
        for (segment,) in connection.execute("SELECT id FROM segments WHERE library = ?", (row,)).fetchall():
            delete_segment(connection, segment)
        self._snapshots.pop(row, None)


def _touch(connection: sqlite3.Connection, row: int) -> None:
    connection.execute(
        "INSERT INTO index_states VALUES (?, 1, '', '', 1)"
        " ON CONFLICT (library) DO UPDATE SET generation = generation + 1",
        (row,),
    )


def _row_id(connection: sqlite3.Connection, library_id: str) -> int:
    row = connection.execute("SELECT id FROM libraries WHERE slug = ?", (library_id,)).fetchone()
    if row is None:
        raise _unknown(library_id)
    return int(row[0])


def _unknown(library_id: str) -> LibraryError:
    return LibraryError(f"there is no library {library_id!r}", "`ragspine-tui libraries` lists them")
