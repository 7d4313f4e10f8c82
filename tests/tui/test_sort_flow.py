"""Hits by date on one key; age counts where the configuration says so, and the scope line tells both."""

from __future__ import annotations

from pathlib import Path

from tests.tui.driving import Driver, drive, library, write


def dated(home: Path, tmp_path: Path) -> None:
    """A library of three notes of which the oldest says it best."""
    text = "---\ndate: {}\n---\nThe glow-worm {}"
    folder = write(
        tmp_path / "dated",
        old=text.format("2019-05-01", "is a glow-worm, glow-worm."),
        middle=text.format("2022-05-01", "and one more glow-worm."),
        new=text.format("2025-05-01", "hangs its light under the third leaf of a bramble."),
    )
    library(home, folder)


def test_f4_puts_the_newest_first_and_the_best_first_again_and_the_choice_is_kept(home: Path, tmp_path: Path) -> None:
    dated(home, tmp_path)

    async def flow(driver: Driver) -> None:
        await driver.type("glow-worm ")
        assert driver.hits() == ["old.md", "middle.md", "new.md"]
        await driver.press("f4")
        assert driver.hits() == ["new.md", "middle.md", "old.md"]
        assert "newest first" in driver.text

    drive(home, flow)

    async def later(driver: Driver) -> None:
        await driver.type("glow-worm ")
        assert driver.hits() == ["new.md", "middle.md", "old.md"]
        await driver.press("f4")
        assert driver.hits() == ["old.md", "middle.md", "new.md"]
        assert "newest first" not in driver.text

    drive(home, later)


def test_a_half_life_in_the_configuration_counts_and_is_said(home: Path, tmp_path: Path) -> None:
    dated(home, tmp_path)

    async def flow(driver: Driver) -> None:
        await driver.type("glow-worm ")
        assert driver.hits() == ["new.md", "middle.md", "old.md"]
        assert "half as much every 30 days" in driver.text

    drive(home, flow, recency_half_life=30.0)
