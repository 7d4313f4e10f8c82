"""A hit's score: BM25 at two grains (the passage, its whole document) and in the fields that name it.

A document's title, file name and whole text lift its passages in proportion to what each passage has itself, so that
the best passage carries its document's full weight and a stray word in a good document does not. A document that is
called exactly as the query says comes first.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ragspine_tui.retrieval.lexical.bm25 import PostingsBM25
from ragspine_tui.retrieval.lexical.index import LexicalIndex, Ordinals, Scores
from ragspine_tui.retrieval.lexical.statistics import MatchedTerm, Matches, Statistics
from ragspine_tui.types import TermScore


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each grain and field counts beside a passage's own words (1), and BM25's parameters.

    Tuned on judged collections in seven languages; `docs/architecture.md` has the figures.
    """

    exact: float = 0.4
    heading: float = 0.75
    document: float = 3.0
    title: float = 0.75
    name: float = 0.75
    metadata: float = 0.25
    k1: float = 1.2
    b: float = 0.65

    def of(self, field: str) -> float:
        """The weight of a field's BM25 in the sum."""
        return 1.0 if field == "body" else float(getattr(self, field))


WEIGHTS: Final = Weights()

_CHUNK_FIELDS: Final = ("body", "exact")
_DOCUMENT_FIELDS: Final = ("document", "title", "name", "metadata")
_LENGTH_OF: Final[Mapping[str, str]] = {"exact": "body"}


@dataclass(frozen=True, slots=True)
class Run:
    """Matched chunks (ordinals, rising) and their scores; `total` is how many there are."""

    chunks: Ordinals
    scores: Scores

    @property
    def total(self) -> int:
        """How many chunks matched."""
        return len(self.chunks)


class Scorer:
    """Scores one library's matches with given statistics: its own, or those of several libraries together."""

    def __init__(self, matches: Matches, statistics: Statistics, weights: Weights = WEIGHTS) -> None:
        self._matches = matches
        self._statistics = statistics
        self._weights = weights
        self._models: dict[str, PostingsBM25] = {}

    def run(self, allowed: NDArray[np.bool_] | None = None, passages: NDArray[np.bool_] | None = None) -> Run:
        """Every chunk that shares a term with the query, of the documents that `allowed` (a flag each) lets through,
        and where `passages` (a flag a chunk) does.

        A document that only its title or name matches is there with its first chunk.
        """
        index = self._matches.index
        documents = len(index.documents)
        own = self._field_sums(_CHUNK_FIELDS, len(index.document_of_chunk))
        lift = self._field_sums(_DOCUMENT_FIELDS, documents)
        lift[self._matches.named] += self._name_score
        touched = np.flatnonzero(own)
        scores = own[touched]
        if self._sections is not None:
            scores += self._sections[index.section_of_chunk[touched]]
        parents = index.document_of_chunk[touched]
        best = _best_of_groups(parents, scores, documents)
        scores += lift[parents] * (scores / best[parents])
        named = np.flatnonzero((lift > 0) & (best == 0))
        firsts = index.first_chunk[named]
        chunks = np.concatenate([touched, firsts])
        scores = np.concatenate([scores, lift[named]])
        if allowed is not None:
            keep = allowed[np.concatenate([parents, named])]
            chunks, scores = chunks[keep], scores[keep]
        if passages is not None:
            keep = passages[chunks]
            chunks, scores = chunks[keep], scores[keep]
        return Run(chunks, scores)

    def explain(self, chunk: int) -> tuple[TermScore, ...]:
        """What each term gave a chunk in each field, before the document's share is taken."""
        index = self._matches.index
        unit = {
            **dict.fromkeys(_CHUNK_FIELDS, chunk),
            **dict.fromkeys(_DOCUMENT_FIELDS, int(index.document_of_chunk[chunk])),
            "heading": int(index.section_of_chunk[chunk]),
        }
        rows = []
        for term in self._matches.terms:
            for name in (*_CHUNK_FIELDS, "heading", *_DOCUMENT_FIELDS):
                if name not in term.postings:
                    continue
                ordinals, frequencies = term.postings[name]
                at = int(np.searchsorted(ordinals, unit[name]))
                if at < len(ordinals) and ordinals[at] == unit[name]:
                    gained = self._gained(term, name, ordinals[at : at + 1], frequencies[at : at + 1])
                    doc_freq = self._statistics.doc_freqs[term.key][name]
                    idf = self._model(name).idf[term.key]
                    rows.append(TermScore(term.term, name, int(frequencies[at]), doc_freq, idf, float(gained[0])))
        named = self._matches.named
        if unit["document"] in named:
            rows.append(
                TermScore(
                    " ".join(term.term for term in self._matches.terms), "named", 1, len(named), 0.0, self._name_score
                )
            )
        return tuple(rows)

    @cached_property
    def _name_score(self) -> float:
        """What a document called exactly as the query says gains: as much as the query's words can give at most."""
        fields = ("body", *_CHUNK_FIELDS[1:], "heading", *_DOCUMENT_FIELDS)
        most = 0.0
        for term in self._matches.terms:
            idfs = (self._model(name).idf.get(term.key, 0.0) * self._weights.of(name) for name in fields)
            most += term.weight * (self._weights.k1 + 1) * sum(idfs)
        return most

    @cached_property
    def _sections(self) -> Scores | None:
        if not any("heading" in term.postings for term in self._matches.terms):
            return None
        return self._field_sums(("heading",), len(self._matches.index.lengths["heading"]))

    def _field_sums(self, fields: tuple[str, ...], units: int) -> Scores:
        sums = np.zeros(units)
        for term in self._matches.terms:
            for name in fields:
                if name in term.postings:
                    ordinals, frequencies = term.postings[name]
                    sums[ordinals] += self._gained(term, name, ordinals, frequencies)
        return sums

    def _gained(self, term: MatchedTerm, name: str, ordinals: Ordinals, frequencies: Ordinals) -> Scores:
        lengths = self._matches.index.lengths[_LENGTH_OF.get(name, name)][ordinals]
        gained = self._model(name).term_scores(term.key, frequencies, lengths)
        gained *= term.weight * self._weights.of(name)
        return gained

    def _model(self, name: str) -> PostingsBM25:
        if name not in self._models:
            statistics = self._statistics
            field = _LENGTH_OF.get(name, name)
            doc_freqs = {key: freqs.get(name, 0) for key, freqs in statistics.doc_freqs.items()}
            self._models[name] = PostingsBM25(
                statistics.units[field], statistics.length[field], doc_freqs, self._weights.k1, self._weights.b
            )
        return self._models[name]


def _best_of_groups(groups: Ordinals, scores: Scores, count: int) -> Scores:
    """The best score of each group, 0 for those without any; `groups` rise."""
    best = np.zeros(count)
    starts = np.flatnonzero(np.diff(groups, prepend=-1))
    if len(starts):
        best[groups[starts]] = np.maximum.reduceat(scores, starts)
    return best


def top(run: Run, index: LexicalIndex, limit: int) -> Ordinals:
    """Positions in `run` of its `limit` best chunks, best first; equal scores are ordered by `tie_keys`."""
    scores = run.scores
    if limit < len(scores):
        cut = np.partition(scores, len(scores) - limit)[len(scores) - limit] if limit else np.inf
        positions = np.flatnonzero(scores >= cut)
    else:
        positions = np.arange(len(scores))
    order = np.lexsort((tie_keys(index, run.chunks[positions]), -scores[positions]))
    return positions[order][:limit]


def tie_keys(index: LexicalIndex, chunks: Ordinals) -> NDArray[np.uint64]:
    """A 64-bit key of each chunk that depends on its library, path and number alone (splitmix64's mixing)."""
    documents = index.document_of_chunk[chunks]
    numbers = (chunks - index.first_chunk[documents]).astype(np.uint64)
    mixed: NDArray[np.uint64] = index.hashes[documents] + numbers * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
