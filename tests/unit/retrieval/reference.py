"""Libraries in memory: the app's own chunks and counts behind an index of plain dictionaries, and random documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Any, Final

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ragspine_tui.entries import EntryMaker
from ragspine_tui.retrieval.filtering.metadata_filter import MetadataFilter
from ragspine_tui.retrieval.lexical.analyzer import Analyzer
from ragspine_tui.retrieval.lexical.index import Ordinals, PostingList, Postings
from ragspine_tui.retrieval.lexical.retriever import Candidate, LexicalRetriever
from ragspine_tui.types import OPERATORS, Condition, Document, Library
from storage.building import IndexedDocument
from storage.documents import SourceRow
from storage.memo import Memo
from tests.unit.chunking.documents import blocked

Bag = Mapping[str, int]
Place = tuple[str, int]
"""A passage by its document's path and its number, which do not depend on the order of indexing."""


class MemoryIndex:
    """A LexicalIndex written the slow and plain way: a list of bags of words a field."""

    def __init__(self, documents: Sequence[IndexedDocument], *, columns: bool = False) -> None:
        self._columns = columns
        self.memo = Memo(1 << 20)
        sections = [section for document in documents for section in document.sections]
        chunks = [chunk for section in sections for chunk in section.chunks]
        self._bags: dict[str, list[Bag]] = {
            "body": [Counter((*chain.from_iterable(run[0] for run in runs), *loose)) for runs, loose, _ in chunks],
            "exact": [Counter(chain.from_iterable(run[1] for run in runs)) for runs, _, _ in chunks],
            "title": [document.title for document in documents],
            "name": [document.name for document in documents],
            "metadata": [document.metadata for document in documents],
            "heading": [section.heading for section in sections],
        }
        self.documents: NDArray[np.int64] = np.arange(1, len(documents) + 1)
        self.hashes: NDArray[np.uint64] = np.array([document.hash for document in documents], dtype=np.uint64)
        self.first_chunk: Ordinals = np.cumsum([0, *(document.chunks for document in documents)])
        body_lengths = [length for _, _, length in chunks]
        self.opening_chunk: Ordinals = np.array(
            [
                next((chunk for chunk in range(first, end) if body_lengths[chunk]), first)
                for first, end in pairwise(self.first_chunk.tolist())
            ],
            dtype=np.int64,
        )
        self.document_of_chunk: Ordinals = np.repeat(
            np.arange(len(documents)), [document.chunks for document in documents]
        )
        self.section_of_chunk: Ordinals = np.repeat(
            np.arange(len(sections)), [len(section.chunks) for section in sections]
        )
        self.section_first_chunk: Ordinals = np.cumsum([0, *(len(section.chunks) for section in sections)])
        self.document_of_section: Ordinals = np.repeat(
            np.arange(len(documents)), [len(document.sections) for document in documents]
        )
        self._runs = [runs for runs, _, _ in chunks]
        lengths = {name: [sum(bag.values()) for bag in bags] for name, bags in self._bags.items() if name != "exact"}
        lengths["body"] = [length for _, _, length in chunks]
        lengths["document"] = [
            sum(length for section in document.sections for _, _, length in section.chunks) for document in documents
        ]
        self.lengths = {name: np.array(values, dtype=np.float64) for name, values in lengths.items()}
        self.unit_counts = {name: len(values) for name, values in lengths.items()}
        self.total_lengths = {name: float(sum(values)) for name, values in lengths.items()}

    def lists(self, term: str) -> Mapping[str, PostingList]:
        """The same as `postings`, or all of it as columns."""
        found: dict[str, PostingList] = dict(self.postings(term))
        if self._columns:
            for name, (ordinals, frequencies) in self.postings(term).items():
                column = np.zeros(len(self._bags[name]), dtype=np.uint16)
                column[ordinals] = frequencies
                found[name] = column
        return found

    def places(self, term: str) -> Postings:
        """Where `term` stands in each chunk, by counting through its runs."""
        found = []
        for number, runs in enumerate(self._runs):
            base = 0
            for terms, _, places, width in runs:
                found += [(number, base + at) for one, at in zip(terms, places, strict=True) if one == term]
                base += width
        pairs = np.array(sorted(found), dtype=np.int64).reshape(-1, 2)
        return pairs[:, 0], pairs[:, 1]

    def postings(self, term: str) -> Mapping[str, Postings]:
        """Where `term` stands, by looking into every bag."""
        found = {}
        for name, bags in self._bags.items():
            ordinals = [ordinal for ordinal, bag in enumerate(bags) if term in bag]
            if ordinals:
                found[name] = (np.array(ordinals), np.array([bags[ordinal][term] for ordinal in ordinals]))
        return found

    def named(self, key: str) -> Ordinals:
        """No document of this index has a name of its own."""
        return np.empty(0, dtype=np.int64)

    def expansions(self, prefix: str, limit: int) -> Sequence[str]:
        """The words that begin so, those in most chunks first."""
        totals: dict[str, int] = {}
        for name, bags in self._bags.items():
            for bag in bags:
                for term in bag:
                    if term.startswith(prefix):
                        totals[term] = totals.get(term, 0) + (name in ("body", "exact"))
        return sorted(totals, key=lambda term: (-totals[term], term))[:limit]

    def words_of(self, chunk: int) -> set[str]:
        """Every term that makes a chunk a match: its own, and those of its document's names."""
        document = int(self.document_of_chunk[chunk])
        return self.own_words_of(chunk).union(*(self._bags[name][document] for name in ("title", "name", "metadata")))

    def own_words_of(self, chunk: int) -> set[str]:
        """Every term of a chunk's own text."""
        return {*self._bags["body"][chunk], *self._bags["exact"][chunk]}


@dataclass(frozen=True, slots=True)
class MemoryLibrary:
    """A library that lives in memory, with the retriever that searches it."""

    library_id: str
    documents: Sequence[Document]
    analyzer: Analyzer
    index: MemoryIndex
    indexed: Sequence[IndexedDocument]
    retriever: LexicalRetriever

    def document(self, candidate: Candidate) -> Document:
        """The document of a candidate."""
        return self.documents[candidate.document_id - 1]

    def places(self, candidates: Sequence[Candidate]) -> list[Place]:
        """The candidates by path and number, in their order."""
        return [(self.document(one).path, one.index) for one in candidates]

    def scores(self, candidates: Sequence[Candidate]) -> dict[Place, float]:
        """The candidates' scores by path and number."""
        return dict(zip(self.places(candidates), [one.score for one in candidates], strict=True))

    def everything(self, query: str, metadata_filter: MetadataFilter | None = None) -> Sequence[Candidate]:
        """The whole ranking of a query."""
        return self.retriever.retrieve(query, metadata_filter=metadata_filter, top_k=10_000)


def memory_library(documents: Sequence[Document], library_id: str = "lib", *, leaks: bool = False) -> MemoryLibrary:
    """A library of these documents, counted as ingesting counts them; with `leaks`, RESTRICTED ones as well."""
    analyzer = Analyzer("en")
    maker = EntryMaker(Library(library_id, "/nowhere"), lambda _: False, analyzer)
    entries = [maker.entry(SourceRow(one.path, 0, 0), _unlabelled(one) if leaks else one) for one in documents]
    kept = [(one, entry.terms) for one, entry in zip(documents, entries, strict=True) if entry.terms and entry.chunks]
    terms = [terms for _, terms in kept]
    index = MemoryIndex(terms)
    indexed = [document for document, _ in kept]

    def narrow(metadata_filter: MetadataFilter) -> NDArray[np.bool_]:
        return np.array([metadata_filter.matches(one) for one in indexed], dtype=np.bool_)

    retriever = LexicalRetriever(library_id, index, analyzer, narrow)
    return MemoryLibrary(library_id, indexed, analyzer, index, terms, retriever)


def _unlabelled(document: Document) -> Document:
    return replace(document, fields={name: values for name, values in document.fields.items() if name != "sensitivity"})


WORDS: Final = (
    "heron",
    "herons",
    "Weir",
    "eel",
    "nesting",
    "the",
    "and",
    "台所",
    "日本の鍋",
    "get_user_name",
    "café",
    "夹",
)
PATHS: Final = ("a.md", "b.md", "c/a.md", "heron.md", "weir-notes.txt", "台所.md", "café.md")
TITLES: Final = ("", "Herons", "The weir at night", "台所の手帖")
PLACES: Final = (("Weir",), ("Marsh", "Weir"), ("",), ("marsh",))
YEARS: Final = (("2021",), ("2024",), ("9",))

LAW = settings(deadline=None)
"""How a law is tried: never against a clock."""

QUERIES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)


@st.composite
def libraries_of_documents(draw: Callable[..., Any], most: int = 6) -> list[Document]:
    """Up to `most` small documents with different paths, many of them alike in what they say."""
    paths = draw(st.lists(st.sampled_from(PATHS), unique=True, max_size=most))
    return [draw(_document(path)) for path in paths]


@st.composite
def _document(draw: Callable[..., Any], path: str) -> Document:
    paragraph = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
    long = paragraph.map(lambda text: f"{text}. " * 40)
    heading = st.sampled_from(WORDS).map(lambda word: f"# {word}")
    units = draw(st.lists(st.one_of(paragraph, paragraph, heading, long), max_size=5))
    fields = draw(
        st.fixed_dictionaries({}, optional={"place": st.sampled_from(PLACES), "year": st.sampled_from(YEARS)})
    )
    return replace(blocked(*units, name=path), title=draw(st.sampled_from(TITLES)), fields=fields)


def _condition(op: str) -> st.SearchStrategy[Condition]:
    one: st.SearchStrategy[Any] = st.sampled_from(["Weir", "Marsh", "marsh", "2021", "2022", "9", ""])
    if op in ("in", "nin"):
        one = st.lists(one, max_size=3)
    elif op == "between":
        one = st.tuples(one, one)
    return st.builds(Condition, st.sampled_from(["place", "year", "nowhere"]), st.just(op), one)


FILTERS = st.builds(
    MetadataFilter,
    st.lists(st.sampled_from(OPERATORS).flatmap(_condition), min_size=1, max_size=3).map(tuple),
    st.sampled_from(["and", "or"]),
)
