"""Words in order: what a phrase is made of, and where it stands in a text.

A text has a place wherever a term begins: words, the parts of identifiers, single characters of scripts written
without spaces; the index counts alike. A sequence stands where its terms have the same distances. What is between
them (spaces, punctuation) does not matter.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple
from unicodedata import category

from ragspine_tui.retrieval.lexical.analyzer import Analyzer
from ragspine_tui.retrieval.lexical.folding import normalize, normalize_with_offsets
from ragspine_tui.retrieval.lexical.tokens import (
    ACCENTLESS,
    BIGRAM,
    COMPOUND,
    PART,
    SHORT,
    SINGLE,
    TAIL,
    TRIGRAM,
    UNIGRAM,
    WHOLE,
    WORD,
    Token,
)
from ragspine_tui.types import Span

_NESTING: Final = frozenset({WORD, COMPOUND, WHOLE, PART})
_A_PLACE_EACH: Final = frozenset({TRIGRAM, SHORT, TAIL})


@dataclass(frozen=True, slots=True)
class Form:
    """A word in any of the forms it may be indexed in; with `prefix`, or any word that begins so.

    `few` is a beginning still being typed: it stands for the most frequent words alone, those that are scored for it.
    `single` is a character by itself of a script whose characters the index places in pairs.
    """

    terms: tuple[str, ...]
    prefix: str = ""
    single: bool = False
    few: bool = False

    def stands(self, forms: Iterable[str]) -> bool:
        """Whether it is one of these forms of one place."""
        return any(form in self.terms or (self.prefix and form.startswith(self.prefix)) for form in forms)


class Unit(NamedTuple):
    """A form that must stand `at` so many places after the first."""

    at: int
    form: Form


@dataclass(frozen=True, slots=True)
class Words:
    """What must stand together: `length` places, some of which say what is there.

    `whole` is the identifier that they are together, None where they are several words.
    """

    units: tuple[Unit, ...]
    length: int
    whole: Form | None = None


class Occurrence(NamedTuple):
    """Where a sequence stands in a text: its first and last place, counted from 0, and its characters."""

    first: int
    last: int
    span: Span


def words_of(analyzer: Analyzer, text: str, *, begins: bool = False, few: bool = False) -> Words:
    """What must stand in a document that has this text; with `begins`, its last word may be the beginning of one.

    `few`: of the most frequent ones.
    """
    text = normalize(text)
    placed = _placed(analyzer.tokens(text))
    leaves, nests = _split(placed)
    starts = [leaf.start for _, leaf in leaves]
    covered = [0, *accumulate(_letters(text, leaf) for _, leaf in leaves)]
    accentless: dict[tuple[int, int], list[str]] = {}
    units: list[Unit] = []
    whole: Form | None = None
    for place, token in nests:
        if token.kind == ACCENTLESS:
            accentless.setdefault((token.start, token.end), []).append(token.term)
            continue
        first, last = bisect_left(starts, token.start), bisect_left(starts, token.end)
        form = _form(token, (), begins and token.end == len(text), few)
        if (first, last) == (0, len(leaves)):
            whole = whole or form
        # What its parts do not say: `C++` is not `C`, `vLLM` is not `LLM`.
        if covered[last] - covered[first] < _letters(text, token) or not _is_closed(text, token):
            units.append(Unit(place, form))
    pairs = {token.start: token.term for _, token in placed if token.kind == BIGRAM}
    for place, leaf in leaves:
        if leaf.start in pairs:
            units.append(Unit(place, Form((pairs[leaf.start],))))
        elif leaf.kind in (UNIGRAM, SINGLE):
            if leaf.start - 1 not in pairs:
                units.append(Unit(place, Form((leaf.term,), single=True)))
        elif leaf.kind != TAIL:
            reaches = leaf.kind == SHORT or (begins and leaf.kind in _NESTING and leaf.end == len(text))
            units.append(Unit(place, _form(leaf, accentless.get((leaf.start, leaf.end), ()), reaches, few)))
    return Words(tuple(sorted(units, key=lambda unit: unit.at)), placed[-1][0] + 1 if placed else 0, whole)


class Places:
    """A text laid out by its places, once for any number of sequences."""

    def __init__(self, text: str, analyzer: Analyzer) -> None:
        self._normal = normalize_with_offsets(text)
        self._forms: list[list[str]] = []
        self._spans: list[tuple[int, int]] = []
        self._ends: list[tuple[int, list[str], int]] = []
        for place, token in _placed(analyzer.tokens(self._normal.text)):
            own = [token.term, token.exact] if token.exact else [token.term]
            if place == len(self._forms):
                self._forms.append([])
                self._spans.append((token.start, token.end))
            self._forms[place] += own
            # The last term of a place is its smallest; what nests others ends with the last of them.
            self._spans[place] = _characters(self._normal.text, token)
            self._ends.append((place, own, token.end))

    def occurrences(self, words: Words) -> Iterator[Occurrence]:
        """Every occurrence of a sequence, by its first place."""
        forms, spans, whole = self._forms, self._spans, words.whole
        wholes = {place: end for place, own, end in self._ends if whole.stands(own)} if whole else {}
        for first in range(len(forms)):
            last = first + words.length - 1
            if first in wholes:
                last = bisect_left(spans, (wholes[first], 0), lo=first) - 1
                end = wholes[first]
            elif (
                words.units
                and last < len(forms)
                and all(unit.form.stands(forms[first + unit.at]) for unit in words.units)
            ):
                end = max(end for _, end in spans[first : last + 1])
            else:
                continue
            yield Occurrence(first, max(first, last), Span(*self._normal.original(spans[first][0], end)))


def occurrences(words: Words, text: str, analyzer: Analyzer) -> Iterator[Occurrence]:
    """Every occurrence of a sequence in a text, by its first place."""
    return Places(text, analyzer).occurrences(words)


def _placed(tokens: Sequence[Token]) -> list[tuple[int, Token]]:
    """The terms with their places."""
    placed: list[tuple[int, Token]] = []
    place, start = -1, -1
    # The spans of Thai and its like are widened to hold whole vowels: this is the order of their first characters.
    for token in sorted(tokens, key=lambda token: (token.start, *_within_place(token))):
        if token.start != start or token.kind in _A_PLACE_EACH:
            place += 1
            start = token.start
        placed.append((place, token))
    return placed


def _characters(text: str, token: Token) -> tuple[int, int]:
    """What belongs to a term's place: all of a word; of scripts that have a place a character, that one's."""
    if token.kind not in _A_PLACE_EACH:
        return token.start, token.end
    end = text.find(token.term, token.start) + 1
    while end < token.end and category(text[end])[0] == "M":
        end += 1
    return token.start, end


def _within_place(token: Token) -> tuple[int, int]:
    return (token.end, -len(token.term)) if token.kind in _A_PLACE_EACH else (-token.end, 0)


def _split(placed: Sequence[tuple[int, Token]]) -> tuple[list[tuple[int, Token]], list[tuple[int, Token]]]:
    """The smallest terms, in order, and what nests them: whole identifiers, other forms."""
    leaves: list[tuple[int, Token]] = []
    nests: list[tuple[int, Token]] = []
    next_start = -1
    for place, token in reversed(placed):
        nesting = token.kind in _NESTING
        if token.kind == ACCENTLESS or (nesting and 0 <= next_start < token.end):
            nests.append((place, token))
        elif token.kind != BIGRAM:
            leaves.append((place, token))
        if nesting:
            next_start = token.start
    return leaves[::-1], nests[::-1]


def _form(token: Token, others: Sequence[str], begins: bool, few: bool) -> Form:
    return Form(tuple(dict.fromkeys((token.term, *others))), (token.exact or token.term) if begins else "", few=few)


def _letters(text: str, token: Token) -> int:
    return sum(map(str.isalnum, text[token.start : token.end]))


def _is_closed(text: str, token: Token) -> bool:
    """Whether the token neither begins nor ends with a sign of its own, as `.NET` and `C++` do."""
    return text[token.start].isalnum() and text[token.end - 1].isalnum()
