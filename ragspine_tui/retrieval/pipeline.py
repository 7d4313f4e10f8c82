"""The whole search on one page: route -> narrow -> score -> fuse -> link exit -> rerank exit."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from ragspine_tui.retrieval.filtering.metadata_filter import MetadataFilter
from ragspine_tui.retrieval.lexical.analyzer import Analyzer
from ragspine_tui.retrieval.lexical.retriever import LexicalRetriever
from ragspine_tui.retrieval.lexical.statistics import searched_terms
from ragspine_tui.retrieval.link.exit import Highlight, LinkExit, PassageSource, Stale
from ragspine_tui.retrieval.query import Query, unknown_words
from ragspine_tui.retrieval.rerank.exit import RerankExit
from ragspine_tui.retrieval.routing.multi_index import Fused, LibraryIndex, MultiIndexRetriever, MultiRun
from ragspine_tui.retrieval.routing.router import LibraryRouter, explain_route
from ragspine_tui.types import (
    Explanation,
    FilterReport,
    Hit,
    Library,
    LibraryProblem,
    SearchRequest,
    SearchResult,
    Span,
)

_NOTICED: Final = 5
"""A library that routing left out is named where it would have had a hit among the first so many."""


@dataclass(frozen=True, slots=True)
class SearchableLibrary:
    """A library in scope with what searches it."""

    library: Library
    retriever: LexicalRetriever
    analyzer: Analyzer


@dataclass(frozen=True, slots=True)
class Parts:
    """What a search is made with besides its request."""

    libraries: Sequence[SearchableLibrary]
    router: LibraryRouter | None
    fusion: str
    mode: str
    passages: PassageSource
    stale: Stale
    rerank: RerankExit
    report: Callable[[MetadataFilter, Sequence[str]], FilterReport]
    cancelled: Callable[[], bool] = lambda: False
    errors: Sequence[LibraryProblem] = ()


def search(request: SearchRequest, metadata_filter: MetadataFilter, parts: Parts) -> SearchResult:
    """Run one search. Raises ValueError where the request's limit is negative."""
    query = Query(request.query, request.prefix)
    by_id = {one.library.library_id: one for one in parts.libraries}
    route = explain_route(parts.router, query.text, [one.library for one in parts.libraries])
    chosen = [routed.library_id for routed in route.libraries]
    retriever = MultiIndexRetriever(
        [LibraryIndex(name, one.library.description, one.retriever) for name, one in by_id.items()], fusion=parts.fusion
    )

    def run(library_ids: Sequence[str], top_k: int) -> MultiRun:
        return retriever.search(
            query.text,
            library_ids,
            metadata_filter=metadata_filter,
            top_k=top_k,
            prefix=query.prefix,
            cancelled=parts.cancelled,
        )

    link = LinkExit(parts.passages, _highlighter(query, by_id), parts.stale, parents=request.parent)
    found, hits = _first_allowed(partial(run, chosen), request, link, parts.rerank)
    return SearchResult(
        query=request.query,
        mode=parts.mode,
        fusion=parts.fusion,
        route=route,
        filter=parts.report(metadata_filter, chosen),
        total=found.total,
        hits=hits,
        unknown_terms=_unknown(query, found, by_id),
        errors=_errors(parts, found, link),
        left_out=_left_out(run, chosen, by_id) if len(chosen) < len(by_id) else (),
    )


def _first_allowed(
    run: Callable[[int], MultiRun], request: SearchRequest, link: LinkExit, rerank: RerankExit
) -> tuple[MultiRun, tuple[Hit, ...]]:
    """Candidates through both exits; where an exit dropped some, more are fetched, so that none starves a result."""
    depth = limit = request.limit
    while True:
        found = run(depth)
        pairs = [(fused, fused.score) for fused in found.fused]
        explain = partial(_explanation, found) if request.explain else None
        hits = rerank.rerank(link.link(pairs, depth, explain))[:limit]
        if len(hits) == limit or len(found.fused) < depth:
            return found, hits
        depth = 2 * depth + 1


def _errors(parts: Parts, found: MultiRun, link: LinkExit) -> tuple[LibraryProblem, ...]:
    """What failed, a library once, by the first thing that went wrong with it."""
    unread = (LibraryProblem(library_id, message) for library_id, message in link.errors.items())
    first: dict[str, LibraryProblem] = {}
    for problem in (*parts.errors, *found.errors, *unread):
        first.setdefault(problem.library_id, problem)
    return tuple(first.values())


def _explanation(found: MultiRun, fused: Fused, _score: float) -> Explanation:
    return Explanation(fused.candidate.library_rank, found.explain(fused.candidate), fused.parts)


def _highlighter(query: Query, by_id: Mapping[str, SearchableLibrary]) -> Highlight:
    terms = {name: searched_terms(one.analyzer.query(query.text, prefix=query.prefix)) for name, one in by_id.items()}

    def highlight(library_id: str, text: str) -> tuple[Span, ...]:
        return by_id[library_id].analyzer.highlights(text, terms[library_id])

    return highlight


def _unknown(query: Query, found: MultiRun, by_id: Mapping[str, SearchableLibrary]) -> tuple[str, ...]:
    """Words of the query that no searched library holds."""
    missing: list[set[str]] = []
    order: tuple[str, ...] = ()
    for search in found.searches:
        known = {
            form for term in search.matches.terms if term.postings for form in (term.term, term.key.removesuffix("*"))
        }
        words = unknown_words(query, by_id[search.retriever.library_id].analyzer, known)
        missing.append(set(words))
        order = order or words
    return tuple(word for word in order if all(word in words for words in missing))


def _left_out(
    run: Callable[[Sequence[str], int], MultiRun], chosen: Sequence[str], by_id: Mapping[str, SearchableLibrary]
) -> tuple[str, ...]:
    """The libraries outside the route that have a hit among the first few of a search without it."""
    best = run(list(by_id), _NOTICED).fused
    return tuple(dict.fromkeys(one.library_id for one in best if one.library_id not in chosen))
