"""The retrieval mode and the fusion, chosen from a list; what this home cannot do is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.command import CommandPalette

from ragspine_tui.specs import SEAMS
from ragspine_tui.tui.choosing import kept_spec
from ragspine_tui.tui.dialogs import Picker
from tests.homes import open_session
from tests.tui.driving import Driver, drive


async def choose(driver: Driver, seam: str, name: str) -> None:
    """Take a line of the list that is open."""
    assert isinstance(driver.app.screen, Picker)
    await driver.press(*["down"] * list(SEAMS[seam].names).index(name), "enter")


def test_fusion_is_chosen_by_name_said_in_the_scope_line_and_kept(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length")
        first = driver.hits()
        await driver.press("ctrl+p")
        assert isinstance(driver.app.screen, CommandPalette)
        driver.main.action_choose("fusion")
        await driver.settle()
        assert "the first of each library" in driver.text
        await choose(driver, "fusion", "rrf")
        assert driver.main.state.result is not None
        assert driver.main.state.result.fusion == "rrf"
        assert sorted(driver.hits()) == sorted(first)

    async def again(driver: Driver) -> None:
        await driver.type("length")
        assert "fusion: rrf" in driver.text
        driver.main.action_choose("fusion")
        await driver.settle()
        assert "[x] rrf" in driver.text
        await choose(driver, "fusion", "score")
        assert "fusion:" not in driver.text

    drive(home, flow)
    drive(home, again)
    with open_session(home) as session:
        assert session.setting("tui.fusion") == "score"


def test_the_palette_names_both(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        names = {command.title for command in driver.app.get_system_commands(driver.app.screen)}
        assert {"Retrieval mode", "Fusion"} <= names

    drive(home, flow)


def test_a_mode_that_falls_back_says_what_it_is_here_and_one_that_cannot_run_is_refused(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length")
        shown = driver.hits()
        await driver.press("enter", "m")
        await choose(driver, "mode", "hybrid")
        assert driver.toasts[-1] == "retrieval mode: hybrid, which is economy here"
        assert driver.main.state.mode == "hybrid"
        assert driver.text.splitlines()[1].split()[0] == "economy"
        await driver.press("m")
        assert "[x] hybrid" in driver.text
        await choose(driver, "mode", "vector")
        assert "needs an embedding" in driver.toasts[-1]
        assert driver.main.state.mode == "hybrid"
        assert driver.hits() == shown
        await driver.press("m", "escape")
        assert driver.main.state.mode == "hybrid"

    drive(home, flow)
    with open_session(home) as session:
        assert session.setting("tui.mode") == "hybrid"


@pytest.mark.parametrize(("kept", "spec"), [("", None), ("rrf", "rrf"), ("no longer", None)])
def test_a_kept_choice_that_is_none_any_more_is_left_out(kept: str, spec: str | None) -> None:
    assert kept_spec("fusion", kept) == spec
