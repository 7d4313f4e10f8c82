"""Laying out by cells: cuts fit, wraps lose nothing, snippets show the matched word."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from ragspine_tui.tui.glyphs import UNICODE
from ragspine_tui.tui.text import Line, Run, citation, cut, fit, paragraphs, place, snippet, styled, width_of, wrap
from ragspine_tui.types import Hit, Span

WORDS = st.text(st.sampled_from("ab c  日本、。語\té\u0301\n(「」) longword"), max_size=80)
WIDTHS = st.integers(1, 30)


def hit(text: str, *marks: tuple[int, int]) -> Hit:
    """A hit with this text."""
    return Hit(
        rank=1, library_id="lib", document="a.md", title="A title", heading="", chunk_id="lib:a.md#c1", score=1.0,
        text=text, span=Span(0, len(text)), locator="a.md#para3-4", line=7, page=2,
        highlights=tuple(Span(*mark) for mark in marks),
    )  # fmt: skip


@given(WORDS, WIDTHS)
def test_a_cut_fits_and_is_a_start_of_the_text(text: str, width: int) -> None:
    start = cut(text, width)
    assert text.startswith(start)
    assert cell_len(start) <= width


@given(st.lists(st.tuples(WORDS.map(lambda t: t.replace("\n", " ")), st.sampled_from(["", "dim"])), max_size=4), WIDTHS)
def test_fitted_runs_never_exceed_the_width(runs: list[tuple[str, str]], width: int) -> None:
    assert width_of(fit([Run(*run) for run in runs], width, "…")) <= width


@given(WORDS, WORDS, st.integers(1, 60))
def test_a_line_fills_exactly_its_width(left: str, right: str, width: int) -> None:
    line = Line((Run(left.replace("\n", " ")),), (Run(right.replace("\n", " ")),))
    assert width_of(line.fitted(width, "…")) == width


@example("\ta", 2)
@given(WORDS, st.integers(2, 30))
def test_wrapping_loses_only_blanks_and_line_feeds(text: str, width: int) -> None:
    rows = wrap(text, width)
    assert all(a[1] <= b[0] for a, b in pairwise(rows))
    assert "".join(text[s:e] for s, e in rows).replace(" ", "").replace("\t", "") == "".join(text.split())
    assert all(cell_len(text[s:e].rstrip(" \t").replace("\t", "    ")) <= width for s, e in rows)


def test_wrapping_breaks_at_spaces_and_between_wide_characters() -> None:
    text = "one two three\n日本語の文章です。次"
    assert [text[s:e] for s, e in wrap(text, 8)] == ["one two", "three", "日本語の", "文章で", "す。次"]
    assert [text[s:e] for s, e in wrap(text, 100)] == text.split("\n")


def test_no_row_begins_with_a_closing_mark() -> None:
    text = "これは「試験」です。そして、次の文。" * 5
    for width in range(6, 30):
        assert not any(text[s] in "。、」" for s, e in wrap(text, width) if e > s)


@pytest.mark.parametrize("width", [12, 20, 38, 80])
def test_a_snippet_shows_the_first_matched_word_wherever_it_stands(width: int) -> None:
    text = "A long   beginning\n\nof the passage, with many words before the needle and some after it."
    at = text.index("needle")
    runs = snippet(hit(text, (at, at + 6)), width, UNICODE)
    assert "needle" in [run.text for run in runs if run.role == "match"]
    assert width_of(runs) <= width


def test_a_snippet_marks_each_match_after_blanks_are_collapsed() -> None:
    text = "\n\n  two\n\n   words  and\ttwo more"
    marks = [(4, 7), (text.rindex("two"), text.rindex("two") + 3)]
    runs = snippet(hit(text, *marks), 60, UNICODE)
    assert "".join(run.text for run in runs) == "two words and two more"
    assert [run.text for run in runs if run.role == "match"] == ["two", "two"]


@given(WORDS, st.lists(st.tuples(st.integers(0, 80), st.integers(0, 80)), max_size=4), st.integers(4, 40))
def test_a_snippet_never_fails_and_always_fits(text: str, marks: list[tuple[int, int]], width: int) -> None:
    spans = sorted((min(a, b, len(text)), min(max(a, b), len(text))) for a, b in marks)
    assert width_of(snippet(hit(text, *spans), width, UNICODE)) <= width


@given(WORDS, st.integers(0, 20), st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), max_size=4))
def test_styled_runs_are_the_text(text: str, offset: int, marks: list[tuple[int, int]]) -> None:
    spans = [Span(min(pair), max(pair)) for pair in sorted(marks)]
    assert "".join(run.text for run in styled(text, offset, spans, "match")) == text


def test_places_and_citations_are_short() -> None:
    assert paragraphs("notes/a.md#para12", UNICODE) == "¶12"
    assert paragraphs("notes/a.md#para12-14", UNICODE) == "¶12–14"
    assert paragraphs("nothing", UNICODE) == ""
    assert citation(hit("x")) == "A title. lib: a.md#para3-4 (line 7, p. 2)"
    row = replace(hit("x"), line=None, page=None, part="Costs!A4:F4")
    assert citation(row) == "A title. lib: a.md#para3-4 (Costs!A4:F4)"


def test_a_hits_part_is_cut_in_its_middle_where_it_is_long() -> None:
    assert place(replace(hit("a"), part="Costs!A4:F4", page=None), UNICODE) == "Costs!A4:F4 ¶3–4"
    long = place(replace(hit("a"), part="3 application/pdf \x1b[31m" + "minutes " * 9), UNICODE)
    assert cell_len(long) <= 36
    assert "\x1b" not in long
