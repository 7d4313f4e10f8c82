"""Phrases in a text: adjacent words in order, whatever stands between them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.retrieval.lexical.analyzer import Analyzer
from ragspine_tui.retrieval.querying.sequences import occurrences, words_of

ENGLISH = Analyzer("en")


def found(phrase: str, text: str, *, begins: bool = False) -> list[str]:
    """The stretches of the text that the phrase covers."""
    words = words_of(ENGLISH, phrase, begins=begins)
    return [one.span.of(text) for one in occurrences(words, text, ENGLISH)]


@pytest.mark.parametrize(
    ("phrase", "text", "covered"),
    [
        ("grey heron", "A grey heron; Grey, Herons. heron grey", ["grey heron", "Grey, Herons"]),
        ("to be or not to be", "To be, or not to be?", ["To be, or not to be"]),
        ("user name", "get_user_name and userName and user names", ["user_name", "userName", "user names"]),
        ("get_user_name", "getUserName get-user-name get user name", ["getUserName", "get-user-name", "get user name"]),
        ("DEC-0054", "DEC-0054, dec 0054; DEC 54", ["DEC-0054", "dec 0054"]),
        ("2026.4.10", "v2026.4.10 and 2026.4.1", ["2026.4.10"]),
        ("6829.50", "6.829,50 and 6,829.50, 6829,50 and 6829.5", ["6.829,50", "6,829.50", "6829,50"]),
        ("6.829,50", "paid 6829.50", ["6829.50"]),
        ("C++ code", "C code, C++ code, C# code", ["C++ code"]),
        (".NET core", "the net core of .NET core", [".NET core"]),
        ("vLLM engine", "the LLM engine, a vLLM engine", ["vLLM engine"]),
        ("台所", "私の台所、台と所", ["台所"]),
        ("台所 手帖", "台所手帖 台所、手帖 手帖台所", ["台所手帖", "台所、手帖"]),
        ("株式会社", "これは㍿です", ["㍿"]),
        ("カタカナ", "ｶﾀｶﾅ です", ["ｶﾀｶﾅ"]),
        ("ไทย", "ภาษาไทยไม่มี", ["ไทย"]),
        ("ภาษาไทย", "ภาษาไทยไม่มี", ["ภาษาไทย"]),
        ("café society", "Cafe\u0301 Society", ["Cafe\u0301 Society"]),
        ("don't mind", "I don’t mind", ["don’t mind"]),
        ("heron", "no bird", []),
        ("...", "no bird ...", []),
    ],
)
def test_a_phrase_covers_its_words_and_what_is_between_them(phrase: str, text: str, covered: list[str]) -> None:
    assert found(phrase, text) == covered


def test_the_last_word_of_an_open_phrase_may_be_a_beginning() -> None:
    assert found("grey her", "grey herons, grey eels, her grey", begins=True) == ["grey herons"]
    assert found("grey her", "grey herons") == []


WORDS = st.lists(st.sampled_from(["heron", "eel", "weir", "台所", "手帖", "C++", "get_user_name", "café"]), max_size=8)


@given(WORDS, WORDS, WORDS)
def test_a_phrase_is_found_in_every_text_that_holds_it(before: list[str], phrase: list[str], after: list[str]) -> None:
    text = "; ".join([*before, *phrase, *after])
    if phrase:
        assert any(one.endswith(phrase[-1]) and one.startswith(phrase[0]) for one in found(" ".join(phrase), text))


@given(st.text(max_size=30), st.text(max_size=30))
def test_an_occurrence_is_a_span_of_the_text(phrase: str, text: str) -> None:
    for one in occurrences(words_of(ENGLISH, phrase), text, ENGLISH):
        assert 0 <= one.span.start < one.span.end <= len(text)
        assert one.first <= one.last


@given(st.text(max_size=40))
def test_a_text_with_words_holds_itself(text: str) -> None:
    words = words_of(ENGLISH, text)
    if words.units:
        assert next(iter(occurrences(words, text, ENGLISH)), None) is not None
