"""The whole search on one page: route -> narrow -> score -> fuse -> link exit -> rerank exit."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from ragspine_tui.retrieval.dating.order import Dates, Order
from ragspine_tui.retrieval.duplicates.collapse import MOST, REACH, collapse
from ragspine_tui.retrieval.filtering.metadata_filter import MetadataFilter
from ragspine_tui.retrieval.lexical.analyzer import Analyzer
from ragspine_tui.retrieval.lexical.index import LexicalIndex
from ragspine_tui.retrieval.lexical.retriever import Narrow
from ragspine_tui.retrieval.lexical.statistics import Limits
from ragspine_tui.retrieval.link.exit import Highlight, LinkExit, PassageSource, Stale
from ragspine_tui.retrieval.querying.constraints import Constraints
from ragspine_tui.retrieval.querying.highlighting import Highlighter
from ragspine_tui.retrieval.querying.listing import ListDocuments, listing
from ragspine_tui.retrieval.querying.notes import why_nothing
from ragspine_tui.retrieval.querying.query import Query
from ragspine_tui.retrieval.querying.retrieving import QueryRetriever
from ragspine_tui.retrieval.querying.suggestions import Lexicon, respelled, suggest
from ragspine_tui.retrieval.querying.unknown import unknown_words
from ragspine_tui.retrieval.rerank.exit import RerankExit
from ragspine_tui.retrieval.routing.multi_index import Fused, LibraryIndex, MultiIndexRetriever, MultiRun
from ragspine_tui.retrieval.routing.router import LibraryRouter, explain_route
from ragspine_tui.types import (
    Explanation,
    FilterReport,
    Hit,
    Library,
    LibraryProblem,
    Narrowing,
    Recency,
    SearchRequest,
    SearchResult,
    Span,
    Suggestion,
)


@dataclass(frozen=True, slots=True)
class Named:
    """A passage asked for by name rather than found."""

    library_id: str
    document_id: int
    index: int


Explain = Callable[[Fused, float], Explanation] | None

_NOTICED: Final = 5
"""A library that routing left out is named where it would have had a hit among the first so many."""


@dataclass(frozen=True, slots=True)
class SearchableLibrary:
    """A library in scope with what searches it."""

    library: Library
    analyzer: Analyzer
    index: LexicalIndex
    narrow: Narrow


@dataclass(frozen=True, slots=True)
class Parts:
    """What a search is made with besides its request."""

    query: Query
    libraries: Sequence[SearchableLibrary]
    router: LibraryRouter | None
    fusion: str
    mode: str
    passages: PassageSource
    stale: Stale
    rerank: RerankExit
    report: Callable[[MetadataFilter, Sequence[str]], FilterReport]
    documents: ListDocuments
    spellings: Callable[[str, str, tuple[int, int]], Sequence[str]]
    dates: Callable[[str], Dates]
    order: Order | None = None
    cancelled: Callable[[], bool] = lambda: False
    errors: Sequence[LibraryProblem] = ()

    @property
    def half_life(self) -> float:
        """In how many days of age a score halves; 0 where age does not count."""
        return self.order.half_life if self.order else 0.0


def search(request: SearchRequest, metadata_filter: MetadataFilter, parts: Parts) -> SearchResult:
    """Run one search. Raises ValueError where the request's limit is negative."""
    query, search = parts.query, _Search(parts)
    by_id = search.libraries
    route = explain_route(parts.router, query.plain, [one.library for one in by_id.values()])
    chosen = [routed.library_id for routed in route.libraries]
    highlight = _highlighter(query, by_id)
    link = LinkExit(parts.passages, highlight, parts.stale, parents=request.parent)
    found, hits = _first_allowed(
        partial(search.run, chosen, metadata_filter), request, link, parts.rerank, parts.half_life > 0
    )
    unknown = () if request.like else _unknown(query, found, by_id)
    suggestions = suggest(query.plain, unknown, search.lexicons(chosen)) if unknown and not parts.cancelled() else ()
    return SearchResult(
        query=request.query,
        mode=parts.mode,
        fusion=parts.fusion,
        route=route,
        filter=parts.report(metadata_filter, chosen),
        total=found.total,
        hits=hits,
        unknown_terms=unknown,
        errors=_errors(parts, found, link),
        left_out=search.left_out(chosen, metadata_filter) if len(chosen) < len(by_id) else (),
        parse=() if query.is_plain else query.parts(),
        notes=query.notes if found.total else (*query.notes, *search.why_nothing(chosen)),
        narrowed=None if found.total else search.narrowed(chosen, metadata_filter),
        suggestions=suggestions,
        did_you_mean=search.respelled(suggestions, chosen) if suggestions else "",
        match="all" if query.every else "any",
        sort=request.sort,
        recency=parts.half_life,
        like=request.like,
    )


class _Search:
    """One query over the libraries in scope: all of it that does not depend on which of them are chosen."""

    def __init__(self, parts: Parts) -> None:
        self.libraries = {one.library.library_id: one for one in parts.libraries}
        self._parts = parts
        self._constraints = {
            name: Constraints(one.index, one.analyzer, partial(parts.passages.passage, name))
            for name, one in self.libraries.items()
        }
        self._retriever = MultiIndexRetriever(
            [
                LibraryIndex(
                    name,
                    one.library.description,
                    QueryRetriever(
                        name,
                        one.index,
                        one.analyzer,
                        one.narrow,
                        parts.query,
                        self._constraints[name],
                        parts.order,
                        partial(parts.dates, name),
                    ),
                )
                for name, one in self.libraries.items()
            ],
            fusion=parts.fusion,
            newest_first=parts.order is not None and parts.order.newest_first,
        )

    def run(self, library_ids: Sequence[str], metadata_filter: MetadataFilter, top_k: int) -> MultiRun:
        """The best `top_k` of these libraries."""
        query = self._parts.query
        if query.only_excludes:
            return MultiRun((), 0, (), ())
        if query.only_narrows:
            return listing(library_ids, metadata_filter, self._limits, self._parts.documents, top_k)
        return self._retriever.search(
            query.plain,
            library_ids,
            metadata_filter=metadata_filter,
            top_k=top_k,
            prefix=query.prefix,
            cancelled=self._parts.cancelled,
        )

    def left_out(self, chosen: Sequence[str], metadata_filter: MetadataFilter) -> tuple[str, ...]:
        """The libraries outside the route that have a hit among the first few of a search without it."""
        best = self.run(list(self.libraries), metadata_filter, _NOTICED).fused
        return tuple(dict.fromkeys(one.library_id for one in best if one.library_id not in chosen))

    def narrowed(self, chosen: Sequence[str], metadata_filter: MetadataFilter) -> Narrowing | None:
        """What filter and route took from a search without hits; None where they took nothing."""
        if self._parts.cancelled():
            return None
        without = self.run(chosen, MetadataFilter(), 0).total if metadata_filter.conditions else 0
        others = [name for name in self.libraries if name not in chosen]
        elsewhere = self.run(others, metadata_filter, 0).total if others else 0
        query, excluded = self._parts.query, 0
        if query.excluded and not query.only_excludes:
            bolder = _Search(replace(self._parts, query=query.without_exclusions()))
            excluded = bolder.run(chosen, metadata_filter, 0).total
        return Narrowing(without, excluded, elsewhere) if without or excluded or elsewhere else None

    def why_nothing(self, chosen: Sequence[str]) -> tuple[str, ...]:
        """What the query requires that the chosen libraries do not have."""
        asked = [(self._constraints[name], self.libraries[name].analyzer) for name in chosen]
        return tuple(why_nothing(self._parts.query, asked))

    def lexicons(self, chosen: Sequence[str]) -> list[Lexicon]:
        """The words of the chosen libraries."""
        return [
            Lexicon(
                self.libraries[name].index,
                self.libraries[name].analyzer,
                partial(self._parts.spellings, name),
                partial(self._read, name),
            )
            for name in chosen
        ]

    def respelled(self, suggestions: Sequence[Suggestion], chosen: Sequence[str]) -> str:
        """The whole query with the suggested words."""
        query = self._parts.query
        return respelled(query.text, query.plain, suggestions, self.libraries[chosen[0]].analyzer)

    def _read(self, library_id: str, places: Sequence[tuple[int, int]]) -> Sequence[Hit]:
        """Passages through both exits."""
        parts = self._parts
        link = LinkExit(parts.passages, lambda _library, _text: (), parts.stale)
        pairs = [(Named(library_id, document, index), 0.0) for document, index in places]
        return parts.rerank.rerank(link.link(pairs, len(pairs)))

    def _limits(self, library_id: str) -> Limits:
        return self._constraints[library_id].limits(self._parts.query)


def _first_allowed(
    run: Callable[[int], MultiRun], request: SearchRequest, link: LinkExit, rerank: RerankExit, ages: bool
) -> tuple[MultiRun, tuple[Hit, ...]]:
    """Candidates through both exits, copies joined after them; where hits are missing for that, more are fetched."""
    limit = request.limit
    depth = limit if request.copies or not limit else max(limit, REACH)
    known: dict[tuple[str, int, int], Hit | None] = {}
    while True:
        found = run(depth)
        explain = partial(_explanation, found, ages) if request.explain else None
        if request.copies or not found.searches:
            pairs = [(fused, fused.score) for fused in found.fused]
            hits = rerank.rerank(link.link(pairs, depth, explain))[:limit]
        else:

            def read(fused: Fused, explain: Explain = explain) -> Hit | None:
                key = fused.candidate.key
                if key not in known:
                    linked = link.link([(fused, fused.score)], 1, explain)
                    known[key] = next(filter(rerank.allows, linked), None)
                return known[key]

            hits = rerank.rerank(collapse(zip(found.fused, found.likenesses(), strict=True), limit, read, link.text_of))
        read_for_copies = sum(hit is not None for hit in known.values())
        if len(hits) == limit or len(found.fused) < depth or read_for_copies >= max(MOST, limit):
            return found, hits
        depth = 2 * depth + 1


def _errors(parts: Parts, found: MultiRun, link: LinkExit) -> tuple[LibraryProblem, ...]:
    """What failed, a library once, by the first thing that went wrong with it."""
    unread = (LibraryProblem(library_id, message) for library_id, message in link.errors.items())
    first: dict[str, LibraryProblem] = {}
    for problem in (*parts.errors, *found.errors, *unread):
        first.setdefault(problem.library_id, problem)
    return tuple(first.values())


def _explanation(found: MultiRun, ages: bool, fused: Fused, _score: float) -> Explanation:
    one = fused.candidate
    account = found.explain(one)
    aged = Recency(one.date, one.factor, one.score - one.score / one.factor) if ages else None
    return Explanation(one.library_rank, account.terms, fused.parts, account.share, aged)


def _highlighter(query: Query, by_id: Mapping[str, SearchableLibrary]) -> Highlight:
    highlighters = {name: Highlighter(query, one.analyzer) for name, one in by_id.items()}

    def highlight(library_id: str, text: str) -> tuple[Span, ...]:
        return highlighters[library_id].spans(text)

    return highlight


def _unknown(query: Query, found: MultiRun, by_id: Mapping[str, SearchableLibrary]) -> tuple[str, ...]:
    """Words of the query that no searched library holds."""
    missing: list[set[str]] = []
    order: tuple[str, ...] = ()
    for search in found.searches:
        known = {
            form for term in search.matches.terms if term.postings for form in (term.term, term.key.removesuffix("*"))
        }
        words = unknown_words(query.plain, by_id[search.retriever.library_id].analyzer, known)
        missing.append(set(words))
        order = order or words
    return tuple(word for word in order if all(word in words for words in missing))
