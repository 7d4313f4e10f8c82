"""The query a person typed, and which of its words were found nowhere. Any text at all is a legal query."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ragspine_tui.retrieval.lexical.analyzer import Analyzer
from ragspine_tui.types import Span


@dataclass(frozen=True, slots=True)
class Query:
    """`text` as typed; `prefix` takes the last word as the beginning of one."""

    text: str
    prefix: bool = False


def unknown_words(query: Query, analyzer: Analyzer, known: Iterable[str]) -> tuple[str, ...]:
    """The stretches of the query whose terms are all outside `known` (terms and unstemmed forms), as typed, each once.

    Words that are never searched for (stop words) are not unknown.
    """
    found = set(known)
    searched = {form for term in analyzer.query(query.text) for form in (term.term, term.exact) if form}
    tokens = [token for token in analyzer.tokens(query.text) if token.term in searched]
    covered = [Span(token.start, token.end) for token in tokens if not found.isdisjoint((token.term, token.exact))]
    missing = [
        Span(token.start, token.end)
        for token in tokens
        if not any(span.start < token.end and token.start < span.end for span in covered)
    ]
    return tuple(dict.fromkeys(span.of(query.text) for span in _merged(missing)))


def _merged(spans: Sequence[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start < merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged
