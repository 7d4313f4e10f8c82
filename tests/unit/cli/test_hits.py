"""A hit inside its section can be told from what stands around it without colour."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragspine_tui.cli.app import run
from ragspine_tui.cli.hits import plain_line
from ragspine_tui.types import Hit, Span
from tests.homes import write_files

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


def test_a_plain_line_says_line_page_or_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mail = "From: Ada <ada@mill.example>\nTo: bo@mill.example\nSubject: Salt\n\nThe heron waits.\n"
    write_files(tmp_path / "notes", {"a.md": "# Birds\n\nThe heron waits there.", "b.eml": mail})
    home = ["--home", str(tmp_path / "home")]
    assert run(["add", str(tmp_path / "notes"), *home]) == 0
    capsys.readouterr()
    assert run(["search", "heron", "--plain", *home]) == 0
    places = {line.split("\t")[2]: line.split("\t")[3] for line in capsys.readouterr().out.splitlines()}
    assert places == {"a.md": "1", "b.eml": "1 text/plain"}


@pytest.mark.parametrize(
    ("line", "page", "part", "shown"),
    [(12, None, "", "12"), (None, 3, "", "p.3"), (None, None, "Costs!A4:F4", "Costs!A4:F4"), (None, None, "", "")],
)
def test_a_plain_line_has_a_place_where_there_is_one(line: int | None, page: int | None, part: str, shown: str) -> None:
    hit = Hit(1, "lib", "a", "A", "", "lib:a#c1", 1.0, "x", Span(0, 1), "a#para35", line=line, page=page, part=part)
    assert plain_line(hit) == f"1\tlib\ta\t{shown}\tx"
