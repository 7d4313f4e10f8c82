"""A real pseudo-terminal read through pyte: start a program, send it keys, wait for what its screen shows."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from types import TracebackType
from typing import Final, Self

import pyte

KEYS: Final[Mapping[str, str]] = {
    "enter": "\r",
    "esc": "\x1b",
    "tab": "\t",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "f1": "\x1bOP",
    "space": " ",
    **{f"ctrl+{chr(code + 0x60)}": chr(code) for code in range(1, 27)},
}

# pyte knows no private prefix but `?`: it would print the rest of these sequences as text.
_UNKNOWN: Final = re.compile(rb"\x1b\[[<>=][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*\$p|\x1b\[\?[0-9;]*u|\x1b_[^\x1b]*\x1b\\")
_UNFINISHED: Final = re.compile(rb"\x1b(?:\[[<>=?]?[0-9;$]*|_[^\x1b]*(?:\x1b)?)?\Z")
_DEADLINE: Final = 30.0


class Terminal:
    """A program in a terminal of `columns` x `rows`; a context manager that ends the program."""

    def __init__(self, argv: Sequence[str], environ: Mapping[str, str], columns: int = 100, rows: int = 30) -> None:
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._rest = b""
        self.output = b""
        self._fd, child = pty.openpty()
        self._set_size(columns, rows)
        self._process = subprocess.Popen(
            list(argv),
            stdin=child,
            stdout=child,
            stderr=child,
            env=dict(environ),
            start_new_session=True,
            close_fds=True,
        )
        os.close(child)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._fd)

    @property
    def text(self) -> str:
        """The screen as lines without trailing blanks."""
        # The cell after a wide character holds no text; pyte's own `display` stumbles over one that a resize cut off.
        rows, columns = range(self._screen.lines), range(self._screen.columns)
        return "\n".join("".join(self._screen.buffer[y][x].data for x in columns).rstrip() for y in rows)

    def send(self, *keys: str) -> None:
        """Press keys: a name of KEYS, or text typed as it is."""
        for key in keys:
            os.write(self._fd, KEYS.get(key, key).encode())

    def paste(self, text: str) -> None:
        """Bracketed paste, as terminals send what an input method or the clipboard holds."""
        os.write(self._fd, b"\x1b[200~" + text.encode() + b"\x1b[201~")

    def resize(self, columns: int, rows: int) -> None:
        """Another size, as when a person drags the window."""
        self._screen.resize(rows, columns)
        self._set_size(columns, rows)
        self._process.send_signal(signal.SIGWINCH)

    def wait_for(self, *texts: str) -> str:
        """Read until the screen shows all the texts; the screen."""
        return self.wait_until(lambda screen: all(text in screen for text in texts), f"{texts} on the screen")

    def wait_until(self, satisfied: Callable[[str], bool], what: str) -> str:
        """Read until the screen satisfies; AssertionError with the screen when the deadline passes."""
        end = monotonic() + _DEADLINE
        while not satisfied(self.text):
            if not self._read(end - monotonic()):
                raise AssertionError(f"waited for {what}; the screen is\n{self.text}")
        return self.text

    def wait_for_exit(self) -> int:
        """Read until the program ends; its exit code."""
        end = monotonic() + _DEADLINE
        while self._read(end - monotonic()):
            pass
        return self._process.wait(max(0.1, end - monotonic()))

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._fd], [], [], max(0.0, seconds))
        if not ready:
            return False
        try:
            data = os.read(self._fd, 65536)
        except OSError:  # Linux says EIO when the last program on the other side has gone.
            return False
        if not data:
            return False
        self.output += data
        data = self._rest + data
        unfinished = _UNFINISHED.search(data)
        cut = unfinished.start() if unfinished else len(data)
        self._rest = data[cut:]
        self._stream.feed(_UNKNOWN.sub(b"", data[:cut]))
        return True
