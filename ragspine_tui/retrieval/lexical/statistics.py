"""What BM25 needs to know of one library or of several together, and which postings a query's terms have there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ragspine_tui.retrieval.lexical.analyzer import QueryTerm
from ragspine_tui.retrieval.lexical.index import LexicalIndex, Ordinals, Postings

MAX_EXPANSIONS: Final = 64
"""How many words a prefix stands for, the most frequent ones."""

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
    different languages, so that their statistics can be added.
    """

    key: str
    term: str
    weight: float
    postings: Mapping[str, Postings]


@dataclass(frozen=True, slots=True)
class Limits:
    """A flag for each document and each chunk of an index: whether a query allows it. None allows all."""

    documents: NDArray[np.bool_] | None = None
    passages: NDArray[np.bool_] | None = None


@dataclass(frozen=True, slots=True)
class Matches:
    """A query met with one library's index: its terms in query order, the library's statistics for them.

    `named` are the documents that are called exactly as the query says, rising. `limits` change no statistics.
    """

    index: LexicalIndex
    terms: tuple[MatchedTerm, ...]
    statistics: Statistics
    named: Ordinals = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    limits: Limits = Limits()


def match(index: LexicalIndex, query: Sequence[QueryTerm], name: str = "") -> Matches:
    """Fetch the postings of every distinct term, in the order of first occurrence; repetitions add to the weight.

    `name` is the whole query's naming key, '' where none is to be looked for.
    """
    terms = []
    for key, (term, weight) in _distinct(query).items():
        postings = _prefix_postings(index, term) if term.prefix else _term_postings(index, term)
        terms.append(MatchedTerm(key, term.prefix or term.term, weight, postings))
    statistics = Statistics(
        units=index.unit_counts,
        length={name: float(values.sum()) for name, values in index.lengths.items()},
        doc_freqs={term.key: {name: len(lists[0]) for name, lists in term.postings.items()} for term in terms},
    )
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


def _term_postings(index: LexicalIndex, term: QueryTerm) -> Mapping[str, Postings]:
    found = dict(index.postings(term.term))
    exact = index.postings(term.exact) if term.exact else {}
    if "exact" in exact:
        found["exact"] = exact["exact"]
    else:
        found.pop("exact", None)
    for name in ("title", "name", "metadata", "heading"):
        if name in exact:
            found[name] = _union([found[name], exact[name]]) if name in found else exact[name]
    return _with_documents(index, found)


def _prefix_postings(index: LexicalIndex, term: QueryTerm) -> Mapping[str, Postings]:
    """All words that begin as the last one does, and that word itself: it may be complete, and stemmed otherwise."""
    pieces: dict[str, list[Postings]] = {}
    words = dict.fromkeys((term.term, *index.expansions(term.prefix, MAX_EXPANSIONS)))
    for word in words:
        for name, lists in index.postings(word).items():
            pieces.setdefault("body" if name == "exact" else name, []).append(lists)
    return _with_documents(index, {name: _union(lists) for name, lists in pieces.items()})


def _with_documents(index: LexicalIndex, found: dict[str, Postings]) -> Mapping[str, Postings]:
    """Add the `document` grain: a document's term frequency is the sum over its chunks."""
    if "body" in found:
        ordinals, frequencies = found["body"]
        documents = index.document_of_chunk[ordinals]
        found["document"] = _grouped(documents, frequencies)
    return found


def _union(lists: Sequence[Postings]) -> Postings:
    if len(lists) == 1:
        return lists[0]
    ordinals = np.concatenate([piece[0] for piece in lists])
    order = np.argsort(ordinals, kind="stable")
    return _grouped(ordinals[order], np.concatenate([piece[1] for piece in lists])[order])


def _grouped(ordinals: Ordinals, frequencies: Ordinals) -> Postings:
    starts = np.flatnonzero(np.diff(ordinals, prepend=-1))
    return ordinals[starts], np.add.reduceat(frequencies, starts) if len(starts) else frequencies[:0]
