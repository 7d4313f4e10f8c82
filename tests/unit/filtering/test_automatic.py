"""Filters read from the query by a closed vocabulary."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.retrieval.filtering.automatic import (
    ControlledVocabFilterExtractor,
    choose_filter,
    make_filter_extractor,
    make_vocabulary,
)
from ragspine_tui.retrieval.filtering.metadata_filter import MetadataFilter, make_filter
from ragspine_tui.types import FieldValues

VOCABULARY = (
    ("revenue", "metric", "revenue"),
    ("香港", "region", "HK"),
    ("Hong Kong", "region", "HK"),
    ("Tōkyō", "region", "TK"),
    ("東京", "region", "TK"),
    ("C++", "language", "cpp"),
    ("サーバー", "topic", "server"),
    ("서울", "region", "SE"),
    ("กรุงเทพ", "region", "BK"),
)


def extracted(query: str, vocabulary: Any = VOCABULARY) -> list[tuple[str, str, Any]]:
    """The conditions read from a query, as triples."""
    found = ControlledVocabFilterExtractor(vocabulary).extract(query)
    return [] if found is None else [(one.field, one.op, one.value) for one in found.conditions]


@pytest.mark.parametrize(
    ("query", "triples"),
    [
        ("revenue by year", [("metric", "eq", "revenue")]),
        ("REVENUE", [("metric", "eq", "revenue")]),
        ("ｒｅｖｅｎｕｅ", [("metric", "eq", "revenue")]),
        ("(revenue)", [("metric", "eq", "revenue")]),
        ("revenues", []),
        ("prerevenue", []),
        ("revenue_2024", []),
        ("香港REVENUE为什么", [("metric", "eq", "revenue"), ("region", "eq", "HK")]),
        ("香港和东京", [("region", "eq", "HK")]),
        ("東京都の天気", [("region", "eq", "TK")]),
        ("hong   kong hotels", [("region", "eq", "HK")]),
        ("hongkong", []),
        ("香港 Hong Kong", [("region", "eq", "HK")]),
        ("東京 and 香港", [("region", "in", ("HK", "TK"))]),
        ("C++ templates", [("language", "eq", "cpp")]),
        ("ｻｰﾊﾞｰの設定", [("topic", "eq", "server")]),
        ("서울에서", [("region", "eq", "SE")]),
        ("ไปกรุงเทพวันนี้", [("region", "eq", "BK")]),
        ("", []),
        ("nothing here", []),
    ],
)
def test_terms_are_found_at_word_boundaries_or_as_substrings_by_script(
    query: str, triples: list[tuple[str, str, Any]]
) -> None:
    assert extracted(query) == triples


def test_conditions_stand_in_vocabulary_order_whatever_the_query_says_first() -> None:
    assert extracted("香港 revenue") == extracted("revenue 香港")
    reverse = tuple(reversed(VOCABULARY))
    assert extracted("香港 revenue", reverse) == extracted("香港 revenue")[::-1]


def test_a_term_that_several_fields_share_narrows_the_first_alone() -> None:
    shared = [("Paris", "place", "Paris"), ("paris", "author", "Paris"), ("PARIS", "place", "paris")]
    assert extracted("paris hotels", shared) == [("place", "in", ("Paris", "paris"))]


def test_a_vocabulary_may_be_a_mapping_and_blank_terms_find_nothing() -> None:
    assert extracted("a revenue b", {"revenue": ("metric", "rev"), "": ("x", "y"), "  ": ("x", "z")}) == [
        ("metric", "eq", "rev")
    ]


def test_query_and_vocabulary_are_folded_by_the_same_function() -> None:
    extractor = make_filter_extractor("keyword", {"Müller": ("author", "M")}, fold=lambda text: text.replace("ü", "u"))
    assert extractor is not None
    assert extractor.extract("by Muller") == make_filter([("author", "eq", "M")])


def test_the_vocabulary_is_the_values_of_chosen_fields_and_then_the_synonyms() -> None:
    values = [
        FieldValues("lang", 3, (("en", 2), ("ja", 1))),
        FieldValues("size", 3, (("000000000009", 3),)),
        FieldValues("place", 1, (("Kyoto", 1),)),
    ]
    assert make_vocabulary(values, {"nihongo": ("lang", "ja")}) == (
        ("en", "lang", "en"),
        ("ja", "lang", "ja"),
        ("nihongo", "lang", "ja"),
    )
    assert make_vocabulary(values, fields=["place"]) == (("Kyoto", "place", "Kyoto"),)


def test_none_is_no_extractor_and_every_name_of_keyword_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert make_filter_extractor("none") is None
    assert make_filter_extractor("") is None
    for spec in ("keyword", "vocab", "Controlled-Vocab", "glossary"):
        assert isinstance(make_filter_extractor(spec, VOCABULARY), ControlledVocabFilterExtractor)
    monkeypatch.delenv("RAGSPINE_FILTER_EXTRACTOR", raising=False)
    assert make_filter_extractor() is None
    monkeypatch.setenv("RAGSPINE_FILTER_EXTRACTOR", "vocab")
    assert make_filter_extractor(None, VOCABULARY) is not None
    with pytest.raises(ValueError, match="controlled_vocab"):
        make_filter_extractor(" ")
    with pytest.raises(TypeError):
        make_filter_extractor("none", model="x")  # type: ignore[call-arg]


class Answering:
    """An extractor that answers what it was made with."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def extract(self, query: str) -> Any:
        """The same answer for every query."""
        return self.answer


def test_an_explicit_filter_beats_the_extractor() -> None:
    explicit, other = make_filter([("a", "eq", "1")]), make_filter([("b", "eq", "2")])
    assert choose_filter(explicit, Answering(other), "q") == (explicit, "user")
    assert choose_filter(None, Answering(other), "q") == (other, "extractor")
    assert choose_filter(MetadataFilter(), Answering(other), "q") == (other, "extractor")
    assert choose_filter(None, None, "q") == (None, "none")


@pytest.mark.parametrize("answer", [None, "text for the reader", [("a", "eq", "1")], MetadataFilter(), 3])
def test_an_extractor_that_answers_anything_but_a_filter_narrows_nothing(answer: Any) -> None:
    assert choose_filter(None, Answering(answer), "q") == (None, "none")


@given(st.text(max_size=40))
def test_any_query_gives_the_same_filter_twice(query: str) -> None:
    once, again = ControlledVocabFilterExtractor(VOCABULARY), ControlledVocabFilterExtractor(VOCABULARY)
    assert once.extract(query) == again.extract(query) == once.extract(query)


@given(st.text(max_size=10), st.sampled_from([term for term, _, _ in VOCABULARY]), st.text(max_size=10))
def test_a_term_that_stands_alone_is_always_found(before: str, term: str, after: str) -> None:
    assert extracted(f"{before} {term} {after}")
