"""What keeping many files up to date costs: nothing changed, one changed, many renamed, and listening to them."""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Final

from benchmarks.machine import table, this_machine
from ragspine_tui.config import ServiceConfig
from ragspine_tui.session import Session
from ragspine_tui.watching import watcher_of

LIBRARY: Final = "many"
_FOLDER_FILES: Final = 100
_BURST: Final = 5_000
_RUNS: Final = 3


def main() -> None:
    """Prints a Markdown table of wall and processor seconds."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.upkeep", description=__doc__)
    parser.add_argument("--files", type=int, default=100_000, help="how many small files (100000)")
    arguments = parser.parse_args()
    machine = this_machine()
    with tempfile.TemporaryDirectory(prefix="ragspine-upkeep-") as place:
        rows = measure(Path(place), arguments.files)
    print(table(("figure", "wall, s", "processor, s"), [(*row, "") for row in machine.rows()] + rows))


def measure(place: Path, files: int) -> list[tuple[str, str, str]]:
    """The rows of the table, of so many files below `place`."""
    folder = place / LIBRARY
    make_files(folder, files)
    config = ServiceConfig.load(place / "home", environ={})
    with Session.open(config, workers=True) as session:
        session.add(folder, library_id=LIBRARY)
        rows = [(f"index {files:,} new files", *timed(session.index))]
        runs = [timed(session.index) for _ in range(_RUNS)]
        walls, spent = zip(*runs, strict=True)
        rows.append((f"nothing changed (median of {_RUNS})", median(walls), median(spent)))
        note(folder, 0).write_text("another heron")
        rows.append(("one file changed", *timed(session.index)))
        note(folder, 0).parent.rename(folder / "moved")
        rows.append(("a folder moved", *timed(session.index)))
        watcher = watcher_of(session, told=print)
        rows.append(("begin to listen", *timed(watcher.start)))
        burst = min(_BURST, files - _FOLDER_FILES)
        updates: list[object] = []

        def many() -> None:
            for number in range(_FOLDER_FILES, _FOLDER_FILES + burst):
                note(folder, number).write_text(f"changed {number}")
            while taken := watcher.take(2.0):
                updates.append(session.index(taken))

        rows.append((f"{burst:,} files changed at once, until all is read (2 s of it waiting)", *timed(many)))
        watcher.close()
    return [(name, f"{wall:.2f}", f"{spent:.2f}") for name, wall, spent in rows] + [
        ("updates that made", str(len(updates)), "")
    ]


def make_files(folder: Path, files: int) -> None:
    """So many small files, a hundred in a folder."""
    for number in range(files):
        path = note(folder, number)
        if number % _FOLDER_FILES == 0:
            path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"note {number} of the heron at weir {number % 97}")


def note(folder: Path, number: int) -> Path:
    """Where the file of this number is."""
    return folder / f"d{number // _FOLDER_FILES % 40}" / f"f{number // _FOLDER_FILES}" / f"note-{number}.md"


def timed(call: Callable[[], object]) -> tuple[float, float]:
    """Wall and processor seconds, those of ended child processes with them."""
    wall, before = perf_counter(), _spent()
    call()
    return perf_counter() - wall, _spent() - before


def _spent() -> float:
    times = os.times()
    return process_time() + times.children_user + times.children_system


if __name__ == "__main__":
    main()
