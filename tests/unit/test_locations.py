"""Where everything is kept."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from ragspine_tui.errors import UsageError
from ragspine_tui.locations import config_file, create_home, database_file, find_home, read_toml, shortened


def test_an_argument_beats_the_variable_and_the_variable_beats_the_platform(tmp_path: Path) -> None:
    named, variable = tmp_path / "named", tmp_path / "variable"
    environ = {"RAGSPINE_HOME": str(variable)}
    assert find_home(named, environ) == named
    assert find_home(None, environ) == variable
    assert find_home(None, {}) == find_home(None, {"RAGSPINE_HOME": ""})
    assert "ragspine-tui" in find_home(None, {}).parts


def test_a_home_is_absolute_and_a_tilde_is_the_persons_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert find_home(Path("here"), {}) == tmp_path / "here"
    assert find_home(None, {"RAGSPINE_HOME": "~/notes"}) == tmp_path / "notes"
    assert find_home(None, {"RAGSPINE_HOME": "."}) == find_home(Path(), {}) == tmp_path


def test_a_home_keeps_one_database_and_one_configuration(tmp_path: Path) -> None:
    assert database_file(tmp_path) == tmp_path / "ragspine.db"
    assert config_file(tmp_path) == tmp_path / "config.toml"


def test_finding_a_home_makes_nothing(tmp_path: Path) -> None:
    find_home(tmp_path / "home", {})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no permission bits")
def test_a_new_home_is_for_its_owner_alone(tmp_path: Path) -> None:
    home = create_home(tmp_path / "above" / "home")
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no permission bits")
def test_a_home_that_exists_keeps_its_mode(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o750)
    before = home.stat().st_mode
    assert create_home(home).stat().st_mode == before


@pytest.mark.parametrize("below", ["", "deeper", "deeper/still"])
def test_a_file_in_the_place_of_a_home_is_told_in_one_line(tmp_path: Path, below: str) -> None:
    file = tmp_path / "file"
    file.write_text("text", encoding="utf-8")
    with pytest.raises(UsageError, match="is not a directory: name another directory") as told:
        find_home(file / below, {})
    assert str(file) in str(told.value)
    assert "\n" not in str(told.value)
    with pytest.raises(UsageError, match="is not a directory"):
        create_home(file / below)


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links need a privilege on Windows")
def test_a_link_that_leads_nowhere_is_no_home(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    with pytest.raises(UsageError, match="is not a directory"):
        find_home(tmp_path / "link", {})


def test_a_person_nobody_knows_has_no_home() -> None:
    with pytest.raises(UsageError, match="no such user"):
        find_home(Path("~nobody-of-this-name/notes"), {})


def test_a_home_that_cannot_be_made_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot make the home directory") as told:
        create_home(find_home(tmp_path / ("x" * 5000), {}))
    assert "\n" not in str(told.value)


HOSTILE = {
    "lists in lists": b"limit = " + b"[" * 2_000,
    "tables in tables": b"limit = " + b"{a=" * 2_000,
    "a key of many parts": b"limit" + b".a" * 300_000 + b" = 1",
    "a table of many parts": b"[limit" + b".a" * 300_000 + b"]",
    "a long number": b"limit = " + b"1" * 5_000,
    "a character that is none": b'theme = "\\ud800"',
    "no text": b"\xff\xfe\x00",
    "more than fits": b"# a comment\n" * 100_000,
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_file_is_told_in_one_short_line(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "config.toml"
    file.write_bytes(content)
    with pytest.raises(UsageError) as told:
        read_toml(file)
    line = str(told.value)
    assert str(file) in line
    assert "\n" not in line
    assert len(line) < len(str(file)) + 300


def test_a_long_comment_and_a_megabyte_of_plain_values_are_read(tmp_path: Path) -> None:
    file = tmp_path / "synonyms.toml"
    lines = [f'"word {number}" = "value"' for number in range(30_000)]
    file.write_text("\n".join([f"# {'.' * 500}", "[language]", *lines]), encoding="utf-8")
    assert len(read_toml(file)["language"]) == 30_000


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes and devices")
def test_a_pipe_or_a_device_in_the_place_of_a_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "device.toml").symlink_to("/dev/zero")
    (tmp_path / "folder.toml").mkdir()
    for name in ("pipe", "device", "folder"):
        with pytest.raises(UsageError, match="it is no regular file"):
            read_toml(tmp_path / f"{name}.toml")


@pytest.mark.parametrize(
    ("value", "told"),
    [("a\nb", "'a\\nb'"), (True, "True"), ([1, [2]], "[1, [2]]"), (1 << 100_000, "that int")],
    ids=["text", "truth", "list", "number"],
)
def test_a_quoted_value_is_what_was_written_where_that_is_short(value: object, told: str) -> None:
    assert shortened(value) == told


def test_a_quoted_value_is_cut_where_it_is_long_or_deep() -> None:
    deep: dict[str, object] = {}
    for _ in range(100_000):
        deep = {"a": deep}
    for value in (deep, "x" * 10**6, list(range(10**6))):
        assert len(shortened(value)) < 200
