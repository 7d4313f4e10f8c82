"""What a value that would mislead was meant to be."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.reader import read_document
from ragspine_tui.retrieval.filtering.completion import completed, shown_value, stored_size
from ragspine_tui.retrieval.filtering.metadata_filter import holds, make_filter
from ragspine_tui.retrieval.filtering.textual import format_condition, parse_condition
from ragspine_tui.types import Condition


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("date <= 2025-01", "date <= 2025-01-31T23:59:59Z"),
        ("date > 2024-02", "date > 2024-02-29T23:59:59Z"),
        ("modified <= 2025", "modified <= 2025-12-31T23:59:59Z"),
        ("created <= 2025-01-15T09", "created <= 2025-01-15T09:59:59Z"),
        ('created <= "2025-01-15 09:30"', "created <= 2025-01-15T09:30:59Z"),
        ("date = 2025-01-15", "date 2025-01-15..2025-01-15T23:59:59Z"),
        ("date 2024..2025-03", "date 2024..2025-03-31T23:59:59Z"),
        ("date >= 2025-1-5", "date >= 2025-01-05"),
        ("date < 2025/01/05", "date < 2025-01-05"),
        ("size > 9", "size > 000000000009"),
        ("size > 10k", "size > 000000010240"),
        ("size 1.5M..2GB", "size 000001572864..002147483648"),
        ('size in 1,"2 KiB"', "size in 000000000001,000000002048"),
    ],
)
def test_a_value_that_would_mislead_has_a_completed_form(typed: str, meant: str) -> None:
    better = completed(parse_condition(typed))
    assert better is not None
    assert format_condition(better) == meant
    assert completed(better) is None


@pytest.mark.parametrize(
    "typed",
    [
        "date >= 2025-01",
        "date < 2025",
        "date <= 2025-01-15T09:30:00Z",
        "date = 2025-01-15T09:30:00Z",
        "date <= 2025-13",
        "date <= 2025-02-29",
        "date <= 2025-01-15T25",
        "date <= yesterday",
        "date != 2025",
        "date in 2024,2025",
        "date in ()",
        "year <= 2025",
        "size > big",
        "size > -1",
        "size > 000000000009",
        "size > 999999999T",
        "lang = 9",
    ],
)
def test_what_already_says_it_or_is_unknown_is_left_alone(typed: str) -> None:
    assert completed(parse_condition(typed)) is None


@given(st.datetimes(), st.sampled_from(["gt", "lte", "eq"]), st.integers(0, 4))
def test_a_completed_date_means_the_whole_period(moment: object, op: str, parts: int) -> None:
    stored = f"{str(moment)[:10]}T{str(moment)[11:19]}Z"
    prefix = stored[: (4, 7, 10, 13, 16)[parts]]
    better = completed(Condition("modified", op, prefix))
    assert better is not None
    assert holds(better, {"modified": stored}) is (op != "gt")


@given(st.integers(0, 10**12 - 1), st.integers(0, 10**12 - 1))
def test_stored_sizes_are_in_the_order_of_the_numbers(one: int, other: int) -> None:
    assert (stored_size(one) < stored_size(other)) is (one < other)
    assert shown_value("size", stored_size(one)) == str(one)


def test_only_sizes_are_shown_otherwise_than_stored() -> None:
    assert shown_value("year", "000000000009") == "000000000009"
    assert shown_value("size", "unknown") == "unknown"


def test_a_completed_condition_finds_a_document_that_was_read(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    path.write_text("x" * 3000, encoding="utf-8")
    document = read_document(path, "note.txt")
    better = [completed(Condition("size", op, value)) for op, value in (("gt", "2k"), ("lt", "3k"), ("eq", "3000"))]
    assert all(better)
    assert make_filter((one.field, one.op, one.value) for one in better if one).matches(document)
