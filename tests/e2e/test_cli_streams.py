"""What names and texts may hold, closed pipes, Ctrl-C, terminals: nothing is obeyed, nothing is lost."""

from __future__ import annotations

import base64
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.program import found, ragspine, refused

HOSTILE = "first \x1b]52;c;ZXZpbA==\x07 then \x1b[2J\x9b31m \u202ereversed\u202c and [@click=app.quit]x[/] end\n"
OBEYED = {*map(chr, range(32)), *map(chr, range(127, 160)), *"\u202a\u202b\u202c\u202d\u202e\u2066\u2069"} - {
    "\n",
    "\t",
}


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A home with a library whose names and text try to be obeyed."""
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "[x].md").write_text(HOSTILE, encoding="utf-8")
    (notes / "esc\x1b[2J\nline.md").write_text("newline name\n", encoding="utf-8")
    Path(os.fsdecode(os.fsencode(notes) + b"/\xff.md")).write_text("byte name\n", encoding="utf-8")
    run = ragspine("add", notes, "--home", tmp_path / "home")
    assert run.returncode == 0, run
    return tmp_path / "home"


@pytest.mark.parametrize(
    "arguments",
    [
        ("search", "end"),
        ("search", "name", "--parent", "--explain"),
        ("search", "name", "--plain"),
        ("search", "name", "--json"),
        ("search", "end", "--json"),
        ("search", "\x1b[2J"),
        ("search", "x", "-f", "\x1b[2J = 1"),
        ("search", "x", "-l", "\x1b[2J"),
        ("fields",),
        ("libraries",),
        ("problems",),
        ("show", "\x1b[2J"),
    ],
)
def test_a_terminal_obeys_nothing_that_is_printed(hostile: Path, arguments: tuple[str, ...]) -> None:
    run = ragspine(*arguments, "--home", hostile)
    assert not OBEYED & set(run.stdout + run.stderr)


def test_json_keeps_the_data_of_names_and_text(hostile: Path) -> None:
    hits = found(ragspine("search", "name", "--home", hostile, "--json"))["hits"]
    odd, newline = sorted(hits, key=lambda hit: "document_bytes" not in hit)
    assert base64.b64decode(odd["document_bytes"]) == b"\xff.md"
    assert odd["document"] == "\ufffd.md"
    assert newline["document"] == "esc\x1b[2J\nline.md"
    assert found(ragspine("search", "reversed", "--home", hostile, "--json"))["hits"][0]["text"] == HOSTILE.rstrip("\n")


def test_odd_names_open_by_their_chunk_id(hostile: Path) -> None:
    for hit in found(ragspine("search", "name", "--home", hostile, "--json"))["hits"]:
        run = ragspine("show", hit["chunk_id"], "--home", hostile)
        assert run.returncode == 0
        assert hit["text"] in run.stdout


def test_a_query_whose_bytes_are_not_utf8_is_searched(hostile: Path) -> None:
    run = ragspine("search", os.fsdecode(b"name \xff"), "--home", hostile, "--json")
    assert (run.returncode, found(run)["query"]) == (0, "name \ufffd")


BYTES = os.fsdecode(b"caf\xe9")


@pytest.mark.parametrize(
    "arguments",
    [
        ("remove", BYTES),
        ("index", BYTES),
        ("describe", BYTES),
        ("describe", "notes", "--title", BYTES),
        ("describe", "notes", "--description", BYTES),
        ("problems", BYTES),
        ("fields", "-l", BYTES),
        ("show", BYTES),
        ("restrict", BYTES, "a.md"),
        ("unrestrict", BYTES, "a.md"),
        ("search", "name", "-l", BYTES),
        ("search", "name", "-f", f"author = {BYTES}"),
        ("add", ".", "--title", BYTES),
        ("add", ".", "--id", BYTES),
    ],
)
def test_a_text_that_is_not_utf8_is_one_line(hostile: Path, arguments: tuple[str, ...]) -> None:
    assert "the text is not UTF-8" in refused(ragspine(*arguments, "--home", hostile), 2)


def test_a_document_whose_name_is_not_utf8_can_be_marked(hostile: Path) -> None:
    name = os.fsdecode(b"\xff.md")
    assert ragspine("restrict", "notes", name, "--home", hostile).stderr == "notes: 1 document restricted\n"
    assert ragspine("unrestrict", "notes", name, "--home", hostile).stderr == "notes: 1 mark taken away\n"


@pytest.mark.parametrize("arguments", [("--home", "", "libraries"), ("libraries", "--home", ""), ("add", "")])
def test_an_empty_path_makes_nothing_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("RAGSPINE_HOME", str(tmp_path / "home"))
    assert "empty" in refused(ragspine(*arguments), 2)
    assert list((tmp_path / "here").iterdir()) == []


def test_a_home_in_the_current_folder_is_asked_for_with_a_dot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert ragspine("libraries", env={"RAGSPINE_HOME": "."}).returncode == 0
    assert (tmp_path / "ragspine.db").is_file()


@pytest.mark.parametrize("name", ["config.toml", "synonyms.toml"])
def test_a_pipe_or_deep_nesting_in_the_place_of_settings_is_one_line(hostile: Path, name: str) -> None:
    search = ("search", "name", "--extract", "keyword", "--home", hostile)
    os.mkfifo(hostile / name)
    assert "no regular file" in refused(ragspine(*search), 2)
    (hostile / name).unlink()
    (hostile / name).write_text("limit = " + "[" * 2_000, encoding="utf-8")
    assert "nested too deeply" in refused(ragspine(*search), 2)


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    for number in range(200):
        (notes / f"{number}.md").write_text("alpha beta gamma " * 60, encoding="utf-8")
    assert ragspine("add", notes, "--home", tmp_path / "home").returncode == 0
    command = [sys.executable, "-m", "ragspine_tui", "search", "alpha", "-k", "1000", "--home", str(tmp_path / "home")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        told = process.stderr.read().decode()
    assert process.returncode == 0
    assert "Traceback" not in told
    assert "Broken pipe" not in told


def terminal(*arguments: str | Path, interrupt_at: bytes = b"", env: dict[str, str] | None = None) -> tuple[int, bytes]:
    """Runs the program on a terminal of its own; Ctrl-C as soon as it has printed `interrupt_at`. Code and output."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "ragspine_tui", *map(str, arguments)],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={name: value for name, value in os.environ.items() if name != "NO_COLOR"} | (env or {}),
    )
    os.close(slave)
    seen = b""
    while True:
        try:
            block = os.read(master, 65536)
        except OSError:
            block = b""
        if not block:
            break
        seen += block
        if interrupt_at and interrupt_at in seen:
            process.send_signal(signal.SIGINT)
            interrupt_at = b""
    os.close(master)
    return process.wait(timeout=60), seen


def test_a_terminal_shows_found_words_in_bold_and_a_pipe_does_not(hostile: Path) -> None:
    code, seen = terminal("search", "first", "--home", hostile)
    assert code == 0
    assert b"\x1b[1mfirst\x1b[0m" in seen
    assert b"\x1b[1m" not in terminal("search", "first", "--home", hostile, "--no-color")[1]
    assert b"\x1b[1m" not in terminal("search", "first", "--home", hostile, env={"NO_COLOR": "1"})[1]
    assert b"\x1b[1m" not in terminal("search", "first", "--home", hostile, env={"TERM": "dumb"})[1]
    assert "\x1b" not in ragspine("search", "first", "--home", hostile).stdout


@pytest.mark.parametrize("columns", ["1", "7", "20", "33"])
def test_bold_text_is_never_broken_inside_an_escape(hostile: Path, columns: str) -> None:
    narrow = {"COLUMNS": columns, "TERM": "xterm"}
    code, seen = terminal("search", "first", "name", "unheard", "--parent", "--home", hostile, env=narrow)
    assert code == 0
    assert seen.count(b"\x1b") == len(re.findall(rb"\x1b\[1m[^\x1b\n]*\x1b\[0m", seen)) * 2 > 0


def test_a_terminal_wraps_what_a_pipe_does_not(hostile: Path) -> None:
    search = ("search", "first", "--no-color", "--home", hostile)
    _, seen = terminal(*search, env={"COLUMNS": "30", "TERM": "xterm"})
    passage = [line for line in seen.decode().splitlines() if line.startswith("    ")]
    assert len(passage) > 3
    assert all(len(line) <= 30 for line in passage)
    (line,) = [line for line in ragspine(*search).stdout.split("\n") if line.startswith("    ")]
    assert len(line) > 60


def test_ctrl_c_keeps_what_was_indexed_and_the_next_run_goes_on(tmp_path: Path) -> None:
    home, notes = tmp_path / "home", tmp_path / "notes"
    notes.mkdir()
    for number in range(3000):
        (notes / f"{number:04}.md").write_text(f"# Note {number}\n\nalpha beta {number}\n" * 5, encoding="utf-8")
    assert ragspine("add", notes, "--home", home, "--no-index").returncode == 0
    code, seen = terminal("index", "--home", home, interrupt_at=b"/3,000")
    assert code == 130
    assert b"stopped; what was indexed is kept: 'ragspine-tui index notes' goes on" in seen
    (library,) = found(ragspine("libraries", "--home", home, "--json"))
    assert (library["documents"] < 3000, library["complete"]) == (True, False)
    listed = ragspine("libraries", "--home", home)
    assert "  partial  " in listed.stdout
    assert listed.stderr == "notes is indexed in part: 'ragspine-tui index notes' goes on\n"
    run = ragspine("index", "--home", home)
    assert run.returncode == 0
    assert run.stdout.startswith("notes: 3,000 documents, ")
    listed = ragspine("libraries", "--home", home)
    assert ("  ready  " in listed.stdout, listed.stderr) == (True, "")
    assert found(ragspine("search", "2999", "--home", home, "--json"))["hits"][0]["document"] == "2999.md"
