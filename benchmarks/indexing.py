"""What each stage of indexing costs: files read, cut, analyzed, packed, handed over and stored by one process."""

from __future__ import annotations

import argparse
import gc
import pickle
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import Final

from benchmarks.machine import table, this_machine
from ragspine_tui.documents.discover import Source, discover
from ragspine_tui.documents.reader import load, read_loaded
from ragspine_tui.entries import EntryMaker, chunker_of
from ragspine_tui.errors import ReadError
from ragspine_tui.groups import GROUP_BYTES, grouped
from ragspine_tui.ingest import BATCH_CHARACTERS
from ragspine_tui.retrieval.chunking.provenance import check_provenance
from ragspine_tui.retrieval.lexical.analyzer import Analyzer, detect_language
from ragspine_tui.types import Library
from storage.documents import DocumentBatch, SourceRow
from storage.store import Store

LIBRARY: Final = "bench"
STAGES: Final = ("reading", "chunking", "analysis", "packing", "handing over", "storing")
WORKER: Final = STAGES[:4]
_SAMPLE: Final = 64
_SAMPLE_CHARACTERS: Final = 4_000


@dataclass(slots=True)
class Spent:
    """Processor seconds by stage, and how much text went through them."""

    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(STAGES, 0.0))
    documents: int = 0
    text_bytes: int = 0

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """What is done inside counts for the stage."""
        start = process_time()
        yield
        self.seconds[stage] += process_time() - start


def main() -> None:
    """Prints a Markdown table: each stage's processor time, its share, and megabytes of text a processor second."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.indexing", description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder to index; nothing is written into it")
    parser.add_argument("--chunker", default="parent_child", help="how documents are cut (parent_child)")
    arguments = parser.parse_args()
    machine = this_machine()
    with tempfile.TemporaryDirectory(prefix="ragspine-indexing-") as home:
        spent = measure(Library(LIBRARY, str(arguments.folder.resolve()), chunker=arguments.chunker), Path(home))
    size = f"{spent.documents:,} ({spent.text_bytes / 1e6:.1f} MB of text)"
    print(table(("what", "figure"), [*machine.rows(), ("documents", size)]), end="\n\n")
    print(table(("stage", "processor time", "share", "MB a second"), list(rows(spent))))


def measure(library: Library, home: Path) -> Spent:
    """Index a library's folder in a new home, a stage at a time for each group of its files."""
    spent = Spent()
    sources = list(discover(Path(library.root)))
    worker = _Worker(library, Analyzer(detect_language(_sample(sources))), spent)
    store = Store(home / "ragspine.db")
    store.add_library(library)
    whole = DocumentBatch()
    # As worker processes do.
    gc.disable()
    for group in grouped(sources, GROUP_BYTES):
        batch = worker.read(group)
        gc.collect(0)
        with spent.timed("handing over"):
            whole.extend(pickle.loads(pickle.dumps(batch)))
        if whole.characters >= BATCH_CHARACTERS:
            with spent.timed("storing"):
                store.write_batch(LIBRARY, whole)
            whole = DocumentBatch()
    with spent.timed("storing"):
        store.write_batch(LIBRARY, whole)
        while store.merge_segments(LIBRARY):
            pass
    gc.enable()
    store.close()
    return spent


class _Worker:
    """Does what a process that reads files does, and notes what it took."""

    def __init__(self, library: Library, analyzer: Analyzer, spent: Spent) -> None:
        self._maker, self._chunker, self._spent = EntryMaker(library, _never, analyzer), chunker_of(library), spent

    def read(self, group: Sequence[Source]) -> DocumentBatch:
        """The files as a batch."""
        batch, spent = DocumentBatch(), self._spent
        for source in group:
            try:
                with spent.timed("reading"):
                    document = read_loaded(load(source.path, source.relative))
            except ReadError:
                continue
            spent.documents += 1
            spent.text_bytes += len(document.text.encode("utf-8", "surrogatepass"))
            cut = -process_time()
            check_provenance(document, self._chunker.chunk(document))
            cut += process_time()
            with spent.timed("analysis"):
                entry = self._maker.entry(SourceRow(source.relative, source.size, 0), document)
            # An entry is cut and analyzed in one go.
            spent.seconds["chunking"] += cut
            spent.seconds["analysis"] -= cut
            with spent.timed("packing"):
                batch.add(entry)
        return batch


def _never(_: str) -> bool:
    return False


def _sample(sources: Sequence[Source]) -> Iterator[str]:
    for source in sources[:_SAMPLE]:
        try:
            yield read_loaded(load(source.path, source.relative)).text[:_SAMPLE_CHARACTERS]
        except ReadError:
            continue


def rows(spent: Spent) -> Iterator[tuple[str, str, str, str]]:
    """A row for each stage, for what a worker process does of them, and for all."""
    total = sum(spent.seconds.values())
    sums = {"all a worker does": sum(map(spent.seconds.__getitem__, WORKER)), "all": total}
    for name, seconds in (*spent.seconds.items(), *sums.items()):
        yield name, f"{seconds:.2f} s", f"{seconds / total:.0%}", f"{spent.text_bytes / 1e6 / seconds:.1f}"


if __name__ == "__main__":
    main()
