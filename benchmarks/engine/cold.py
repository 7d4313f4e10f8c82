"""A search by a process that begins with nothing: `ragspine-tui search`."""

from __future__ import annotations

import statistics
import subprocess
from time import perf_counter
from typing import Final

from benchmarks.engine.kept import Kept
from benchmarks.engine.ours import Ours, command
from benchmarks.engine.queries import draw
from benchmarks.engine.vocabulary import Vocabulary

RUNS: Final = 9
_HITS: Final = "5"


def seconds(kept: Kept, vocabulary: Vocabulary) -> dict[str, float]:
    """The median of several searches, a process each, for one rare, one middling and one common word."""
    home = kept.index(Ours()) / "whole"
    words = {kind: draw(kept.corpus, kind, vocabulary)[0].words[0] for kind in ("rare", "middling", "common")}
    _search(command(home, "search", "-k", _HITS, "--", words["rare"]))
    return {
        kind: statistics.median(_search(command(home, "search", "-k", _HITS, "--", word)) for _ in range(RUNS))
        for kind, word in words.items()
    }


def _search(arguments: list[str]) -> float:
    start = perf_counter()
    quiet, pipe = subprocess.DEVNULL, subprocess.PIPE
    run = subprocess.run(arguments, stdin=quiet, stdout=quiet, stderr=pipe, text=True, check=False)
    if run.returncode not in (0, 3):
        raise SystemExit(f"ragspine-tui search ended with {run.returncode} {run.stderr}".rstrip())
    return perf_counter() - start
