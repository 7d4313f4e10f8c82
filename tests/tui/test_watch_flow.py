"""Watching in the interface: what changes on disk is read and found, and nobody's keys, place or text are taken."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ragspine_tui.config import ServiceConfig
from ragspine_tui.session import Session
from tests.tui.driving import Driver, drive, library, write


async def until(driver: Driver, holds: Callable[[], bool]) -> None:
    """Wait until something that comes from the disk has come."""
    async with asyncio.timeout(30):
        while not holds():
            await driver.taken()
    await driver.settle()


async def listening(driver: Driver) -> None:
    """Wait until folders are watched, and what changed before is read."""
    await until(driver, lambda: driver.main.watcher is not None)
    watcher = driver.main.watcher
    assert watcher is not None
    await asyncio.to_thread(watcher.wait)
    await driver.settle()


def test_what_is_written_is_found_without_a_key_a_toast_or_another_place(own_home: Path, tmp_path: Path) -> None:
    async def flow(driver: Driver) -> None:
        await listening(driver)
        await driver.type("bitterns")
        assert driver.hits() == []
        write(tmp_path / "notes", birds="# Birds\n\nBitterns boom in the reeds.")
        await until(driver, lambda: driver.hits() == ["birds.md"])
        assert driver.place == "search"
        assert driver.main.search_input.value == "bitterns"
        assert driver.app.screen_stack == [driver.main]
        assert driver.toasts == []

    drive(own_home, flow, watch=True)


def test_who_reads_keeps_what_is_read_until_the_text_is_left(own_home: Path, tmp_path: Path) -> None:
    async def flow(driver: Driver) -> None:
        await listening(driver)
        await driver.type("garden")
        await driver.press("enter", "enter")
        assert driver.place == "context"
        before, documents = driver.main.hit, driver.main.state.libraries[0].documents
        write(tmp_path / "notes", garden="# Garden\n\nThe garden was sold.")
        await until(driver, lambda: driver.main.outdated)
        assert driver.main.hit is before
        assert "twelve paces" in driver.text
        assert driver.main.state.libraries[0].documents == documents
        await driver.press("escape")
        await until(driver, lambda: "The garden was sold." in driver.text)

    drive(own_home, flow, watch=True)


def test_what_changed_while_nobody_watched_is_read_at_the_start(own_home: Path, tmp_path: Path) -> None:
    write(tmp_path / "notes", birds="# Birds\n\nBitterns boom in the reeds.")

    async def flow(driver: Driver) -> None:
        await driver.type("bitterns")
        await until(driver, lambda: driver.hits() == ["birds.md"])

    drive(own_home, flow, watch=True)


def test_hits_whose_folder_goes_away_say_so(own_home: Path, tmp_path: Path) -> None:
    async def flow(driver: Driver) -> None:
        await listening(driver)
        await driver.type("garden")
        assert "changed" not in driver.text
        (tmp_path / "notes").rename(tmp_path / "away")
        await until(driver, lambda: "gone from the disk" in driver.text)
        assert "folder is not there" in driver.text

    drive(own_home, flow, watch=True)


def test_a_library_that_was_never_read_or_stopped_waits_for_the_person(own_home: Path, tmp_path: Path) -> None:
    with Session.open(ServiceConfig(home=own_home)) as session:
        session.add(write(tmp_path / "later", birds="Bitterns boom in the reeds."))
        write(tmp_path / "papers", one="Newts.", two="More newts.")
        asked = iter([False, True])
        session.index(["papers"], cancelled=lambda: next(asked, True))

    async def flow(driver: Driver) -> None:
        await listening(driver)
        for folder in ("later", "papers", "notes"):
            write(tmp_path / folder, newer="Bitterns.")
        await driver.type("bitterns")
        await until(driver, lambda: driver.hits() != [])
        assert {hit.library_id for hit in driver.main.hit_list.hits} == {"notes"}

    drive(own_home, flow, watch=True)


def test_esc_is_not_taken_by_a_look_at_what_changed(own_home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.press("ctrl+l")
        driver.main.unasked = True
        await driver.press("escape")
        assert driver.place == "search"
        assert driver.toasts == []

    drive(own_home, flow)


def test_a_library_that_is_being_read_is_watched_all_the_while(own_home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await listening(driver)
        watcher = driver.main.watcher
        assert watcher is not None
        before = watcher.libraries
        driver.main.state.libraries = tuple(replace(one, complete=False) for one in driver.main.state.libraries)
        driver.main.follow_libraries()
        assert watcher.libraries is before
        assert "offline · watching" in driver.text

    drive(own_home, flow, watch=True)


def test_a_library_that_is_added_is_watched_from_then_on(own_home: Path, tmp_path: Path) -> None:
    async def flow(driver: Driver) -> None:
        await listening(driver)
        library(own_home, write(tmp_path / "later", birds="Bitterns boom in the reeds."))
        driver.main.refresh_libraries()
        await driver.settle()
        await driver.type("newts")
        write(tmp_path / "later", more="Newts in the ditch.")
        await until(driver, lambda: driver.hits() == ["more.md"])

    drive(own_home, flow, watch=True)


def test_the_palette_switches_it_and_the_choice_is_kept(own_home: Path, tmp_path: Path) -> None:
    def offered(driver: Driver) -> list[str]:
        titles = [command.title for command in driver.app.get_system_commands(driver.app.screen)]
        return [title for title in titles if title.startswith("Watch folders")]

    async def switched_off(driver: Driver) -> None:
        await listening(driver)
        assert offered(driver) == ["Watch folders: on now"]
        driver.main.action_switch_watching()
        await driver.settle()
        assert driver.toasts == ["folders are watched no more: r reads what changed"]
        assert offered(driver) == ["Watch folders: off now"]

    async def switched_on(driver: Driver) -> None:
        assert driver.main.watcher is None
        driver.main.action_switch_watching()
        await listening(driver)
        assert driver.toasts == ["folders are watched: what changes is read"]

    async def on(driver: Driver) -> None:
        await listening(driver)
        assert offered(driver) == ["Watch folders: on now"]

    async def off(driver: Driver) -> None:
        assert offered(driver) == ["Watch folders: off now"]

    drive(own_home, switched_off, watch=True)
    drive(own_home, switched_on, watch=True)
    drive(own_home, on, watch=False)
    drive(own_home, off, watch=False, given={"watch": "RAGSPINE_WATCH"})
