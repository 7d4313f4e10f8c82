"""The retrieval mode and the fusion, chosen from a list; what this home cannot do is refused."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual.command import CommandPalette

from ragspine_tui.config import ServiceConfig
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


def test_the_palette_names_every_seam_with_what_is_on_and_what_there_is(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        names = [command.title for command in driver.app.get_system_commands(driver.app.screen)]
        assert "Retrieval mode: economy now (of economy, hybrid, vector)" in names
        assert "Fusion: rrf now (of score, rrf)" in names
        assert "Library router: none now (of none, keyword)" in names
        assert "Filter extractor: keyword now (of none, keyword)" in names

    drive(home, flow, fusion="rrf", filter_extractor="keyword")


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
        assert "        vector mode needs an embedding, and none is configured" in driver.text
        await choose(driver, "mode", "vector")
        assert "needs an embedding" in driver.toasts[-1]
        assert driver.main.state.mode == "hybrid"
        assert driver.hits() == shown
        await driver.press("m", "escape")
        assert driver.main.state.mode == "hybrid"

    drive(home, flow)
    with open_session(home) as session:
        assert session.setting("tui.mode") == "hybrid"


@pytest.mark.parametrize("word", ["fusion", "economy", "vector", "extractor", "router"])
def test_typing_a_seam_or_a_form_into_the_palette_leads_to_its_list(home: Path, word: str) -> None:
    seam = {"economy": "mode", "vector": "mode", "extractor": "filter_extractor"}.get(word, word)

    async def flow(driver: Driver) -> None:
        await driver.press("ctrl+p")
        await driver.type(word)
        async with asyncio.timeout(30):
            while SEAMS[seam].label not in driver.text.lower():
                await driver.taken()
        await driver.press("enter")
        async with asyncio.timeout(30):
            while not isinstance(driver.app.screen, Picker):
                await driver.taken()
        await driver.settle()
        assert f"[x] {SEAMS[seam].default}" in driver.text

    drive(home, flow)


def test_a_mode_that_cannot_run_stays_said_before_and_while_typing_and_the_palette_leads_out(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        assert "This search cannot run" in driver.text
        await driver.type("length")
        assert "vector mode needs an embedding" in driver.text
        assert 'Ctrl+P  then "mode"' in driver.text
        assert "Type to search" not in driver.text
        driver.app.clear_notifications()
        await driver.press("escape")
        assert "vector mode needs an embedding" in driver.text
        await driver.type("length")
        driver.main.action_choose("mode")
        await driver.settle()
        await choose(driver, "mode", "economy")
        assert driver.hits()
        assert "cannot run" not in driver.text

    drive(home, flow, size=(80, 24), retrieval_mode="vector")


def test_another_seam_can_be_chosen_while_the_mode_cannot_run(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        driver.main.action_choose("fusion")
        await driver.settle()
        await choose(driver, "fusion", "rrf")
        assert driver.main.state.fusion == "rrf"

    drive(home, flow, retrieval_mode="vector")


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
def test_a_broken_synonyms_file_stays_said_with_the_key_that_does_without_it(home: Path, size: tuple[int, int]) -> None:
    (home / "synonyms.toml").write_text("[tags\n", encoding="utf-8")

    async def flow(driver: Driver) -> None:
        await driver.type("length ")
        shown = " ".join(driver.text.split())
        assert "This search cannot run" in shown
        assert "synonyms.toml" in "".join(line.rpartition("│")[2].strip() for line in driver.text.splitlines())
        assert "Ctrl+G no filter from the query's words" in shown
        await driver.press("ctrl+g")
        assert driver.hits()
        assert "cannot run" not in driver.text

    drive(home, flow, size=size, filter_extractor="keyword")


def test_the_environment_and_the_file_beat_a_kept_switch_and_the_start_says_which(home: Path) -> None:
    async def switch(driver: Driver) -> None:
        await driver.press("ctrl+g", "ctrl+g", "ctrl+t", "ctrl+t")
        assert not driver.main.state.extracting

    async def flow(driver: Driver) -> None:
        state = driver.main.state
        assert (state.extracting, state.routing, state.mode) == (True, True, "economy")
        assert driver.toasts == [
            "library router: keyword by config.toml, not none as last time",
            "filter extractor: keyword by RAGSPINE_FILTER_EXTRACTOR, not none as last time",
        ]
        driver.main.action_choose("filter_extractor")
        await driver.settle()
        assert "Filter extractor (set by RAGSPINE_FILTER_EXTRACTOR at each start)" in driver.text
        await choose(driver, "filter_extractor", "none")
        assert not state.extracting

    drive(home, switch)
    (home / "config.toml").write_text('library_router = "keyword"\n', encoding="utf-8")
    config = ServiceConfig.load(home, environ={"RAGSPINE_FILTER_EXTRACTOR": "keyword"})
    drive(home, flow, **{name: getattr(config, name) for name in ("library_router", "filter_extractor", "given")})


def test_whether_every_word_must_be_there_is_kept_and_the_environment_beats_that_too(home: Path) -> None:
    async def switch(driver: Driver) -> None:
        await driver.press("f2")
        assert driver.main.state.every

    async def kept(driver: Driver) -> None:
        assert driver.main.state.every
        assert driver.toasts == []

    async def beaten(driver: Driver) -> None:
        assert not driver.main.state.every
        assert driver.toasts == ["words of a query: any by RAGSPINE_MATCH, not all as last time"]

    drive(home, switch)
    drive(home, kept)
    drive(home, beaten, match="any", given={"match": "RAGSPINE_MATCH"})


def test_an_environment_that_says_what_was_kept_says_nothing(home: Path) -> None:
    async def switch(driver: Driver) -> None:
        await driver.press("ctrl+g")

    async def flow(driver: Driver) -> None:
        assert driver.main.state.extracting
        assert driver.toasts == []

    drive(home, switch)
    drive(home, flow, filter_extractor="keyword", given={"filter_extractor": "RAGSPINE_FILTER_EXTRACTOR"})


@pytest.mark.parametrize(("kept", "spec"), [("", None), ("rrf", "rrf"), ("no longer", None)])
def test_a_kept_choice_that_is_none_any_more_is_left_out(kept: str, spec: str | None) -> None:
    assert kept_spec("fusion", kept) == spec
