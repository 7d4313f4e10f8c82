"""What one library restricts is restricted in every library that has the same file, whichever came first."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragspine_tui.documents.discover import discover
from ragspine_tui.documents.overlaps import Roots
from ragspine_tui.documents.sensitivity import ForeignRestriction, PathRestriction
from ragspine_tui.types import Library
from tests.homes import find, open_session, paths, write_files

SECRET = "The quarrelsome heptagon opens the vault."
FILES = {"all/job/Archive/plan.md": SECRET, "all/job/open.md": "The heron waits.", "all/eel.md": "An eel passes."}

ROOTS = ("all", "all/job", "all/job/Archive", "all/job/Archive/plan.md", "link", "link/job", "plan-link.md")
"""The same file in folders around and inside one another, alone, and by links."""

MARKS = {
    "all": "job/Archive/*",
    "all/job": "Archive/plan.md",
    "all/job/Archive": "*.md",
    "all/job/Archive/plan.md": "plan.md",
    "link": "plan.md",
    "link/job": "Archive/",
    "plan-link.md": "plan-link.md",
}
PAIRS = (
    ("all", "all/job/Archive"),
    ("all/job/Archive", "all"),
    ("all", "link"),
    ("link/job", "all/job/Archive/plan.md"),
    ("plan-link.md", "link"),
)


def folders(tmp_path: Path) -> Path:
    write_files(tmp_path, FILES)
    (tmp_path / "link").symlink_to(tmp_path / "all")
    (tmp_path / "plan-link.md").symlink_to(tmp_path / "all/job/Archive/plan.md")
    return tmp_path


def is_kept(home: Path) -> bool:
    """Whether any file of the home holds the secret, in plain bytes or in the index."""
    return b"heptagon" in b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())


@pytest.mark.parametrize("other", ROOTS)
@pytest.mark.parametrize("restricting", ROOTS)
def test_whatever_two_roots_are_called_the_file_is_the_same(tmp_path: Path, restricting: str, other: str) -> None:
    folder = folders(tmp_path)
    mine, theirs = (Library("a", str(folder / other)), Library("b", str(folder / restricting)))
    foreign = [ForeignRestriction(theirs, (MARKS[restricting],), one) for one in Roots().overlaps(mine, theirs)]
    restriction = PathRestriction(mine, (), foreign)
    covered = [source.relative for source in discover(Path(mine.root)) if restriction.covers(source.relative)]
    assert [Path(path).name for path in covered] == ["plan-link.md" if other == "plan-link.md" else "plan.md"]


@pytest.mark.parametrize(("restricting", "other"), PAIRS)
def test_a_library_added_later_has_no_byte_of_what_another_restricts(
    tmp_path: Path, restricting: str, other: str
) -> None:
    folder = folders(tmp_path / "f")
    with open_session(tmp_path / "home") as session:
        session.add(folder / restricting, library_id="first", restrict=[MARKS[restricting]])
        session.add(folder / other, library_id="second")
        report = session.index()[1]
        assert find(session, "heptagon vault").total == 0
        assert report.restricted_by == (("first", 1),)
        assert "library first" in session.restricted("second")[0].reasons[0]
        assert not is_kept(tmp_path / "home")


@pytest.mark.parametrize(("restricting", "other"), PAIRS)
def test_what_is_restricted_later_leaves_the_other_library_in_the_same_act(
    tmp_path: Path, restricting: str, other: str
) -> None:
    folder = folders(tmp_path / "f")
    told: list[tuple[str, int]] = []
    with open_session(tmp_path / "home") as session:
        session.add(folder / restricting, library_id="first")
        session.add(folder / other, library_id="second")
        session.index()
        assert find(session, "heptagon").total == 2
        session.restrict("first", [MARKS[restricting]], purged=lambda *one: told.append(one))
        assert told == [("second", 1)]
        assert find(session, "heptagon vault").total == 0
        assert session.index(["second"])[0].unchanged >= 1
        assert not is_kept(tmp_path / "home")


@pytest.mark.parametrize("restrict", [{"sensitivity": "restricted"}, {"restrict": ["Archive/"]}])
def test_adding_a_restricted_library_over_a_read_folder_empties_it_there(
    tmp_path: Path, restrict: dict[str, object]
) -> None:
    folder = folders(tmp_path / "f")
    with open_session(tmp_path / "home") as session:
        session.add(folder / "all", library_id="all")
        session.index()
        session.add(folder / "all/job", library_id="job", **restrict)  # type: ignore[arg-type]
        assert find(session, "heptagon").total == 0
        assert paths(find(session, "eel")) == ["eel.md"]
        assert not is_kept(tmp_path / "home")


def test_a_library_restricted_as_a_whole_restricts_only_the_files_it_takes(tmp_path: Path) -> None:
    folder = folders(tmp_path / "f")
    with open_session(tmp_path / "home") as session:
        session.add(folder / "all/job", library_id="job", sensitivity="restricted", exclude=["open.md"])
        session.add(folder / "all", library_id="all")
        session.index()
        assert sorted(paths(find(session, "heron heptagon eel"))) == ["eel.md", "job/open.md"]


def test_what_is_no_more_restricted_is_read_by_the_other_library_at_its_next_update(tmp_path: Path) -> None:
    folder = folders(tmp_path / "f")
    with open_session(tmp_path / "home") as session:
        session.add(folder / "all", library_id="all")
        session.add(folder / "all/job", library_id="job")
        session.restrict("all", ["job/Archive/plan.md"])
        session.index()
        session.unrestrict("all", ["job/Archive/plan.md"])
        assert paths(find(session, "heptagon")) == ["job/Archive/plan.md"]
        session.index(["job"])
        assert find(session, "heptagon").total == 2


def test_when_the_restricting_library_is_removed_its_marks_go(tmp_path: Path) -> None:
    folder = folders(tmp_path / "f")
    with open_session(tmp_path / "home") as session:
        session.add(folder / "all", library_id="all", restrict=["plan.md"])
        session.add(folder / "all/job", library_id="job")
        session.index()
        session.remove("all")
        session.index(["job"])
        assert paths(find(session, "heptagon")) == ["Archive/plan.md"]


def test_folders_that_lie_side_by_side_have_nothing_to_do_with_one_another(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "f", {"a/plan.md": SECRET, "a2/plan.md": SECRET})
    with open_session(tmp_path / "home") as session:
        session.add(folder / "a", library_id="a", restrict=["plan.md"])
        session.add(folder / "a2", library_id="a2")
        session.index()
        assert find(session, "heptagon").total == 1


def test_a_search_shows_nothing_restricted_elsewhere_though_its_text_could_not_be_removed(tmp_path: Path) -> None:
    folder = folders(tmp_path / "f")
    with open_session(tmp_path / "home") as session:
        session.add(folder / "all", library_id="all")
        session.add(folder / "all/job", library_id="job")
        session.index()
        session._store.add_marks("all", ["=job/Archive/plan.md"])
        assert find(session, "heptagon").hits == ()


def test_a_restricted_file_renamed_within_the_other_library_stays_restricted_in_both(tmp_path: Path) -> None:
    folder = folders(tmp_path / "f")
    with open_session(tmp_path / "home") as session:
        session.add(folder / "all", library_id="all")
        session.add(folder / "all/job", library_id="job")
        session.restrict("all", ["job/Archive/plan.md"])
        session.index()
        (folder / "all/job/Archive/plan.md").rename(folder / "all/job/free.md")
        session.index(["job"])
        session.index(["all"])
        assert find(session, "heptagon").total == 0
        assert not is_kept(tmp_path / "home")
