"""A query without a word to rank by: the documents that its conditions name, newest first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ragspine_tui.errors import RagspineError
from ragspine_tui.retrieval.filtering.metadata_filter import MetadataFilter
from ragspine_tui.retrieval.lexical.retriever import Candidate
from ragspine_tui.retrieval.lexical.statistics import Limits
from ragspine_tui.retrieval.routing.multi_index import Fused, MultiRun
from ragspine_tui.types import LibraryProblem


class Listed(NamedTuple):
    """A document to show by its opening passage (the ordinal `chunk`, and its `number`); `date` is '' without one."""

    date: str
    path: str
    document_id: int
    chunk: int
    number: int


ListDocuments = Callable[[str, MetadataFilter, Limits, int], tuple[Sequence[Listed], int]]
"""(library, filter, limits, how many) -> the first of the documents that both allow, newest first and then by path,
and how many there are in all."""


def listing(
    library_ids: Sequence[str],
    metadata_filter: MetadataFilter,
    limits: Callable[[str], Limits],
    documents: ListDocuments,
    top_k: int,
) -> MultiRun:
    """The opening passage of each document, score 0: by date, newest first, those without a date by path after them."""
    found: list[tuple[str, Listed]] = []
    errors: list[LibraryProblem] = []
    total = 0
    for library_id in library_ids:
        try:
            listed, count = documents(library_id, metadata_filter, limits(library_id), top_k)
        except RagspineError as error:
            errors.append(LibraryProblem(library_id, str(error)))
            continue
        found += [(library_id, one) for one in listed]
        total += count
    # Two stable sorts: dates fall, and paths rise among the documents of one date.
    found.sort(key=lambda one: (one[1].path, one[0]))
    found.sort(key=lambda one: one[1].date, reverse=True)
    ranks: dict[str, int] = {}
    fused = []
    for library_id, one in found[:top_k]:
        ranks[library_id] = ranks.get(library_id, 0) + 1
        candidate = Candidate(library_id, one.document_id, one.number, 0.0, ranks[library_id], 0, one.chunk)
        fused.append(Fused(candidate, 0.0, {}))
    return MultiRun(tuple(fused), total, tuple(errors), ())
