"""Where a passage stands is there whole above its text, however long the path is."""

from __future__ import annotations

from pathlib import Path

from ragspine_tui.tui.context import ContextHeader
from tests.tui.driving import Driver, drive, library, write


def test_the_place_of_a_passage_stands_whole_beside_a_long_path(home: Path, tmp_path: Path) -> None:
    folder = write(tmp_path / "deep" / ("a-rather-long-name" * 3), one="# Pond\n\nThe coot dives.\n")
    library(home, folder.parent)

    async def flow(driver: Driver) -> None:
        await driver.type("coot dives ")
        header = "".join(run.text for run in driver.main.query_one("#context-header", ContextHeader)._where(46))
        assert header.startswith("deep › a-rather")
        assert "one.md:1  ¶1" in header
        assert "¶1" in driver.text.splitlines()[2].rpartition("│")[2]

    drive(home, flow, size=(120, 36))
