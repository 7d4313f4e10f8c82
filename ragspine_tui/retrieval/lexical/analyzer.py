"""Text to terms with their places: one function for indexing, queries, highlights and routing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Final, NamedTuple

from ragspine_tui.retrieval.lexical.folding import normalize, normalize_with_offsets
from ragspine_tui.retrieval.lexical.grams import gram_counts, gram_sequence, gram_spans, grams
from ragspine_tui.retrieval.lexical.language import detect_language, function_words
from ragspine_tui.retrieval.lexical.scripts import SPACELESS_RUN
from ragspine_tui.retrieval.lexical.tokens import (
    ACCENTLESS,
    BIGRAM,
    COMPOUND,
    PART,
    SHORT,
    TAIL,
    TRIGRAM,
    UNIGRAM,
    WHOLE,
    WORD,
    RunTerms,
    Token,
)
from ragspine_tui.retrieval.lexical.words import BoundedCache, Words, addresses_in, whole_address
from ragspine_tui.types import Span

__all__ = ["TAIL", "Analyzer", "QueryTerm", "TermCounts", "Token", "detect_language"]

ANALYZER_VERSION: Final = 3
"""Rises whenever the terms of a text change: an index made by another version must be rebuilt."""

_RUN: Final = re.compile(r"\S+")
# Signs that stand in no term but addresses and change none beside them, so that they may as well be spaces: fewer
# different runs are left, which come again more often.
_APART: Final = str.maketrans(dict.fromkeys('<>"`|{}\\^[]()/!?*=~;$%', " "))
_TERMS_OF: Final = itemgetter(0)

# Measured on judged collections: a compound and its parts share their weight; hiragana is mostly grammar.
_WEIGHTS: Final = {COMPOUND: 0.5, PART: 0.5, ACCENTLESS: 0.3, UNIGRAM: 0.5}
_HIRAGANA_PAIR_WEIGHTS: Final = (1.0, 0.6, 0.5)
_AMONG_GRAMS: Final = 3.0
"""A Latin word stands beside grams that tell one word of theirs several times over. Measured in three languages."""

_GRAMS: Final = frozenset((BIGRAM, TRIGRAM))
_WORDS: Final = frozenset((WORD, COMPOUND, WHOLE, PART))


class TermCounts(NamedTuple):
    """How often each term occurs: `body` (stems, identifiers, n-grams), `exact` (unstemmed forms); `length` of body."""

    body: dict[str, int]
    exact: dict[str, int]
    length: int


class TermSequence(NamedTuple):
    """A text's runs of terms in order, the characters that are terms without a place, and how many terms there are.

    The terms are those of TermCounts, and beside them the marks of RUN_END, which `length` leaves out.
    """

    runs: list[RunTerms]
    characters: str
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

    __slots__ = ("_language", "_runs", "_tokens_of", "_words")

    def __init__(self, language: str = "none") -> None:
        self._language = language
        self._words = Words(language)
        self._runs = BoundedCache(self._words.terms)
        self._tokens_of = BoundedCache(self._words.tokens)

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
        return [
            Token(term, exact, *normal.original(start, end), kind)
            for term, exact, start, end, kind in self._tokens(normal.text)
        ]

    def _tokens(self, normal: str) -> list[Token]:
        found: list[Token] = []
        spaced = normal
        if not normal.isascii():
            found.extend(grams(normal))
            spaced = SPACELESS_RUN.sub(_blank, normal)
        for match in _RUN.finditer(spaced):
            at = match.start()
            for term, exact, start, end, kind in self._tokens_of[match.group()]:
                found.append(Token(term, exact, at + start, at + end, kind))
        found.sort(key=lambda token: (token.start, -token.end))
        return found

    def count(self, text: str) -> TermCounts:
        """The terms of `tokens(text)` with how often they occur, fast."""
        normal = normalize(text)
        body: dict[str, int] = {}
        exact: dict[str, int] = {}
        if not normal.isascii():
            body = gram_counts(normal)
            normal = SPACELESS_RUN.sub(" ", normal)
        for terms, exacts, _, _ in map(self._runs.__getitem__, normal.split()):
            for term in terms:
                body[term] = body.get(term, 0) + 1
            for form in exacts:
                exact[form] = exact.get(form, 0) + 1
        return TermCounts(body, exact, sum(body.values()))

    def sequence(self, text: str) -> TermSequence:
        """The terms of `tokens(text)` in their order with their places, fast."""
        normal = normalize(text)
        if normal.isascii():
            found = self._spaced(normal)
            return TermSequence(found, "", sum(map(len, map(_TERMS_OF, found))))
        found = []
        characters = ""
        end = ends = 0
        for run in SPACELESS_RUN.finditer(normal):
            found += map(self._runs.__getitem__, normal[end : run.start()].split())
            terms, single = gram_sequence(run)
            found.append(terms)
            characters += single
            ends += bool(single)
            end = run.end()
        found += map(self._runs.__getitem__, normal[end:].split())
        return TermSequence(found, characters, sum(map(len, map(_TERMS_OF, found))) + len(characters) - ends)

    def _spaced(self, text: str) -> list[RunTerms]:
        """The runs of an ASCII text."""
        terms_of = self._runs.__getitem__
        addresses = list(addresses_in(text)) if "://" in text else []
        if not addresses:
            return [*map(terms_of, text.translate(_APART).split())]
        if any(_joins_before(text, address.start()) for address in addresses):
            return [*map(terms_of, text.split())]
        starts = [address.start() for address in addresses]
        found = [*map(terms_of, text[: starts[0]].translate(_APART).split())]
        for address, end in zip(addresses, [*starts[1:], len(text)], strict=True):
            first, *others = text[address.start() : end].translate(_APART).split()
            terms, exacts, places, width = terms_of(first)
            found.append(RunTerms((whole_address(address), *terms), exacts, (0, *places), width))
            found += map(terms_of, others)
        return found

    def query(self, text: str, prefix: bool = False) -> list[QueryTerm]:
        """The weighted terms of a query, in its order, repeats kept; function words only where there is nothing else.

        With `prefix`, a last word that nothing follows asks for every term that begins with it; one or two characters
        of Thai, Lao, Burmese, Khmer always do.
        """
        normal = normalize(text)
        tokens = [token for token in self._tokens(normal) if token.kind != TAIL]
        kept = list(self._without_stop_words(tokens, normal, prefix)) or tokens
        terms = [_query_term(token, prefix and _reaches(token, normal)) for token in kept]
        if any(token.kind in _GRAMS for token in kept):
            terms = [
                term._replace(weight=_AMONG_GRAMS * term.weight) if _is_latin(token) else term
                for token, term in zip(kept, terms, strict=True)
            ]
        return [term for term in terms if term.weight]

    def _without_stop_words(self, tokens: Iterable[Token], text: str, prefix: bool) -> Iterator[Token]:
        """Capitals in a text that has other letters too (`the IT budget`) are no function word."""
        stops = function_words(self._language)
        capitals = not text.isupper()
        stopped = 0
        for token in tokens:
            if token.kind not in _WORDS or (prefix and _reaches(token, text)):
                yield token
            elif (token.exact or token.term) not in stops:
                if token.end > stopped:
                    yield token
            elif capitals and len(token.term) > 1 and text[token.start : token.end].isupper():
                yield token
            else:
                stopped = token.end

    def highlights(self, text: str, terms: Sequence[QueryTerm]) -> tuple[Span, ...]:
        """The spans of `text` that share a term with the query, in order, merged where they touch.

        A prefix marks the words that begin with it; a single Han, kana or Hangul character is marked only where the
        query has it by itself.
        """
        sought = frozenset(form for query in terms for form in (query.term, query.exact) if form and not _stray(query))
        prefixes = tuple(query.prefix for query in terms if query.prefix)
        normal = normalize_with_offsets(text)
        found = self._found(normal.text, sought, prefixes)
        return tuple(_merged(sorted(normal.original(start, end) for start, end in found)))

    def _found(self, normal: str, sought: frozenset[str], prefixes: tuple[str, ...]) -> Iterator[tuple[int, int]]:
        spaced = normal
        if not normal.isascii():
            yield from gram_spans(normal, sought, prefixes)
            spaced = SPACELESS_RUN.sub(_blank, normal)
        holding = {run for run in set(spaced.split()) if self._holds(run, sought, prefixes)}
        if not holding:
            return
        for match in _RUN.finditer(spaced):
            if match.group() in holding:
                for term, exact, start, end, _ in self._tokens_of[match.group()]:
                    if term in sought or exact in sought or _any_begins((exact or term,), prefixes):
                        yield match.start() + start, match.start() + end

    def _holds(self, run: str, sought: frozenset[str], prefixes: tuple[str, ...]) -> bool:
        terms, exacts, _, _ = self._runs[run]
        return not sought.isdisjoint(terms) or not sought.isdisjoint(exacts) or _any_begins(terms + exacts, prefixes)


def _joins_before(text: str, start: int) -> bool:
    """Whether what begins here may belong to a word that began before."""
    return start > 0 and not (text[start - 1].isspace() or ord(text[start - 1]) in _APART)


def _blank(run: re.Match[str]) -> str:
    return " " * len(run.group())


def _any_begins(forms: Sequence[str], prefixes: tuple[str, ...]) -> bool:
    return bool(prefixes) and any(form.startswith(prefixes) for form in forms)


def _reaches(token: Token, text: str) -> bool:
    """Whether the token is a word, or the last part of one, that the text ends with."""
    return token.end == len(text) and token.kind in _WORDS


def _is_latin(token: Token) -> bool:
    return token.kind in _WORDS and token.term.isascii()


def _query_term(token: Token, prefix: bool) -> QueryTerm:
    form = token.exact or token.term
    return QueryTerm(token.term, token.exact, _weight(token), form if prefix or token.kind == SHORT else "")


def _weight(token: Token) -> float:
    weight = _WEIGHTS.get(token.kind, 1.0)
    if token.kind == UNIGRAM and "\u3041" <= token.term <= "\u30ff":
        # A kana on its own says nothing of the word it stands in; the pairs do.
        return 0.0
    if token.kind == BIGRAM:
        weight *= _HIRAGANA_PAIR_WEIGHTS[sum("\u3041" <= char <= "\u309f" for char in token.term)]
    return weight


def _stray(query: QueryTerm) -> bool:
    """A part so short (the 4 of 2026.4.10) that marking it would speckle the page."""
    return query.weight < 1 and len(query.term) <= 2 and query.term.isascii()


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
