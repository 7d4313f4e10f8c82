"""What a changed file costs, and what a thousand of them leave behind."""

from __future__ import annotations

import os
import shutil
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import Final, NamedTuple

from benchmarks.engine.indexing import Scratch, merge
from benchmarks.engine.kept import Kept
from benchmarks.engine.ours import LIBRARY, OurEngine, Ours, config_of
from benchmarks.engine.queries import LANGUAGE, PLAIN, draw
from benchmarks.engine.searching import bytes_in
from benchmarks.engine.timing import interleaved, ordered_share
from benchmarks.engine.vocabulary import Vocabulary
from ragspine_tui.documents.discover import Source
from ragspine_tui.entries import EntryMaker
from ragspine_tui.retrieval.lexical.analyzer import Analyzer
from ragspine_tui.session import Session
from ragspine_tui.types import SearchRequest
from storage.documents import DocumentBatch
from storage.store import Store

UPDATES: Final = 1_000
WHOLE_RUNS: Final = 5


class Taken(NamedTuple):
    """Seconds of the processor, and by the clock."""

    seconds: float
    clock: float


_BEFORE, _AFTER = "before", "after"


def measure(kept: Kept, vocabulary: Vocabulary, updates: int = UPDATES) -> dict[str, float]:
    """Seconds of an update by `index` and of its document alone; speed and size after many, as shares of before."""
    home = kept.index(Ours()) / "whole"
    with Scratch(kept.folder / "scratch") as folder:
        copy = folder / "home"
        shutil.copytree(home, copy)
        names = changed_documents(kept, updates + WHOLE_RUNS)
        by_index = [_by_index(kept, copy, name, number) for number, name in enumerate(names[:WHOLE_RUNS])]
        size = bytes_in(copy)
        alone = _alone(kept, copy, folder / "changed.md", names[WHOLE_RUNS:])
        slowdown = slowdowns(kept, home, copy, vocabulary)
        seconds = [one.seconds for one in alone]
        return {
            "by_index": statistics.median(one.seconds for one in by_index),
            "by_index_clock": statistics.median(one.clock for one in by_index),
            "alone": statistics.median(seconds),
            "alone_clock": statistics.median(one.clock for one in alone),
            "alone_p95": ordered_share(seconds, 0.95),
            "alone_most": max(seconds),
            "updates": len(alone),
            "slowdown": max(slowdown.values()),
            "growth": bytes_in(copy) / size,
        }


def changed_documents(kept: Kept, count: int) -> list[str]:
    """Relative paths of documents that are to change, the same each time; some twice where there are too few."""
    names = sorted(path.relative_to(kept.corpus.markdown).as_posix() for path in kept.corpus.markdown.rglob("*.md"))
    return Random(kept.corpus.seed).choices(names, k=count)


def slowdowns(kept: Kept, before: Path, after: Path, vocabulary: Vocabulary) -> Mapping[str, float]:
    """The median after as a share of the median before, for each plain class."""
    engines = {_BEFORE: OurEngine(before), _AFTER: OurEngine(after)}
    try:
        found = {}
        for kind in PLAIN:
            times = interleaved(
                {name: one.search for name, one in engines.items()}, draw(kept.corpus, kind, vocabulary)
            )
            found[kind] = times[_AFTER].median / times[_BEFORE].median
        return found
    finally:
        for engine in engines.values():
            engine.close()


def _by_index(kept: Kept, home: Path, name: str, number: int) -> Taken:
    """The file itself is changed, brought up to date as a person would, found by its new word, and changed back."""
    path = kept.corpus.markdown / name
    content, stat = path.read_bytes(), path.stat()
    with Session.open(config_of(home)) as session:
        session.search(SearchRequest("anything"))
        try:
            path.write_bytes(content + f"\nwhole{number}changed\n".encode())
            start = _now()
            session.index((LIBRARY,))
            _must_find(session, f"whole{number}changed", name)
            return _since(start)
        finally:
            path.write_bytes(content)
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
            session.index((LIBRARY,))


def _alone(kept: Kept, home: Path, changed: Path, names: Sequence[str]) -> list[Taken]:
    """Read, cut, analyze and store one document, merge and shrink as a run of the app does, and find its new word."""
    taken = []
    store = Store(config_of(home).database_path)
    maker = EntryMaker(store.library(LIBRARY), lambda _: False, Analyzer(LANGUAGE))
    with Session.open(config_of(home)) as session:
        for number, name in enumerate(names):
            word = f"alone{number}changed"
            changed.write_bytes((kept.corpus.markdown / name).read_bytes() + f"\n{word}\n".encode())
            stat = changed.stat()
            start = _now()
            entry = maker.make(Source(str(changed), name, stat.st_size, stat.st_mtime_ns))
            assert entry is not None  # there is no earlier entry that it could be the same as
            batch = DocumentBatch()
            batch.add(entry)
            store.write_batch(LIBRARY, batch)
            merge(store)
            store.shrink()
            _must_find(session, word, name)
            taken.append(_since(start))
    store.close()
    return taken


def _must_find(session: Session, word: str, name: str) -> None:
    found = session.search(SearchRequest(word, limit=1)).hits
    if [hit.document for hit in found] != [name]:
        raise SystemExit(f"{name} was changed, but a search for its new word does not find it")


def _now() -> Taken:
    return Taken(process_time(), perf_counter())


def _since(start: Taken) -> Taken:
    return Taken(process_time() - start.seconds, perf_counter() - start.clock)
