"""The query classes: every engine that can, on the same queries, in turn."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from typing import Any

from benchmarks.engine.cost import fitted
from benchmarks.engine.kept import Kept
from benchmarks.engine.ours import ENGINE, OurSearcher, request_of
from benchmarks.engine.queries import CLASSES, PLAIN, Query, draw
from benchmarks.engine.searching import Engine, Search, Searcher
from benchmarks.engine.timing import Times, interleaved
from benchmarks.engine.vocabulary import Vocabulary
from ragspine_tui.session import Session


def measure(
    kept: Kept, engines: Sequence[Engine], vocabulary: Vocabulary, kinds: Collection[str] = tuple(CLASSES)
) -> dict[str, Any]:
    """Median and p95 of each way by class, whether quotes are a phrase to ours, and what a posting costs it."""
    fitting = [engine for engine in engines if kept.corpus.chunks <= engine.most]
    folders = [(engine, kept.index(engine)) for engine in fitting]
    searchers: list[Searcher] = [engine.open(kept.corpus, folder) for engine, folder in folders]
    try:
        found: dict[str, Any] = {}
        costs: list[tuple[int, float]] = []
        for kind in (kind for kind in CLASSES if kind in kinds):
            queries = draw(kept.corpus, kind, vocabulary)
            times = _times(kind, queries, searchers)
            found[kind] = {"times": {way: {"median": one.median, "p95": one.p95} for way, one in times.items()}}
            if kind == "phrase":
                found[kind]["phrases"] = any(
                    searches_phrases(one.session, queries) for one in searchers if isinstance(one, OurSearcher)
                )
            if kind in PLAIN and ENGINE in times:
                costs += zip((query.postings for query in queries), times[ENGINE].each, strict=True)
        return {"classes": found, "cost": fitted(*zip(*costs, strict=True))._asdict() if costs else {}}
    finally:
        for searcher in searchers:
            searcher.close()


def _times(kind: str, queries: Sequence[Query], searchers: Sequence[Searcher]) -> dict[str, Times]:
    ways: dict[str, Search] = {}
    for searcher in searchers:
        ways |= searcher.ways(kind)
    times = interleaved(ways, queries)
    said = ", ".join(f"{name} {one.median * 1000:.3f} (p95 {one.p95 * 1000:.3f})" for name, one in times.items())
    print(f"  {CLASSES[kind]}: {said} ms", file=sys.stderr, flush=True)
    return times


def searches_phrases(session: Session, queries: Sequence[Query]) -> bool:
    """Whether quotes mean a phrase: fewer passages match than without, and every hit has the words side by side.

    They may stand in its title or heading as well.
    """
    for query in queries:
        found = session.search(request_of(query))
        plain = session.search(request_of(Query("plain", query.words, query.postings)))
        together = " ".join(query.words)
        if found.total >= plain.total:
            return False
        if not all(together in _words(f"{hit.title} | {hit.heading} | {hit.text}") for hit in found.hits):
            return False
    return True


def _words(text: str) -> str:
    return " ".join(text.replace(".", " ").split())
