"""What a run met in the folder that is no document is listed until a run does not meet it any more."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ragspine_tui.types import DocumentStatus
from tests.homes import indexed


def test_links_are_listed_as_long_as_they_are_there(tmp_path: Path) -> None:
    folder = tmp_path / "lib"
    with indexed(tmp_path, {"a.md": "The heron waits.", "z.pdf": b"%PDF-1.7 cut off"}) as session:
        (folder / "in.md").symlink_to("a.md")
        (folder / "out.md").symlink_to("/etc")
        (folder / "y-lost.md").symlink_to("nothing")
        report = session.index()[0]
        listed = session.problems()
        assert [one.document for one in listed] == ["out.md", "y-lost.md", "z.pdf"]
        assert listed[0].status == DocumentStatus.UNSUPPORTED
        assert set(report.problems) == set(listed)
        assert len(report.problems) == session.libraries()[0].problems == 3
        session.index(cancelled=lambda: True)
        assert session.problems() == listed
        for name in ("out.md", "y-lost.md"):
            (folder / name).unlink()
        session.index()
        assert [one.document for one in session.problems()] == ["z.pdf"]


@pytest.mark.parametrize("kept", ["", "[1]", '[["a", "b", "c"]]', '{"a": 1}', "null", "7"])
def test_a_damaged_list_is_made_anew(tmp_path: Path, kept: str) -> None:
    with indexed(tmp_path, {"a.md": "The heron waits."}) as session:
        (tmp_path / "lib" / "lost.md").symlink_to("nothing")
        session.index()
        with closing(sqlite3.connect(session.database_path)) as database, database:
            assert database.execute("UPDATE settings SET value = ? WHERE key LIKE 'unfound%'", (kept,)).rowcount == 1
        assert (session.problems(), session.libraries()[0].problems) == ((), 0)
        session.index()
        assert [one.document for one in session.problems()] == ["lost.md"]


def test_a_removed_library_leaves_no_list_to_the_next(tmp_path: Path) -> None:
    with indexed(tmp_path, {"a.md": "The heron waits."}) as session:
        (tmp_path / "lib" / "lost.md").symlink_to("nothing")
        session.index()
        session.remove("lib")
        session.add(tmp_path / "lib", library_id="lib")
        assert session.problems() == ()
    raw = b"".join(path.read_bytes() for path in (tmp_path / "home").iterdir())
    assert b"lost.md" not in raw
