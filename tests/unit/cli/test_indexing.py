"""What `add` and `index` say beside the counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragspine_tui.cli.app import run
from tests.homes import write_files

FILES = {
    "a.md": "The heron waits.",
    ".hidden.md": "eel",
    ".git/config": "x",
    "logs/1.log": "x",
    "logs/2.log": "x",
    ".gitignore": "logs/\n",
}


def test_what_is_hidden_or_ignored_is_counted_once_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_files(tmp_path / "notes", FILES)
    (folder / "b.md").symlink_to("a.md")
    home = ["--home", str(tmp_path / "home")]
    # The hidden file, .git, .gitignore and the ignored folder; a link into the folder is read where it leads.
    said = "notes: 4 left out (hidden, ignored or by a pattern; a folder counts as one)"
    for command in (["add", str(folder)], ["index"]):
        assert run([*command, *home]) == 0
        out, err = capsys.readouterr()
        assert err.splitlines().count(said) == 1
        assert "left out" not in out


def test_where_nothing_is_hidden_nothing_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_files(tmp_path / "notes", {"a.md": "The heron waits."})
    assert run(["add", str(folder), "--home", str(tmp_path / "home")]) == 0
    assert "left out" not in capsys.readouterr().err
