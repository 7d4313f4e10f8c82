"""The filter: conditions typed, switched, deleted, edited, taken from a hit, and kept."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import Input

from ragspine_tui.tui.dialogs import Picker
from tests.tui.driving import Driver, drive


def filter_line(driver: Driver) -> Input:
    """The line a condition is typed in."""
    return driver.main.query_one("#filter", Input)


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
        filter_line(driver).value = ""
        await driver.settle()
        assert not driver.main.query_one("#filter-error").display

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
