"""Text to terms with their places: one function for indexing, queries, highlights and routing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import add
from typing import Final, NamedTuple

from ragspine_tui.retrieval.lexical.folding import fold, normalize, normalize_with_offsets
from ragspine_tui.retrieval.lexical.language import detect_language, stop_words
from ragspine_tui.retrieval.lexical.scripts import SPACELESS_RUN
from ragspine_tui.retrieval.lexical.words import ACCENTLESS, PART, SYMBOL, WHOLE, WORD, Words
from ragspine_tui.types import Span

__all__ = ["Analyzer", "QueryTerm", "TermCounts", "Token", "detect_language"]

ANALYZER_VERSION: Final = 1
"""Rises whenever the terms of a text change: an index made by another version must be rebuilt."""

_CACHE_RUNS: Final = 1 << 16
_LONGEST_CACHED: Final = 48
_RUN: Final = re.compile(r"\S+")

UNIGRAM: Final = "unigram"
BIGRAM: Final = "bigram"
TRIGRAM: Final = "trigram"
TAIL: Final = "tail"

_WEIGHTS: Final = {
    WORD: 1.0,
    WHOLE: 1.0,
    PART: 1.0,
    ACCENTLESS: 0.3,
    SYMBOL: 1.0,
    UNIGRAM: 0.2,
    BIGRAM: 1.0,
    TRIGRAM: 1.0,
}


class Token(NamedTuple):
    """A term and the original characters it stands for; `exact` is the unstemmed form, '' where it is the term."""

    term: str
    exact: str
    start: int
    end: int
    kind: str = WORD


class TermCounts(NamedTuple):
    """How often each term occurs: `body` (stems, identifiers, n-grams), `exact` (unstemmed forms); `length` of body."""

    body: dict[str, int]
    exact: dict[str, int]
    length: int


class QueryTerm(NamedTuple):
    """A term to score, its weight, its unstemmed form ('' if the same); `prefix` asks for all terms that begin so."""

    term: str
    exact: str
    weight: float
    prefix: str = ""


class Analyzer:
    """Terms of a text under a Latin-script stemmer (`language`, a code of stemming.LANGUAGES; ValueError if unknown).

    Equal by language. Keeps caches and Snowball stemmers: one per thread.
    """

    __slots__ = ("_bodies", "_exacts", "_language", "_words")

    def __init__(self, language: str = "none") -> None:
        self._language = language
        self._words = Words(language)
        self._bodies = _RunCache(self._words, exact=False)
        self._exacts = _RunCache(self._words, exact=True)

    @property
    def language(self) -> str:
        """The code of the Latin-script stemmer, or `none`."""
        return self._language

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Analyzer) and other._language == self._language

    def __hash__(self) -> int:
        return hash((Analyzer, self._language))

    def __repr__(self) -> str:
        return f"Analyzer({self._language!r})"

    def tokens(self, text: str) -> list[Token]:
        """Every term with its span in `text`, by start; whole identifiers stand before their parts."""
        normal = normalize_with_offsets(text)
        found = list(self._tokens(normal.text))
        found.sort(key=lambda token: (token.start, -token.end))
        return [Token(term, exact, *normal.original(start, end), kind) for term, exact, start, end, kind in found]

    def _tokens(self, normal: str) -> Iterator[Token]:
        spaced = normal
        if not normal.isascii():
            for run in SPACELESS_RUN.finditer(normal):
                yield from _grams(run)
            spaced = SPACELESS_RUN.sub(lambda run: " " * len(run.group()), normal)
        for match in _RUN.finditer(spaced):
            at = match.start()
            for term, exact, start, end, kind in self._words.tokens(match.group()):
                yield Token(term, exact, at + start, at + end, kind)

    def count(self, text: str) -> TermCounts:
        """The terms of `tokens(text)` with how often they occur, fast."""
        normal = normalize(text)
        grams: Iterable[str] = ()
        if not normal.isascii():
            grams = _all_grams(normal)
            normal = SPACELESS_RUN.sub(" ", normal)
        runs = normal.split()
        body = Counter(chain(grams, chain.from_iterable(map(self._bodies.__getitem__, runs))))
        exact = Counter(chain.from_iterable(map(self._exacts.__getitem__, runs)))
        return TermCounts(body, exact, sum(body.values()))

    def query(self, text: str, prefix: bool = False) -> list[QueryTerm]:
        """The weighted terms of a query, in its order, repeats kept; function words only where there is nothing else.

        With `prefix`, a last word that the text does not go beyond asks for every term that begins with it.
        """
        tokens = [token for token in self.tokens(text) if token.kind != TAIL]
        last = _last_word(text, tokens) if prefix else None
        kept = [token for token in tokens if token is last or not self._is_stop_word(token)] or tokens
        return [_query_term(token, text if token is last else "") for token in kept]

    def _is_stop_word(self, token: Token) -> bool:
        return token.kind in (WORD, WHOLE, PART) and (token.exact or token.term) in stop_words(self._language)

    def highlights(self, text: str, terms: Sequence[QueryTerm]) -> tuple[Span, ...]:
        """The spans of `text` that share a term with the query, in order, merged where they touch."""
        wanted = {form for query in terms for form in (query.term, query.exact) if form}
        prefixes = tuple(query.prefix for query in terms if query.prefix)
        grams = "".join(query.term for query in terms if len(query.term) == 2)
        spans = [
            (token.start, token.end)
            for token in self.tokens(text)
            if (token.term in wanted or token.exact in wanted or (token.exact or token.term).startswith(prefixes))
            and not (token.kind == UNIGRAM and token.term in grams)
        ]
        return tuple(_merged(sorted(spans)))


class _RunCache(dict[str, tuple[str, ...]]):
    """A run of text to its terms, computed when missing; emptied when full."""

    def __init__(self, words: Words, *, exact: bool) -> None:
        super().__init__()
        self._words = words
        self._exact = exact

    def __missing__(self, run: str) -> tuple[str, ...]:
        tokens = self._words.tokens(run)
        if self._exact:
            terms = tuple(token.exact for token in tokens if token.exact)
        else:
            terms = tuple(token.term for token in tokens)
        if len(run) <= _LONGEST_CACHED:
            if len(self) >= _CACHE_RUNS:
                self.clear()
            self[run] = terms
        return terms


def _grams(run: re.Match[str]) -> Iterator[Token]:
    """Unigrams and bigrams of Han, kana and Hangul; at every character of other unspaced scripts a trigram.

    The last two characters of such a run start shorter terms, so that a prefix finds one or two characters anywhere.
    """
    text, at = run.group(), run.start()
    if run.lastgroup == "unspaced":
        for i in range(len(text)):
            gram = text[i : i + 3]
            yield Token(gram, "", at + i, at + i + len(gram), TRIGRAM if len(gram) == 3 else TAIL)
        return
    for i, char in enumerate(text):
        yield Token(char, "", at + i, at + i + 1, UNIGRAM)
        if i + 1 < len(text):
            yield Token(text[i : i + 2], "", at + i, at + i + 2, BIGRAM)


def _all_grams(normal: str) -> Iterator[str]:
    for han, hangul, unspaced in SPACELESS_RUN.findall(normal):
        run = han or hangul
        if run:
            yield from run
            yield from map(add, run, run[1:])
        else:
            yield from (unspaced[i : i + 3] for i in range(len(unspaced)))


def _last_word(text: str, tokens: list[Token]) -> Token | None:
    """The word that reaches the end of the text: not an n-gram, and a part rather than the whole identifier."""
    reaching = [token for token in tokens if token.end == len(text) and token.kind in (WORD, WHOLE, PART)]
    return reaching[-1] if reaching else None


def _query_term(token: Token, prefix_of: str) -> QueryTerm:
    prefix = fold(prefix_of[token.start : token.end]) if prefix_of else ""
    return QueryTerm(token.term, token.exact, _WEIGHTS.get(token.kind, 1.0), prefix)


def _merged(spans: Iterable[tuple[int, int]]) -> Iterator[Span]:
    start = end = -1
    for next_start, next_end in spans:
        if next_start > end:
            if end >= 0:
                yield Span(start, end)
            start, end = next_start, next_end
        else:
            end = max(end, next_end)
    if end >= 0:
        yield Span(start, end)
