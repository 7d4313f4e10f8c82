"""Opening the one SQLite file: permissions, pragmas, migrations, and errors a person can act on."""

import os
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from ragspine_tui.errors import DamageError, StorageError, UsageError

SCHEMA_VERSION: Final = 4
BUSY_TIMEOUT_MS: Final = 10_000
_JOURNAL_ATTEMPTS: Final = 50
_PRAGMAS: Final = {
    "foreign_keys": "ON",
    "secure_delete": "ON",
    "synchronous": "NORMAL",
    "temp_store": "MEMORY",
    "cache_size": -32_768,
}


class Database:
    """A connection of one thread to the database file at `path`, migrated to this program's schema.

    `notes` holds one-line remarks on how it could be opened (read-only, no WAL). Raises StorageError.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notes: list[str] = []
        with storage_errors(path):
            self.connection, self.read_only = self._connect()
            try:
                self._migrate()
                self._set_journal()
            except BaseException:
                self.connection.close()
                raise

    def close(self) -> None:
        """Close the connection; a later call does nothing."""
        self.connection.close()

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction that takes the write lock at once: all of it lands, or nothing. Raises StorageError."""
        with storage_errors(self.path):
            if self.read_only:
                raise StorageError(f"{self.path} is read-only", "nothing can be changed here; use another --home")
            connection = self.connection
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                owed = _last_owed(connection)
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")
            if owed:
                self.purge()

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """One consistent snapshot for several reads. Raises StorageError."""
        with storage_errors(self.path):
            connection = self.connection
            if connection.in_transaction:
                yield connection
                return
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                with suppress(sqlite3.Error):
                    connection.execute("COMMIT")

    def purge(self, *, wait: bool = False) -> bool:
        """Leave no byte of what `owe_purge` noted in any file: `secure_delete` zeroes pages, the log has copies.

        False where a reader keeps the log, and what is owed stays noted; `wait` tries as long as for another writer.
        """
        with storage_errors(self.path):
            owed = _last_owed(self.connection)
            if not owed:
                return True
            if self.read_only or not self._empty_log(wait=wait):
                return False
            # Only what was noted before the log was emptied: another program may have noted more meanwhile.
            with suppress(sqlite3.OperationalError):
                self.connection.execute("DELETE FROM purges WHERE id <= ?", (owed,))
            return True

    def shrink(self) -> None:
        """Give the pages that merges and deletions left empty back to the file system, unless a reader needs them."""
        with storage_errors(self.path):
            self.connection.execute("PRAGMA incremental_vacuum").fetchall()
            self._empty_log(wait=False)

    def _empty_log(self, *, wait: bool) -> bool:
        """Move the write-ahead log into the file and cut it off; False where somebody still reads from it."""
        self.connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS if wait else 0}")
        try:
            return not self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        except sqlite3.OperationalError:
            return False
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")

    def _connect(self) -> tuple[sqlite3.Connection, bool]:
        if not self.path.exists():
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
        writable = os.access(self.path, os.W_OK) and os.access(self.path.parent, os.W_OK)
        if writable:
            return self._open("rw"), False
        self.notes.append(f"{self.path} cannot be written to: searching works, changes do not")
        try:
            return self._open("ro"), True
        except sqlite3.OperationalError:
            # A WAL database needs its side files even for reading; where nobody can write, the file is the truth.
            return self._open("ro&immutable=1"), True

    def _open(self, mode: str) -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode={mode}",
            uri=True,
            isolation_level=None,
            timeout=BUSY_TIMEOUT_MS / 1000,
        )
        try:
            for name, value in _PRAGMAS.items():
                connection.execute(f"PRAGMA {name} = {value}")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except BaseException:
            connection.close()
            raise
        return connection

    def _migrate(self) -> None:
        version = self.connection.execute("PRAGMA user_version").fetchone()[0]
        if version > SCHEMA_VERSION:
            raise StorageError(
                f"{self.path} was written by a newer ragspine-tui (schema {version}, this is {SCHEMA_VERSION})",
                "update the program, or use another --home",
            )
        if version == SCHEMA_VERSION:
            return
        if self.read_only:
            raise StorageError(f"{self.path} is read-only and needs an update", "make it writable once")
        # Imported only where there is something to migrate: it costs a tenth of a second of every start.
        from sqlite_utils import Database as UtilsDatabase

        from storage.schema import migrations

        # The lock makes a second program that starts on the same new home wait, then find nothing to do.
        if version == 0:
            self.connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            migrations.apply(UtilsDatabase(self.connection, execute_plugins=False))
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")

    def _set_journal(self) -> None:
        if self.read_only:
            return
        mode = ""
        for _ in range(_JOURNAL_ATTEMPTS):
            try:
                mode = self.connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
                break
            except sqlite3.OperationalError as error:
                if "locked" not in str(error):
                    raise
                # Changing the journal does not wait for a lock as statements do: another first start is doing the same.
                self.connection.execute("BEGIN IMMEDIATE")
                self.connection.execute("COMMIT")
        if mode != "wal":
            self.notes.append(f"{self.path.parent} does not support write-ahead logging: searches wait while indexing")


def owe_purge(connection: sqlite3.Connection, library: int) -> None:
    """Note, inside the caller's transaction, that what it deletes must leave the database's files."""
    connection.execute("INSERT INTO purges (library) VALUES (?)", (library,))


def _last_owed(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT coalesce(max(id), 0) FROM purges").fetchone()[0])


@contextmanager
def sound_rows(library_id: str = "") -> Iterator[None]:
    """Turn what a damaged row makes of reading into a DamageError, which is one library's failure and no crash."""
    whose = f"the index of {library_id!r}" if library_id else "its index"
    hint = f"run `ragspine-tui index --rebuild{f' {library_id}`' if library_id else '` on that library'}"
    try:
        yield
    except UnicodeEncodeError as error:
        # No row makes one: it was asked for.
        raise UsageError("half of a surrogate pair can be neither kept nor found", "leave it out") from error
    except (ValueError, TypeError, LookupError, zlib.error) as error:
        raise DamageError(f"{whose} is damaged", hint) from error
    except sqlite3.DatabaseError as error:
        # A full disk or a lock is nothing that an index made anew would mend.
        if isinstance(error, sqlite3.OperationalError) and not is_undecodable(error):
            raise
        raise DamageError(f"{whose} cannot be read ({error})", hint) from error


def is_undecodable(error: sqlite3.Error) -> bool:
    """Whether a text in a row is not UTF-8: SQLite's library tells it as it tells a lock."""
    return "decode" in str(error)


@contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's and the file system's errors into StorageErrors that say what to do."""
    try:
        yield
    except sqlite3.OperationalError as error:
        text = str(error)
        if "locked" in text or "busy" in text:
            raise StorageError(f"{path} is in use by another process", "wait for it to finish and try again") from error
        if "readonly" in text:
            raise StorageError(f"{path} is read-only", "nothing can be changed here; use another --home") from error
        if "full" in text:
            raise StorageError(f"no space left for {path}", "free some space and run the command again") from error
        if "unable to open" in text:
            raise StorageError(f"{path} cannot be opened", "check its permissions, or use another --home") from error
        raise StorageError(
            f"{path} cannot be used ({text})", "move it away and index again, or restore a copy"
        ) from error
    except sqlite3.DatabaseError as error:
        raise _damaged(path, str(error)) from error
    except OSError as error:
        raise StorageError(
            f"{path} cannot be used ({error.strerror})", "check its permissions, or use another --home"
        ) from error


def _damaged(path: Path, what: str) -> StorageError:
    return StorageError(
        f"{path} is damaged or not a database ({what})", "move it away and index again, or restore a copy"
    )
