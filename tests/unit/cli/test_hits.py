"""A hit inside its section can be told from what stands around it without colour."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragspine_tui.cli.app import run

TEXT = "# Salt\n\nThe first is here. The heron waits. The last is there.\n\nAnother paragraph stands here.\n"


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        ("heron", ["  # Salt", "", "  The first is here.", "┃ The heron waits.", "  The last is there."]),
        ("last", ["  # Salt", "", "  The first is here. The heron waits.", "┃ The last is there."]),
    ],
)
def test_a_sentence_is_marked_where_others_share_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], word: str, shown: list[str]
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "salt.md").write_text(TEXT, encoding="utf-8")
    home = ["--home", str(tmp_path / "home")]
    assert run(["add", str(tmp_path / "notes"), "--chunker", "sentence_window", *home]) == 0
    capsys.readouterr()
    assert run(["search", word, "--parent", *home]) == 0
    lines = [line.removeprefix("    ") for line in capsys.readouterr().out.splitlines()[1:]]
    assert lines[: len(shown)] == shown
