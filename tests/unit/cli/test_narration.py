"""Narration stays a few short lines, whatever was asked."""

from __future__ import annotations

import pytest

from ragspine_tui.cli.narration import lines
from ragspine_tui.types import FilterReport, Route, RoutedLibrary, SearchResult


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
