"""Runs the program as a script does, and reads what it said."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

Run = subprocess.CompletedProcess[str]

_INTERPRETER: Final = ("PYTHON", "LC_", "LANG", "TZ")
"""Variables that Python or C reads when a process begins."""
_DEADLINE: Final = 120


def ragspine(*arguments: str | Path, env: Mapping[str, str] | None = None) -> Run:
    """One run of the program, a process of its own with neither terminal nor input."""
    environ = {**os.environ, **(env or {})}
    line = list(map(str, arguments))
    if hasattr(os, "fork") and _of_interpreter(environ) == _of_interpreter(_started().environ):
        return _started().run(line, environ)
    return subprocess.run(
        [sys.executable, "-m", "ragspine_tui", *line],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=_DEADLINE,
        env=environ,
    )


def found(run: Run) -> Any:
    """The JSON a run printed; it must be the only line."""
    assert run.stdout.count("\n") == 1, run.stderr
    return json.loads(run.stdout)


def refused(run: Run, code: int) -> str:
    """The one line on stderr of a run that printed nothing and ended with this code."""
    assert (run.returncode, run.stdout) == (code, ""), run
    assert run.stderr.startswith("ragspine-tui: ")
    assert run.stderr.count("\n") == 1
    return run.stderr


def _of_interpreter(environ: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environ.items() if name.startswith(_INTERPRETER)}


class _Forking:
    """A process that has imported the program and forks for each run: importing takes longer than most runs."""

    def __init__(self) -> None:
        self.environ = dict(os.environ)
        self._socket, child = socket.socketpair()
        self._socket.settimeout(_DEADLINE)
        command = [sys.executable, "-m", "tests.e2e.forking", str(child.fileno())]
        # It ends when this process, the only one that holds the other end, does.
        self._process = subprocess.Popen(command, cwd=Path(__file__).parents[2], pass_fds=[child.fileno()])
        child.close()

    def run(self, arguments: list[str], environ: dict[str, str]) -> Run:
        """The run of one command line."""
        order = json.dumps({"arguments": arguments, "environ": environ, "cwd": str(Path.cwd())}).encode()
        with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
            socket.send_fds(self._socket, [len(order).to_bytes(4, "big")], [stdout.fileno(), stderr.fileno()])
            self._socket.sendall(order)
            code = int.from_bytes(self._socket.recv(4), "big", signed=True)
            said = []
            for file in (stdout, stderr):
                file.seek(0)
                said.append(file.read().decode("utf-8").replace("\r\n", "\n").replace("\r", "\n"))
        return Run(arguments, code, *said)


@cache
def _started() -> _Forking:
    return _Forking()
