"""What every command shares: the home, the look, and the two streams: data on stdout, narration on stderr."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TextIO, TypeVar

import click

from ragspine_tui.cli.arguments import as_path
from ragspine_tui.cli.interrupts import interrupted_afterwards
from ragspine_tui.cli.text import fitted
from ragspine_tui.pace import Pace, Pacing, progress_parts
from ragspine_tui.printable import escaped
from ragspine_tui.types import Progress

if TYPE_CHECKING:
    from ragspine_tui.config import ServiceConfig
    from ragspine_tui.session import Session

_BLANKS: Final = re.compile(r"[ \t\r\n\f\v]+")
_Command = TypeVar("_Command", bound=Callable[..., Any])


@dataclass
class Console:
    """The home and the look that `--home` and `--no-color` ask for; one for each run of the program."""

    home: Path | None = None
    no_color: bool = False

    def config(self) -> ServiceConfig:
        """The configuration of this home."""
        with interrupted_afterwards():
            from ragspine_tui.config import ServiceConfig

        return ServiceConfig.load(self.home)

    def session(self) -> Session:
        """An open session, to be used as a context manager; tells what is odd about how it could be opened."""
        with interrupted_afterwards():
            from ragspine_tui.session import Session

        session = Session.open(self.config(), workers=True)
        for note in session.notes:
            self.note(f"ragspine-tui: {note}")
        return session

    @property
    def styled(self) -> bool:
        """Whether stdout may carry bold text: not where a person said so, nor on a terminal that would print it."""
        plain = self.no_color or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        return not plain and is_terminal(sys.stdout)

    @property
    def width(self) -> int | None:
        """The cells of a line for people: the terminal's, at most 120; None in a pipe, where no line is broken."""
        return max(20, min(120, shutil.get_terminal_size((80, 24)).columns)) if is_terminal(sys.stdout) else None

    def bold(self, text: str) -> str:
        """The text in bold where stdout shows it."""
        return f"\x1b[1m{text}\x1b[0m" if self.styled and text else text

    def out(self, *lines: str) -> None:
        """Data: lines that are already printable."""
        for line in lines:
            click.echo(line, color=self.styled)

    def table(self, lines: Iterable[str]) -> None:
        """Data: an aligned table, its head in bold."""
        for row, line in enumerate(lines):
            self.out(line if row else self.bold(line))

    def note(self, text: str) -> None:
        """Narration: one line."""
        # The wide space of Japanese stays: a value with it is another one than a value with a plain space.
        click.echo(escaped(_BLANKS.sub(" ", text).strip()), err=True, color=False)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person looks at the stream; a closed or absent stream has nobody."""
    return stream is not None and not stream.closed and stream.isatty()


def common(command: _Command) -> _Command:
    """Gives a command `--home` and `--no-color`, before or after the command's name; the later one counts."""
    home = click.option(
        "--home",
        type=click.Path(),
        metavar="DIR",
        expose_value=False,
        callback=_set_home,
        help="Where the index and the settings live (else RAGSPINE_HOME, else your platform's data directory).",
    )
    color = click.option(
        "--no-color",
        is_flag=True,
        expose_value=False,
        callback=_set_no_color,
        help="No bold text (as with the environment variable NO_COLOR).",
    )
    return home(color(command))


def _set_home(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    console = context.ensure_object(Console)
    console.home = as_path(context, parameter, value) or console.home


def _set_no_color(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    console = context.ensure_object(Console)
    console.no_color = value or console.no_color


pass_console = click.make_pass_decorator(Console, ensure=True)


class ProgressBar:
    """One line on a terminal's stderr, drawn over itself; nothing anywhere else. A context manager and a callback."""

    BAR = 20
    SECONDS = 0.1

    def __init__(self) -> None:
        self._shown = is_terminal(sys.stderr)
        self._last = ("", 0, -1.0)
        self._pacing = Pacing()

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        self._draw("")

    def __call__(self, progress: Progress) -> None:
        """Draws how far a library has come; at most ten times a second while it goes on."""
        if not self._shown:
            return
        now = monotonic()
        library_id, total, drawn = self._last
        if (library_id, total) == (progress.library_id, progress.total) and now - drawn < self.SECONDS:
            return
        self._last = (progress.library_id, progress.total, now)
        self._draw(progress_line(progress, self._pacing.at(progress, now), self.BAR))

    def _draw(self, line: str) -> None:
        if self._shown:
            width = shutil.get_terminal_size((80, 24)).columns - 1
            sys.stderr.write("\r" + " " * width + "\r" + fitted(line, width))
            sys.stderr.flush()


def progress_line(progress: Progress, pace: Pace | None, bar: int) -> str:
    """`indexing notes 132/214 ▕███░░▏ 12.3 of 80.1 MB · 3.4 MB/s · 20 s left · letters/may.md`, printable."""
    start = f"indexing {progress.library_id} "
    if not progress.total:
        return f"{start}{progress.done:,} files found"
    full = bar * progress.done // progress.total
    parts = [*progress_parts(progress, pace), *([escaped(progress.path)] if progress.path else [])]
    return (
        f"{start}{progress.done:,}/{progress.total:,} ▕{'█' * full}{'░' * (bar - full)}▏ {' · '.join(parts)}".rstrip()
    )
