"""The seam: which reader, which fields, and an honest reason where there is no text."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ragspine_tui.documents.fields import iso_time
from ragspine_tui.documents.reader import choose_reader, is_plain, load, read_document, readers
from ragspine_tui.errors import ReadError
from ragspine_tui.types import Condition, SearchRequest
from tests.homes import indexed, paths
from tests.unit.documents.files import read


def failure(path: Path) -> ReadError:
    with pytest.raises(ReadError) as caught:
        read_document(path, path.name)
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.md", "# x", "md"),
        ("A.MARKDOWN", "# x", "md"),
        ("a.txt", "x", "txt"),
        ("LEDGER", "x", "txt"),
        ("trailing.txt ", "x", "txt"),
        ("a.unknown", "x", "txt"),
        ("a.rs", "x", "code"),
        ("run", "#!/bin/sh\nx", "code"),
        ("a.htm", "<p>x", "html"),
        ("a.txt", "<!DOCTYPE html><p>x", "html"),
        ("a.md", "<html><p>x", "md"),
        ("a.xls", "<html><table><tr><td>x</table>", "html"),
        ("a.doc", "x", "txt"),
    ],
)
def test_content_then_suffix_choose_the_reader(tmp_path: Path, name: str, content: str, kind: str) -> None:
    document = read(tmp_path, name, content)
    assert document.kind == kind
    assert document.fields["kind"] == (kind,)


def test_kinds_and_suffixes_are_each_one_readers() -> None:
    suffixes = [suffix for reader in readers() for suffix in reader.suffixes]
    assert len(suffixes) == len(set(suffixes))
    assert len({reader.kind for reader in readers()}) == len(readers())


@pytest.mark.parametrize("content", ["", "  \n\t\r\n"])
def test_nothing_but_white_space_is_empty(tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.pdf"
    path.write_text(content)
    assert failure(path).status == "empty"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "PNG"),
        (b"\x1f\x8b\x08\0" + b"x" * 50, "gzip"),
        (b"\0\1\2\3" * 100, "binary"),
    ],
)
def test_what_is_no_text_is_unsupported_whatever_its_name(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "picture.md"
    path.write_bytes(content)
    error = failure(path)
    assert error.status == "unsupported"
    assert said in str(error)


def test_a_missing_file_is_unreadable_with_its_errno(tmp_path: Path) -> None:
    error = failure(tmp_path / "gone.md")
    assert error.status == "unreadable"
    assert "errno 2" in str(error)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_unreadable(tmp_path: Path) -> None:
    path = tmp_path / "secret.md"
    path.write_text("x")
    path.chmod(0)
    assert "errno 13" in str(failure(path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    assert failure(tmp_path / "pipe.txt").status == "unsupported"


def test_a_folder_is_no_document(tmp_path: Path) -> None:
    assert failure(tmp_path).status == "unsupported"


def test_a_folder_holds_what_its_folders_hold(tmp_path: Path) -> None:
    files = {"a.md": "tun", "old stuff/b.md": "tun b", "old stuff/deep/er/c.md": "tun c", "old stuff too/d.md": "tun d"}
    with indexed(tmp_path, files) as session:
        result = session.search(SearchRequest("tun", conditions=(Condition("folder", "eq", "old stuff"),)))
        assert sorted(paths(result)) == ["old stuff/b.md", "old stuff/deep/er/c.md"]
        deep = session.search(SearchRequest("tun", conditions=(Condition("folder", "eq", "old stuff/deep/er"),))).hits
        assert [hit.fields["folder"] for hit in deep] == [("old stuff/deep/er", "old stuff/deep", "old stuff")]


def test_the_files_own_fields_are_in_sortable_forms(tmp_path: Path) -> None:
    path = tmp_path / "sub" / "a.md"
    path.parent.mkdir()
    path.write_text("hello")
    os.utime(path, (1_736_933_400, 1_736_933_400))
    fields = read_document(path, "sub/a.md").fields
    assert fields["size"] == ("000000000005",)
    assert fields["modified"] == ("2025-01-15T09:30:00Z",)
    assert (fields["name"], fields["folder"], fields["ext"]) == (("a.md",), ("sub",), ("md",))


def test_times_before_1970_and_after_2106_have_a_form() -> None:
    assert iso_time(-315_349_015.5) == "1960-01-04T03:03:04Z"
    assert iso_time(4_323_207_845) == "2106-12-31T03:04:05Z"


def test_a_declared_name_adds_to_the_files_own(tmp_path: Path) -> None:
    fields = read(tmp_path, "a.md", "---\nkind: recipe\nmodified: 2020-01-01\n---\nx").fields
    assert fields["kind"] == ("md", "recipe")
    assert fields["modified"][1:] == ("2020-01-01",)


@pytest.mark.skipif(os.name == "nt", reason="names are bytes on POSIX only")
def test_names_that_are_not_utf8_are_read(tmp_path: Path) -> None:
    name = os.fsdecode(b"\xff raw\nline.md")
    try:
        (tmp_path / name).write_text("# Tun\n\nstaves")
    except OSError:
        return
    document = read_document(tmp_path / name, name)
    assert (document.path, document.fields["name"]) == (name, ("\ufffd raw\nline.md",))


@pytest.mark.skipif(os.name == "nt", reason="names are bytes on POSIX only")
def test_a_folders_undecodable_bytes_are_shown_as_everywhere(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Tun\n\nstaves")
    fields = read_document(tmp_path / "a.md", os.fsdecode(b"caf\xe9/tide/a.md")).fields
    assert fields["folder"] == ("caf\ufffd/tide", "caf\ufffd")


def test_only_the_oldest_readers_of_text_read_in_the_program_itself(tmp_path: Path) -> None:
    files = {
        "a.md": "# A",
        "a.txt": "a",
        "a.py": "a = 1",
        "a.html": "<p>a",
        "a.unheard": "a",
        "a.1": ".TH A 1\n.SH NAME\na",
        "a.csv": "a,b\n1,2",
        "a.json": "{}",
        "a.tex": "a",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    plain = {name for name in files if is_plain(choose_reader(load(tmp_path / name, name)))}
    assert plain == {"a.md", "a.txt", "a.py", "a.html", "a.unheard"}
