"""What a watcher takes for a change is what a walk would find: the two never disagree."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragspine_tui.documents.discover import Reach, discover
from tests.homes import write_files

FILES = (
    "a.md",
    "a.log",
    ".hidden.md",
    ".config/b.md",
    "docs/a.md",
    "docs/build/a.md",
    "docs/build/keep/a.md",
    "docs/.git/config",
    "node_modules/x.md",
    "home/ragspine.db",
    "deep/er/and/deeper/a.log",
)
PATTERNS = ("*.md", "*.log", "docs/", "/docs/build", "build/", "!keep/", "!a.log", ".config/", "deep/**/a.*", ".*")


def folder_of(relative: str) -> str:
    return relative.rpartition("/")[0] or "."


some = st.lists(st.sampled_from(PATTERNS), max_size=3)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(some, some, some, some, st.booleans())
def test_every_file_that_a_walk_finds_is_reached_and_every_folder_it_enters(
    tmp_path: Path, include: list[str], exclude: list[str], top: list[str], inner: list[str], ignoring: bool
) -> None:
    ignores = {".gitignore": "\n".join(top), "docs/.ignore": "\n".join(inner)}
    root = write_files(tmp_path / "root", {**dict.fromkeys(FILES, "x"), **ignores})
    skip = [root / "home"]
    reach = Reach(root, include, exclude, skip=skip, ignoring=ignoring)
    found = {source.relative for source in discover(root, include, exclude, skip=skip, ignoring=ignoring)}
    entered = {os.path.relpath(folder, root) for folder in reach.folders()}
    for relative in FILES:
        folder = folder_of(relative)
        if relative in found:
            assert reach.covers(str(root / relative))
            assert folder in entered
        if folder not in entered:
            assert not reach.covers(str(root / relative))
    for ignore in ignores if ignoring else ():
        assert reach.covers(str(root / ignore)) == (folder_of(ignore) in entered)


def test_the_root_is_reached_and_nothing_beside_it(tmp_path: Path) -> None:
    root = write_files(tmp_path / "root", {"a.md": "x"})
    reach = Reach(root)
    assert reach.covers(str(root))
    assert not reach.covers(str(tmp_path))
    assert not reach.covers(str(tmp_path / "root-and-more" / "a.md"))


def test_a_folder_deeper_than_the_stack_is_reached(tmp_path: Path) -> None:
    reach = Reach(write_files(tmp_path / "root", {"a.md": "x"}))
    assert reach.covers(str(tmp_path / "root") + "/d" * 1_900 + "/a.md")
