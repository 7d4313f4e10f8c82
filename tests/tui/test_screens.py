"""Whole screens as text: the layouts at the sizes people have, kept in screens/ (RAGSPINE_WRITE_SCREENS=1 renews)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.driving import Driver, assert_screen, drive

SIZES = [(80, 24), (120, 36), (200, 50)]


def named(name: str, size: tuple[int, int]) -> str:
    """The screen's file name."""
    return f"{name}-{size[0]}x{size[1]}"


@pytest.mark.parametrize("size", SIZES)
def test_searching(home: Path, size: tuple[int, int]) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length normalisation")
        await driver.press("down")
        assert_screen(named("search", size), driver.text)

    drive(home, flow, size=size)


@pytest.mark.parametrize("size", SIZES)
def test_routed_and_filtered_in_the_libraries_pane(home: Path, size: tuple[int, int]) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length normalisation")
        await driver.press("ctrl+t", "ctrl+f")
        await driver.type("year gte 1990")
        await driver.press("enter")
        await driver.type("year")
        await driver.press("ctrl+l")
        driver.app.clear_notifications()
        await driver.settle()
        assert_screen(named("narrowed", size), driver.text)

    drive(home, flow, size=size)


@pytest.mark.parametrize("size", SIZES)
def test_the_context_entered(home: Path, size: tuple[int, int]) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("softened")
        await driver.press("enter", "enter")
        assert_screen(named("context", size), driver.text)

    drive(home, flow, size=size)


@pytest.mark.parametrize("size", SIZES)
def test_the_first_run(tmp_path: Path, size: tuple[int, int]) -> None:
    home = tmp_path / "home"

    async def flow(driver: Driver) -> None:
        shown = driver.text.splitlines()
        shown[next(i for i, line in enumerate(shown) if "Database:" in line)] = "      Database: (the home)"
        assert_screen(named("first-run", size), "\n".join(shown))

    drive(home, flow, size=size)


@pytest.mark.parametrize("size", SIZES)
def test_nothing_found(home: Path, size: tuple[int, int]) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length xyzzyq")
        driver.main.search_input.value = "xyzzyq"
        await driver.press("ctrl+t")
        driver.app.clear_notifications()
        await driver.settle()
        assert_screen(named("nothing-found", size), driver.text)

    drive(home, flow, size=size)


@pytest.mark.parametrize("size", SIZES)
def test_a_filter_found_in_the_query(home: Path, size: tuple[int, int]) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length ranking evaluation")
        await driver.press("ctrl+f")
        await driver.type("ye")
        assert_screen(named("found-in-query", size), driver.text)

    drive(home, flow, size=size, filter_extractor="keyword")


@pytest.mark.parametrize("size", SIZES)
def test_a_search_that_cannot_run(home: Path, size: tuple[int, int]) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length")
        assert_screen(named("cannot-run", size), driver.text)

    drive(home, flow, size=size, retrieval_mode="vector")


@pytest.mark.parametrize("size", SIZES)
def test_no_library_in_the_search(home: Path, size: tuple[int, int]) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length")
        await driver.press("ctrl+l", "space", "down", "space", "escape")
        assert_screen(named("no-library", size), driver.text)

    drive(home, flow, size=size)


@pytest.mark.parametrize("size", SIZES)
def test_help(home: Path, size: tuple[int, int]) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length")
        await driver.press("enter", "question_mark")
        assert_screen(named("help", size), driver.text)

    drive(home, flow, size=size)


def test_a_tiny_screen_shows_one_pane_at_a_time(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length normalisation")
        hits = driver.text
        await driver.press("enter", "enter")
        context = driver.text
        await driver.press("escape")
        assert "#1" in hits and "┃" not in hits
        assert "┃" in context and "#1" not in context.replace(" #1 ", "")
        assert driver.place == "hits"
        assert_screen("tiny-context", context)
        await driver.press("ctrl+l")
        assert "LIBRARIES" in driver.text

    drive(home, flow, size=(50, 14))


def test_plain_signs_are_all_ascii(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length normalisation")
        assert_screen("ascii", driver.text)
        await driver.press("ctrl+t", "enter", "enter")
        for line in driver.text.splitlines():
            assert line.isascii(), line

    drive(home, flow, ascii=True)


def test_resizing_keeps_the_hit_and_the_child_in_sight(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("softened")
        hit = driver.main.hit
        for size in ((80, 24), (200, 50), (50, 14), (30, 8), (120, 36)):
            await driver.pilot.resize_terminal(*size)
            await driver.settle()
            assert driver.main.hit == hit
        assert "┃" in driver.text
        assert all(len(line) <= 120 for line in driver.text.splitlines())

    drive(home, flow)
