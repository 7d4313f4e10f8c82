"""A library's retriever with one query in it: its terms are scored, and what it does not allow is left out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ragspine_tui.retrieval.dating.order import Order, ReadDates
from ragspine_tui.retrieval.filtering.metadata_filter import MetadataFilter
from ragspine_tui.retrieval.lexical.analyzer import Analyzer, QueryTerm
from ragspine_tui.retrieval.lexical.index import LexicalIndex
from ragspine_tui.retrieval.lexical.retriever import LexicalRetriever, Narrow, Ranking
from ragspine_tui.retrieval.lexical.statistics import Matches, Statistics
from ragspine_tui.retrieval.querying.constraints import Constraints
from ragspine_tui.retrieval.querying.query import Query


class QueryRetriever(LexicalRetriever):
    """Searches one library for one query; the text it is asked with is that query's plain words."""

    def __init__(
        self,
        library_id: str,
        index: LexicalIndex,
        analyzer: Analyzer,
        narrow: Narrow,
        query: Query,
        constraints: Constraints,
        order: Order | None = None,
        dates: ReadDates | None = None,
    ) -> None:
        super().__init__(library_id, index, analyzer, narrow)
        self._query = query
        self._constraints = constraints
        self._order = order
        self._dates = dates

    def terms(self, query: str, prefix: bool = False) -> list[QueryTerm]:  # noqa: ARG002
        """The terms to score."""
        return self._query.terms(self._analyzer)

    def match(self, query: str, prefix: bool = False) -> Matches:
        """The query's postings in this library, and what it allows here."""
        return replace(super().match(query, prefix), limits=self._constraints.limits(self._query))

    def rank(
        self,
        matches: Matches,
        statistics: Statistics | None = None,
        *,
        metadata_filter: MetadataFilter | None = None,
        top_k: int = 20,
    ) -> Ranking:
        """The first candidates in the search's order: of all that match, where it is not plain relevance."""
        if self._order is None or self._dates is None:
            return super().rank(matches, statistics, metadata_filter=metadata_filter, top_k=top_k)
        run = self._run(matches, statistics, metadata_filter, top_k, None)
        dates = self._dates()
        ranking = self._ranking(*self._order.best(run, self._index, dates, top_k))
        chunks = np.array([one.chunk for one in ranking.candidates], dtype=np.int64)
        numbers = dates.numbers[self._index.document_of_chunk[chunks]].tolist()
        factors = self._order.factors(dates).tolist()
        dated = (
            replace(one, date=dates.values[number], factor=factors[number])
            for one, number in zip(ranking.candidates, numbers, strict=True)
        )
        return replace(ranking, candidates=tuple(dated))
