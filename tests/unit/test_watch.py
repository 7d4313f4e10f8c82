"""Watching folders: what changes is told soon, many changes are one, and what no search would read is no change."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ragspine_tui.types import Library
from ragspine_tui.watch import Watcher
from tests.homes import write_files

SOON = 20.0
"""Seconds until a test gives up; what is told is told much earlier."""


class Watched:
    """A watched folder and, beside it, one where a change is made last: what was told before it, was told at all."""

    def __init__(self, place: Path, **options: Any) -> None:
        self.folder, self.last = place / "lib", place / "last"
        write_files(self.folder, {"a.md": "heron", "sub/b.md": "weir"})
        write_files(self.last, {"a.md": "eel"})
        self.lines: list[str] = []
        root = options.pop("root", self.folder)
        library = Library("lib", str(root), **options.pop("library", {}))
        libraries = (library, Library("last", str(self.last)))
        self.watcher = Watcher(libraries, told=self.lines.append, **{"quiet": 0.02, "roots_seconds": 0.05, **options})

    def told(self) -> list[tuple[str, ...]]:
        """What was told of until the last change of all, that one left out."""
        write_files(self.last, {"a.md": "eel again"})
        batches: list[tuple[str, ...]] = []
        while not batches or "last" not in batches[-1]:
            batch = self.watcher.take(SOON)
            assert batch, "nothing was told"
            batches.append(batch)
        return [left for batch in batches if (left := tuple(one for one in batch if one != "last"))]


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    """One that watches already."""
    one = Watched(tmp_path)
    with one.watcher:
        yield one


def test_a_changed_file_is_told(watched: Watched) -> None:
    write_files(watched.folder, {"sub/b.md": "another weir"})
    assert set(watched.told()) == {("lib",)}


def test_a_new_a_deleted_and_a_renamed_file_are_told(watched: Watched) -> None:
    for change in (
        lambda: write_files(watched.folder, {"new.md": "newt"}),
        lambda: (watched.folder / "a.md").unlink(),
        lambda: (watched.folder / "new.md").rename(watched.folder / "sub" / "newt.md"),
    ):
        change()
        assert set(watched.told()) == {("lib",)}


def test_an_editor_that_writes_beside_and_renames_is_heard(watched: Watched) -> None:
    write_files(watched.folder, {".a.md.swp": "heron and"})
    assert watched.told() == []
    (watched.folder / ".a.md.swp").rename(watched.folder / "a.md")
    assert set(watched.told()) == {("lib",)}


def test_nothing_is_told_where_nothing_changes_or_a_file_is_only_read(watched: Watched) -> None:
    assert (watched.folder / "a.md").read_text() == "heron"
    assert watched.told() == []
    assert watched.watcher.take() == ()


def test_what_happens_in_a_new_folder_is_told_too(watched: Watched) -> None:
    write_files(watched.folder, {"new/deep/er/c.md": "newt"})
    while watched.told():
        pass
    write_files(watched.folder, {"new/deep/er/c.md": "another newt"})
    assert set(watched.told()) == {("lib",)}


IGNORED: dict[str, str | bytes] = {
    ".git/index": "",
    "node_modules/x/y.md": "newt",
    "build/x.md": "newt",
    "sub/x.tmp": "newt",
    "home/ragspine.db": "rows",
    "left/out.md": "newt",
}


def test_what_no_search_would_read_is_no_change(tmp_path: Path) -> None:
    write_files(tmp_path / "lib", {".gitignore": "build/\n*.tmp\n", **IGNORED})
    options: dict[str, Any] = {"skip": [tmp_path / "lib" / "home"], "library": {"exclude": ("left/",)}}
    one = Watched(tmp_path, **options)
    with one.watcher:
        write_files(one.folder, dict.fromkeys(IGNORED, b"other bytes"))
        write_files(one.folder, {"node_modules/z/new.md": "", "build/deep/new.md": "", "home/ragspine.db-wal": ""})
        assert one.told() == []
        write_files(one.folder, {".gitignore": "*.tmp\n"})
        assert set(one.told()) == {("lib",)}
        while one.told():
            pass
        write_files(one.folder, {"build/x.md": "read now"})
        assert set(one.told()) == {("lib",)}


def test_a_library_that_minds_no_ignore_file_is_told_of_all_its_files(tmp_path: Path) -> None:
    write_files(tmp_path / "lib", {".gitignore": "build/\n", "build/x.md": "newt"})
    one = Watched(tmp_path, library={"ignoring": False})
    with one.watcher:
        write_files(one.folder, {"build/x.md": "another newt"})
        assert set(one.told()) == {("lib",)}


def test_a_link_that_leaves_the_folder_is_not_followed(tmp_path: Path) -> None:
    write_files(tmp_path / "far", {"x.md": "newt"})
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "far").symlink_to(tmp_path / "far")
    one = Watched(tmp_path)
    with one.watcher:
        write_files(tmp_path / "far", {"x.md": "another newt"})
        assert one.told() == []


def test_a_root_that_is_a_link_is_watched_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "lib")
    one = Watched(tmp_path, root=tmp_path / "link")
    with one.watcher:
        write_files(one.folder, {"sub/b.md": "another weir"})
        assert set(one.told()) == {("lib",)}


def test_a_thousand_changes_are_told_once_or_twice(tmp_path: Path) -> None:
    one = Watched(tmp_path, quiet=0.5)
    with one.watcher:
        write_files(one.folder, {f"d{number % 10}/n{number}.md": "newt" for number in range(1_000)})
        told = one.told()
        while (more := one.watcher.take(0.6)) and len(told) < 9:
            told.append(more)
        # A busy machine may pause in the midst of them.
        assert 1 <= len(told) <= 4


def test_a_folder_that_went_and_one_that_came_back_are_told_and_watched_again(watched: Watched, tmp_path: Path) -> None:
    watched.folder.rename(tmp_path / "away")
    assert "lib" in watched.watcher.take(SOON)
    (tmp_path / "away").rename(watched.folder)
    assert "lib" in watched.watcher.take(SOON)
    while watched.told():
        pass
    write_files(watched.folder, {"sub/b.md": "another weir"})
    assert set(watched.told()) == {("lib",)}


def test_a_folder_that_is_not_there_yet_is_awaited(tmp_path: Path) -> None:
    one = Watched(tmp_path, root=tmp_path / "later")
    with one.watcher:
        assert one.told() == []
        write_files(tmp_path / "later", {"a.md": "heron"})
        assert one.watcher.take(SOON) == ("lib",)


def test_a_library_of_one_file_is_watched_through_every_way_of_writing_it(tmp_path: Path) -> None:
    one = Watched(tmp_path, root=tmp_path / "lib" / "a.md")
    with one.watcher:
        for text in ("heron, once more", "heron, twice"):
            write_files(one.folder, {"beside": text})
            (one.folder / "beside").replace(one.folder / "a.md")
            assert one.watcher.take(SOON) == ("lib",)


def test_where_the_system_tells_nothing_the_files_are_looked_at(tmp_path: Path) -> None:
    one = Watched(tmp_path, polling=True, look_seconds=0.01)
    with one.watcher:
        # What changed before the first look, nobody saw.
        assert set(one.watcher.take(SOON)) <= {"lib", "last"}
        write_files(one.folder, {"sub/b.md": "another weir"})
        assert ("lib",) in one.told()
        shutil.rmtree(one.folder / "sub")
        assert ("lib",) in one.told()
    assert one.lines == ["last, lib: as asked, looked at every 0.01 seconds"]


REFUSED = """
import sys
from pathlib import Path
from ragspine_tui.types import Library
from ragspine_tui.watch import Watcher
import watchfiles
spare = open("/dev/null")
{limit}
with Watcher([Library("lib", sys.argv[1])], told=print, quiet=0.02, look_seconds=0.01) as watcher:
    print(*watcher.take(20))
    spare.close()
    Path(sys.argv[1], "sub", "a.md").write_text("another heron")
    print(*watcher.take(20))
"""
NO_FILES = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (spare.fileno() + 1, spare.fileno() + 1))"
NO_WATCHES = "Path('/proc/sys/user/max_inotify_watches').write_text('1')"
OF_ITS_OWN = ("unshare", "--user", "--map-root-user")
"""What begins a program in a namespace whose limits are its own, where that is allowed."""


def can_have_its_own() -> bool:
    return shutil.which("unshare") is not None and not subprocess.call([*OF_ITS_OWN, "true"], stderr=subprocess.DEVNULL)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the limits are Linux's")
@pytest.mark.parametrize(("prefix", "limit"), [((), NO_FILES), (OF_ITS_OWN, NO_WATCHES)])
def test_where_the_system_refuses_to_tell_one_line_says_so_and_the_files_are_looked_at(
    tmp_path: Path, prefix: tuple[str, ...], limit: str
) -> None:
    if prefix and not can_have_its_own():
        pytest.skip("no namespace of its own here")
    folder = write_files(tmp_path / "lib", {"sub/a.md": "heron"})
    command = [*prefix, sys.executable, "-c", REFUSED.format(limit=limit), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=Path(__file__).parents[2])
    line, *ids = done.stdout.splitlines()
    assert line.startswith("lib: the system cannot tell of changes ("), done.stderr
    assert line.endswith("looked at every 0.01 seconds")
    assert ids == ["lib", "lib"]


def test_libraries_that_come_are_told_and_those_that_go_are_not(watched: Watched, tmp_path: Path) -> None:
    new = Library("new", str(write_files(tmp_path / "new", {"a.md": "newt"})))
    last = Library("last", str(watched.last))
    watched.watcher.follow([last, new])
    assert watched.watcher.take(SOON) == ("new",)
    write_files(watched.folder, {"a.md": "another heron"})
    write_files(tmp_path / "new", {"a.md": "another newt"})
    assert set(watched.told()) == {("new",)}


def test_what_could_not_be_done_can_be_had_again(watched: Watched) -> None:
    watched.watcher.again(["lib"])
    assert set(watched.told()) == {("lib",)}


def test_a_closed_watcher_is_closed_at_once_and_tells_nothing(tmp_path: Path) -> None:
    one = Watched(tmp_path)
    one.watcher.start()
    one.watcher.close()
    write_files(one.folder, {"a.md": "another heron"})
    assert one.watcher.take(SOON) == ()


def test_a_watch_that_cannot_go_on_says_so_in_a_line(tmp_path: Path) -> None:
    called = threading.Event()

    def fail() -> None:
        called.set()
        raise LookupError("words of a document")

    one = Watched(tmp_path, due=fail)
    with one.watcher:
        write_files(one.folder, {"a.md": "another heron"})
        assert called.wait(SOON)
    assert one.lines == ["folders are watched no more: unexpected LookupError"]


def test_that_there_is_something_to_take_is_called_out(tmp_path: Path) -> None:
    called: list[str] = []
    one = Watched(tmp_path, due=lambda: called.append("due"))
    with one.watcher:
        write_files(one.folder, {"a.md": "another heron"})
        assert set(one.told()) == {("lib",)}
    assert called
