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
"""How many documents are ranked for each query where nothing else is said; recall@100 and MAP need them all."""


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
    depth: int = DEPTH,
    told: Callable[[str], None] = lambda _: None,
) -> Evaluation:
    """Indexes the collection, searches each judged query and scores the ranking of documents by their best passage.

    `overrides` are settings of ServiceConfig; `depth` is how many documents are ranked; `told` hears what is being
    done, a line at a time.
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
            ranker = _Ranker(session, collection, depth)
            run = {query: ranker.ranked(query) for query in judged}
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


class _Ranker:
    """Ranks documents by their best passages; asks for about as many passages as the last query needed."""

    def __init__(self, session: Session, collection: Collection, depth: int) -> None:
        self._session = session
        self._collection = collection
        self._depth = depth
        self._limit = 2 * depth

    def ranked(self, query: str) -> list[str]:
        """The ids of the first documents for a query, best first; none where the collection lacks its text."""
        text = self._collection.queries.get(query)
        return [] if text is None else [self._collection.entries[n].entry_id for n in self._numbers(text)]

    def _numbers(self, text: str) -> list[int]:
        limit = self._limit
        while True:
            hits = self._session.search(SearchRequest(query=text, limit=limit, literal=True, copies=True)).hits
            first_at: dict[str, int] = {}
            for at, hit in enumerate(hits):
                first_at.setdefault(hit.document, at)
            if len(first_at) >= self._depth or len(hits) < limit:
                break
            limit *= 2
        best = list(first_at)[: self._depth]
        if len(best) == self._depth:
            self._limit = max(self._depth, first_at[best[-1]] * 5 // 4)
        return [_number(name) for name in best]


def evaluation_json(evaluation: Evaluation) -> dict[str, Any]:
    """The object of `eval --json`; the measures rounded to six places."""
    return {
        "collection": evaluation.collection,
        "documents": evaluation.documents,
        "queries": evaluation.queries,
        **{name: round(value, 6) for name, value in evaluation.means.items()},
        "queries_per_second": round(evaluation.queries_per_second, 1),
    }
