"""What of a passage a query's words cover: words wherever they stand, phrases where they stand together."""

from __future__ import annotations

from ragspine_tui.retrieval.lexical.analyzer import Analyzer
from ragspine_tui.retrieval.lexical.statistics import searched_terms
from ragspine_tui.retrieval.querying.clauses import EXCLUDED
from ragspine_tui.retrieval.querying.query import Query
from ragspine_tui.retrieval.querying.sequences import Places, words_of
from ragspine_tui.types import Span


class Highlighter:
    """Finds a query's words in passages of libraries that share an analyzer. A phrase is one span."""

    def __init__(self, query: Query, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._terms = searched_terms(query.terms(analyzer))
        quoted = [clause for clause in query.clauses if clause.quoted and clause.sign != EXCLUDED]
        said = dict.fromkeys(query.words(clause) for clause in quoted if clause.condition is None)
        self._phrases = [words_of(analyzer, text) for text in said]
        if self._phrases:
            # A word that only a phrase has is marked in the phrase alone.
            loose = {token.term for token in analyzer.tokens(query.loose)}
            self._terms = [term for term in self._terms if term.term in loose]

    def spans(self, text: str) -> tuple[Span, ...]:
        """The spans of `text` to mark, in order, merged where they touch."""
        spans = self._analyzer.highlights(text, self._terms)
        if not self._phrases:
            return spans
        places = Places(text, self._analyzer)
        phrases = [found.span for words in self._phrases for found in places.occurrences(words)]
        return tuple(_merged([*spans, *phrases]))


def _merged(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged
