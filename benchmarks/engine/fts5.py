"""SQLite's FTS5: a row a chunk, `bm25()` by way of `ORDER BY rank`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from benchmarks.engine.corpus import PARTS, Corpus, folder_of, part_of
from benchmarks.engine.queries import Query
from benchmarks.engine.searching import TOP, Search


class Fts5:
    """One table for the whole corpus, and one for each part. A folder is a word of a column that weighs nothing."""

    name = "fts5"
    package = ""
    most = 1 << 62

    def build(self, corpus: Corpus, folder: Path) -> None:
        """Whole and parts are two databases, so that the size of each is its own."""
        self.build_whole(corpus, folder)
        with _connected(folder / "parts.db") as connection:
            for part in range(PARTS):
                _create(connection, f"part{part}")
            for part, row in enumerate_parts(corpus):
                connection.execute(f"INSERT INTO part{part} (rowid, body, folder) VALUES (?, ?, ?)", row)
        connection.close()

    def build_whole(self, corpus: Corpus, folder: Path) -> None:
        """The one table alone, in one transaction."""
        folder.mkdir(parents=True)
        with _connected(folder / "whole.db") as connection:
            _create(connection, "chunks")
            connection.executemany(
                "INSERT INTO chunks (rowid, body, folder) VALUES (?, ?, ?)", (row for _, row in enumerate_parts(corpus))
            )
        connection.close()

    def open(self, corpus: Corpus, folder: Path, *, parts: bool = True) -> Fts5Searcher:  # noqa: ARG002
        """The databases, as SQLite opens them by default."""
        return Fts5Searcher(
            sqlite3.connect(folder / "whole.db"), sqlite3.connect(folder / "parts.db") if parts else None
        )

    def whole_bytes(self, folder: Path) -> int:
        """Of the database."""
        return (folder / "whole.db").stat().st_size


class Fts5Searcher:
    """Row ids by `rank`."""

    def __init__(self, whole: sqlite3.Connection, parts: sqlite3.Connection | None) -> None:
        self._whole = whole
        self._parts = parts

    def ways(self, kind: str) -> dict[str, Search]:
        """Every class."""
        if kind != "fused":
            return {"fts5": self._plain}
        return {"fts5": partial(fused, self._parts)} if self._parts else {}

    def close(self) -> None:
        """Close the databases."""
        self._whole.close()
        if self._parts:
            self._parts.close()

    def _plain(self, query: Query) -> Sequence[object]:
        return self._whole.execute(
            f"SELECT rowid, rank FROM chunks WHERE chunks MATCH ? ORDER BY rank LIMIT {TOP}", (expression(query),)
        ).fetchall()


def fused(parts: sqlite3.Connection, query: Query) -> Sequence[object]:
    """The top of five tables, merged by rank."""
    said = expression(query)
    found: list[tuple[float, int]] = []
    for part in range(PARTS):
        table = f"part{part}"
        found += parts.execute(
            f"SELECT rank, rowid FROM {table} WHERE {table} MATCH ? ORDER BY rank LIMIT {TOP}", (said,)
        )
    return sorted(found)[:TOP]


def expression(query: Query) -> str:
    """The query in FTS5's language: any of the words, or the phrase."""
    if query.kind == "phrase":
        return f'body : "{" ".join(query.words)}"'
    words = [f'"{word}"' for word in query.words]
    if query.kind == "prefix":
        words[-1] += " *"
    anyone = f"body : ({' OR '.join(words)})"
    return f'{anyone} AND folder : "{token(query.folder)}"' if query.folder else anyone


def token(folder: str) -> str:
    """A folder as one word."""
    return folder.replace("/", "")


def enumerate_parts(corpus: Corpus) -> Iterator[tuple[int, tuple[int, str, str]]]:
    """(part, (number of the chunk, its text, its folder as a word))."""
    documents = corpus.document_of_chunk().tolist()
    for number, line in enumerate(corpus.lines()):
        document = documents[number]
        yield part_of(document), (number, line, token(folder_of(document)))


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    return connection


def _create(connection: sqlite3.Connection, table: str) -> None:
    connection.execute(f"CREATE VIRTUAL TABLE {table} USING fts5(body, folder)")
    connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('rank', 'bm25(1.0, 0.0)')")
