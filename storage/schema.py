"""The database's schema, as migrations that are recorded and applied once, in order.

User data (libraries, marks, settings) can never be rebuilt; derived data (documents, sections, chunks, fields,
postings) can, from the files.
"""

from sqlite_utils import Database, Migrations

from storage.database import SCHEMA_VERSION

migrations = Migrations("ragspine")


@migrations()
def user_data(db: Database) -> None:
    """Libraries as a person described them, the documents they marked, and their settings."""
    db.conn.execute("""
        CREATE TABLE libraries (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            slug TEXT NOT NULL UNIQUE,
            root BLOB NOT NULL,
            title TEXT NOT NULL,
            description TEXT NOT NULL,
            chunker TEXT NOT NULL,
            language TEXT NOT NULL,
            include TEXT NOT NULL,
            exclude TEXT NOT NULL,
            restrict_globs TEXT NOT NULL,
            sensitivity TEXT NOT NULL
        )""")
    db.conn.execute("""
        CREATE TABLE marks (
            library INTEGER NOT NULL REFERENCES libraries ON DELETE CASCADE,
            pattern BLOB NOT NULL,
            PRIMARY KEY (library, pattern)
        ) WITHOUT ROWID""")
    db.conn.execute("CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")


@migrations()
def documents(db: Database) -> None:
    """What each library's index is made with, and every file that was met with how it ended."""
    db.conn.execute("""
        CREATE TABLE index_states (
            library INTEGER PRIMARY KEY REFERENCES libraries ON DELETE CASCADE,
            generation INTEGER NOT NULL,
            language TEXT NOT NULL,
            recipe TEXT NOT NULL,
            complete INTEGER NOT NULL
        )""")
    db.conn.execute("""
        CREATE TABLE documents (
            id INTEGER PRIMARY KEY,
            library INTEGER NOT NULL REFERENCES libraries ON DELETE CASCADE,
            path BLOB NOT NULL,
            size INTEGER NOT NULL,
            mtime_ns INTEGER NOT NULL,
            hash BLOB NOT NULL,
            status TEXT NOT NULL,
            reason TEXT NOT NULL,
            sensitivity TEXT NOT NULL,
            kind TEXT NOT NULL,
            title TEXT NOT NULL,
            encoding TEXT NOT NULL,
            verbatim INTEGER NOT NULL,
            characters INTEGER NOT NULL,
            text_bytes INTEGER NOT NULL,
            chunks INTEGER NOT NULL,
            fields BLOB NOT NULL,
            segment INTEGER REFERENCES segments,
            UNIQUE (library, path)
        )""")
    db.conn.execute("CREATE INDEX documents_by_segment ON documents (segment)")


@migrations()
def passages(db: Database) -> None:
    """A document's text once (in compressed blocks of whole sections), sections and chunks as spans.

    All are keyed by `document << 20 | index`: those of one document lie together.
    """
    db.conn.execute("CREATE TABLE blocks (key INTEGER PRIMARY KEY, content BLOB NOT NULL)")
    db.conn.execute("""
        CREATE TABLE sections (
            key INTEGER PRIMARY KEY,
            block INTEGER NOT NULL,
            number INTEGER NOT NULL,
            offset INTEGER NOT NULL,
            start INTEGER NOT NULL,
            length INTEGER NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            part TEXT
        )""")
    db.conn.execute("""
        CREATE TABLE chunks (
            key INTEGER PRIMARY KEY,
            section INTEGER NOT NULL,
            start INTEGER NOT NULL,
            length INTEGER NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            expands INTEGER NOT NULL,
            window_start INTEGER,
            window_length INTEGER,
            line INTEGER,
            page INTEGER,
            part TEXT
        )""")


@migrations()
def postings(db: Database) -> None:
    """The inverted index: segments with the arrays a search needs, and a row a (segment, term) with a blob a field.

    Metadata is indexed there too: a field and its value are a term of their own, so that a filter reads few rows.

    The segment leads the key: a commit appends to the end of the tree, and a merge or removal is one range.
    """
    db.conn.execute("""
        CREATE TABLE segments (
            id INTEGER PRIMARY KEY,
            library INTEGER NOT NULL REFERENCES libraries ON DELETE CASCADE,
            chunks INTEGER NOT NULL,
            documents BLOB NOT NULL,
            hashes BLOB NOT NULL,
            dead BLOB NOT NULL,
            first_chunk BLOB NOT NULL,
            first_section BLOB NOT NULL,
            section_first_chunk BLOB NOT NULL,
            body_lengths BLOB NOT NULL,
            title_lengths BLOB NOT NULL,
            name_lengths BLOB NOT NULL,
            metadata_lengths BLOB NOT NULL,
            heading_lengths BLOB NOT NULL
        )""")
    db.conn.execute("CREATE INDEX segments_by_library ON segments (library)")
    db.conn.execute("""
        CREATE TABLE postings (
            segment INTEGER NOT NULL REFERENCES segments,
            term TEXT NOT NULL,
            doc_freq INTEGER NOT NULL,
            body BLOB,
            exact BLOB,
            title BLOB,
            name BLOB,
            metadata BLOB,
            heading BLOB,
            value BLOB,
            PRIMARY KEY (segment, term)
        ) WITHOUT ROWID""")


@migrations()
def purges(db: Database) -> None:
    """Transactions whose deleted bytes may still be in the database's files, until it is known that they are not."""
    db.conn.execute("CREATE TABLE purges (id INTEGER PRIMARY KEY AUTOINCREMENT, library INTEGER NOT NULL)")


@migrations()
def places(db: Database) -> None:
    """Where in a chunk its terms occur, for phrases: beside the postings of bodies, in the last column, so that a
    search without phrases never reads it.
    """
    db.conn.execute("ALTER TABLE postings ADD COLUMN places BLOB")


@migrations()
def frequent(db: Database) -> None:
    """The frequent terms of each segment once more: what is typed is completed from few rows."""
    db.conn.execute("""
        CREATE TABLE frequent (
            segment INTEGER NOT NULL REFERENCES segments,
            term TEXT NOT NULL,
            doc_freq INTEGER NOT NULL,
            PRIMARY KEY (segment, term)
        ) WITHOUT ROWID""")


@migrations()
def columns(db: Database) -> None:
    """The fields of many values once more, sorted: a range of them is found without reading a row a value.

    Segments written before have none; there the rows are read.
    """
    db.conn.execute("""
        CREATE TABLE columns (
            segment INTEGER NOT NULL REFERENCES segments,
            field TEXT NOT NULL,
            text BLOB NOT NULL,
            begins BLOB NOT NULL,
            starts BLOB NOT NULL,
            ordinals BLOB NOT NULL,
            PRIMARY KEY (segment, field)
        ) WITHOUT ROWID""")


@migrations()
def upkeep(db: Database) -> None:
    """Whether a library minds ignore files, and since when its folder has not been there ('' where it is)."""
    db.conn.execute("ALTER TABLE libraries ADD COLUMN ignoring INTEGER NOT NULL DEFAULT 1")
    db.conn.execute("ALTER TABLE libraries ADD COLUMN offline_since TEXT NOT NULL DEFAULT ''")


@migrations()
def mounts(db: Database) -> None:
    """Where the file system of a library's folder was mounted, when it was last read to its end."""
    db.conn.execute("ALTER TABLE libraries ADD COLUMN mount BLOB NOT NULL DEFAULT x''")
    db.conn.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
