"""tantivy by its Python package: the default tokenizer, one thread, segments as its own merging leaves them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from benchmarks.engine.corpus import PARTS, Corpus
from benchmarks.engine.fts5 import enumerate_parts, token
from benchmarks.engine.queries import Query
from benchmarks.engine.searching import TOP, Search, bytes_in

_MEMORY: Final = 256_000_000


class Tantivy:
    """One index for the whole corpus, and one for each part."""

    name = "tantivy"
    package = "tantivy"
    most = 1 << 62

    def build(self, corpus: Corpus, folder: Path) -> None:
        """Six indexes in folders of their own."""
        self.build_whole(corpus, folder)
        writers = [_writer(folder / f"part{part}") for part in range(PARTS)]
        for part, row in enumerate_parts(corpus):
            _add(writers[part], row)
        for writer in writers:
            _finish(writer)

    def build_whole(self, corpus: Corpus, folder: Path) -> None:
        """The one index alone."""
        writer = _writer(folder / "whole")
        for _, row in enumerate_parts(corpus):
            _add(writer, row)
        _finish(writer)

    def open(self, corpus: Corpus, folder: Path, *, parts: bool = True) -> TantivySearcher:  # noqa: ARG002
        """Memory-mapped, as it is by default."""
        tantivy = import_module("tantivy")
        return TantivySearcher(
            tantivy.Index.open(str(folder / "whole")),
            [tantivy.Index.open(str(folder / f"part{part}")) for part in range(PARTS if parts else 0)],
        )

    def whole_bytes(self, folder: Path) -> int:
        """Of all segments."""
        return bytes_in(folder / "whole")


class TantivySearcher:
    """(score, address) by score: with and without counting all that match, as ours always does."""

    def __init__(self, whole: Any, parts: Sequence[Any]) -> None:
        self._tantivy = import_module("tantivy")
        self._whole = whole
        self._searcher = whole.searcher()
        self._parts = [(index, index.searcher()) for index in parts]

    def ways(self, kind: str) -> dict[str, Search]:
        """Every class, two ways."""
        search = self._fused if kind == "fused" else self._plain
        return {"tantivy": partial(search, count=False), "tantivy, counting": partial(search, count=True)}

    def close(self) -> None:
        """Nothing is held but memory."""

    def _plain(self, query: Query, count: bool) -> Sequence[object]:
        hits: list[object] = self._searcher.search(self._parsed(self._whole, query), TOP, count=count).hits
        return hits

    def _fused(self, query: Query, count: bool) -> Sequence[object]:
        found: list[Any] = []
        for index, searcher in self._parts:
            found += searcher.search(self._parsed(index, query), TOP, count=count).hits
        return sorted(found, key=lambda hit: -hit[0])[:TOP]

    def _parsed(self, index: Any, query: Query) -> Any:
        if query.kind == "prefix":
            return self._prefix(index, query)
        parsed = index.parse_query(query.text, ["body"])
        if not query.folder:
            return parsed
        queries, must = self._tantivy.Query, self._tantivy.Occur.Must
        folder = queries.const_score_query(queries.term_query(index.schema, "folder", token(query.folder)), 0.0)
        return queries.boolean_query([(must, parsed), (must, folder)])

    def _prefix(self, index: Any, query: Query) -> Any:
        queries, should = self._tantivy.Query, self._tantivy.Occur.Should
        *words, typed = query.words
        terms = [(should, queries.term_query(index.schema, "body", word)) for word in words]
        return queries.boolean_query([*terms, (should, queries.regex_query(index.schema, "body", f"{typed}.*"))])


def _writer(folder: Path) -> Any:
    tantivy = import_module("tantivy")
    folder.mkdir(parents=True)
    schema = tantivy.SchemaBuilder()
    schema.add_integer_field("number", stored=True)
    schema.add_text_field("body", stored=True)
    schema.add_text_field("folder", tokenizer_name="raw", index_option="basic")
    return tantivy.Index(schema.build(), str(folder)).writer(_MEMORY, 1)


def _add(writer: Any, row: tuple[int, str, str]) -> None:
    number, body, folder = row
    document = import_module("tantivy").Document(number=number, body=body, folder=folder)
    writer.add_document(document)


def _finish(writer: Any) -> None:
    writer.commit()
    writer.wait_merging_threads()
