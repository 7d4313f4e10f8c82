"""What searching several libraries costs: judged collections side by side, each query wanted from its own alone."""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.machine import table, this_machine
from ragspine_tui.config import ServiceConfig
from ragspine_tui.evaluation.collection import Collection
from ragspine_tui.evaluation.metrics import metrics
from ragspine_tui.session import Session
from ragspine_tui.types import Document, SearchRequest

MEASURE: Final = "ndcg@10"
DEPTH: Final = 10
DESCRIPTIONS: Final[Mapping[str, str]] = {
    "cranfield": "Aerodynamics and aeronautics: wings, boundary layers, supersonic and hypersonic flow, heat transfer, "
    "flutter, buckling of shells, aircraft structures.",
    "cisi": "Library and information science: libraries, cataloguing, classification, indexing, citation analysis, "
    "information retrieval systems, scientific communication, librarians.",
    "medline": "Medicine and biology: patients, diseases, cells, hormones, blood, tissues, drugs, surgery, kidney, "
    "lung, heart, cancer.",
    "cacm": "Computing: algorithms, programming languages, compilers, operating systems, data structures, numerical "
    "methods, computer science.",
}


@dataclass(frozen=True, slots=True)
class Way:
    """One way to search: the query's own library alone, or all of them by a fusion and a router."""

    name: str
    alone: bool = False
    fusion: str = "score"
    route: str = "none"


WAYS: Final = (
    Way("its own library alone", alone=True),
    Way("all, `score`"),
    Way("all, `rrf`", fusion="rrf"),
    Way("all, `score`, keyword routing", route="keyword"),
    Way("all, `rrf`, keyword routing", fusion="rrf", route="keyword"),
)


def main() -> None:
    """Prints a Markdown table: each way's nDCG@10, a collection a column, and its share of the first way's mean."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.federation", description=__doc__)
    parser.add_argument(
        "folder",
        type=Path,
        nargs="?",
        default=os.environ.get("RAGSPINE_COLLECTIONS"),
        help="holds the collections, a folder each (else RAGSPINE_COLLECTIONS)",
    )
    arguments = parser.parse_args()
    if arguments.folder is None:
        parser.error("name the folder of the collections, or set RAGSPINE_COLLECTIONS")
    machine = this_machine()
    collections = [Collection.load(Path(arguments.folder, name)) for name in DESCRIPTIONS]
    with (
        tempfile.TemporaryDirectory(prefix="ragspine-federation-") as folder,
        Session.open(ServiceConfig.load(Path(folder, "home"), environ={})) as session,
    ):
        fill(session, collections, Path(folder))
        measured = [(way, [means(session, collection, way) for collection in collections]) for way in WAYS]
    print(table(("what", "figure"), [*machine.rows(), *sizes(collections)]), end="\n\n")
    print(table(("searched", *DESCRIPTIONS, "all queries", "of the first"), list(rows(collections, measured))))


def fill(session: Session, collections: Sequence[Collection], folder: Path) -> None:
    """Make a library of each collection, with its description."""
    for collection in collections:
        root = folder / collection.name
        root.mkdir()
        description = DESCRIPTIONS[collection.name]
        session.add(root, library_id=collection.name, title=collection.name, description=description)
        session.add_documents(
            collection.name,
            (
                Document(path=wordless(number), text=entry.whole_text, title=entry.title)
                for number, entry in enumerate(collection.entries)
            ),
        )


def wordless(number: int) -> str:
    """A file name without a letter or a digit, so that no query finds a document by it."""
    return "".join(chr(ord("←") + int(digit)) for digit in str(number))


def numbered(name: str) -> int:
    """The number behind such a name."""
    return int("".join(str(ord(arrow) - ord("←")) for arrow in name))


def means(session: Session, collection: Collection, way: Way) -> float:
    """The mean nDCG@10 of a collection's queries; whatever another library answers is worth nothing."""
    judged = collection.judged()
    scores = [
        metrics(relevances, ranked(session, collection, query, way))[MEASURE] for query, relevances in judged.items()
    ]
    return sum(scores) / len(scores)


def ranked(session: Session, collection: Collection, query: str, way: Way) -> list[str]:
    """The first documents for a query by their best passages; those of other libraries under names of their own."""
    libraries = (collection.name,) if way.alone else ()
    limit = 4 * DEPTH
    while True:
        request = SearchRequest(
            collection.queries[query],
            libraries=libraries,
            fusion=way.fusion,
            route=way.route,
            limit=limit,
            literal=True,
        )
        hits = session.search(request).hits
        found = list(dict.fromkeys((hit.library_id, hit.document) for hit in hits))
        if len(found) >= DEPTH or len(hits) < limit:
            break
        limit *= 2
    return [
        collection.entries[numbered(document)].entry_id if library == collection.name else f"{library} {document}"
        for library, document in found[:DEPTH]
    ]


def sizes(collections: Sequence[Collection]) -> list[tuple[str, str]]:
    """How many documents and judged queries there are."""
    documents = ", ".join(f"{one.name} {len(one.entries):,}" for one in collections)
    queries = ", ".join(f"{one.name} {len(one.judged()):,}" for one in collections)
    return [("documents", documents), ("queries", queries)]


def rows(
    collections: Sequence[Collection], measured: Sequence[tuple[Way, Sequence[float]]]
) -> Iterator[tuple[str, ...]]:
    """The table's rows: the mean over all queries, and its share of the first row's."""
    counts = [len(collection.judged()) for collection in collections]
    overall = [
        sum(value * count for value, count in zip(values, counts, strict=True)) / sum(counts) for _, values in measured
    ]
    for (way, values), mean in zip(measured, overall, strict=True):
        yield (way.name, *(f"{value:.4f}" for value in values), f"{mean:.4f}", f"{mean / overall[0]:.3f}")


if __name__ == "__main__":
    main()
