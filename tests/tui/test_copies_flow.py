"""The same passage in several files is one row that says so, opens into all of them, and closes again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from textual.widgets import Static

from ragspine_tui.config import ServiceConfig
from ragspine_tui.session import Session
from ragspine_tui.tui.state import State
from ragspine_tui.types import SearchRequest
from tests.tui.driving import Driver, drive, library, write

SAME = "The glow-worm hangs its light under the third bramble leaf."


def copied(home: Path, tmp_path: Path) -> None:
    """A library in which three files say the same."""
    folder = write(tmp_path / "copies", one=SAME, two=SAME, three=SAME, other="A glow-worm is no worm.")
    library(home, folder)


def test_one_row_stands_for_all_copies_and_x_opens_it_and_closes_it(home: Path, tmp_path: Path) -> None:
    copied(home, tmp_path)

    async def flow(driver: Driver) -> None:
        await driver.type("glow-worm bramble ")
        assert driver.hits() == ["one.md", "other.md"]
        assert "×3" in driver.text
        assert "also in three.md, two.md (x)" in driver.text
        await driver.press("enter", "x")
        assert driver.hits() == ["one.md", "three.md", "two.md", "other.md"]
        assert "×3" not in driver.text
        assert [hit.rank for hit in driver.main.hit_list.hits] == [1, 2, 3, 4]
        await driver.press("down")
        assert "copies #2" in driver.text
        await driver.press("x")
        assert [hit.rank for hit in driver.main.hit_list.hits] == [1, 2]
        assert driver.hits() == ["one.md", "other.md"]
        assert driver.main.hit is not None
        assert driver.main.hit.document == "one.md"

    drive(home, flow, size=(160, 40))


def test_a_passage_without_copies_says_that_it_has_none(home: Path, tmp_path: Path) -> None:
    copied(home, tmp_path)

    async def flow(driver: Driver) -> None:
        await driver.type("no worm ")
        await driver.press("enter", "x")
        assert "this passage has no copies" in driver.toasts

    drive(home, flow)


def test_what_is_being_restricted_is_neither_a_hit_nor_a_copy(home: Path, tmp_path: Path) -> None:
    copied(home, tmp_path)
    with Session.open(ServiceConfig.load(home=home, environ={})) as session:
        result = session.search(SearchRequest("bramble"))
    state = State(hidden={("copies", "one.md")})
    shown = state.without_hidden(result)
    assert [one.document for one in shown.places] == ["three.md", "two.md"]
    state.hidden |= {("copies", "two.md"), ("copies", "three.md")}
    assert state.without_hidden(result) == replace(result, hits=())


def test_restricting_a_passage_with_copies_says_where_else_it_is_and_offers_them_all(
    home: Path, tmp_path: Path
) -> None:
    copied(home, tmp_path)

    async def flow(driver: Driver) -> None:
        await driver.type("glow-worm bramble ")
        await driver.press("enter", "exclamation_mark")
        assert "only one.md" in driver.text
        assert "all 3 documents with this text" in driver.text
        await driver.press("enter")
        said = str(driver.app.screen.query_one(".dialog-text", Static).content)
        assert "The same text is also in three.md, two.md; they stay unless restricted too." in said
        await driver.press("y")
        assert driver.hits() == ["three.md", "other.md"]
        await driver.press("x", "down", "exclamation_mark", "down", "enter", "y")
        assert driver.hits() == ["other.md"]

    drive(home, flow, size=(120, 36))
    with Session.open(ServiceConfig.load(home=home, environ={})) as session:
        assert [hit.document for hit in session.search(SearchRequest("bramble")).places] == []
