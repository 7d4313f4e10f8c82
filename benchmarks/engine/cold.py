"""A search by a process that begins with nothing: `ragspine-tui search`."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Final

from benchmarks.engine.kept import Kept
from benchmarks.engine.ours import Ours, program
from benchmarks.engine.queries import draw
from benchmarks.engine.vocabulary import Vocabulary

RUNS: Final = 9
_HITS: Final = "5"


def seconds(kept: Kept, vocabulary: Vocabulary) -> dict[str, dict[str, float]]:
    """The median of several searches, a process each, for a rare, a middling and a common word: its processor's time,
    and by the clock.
    """
    home = kept.index(Ours()) / "whole"
    words = {kind: draw(kept.corpus, kind, vocabulary)[0].words[0] for kind in ("rare", "middling", "common")}
    _search(home, words["rare"])
    found = {}
    for kind, word in words.items():
        taken = [_search(home, word) for _ in range(RUNS)]
        found[kind] = {
            "seconds": statistics.median(cpu for cpu, _ in taken),
            "clock": statistics.median(clock for _, clock in taken),
        }
    return found


def _search(home: Path, word: str) -> tuple[float, float]:
    ran = program(home, "search", "-k", _HITS, "--", word)
    return ran.cpu_seconds, ran.seconds
