"""Which words of a query were found nowhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.retrieval.lexical.analyzer import Analyzer
from ragspine_tui.retrieval.querying.unknown import unknown_words
from tests.homes import find
from tests.unit.retrieval.conftest import Samples
from tests.unit.retrieval.reference import LAW

ENGLISH = Analyzer("en")
PIECES = (
    "heron",
    "Herons ",
    "the ",
    "台所",
    "の鍋 ",
    "香港REVENUE",
    "get_user_name",
    " ",
    "ｶﾀｶﾅ",
    "café",
    "สวัสดี",
    "\U0001f600",
    "-",
    "4.10",
)
TEXTS = st.one_of(st.lists(st.sampled_from(PIECES), max_size=8).map("".join), st.text(max_size=20))


def forms(text: str) -> set[str]:
    """Every term of a text and every unstemmed form."""
    return {form for token in ENGLISH.tokens(text) for form in (token.term, token.exact) if form}


@pytest.mark.parametrize(
    ("query", "known", "unknown"),
    [
        ("herons zebra", "heron", ("zebra",)),
        ("zebra heron ZEBRA zebra", "herons", ("zebra", "ZEBRA")),
        ("the zebra", "", ("zebra",)),
        ("出汁の鍋 zebra", "鍋", ("出汁の", "zebra")),
        ("香港REVENUE為什麼", "revenue", ("香港", "為什麼")),
        ("get_user_name", "user", ("get", "name")),
        ("Cafe ｶﾀｶﾅ", "café カタカナ", ()),
        ("", "heron", ()),
        (" - ", "", ()),
    ],
)
def test_words_found_nowhere_are_named_as_they_were_typed(query: str, known: str, unknown: tuple[str, ...]) -> None:
    assert unknown_words(query, ENGLISH, forms(known)) == unknown


@LAW
@given(TEXTS, TEXTS)
def test_an_unknown_word_stands_in_the_query_once_and_holds_no_known_term(query: str, known: str) -> None:
    found = unknown_words(query, ENGLISH, forms(known))
    assert len(set(found)) == len(found)
    assert all(word and word in query for word in found)
    assert found == unknown_words(query, ENGLISH, forms(known))


@LAW
@given(TEXTS)
def test_nothing_is_unknown_where_everything_is_known(query: str) -> None:
    assert unknown_words(query, ENGLISH, forms(query)) == ()


@LAW
@given(TEXTS)
def test_everything_searched_for_is_unknown_where_nothing_is_known(query: str) -> None:
    unknown = unknown_words(query, ENGLISH, ())
    assert bool(unknown) is bool(ENGLISH.query(query))


def test_a_word_is_unknown_where_no_library_holds_it_in_any_language(samples: Samples) -> None:
    assert find(samples.session, "rooks 昆布 rollers").unknown_terms == ()
    assert find(samples.session, "rooks zyzzyva 昆布 驫麤").unknown_terms == ("zyzzyva", "驫麤")
