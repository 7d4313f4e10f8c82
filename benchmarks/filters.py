"""How long a metadata filter takes to narrow a large library: synthetic documents, the real store, no text to score."""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import process_time
from typing import Final

from benchmarks.machine import table, this_machine
from ragspine_tui.retrieval.filtering.textual import parse_condition
from ragspine_tui.types import Chunk, DocumentStatus, Library, Locator, Section, Span
from storage.building import IndexedDocument, IndexedSection
from storage.documents import DocumentBatch, DocumentEntry, SourceRow
from storage.store import Store

LIBRARY: Final = "synthetic"
BATCH: Final = 5_000
ROUNDS: Final = 9
FACETS: Final = 50
FILTERS: Final[Sequence[tuple[str, str, tuple[str, ...]]]] = (
    ("one value of three", "and", ("kind = md",)),
    ("one tag of 200", "and", ("tags = t7",)),
    ("any of two tags", "and", ("tags in t1,t2",)),
    ("not this tag", "and", ("tags != t1",)),
    ("none of two tags", "and", ("tags nin t1,t2",)),
    ("from a year on", "and", ("year >= 2009",)),
    ("up to a size, every document its own", "and", ("size < 000000050000",)),
    ("between two days", "and", ("modified 2015-01..2016-12",)),
    ("one title of 100,000", "and", ('title = "title 4711"',)),
    ("a field nobody has", "and", ("language = en",)),
    ("three conditions, all", "and", ("kind = md", "year >= 2015", "tags = t7")),
    ("three conditions, any", "or", ("kind = pdf", "year < 1995", "tags = t7")),
)


def main() -> None:
    """Prints a Markdown table: what each kind of condition leaves, and how long narrowing by it takes."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.filters", description=__doc__)
    parser.add_argument("--documents", type=int, default=100_000, metavar="N", help="how many (100,000)")
    arguments = parser.parse_args()
    machine = this_machine()
    with tempfile.TemporaryDirectory(prefix="ragspine-filters-") as folder:
        store = Store(Path(folder, "ragspine.db"))
        fill(store, arguments.documents)
        rows = [
            (what, shown, f"{left:,}", ms(first), ms(statistics.median(times)), ms(times[0]))
            for what, shown, left, first, times in narrowings(store)
        ]
        facets = timed(partial(store.field_values, [LIBRARY], FACETS))
        store.close()
    print(table(("what", "figure"), [*machine.rows(), ("documents", f"{arguments.documents:,}")]), end="\n\n")
    print(table(("filter", "as written", "documents left", "first", "median", "best"), rows), end="\n\n")
    print(f"All fields with their {FACETS} most frequent values: {ms(statistics.median(facets))}.")


def fill(store: Store, count: int) -> None:
    """Store `count` documents of one word each whose fields are drawn at random, the same each time."""
    store.add_library(Library(LIBRARY, "/synthetic"))
    draw = random.Random(count)
    batch = DocumentBatch()
    for number in range(count):
        batch.add(entry(number, fields(draw, number)))
        if len(batch) == BATCH or number == count - 1:
            store.write_batch(LIBRARY, batch)
            batch = DocumentBatch()
    while store.merge_segments(LIBRARY):
        pass


def fields(draw: random.Random, number: int) -> Mapping[str, tuple[str, ...]]:
    """Fields as documents have them: few values, many values, several at once, and values nobody shares."""
    day = f"20{draw.randint(10, 25)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"
    clock = f"{draw.randint(0, 23):02}:{draw.randint(0, 59):02}:{draw.randint(0, 59):02}"
    return {
        "kind": (draw.choice(("md", "html", "pdf")),),
        "tags": tuple(f"t{tag}" for tag in draw.sample(range(200), 3)),
        "year": (str(draw.randint(1990, 2025)),),
        "modified": (f"{day}T{clock}Z",),
        "size": (f"{draw.randint(1, 100_000):012}",),
        "title": (f"title {number}",),
    }


def entry(number: int, values: Mapping[str, tuple[str, ...]]) -> DocumentEntry:
    """A document of one word with these fields."""
    path, span, text = f"{number}.md", Span(0, 5), "words"
    return DocumentEntry(
        SourceRow(path, len(text), 0),
        DocumentStatus.INDEXED,
        text=text,
        fields=values,
        sections=[Section(0, span, (), Locator(path, 1, 1))],
        chunks=[Chunk(path, 1, 0, span, Locator(path, 1, 1), f"{path}#s0", source=text)],
        terms=IndexedDocument(number, {}, {}, {}, [IndexedSection({}, [([((text,), (), (0,), 1)], "", 1)])], values),
    )


def narrowings(store: Store) -> Iterator[tuple[str, str, int, float, list[float]]]:
    """What each filter is, how it is written, how many documents it leaves, and how long that takes: first, then again.

    First is in a store that was just opened and has read its segments, as every search of a new process must.
    """
    for what, combine, texts in FILTERS:
        conditions = [parse_condition(text) for text in texts]
        left = store.narrow(LIBRARY, conditions, combine).steps[-1][0]
        fresh = Store(store.path)
        fresh.narrow(LIBRARY, (), combine)
        first = once(partial(fresh.narrow, LIBRARY, conditions, combine))
        fresh.close()
        times = timed(partial(store.narrow, LIBRARY, conditions, combine))
        yield what, f" {combine} ".join(f"`{text}`" for text in texts), left, first, times


def timed(work: Callable[[], object]) -> list[float]:
    """The times of several runs, shortest first, after one that is not measured."""
    work()
    return sorted(once(work) for _ in range(ROUNDS))


def once(work: Callable[[], object]) -> float:
    """The processor time of one run: on a machine that does other things too, it says more than the clock."""
    start = process_time()
    work()
    return process_time() - start


def ms(seconds: float) -> str:
    """A time as the tables show it."""
    return f"{seconds * 1000:.1f} ms"


if __name__ == "__main__":
    main()
