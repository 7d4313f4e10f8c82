"""Searching one library: match the query's terms, narrow the documents, score the passages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from ragspine_tui.retrieval.filtering.metadata_filter import MetadataFilter
from ragspine_tui.retrieval.lexical.analyzer import Analyzer, QueryTerm
from ragspine_tui.retrieval.lexical.gains import WEIGHTS, Weights
from ragspine_tui.retrieval.lexical.index import LexicalIndex, Ordinals
from ragspine_tui.retrieval.lexical.naming import naming_key
from ragspine_tui.retrieval.lexical.postings import meet
from ragspine_tui.retrieval.lexical.scorer import Account, Run, Scorer, tie_keys, top
from ragspine_tui.retrieval.lexical.statistics import Limits, Matches, Statistics, match

_TELLING: Final = 16
"""So many terms of a query tell passages apart."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A scored passage before the exits: `index` and `library_rank` count from 1.

    Where its age counts, `date` is its document's, and `factor` what its score was multiplied by for it.
    """

    library_id: str
    document_id: int
    index: int
    score: float
    library_rank: int
    tie: int
    chunk: int
    date: str = ""
    factor: float = 1.0

    @property
    def key(self) -> tuple[str, int, int]:
        """What makes a candidate itself, whatever its score."""
        return (self.library_id, self.document_id, self.index)


@dataclass(frozen=True, slots=True)
class Ranking:
    """A library's best candidates, best first, and how many passages matched before the cut."""

    total: int
    candidates: tuple[Candidate, ...]


class Retriever(Protocol):
    """What a single library and several together have in common."""

    def retrieve(
        self, query: str, *, metadata_filter: MetadataFilter | None = None, top_k: int = 20
    ) -> Sequence[Candidate]:
        """The best `top_k` candidates, best first; raises ValueError where `top_k` is negative."""


Narrow = Callable[[MetadataFilter], NDArray[np.bool_]]
"""A flag for each document of a library's index: whether a filter matches it."""


class LexicalRetriever:
    """BM25 over one library's index. A filter narrows the documents before scoring and leaves the statistics alone."""

    def __init__(
        self, library_id: str, index: LexicalIndex, analyzer: Analyzer, narrow: Narrow, weights: Weights = WEIGHTS
    ) -> None:
        self.library_id = library_id
        self._index = index
        self._analyzer = analyzer
        self._narrow = narrow
        self._weights = weights

    def terms(self, query: str, prefix: bool = False) -> list[QueryTerm]:
        """The query's terms in this library's language."""
        return self._analyzer.query(query, prefix=prefix)

    def match(self, query: str, prefix: bool = False) -> Matches:
        """The query's postings in this library, with the library's own statistics."""
        return match(self._index, self.terms(query, prefix), naming_key(query))

    def rank(
        self,
        matches: Matches,
        statistics: Statistics | None = None,
        *,
        metadata_filter: MetadataFilter | None = None,
        top_k: int = 20,
    ) -> Ranking:
        """The best candidates under `statistics` (None: the library's own). Raises ValueError on a negative `top_k`."""
        run = self._run(matches, statistics, metadata_filter, top_k, top_k)
        return self._ranking(run, top(run, self._index, top_k))

    def _run(
        self,
        matches: Matches,
        statistics: Statistics | None,
        metadata_filter: MetadataFilter | None,
        top_k: int,
        limit: int | None,
    ) -> Run:
        """The best `limit` chunks, None: all; `top_k` is what was asked for."""
        if top_k < 0:
            raise ValueError(f"top_k must not be negative, not {top_k}")
        scorer = Scorer(matches, statistics or matches.statistics, self._weights)
        limits = matches.limits
        allowed = both(self._allowed(metadata_filter), limits.documents)
        return scorer.run(Limits(allowed, limits.passages), limit)

    def _ranking(self, run: Run, positions: Ordinals) -> Ranking:
        """The candidates at these positions, in their order."""
        index = self._index
        chunks = run.chunks[positions]
        documents = index.document_of_chunk[chunks]
        rows = zip(
            index.documents[documents].tolist(),
            (chunks - index.first_chunk[documents] + 1).tolist(),
            run.scores[positions].tolist(),
            tie_keys(index, chunks).tolist(),
            chunks.tolist(),
            strict=True,
        )
        candidates = tuple(
            Candidate(self.library_id, document, number, score, rank, tie, chunk)
            for rank, (document, number, score, tie, chunk) in enumerate(rows, start=1)
        )
        return Ranking(run.total, candidates)

    def retrieve(
        self, query: str, *, metadata_filter: MetadataFilter | None = None, top_k: int = 20
    ) -> Sequence[Candidate]:
        """The library's best candidates for `query`, best first."""
        return self.rank(self.match(query), metadata_filter=metadata_filter, top_k=top_k).candidates

    def explain(self, matches: Matches, candidate: Candidate, statistics: Statistics) -> Account:
        """What each term gave a candidate of this library."""
        return Scorer(matches, statistics, self._weights).explain(candidate.chunk)

    def likenesses(self, matches: Matches, candidates: Sequence[Candidate]) -> list[bytes]:
        """Of each candidate its length in terms and how often it has the first of the query's terms.

        Passages with the same words have the same, whatever their documents are.
        """
        chunks = np.array([one.chunk for one in candidates], dtype=np.int64)
        rising = np.unique(chunks)
        columns = [self._index.lengths["body"][rising]]
        for term in matches.terms[:_TELLING]:
            column = np.zeros(len(rising))
            if "body" in term.postings:
                at, frequencies = meet(term.postings["body"], rising)
                column[at] = frequencies
            columns.append(column)
        rows = np.column_stack(columns)
        return [row.tobytes() for row in rows[rising.searchsorted(chunks)]]

    def _allowed(self, metadata_filter: MetadataFilter | None) -> NDArray[np.bool_] | None:
        if metadata_filter is None or not metadata_filter.conditions:
            return None
        return self._narrow(metadata_filter)


def both(one: NDArray[np.bool_] | None, other: NDArray[np.bool_] | None) -> NDArray[np.bool_] | None:
    """The flags that are in both; None allows all."""
    return other if one is None else one if other is None else one & other
