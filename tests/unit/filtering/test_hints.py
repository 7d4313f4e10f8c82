"""What is odd about a condition is said, with what may have been meant; what says what it means is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.retrieval.filtering.hints import hint
from ragspine_tui.retrieval.filtering.metadata_filter import holds
from ragspine_tui.retrieval.filtering.textual import parse_condition
from ragspine_tui.types import Condition, FieldValues


def field(name: str, *values: str) -> FieldValues:
    return FieldValues(name, len(values), tuple((value, 1) for value in values))


FIELDS = (
    field("author", "Ines Marlock", "Tomasina Quill", "佐藤 健", "水無瀬 千草"),
    field("date", "2025-01-15", "2025-03-01", "spring 2024"),
    field("folder", "sub"),
    field("kind", "eml", "html", "md", "mbox", "docx", "xlsx"),
    field("minutes", "30", "45", "90", "240", "300"),
    field("from", "Klaus Behrmann <klaus@example.org>", "Klaus Behrmann <kb@example.org>", "Ann <ann@example.org>"),
    field("name", "soup.md"),
    field("price", "9.5", "10.25", "n/a"),
    field("rating", "7", "9", "10"),
    field("size", "000000000009", "000000012000"),
    field("tags", "winter", "birds"),
    field("version", "2026.4.10", "2026.4.2", "2025.12.1"),
    field("year", "2009", "2010"),
)


def said(text: str) -> str:
    found = hint(parse_condition(text), FIELDS)
    return found.said_of(parse_condition(text)) if found else ""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("rating >= 10", "values are compared as text, so 10 stands before 7; did you mean 'rating = 10'?"),
        ("rating > 8", "values are compared as text, so 10 stands before 8; did you mean 'rating in 9,10'?"),
        ("rating < 10", "values are compared as text, so 10 stands before 7; did you mean 'rating in 7,9'?"),
        ("price <= 10", "values are compared as text, so 10 stands before 9.5; did you mean 'price = 9.5'?"),
        ("rating > 50", "values are compared as text, so 50 stands before 7"),
        ("minutes 45..240", "as text, '45' comes after '240'; did you mean 'minutes in 45,90,240'?"),
        ("minutes 90..240", "as text, '90' comes after '240'; did you mean 'minutes in 90,240'?"),
        ("minutes between 240,45", "the first number is the larger one; did you mean 'minutes in 45,90,240'?"),
        ("version >= 2026.4.9", "so 2026.4.10 stands before 2026.4.9; did you mean 'version = 2026.4.10'?"),
        ("version > 2026.4", ""),
        ("version < 2026.4.9", "did you mean 'version in 2025.12.1,2026.4.2'?"),
        ("version 2026.4.2..2026.4.10", "did you mean 'version in 2026.4.2,2026.4.10'?"),
        ("year >= 2010", ""),
        ("rating = 10", ""),
        ("tags > 8", ""),
    ],
)
def test_numbers_in_a_persons_own_fields_are_offered_as_numbers(text: str, told: str) -> None:
    if told:
        assert said(text).endswith(told)
    else:
        assert "did you mean" not in said(text)


@given(
    st.lists(st.integers(-500, 500).map(str), min_size=1, max_size=15, unique=True),
    st.sampled_from(["gt", "gte", "lt", "lte"]),
    st.integers(-500, 500),
)
def test_numbers_are_remarked_on_where_text_and_numbers_differ_and_only_there(
    values: list[str], op: str, bound: int
) -> None:
    condition = Condition("n", op, str(bound))
    found = hint(condition, [field("n", *values)])
    as_text = {value for value in values if holds(condition, {"n": value})}
    tests = {"gt": int.__gt__, "gte": int.__ge__, "lt": int.__lt__, "lte": int.__le__}
    as_numbers = {value for value in values if tests[op](int(value), bound)}
    assert (found is not None) == (as_text != as_numbers)
    if found and found.better:
        assert {value for value in values if holds(found.better, {"n": value})} == as_numbers


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('"Tags" = winter', "no document has a field 'Tags'; did you mean 'tags = winter'?"),
        ("tag = winter", "did you mean 'tags = winter'?"),
        ("path = soup.md", "no document has a field 'path'; did you mean 'name = soup.md'?"),
        ("path = sub/soup.md", "no document has a field 'path'"),
        ("colour = red", "no document has a field 'colour'"),
        ("tags = Winter", "no document has the value 'Winter'; did you mean 'tags = winter'?"),
        ("tags != Winter", "did you mean 'tags != winter'?"),
        ("tags in Winter,birds", "did you mean 'tags in winter,birds'?"),
        ("tags = wintr", "did you mean 'tags = winter'?"),
        ("author = Tomasina", "did you mean 'author = \"Tomasina Quill\"'?"),
        ('author = "佐藤　健"', "did you mean 'author = \"佐藤 健\"'?"),
        ("author = 水無瀬千草", "did you mean 'author = \"水無瀬 千草\"'?"),
        ("kind = mail", "no document has the value 'mail'; did you mean 'kind in eml,mbox'?"),
        ("kind = Email", "did you mean 'kind in eml,mbox'?"),
        ("kind != word", "did you mean 'kind != docx'?"),
        ("kind in pdf,excel", "did you mean 'kind in pdf,xlsx'?"),
        ("kind = Markdown", "did you mean 'kind = md'?"),
        (
            'from = "Klaus Behrmann"',
            'did you mean \'from in "Klaus Behrmann <klaus@example.org>","Klaus Behrmann <kb@example.org>"\'?',
        ),
        ("from = ann@example.org", "did you mean 'from = \"Ann <ann@example.org>\"'?"),
        ("date = 15/01/2025", "dates are written as 2025-01-31; did you mean 'date 2025-01-15..2025-01-15T23:59:59Z'?"),
        ("date > 15.01.2025", "did you mean 'date > 2025-01-15T23:59:59Z'?"),
        ("date > 03/04/2025", "date > 03/04/2025: dates are written as 2025-01-31"),
        ("date > last-week", "date > last-week: dates are written as 2025-01-31"),
        ("date <= 2025-01", "values are compared as text; did you mean 'date <= 2025-01-31T23:59:59Z'?"),
        ("date 2025..2024", "nothing can match, as the first value comes after the second"),
        ("size > 9", "did you mean 'size > 000000000009'?"),
    ],
)
def test_a_slip_is_said_with_what_may_have_been_meant(text: str, told: str) -> None:
    assert told in said(text)
    if "did you mean" not in told:
        assert "did you mean" not in said(text) or text == "date 2025..2024"


@pytest.mark.parametrize(
    "text",
    [
        "date = 2025-01-15",
        "kind = powerpoint",
        "version > 2026.4.1",
        'date = "spring 2024"',
        "tags = winter",
        "tags = summer",
        "tags > winter",
        "size > 000000000009",
        "date >= 2025",
        "year 2005..2020",
        "name = soup.md",
    ],
)
def test_a_condition_that_says_what_it_means_is_left_alone(text: str) -> None:
    assert said(text) == ""


def test_a_day_that_means_no_more_than_what_it_finds_is_left_alone() -> None:
    days, times = field("date", "2024-06-15", "2024-07-01"), field("date", "2024-06-15T08:00:00Z", "2024-07-01")
    for text in ("date <= 2024-06-15", "date > 2024-06-15", "date 2024-06-01..2024-06-15"):
        assert hint(parse_condition(text), [days]) is None
        found = hint(parse_condition(text), [times])
        assert found is not None
        assert "2024-06-15T23:59:59Z" in found.said


def test_where_not_all_values_are_known_none_is_said_to_be_nowhere() -> None:
    many = field("tags", *(f"t{number}" for number in range(5_000)))
    assert hint(parse_condition("tags = T5"), [many]) is None
    assert hint(parse_condition("anything = x"), []) is None


@given(st.text(max_size=20), st.sampled_from(["eq", "in", "gt", "between"]), st.text(max_size=8), st.text(max_size=8))
def test_any_condition_has_a_hint_or_none(name: str, op: str, first: str, second: str) -> None:
    condition = Condition(name, op, {"in": (first,), "between": (first, second)}.get(op, first))
    for fields in (FIELDS, [field(name, first, second)]):
        found = hint(condition, fields)
        assert found is None or (found.better != condition and found.said_of(condition))
