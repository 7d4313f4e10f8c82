"""What a search is made of: retrievers over the store's snapshots, the filter, the router, the exits' evidence."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ragspine_tui.config import MATCHES, ServiceConfig
from ragspine_tui.documents.sensitivity import PathRestriction
from ragspine_tui.errors import RagspineError, StorageError, UsageError
from ragspine_tui.locations import shortened
from ragspine_tui.restricting import Restrictions
from ragspine_tui.retrieval.dating.order import Dates, Order
from ragspine_tui.retrieval.facets import found_documents
from ragspine_tui.retrieval.filtering.automatic import (
    Vocabulary,
    choose_filter,
    make_filter_extractor,
    make_vocabulary,
)
from ragspine_tui.retrieval.filtering.metadata_filter import MetadataFilter
from ragspine_tui.retrieval.filtering.textual import format_condition
from ragspine_tui.retrieval.lexical.analyzer import Analyzer
from ragspine_tui.retrieval.lexical.statistics import Limits
from ragspine_tui.retrieval.link.exit import Passage
from ragspine_tui.retrieval.mode import effective_mode, make_retrieval_mode
from ragspine_tui.retrieval.pipeline import Parts, SearchableLibrary
from ragspine_tui.retrieval.querying.grammar import Scope
from ragspine_tui.retrieval.querying.listing import Listed
from ragspine_tui.retrieval.querying.query import Query
from ragspine_tui.retrieval.rerank.exit import RerankExit
from ragspine_tui.retrieval.routing.router import LibraryRouter, make_library_router
from ragspine_tui.specs import resolve_spec
from ragspine_tui.synonyms import load_synonyms
from ragspine_tui.types import (
    Condition,
    FieldValues,
    FilterReport,
    FilterStep,
    Library,
    LibraryProblem,
    SearchRequest,
)
from storage.dating import document_dates
from storage.documents import stored_time
from storage.fields import Narrowed
from storage.listing import list_documents
from storage.passages import PassageRow
from storage.postings import presence_term
from storage.store import Store
from storage.vocabulary import spellings

_VOCABULARY_VALUES: Final = 500
_FACET_VALUES: Final = 50


class Wiring:
    """Makes the parts of each search, keeping from one to the next what does not change (analyzers, routers, marks)."""

    def __init__(self, config: ServiceConfig, store: Store) -> None:
        self._config = config
        self._store = store
        self._analyzers: dict[str, Analyzer] = {}
        self._evidence: dict[str, tuple[Library, PathRestriction]] = {}
        self._restrictions: Restrictions | None = None
        self._vocabulary: tuple[object, Vocabulary] | None = None
        self._routers: dict[str, LibraryRouter | None] = {}

    def parts(
        self, request: SearchRequest, libraries: Sequence[Library], cancelled: Callable[[], bool], without: int = 0
    ) -> tuple[Parts, MetadataFilter]:
        """The parts of one search over `libraries`, and its filter; the document of the row `without` is left out.

        Raises UsageError on a spec that cannot be used.
        """
        self.forget_marks()
        mode, fusion, route, extract = self._specs(request)
        query = replace(self._query(request, libraries), without=without)
        if query.libraries:
            libraries = [library for library in libraries if library.library_id in query.libraries]
            route = "none"
        metadata_filter, source = self._filter(request, query, libraries, extract)
        narrowing = _Narrowing(self._store)
        searchable: list[SearchableLibrary] = []
        errors: list[LibraryProblem] = []
        for library in libraries:
            try:
                searchable.append(self._searchable(library, narrowing))
            except RagspineError as error:
                errors.append(LibraryProblem(library.library_id, str(error)))
        parts = Parts(
            query=query,
            libraries=searchable,
            router=self._router(route),
            fusion=fusion,
            mode=mode,
            passages=self._store,
            stale=self.is_stale,
            rerank=RerankExit(self.is_restricted),
            report=partial(narrowing.report, source),
            documents=narrowing.listed,
            dates=self._dates,
            order=self._order(request),
            spellings=self._spellings,
            cancelled=cancelled,
            errors=errors,
        )
        return parts, metadata_filter

    def facets(
        self,
        request: SearchRequest,
        libraries: Sequence[Library],
        bare: Container[str],
        cancelled: Callable[[], bool],
        without: int = 0,
    ) -> tuple[FieldValues, ...]:
        """The fields of all documents that a search over `libraries` finds, with values but for those in `bare`.

        Raises UsageError as `parts` does.
        """
        parts, metadata_filter = self.parts(request, libraries, cancelled, without)
        found: dict[str, NDArray[np.bool_]] = {}
        for library_id, flags in found_documents(metadata_filter, parts).items():
            with suppress(RagspineError):
                found[library_id] = flags & ~self._restricted_documents(library_id)
        try:
            return self._store.count_values(found, _FACET_VALUES, bare)
        except RagspineError:
            sound = {library_id: flags for library_id, flags in found.items() if self._has_values(library_id)}
            return self._store.count_values(sound, _FACET_VALUES, bare)

    def _restricted_documents(self, library_id: str) -> NDArray[np.bool_]:
        """The documents that are still in the index and may not be shown any more, asked of the marks themselves."""
        restriction = self._evidence_of(library_id)[1]
        snapshot = self._store.snapshot(library_id)

        def make() -> tuple[NDArray[np.bool_], int]:
            flags = np.zeros(len(snapshot.documents), dtype=np.bool_)
            if not restriction.is_empty:
                paths = self._store.document_paths(library_id)
                restricted = [row for row, path in paths.items() if restriction.covers(path)]
                flags |= np.isin(snapshot.documents, restricted)
            return flags, flags.nbytes

        return snapshot.memo.get(("restricted", *restriction.given), make)

    def _router(self, spec: str) -> LibraryRouter | None:
        """One router for all searches: it remembers what it has read of the descriptions."""
        if spec not in self._routers:
            self._routers[spec] = make_library_router(spec)
        return self._routers[spec]

    def is_restricted(self, library_id: str, document: str) -> bool:
        """Whether the library's flag, its patterns or the marks, as they are now, forbid showing a document."""
        return self._evidence_of(library_id)[1].covers(document)

    def is_stale(self, library_id: str, passage: Passage) -> bool:
        """Whether a passage's file is gone, or is not the one that was read."""
        if not isinstance(passage, PassageRow):
            return False
        root = Path(self._evidence_of(library_id)[0].root)
        try:
            found = file_at(root, passage.document).stat()
        except (OSError, ValueError):
            return True
        return (found.st_size, stored_time(found.st_mtime_ns)) != (passage.size, passage.mtime_ns)

    def forget_marks(self) -> None:
        """Read libraries and marks anew: another program may have changed them."""
        self._evidence = {}
        self._restrictions = None

    def _evidence_of(self, library_id: str) -> tuple[Library, PathRestriction]:
        if library_id not in self._evidence:
            library = self._store.library(library_id)
            self._restrictions = self._restrictions or Restrictions(self._store)
            self._evidence[library_id] = (library, self._restrictions.of(library))
        return self._evidence[library_id]

    def _specs(self, request: SearchRequest) -> tuple[str, str, str, str]:
        config = self._config
        try:
            mode = effective_mode(
                make_retrieval_mode(config.retrieval_mode if request.mode is None else request.mode),
                embedding_configured=False,
            )
            fusion = resolve_spec("fusion", config.fusion if request.fusion is None else request.fusion)
            route = resolve_spec("router", config.library_router if request.route is None else request.route)
            extract = resolve_spec(
                "filter_extractor", config.filter_extractor if request.extract is None else request.extract
            )
        except ValueError as error:
            raise UsageError(str(error)) from error
        if mode.uses_embedding:
            raise UsageError(f"{mode.name} mode needs an embedding, and none is configured", "use economy")
        return mode.name, fusion, route, extract

    def _order(self, request: SearchRequest) -> Order | None:
        """What orders hits beside their scores. Raises UsageError.

        The configuration's half-life counts for requests that say what day it is.
        """
        configured = self._config.recency_half_life if request.today else 0.0
        half_life = configured if request.recency is None else request.recency
        try:
            return Order.of(request.sort, half_life, request.today)
        except ValueError as error:
            raise UsageError(str(error)) from error

    def _dates(self, library_id: str) -> Dates:
        return Dates(*document_dates(self._store.snapshot(library_id)))

    def _query(self, request: SearchRequest, libraries: Sequence[Library]) -> Query:
        """The query, its fields and libraries being those of the search's scope."""
        ids = [library.library_id for library in libraries]
        match = self._config.match if request.match is None else request.match
        if match not in MATCHES:
            raise UsageError(f"match cannot be {shortened(match)}", f"valid: {', '.join(MATCHES)}")
        scope = Scope(
            is_field=lambda name: any(self._has_field(library_id, name) for library_id in ids),
            is_library=lambda name: name in ids,
        )
        return Query.parsed(request.query, scope, prefix=request.prefix, every=match == "all", literal=request.literal)

    def _spellings(self, library_id: str, first: str, lengths: tuple[int, int]) -> Sequence[str]:
        with suppress(RagspineError):
            return spellings(self._store.snapshot(library_id), first, lengths)
        return ()

    def _has_field(self, library_id: str, name: str) -> bool:
        # A damaged library has no field to name; the search tells what is wrong with it.
        with suppress(RagspineError):
            return "value" in self._store.snapshot(library_id).postings(presence_term(name))
        return False

    def _filter(
        self, request: SearchRequest, query: Query, libraries: Sequence[Library], extract: str
    ) -> tuple[MetadataFilter, str]:
        explicit = _joined(request, query.conditions)
        extractor = None
        if explicit is None and extract != "none":
            ids = [library.library_id for library in libraries]
            vocabulary = self._vocabulary_of(ids)
            extractor = make_filter_extractor(extract, vocabulary)
        chosen, source = choose_filter(explicit, extractor, query.plain)
        return chosen or MetadataFilter(), source

    def _vocabulary_of(self, library_ids: Sequence[str]) -> Vocabulary:
        """The fields' values and the person's synonyms, gathered anew only where an index or the file changed."""
        synonyms = load_synonyms(self._config.home)
        generations: dict[str, int] = {}
        for library_id in library_ids:
            # A damaged library has no words to give; the search tells what is wrong with it.
            with suppress(RagspineError):
                generations[library_id] = self._store.snapshot(library_id).generation
        state = (tuple(generations.items()), tuple(synonyms.items()))
        if self._vocabulary is None or self._vocabulary[0] != state:
            self._vocabulary = (state, make_vocabulary(self.values_of(list(generations), _VOCABULARY_VALUES), synonyms))
        return self._vocabulary[1]

    def values_of(self, library_ids: Sequence[str], limit: int, bare: Container[str] = ()) -> Sequence[FieldValues]:
        """The fields of the libraries that can be read, with their `limit` most frequent values, `bare` ones bare."""
        try:
            return self._store.field_values(library_ids, limit, bare)
        except RagspineError:
            sound = [library_id for library_id in library_ids if self._has_values(library_id)]
            return self._store.field_values(sound, limit, bare)

    def _has_values(self, library_id: str) -> bool:
        try:
            self._store.field_values([library_id], 1)
        except RagspineError:
            return False
        return True

    def analyzer_of(self, library_id: str) -> Analyzer:
        """What read a library's texts. Raises StorageError where its language is not known here."""
        language = self._store.index_state(library_id)[0] or "none"
        if language not in self._analyzers:
            try:
                self._analyzers[language] = Analyzer(language)
            except ValueError as error:
                raise StorageError(
                    f"its index is in {shortened(language)}, a language that is not known here",
                    "run `ragspine-tui index --rebuild` on that library",
                ) from error
        return self._analyzers[language]

    def _searchable(self, library: Library, narrowing: _Narrowing) -> SearchableLibrary:
        library_id = library.library_id
        analyzer = self.analyzer_of(library_id)
        index = self._store.snapshot(library_id)
        narrow = partial(narrowing.documents, library_id)
        return SearchableLibrary(library, analyzer, index, narrow)


def _joined(request: SearchRequest, conditions: tuple[Condition, ...]) -> MetadataFilter | None:
    """The request's filter and the query's conditions, which must hold beside it; None where there are neither."""
    if request.combine == "or" and len(request.conditions) > 1:
        return MetadataFilter(request.conditions, "or", conditions)
    if conditions:
        return MetadataFilter((*request.conditions, *conditions))
    return MetadataFilter(request.conditions, request.combine) if request.conditions else None


def file_at(root: Path, document: str) -> Path:
    """Where a document of the library at `root` is; the library of a single file is that file."""
    try:
        return root if root.is_file() else root / document
    except OSError:
        return root / document


@dataclass(frozen=True, slots=True)
class AllBut:
    """Every name but one."""

    name: str

    def __contains__(self, name: object) -> bool:
        return name != self.name


class _Narrowing:
    """Evaluates each filter of a search once a library, for scoring and for the report alike."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[tuple[str, MetadataFilter], Narrowed] = {}

    def documents(self, library_id: str, metadata_filter: MetadataFilter) -> NDArray[np.bool_]:
        """A flag for each document of the library's index: whether the filter matches it."""
        return self._narrowed(library_id, metadata_filter).documents

    def report(self, source: str, metadata_filter: MetadataFilter, library_ids: Sequence[str]) -> FilterReport:
        """What each condition left, over the searched libraries together, as far as they can be read."""
        if not metadata_filter.conditions:
            return FilterReport()
        found = []
        for library_id in library_ids:
            # One that cannot be narrowed found nothing either, and is told among the errors.
            with suppress(RagspineError):
                found.append(self._narrowed(library_id, metadata_filter))
        steps = [FilterStep(None, sum(one.total for one in found))]
        for number, condition in enumerate((*metadata_filter.conditions, *metadata_filter.besides)):
            left = sum(one.steps[number][0] for one in found)
            missing = sum(one.steps[number][1] for one in found)
            steps.append(FilterStep(format_condition(condition), left, missing))
        return FilterReport(str(metadata_filter), source, tuple(steps))

    def listed(
        self, library_id: str, metadata_filter: MetadataFilter, limits: Limits, limit: int
    ) -> tuple[Sequence[Listed], int]:
        """The first `limit` documents that filter and limits let through, newest first, and how many there are."""
        documents = self.documents(library_id, metadata_filter)
        if limits.documents is not None:
            documents = documents & limits.documents
        rows = list_documents(self._store.snapshot(library_id), documents, limit)
        return [Listed(*row) for row in rows], int(np.count_nonzero(documents))

    def _narrowed(self, library_id: str, metadata_filter: MetadataFilter) -> Narrowed:
        key = (library_id, metadata_filter)
        if key not in self._known:
            self._known[key] = self._store.narrow(
                library_id, metadata_filter.conditions, metadata_filter.combine, metadata_filter.besides
            )
        return self._known[key]
