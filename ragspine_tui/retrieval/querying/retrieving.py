"""A library's retriever with one query in it: its terms are scored, and what it does not allow is left out."""

from __future__ import annotations

from dataclasses import replace

from ragspine_tui.retrieval.lexical.analyzer import Analyzer, QueryTerm
from ragspine_tui.retrieval.lexical.index import LexicalIndex
from ragspine_tui.retrieval.lexical.retriever import LexicalRetriever, Narrow
from ragspine_tui.retrieval.lexical.statistics import Matches
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
    ) -> None:
        super().__init__(library_id, index, analyzer, narrow)
        self._query = query
        self._constraints = constraints

    def terms(self, query: str, prefix: bool = False) -> list[QueryTerm]:  # noqa: ARG002
        """The terms to score."""
        return self._query.terms(self._analyzer)

    def match(self, query: str, prefix: bool = False) -> Matches:
        """The query's postings in this library, and what it allows here."""
        return replace(super().match(query, prefix), limits=self._constraints.limits(self._query))
