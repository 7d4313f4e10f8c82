"""Walking a folder: each file once, in one order, and a reason for what is left out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from ragspine_tui.documents.discover import DiscoveryProblem, discover, matches, preview_folder
from ragspine_tui.documents.reader import read_document
from ragspine_tui.errors import ReadError

LINKS = pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")


def found(root: Path, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> list[str]:
    return [source.relative for source in discover(root, include, exclude)]


def problems(root: Path) -> list[DiscoveryProblem]:
    seen: list[DiscoveryProblem] = []
    for _ in discover(root, report=seen.append):
        pass
    return seen


def test_files_come_in_name_order_with_their_measures(tmp_path: Path) -> None:
    make(tmp_path, "b.md", "a/z.md", "a/b/c.md", "a.md", "folder.md/inner.txt")
    assert found(tmp_path) == ["a/b/c.md", "a/z.md", "a.md", "b.md", "folder.md/inner.txt"]
    source = next(discover(tmp_path))
    assert (source.size, source.mtime_ns) == (1, source.path.stat().st_mtime_ns)


def test_hidden_and_built_things_are_left_out(tmp_path: Path) -> None:
    make(
        tmp_path,
        "a.md",
        ".b.md",
        ".git/c.md",
        "node_modules/d.md",
        "x/__pycache__/e.md",
        ".venv/f.md",
        ".obsidian/g.md",
    )
    assert found(tmp_path) == ["a.md"]


def test_an_include_that_names_a_dot_brings_hidden_files_back(tmp_path: Path) -> None:
    make(tmp_path, "a.md", ".b.md", ".git/c.md", ".notes/d.md")
    assert found(tmp_path, include=["*.md", ".b.md", ".notes/"]) == [".b.md", ".notes/d.md", "a.md"]


def test_include_and_exclude_are_gitignores_patterns(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "b.txt", "drafts/c.md", "x/drafts/d.md", "x/e.md")
    assert found(tmp_path, include=["*.md"], exclude=["/drafts/"]) == ["a.md", "x/drafts/d.md", "x/e.md"]
    assert found(tmp_path, exclude=["*.md", "!a.md"]) == ["a.md", "b.txt"]


def test_ignore_files_hold_from_their_folder_down(tmp_path: Path) -> None:
    make(tmp_path, "a.log", "keep.log", "sub/b.log", "sub/c.md", "sub/deep/d.md")
    (tmp_path / ".gitignore").write_text("*.log\n!keep.log\n")
    (tmp_path / "sub" / ".ignore").write_text("/c.md\n!b.log\n")
    assert found(tmp_path) == ["keep.log", "sub/b.log", "sub/deep/d.md"]


@pytest.mark.parametrize("pattern", ["[", "!", "\\", "***", "a\\", "[z-a]", ""])
def test_odd_patterns_break_nothing(tmp_path: Path, pattern: str) -> None:
    make(tmp_path, "b.md")
    (tmp_path / ".gitignore").write_text(pattern)
    found(tmp_path, exclude=[pattern])
    matches("a/b.md", [pattern])


def test_one_file_may_be_the_root(tmp_path: Path) -> None:
    make(tmp_path, ".hidden.md")
    assert found(tmp_path / ".hidden.md") == [".hidden.md"]


def test_a_missing_root_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="errno 2"):
        next(discover(tmp_path / "gone"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_as_the_root_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(ReadError, match="a folder or a regular file") as caught:
        next(discover(tmp_path / "pipe.txt"))
    assert caught.value.status == "unsupported"
    with pytest.raises(ReadError, match="a folder or a regular file"):
        preview_folder(tmp_path / "pipe.txt")


@LINKS
def test_a_link_to_a_file_may_be_the_root(tmp_path: Path) -> None:
    make(tmp_path, "a.md")
    (tmp_path / "link.md").symlink_to("a.md")
    source = next(discover(tmp_path / "link.md"))
    assert (source.relative, read_document(source.path, source.relative).text) == ("link.md", "x")


def test_named_folders_and_files_are_skipped_whole(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "home/b.md", "home/deep/c.md", "homely/d.md", "sub/base.db", "sub/base.db-wal", "sub/e.md")
    skip = [tmp_path / "home", tmp_path / "sub" / "base.db", tmp_path / "sub" / ".." / "sub" / "base.db-wal"]
    assert [source.relative for source in discover(tmp_path, skip=skip)] == ["a.md", "homely/d.md", "sub/e.md"]
    preview = preview_folder(tmp_path, skip=skip)
    assert (preview.files, preview.skipped) == (3, 3)


def test_no_include_brings_back_what_is_skipped(tmp_path: Path) -> None:
    make(tmp_path, ".home/b.md", "a.md")
    assert [s.relative for s in discover(tmp_path, [".home/", "*.md"], skip=[tmp_path / ".home"])] == ["a.md"]


@pytest.mark.parametrize("root", [".", "notes", "notes/a.md"])
def test_a_root_inside_what_is_skipped_gives_nothing(tmp_path: Path, root: str) -> None:
    make(tmp_path, "notes/a.md")
    assert list(discover(tmp_path / root, skip=[tmp_path])) == []
    assert preview_folder(tmp_path / root, skip=[tmp_path]).files == 0


@LINKS
def test_a_skipped_folder_is_known_by_its_real_place(tmp_path: Path) -> None:
    make(tmp_path, "real/home/b.md", "real/a.md")
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "home").symlink_to("real/home")
    assert [s.relative for s in discover(tmp_path / "link", skip=[tmp_path / "home"])] == ["a.md"]


@LINKS
def test_links_are_not_followed_and_those_that_lead_away_are_told(tmp_path: Path) -> None:
    root = tmp_path / "root"
    make(root, "a.md", "sub/b.md")
    make(tmp_path, "outside.md")
    (root / "in.md").symlink_to("a.md")
    (root / ".store").mkdir()
    (root / ".store" / "kept.md").write_text("x")
    (root / "stored.md").symlink_to(".store/kept.md")
    (root / "out.md").symlink_to("../outside.md")
    (root / "gone.md").symlink_to("nowhere")
    (root / "self").symlink_to("self")
    (root / "sub" / "up").symlink_to("..")
    assert found(root) == ["a.md", "sub/b.md"]
    assert [problem.relative for problem in problems(root)] == ["gone.md", "out.md", "self", "stored.md"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipes_are_told_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    assert [(problem.relative, str(problem.status)) for problem in problems(tmp_path)] == [("pipe.txt", "unsupported")]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_folder_is_told_and_the_rest_is_found(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "locked/b.md")
    (tmp_path / "locked").chmod(0)
    try:
        assert found(tmp_path) == ["a.md"]
        assert "errno 13" in problems(tmp_path)[0].reason
    finally:
        (tmp_path / "locked").chmod(0o700)


@pytest.mark.skipif(os.name == "nt", reason="such names exist on POSIX only")
def test_odd_names_come_back_as_they_are(tmp_path: Path) -> None:
    names = [
        "line\nbreak.md",
        " lead.txt",
        "trail.txt ",
        "-rf.txt",
        "[bold]x.md",
        "\x1b[31m.md",
        "back\\slash.md",
        "*.txt",
    ]
    make(tmp_path, *names)
    assert sorted(found(tmp_path)) == sorted(names)


def test_deep_folders_do_not_exhaust_the_stack(tmp_path: Path) -> None:
    deep = "/".join("d" for _ in range(400))
    make(tmp_path, f"{deep}/a.md")
    assert found(tmp_path) == [f"{deep}/a.md"]


def test_a_preview_counts_by_suffix(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "b.MD", "c.txt", "LEDGER", ".hidden", "node_modules/x.md")
    preview = preview_folder(tmp_path)
    assert (preview.files, preview.by_suffix, preview.skipped) == (4, ((".md", 2), ("", 1), (".txt", 1)), 2)
