"""What watching says between its updates: that a folder went, and that it is back."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragspine_tui.cli.console import Console
from ragspine_tui.cli.watching import _Watch
from ragspine_tui.watching import watcher_of
from tests.homes import indexed


def test_a_folder_that_is_back_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, away = tmp_path / "lib", tmp_path / "away"
    console = Console()
    with (
        indexed(tmp_path, {"a.md": "The heron waits."}) as session,
        watcher_of(session, told=lambda _: None, polling=True) as watcher,
    ):
        watch = _Watch(console, session, watcher, (), as_json=False, stopped=lambda: False)
        folder.rename(away)
        watch._update(["lib"])
        watch._update(["lib"])
        gone = capsys.readouterr().err.splitlines()
        assert len(gone) == 1
        assert gone[0].startswith("lib: offline since ")
        away.rename(folder)
        watch._update(["lib"])
        watch._update(["lib"])
        assert capsys.readouterr().err == "lib: its folder is there again\n"
