"""Every error becomes one line and one documented exit code."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import click
import pytest

from ragspine_tui.cli.console import Console
from ragspine_tui.cli.failures import ExitCode, exit_code, fail
from ragspine_tui.errors import (
    DamageError,
    FilterError,
    LibraryError,
    QueryError,
    RagspineError,
    ReadError,
    StorageError,
    UnfinishedError,
    UsageError,
)


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (UsageError, 2),
        (LibraryError, 2),
        (FilterError, 2),
        (QueryError, 2),
        (ReadError, 3),
        (StorageError, 4),
        (DamageError, 4),
        (UnfinishedError, 3),
    ],
)
def test_each_error_has_its_exit_code(kind: type[RagspineError], code: int) -> None:
    assert exit_code(kind("broken")) == code


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (LibraryError("no library 'x'", "there are: notes"), 2, "ragspine-tui: no library 'x': there are: notes"),
        (StorageError("a\nb\x1b[2J", "c"), 4, "ragspine-tui: a b\\x1b[2J: c"),
        (KeyboardInterrupt(), 130, "ragspine-tui: stopped; what was indexed is kept"),
        (click.Abort(), 130, "ragspine-tui: stopped; what was indexed is kept"),
        (click.UsageError("No such option: -q"), 2, "ragspine-tui: No such option: -q: see 'ragspine-tui --help'"),
        (OSError(28, "No space left on device", "out.run"), 70, "ragspine-tui: No space left on device: out.run"),
        (OSError(9, "Bad file descriptor", 7), 70, "ragspine-tui: Bad file descriptor"),
    ],
)
def test_an_error_is_told_in_one_line(
    error: BaseException, code: int, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fail(error, Console(home=tmp_path)) == code
    assert capsys.readouterr() == ("", f"{line}\n")


def test_a_fault_tells_its_place_and_logs_no_word_of_its_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        raise KeyError("the text of a private letter")
    except KeyError as error:
        assert fail(error, Console(home=tmp_path)) == ExitCode.FAULT
    told = capsys.readouterr().err
    log = tmp_path / "logs" / "faults.log"
    assert "KeyError in test_failures.py:" in told
    assert str(log) in told.replace("\n", "")
    assert "letter" not in told + log.read_text(encoding="utf-8")
    assert "test_failures.py" in log.read_text(encoding="utf-8")


def test_a_fault_without_a_home_makes_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = tmp_path / "absent"
    assert fail(RuntimeError(), Console(home=home)) == ExitCode.FAULT
    assert capsys.readouterr().err.count("\n") == 1
    assert not home.exists()


@pytest.mark.parametrize("content", ["limit = " + "[" * 2000, "limit = 0", "\x00"])
def test_a_fault_beside_broken_settings_is_told_and_logged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str
) -> None:
    (tmp_path / "config.toml").write_text(content, encoding="utf-8")
    assert fail(RecursionError(), Console(home=tmp_path)) == ExitCode.FAULT
    assert capsys.readouterr().err.count("\n") == 1
    assert (tmp_path / "logs" / "faults.log").exists()


def test_a_fault_of_a_thousand_frames_leaves_a_short_log(tmp_path: Path) -> None:
    def deeper() -> None:
        deeper()

    with pytest.raises(RecursionError) as caught:
        deeper()
    assert fail(caught.value, Console(home=tmp_path)) == ExitCode.FAULT
    assert len((tmp_path / "logs" / "faults.log").read_text(encoding="utf-8").splitlines()) < 100


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes")
def test_a_fault_waits_for_no_reader_of_its_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "logs").mkdir()
    os.mkfifo(tmp_path / "logs" / "faults.log")
    assert fail(RuntimeError(), Console(home=tmp_path)) == ExitCode.FAULT
    assert capsys.readouterr().err.count("\n") == 1


def test_a_fault_without_a_stderr_still_has_its_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = io.StringIO()
    closed.close()
    for stream in (closed, None):
        monkeypatch.setattr(sys, "stderr", stream)
        assert fail(RuntimeError(), Console(home=tmp_path)) == ExitCode.FAULT
        assert fail(KeyboardInterrupt(), Console(home=tmp_path)) == ExitCode.INTERRUPTED
