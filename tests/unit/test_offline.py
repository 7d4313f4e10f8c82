"""A folder that is away keeps its library, and since when it is away is kept too."""

from __future__ import annotations

import os
import shutil
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from ragspine_tui.absence import mount_of
from ragspine_tui.session import Session
from ragspine_tui.types import LibrarySummary, shown_time
from tests.homes import find, indexed, open_session, paths, write_files

NOTES = {"a.md": "The heron waits.", "b.txt": "A weir in the river."}


def seen(session: Session) -> LibrarySummary:
    return session.libraries()[0]


def test_since_when_a_folder_is_away_is_kept_until_it_is_back(tmp_path: Path) -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    with indexed(tmp_path, NOTES) as session:
        assert (seen(session).offline, seen(session).offline_since) == (False, "")
        (tmp_path / "lib").rename(tmp_path / "away")
        report = session.index()[0]
        since = seen(session).offline_since
        assert before <= datetime.fromisoformat(since) <= datetime.now(UTC)
        assert f"offline since {shown_time(since)}" in report.problems[0].reason
        assert paths(find(session, "heron")) == ["a.md"]
    with sqlite3.connect(tmp_path / "home" / "ragspine.db") as connection:
        connection.execute("UPDATE libraries SET offline_since = '2020-02-03T04:05:06+00:00'")
    connection.close()
    with open_session(tmp_path / "home") as session:
        session.index()
        assert seen(session).offline_since == "2020-02-03T04:05:06+00:00"
        (tmp_path / "away").rename(tmp_path / "lib")
        assert (seen(session).offline, seen(session).offline_since) == (False, "")
        report = session.index()[0]
        assert (report.unchanged, report.problems) == (2, ())


def test_a_file_deleted_in_a_folder_that_is_there_does_go(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        (tmp_path / "lib" / "a.md").unlink()
        assert session.index()[0].removed == 1
        assert find(session, "heron").hits == ()


def test_a_folder_that_lies_empty_where_a_drive_was_mounted_is_away_and_not_emptied(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        assert session._store.mount("lib") == mount_of(tmp_path / "lib")
        # As if the folder had been a drive's: what is below it now is what was there before it was mounted.
        session._store.note_mount("lib", str(tmp_path / "lib"))
        for path in (tmp_path / "lib").iterdir():
            path.rename(tmp_path / path.name)
        report = session.index()[0]
        assert (report.removed, seen(session).offline) == (0, True)
        assert "everything is kept" in report.problems[0].reason
        for name in NOTES:
            (tmp_path / name).rename(tmp_path / "lib" / name)
        # Whoever copied the drive's files there has them there from now on.
        assert session.index()[0].unchanged == 2
        assert session._store.mount("lib") == mount_of(tmp_path / "lib")
        for name in NOTES:
            (tmp_path / "lib" / name).unlink()
        assert session.index()[0].removed == 2


def test_a_mount_is_the_nearest_above_a_folder(tmp_path: Path) -> None:
    assert mount_of(Path("/")) == "/"
    assert os.path.ismount(mount_of(tmp_path))
    assert tmp_path.is_relative_to(mount_of(tmp_path))
    assert mount_of(Path("/proc/self")) == "/proc"


def test_a_home_that_cannot_be_written_to_still_says_what_is_away(tmp_path: Path) -> None:
    indexed(tmp_path, NOTES).close()
    shutil.rmtree(tmp_path / "lib")
    with open_session(tmp_path / "home") as session:
        session._store._database.read_only = True
        assert (seen(session).offline, seen(session).offline_since) == (True, "")


def test_ignore_files_can_be_left_out_of_account_for_one_library(tmp_path: Path) -> None:
    files = {".gitignore": "build/\n", "a.md": "heron", "build/b.md": "a built heron"}
    with indexed(tmp_path, files) as session:
        session.add(write_files(tmp_path / "all", files), library_id="all", ignoring=False)
        session.index()
        assert {(hit.library_id, hit.document) for hit in find(session, "heron").hits} == {
            ("lib", "a.md"),
            ("all", "a.md"),
            ("all", "build/b.md"),
        }
        assert [one.library.ignoring for one in session.libraries()] == [False, True]


def test_a_home_of_an_earlier_version_is_brought_up_to_date_with_all_that_is_in_it(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        session.restrict("lib", ["b.txt"])
    with sqlite3.connect(tmp_path / "home" / "ragspine.db") as connection:
        for column in ("ignoring", "offline_since", "mount"):
            connection.execute(f"ALTER TABLE libraries DROP COLUMN {column}")
        connection.execute("DELETE FROM _sqlite_migrations WHERE name IN ('upkeep', 'mounts')")
        connection.execute("PRAGMA user_version = 2")
    connection.close()
    with open_session(tmp_path / "home") as session:
        assert (seen(session).library.ignoring, seen(session).offline_since) == (True, "")
        assert session.marks("lib") == ("=b.txt",)
        assert paths(find(session, "heron")) == ["a.md"]
        assert session.index()[0].unchanged == 2
