"""A command in a process of its own: how long it took, and how much memory it and its children held together.

As a program it runs the command that follows. What it says of memory is the command's alone, since it is small itself:
a process's largest size counts what the one that started it held at that moment.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter, sleep
from typing import Final, NamedTuple

_WAIT: Final = 0.02
_LOOK_EVERY: Final = 0.5


class Ran(NamedTuple):
    """The exit code, seconds by the clock and of processors' work, and the largest resident size in bytes."""

    code: int
    seconds: float
    cpu_seconds: float
    peak_bytes: int


def run(command: Sequence[str]) -> Ran:
    """Run a command, its output thrown away; what it says of errors is passed on."""
    said = subprocess.run(
        [sys.executable, "-m", "benchmarks.engine.child", *command], stdout=subprocess.PIPE, text=True, check=True
    )
    return Ran(*json.loads(said.stdout))


def main() -> None:
    """Runs the command in the arguments and prints what `run` gives."""
    start = perf_counter()
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(sys.argv[1:], stdin=quiet, stdout=quiet)
    together, looked = 0, start
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        if perf_counter() - looked > _LOOK_EVERY:
            together, looked = max(together, _resident(process.pid)), perf_counter()
        sleep(_WAIT)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = perf_counter() - start
    alone = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    print(json.dumps([process.returncode, seconds, usage.ru_utime + usage.ru_stime, max(alone, together)]))


def _resident(pid: int) -> int:
    """What a process and all below it hold now, pages they share counted once; 0 where the system does not say."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:
        return 0
    own = next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)
    return own + sum(_resident(int(child)) for child in children)


if __name__ == "__main__":
    main()
