"""`watch`, a process of its own: it brings up to date, hears what changes, and ends with Ctrl-C."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.program import ragspine, refused
from tests.homes import find, open_session, paths, write_files

NOTES = {"a.md": "The heron waits.", "b.md": "A weir in the river."}


@contextmanager
def watching(home: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """The program, watching already; it is killed where the test leaves it running."""
    command = [sys.executable, "-m", "ragspine_tui", "watch", "--home", str(home), *options]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        try:
            assert process.stderr is not None
            while "Ctrl-C stops it" not in (said := process.stderr.readline()):
                assert said
            yield process
        finally:
            process.kill()


def line(process: subprocess.Popen[str]) -> str:
    """The next line that it prints."""
    assert process.stdout is not None
    return process.stdout.readline().rstrip("\n")


def read(process: subprocess.Popen[str], *wanted: int) -> str:
    """The library in whose lines so many files are new, changed and removed: on a busy machine they may be several."""
    done = [0, 0, 0]
    while True:
        library, _, rest = line(process).partition(": ")
        numbers = re.fullmatch(r"(\d+) new, (\d+) changed, (\d+) removed", rest)
        assert numbers is not None, rest
        done = [one + int(more) for one, more in zip(done, numbers.groups(), strict=True)]
        if done == list(wanted):
            return library
        assert sum(done) < sum(wanted)


def stop(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Ctrl-C: the exit code and what was said last."""
    os.kill(process.pid, signal.SIGINT)
    assert process.stderr is not None
    said = process.stderr.read()
    return process.wait(60), said.splitlines()[-1]


def test_what_changes_is_read_and_told_in_a_line_until_ctrl_c(tmp_path: Path) -> None:
    folder, home = write_files(tmp_path / "lib", NOTES), tmp_path / "home"
    ragspine("add", folder, "--home", home, "--no-index")
    with watching(home) as process:
        assert line(process) == "lib: 2 documents, 2 chunks (files: 2 new)"
        write_files(folder, {"a.md": "The bittern booms.", "new.md": "newt"})
        assert read(process, 1, 1, 0) == "lib"
        (folder / "b.md").unlink()
        assert read(process, 0, 0, 1) == "lib"
        # A library that is added meanwhile is watched too; what its own run read is no news.
        other = write_files(tmp_path / "other", {"a.md": "eel"})
        ragspine("add", other, "--home", home)
        write_files(other, {"b.md": "another eel"})
        assert read(process, 1, 0, 0) == "other"
        assert stop(process) == (130, "ragspine-tui: stopped; what was indexed is kept")
    with open_session(home) as session:
        assert paths(find(session, "bittern")) == ["a.md"]
        assert find(session, "weir").hits == ()


def test_only_the_named_libraries_are_watched_and_json_has_a_line_for_each_update(tmp_path: Path) -> None:
    home = tmp_path / "home"
    for name in ("one", "two"):
        ragspine("add", write_files(tmp_path / name, NOTES), "--home", home)
    with watching(home, "two", "--json", "--poll") as process:
        assert json.loads(line(process)) == {
            "library_id": "two",
            "added": 0,
            "changed": 0,
            "removed": 0,
            "renamed": 0,
            "unchanged": 2,
            "restricted": 0,
            "chunks": 2,
            "cancelled": False,
            "problems": [],
        }
        assert stop(process)[0] == 130


def test_watching_what_is_no_library_is_wrong_usage(tmp_path: Path) -> None:
    assert "there is no library 'nope'" in refused(ragspine("watch", "nope", "--home", tmp_path / "home"), 2)
