"""Timing several ways to search in turn, so that whatever else the machine does hits all of them."""

from __future__ import annotations

import gc
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Final

from benchmarks.engine.queries import Query
from benchmarks.engine.searching import Search

ROUNDS: Final = 7
BUDGET: Final = 5.0
"""Seconds that one way may take for a class after its first round, which is measured only where it took longer."""


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of each query of a class: the median of its rounds."""

    each: tuple[float, ...]

    @property
    def median(self) -> float:
        """Of the queries."""
        return statistics.median(self.each)

    @property
    def p95(self) -> float:
        """What all but a twentieth of the queries stay below."""
        return ordered_share(self.each, 0.95)


def ordered_share(values: Sequence[float], share: float) -> float:
    """The smallest of `values` that at least `share` of them do not exceed."""
    ranked = sorted(values)
    return ranked[max(0, -int(-share * len(ranked) // 1) - 1)]


def interleaved(ways: Mapping[str, Search], queries: Sequence[Query], rounds: int = ROUNDS) -> dict[str, Times]:
    """All queries by one way, then by the next, and so round after round; the first warms and is not measured.

    Turns are of a whole class: with a turn a query, each way would find the processor's caches full of the others'
    data, or of its twin's.
    """
    names = list(ways)
    taken = {name: [[_seconds(ways[name], query)] for query in queries] for name in names}
    spent = {name: sum(one[0] for one in taken[name]) for name in names}
    times = {name: min(rounds, int(BUDGET / max(spent[name], 1e-9))) for name in names}
    gc.collect()
    gc.disable()
    try:
        for turn in range(rounds):
            first = turn % len(names)
            for name in (*names[first:], *names[:first]):
                if turn < times[name]:
                    for query, seconds in zip(queries, taken[name], strict=True):
                        seconds.append(_seconds(ways[name], query))
                    gc.collect()
    finally:
        gc.enable()
    return {name: Times(tuple(statistics.median(one[1:] or one) for one in taken[name])) for name in names}


def _seconds(search: Search, query: Query) -> float:
    """The processor's time: by the clock, a slow query would wait for other programs and a fast one would not."""
    start = process_time()
    search(query)
    return process_time() - start
