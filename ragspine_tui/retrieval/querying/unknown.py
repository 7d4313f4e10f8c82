"""Which words of a query were found nowhere."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from ragspine_tui.retrieval.lexical.analyzer import Analyzer
from ragspine_tui.retrieval.lexical.statistics import searched_terms
from ragspine_tui.types import Span


def unknown_words(text: str, analyzer: Analyzer, known: Iterable[str]) -> tuple[str, ...]:
    """The stretches of the text whose terms are all outside `known` (terms and unstemmed forms), as typed, each once.

    Words that are never searched for (stop words) are not unknown.
    """
    found = set(known)
    terms = searched_terms(analyzer.query(text))
    searched = {form for term in terms for form in (term.term, term.exact) if form}
    tokens = [token for token in analyzer.tokens(text) if token.term in searched]
    covered = _merged([Span(token.start, token.end) for token in tokens if token.term in found or token.exact in found])
    ends = [span.end for span in covered]
    missing = []
    for token in tokens:
        # The first covered stretch that does not end before the token begins.
        at = bisect_right(ends, token.start)
        if at == len(covered) or covered[at].start >= token.end:
            missing.append(Span(token.start, token.end))
    return tuple(dict.fromkeys(span.of(text) for span in _merged(missing)))


def _merged(spans: Sequence[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start < merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged
