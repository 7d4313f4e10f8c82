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


@dataclass(frozen=True, slots=True)
class _Description:
    """A library's forms in each language it is compared in, and the words that choose nothing there."""

    forms: Mapping[str, frozenset[str]]
    stops: frozenset[str]


class _Asked:
    """The query's tokens in one language, to be found by their forms."""

    def __init__(self, tokens: Iterable[Token]) -> None:
        self._tokens = list(tokens)
        self._by_form = _by_form(self._tokens)

    def among(self, forms: frozenset[str]) -> list[Token]:
        """The tokens that have one of the forms, in query order."""
        places = {place for form in self._by_form.keys() & forms for place in self._by_form[form]}
        return [self._tokens[place] for place in sorted(places)]


class KeywordLibraryRouter:
    """Chooses the libraries whose title or description shares terms with the query, most shared terms first.

    Stop words and single characters of scripts without spaces choose nothing; ties stand in library order. Where no
    library shares a term, all are chosen: routing never starves recall. One per thread, like the analyzers it keeps.
    """

    def __init__(self) -> None:
        self._analyzers: dict[str, Analyzer] = {}
        self._described: dict[tuple[str, str], _Description] = {}

    def route(self, query: str, libraries: Sequence[Described]) -> list[str]:
        """The ids of the libraries that share a term with the query, best first, or of all."""
        return [routed.library_id for routed in self.explain(query, libraries).libraries]

    def explain(self, query: str, libraries: Sequence[Described]) -> Route:
        """The route with, per library, the query's own words that chose it."""
        # Read once a language, not once a library: a query may be long, and libraries many.
        asked: dict[str, _Asked] = {}
        matches = [self._match(query, library, asked) for library in libraries]
        chosen = sorted((match for match in matches if match.overlap), key=lambda match: -match.overlap)
        if not chosen:
            return _everything("keyword", libraries, fallback=True)
        return Route("keyword", tuple(RoutedLibrary(match.library_id, match.words) for match in chosen))

    def _match(self, query: str, library: Described, asked: dict[str, _Asked]) -> _Match:
        described = self._description(library)
        shared: dict[tuple[int, int], str] = {}
        for language, forms in described.forms.items():
            if language not in asked:
                asked[language] = _Asked(self._analyzer(language).tokens(query))
            for token in asked[language].among(forms):
                if _routes(token, described.stops):
                    shared[token.start, token.end] = token.exact or token.term
        return _Match(library.library_id, len(set(shared.values())), _words(query, shared))

    def _description(self, library: Described) -> _Description:
        text = f"{library.title}\n{library.description}"
        key = (library.language, text)
        if key not in self._described:
            if len(self._described) >= _REMEMBERED:
                self._described.clear()
            languages = _languages(library, text)
            self._described[key] = _Description(
                {language: frozenset(_by_form(self._analyzer(language).tokens(text))) for language in languages},
                frozenset[str]().union(*map(stop_words, languages)),
            )
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


def _by_form(tokens: Iterable[Token]) -> dict[str, list[int]]:
    """Where in a text's tokens each form stands."""
    places: dict[str, list[int]] = {}
    for place, token in enumerate(tokens):
        for form in _forms_of(token):
            places.setdefault(form, []).append(place)
    return places


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
