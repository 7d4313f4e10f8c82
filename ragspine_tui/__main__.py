"""The program's entry: streams that can carry any text, then the command line."""

from __future__ import annotations

import io
import sys

from ragspine_tui.cli.app import run


def main() -> int:
    """Runs the command line of this process; returns the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
