"""Retrieval quality on a judged collection: the app's own pipeline in a throw-away home, scored as trec_eval does."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ragspine_tui.evaluation.collection import Collection, Entry
from ragspine_tui.evaluation.metrics import Run, mean_metrics
from ragspine_tui.types import Document, SearchRequest

if TYPE_CHECKING:
    from ragspine_tui.session import Session

DEPTH = 100
"""How many documents are ranked for each query."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Means over the judged queries, and the run they were made from."""

    collection: str
    documents: int
    queries: int
    means: Mapping[str, float]
    queries_per_second: float
    run: Run


def measure(
    collection: Collection,
    *,
    chunker: str | None = None,
    language: str = "auto",
    overrides: Mapping[str, Any] | None = None,
    told: Callable[[str], None] = lambda _: None,
) -> Evaluation:
    """Indexes the collection, searches each judged query and scores the ranking of documents by their best passage.

    `overrides` are settings of ServiceConfig; `told` hears what is being done, a line at a time.
    """
    from ragspine_tui.config import ServiceConfig
    from ragspine_tui.session import Session

    with tempfile.TemporaryDirectory(prefix="ragspine-eval-") as folder:
        root = Path(folder, "documents")
        root.mkdir()
        config = ServiceConfig.load(Path(folder, "home"), **(overrides or {}))
        with Session.open(config) as session:
            library = session.add(root, library_id="collection", chunker=chunker, language=language)
            told(f"indexing {len(collection.entries):,} documents")
            session.add_documents(library.library_id, _documents(collection.entries))
            judged = collection.judged()
            told(f"searching {len(judged):,} queries")
            start = perf_counter()
            run = {query: _ranked(session, collection, query) for query in judged}
            seconds = perf_counter() - start
    return Evaluation(
        collection=collection.name,
        documents=len(collection.entries),
        queries=len(judged),
        means=mean_metrics(judged, run),
        queries_per_second=len(judged) / seconds if seconds else 0.0,
        run=run,
    )


def _documents(entries: Sequence[Entry]) -> Iterator[Document]:
    """The entries as documents whose names say nothing: a corpus id is no word that a person wrote."""
    for number, entry in enumerate(entries):
        yield Document(path=_name(number), text=entry.whole_text, title=entry.title, kind="txt")


# Ten arrows for the ten digits: a file name without one letter or digit gives the file name field nothing to find.
_TO_ARROWS = str.maketrans("0123456789", "←↑→↓↔↕↖↗↘↙")
_TO_DIGITS = str.maketrans("←↑→↓↔↕↖↗↘↙", "0123456789")


def _name(number: int) -> str:
    return str(number).translate(_TO_ARROWS)


def _number(name: str) -> int:
    return int(name.translate(_TO_DIGITS))


def _ranked(session: Session, collection: Collection, query: str) -> list[str]:
    """The first DEPTH documents for a query, in the order of their best passages."""
    text = collection.queries.get(query)
    if text is None:
        return []
    limit = DEPTH * 2
    while True:
        result = session.search(SearchRequest(query=text, limit=limit))
        names = list(dict.fromkeys(hit.document for hit in result.hits))
        if len(names) >= DEPTH or len(result.hits) < limit:
            return [collection.entries[_number(name)].entry_id for name in names[:DEPTH]]
        limit *= 4


def evaluation_json(evaluation: Evaluation) -> dict[str, Any]:
    """The object of `eval --json`; the measures rounded to six places."""
    return {
        "collection": evaluation.collection,
        "documents": evaluation.documents,
        "queries": evaluation.queries,
        **{name: round(value, 6) for name, value in evaluation.means.items()},
        "queries_per_second": round(evaluation.queries_per_second, 1),
    }
