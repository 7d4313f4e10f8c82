"""The filter: conditions typed, switched, deleted, edited, taken from a hit, and kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widget import Widget
from textual.widgets import Input

from ragspine_tui.tui.dialogs import Picker
from ragspine_tui.tui.filters import OPERATOR_NEXT, comes_next
from ragspine_tui.types import FieldValues
from tests.tui.driving import Driver, drive


def filter_line(driver: Driver) -> Input:
    """The line a condition is typed in."""
    return driver.main.query_one("#filter", Input)


def remark(driver: Driver) -> Widget:
    """What is said under that line."""
    return driver.main.query_one("#filter-error")


def test_a_condition_narrows_and_the_scope_line_says_so(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("normalisation")
        assert set(driver.hits()) == {"okapi.md", "pivoted.md"}
        await driver.press("ctrl+f")
        await driver.type("year gte 2009")
        await driver.press("enter")
        assert set(driver.hits()) == {"pivoted.md"}
        assert "filter: year" in driver.text
        assert "1 of 1 active" in driver.text
        assert filter_line(driver).value == ""

    drive(home, flow)


def test_what_is_wrong_is_said_under_the_line_as_it_is_typed(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.press("ctrl+f")
        await driver.type("year almost 2009")
        assert driver.main.query_one("#filter-error").display
        await driver.press("enter")
        assert driver.main.state.filters == []
        assert remark(driver).has_class("-problem")
        assert remark(driver).size.height == 2
        await driver.press("escape")
        assert (driver.place, filter_line(driver).value) == ("filter", "")
        assert not remark(driver).display
        await driver.press("escape")
        assert driver.place == "search"

    drive(home, flow)


def test_a_condition_is_switched_edited_and_deleted_and_kept_between_runs(home: Path) -> None:
    async def make(driver: Driver) -> None:
        await driver.type("normalisation")
        await driver.press("ctrl+f")
        await driver.type("year gte 2009")
        await driver.press("enter", "down", "space")
        assert set(driver.hits()) == {"okapi.md", "pivoted.md"}
        assert "0 of 1 active" in driver.text
        assert "[ ] year" in driver.text

    async def change(driver: Driver) -> None:
        assert "0 of 1 active" in driver.text
        await driver.press("ctrl+f", "down", "space")
        assert "[x] year" in driver.text
        await driver.press("enter")
        assert driver.place == "filter"
        assert filter_line(driver).value.startswith("year")
        assert driver.main.state.filters == []
        await driver.press("enter", "down", "x")
        assert driver.main.state.filters == []
        assert driver.place == "filter"

    drive(home, make)
    drive(home, change)


def test_plus_narrows_to_a_field_of_the_hit(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("normalisation")
        await driver.press("enter", "plus")
        assert isinstance(driver.app.screen, Picker)
        hit = driver.main.hit_list.chosen
        assert hit is not None
        names = [name for name, values in sorted(hit.fields.items()) for _ in values]
        await driver.press(*["down"] * names.index("year"), "enter")
        assert [line.condition.field for line in driver.main.state.filters] == ["year"]
        assert {hit.document} == set(driver.hits())

    drive(home, flow)


def test_a_filter_that_leaves_nothing_says_which_condition_did(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.press("ctrl+f")
        await driver.type("year eq 1812")
        await driver.press("enter", "escape")
        await driver.type("normalisation")
        assert "Filter: 5 documents, 0 after year" in driver.text
        assert "Ctrl+F" in driver.text

    drive(home, flow)


def test_fields_and_values_that_are_there_are_completed(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.press("ctrl+f")
        await driver.type("ye")
        await driver.press("right")
        assert filter_line(driver).value == "year"
        await driver.type(" bet")
        await driver.press("right")
        assert filter_line(driver).value == "year between"
        filter_line(driver).value = "year eq 19"
        filter_line(driver).cursor_position = 10
        await driver.settle()
        await driver.press("right")
        assert filter_line(driver).value == "year eq 1994"

    drive(home, flow)


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
def test_an_unfinished_condition_is_told_what_comes_next_and_not_scolded(home: Path, size: tuple[int, int]) -> None:
    async def flow(driver: Driver) -> None:
        await driver.press("ctrl+f")
        for text, told in (("year", "then an operator"), (" gte", "then a value, like 1994"), (" 2009", "")):
            await driver.type(text)
            assert not remark(driver).has_class("-problem")
            assert remark(driver).display == bool(told)
            assert told in " ".join(driver.text.split())

    drive(home, flow, size=size)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("y", OPERATOR_NEXT),
        ("year ", OPERATOR_NEXT),
        ("year b", OPERATOR_NEXT),
        ("year >", "then a value, like 1994, 2009"),
        ("year !", "then a value, like 1994, 2009"),
        ("year in ", "then a value, like 1994, 2009"),
        ("year in 1994,", "then another value"),
        ("year in (1994", "then a closing )"),
        ("year between 1994", "then the second value: low..high"),
        ("year between 1994..", "then the second value: low..high"),
        ('author = "Ada', "then the closing quote"),
        ("'the ye", "then the closing quote"),
        ("size > ", "then a value"),
        ("year almost", ""),
        ("year almost 2009", ""),
        ("year => 2009", ""),
        ("= 2009", ""),
    ],
)
def test_what_comes_next_in_a_condition(text: str, told: str) -> None:
    fields = (FieldValues("year", 2, (("1994", 1), ("2009", 1))), FieldValues("size", 1, (("000000000812", 1),)))
    assert comes_next(text, fields) == told


def test_sizes_are_shown_plainly_and_kept_as_they_are_stored(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("softened")
        hit = driver.main.hit
        assert hit is not None
        stored = hit.fields["size"][0]
        await driver.press("enter", "plus")
        assert f"size {int(stored)} " in driver.text.replace("│", " ")
        assert stored not in driver.text
        names = [name for name, values in sorted(hit.fields.items()) for _ in values]
        await driver.press(*["down"] * names.index("size"), "enter")
        assert driver.hits() == ["okapi.md"]
        assert driver.main.state.filters[0].condition.value == stored
        assert f"filter: size = {int(stored)}" in driver.text
        assert stored not in driver.text

    drive(home, flow)
