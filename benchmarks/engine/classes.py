"""The query classes: every engine that can, on the same queries, in turn."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.engine.kept import Kept
from benchmarks.engine.ours import OurSearcher
from benchmarks.engine.queries import CLASSES, Query, draw
from benchmarks.engine.searching import Engine, Search, Searcher
from benchmarks.engine.timing import Times, interleaved
from benchmarks.engine.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Measured:
    """One class: its queries, and the times of each way to search; `phrases` says whether ours searched phrases."""

    kind: str
    queries: Sequence[Query]
    times: Mapping[str, Times]
    phrases: bool = False


def measure(
    kept: Kept,
    engines: Sequence[Engine],
    vocabulary: Vocabulary,
    kinds: Collection[str] = tuple(CLASSES),
    rebuild: Collection[str] = (),
) -> list[Measured]:
    """The classes in order, by the engines for which the corpus is not too large."""
    fitting = [engine for engine in engines if kept.corpus.chunks <= engine.most]
    folders = [(engine, kept.index(engine, rebuild)) for engine in fitting]
    searchers: list[Searcher] = [engine.open(kept.corpus, folder) for engine, folder in folders]
    try:
        return [_measured(kind, draw(kept.corpus, kind, vocabulary), searchers) for kind in CLASSES if kind in kinds]
    finally:
        for searcher in searchers:
            searcher.close()


def _measured(kind: str, queries: Sequence[Query], searchers: Sequence[Searcher]) -> Measured:
    ways: dict[str, Search] = {}
    for searcher in searchers:
        ways |= searcher.ways(kind)
    times = interleaved(ways, queries)
    said = ", ".join(f"{name} {one.median * 1000:.3f} (p95 {one.p95 * 1000:.3f})" for name, one in times.items())
    print(f"  {CLASSES[kind]}: {said} ms", file=sys.stderr, flush=True)
    ours = next((one for one in searchers if isinstance(one, OurSearcher)), None)
    return Measured(kind, queries, times, kind == "phrase" and ours is not None and searches_phrases(ours, queries))


def searches_phrases(ours: OurSearcher, queries: Sequence[Query]) -> bool:
    """Whether quotes mean a phrase: every hit holds the words side by side, and fewer passages match than without."""
    for query in queries:
        found = ours.session.search(ours.request(query))
        plain = ours.session.search(ours.request(Query("plain", query.words, query.postings)))
        together = " ".join(query.words)
        if found.total >= plain.total:
            return False
        if not all(together in " ".join(hit.text.replace(".", " ").split()) for hit in found.hits):
            return False
    return True
