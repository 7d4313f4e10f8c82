"""What BM25 needs to know of one library or of several together, and which postings a query's terms have there."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ragspine_tui.retrieval.lexical.analyzer import QueryTerm
from ragspine_tui.retrieval.lexical.index import LexicalIndex, Ordinals, PostingList
from ragspine_tui.retrieval.lexical.postings import added, by_document, count, size

MAX_EXPANSIONS: Final = 64
"""How many words a prefix stands for, the most frequent ones."""

_OVERHEAD: Final = 500
"""Bytes that remembering a term takes beside its lists, roughly."""

MAX_TERMS: Final = 2_000
"""How many distinct terms of a query are searched for, the first ones: a pasted book is no query."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """Units and total length of each field, and the doc_freq of each of the query's terms in it."""

    units: Mapping[str, int]
    length: Mapping[str, float]
    doc_freqs: Mapping[str, Mapping[str, int]]

    def __add__(self, other: "Statistics") -> "Statistics":
        """The statistics of both collections together, for the same query."""
        return Statistics(
            {name: count + other.units[name] for name, count in self.units.items()},
            {name: length + other.length[name] for name, length in self.length.items()},
            {
                key: _summed(self.doc_freqs.get(key, {}), other.doc_freqs.get(key, {}))
                for key in {**self.doc_freqs, **other.doc_freqs}
            },
        )


def _summed(mine: Mapping[str, int], theirs: Mapping[str, int]) -> Mapping[str, int]:
    return {name: mine.get(name, 0) + theirs.get(name, 0) for name in {**mine, **theirs}}


@dataclass(frozen=True, slots=True)
class MatchedTerm:
    """One distinct query term with its weight (its repetitions added up) and its postings, a field.

    `key` is the word as the query has it, folded but not stemmed (and a `*` after a prefix): the same in libraries of
    different languages, so that their statistics can be added. `origin` is what the postings were made of here.
    """

    key: str
    term: str
    weight: float
    origin: tuple[str, str, str]
    postings: Mapping[str, PostingList]


@dataclass(frozen=True, slots=True)
class Limits:
    """A flag for each document and each chunk of an index: whether a query allows it. None allows all."""

    documents: NDArray[np.bool_] | None = None
    passages: NDArray[np.bool_] | None = None


NO_LIMITS: Final = Limits()


@dataclass(frozen=True, slots=True)
class Matches:
    """A query met with one library's index: its terms in query order, the library's statistics for them.

    `named` are the documents that are called exactly as the query says, rising. `limits` change no statistics.
    """

    index: LexicalIndex
    terms: tuple[MatchedTerm, ...]
    statistics: Statistics
    named: Ordinals = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    limits: Limits = NO_LIMITS

    def lists(self, fields: Iterable[str]) -> list[PostingList]:
        """The terms' posting lists in these fields."""
        return [term.postings[name] for name in fields for term in self.terms if name in term.postings]


def match(index: LexicalIndex, query: Sequence[QueryTerm], name: str = "") -> Matches:
    """Fetch the postings of every distinct term, in the order of first occurrence; repetitions add to the weight.

    `name` is the whole query's naming key, '' where none is to be looked for.
    """
    terms = []
    doc_freqs: dict[str, Mapping[str, int]] = {}
    for key, (term, weight) in _distinct(query).items():
        found = _lists_of(index, term)
        doc_freqs[key] = found.doc_freqs
        origin = (term.term, term.exact, term.prefix)
        terms.append(MatchedTerm(key, term.prefix or term.term, weight, origin, found.lists))
    statistics = Statistics(index.unit_counts, index.total_lengths, doc_freqs)
    return (
        Matches(index, tuple(terms), statistics, index.named(name))
        if name
        else Matches(index, tuple(terms), statistics)
    )


def searched_terms(query: Sequence[QueryTerm]) -> list[QueryTerm]:
    """The distinct terms that a search looks for, in query order."""
    return [term for term, _ in _distinct(query).values()]


def _distinct(query: Sequence[QueryTerm]) -> dict[str, tuple[QueryTerm, float]]:
    weights: dict[str, tuple[QueryTerm, float]] = {}
    for term in query:
        key = f"{term.prefix}*" if term.prefix else term.exact or term.term
        first, weight = weights.get(key, (term, 0.0))
        if key in weights or len(weights) < MAX_TERMS:
            weights[key] = (first, weight + term.weight)
    return weights


@dataclass(frozen=True, slots=True)
class _TermLists:
    """A term's lists by field, and how long each is."""

    lists: Mapping[str, PostingList]
    doc_freqs: Mapping[str, int]


def _lists_of(index: LexicalIndex, term: QueryTerm) -> _TermLists:
    def make() -> tuple[_TermLists, int]:
        lists = _prefix_lists(index, term) if term.prefix else _term_lists(index, term)
        if "body" in lists:
            lists["document"] = by_document(lists["body"], index.document_of_chunk, index.first_chunk)
        held = sum(map(size, lists.values())) + _OVERHEAD
        return _TermLists(lists, {name: count(one) for name, one in lists.items()}), held

    return index.memo.get((term.term, term.exact, term.prefix), make)


def _term_lists(index: LexicalIndex, term: QueryTerm) -> dict[str, PostingList]:
    found = dict(index.lists(term.term))
    exact = index.lists(term.exact) if term.exact else {}
    if "exact" in exact:
        found["exact"] = exact["exact"]
    else:
        found.pop("exact", None)
    for name in ("title", "name", "metadata", "heading"):
        if name in exact:
            both = [found[name], exact[name]] if name in found else [exact[name]]
            found[name] = added(both, len(index.lengths[name]))
    return found


def _prefix_lists(index: LexicalIndex, term: QueryTerm) -> dict[str, PostingList]:
    """All words that begin as the last one does, and that word itself: it may be complete, and stemmed otherwise."""
    pieces: dict[str, list[PostingList]] = {}
    words = dict.fromkeys((term.term, *index.expansions(term.prefix, MAX_EXPANSIONS)))
    for word in words:
        for name, one in index.lists(word).items():
            pieces.setdefault("body" if name == "exact" else name, []).append(one)
    return {name: added(lists, len(index.lengths[name])) for name, lists in pieces.items()}
