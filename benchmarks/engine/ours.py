"""Our own engine, by the app's own code: the command line builds the home, `Session` and the retriever search it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.engine.child import Ran, run
from benchmarks.engine.corpus import PARTS, Corpus
from benchmarks.engine.queries import Query
from benchmarks.engine.searching import TOP, Search, bytes_in
from ragspine_tui.config import ServiceConfig
from ragspine_tui.retrieval.filtering.metadata_filter import MetadataFilter
from ragspine_tui.retrieval.lexical.retriever import LexicalRetriever
from ragspine_tui.retrieval.querying.constraints import Constraints
from ragspine_tui.retrieval.querying.retrieving import QueryRetriever
from ragspine_tui.retrieval.routing.multi_index import LibraryIndex, MultiIndexRetriever
from ragspine_tui.session import Session
from ragspine_tui.types import Condition, SearchRequest
from ragspine_tui.wiring import Wiring
from storage.store import Store

ENGINE: Final = "ours"
"""What every ratio is to: matching and scoring, without reading the hits."""
WHOLE: Final = "ours, whole search"
"""`Session.search`: matching, scoring, and the passages of the hits with all that is shown of them."""
LIBRARY: Final = "whole"


class Ours:
    """A home with one library of the whole corpus, and one with a library for each part."""

    name = "ours"
    package = "ragspine-tui"
    most = 1 << 62

    def build(self, corpus: Corpus, folder: Path) -> None:
        """Two homes, by `ragspine-tui add`."""
        self.build_whole(corpus, folder)
        for part in range(PARTS):
            program(folder / "parts", "add", "--id", f"part{part}", str(corpus.markdown / f"p{part}"))

    def build_whole(self, corpus: Corpus, folder: Path) -> None:
        """The home of one library alone."""
        folder.mkdir(parents=True)
        program(folder / "whole", "add", "--id", LIBRARY, str(corpus.markdown))

    def open(self, corpus: Corpus, folder: Path, *, parts: bool = True) -> OurSearcher:
        """Both homes, or one. Raises ValueError where the app cut the corpus into other chunks than its peers have."""
        searcher = OurSearcher(folder, parts)
        chunks = sum(one.chunks for one in searcher.session.libraries())
        if chunks != corpus.chunks:
            raise ValueError(f"the app has {chunks:,} chunks where its peers have {corpus.chunks:,}")
        return searcher

    def whole_bytes(self, folder: Path) -> int:
        """Of the home, which holds the text too."""
        return bytes_in(folder / "whole")


class OurSearcher:
    """Both ways to search: the engine alone inside one read transaction, and the app's whole search."""

    def __init__(self, folder: Path, parts: bool) -> None:
        self.session = Session.open(config_of(folder / "whole"))
        self._engine = OurEngine(folder / "whole")
        self._parts = Session.open(config_of(folder / "parts")) if parts else None
        self._fused = OurEngine(folder / "parts") if parts else None

    def ways(self, kind: str) -> dict[str, Search]:
        """Every class."""
        if kind == "fused":
            if self._parts is None or self._fused is None:
                return {}
            return {ENGINE: self._fused.fused, WHOLE: partial(hits, self._parts)}
        whole = partial(hits, self.session)
        return {ENGINE: self._engine.phrase if kind == "phrase" else self._engine.search, WHOLE: whole}

    def close(self) -> None:
        """Close every connection."""
        for one in (self.session, self._parts, self._engine, self._fused):
            if one is not None:
                one.close()


class OurEngine:
    """Retrievers wired as the app wires them, over one state of the database."""

    def __init__(self, home: Path) -> None:
        config = config_of(home)
        self._store = Store(config.database_path)
        self._reading = self._store.reading()
        self._reading.__enter__()
        self._wiring = Wiring(config, self._store)
        self._libraries = self._store.libraries()
        self._retrievers = self._wired(SearchRequest(""))
        self._single = next(iter(self._retrievers))
        self._several = MultiIndexRetriever([LibraryIndex(one.library_id, "", one) for one in self._retrievers])
        self._ids = [one.library_id for one in self._retrievers]

    def search(self, query: Query) -> Sequence[object]:
        """The top of the first library."""
        single, metadata_filter = self._single, None
        if query.folder:
            # A filter is evaluated once for each search that is wired: wiring belongs to what it costs.
            metadata_filter = MetadataFilter(conditions(query))
            single = self._wired(SearchRequest(query.text, conditions=conditions(query)))[0]
        matches = single.match(query.text, query.kind == "prefix")
        return single.rank(matches, metadata_filter=metadata_filter, top_k=TOP).candidates

    def phrase(self, query: Query) -> Sequence[object]:
        """The top of the first library for a query in the query language; reading it belongs to what it costs."""
        parts, metadata_filter = self._wiring.parts(request_of(query), self._libraries, lambda: False)
        one = parts.libraries[0]
        name = one.library.library_id
        constraints = Constraints(one.index, one.analyzer, partial(parts.passages.passage, name))
        retriever = QueryRetriever(name, one.index, one.analyzer, one.narrow, parts.query, constraints)
        several = MultiIndexRetriever([LibraryIndex(name, "", retriever)])
        return several.search(parts.query.plain, [name], metadata_filter=metadata_filter, top_k=TOP).fused

    def fused(self, query: Query) -> Sequence[object]:
        """The top of all libraries, scored with their statistics together."""
        return self._several.search(query.text, self._ids, top_k=TOP).fused

    def close(self) -> None:
        """End the reading and close the database."""
        self._reading.__exit__(None, None, None)
        self._store.close()

    def _wired(self, request: SearchRequest) -> list[LexicalRetriever]:
        parts, _ = self._wiring.parts(request, self._libraries, lambda: False)
        return [
            LexicalRetriever(one.library.library_id, one.index, one.analyzer, one.narrow) for one in parts.libraries
        ]


def hits(session: Session, query: Query) -> Sequence[object]:
    """The hits of the app's whole search."""
    return session.search(request_of(query)).hits


def request_of(query: Query) -> SearchRequest:
    """The query as the app is asked."""
    return SearchRequest(query.text, conditions=conditions(query), limit=TOP, prefix=query.kind == "prefix")


def conditions(query: Query) -> tuple[Condition, ...]:
    """The query's filter: its folder."""
    return (Condition("folder", "eq", query.folder),) if query.folder else ()


def config_of(home: Path) -> ServiceConfig:
    """The app's configuration, without anything from the environment."""
    return ServiceConfig.load(home=home, environ={})


def command(home: Path, name: str, *arguments: str) -> list[str]:
    """The app's command line in a process of its own."""
    return [sys.executable, "-m", "ragspine_tui", name, "--home", str(home), *arguments]


def program(home: Path, name: str, *arguments: str) -> Ran:
    """Run a command of the app. Ends the benchmark where it fails."""
    ran = run(command(home, name, *arguments))
    # 3 is an answer too: files with problems, or hits whose files changed since.
    if ran.code not in (0, 3):
        raise SystemExit(f"ragspine-tui {name} ended with {ran.code}")
    return ran
