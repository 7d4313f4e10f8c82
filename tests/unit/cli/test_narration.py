"""Narration stays a few short lines, whatever was asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ragspine_tui.cli.narration import lines
from ragspine_tui.types import FilterReport, FilterStep, Route, RoutedLibrary, SearchResult


def result(unknown: tuple[str, ...] = (), route: Route | None = None) -> SearchResult:
    """What a search says that found nothing."""
    return SearchResult("q", "economy", "score", route or Route("none", ()), FilterReport(), 0, (), unknown)


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (1, "nowhere in these libraries: w0"),
        (10, "nowhere in these libraries: w0, w1, w2, w3, w4, w5, w6, w7, w8, w9"),
        (11, "nowhere in these libraries: w0, w1, w2, w3, w4, w5, w6, w7, w8, w9 and 1 more"),
        (5_000, "nowhere in these libraries: w0, w1, w2, w3, w4, w5, w6, w7, w8, w9 and 4,990 more"),
    ],
)
def test_unknown_words_are_the_first_ten_and_a_count(count: int, told: str) -> None:
    assert told in lines(result(tuple(f"w{number}" for number in range(count))))


def test_a_long_word_is_cut() -> None:
    told = list(lines(result(("x" * 100_000, "heron"))))[-1]
    assert told.endswith("…, heron")
    assert len(told) < 120


def test_a_route_over_many_libraries_and_words_is_short() -> None:
    chosen = tuple(RoutedLibrary(f"library-{number}", ("x" * 1_000,) * 50) for number in range(300))
    (told,) = lines(result(route=Route(spec="keyword", libraries=chosen)))
    assert told.endswith("and 290 more")
    assert len(told) < 10_000


def test_a_fallback_names_what_was_searched_and_a_library_left_out_says_how_to_get_it_in() -> None:
    route = Route("keyword", (RoutedLibrary("boats"),), fallback=True)
    assert next(iter(lines(result(route=route)))).endswith("no library's description matches: in boats")
    told = list(lines(replace(result(), left_out=("law",))))[-1]
    assert told.endswith("law ('--route none' searches every library)")


def test_what_lacks_a_field_is_counted_by_the_field_alone() -> None:
    steps = (
        FilterStep(None, 9),
        FilterStep("tags in winter,birds", 4, 1),
        FilterStep('"my field" = "a b"', 0, 3),
    )
    report = FilterReport("the filter", "user", steps)
    told = list(lines(replace(result(), filter=report)))
    assert 'filter: the filter: documents 9 → 4 → 0; 1 has no tags; 3 have no "my field"' in told
