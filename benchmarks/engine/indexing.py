"""How long indexing takes: the index itself against the peers', and the whole way from Markdown files."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import process_time
from typing import Final

from benchmarks.engine.corpus import Corpus
from benchmarks.engine.kept import Kept
from benchmarks.engine.ours import LIBRARY, Ours, program
from benchmarks.engine.queries import LANGUAGE
from benchmarks.engine.searching import Engine
from ragspine_tui.documents.discover import discover
from ragspine_tui.entries import EntryMaker
from ragspine_tui.retrieval.lexical.analyzer import Analyzer
from ragspine_tui.types import Library
from storage.documents import DocumentBatch
from storage.store import Store

_BATCH: Final = 16_000_000
"""Characters of a batch, as the app has them once a run is under way."""


def seconds(kept: Kept, engines: Sequence[Engine]) -> dict[str, float]:
    """What each engine takes to index the whole corpus. Ours is given its entries read, cut and analyzed."""
    found = {}
    for engine in engines:
        if kept.corpus.chunks <= engine.most:
            with Scratch(kept.folder / "scratch") as folder:
                if isinstance(engine, Ours):
                    found[engine.name] = ours(kept.corpus, folder)
                else:
                    found[engine.name] = timed(partial(engine.build_whole, kept.corpus, folder / "index"))
    return found


def ours(corpus: Corpus, folder: Path) -> float:
    """What it takes to store entries with their postings and to merge what is due."""
    store = Store(folder / "ragspine.db")
    library = Library(LIBRARY, str(corpus.markdown))
    store.add_library(library)
    maker = EntryMaker(library, lambda _: False, Analyzer(LANGUAGE))
    batch, size, total = DocumentBatch(), 0, 0.0
    for source in discover(corpus.markdown):
        entry = maker.make(source)
        if entry is None:
            continue
        total += timed(partial(batch.add, entry))
        size += len(entry.text)
        if size >= _BATCH:
            total += timed(partial(store.write_batch, LIBRARY, batch))
            batch, size = DocumentBatch(), 0
    if len(batch):
        total += timed(partial(store.write_batch, LIBRARY, batch))
    return total + timed(partial(merge, store)) + timed(store.close)


def merge(store: Store) -> None:
    """All that is due."""
    while store.merge_segments(LIBRARY):
        pass


def pipeline(kept: Kept) -> dict[str, float]:
    """`ragspine-tui add` of the Markdown files in a new home: seconds, MB a second, and the most memory it held."""
    with Scratch(kept.folder / "scratch") as folder:
        ran = program(folder / "home", "add", "--id", LIBRARY, str(kept.corpus.markdown))
    return {
        "seconds": ran.seconds,
        "cpu_seconds": ran.cpu_seconds,
        "mb_per_second": kept.corpus.markdown_bytes / 1e6 / ran.seconds,
        "peak_bytes": ran.peak_bytes,
    }


class Scratch:
    """A new folder that is gone afterwards."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __enter__(self) -> Path:
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        return self._folder

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)


def timed(work: Callable[[], object]) -> float:
    """The processor's time that some work takes."""
    start = process_time()
    work()
    return process_time() - start


def measure(kept: Kept, engines: Sequence[Engine]) -> dict[str, dict[str, float]]:
    """Times, sizes on disk, and the whole way from files."""
    sizes = {
        engine.name: float(engine.whole_bytes(kept.index(engine)))
        for engine in engines
        if kept.corpus.chunks <= engine.most
    }
    return {"pipeline": pipeline(kept), "seconds": seconds(kept, engines), "bytes": sizes}
