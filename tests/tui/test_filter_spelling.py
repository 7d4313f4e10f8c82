"""Fields and values that are offered read back as themselves, whatever stands in a document's metadata."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.widgets import Input

from ragspine_tui.retrieval.filtering.textual import parse_condition, plain_field
from ragspine_tui.tui.filters import FieldsView, FilterSuggester, comes_next
from ragspine_tui.types import Condition, FieldValues
from tests.tui.driving import Driver, drive, library, write

ODD = ('"q"', "'q'", "a,b", "..", "a..b", "(x)", "a=b", "\\u{41}", "\x00nul", "in", "[/]", "\u202eevil")


def suggested(line: str, *fields: FieldValues) -> str | None:
    """What the line is completed to."""
    suggester = FilterSuggester()
    suggester.fields = fields
    return asyncio.run(suggester.get_suggestion(line))


@pytest.mark.parametrize("op", ["eq", "in", "nin"])
@given(st.sampled_from(ODD) | st.text(max_size=6))
def test_a_value_that_is_offered_is_the_value_that_is_asked_for(op: str, value: str) -> None:
    offered = suggested(f"tags {op} ", FieldValues("tags", 1, ((value, 1),)))
    if offered is not None:
        assert parse_condition(offered) == Condition("tags", op, [value] if op != "eq" else value)


@given(st.sampled_from(ODD) | st.text(max_size=6).map(plain_field))
def test_a_field_that_is_offered_is_the_field_that_is_asked_for(field: str) -> None:
    for start in ('"', field[:1]):
        offered = suggested(start, FieldValues(field, 1, (("v", 1),)))
        if offered is not None:
            assert parse_condition(f"{offered} eq v") == Condition(field, "eq", "v")
            assert suggested(f"{offered} eq ", FieldValues(field, 1, (("v", 1),))) == f"{offered} eq v"


def test_values_are_named_as_they_are_written() -> None:
    fields = (FieldValues("due date", 2, (('say "hi"', 1), ("plain", 1))),)
    assert comes_next('"due date" = ', fields) == 'then a value, like "say \\"hi\\"", plain'
    assert comes_next("'due date' = ", fields) == 'then a value, like "say \\"hi\\"", plain'


def test_a_clicked_field_of_two_words_begins_a_condition_that_is_right(home: Path, tmp_path: Path) -> None:
    folder = write(tmp_path / "tasks", a="---\ndue date: monday\n---\n# Task\n\nnormalisation of the garden")
    library(home, folder, library_id="tasks")

    async def flow(driver: Driver) -> None:
        await driver.type("garden")
        view = driver.main.query_one(FieldsView)
        shown = [field.field for field in view.fields]
        await driver.pilot.click(FieldsView, offset=(2, shown.index("due date")))
        line = driver.main.query_one("#filter", Input)
        assert line.value == '"due date" eq '
        await driver.type("monday")
        await driver.press("enter")
        assert driver.hits() == ["a.md"]
        assert 'filter: "due date" = monday' in driver.text

    drive(home, flow)
