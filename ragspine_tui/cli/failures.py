"""From an exception to an exit code and one line on stderr: the only place that decides either."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from enum import IntEnum
from pathlib import Path

import click

from ragspine_tui.cli.console import Console, is_terminal
from ragspine_tui.errors import (
    FilterError,
    LibraryError,
    QueryError,
    RagspineError,
    ReadError,
    StorageError,
    UnfinishedError,
    UsageError,
)

_FRAMES = 40


class ExitCode(IntEnum):
    """What the program tells the shell; documented in docs/cli.md."""

    DONE = 0
    NO_HITS = 1
    USAGE = 2
    ATTENTION = 3
    DATABASE = 4
    FAULT = 70
    INTERRUPTED = 130


_CODES: tuple[tuple[type[RagspineError], ExitCode], ...] = (
    (StorageError, ExitCode.DATABASE),
    (ReadError, ExitCode.ATTENTION),
    (UnfinishedError, ExitCode.ATTENTION),
    (UsageError, ExitCode.USAGE),
    (LibraryError, ExitCode.USAGE),
    (FilterError, ExitCode.USAGE),
    (QueryError, ExitCode.USAGE),
)


def exit_code(error: RagspineError) -> ExitCode:
    """The code of an error that was raised on purpose."""
    return next((code for kind, code in _CODES if isinstance(error, kind)), ExitCode.USAGE)


def fail(error: BaseException, console: Console) -> ExitCode:
    """Says in one line what happened and what to do next; returns the exit code. Never prints a traceback."""
    match error:
        case RagspineError():
            _say(console, str(error))
            return exit_code(error)
        case click.Abort() | KeyboardInterrupt():
            if is_terminal(sys.stderr):
                # The terminal has put ^C at the line's start.
                _say(console, "", before="")
            _say(console, "stopped; what was indexed is kept")
            return ExitCode.INTERRUPTED
        case click.ClickException():
            context = getattr(error, "ctx", None)
            path = context.command_path if context else "ragspine-tui"
            _say(console, f"{error.format_message().rstrip('.')}: see '{path} --help'")
            return ExitCode.USAGE
        case BrokenPipeError():
            _close_stdout()
            return ExitCode.DONE
        case OSError():
            # A file's number may stand there instead of its name.
            name = f": {os.fsdecode(error.filename)}" if isinstance(error.filename, (str, bytes)) else ""
            _say(console, f"{error.strerror or type(error).__name__}{name}")
            return ExitCode.FAULT
        case _:
            _say(console, _fault(error, console))
            return ExitCode.FAULT


def _say(console: Console, line: str, before: str = "ragspine-tui: ") -> None:
    # ValueError: somebody closed the stream.
    with contextlib.suppress(OSError, ValueError):
        console.note(f"{before}{line}")


def _close_stdout() -> None:
    """The reader of the pipe is gone: what is left in the buffer goes nowhere, and quietly."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fault(error: BaseException, console: Console) -> str:
    """Where a fault of the program itself happened. Its message is left out: it may quote a document."""
    frames = traceback.extract_tb(error.__traceback__, limit=-_FRAMES)
    where = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "an unknown place"
    line = f"unexpected {type(error).__name__} in {where}: please report it"
    # Whatever is wrong with the home or its settings may be the fault itself: the line is told all the same.
    with contextlib.suppress(Exception):
        from ragspine_tui.locations import find_home

        log = _write_log(error, frames, find_home(console.home))
        return f"{line} with {log}"
    return line


def _write_log(error: BaseException, frames: traceback.StackSummary, home: Path) -> Path:
    folder = home / "logs"
    folder.mkdir(mode=0o700, exist_ok=True)
    log = folder / "faults.log"
    lines = [type(error).__name__, *(f"  {frame.filename}:{frame.lineno} {frame.name}" for frame in frames), ""]
    # Not blocking: a pipe of that name, which nobody reads, would be waited for.
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0)
    descriptor = os.open(log, flags, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write("\n".join(lines))
    return log
