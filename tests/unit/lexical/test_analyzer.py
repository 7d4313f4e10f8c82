"""The analyzer's laws: counting equals tokenizing, spans land on the original characters, any text is fine."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.retrieval.lexical.analyzer import Analyzer

ENGLISH = Analyzer("en")
ANY_TEXT = st.text(st.characters(codec=None), max_size=60)


@given(ANY_TEXT)
def test_counting_gives_the_same_terms_as_tokenizing(text: str) -> None:
    tokens = ENGLISH.tokens(text)
    counts = ENGLISH.count(text)
    assert dict(counts.body) == Counter(token.term for token in tokens)
    assert dict(counts.exact) == Counter(token.exact for token in tokens if token.exact)
    assert counts.length == len(tokens)


@given(ANY_TEXT)
def test_spans_are_ordered_and_inside_the_text(text: str) -> None:
    tokens = ENGLISH.tokens(text)
    assert all(0 <= token.start < token.end <= len(text) for token in tokens)
    assert [token.start for token in tokens] == sorted(token.start for token in tokens)
