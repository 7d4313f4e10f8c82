"""A file under a new path is the file it was: counted so, and as restricted as it was."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from ragspine_tui.session import Session
from ragspine_tui.types import DocumentStatus, IndexReport
from tests.homes import find, indexed, open_session, paths, write_files

NOTES = {
    "a.md": "# Herons\n\nThe heron waits.",
    "secret.md": "A password of the weir.",
    "private/one.md": "The first password.",
    "private/deep/two.md": "The second password.",
}


def update(session: Session, *, rebuild: bool = False) -> IndexReport:
    return session.index(["lib"], rebuild=rebuild)[0]


def is_nowhere(home: Path, *texts: str) -> bool:
    """Whether no byte of the texts is in any file of the home, nor of their words in the index."""
    files = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    return not any(text.encode() in files for text in texts)


def restricted(session: Session) -> list[str]:
    return [one.document for one in session.restricted("lib")]


def test_a_renamed_file_is_one_and_not_a_loss_and_a_gain(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        (tmp_path / "lib" / "a.md").rename(tmp_path / "lib" / "private" / "herons.md")
        report = update(session)
        assert (report.added, report.removed, report.renamed, report.unchanged) == (0, 0, 1, 3)
        assert paths(find(session, "heron")) == ["private/herons.md"]


def test_a_moved_folder_is_so_many_renamed_files_and_other_files_are_what_they_are(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        (tmp_path / "lib" / "private").rename(tmp_path / "lib" / "moved")
        (tmp_path / "lib" / "secret.md").unlink()
        write_files(tmp_path / "lib", {"new.md": "newt", "copy.md": NOTES["a.md"]})
        report = update(session)
        assert (report.added, report.removed, report.renamed, report.unchanged) == (2, 1, 2, 1)


def test_of_files_with_the_same_bytes_each_is_renamed_once(tmp_path: Path) -> None:
    with indexed(tmp_path, {"x/a.md": "heron", "y/b.md": "heron", "z/c.md": "heron"}) as session:
        for name in ("x", "y"):
            shutil.move(tmp_path / "lib" / name, tmp_path / "lib" / f"new-{name}")
        write_files(tmp_path / "lib", {"d.md": "heron"})
        report = update(session)
        assert (report.added, report.removed, report.renamed, report.unchanged) == (1, 0, 2, 1)


@pytest.mark.parametrize("rebuild", [False, True])
@pytest.mark.parametrize("mark", ["secret.md", "sec*.md"])
def test_a_restricted_document_stays_so_under_its_new_path_and_that_is_said(
    tmp_path: Path, mark: str, rebuild: bool
) -> None:
    with indexed(tmp_path, NOTES) as session:
        session.restrict("lib", [mark])
        (tmp_path / "lib" / "secret.md").rename(tmp_path / "lib" / "plain.md")
        report = update(session, rebuild=rebuild)
        assert restricted(session) == ["plain.md"]
        assert find(session, "weir").hits == ()
        told = [(one.document, one.status) for one in report.problems if one.is_about_restriction]
        assert told == [("plain.md", DocumentStatus.RESTRICTED)]
        assert "restricted like secret.md" in report.problems[0].reason
        assert set(session.marks("lib")) >= {"=plain.md"}
        assert update(session).problems == ()
    assert is_nowhere(tmp_path / "home", NOTES["secret.md"])


def test_what_restricts_since_the_library_was_added_follows_too(tmp_path: Path) -> None:
    with open_session(tmp_path / "home") as session:
        session.add(write_files(tmp_path / "lib", NOTES), library_id="lib", restrict=["private/", "secret.md"])
        update(session)
        (tmp_path / "lib" / "secret.md").rename(tmp_path / "lib" / "plain.md")
        update(session)
        assert restricted(session) == ["plain.md", "private/deep/two.md", "private/one.md"]


def test_a_restricted_folder_that_moves_restricts_what_comes_into_it_later(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        session.restrict("lib", ["private"])
        (tmp_path / "lib" / "sub").mkdir()
        (tmp_path / "lib" / "private").rename(tmp_path / "lib" / "sub" / "personal")
        update(session)
        assert session.marks("lib") == ("=private/", "=sub/personal/")
        write_files(tmp_path / "lib", {"sub/personal/three.md": "The third password."})
        update(session)
        assert restricted(session) == ["sub/personal/deep/two.md", "sub/personal/one.md", "sub/personal/three.md"]
        assert find(session, "password").total == 1


def test_a_restricted_file_that_takes_the_place_of_another_stays_restricted(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        session.restrict("lib", ["secret.md"])
        (tmp_path / "lib" / "secret.md").replace(tmp_path / "lib" / "a.md")
        update(session)
        assert restricted(session) == ["a.md"]
        assert find(session, "weir heron").hits == ()
        assert find(session, "first").hits != ()


def test_two_files_that_change_places_are_both_restricted(tmp_path: Path) -> None:
    folder = tmp_path / "lib"
    with indexed(tmp_path, NOTES) as session:
        session.restrict("lib", ["secret.md"])
        (folder / "secret.md").rename(folder / "x")
        (folder / "a.md").rename(folder / "secret.md")
        (folder / "x").rename(folder / "a.md")
        update(session)
        assert restricted(session) == ["a.md", "secret.md"]
        assert find(session, "weir heron").hits == ()


def test_a_copy_of_a_restricted_file_that_is_still_there_is_a_file_of_its_own(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        session.restrict("lib", ["secret.md"])
        shutil.copy2(tmp_path / "lib" / "secret.md", tmp_path / "lib" / "copy.md")
        update(session)
        assert restricted(session) == ["secret.md"]


def test_a_mark_that_followed_can_be_lifted(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        session.restrict("lib", ["secret.md"])
        (tmp_path / "lib" / "secret.md").rename(tmp_path / "lib" / "plain.md")
        update(session)
        assert session.unrestrict("lib", ["plain.md"]) == 1
        assert paths(find(session, "weir")) == ["plain.md"]
        update(session)
        assert restricted(session) == []


def test_a_stopped_run_has_marked_what_it_did_not_come_to(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        session.restrict("lib", ["secret.md"])
        (tmp_path / "lib" / "secret.md").rename(tmp_path / "lib" / "plain.md")
        session.index(["lib"], cancelled=lambda: True)
        update(session)
        assert restricted(session) == ["plain.md"]


def test_a_file_with_another_time_is_another_file(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        session.restrict("lib", ["secret.md"])
        (tmp_path / "lib" / "secret.md").unlink()
        write_files(tmp_path / "lib", {"other.md": "A password of the reed."})
        os.utime(tmp_path / "lib" / "other.md", ns=(1, 1))
        report = update(session)
        assert restricted(session) == []
        assert paths(find(session, "reed")) == ["other.md"]
        # It may be the same, renamed and changed: that only a person knows.
        assert [one.document for one in report.problems if one.is_about_restriction] == ["secret.md"]
        assert "is gone, and a file is new: if that is it" in report.problems[0].reason
        assert update(session).problems == ()


def test_a_restricted_file_that_is_deleted_while_nothing_is_new_is_no_matter(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        session.restrict("lib", ["secret.md"])
        (tmp_path / "lib" / "secret.md").unlink()
        write_files(tmp_path / "lib", {"a.md": "The bittern booms."})
        report = update(session)
        assert (report.removed, report.changed, report.problems) == (1, 1, ())
