"""The arithmetic of the benchmark's tables: ratios, verdicts, percentiles, fits."""

from __future__ import annotations

import pytest

from benchmarks.engine.command import size_of
from benchmarks.engine.cost import fitted
from benchmarks.engine.figures import Figures, quotient
from benchmarks.engine.ours import ENGINE
from benchmarks.engine.queries import Query
from benchmarks.engine.results import classes, page, targets
from benchmarks.engine.searching import Search
from benchmarks.engine.targets import TARGETS, Target, shown
from benchmarks.engine.timing import Times, interleaved, ordered_share

MACHINE = {"date": "2026-01-01", "cores": 2, "load": 0.5, "system": "Linux", "python": "3.11"}


def of_class(**ways: float) -> dict[str, dict[str, dict[str, float]]]:
    return {"times": {way: {"median": seconds, "p95": 2 * seconds} for way, seconds in ways.items()}}


def figures(**parts: object) -> Figures:
    return Figures(
        1_000,
        {
            name: {"machine": MACHINE, "revision": "abc", "command": "make bench", "data": data}
            for name, data in parts.items()
        },
    )


MEASURED = figures(
    classes={
        "classes": {
            "middling": of_class(**{ENGINE: 0.002, "fts5": 0.004, "tantivy": 0.0005, "bm25s": 0.003}),
            "common": of_class(**{ENGINE: 0.010, "fts5": 0.3, "tantivy": 0.008, "bm25s": 0.005}),
            "prefix": of_class(**{ENGINE: 0.005, "fts5": 0.006}),
        },
        "cost": {"base": 1e-4, "each": 2e-9, "r2": 0.9, "exponent": 0.7},
    },
    indexing={
        "seconds": {"ours": 4.0, "fts5": 2.0},
        "pipeline": {"seconds": 10.0, "cpu_seconds": 14.0, "mb_per_second": 7.0, "peak_bytes": 5e8},
    },
    cold={kind: {"seconds": value} for kind, value in (("rare", 0.3), ("middling", 0.4), ("common", 0.7))},
)


def target(text: str) -> Target:
    return next(one for one in TARGETS if one.text == text)


def test_a_ratio_is_the_peers_time_over_ours() -> None:
    assert MEASURED.ratio("common", "fts5") == pytest.approx(30.0)
    assert MEASURED.ratio("common", "rank_bm25") is None
    assert MEASURED.ratio("phrase", "fts5") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("FTS5 over ours, slowest class", "1.20x (prefix as typed) met"),
        ("bm25s over ours, slowest class", "0.50x (3 common) **missed**"),
        ("FTS5 over ours, 3 common", "30.0x met"),
        ("FTS5 over ours, 5 mixed", "-"),
        ("ours over tantivy, 3 middling", "4.00x **missed**"),
        ("ours over tantivy, 3 common", "1.25x met"),
        ("rank_bm25 over ours, slowest plain class", "-"),
        ("prefix as typed over 3 middling", "2.50x **missed**"),
        ("p95 over median, worst class", "2.00x (3 middling) met"),
        ("growth with postings, exponent", "0.70 met"),
        ("memory of a searching process", "-"),
        ("speed of the index itself, of FTS5's", "0.50x met"),
        ("whole pipeline", "7.00 MB/s **missed**"),
        ("whole pipeline, of one processor's time", "5.00 MB/s met"),
        ("memory of indexing", "500 MB met"),
        ("cold search by the command line", "700 ms (common word) **missed**"),
    ],
)
def test_a_target_is_met_or_missed_by_its_figure_or_was_not_measured(text: str, said: str) -> None:
    assert target(text).verdict(MEASURED) == said


def test_a_bound_itself_is_met_from_both_sides() -> None:
    at_least = Target("speed", lambda _: None, 2.0)
    at_most = Target("memory", lambda _: None, 2.0, at_least=False)
    assert at_least.is_met(2.0) and at_most.is_met(2.0)
    assert not at_least.is_met(1.99) and not at_most.is_met(2.01)


def test_figures_are_shown_in_three_digits_or_so() -> None:
    assert [shown(value, "x") for value in (0.123, 1.0, 12.34, 123.4, 1234.5)] == [
        "0.12x",
        "1.00x",
        "12.3x",
        "123x",
        "1,234x",
    ]
    assert shown(3.5, "MB") == "3.50 MB"


def test_quotients_of_what_is_missing_or_nothing_are_missing() -> None:
    assert quotient(6.0, 3.0) == 2.0
    assert quotient(None, 3.0) is None
    assert quotient(6.0, None) is None
    assert quotient(6.0, 0.0) is None


def test_p95_is_what_all_but_a_twentieth_stay_below() -> None:
    assert ordered_share(range(1, 101), 0.95) == 95
    assert ordered_share(range(1, 51), 0.95) == 48
    assert ordered_share([3.0], 0.95) == 3.0
    assert Times((4.0, 1.0, 3.0, 2.0)).median == 2.5


def test_a_line_is_found_again_with_its_exponent() -> None:
    postings = [10, 100, 1_000, 10_000]
    fit = fitted(postings, [1e-4 + 2e-9 * one for one in postings])
    assert fit.base == pytest.approx(1e-4)
    assert fit.each == pytest.approx(2e-9)
    assert fit.r2 == pytest.approx(1.0)
    assert fitted(postings, [3e-9 * one**1.5 for one in postings]).exponent == pytest.approx(1.5)


def test_every_way_is_run_once_for_warming_and_then_every_round_in_turns() -> None:
    ran: list[str] = []
    queries = [Query("rare", ("a",), 1), Query("rare", ("b",), 1)]

    def way(name: str) -> Search:
        def search(query: Query) -> list[object]:
            ran.append(f"{name}{query.text}")
            return []

        return search

    times = interleaved({"x": way("x"), "y": way("y")}, queries, rounds=2)
    assert ran == ["xa", "xb", "ya", "yb", "xa", "xb", "ya", "yb", "ya", "yb", "xa", "xb"]
    assert {name: len(one.each) for name, one in times.items()} == {"x": 2, "y": 2}


def test_tables_have_a_cell_for_every_way_and_size() -> None:
    text = classes(MEASURED)
    assert "| class | ours | fts5 | tantivy | bm25s |" in text
    assert "| 3 common | 10.0 / 20.0 | 300 / 600, 30.0x | 8.00 / 16.0, 0.80x | 5.00 / 10.0, 0.50x |" in text
    assert "| prefix as typed | 5.00 / 10.0 | 6.00 / 12.0, 1.20x | - | - |" in text
    assert targets([MEASURED, MEASURED]).splitlines()[0] == "| target | wanted | 1,000 | 1,000 |"


def test_the_page_says_when_and_by_what_each_part_was_measured() -> None:
    text = page([MEASURED], {"SQLite": "3.40"})
    assert "| cold | 2026-01-01, Python 3.11, Linux, 2 cores | 0.5 | abc | `make bench` |" in text
    assert "Versions: SQLite 3.40." in text
    assert "the power 0.70" in text
    assert "its phrase class is of the plain words" in text


def test_sizes_are_written_short() -> None:
    assert [size_of(text) for text in ("500", "10k", "2M")] == [500, 10_000, 2_000_000]
    for text in ("", "k", "0", "10K", "-5"):
        with pytest.raises(ValueError, match="not a number of chunks"):
            size_of(text)
