"""Routing by the words of titles and descriptions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.retrieval.lexical.analyzer import Analyzer, Token
from ragspine_tui.retrieval.routing.router import (
    Described,
    KeywordLibraryRouter,
    explain_route,
    make_library_router,
)
from ragspine_tui.types import Library, Route, RoutedLibrary

PAPERS = Library("papers", "/p", "Papers", "Information retrieval: ranking, length normalisation, the Okapi model")
NOTES = Library("notes", "/n", "Field notebook", "Notes of walks, birds, and the ranking of trails")
COOKERY = Library("ryori", "/r", "料理帖", "和食の作り方、出汁、漬物、季節の料理")
MAIL = Library("mail", "/m", "Mail", "")
HANDBOOK = Library("handbuch", "/h", "Handbuch", "Wie man die Häuser heizt und lüftet")
ALL = (PAPERS, NOTES, COOKERY, MAIL, HANDBOOK)
REMEMBERING = KeywordLibraryRouter()


@pytest.fixture
def router() -> KeywordLibraryRouter:
    """A router of its own for each test."""
    return KeywordLibraryRouter()


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("length normalisation", ["papers"]),
        ("normalised lengths", ["papers"]),
        ("ＯＫＡＰＩ", ["papers"]),
        ("ranking", ["papers", "notes"]),
        ("ranking of birds", ["notes", "papers"]),
        ("mail", ["mail"]),
        ("notebook", ["notes"]),
        ("出汁の取り方", ["ryori"]),
        ("漬物", ["ryori"]),
        ("Haus", ["handbuch"]),
        ("okapi-model", ["papers"]),
    ],
)
def test_the_libraries_that_share_words_are_chosen_best_first(
    router: KeywordLibraryRouter, query: str, ids: list[str]
) -> None:
    assert router.route(query, ALL) == ids


@pytest.mark.parametrize("query", ["", "  ", "zebra", "the of and", "die und", "の", "料", "?!", "\0", "-" * 5000])
def test_what_shares_no_word_searches_everything_and_says_so(router: KeywordLibraryRouter, query: str) -> None:
    route = router.explain(query, ALL)
    assert route.fallback
    assert route.libraries == tuple(RoutedLibrary(library.library_id) for library in ALL)
    assert router.route(query, ALL) == [library.library_id for library in ALL]


@pytest.mark.parametrize("query", ["雪", "雪？", "庭", "日", "本", "と", "雪が"])
def test_a_single_character_of_a_script_without_spaces_routes_nowhere(router: KeywordLibraryRouter, query: str) -> None:
    snow = Library("snow", "/s", "帳面", "日本の庭と雪の日記")
    assert router.explain(query, (PAPERS, snow)).fallback


def test_ties_stand_in_library_order(router: KeywordLibraryRouter) -> None:
    assert router.route("ranking", (NOTES, PAPERS)) == ["notes", "papers"]
    assert router.route("ranking", (PAPERS, NOTES)) == ["papers", "notes"]


def test_a_repeated_word_counts_once(router: KeywordLibraryRouter) -> None:
    assert router.route("ranking ranking birds okapi okapi", ALL)[:2] == ["papers", "notes"]


def test_the_reason_is_the_persons_own_words(router: KeywordLibraryRouter) -> None:
    route = router.explain("How are Lengths normalised in ranking?", ALL)
    assert route == Route(
        "keyword",
        (RoutedLibrary("papers", ("Lengths", "normalised", "ranking")), RoutedLibrary("notes", ("ranking",))),
    )
    assert router.explain("季節の漬物", ALL).libraries == (RoutedLibrary("ryori", ("季節の", "漬物")),)


def test_a_library_indexed_in_its_own_language_is_routed_in_it(router: KeywordLibraryRouter) -> None:
    library = Library("de", "/d", "", "Rechnungen", language="de")
    assert router.route("Rechnung", (PAPERS, library)) == ["de"]
    unstemmed = Library("plain", "/d", "", "length normalisation", language="none")
    assert router.route("lengths", (COOKERY, unstemmed)) == ["plain"]


def test_the_spec_none_is_no_router_and_every_name_of_keyword_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert make_library_router("none") is None
    assert make_library_router("") is None
    for spec in ("keyword", "description", " Lexical "):
        assert isinstance(make_library_router(spec), KeywordLibraryRouter)
    monkeypatch.delenv("RAGSPINE_LIBRARY_ROUTER", raising=False)
    assert make_library_router() is None
    monkeypatch.setenv("RAGSPINE_LIBRARY_ROUTER", "keyword")
    assert isinstance(make_library_router(), KeywordLibraryRouter)
    assert make_library_router("none") is None


@pytest.mark.parametrize("spec", [" ", "llm"])
def test_an_unknown_router_lists_the_valid_ones(spec: str) -> None:
    with pytest.raises(ValueError, match=r"valid: none, keyword \(description, lexical\)"):
        make_library_router(spec)


class ChosenBy:
    """A router that gives what it was made with."""

    def __init__(self, *ids: str) -> None:
        self.ids = list(ids)

    def route(self, query: str, libraries: Sequence[Described]) -> list[str]:
        """The same ids for every query."""
        return self.ids


def test_no_router_is_every_library_without_a_fallback() -> None:
    assert explain_route(None, "ranking", (PAPERS, MAIL)) == Route(
        "none", (RoutedLibrary("papers"), RoutedLibrary("mail")), fallback=False
    )


def test_unknown_ids_are_left_out_and_an_id_counts_once() -> None:
    route = explain_route(ChosenBy("mail", "gone", "papers", "mail"), "q", ALL)
    assert [routed.library_id for routed in route.libraries] == ["mail", "papers"]
    assert not route.fallback


@pytest.mark.parametrize("ids", [(), ("gone",), ("", "gone")])
def test_an_empty_choice_or_only_unknown_ids_is_every_library(ids: tuple[str, ...]) -> None:
    route = explain_route(ChosenBy(*ids), "q", ALL)
    assert route.fallback
    assert [routed.library_id for routed in route.libraries] == [library.library_id for library in ALL]


def test_without_libraries_there_is_nothing_to_choose(router: KeywordLibraryRouter) -> None:
    assert router.route("ranking", ()) == []


@given(st.text(max_size=60))
def test_any_text_routes_to_known_libraries_and_twice_alike(query: str) -> None:
    router = KeywordLibraryRouter()
    route = router.explain(query, ALL)
    assert route == router.explain(query, ALL) == KeywordLibraryRouter().explain(query, ALL)
    ids = [routed.library_id for routed in route.libraries]
    assert set(ids) <= {library.library_id for library in ALL}
    assert len(ids) == len(set(ids)) > 0
    assert all(word in query for routed in route.libraries for word in routed.matched_terms)


@given(
    st.lists(st.sampled_from([*ALL, *(replace(one, language="fr") for one in ALL)]), min_size=1, max_size=5),
    st.text(st.sampled_from("ranking of birds漬物 Häuser"), max_size=30),
)
def test_what_a_router_remembers_changes_no_answer(libraries: list[Library], query: str) -> None:
    assert REMEMBERING.explain(query, libraries) == KeywordLibraryRouter().explain(query, libraries)


def test_a_description_that_was_changed_is_read_anew(router: KeywordLibraryRouter) -> None:
    assert router.route("birds", ALL) == ["notes"]
    changed = [replace(one, description="Birds") if one is MAIL else one for one in ALL]
    assert router.route("birds", changed) == ["notes", "mail"]


def test_a_long_query_over_many_libraries_is_read_once_a_language(
    router: KeywordLibraryRouter, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    tokens = Analyzer.tokens

    def counted(self: Analyzer, text: str) -> list[Token]:
        read.append(text)
        return tokens(self, text)

    monkeypatch.setattr(Analyzer, "tokens", counted)
    many = [replace(NOTES, library_id=f"n{number}") for number in range(200)]
    assert len(router.route("birds", many)) == 200
    assert read.count("birds") == 1
