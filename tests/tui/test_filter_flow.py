"""The filter: conditions typed, switched, deleted, edited, taken from a hit, and kept."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from ragspine_tui.session import Session
from ragspine_tui.tui.dialogs import Offer, Picker
from ragspine_tui.tui.filters import OPERATOR_NEXT, comes_next
from ragspine_tui.tui.lines import Wrapped
from ragspine_tui.tui.state import SHOWN_HITS
from ragspine_tui.types import FieldValues, SearchRequest
from tests.homes import open_session, write_files
from tests.tui.driving import Driver, drive


def filter_line(driver: Driver) -> Input:
    """The line a condition is typed in."""
    return driver.main.query_one("#filter", Input)


def remark(driver: Driver) -> Wrapped:
    """What is said under that line."""
    return driver.main.query_one("#filter-error", Wrapped)


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
        assert remark(driver).size.height > 2
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


@pytest.mark.parametrize(
    ("typed", "taken"),
    [
        ("modified lte 2999-01", "modified <= 2999-01-31T23:59:59Z"),
        ("size gt 9", "size > 000000000009"),
        ("modified 1999..2999", "modified 1999..2999-12-31T23:59:59Z"),
    ],
)
def test_a_value_that_would_mislead_is_offered_in_its_completed_form(home: Path, typed: str, taken: str) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("normalisation")
        await driver.press("ctrl+f")
        await driver.type(typed)
        assert remark(driver).has_class("-coming")
        said = " ".join("".join(run.text for run in row) for row in remark(driver).rows(28))
        assert "values are compared as text; Enter offers" in " ".join(said.split())
        await driver.press("enter")
        assert isinstance(driver.app.screen, Offer)
        assert taken.split()[-1] in driver.text
        await driver.press("enter")
        assert [line.text for line in driver.main.state.filters] == [taken]
        assert filter_line(driver).value == ""
        assert set(driver.hits()) == {"okapi.md", "pivoted.md"}

    drive(home, flow)


def test_an_offered_form_may_be_declined_and_what_is_typed_on_stays_in_the_line(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.press("ctrl+f")
        await driver.type("size gt 9")
        await driver.press("enter", "x")
        assert driver.main.state.filters == []
        assert filter_line(driver).value == "size gt 9"
        await driver.press("enter", "n")
        assert [line.text for line in driver.main.state.filters] == ["size > 9"]
        assert filter_line(driver).value == ""
        await driver.type("year gte 1990")
        await driver.press("enter")
        assert [line.text for line in driver.main.state.filters] == ["size > 9", "year >= 1990"]

    drive(home, flow)


def test_a_range_that_ends_before_it_begins_is_said_as_it_is_typed(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.press("ctrl+f")
        await driver.type("year between 2009 1994")
        assert remark(driver).has_class("-problem")
        assert "nothing can match" in driver.text
        filter_line(driver).value = "modified 2999..1999"
        await driver.press("enter")
        assert [line.text for line in driver.main.state.filters] == ["modified 2999..1999"]
        filter_line(driver).value = "year between 1994 2009"
        await driver.settle()
        assert not remark(driver).display

    drive(home, flow)


def test_each_condition_says_what_it_left_and_how_many_lack_its_field(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("normalisation")
        await driver.press("ctrl+f")
        for condition in ("year gte 1990", "tags = evaluation"):
            await driver.type(condition)
            await driver.press("enter")
        steps = driver.main.state.result.filter.steps if driver.main.state.result else ()
        assert [(step.documents, step.missing_field) for step in steps] == [(5, 0), (3, 2), (1, 1)]
        rows = [row.split("│")[0] for row in driver.text.splitlines()]
        (first,) = [row for row in rows if "[x] year" in row]
        (second,) = [row for row in rows if "[x] tags" in row]
        assert first.split()[-4:] == ["2", "lack", "it,", "3"]
        assert second.split()[-1] == "1"
        await driver.press("down", "down", "space")
        (off,) = [row.split("│")[0] for row in driver.text.splitlines() if "[ ] tags" in row]
        assert off.split()[-1] == "evaluation"

    drive(home, flow, size=(200, 50))


def test_hits_are_on_the_screen_before_their_fields_are_counted_and_the_next_search_waits_for_no_count(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counting, go_on = threading.Event(), threading.Event()
    facets = Session.facets

    def slow(session: Session, request: SearchRequest, **asked: Any) -> tuple[FieldValues, ...]:
        counting.set()
        go_on.wait(30)
        return facets(session, request, **asked)

    monkeypatch.setattr(Session, "facets", slow)

    async def flow(driver: Driver) -> None:
        driver.main.search_input.value = "normalisation"
        await asyncio.to_thread(counting.wait, 30)
        while not driver.hits():
            await driver.taken()
        assert "of these hits" in driver.text
        driver.main.search_input.value = "okapi"
        await driver.taken()
        go_on.set()
        await driver.settle()
        assert driver.main.state.result is not None
        assert driver.main.state.result.query == "okapi"
        assert "of all hits" in driver.text

    drive(home, flow, size=(200, 50))


def test_the_fields_are_those_of_the_documents_that_were_found_each_counted_once(home: Path) -> None:
    def years(driver: Driver) -> str:
        (row,) = [line for line in driver.text.splitlines() if line.startswith(" year ")]
        return row.split("│")[0].strip()

    async def flow(driver: Driver) -> None:
        assert years(driver).startswith("year     1994 1 · 2009 1 · 2011")
        assert "of all hits" not in driver.text
        await driver.type("length normalisation")
        assert years(driver) == "year     1994 1 · 2009 1"
        assert "of all hits" in driver.text
        driver.main.search_input.value = "London length tf"
        await driver.settle()
        assert driver.hits().count("okapi.md") > 1
        assert "1994 1" in years(driver)
        driver.main.search_input.value = "xyzzyq"
        await driver.settle()
        assert years(driver).startswith("year     1994 1 · 2009 1 · 2011")

    drive(home, flow, size=(200, 50))


def test_the_fields_count_all_documents_that_are_found_and_not_only_those_shown(tmp_path: Path) -> None:
    kept, shown = 90, SHOWN_HITS
    texts = {f"{n}.md": f"---\ntags: [t{n % 2}]\nowner: person{n}\n---\nHeron number {n}." for n in range(kept)}
    with open_session(tmp_path / "home") as session:
        session.add(write_files(tmp_path / "birds", texts), library_id="birds")
        session.add(write_files(tmp_path / "others", {"x.md": "---\ntags: [t9]\n---\nA toad."}), library_id="others")
        session.index()

    async def flow(driver: Driver) -> None:
        await driver.type("heron")
        assert len(driver.hits()) <= shown < kept
        assert f" tags     t0 {kept // 2} · t1 {kept // 2}" in driver.text
        assert f"in {kept} documents" in driver.text
        # What was found is offered first, then what only the libraries have.
        suggester = driver.main.suggester
        assert await suggester.get_suggestion("tags = t") == "tags = t0"
        assert await suggester.get_suggestion("name = 1") == "name = 1.md"
        driver.main.search_input.value = "toad"
        await driver.settle()
        assert await suggester.get_suggestion("tags = t") == "tags = t9"
        assert await suggester.get_suggestion("owner = person") == "owner = person0"

    drive(tmp_path / "home", flow, size=(200, 50))


def test_what_is_being_restricted_is_in_no_count_of_the_fields(tmp_path: Path) -> None:
    texts = {f"{n}.md": f"---\nowner: person{n}\n---\nHeron number {n}." for n in range(5)}
    with open_session(tmp_path / "home") as session:
        session.add(write_files(tmp_path / "birds", texts), library_id="birds")
        session.index()

    async def flow(driver: Driver) -> None:
        await driver.type("heron")
        hit = driver.main.hit
        assert hit is not None
        (owner,) = hit.fields["owner"]
        found = [value for one in driver.main.state.fields_found() if one.field == "owner" for value, _ in one.values]
        assert owner in found
        driver.main.hide_document(hit)
        left = [value for one in driver.main.state.fields_found() if one.field == "owner" for value, _ in one.values]
        assert left == [value for value in found if value != owner]

    drive(tmp_path / "home", flow, size=(200, 50))


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
