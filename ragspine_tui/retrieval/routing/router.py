"""Routing: which libraries a query is about, by the words of their titles and descriptions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from ragspine_tui.retrieval.lexical.analyzer import TAIL, Analyzer, Token, detect_language
from ragspine_tui.retrieval.lexical.language import stop_words
from ragspine_tui.retrieval.lexical.scripts import SPACELESS_RUN
from ragspine_tui.retrieval.lexical.stemming import SNOWBALL
from ragspine_tui.specs import choose_spec
from ragspine_tui.types import Route, RoutedLibrary, Span

_USUAL_LANGUAGE: Final = "en"
_REMEMBERED: Final = 1000


class Described(Protocol):
    """What routing knows of a library."""

    @property
    def library_id(self) -> str:
        """Its id."""

    @property
    def title(self) -> str:
        """Its title, which counts with the description."""

    @property
    def description(self) -> str:
        """What its owner says is in it."""

    @property
    def language(self) -> str:
        """The language its files are indexed in, `auto` or `none`."""


class LibraryRouter(Protocol):
    """Chooses libraries for a query; the same query and libraries give the same choice."""

    def route(self, query: str, libraries: Sequence[Described]) -> list[str]:
        """The ids of the chosen libraries, best first; an empty choice means all."""
        ...


@dataclass(frozen=True, slots=True)
class _Match:
    library_id: str
    overlap: int
    words: tuple[str, ...]


class KeywordLibraryRouter:
    """Chooses the libraries whose title or description shares terms with the query, most shared terms first.

    Stop words and single characters of scripts without spaces choose nothing; ties stand in library order. Where no
    library shares a term, all are chosen: routing never starves recall. One per thread, like the analyzers it keeps.
    """

    def __init__(self) -> None:
        self._analyzers: dict[str, Analyzer] = {}
        self._described: dict[tuple[str, str], frozenset[str]] = {}

    def route(self, query: str, libraries: Sequence[Described]) -> list[str]:
        """The ids of the libraries that share a term with the query, best first, or of all."""
        return [routed.library_id for routed in self.explain(query, libraries).libraries]

    def explain(self, query: str, libraries: Sequence[Described]) -> Route:
        """The route with, per library, the query's own words that chose it."""
        matches = [self._match(query, library) for library in libraries]
        chosen = sorted((match for match in matches if match.overlap), key=lambda match: -match.overlap)
        if not chosen:
            return _everything("keyword", libraries, fallback=True)
        return Route("keyword", tuple(RoutedLibrary(match.library_id, match.words) for match in chosen))

    def _match(self, query: str, library: Described) -> _Match:
        description = f"{library.title}\n{library.description}"
        languages = _languages(library, description)
        stops = frozenset[str]().union(*map(stop_words, languages))
        shared: dict[tuple[int, int], str] = {}
        for language in languages:
            described = self._forms(language, description)
            for token in self._analyzer(language).tokens(query):
                if _routes(token, stops) and not described.isdisjoint(_forms_of(token)):
                    shared[token.start, token.end] = token.exact or token.term
        return _Match(library.library_id, len(set(shared.values())), _words(query, shared))

    def _forms(self, language: str, description: str) -> frozenset[str]:
        key = (language, description)
        if key not in self._described:
            if len(self._described) >= _REMEMBERED:
                self._described.clear()
            tokens = self._analyzer(language).tokens(description)
            self._described[key] = frozenset(form for token in tokens for form in _forms_of(token))
        return self._described[key]

    def _analyzer(self, language: str) -> Analyzer:
        if language not in self._analyzers:
            self._analyzers[language] = Analyzer(language)
        return self._analyzers[language]


ROUTER_IMPLS: Final[Mapping[str, Callable[[], LibraryRouter]]] = {"keyword": KeywordLibraryRouter}


def make_library_router(spec: str | None = None) -> LibraryRouter | None:
    """The router a spec names, None for `none` (every library); None reads RAGSPINE_LIBRARY_ROUTER.

    ValueError lists the valid specs.
    """
    name = choose_spec("router", spec)
    return None if name == "none" else ROUTER_IMPLS[name]()


def explain_route(router: LibraryRouter | None, query: str, libraries: Sequence[Described]) -> Route:
    """Where any router sends a query: unknown ids are left out, an id counts once, an empty choice is all libraries."""
    if router is None:
        return _everything("none", libraries, fallback=False)
    if isinstance(router, KeywordLibraryRouter):
        return router.explain(query, libraries)
    known = {library.library_id for library in libraries}
    chosen = [library_id for library_id in dict.fromkeys(router.route(query, libraries)) if library_id in known]
    if not chosen:
        return _everything(type(router).__name__, libraries, fallback=True)
    return Route(type(router).__name__, tuple(RoutedLibrary(library_id) for library_id in chosen))


def _everything(spec: str, libraries: Sequence[Described], *, fallback: bool) -> Route:
    return Route(spec, tuple(RoutedLibrary(library.library_id) for library in libraries), fallback)


def _languages(library: Described, description: str) -> tuple[str, ...]:
    """The languages to compare in: English beside the library's own, for a title is too short to be sure of one."""
    # A description is prose, even where the library's files are indexed without stemming.
    own = library.language if library.language in SNOWBALL else detect_language([description])
    return (own, _USUAL_LANGUAGE) if own not in ("none", _USUAL_LANGUAGE) else (_USUAL_LANGUAGE,)


def _forms_of(token: Token) -> tuple[str, ...]:
    return (token.term, token.exact) if token.exact else (token.term,)


def _routes(token: Token, stops: frozenset[str]) -> bool:
    single = len(token.term) == 1 and SPACELESS_RUN.match(token.term) is not None
    return not single and token.kind != TAIL and (token.exact or token.term) not in stops


def _words(query: str, places: Iterable[tuple[int, int]]) -> tuple[str, ...]:
    """The stretches of the query at these places, each once, in query order: overlapping bigrams are one word."""
    spans: list[Span] = []
    for start, end in sorted(places):
        if spans and start < spans[-1].end:
            spans[-1] = Span(spans[-1].start, max(spans[-1].end, end))
        else:
            spans.append(Span(start, end))
    return tuple(dict.fromkeys(span.of(query) for span in spans))
