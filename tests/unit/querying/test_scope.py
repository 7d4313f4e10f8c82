"""What a query says of libraries: `lib:`, and which words may route it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ragspine_tui.session import Session
from ragspine_tui.types import Condition, SearchRequest
from tests.homes import find, open_session, write_files


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """Three libraries that all speak of herons, described by other words."""
    with open_session(tmp_path / "home") as session:
        for name, description in (("birds", "herons and owls"), ("river", "weirs and mills"), ("town", "streets")):
            files = {"a.md": f"---\ntags: {name}\n---\n# Notes\n\nThe heron of the {name}, the weir, the mill."}
            session.add(write_files(tmp_path / name, files), library_id=name, description=description)
        session.index()
        yield session


def routed(session: Session, query: str) -> list[str]:
    """The libraries that a query is routed to."""
    route = session.search(SearchRequest(query, route="keyword")).route
    return [] if route.fallback else [one.library_id for one in route.libraries]


@pytest.mark.parametrize(
    ("query", "chosen"),
    [
        ("heron weirs", ["birds", "river"]),
        ("+heron mill", ["birds", "river"]),
        ('"heron of" weir', ["birds", "river"]),
        ("weir NEAR/5 mill", ["river"]),
        # What is not wanted, and what is asked of the metadata, says nothing of where to look.
        ("weir -heron", ["river"]),
        ("heron tags:mill", ["birds"]),
        ("-heron", []),
        ("tags:river", []),
    ],
)
def test_words_and_phrases_route_a_query_and_operators_do_not(session: Session, query: str, chosen: list[str]) -> None:
    assert sorted(routed(session, query)) == chosen


def test_libraries_chosen_in_the_query_are_chosen_by_hand(session: Session) -> None:
    result = session.search(SearchRequest("lib:town lib:river heron", route="keyword"))
    assert [one.library_id for one in result.route.libraries] == ["river", "town"]
    assert result.route.spec == "none"
    assert {hit.library_id for hit in result.hits} == {"river", "town"}


def test_a_query_never_widens_the_scope_it_is_asked_in(session: Session) -> None:
    result = session.search(SearchRequest("lib:town heron", libraries=("birds",)))
    assert {hit.library_id for hit in result.hits} == {"birds"}
    assert result.notes == ("no library town is in scope: lib:town is searched as text",)


def test_fields_are_those_of_the_libraries_in_scope(session: Session, tmp_path: Path) -> None:
    session.add(write_files(tmp_path / "more", {"a.md": "---\nseason: winter\n---\nheron"}), library_id="more")
    session.index(["more"])
    assert find(session, "heron season:winter").filter.text == "season = winter"
    result = session.search(SearchRequest("heron season:winter", libraries=("birds",)))
    assert result.filter.text == ""
    assert result.notes == ("no document has a field season: season:winter is searched as text",)


def test_what_routing_left_out_is_counted_where_nothing_was_found(session: Session) -> None:
    result = session.search(SearchRequest("owls heron tags:town", route="keyword"))
    assert [one.library_id for one in result.route.libraries] == ["birds"]
    assert result.total == 0
    assert result.narrowed is not None
    assert (result.narrowed.without_filter, result.narrowed.elsewhere) == (1, 1)


def test_what_the_filter_took_is_counted_where_the_query_is_nothing_but_conditions(session: Session) -> None:
    listed = session.search(SearchRequest("lib:birds"))
    assert listed.total > 0
    condition = Condition("tags", "eq", "nowhere")
    for request in (SearchRequest("lib:birds", conditions=(condition,)), SearchRequest("lib:birds tags:nowhere")):
        result = session.search(request)
        assert result.total == 0
        assert result.narrowed is not None
        assert result.narrowed.without_filter == listed.total


@pytest.mark.parametrize("query", ['"。"', "+。", "title:。 heron", '"…" heron', "-。 heron", "+\u0301 heron"])
def test_an_operator_without_a_word_asks_for_nothing(session: Session, query: str) -> None:
    result = find(session, query)
    assert bool(result.hits) is ("heron" in query)


def test_a_condition_that_is_typed_key_by_key_never_finds_nothing(session: Session) -> None:
    typed = 'tags:"river"'
    for end in range(len("tags:"), len(typed) + 1):
        blank = [f"{typed[:end]} "] if end > len("tags:") else []
        for text in (typed[:end], f"heron {typed[:end]}", *blank):
            result = session.search(SearchRequest(text, prefix=not text.endswith(" ")))
            assert result.total == (1 if end == len(typed) else 3)
