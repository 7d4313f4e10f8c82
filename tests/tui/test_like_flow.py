"""More like a passage on one key, and back to the query."""

from __future__ import annotations

from pathlib import Path

from tests.tui.driving import Driver, drive, library, write


def test_equals_finds_more_like_the_passage_and_esc_or_typing_comes_back(home: Path, tmp_path: Path) -> None:
    folder = write(
        tmp_path / "worms",
        lamp="A glow-worm hangs its lamp under the bramble leaf.",
        leaf="The bramble leaf turns red in the autumn.",
        snail="The larva eats a snail; the lamp of its mother goes out.",
        other="Nothing of the kind.",
    )
    library(home, folder)

    async def flow(driver: Driver) -> None:
        await driver.type("glow-worm ")
        assert driver.hits() == ["lamp.md"]
        await driver.press("enter", "equals_sign")
        assert sorted(driver.hits()) == ["leaf.md", "snail.md"]
        assert "like worms › lamp.md" in driver.text
        await driver.press("escape")
        assert driver.hits() == ["lamp.md"]
        assert "like worms" not in driver.text
        await driver.press("equals_sign", "slash")
        assert "like worms › lamp.md" in driver.text
        await driver.type("bramble ")
        assert "like worms" not in driver.text
        assert sorted(driver.hits()) == ["lamp.md", "leaf.md"]

    drive(home, flow, size=(160, 40))
