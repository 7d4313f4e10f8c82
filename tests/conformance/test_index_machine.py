"""Any sequence of adding, replacing, deleting, restricting and merging leaves the index that a fresh build gives."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from rank_bm25 import BM25Plus

from ragspine_tui.documents.reader import read_document
from ragspine_tui.entries import UNREAD, EntryMaker, restricted_entry
from ragspine_tui.retrieval.lexical.analyzer import Analyzer
from ragspine_tui.retrieval.lexical.gains import WEIGHTS
from ragspine_tui.retrieval.lexical.retriever import LexicalRetriever
from ragspine_tui.types import Library
from storage import merging
from storage.documents import SourceRow
from storage.postings import read_segments
from storage.store import Store

LIBRARY = Library("lib", "/nowhere", language="en")
ANALYZER = Analyzer("en")
WORDS = ["heron", "herons", "weir", "eel", "nests", "getUserName", "鷺", "鷺の巣", "巣箱"]
NAMES = [f"{name}.md" for name in ("heron", "b", "c", "weir notes", "e", "f")]
QUERIES = ["heron", "weir eel", "鷺の巣", "nests nests herons", "user name", "heron.md"]
PREFIXES = ["h", "we", "鷺", "user"]

texts = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join) | st.just("# heron weir"),
    min_size=1,
    max_size=4,
).map("\n\n".join)

Seen = Mapping[str, object]


def seen(store: Store) -> Seen:
    """Everything a search can tell of the index, by paths and numbers rather than by row."""
    paths = {known.document_id: path for path, known in store.known_documents("lib").items()}
    found: dict[str, object] = {}
    with store.reading():
        snapshot = store.snapshot("lib")
        retriever = LexicalRetriever("lib", snapshot, ANALYZER, lambda _: snapshot.alive_documents)
        for query in QUERIES:
            matches = retriever.match(query)
            ranking = retriever.rank(matches, top_k=1_000)
            hits = [(paths[one.document_id], one.index, one.score) for one in ranking.candidates]
            found[query] = (ranking.total, hits, matches.statistics)
            few = retriever.rank(matches, top_k=2)
            found[f"{query}, two"] = (
                few.total,
                [(paths[one.document_id], one.index, one.score) for one in few.candidates],
            )
        for prefix in PREFIXES:
            found[prefix] = list(snapshot.expansions(prefix, 5))
        for term in {term for word in WORDS for run in ANALYZER.sequence(word).runs for term in run.terms}:
            chunks, places = snapshot.places(term)
            owners = snapshot.document_of_chunk[chunks]
            where = zip(owners.tolist(), (chunks - snapshot.first_chunk[owners]).tolist(), places.tolist(), strict=True)
            found[f"places of {term}"] = sorted(
                (paths[int(snapshot.documents[owner])], chunk, place) for owner, chunk, place in where
            )
    return found


class IndexMachine(RuleBasedStateMachine):
    """A library's files and its index, changed step by step."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.store = self.new_store("grown")
        self.maker = EntryMaker(LIBRARY, lambda _: False, ANALYZER)
        self.texts: dict[str, str] = {}

    def new_store(self, name: str) -> Store:
        store = Store(self.folder / f"{name}.db")
        store.add_library(LIBRARY)
        return store

    def teardown(self) -> None:
        self.store.close()
        shutil.rmtree(self.folder)

    def write(self, store: Store, texts: Mapping[str, str]) -> None:
        entries = []
        for name, text in texts.items():
            path = self.folder / "file.md"
            path.write_text(text)
            entries.append(self.maker.entry(SourceRow(name, len(text), 0), read_document(path, name)))
        store.replace_documents("lib", entries)

    @rule(texts=st.dictionaries(st.sampled_from(NAMES), texts, min_size=1, max_size=4))
    def add_or_replace(self, texts: dict[str, str]) -> None:
        self.write(self.store, texts)
        self.texts.update(texts)

    @precondition(lambda self: self.texts)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.texts)))
        assert self.store.remove_documents("lib", [name]) == 1
        del self.texts[name]

    @precondition(lambda self: self.texts)
    @rule(data=st.data())
    def restrict(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.texts)))
        self.store.replace_documents("lib", [restricted_entry(SourceRow(name, 1, 0), UNREAD)])
        del self.texts[name]

    @rule(data=st.data())
    def merge(self, data: st.DataObject) -> None:
        with self.store._database.write() as connection:
            segments = list(read_segments(connection, 1))
            if segments:
                chosen = data.draw(st.lists(st.sampled_from(segments), min_size=1, unique=True).map(sorted))
                merging.merge(connection, 1, chosen)
                connection.execute("UPDATE index_states SET generation = generation + 1")

    @rule()
    def merge_what_is_due(self) -> None:
        while self.store.merge_segments("lib"):
            pass

    @invariant()
    def is_as_if_made_afresh(self) -> None:
        fresh = self.new_store("fresh")
        try:
            self.write(fresh, self.texts)
            assert seen(self.store) == seen(fresh)
        finally:
            fresh.close()
            for file in self.folder.glob("fresh.db*"):
                file.unlink()

    @invariant()
    def scores_as_rank_bm25_does(self) -> None:
        with self.store.reading():
            snapshot = self.store.snapshot("lib")
            retriever = LexicalRetriever("lib", snapshot, ANALYZER, lambda _: snapshot.alive_documents)
            bags = self.bags()
            if not bags:
                assert not retriever.retrieve("heron weir")
                return
            model = BM25Plus(list(bags.values()), k1=WEIGHTS.k1, b=WEIGHTS.b)
            terms = [term.term for term in ANALYZER.query("heron weir")]
            constant = sum(model.idf.get(term, 0.0) * model.delta for term in terms)
            expected = dict(zip(bags, (model.get_scores(terms) - constant).tolist(), strict=True))
            matches = retriever.match("heron weir")
            paths = {known.document_id: path for path, known in self.store.known_documents("lib").items()}
            for one in retriever.rank(matches, top_k=1_000).candidates:
                rows = retriever.explain(matches, one, matches.statistics).terms
                own = sum(row.score for row in rows if row.field == "body")
                assert own == pytest.approx(expected[(paths[one.document_id], one.index)], abs=1e-9)

    def bags(self) -> dict[tuple[str, int], list[str]]:
        """The terms of every live chunk, from its text as it is kept."""
        found = {}
        for path, known in self.store.known_documents("lib").items():
            for index in range(1, known.chunks + 1):
                row = self.store.passage("lib", known.document_id, index)
                assert row is not None
                found[(path, index)] = [token.term for token in ANALYZER.tokens(row.text)]
        return found


TestIndexMachine = IndexMachine.TestCase
TestIndexMachine.settings = settings(max_examples=settings().max_examples // 2, stateful_step_count=12)
