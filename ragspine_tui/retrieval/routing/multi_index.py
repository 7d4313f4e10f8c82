"""Searching several libraries as one: each is scored by its own index, then a fusion merges what they found."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Final, Protocol

from ragspine_tui.errors import RagspineError
from ragspine_tui.retrieval.filtering.metadata_filter import MetadataFilter
from ragspine_tui.retrieval.lexical.retriever import Candidate, LexicalRetriever, Ranking, Retriever
from ragspine_tui.retrieval.lexical.rrf import rrf_fuse
from ragspine_tui.retrieval.lexical.scorer import Account
from ragspine_tui.retrieval.lexical.statistics import Matches, Statistics
from ragspine_tui.retrieval.routing.router import LibraryRouter, explain_route
from ragspine_tui.specs import choose_spec
from ragspine_tui.types import LibraryProblem


@dataclass(frozen=True, slots=True)
class LibraryIndex:
    """A library that can be searched: ids are unique and non-empty; title and description are for routing."""

    library_id: str
    description: str
    retriever: Retriever
    title: str = ""
    language: str = "auto"


@dataclass(frozen=True, slots=True)
class Fused:
    """A candidate with its score after fusion, and what the fusion made it of."""

    candidate: Candidate
    score: float
    parts: Mapping[str, float]

    @property
    def library_id(self) -> str:
        """The library of origin."""
        return self.candidate.library_id

    @property
    def date(self) -> str:
        """The date it is ranked by before its score, '' where none is."""
        return self.candidate.date

    @property
    def document_id(self) -> int:
        """The document's row id."""
        return self.candidate.document_id

    @property
    def index(self) -> int:
        """The chunk's number in its document, from 1."""
        return self.candidate.index


@dataclass(frozen=True, slots=True)
class MultiRun:
    """What several libraries found together: hits best first, matched passages, and the libraries that failed."""

    fused: tuple[Fused, ...]
    total: int
    errors: tuple[LibraryProblem, ...]
    searches: tuple["LibrarySearch", ...]

    def explain(self, candidate: Candidate) -> Account:
        """What each term gave a candidate, under the statistics it was scored with; no term where they gave nothing."""
        for search in self.searches:
            if search.retriever.library_id == candidate.library_id:
                return search.retriever.explain(search.matches, candidate, search.statistics)
        return Account((), 1.0)

    def likenesses(self) -> list[Hashable]:
        """One for each of the hits: passages of a library with the same words have the same, and few others do."""
        found: dict[tuple[str, int, int], Hashable] = {}
        for search in self.searches:
            own = [one.candidate for one in self.fused if one.library_id == search.retriever.library_id]
            found.update(zip([one.key for one in own], search.retriever.likenesses(search.matches, own), strict=True))
        return [found.get(one.candidate.key) for one in self.fused]


@dataclass(frozen=True, slots=True)
class LibrarySearch:
    """One library's part in a search: its matches, and the statistics they are scored with."""

    retriever: LexicalRetriever
    matches: Matches
    statistics: Statistics

    def rank(self, metadata_filter: MetadataFilter | None, top_k: int) -> Ranking:
        """The library's best candidates."""
        return self.retriever.rank(self.matches, self.statistics, metadata_filter=metadata_filter, top_k=top_k)


@dataclass(frozen=True, slots=True)
class PlainSearch:
    """The part of a library whose retriever can only retrieve: its scores are its own, and compare with no other's."""

    library_id: str
    retriever: Retriever
    query: str

    def rank(self, metadata_filter: MetadataFilter | None, top_k: int) -> Ranking:
        """The library's best candidates, named after it; what was not retrieved is not counted."""
        found = self.retriever.retrieve(self.query, metadata_filter=metadata_filter, top_k=top_k)
        return Ranking(len(found), tuple(replace(one, library_id=self.library_id) for one in found))


class Fusion(Protocol):
    """Merges the candidates of several libraries; it invents none and drops none but by `top_k`."""

    pooled: bool
    """Whether libraries are scored with their statistics added up, rather than each with its own."""

    def fuse(self, rankings: Sequence[Ranking], top_k: int) -> list[Fused]:
        """The best `top_k`, best first."""


class ScoreFusion:
    """Merges by score: with statistics added up, scores of several libraries compare like those of one."""

    pooled = True

    def fuse(self, rankings: Sequence[Ranking], top_k: int) -> list[Fused]:
        """The best `top_k` by score; equal scores by the candidates' own key."""
        merged = sorted(
            (candidate for ranking in rankings for candidate in ranking.candidates),
            key=lambda candidate: (-candidate.score, candidate.tie, candidate.library_id),
        )
        return [Fused(candidate, candidate.score, {"score": candidate.score}) for candidate in merged[:top_k]]


class RrfFusion:
    """Reciprocal rank fusion, k = 60: rank alone counts, so a weak library's first hit beats a strong one's second."""

    pooled = False

    def fuse(self, rankings: Sequence[Ranking], top_k: int) -> list[Fused]:
        """The best `top_k` by the sum of 1 / (60 + rank)."""
        by_key = {
            (candidate.library_id, candidate.tie, candidate.document_id, candidate.index): candidate
            for ranking in rankings
            for candidate in ranking.candidates
        }
        keys = [
            [(one.library_id, one.tie, one.document_id, one.index) for one in ranking.candidates]
            for ranking in rankings
        ]
        return [
            Fused(by_key[key], score, {"rrf": score, "score": by_key[key].score})
            for key, score in rrf_fuse(keys, top_k=top_k)
        ]


class NewestFirst:
    """Merges by date, newest first; one day's hits by score. Scores are pooled where `fusion` pools them."""

    def __init__(self, fusion: Fusion) -> None:
        self.pooled = fusion.pooled

    def fuse(self, rankings: Sequence[Ranking], top_k: int) -> list[Fused]:
        """The first `top_k` by date; those of one date as `ScoreFusion` has them."""
        merged = ScoreFusion().fuse(rankings, sum(len(ranking.candidates) for ranking in rankings))
        return sorted(merged, key=lambda fused: fused.date, reverse=True)[:top_k]


FUSION_IMPLS: Final[Mapping[str, Callable[[], Fusion]]] = {"score": ScoreFusion, "rrf": RrfFusion}


def make_fusion(spec: str | None = None) -> Fusion:
    """The fusion a spec names; None reads RAGSPINE_FUSION. ValueError lists the valid specs."""
    return FUSION_IMPLS[choose_spec("fusion", spec)]()


class MultiIndexRetriever:
    """Several libraries behind the same interface as one. A library that fails is reported and never fails the rest.

    Raises ValueError on an empty or repeated library id.
    """

    def __init__(
        self,
        libraries: Sequence[LibraryIndex],
        router: LibraryRouter | None = None,
        *,
        fusion: str = "score",
        newest_first: bool = False,
    ) -> None:
        ids = [library.library_id for library in libraries]
        if not all(ids) or len(set(ids)) != len(ids):
            raise ValueError(f"library ids must be unique and not empty: {ids}")
        self._libraries = list(libraries)
        self._router = router
        chosen = make_fusion(fusion)
        self._fusion: Fusion = NewestFirst(chosen) if newest_first else chosen

    def retrieve(
        self, query: str, *, metadata_filter: MetadataFilter | None = None, top_k: int = 20
    ) -> Sequence[Candidate]:
        """The best candidates of the libraries the router chooses, best first, with their fused scores."""
        route = explain_route(self._router, query, self._libraries)
        chosen = [routed.library_id for routed in route.libraries]
        run = self.search(query, chosen, metadata_filter=metadata_filter, top_k=top_k)
        return [replace(fused.candidate, score=fused.score) for fused in run.fused]

    def search(
        self,
        query: str,
        library_ids: Sequence[str],
        *,
        metadata_filter: MetadataFilter | None = None,
        top_k: int = 20,
        prefix: bool = False,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> MultiRun:
        """Search the named libraries; once `cancelled`, no further one. Raises ValueError on a negative `top_k`."""
        if top_k < 0:
            raise ValueError(f"top_k must not be negative, not {top_k}")
        errors: list[LibraryProblem] = []
        searches = self._started(query, library_ids, prefix, cancelled, errors)
        rankings: list[Ranking] = []
        for library_id, search in searches.items():
            try:
                rankings.append(search.rank(metadata_filter, top_k))
            except RagspineError as error:
                errors.append(LibraryProblem(library_id, str(error)))
        fused = self._fusion.fuse(rankings, top_k)
        total = sum(ranking.total for ranking in rankings)
        scored = tuple(search for search in searches.values() if isinstance(search, LibrarySearch))
        return MultiRun(tuple(fused), total, tuple(errors), scored)

    def _started(
        self,
        query: str,
        library_ids: Sequence[str],
        prefix: bool,
        cancelled: Callable[[], bool],
        errors: list[LibraryProblem],
    ) -> dict[str, LibrarySearch | PlainSearch]:
        """Each library's part by its id, with the statistics that the fusion asks for."""
        by_id = {library.library_id: library for library in self._libraries}
        started: dict[str, LibrarySearch | PlainSearch] = {}
        for library_id in dict.fromkeys(library_ids):
            if cancelled():
                break
            retriever = by_id[library_id].retriever
            if not isinstance(retriever, LexicalRetriever):
                started[library_id] = PlainSearch(library_id, retriever, query)
                continue
            try:
                matches = retriever.match(query, prefix)
            except RagspineError as error:
                errors.append(LibraryProblem(library_id, str(error)))
            else:
                started[library_id] = LibrarySearch(retriever, matches, matches.statistics)
        scored = [search for search in started.values() if isinstance(search, LibrarySearch)]
        if not self._fusion.pooled or len(scored) < 2:
            return started
        pooled = reduce(add, (search.statistics for search in scored))
        return {
            library_id: replace(search, statistics=pooled) if isinstance(search, LibrarySearch) else search
            for library_id, search in started.items()
        }
