"""Runs the program as a script does, and reads what it said."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Run = subprocess.CompletedProcess[str]


def ragspine(*arguments: str | Path, env: Mapping[str, str] | None = None) -> Run:
    """One run of the program with nothing but pipes around it."""
    return subprocess.run(
        [sys.executable, "-m", "ragspine_tui", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        env={**os.environ, **(env or {})},
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
