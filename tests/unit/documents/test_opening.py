"""Opening what was found: regular files of a sane size, whatever stands in their place by then."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ragspine_tui.documents.discover import discover
from ragspine_tui.documents.opening import MAX_BYTES, open_regular
from ragspine_tui.documents.reader import load, read_document, read_loaded
from ragspine_tui.errors import ReadError

POSIX = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes, links and devices")


def status_of(path: Path) -> str:
    with pytest.raises(ReadError) as caught:
        load(path, path.name)
    return str(caught.value.status)


def test_a_loaded_file_is_read_as_it_was_when_it_was_loaded(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"# Tun\n\nstaves\n")
    source = load(path, "sub/a.md")
    before = read_document(path, "sub/a.md")
    path.write_bytes(b"# Other\n")
    assert source.data == b"# Tun\n\nstaves\n"
    assert read_loaded(source) == before


def test_a_file_of_several_pieces_is_read_whole(tmp_path: Path) -> None:
    data = bytes(range(256)) * 10_000
    (tmp_path / "a.bin").write_bytes(data)
    assert open_regular(tmp_path / "a.bin")[0] == data


def test_a_file_over_the_limit_is_told_from_its_size_alone(tmp_path: Path) -> None:
    with (tmp_path / "vast.txt").open("wb") as file:
        file.truncate(max(MAX_BYTES + 1, 1 << 40) if os.name == "posix" else MAX_BYTES + 1)
    assert status_of(tmp_path / "vast.txt") == "too_large"


def test_a_limit_may_be_given(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("12345")
    assert open_regular(tmp_path / "a.txt", 5)[0] == b"12345"
    with pytest.raises(ReadError):
        open_regular(tmp_path / "a.txt", 4)


@POSIX
def test_a_pipe_put_in_a_files_place_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x")
    source = next(discover(tmp_path))
    source.path.unlink()
    os.mkfifo(source.path)
    assert status_of(source.path) == "unsupported"


@POSIX
def test_a_link_put_in_a_files_place_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "outside.md").write_text("secret")
    (tmp_path / "lib" / "a.md").write_text("x")
    source = next(discover(tmp_path / "lib"))
    source.path.unlink()
    source.path.symlink_to(tmp_path / "outside.md")
    assert status_of(source.path) == "unsupported"


@POSIX
@pytest.mark.parametrize("device", ["/dev/null", "/dev/zero"])
def test_a_device_is_no_file(device: str) -> None:
    assert status_of(Path(device)) == "unsupported"


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs the proc file system")
def test_a_file_that_claims_no_bytes_is_not_read(tmp_path: Path) -> None:
    assert open_regular(Path("/proc/self/status"))[0] == b""
