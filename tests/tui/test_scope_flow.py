"""Which libraries are searched: all, those chosen by hand, none, and those that routing chose."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.driving import Driver, drive


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
def test_with_every_library_taken_out_nothing_is_searched_and_the_screen_says_how_to_go_on(
    home: Path, size: tuple[int, int]
) -> None:
    async def flow(driver: Driver) -> None:
        await driver.press("ctrl+l", "space", "down", "space", "escape")
        await driver.type("length")
        assert driver.hits() == []
        assert driver.main.state.result is None
        assert "0 of 2 libraries" in driver.text
        assert "by hand: no library" in driver.text
        assert "No library is searched" in driver.text
        assert "Ctrl+L  then Space takes a library in, * all of them" in driver.text

    async def again(driver: Driver) -> None:
        await driver.type("length")
        assert driver.hits() == []
        assert "0 of 2 libraries" in driver.text
        await driver.press("ctrl+l", "asterisk")
        assert driver.hits()
        assert "all 2 libraries" in driver.text

    drive(home, flow, size=size)
    drive(home, again, size=size)


def test_when_the_one_chosen_library_is_forgotten_the_others_are_not_searched_instead(own_home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length")
        await driver.press("ctrl+l", "space")
        assert {hit.library_id for hit in driver.main.hit_list.hits} == {"papers"}
        await driver.press("down", "d", "y")
        assert driver.hits() == []
        assert "No library is searched" in driver.text

    drive(own_home, flow)


@pytest.mark.parametrize("taken_out", [1, 2])
def test_routing_rests_the_choice_by_hand_and_gives_it_back(home: Path, taken_out: int) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("garden")
        await driver.press("ctrl+l", *["space", "down"] * taken_out, "escape")
        by_hand = driver.main.state.in_scope
        assert len(by_hand) == 2 - taken_out
        await driver.press("ctrl+t")
        assert f"off, the {len(by_hand)} " in driver.toasts[-1]
        assert "routed: notes (garden)" in driver.text
        assert driver.hits() == ["garden.md"]
        await driver.press("ctrl+t")
        assert driver.main.state.in_scope == by_hand
        assert "by hand: " in driver.text
        assert "chosen by hand" in driver.toasts[-1]

    async def again(driver: Driver) -> None:
        assert len(driver.main.state.in_scope) == 2 - taken_out

    drive(home, flow)
    drive(home, again)


def test_words_that_no_description_has_search_every_library_and_it_is_said_so(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length")
        await driver.press("ctrl+t")
        assert driver.hits()
        assert "no description has these words: all 2 libraries searched" in driver.text

    drive(home, flow)
