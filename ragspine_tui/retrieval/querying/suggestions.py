"""Words that a query may have meant where its own were found nowhere: from the libraries' own texts alone.

Only plain words are respelled, never numbers, identifiers or acronyms. A word is suggested once it was seen in a
passage that passed the exits, so that no stem and nothing restricted is ever shown. The work is bounded: terms that
begin with the word's first or second letter and are about as long, and few passages of the nearest ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ragspine_tui.retrieval.lexical.analyzer import Analyzer, Token
from ragspine_tui.retrieval.lexical.folding import fold, normalize
from ragspine_tui.retrieval.lexical.index import LexicalIndex
from ragspine_tui.retrieval.lexical.scorer import tie_keys
from ragspine_tui.retrieval.lexical.tokens import ACCENTLESS, WHOLE, WORD
from ragspine_tui.types import Hit, Suggestion

MOST_WORDS: Final = 3
"""So many words are suggested for one, and so many of a query's words are respelled."""

_SHORTEST: Final = 4
_TWO_EDITS_FROM: Final = 6
_NEAREST: Final = 50
_PASSAGES: Final = 10

Spellings = Callable[[str, tuple[int, int]], Sequence[str]]
"""(first character, (shortest, longest)) -> indexed terms."""

ReadPassages = Callable[[Sequence[tuple[int, int]]], Sequence[Hit]]
"""(document's row id, chunk's number from 1) pairs -> those that both exits let through."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """One library's words: where they are looked up and seen."""

    index: LexicalIndex
    analyzer: Analyzer
    spellings: Spellings
    read: ReadPassages


@dataclass(frozen=True, slots=True)
class _Candidate:
    distance: int
    documents: int
    term: str

    @property
    def order(self) -> tuple[int, int, str]:
        return (self.distance, -self.documents, self.term)


def suggest(text: str, unknown: Sequence[str], lexicons: Sequence[Lexicon]) -> tuple[Suggestion, ...]:
    """For the unknown words of a query's text that are plain words: what is spelled much like them, nearest first."""
    found: list[Suggestion] = []
    for word in unknown:
        if len(found) < MOST_WORDS and lexicons and _is_plain(word, text, lexicons[0].analyzer):
            words = _near(word, lexicons)
            found += [Suggestion(word, words)] if words else []
    return tuple(found)


def respelled(text: str, plain: str, suggestions: Iterable[Suggestion], analyzer: Analyzer) -> str:
    """The query's text with each word as it is first suggested; `plain` has the words in their places."""
    best = {suggestion.word: suggestion.words[0] for suggestion in suggestions}
    for token in reversed(analyzer.tokens(plain)):
        word = plain[token.start : token.end]
        if token.kind == WORD and word in best:
            text = text[: token.start] + best[word] + text[token.end :]
    return text


def _near(word: str, lexicons: Sequence[Lexicon]) -> tuple[str, ...]:
    # Loaded for the first unknown word: a search that finds all its words never pays for it.
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    folded = fold(normalize(word))
    edits = 1 if len(folded) < _TWO_EDITS_FROM else 2
    lengths = (len(folded) - edits, len(folded) + edits)
    near: dict[str, int] = {}
    for lexicon in lexicons:
        for first in dict.fromkeys(folded[:2]):
            terms = [term for term in lexicon.spellings(first, lengths) if term.isalpha()]
            for term, distance, _ in process.extract(
                folded, terms, scorer=OSA.distance, score_cutoff=edits, limit=_NEAREST, processor=None
            ):
                if distance:
                    near[term] = int(distance)
    nearest = sorted(near, key=lambda term: (near[term], term))[:_NEAREST]
    candidates = sorted(
        (_Candidate(near[term], sum(_documents(one, term) for one in lexicons), term) for term in nearest),
        key=lambda one: one.order,
    )
    shown: dict[str, None] = {}
    for candidate in candidates:
        if candidate.documents and len(shown) < MOST_WORDS:
            seen = next((word for one in lexicons if (word := _seen(candidate.term, one))), "")
            if seen:
                shown[seen] = None
    return tuple(shown)


def _documents(lexicon: Lexicon, term: str) -> int:
    lists = lexicon.index.postings(term)
    return max((len(ordinals) for name, (ordinals, _) in lists.items() if name in ("body", "exact")), default=0)


def _seen(term: str, lexicon: Lexicon) -> str:
    """The word as a passage has it, in small letters; '' where it stands in none that may be read."""
    index = lexicon.index
    lists = index.postings(term)
    for name in ("exact", "body"):
        if name in lists:
            chunks = lists[name][0]
            # The same passages whatever the order of indexing.
            few = chunks[np.argsort(tie_keys(index, chunks), kind="stable")[:_PASSAGES]]
            documents = index.document_of_chunk[few]
            numbers = few - index.first_chunk[documents] + 1
            for hit in lexicon.read(list(zip(index.documents[documents].tolist(), numbers.tolist(), strict=True))):
                for token in lexicon.analyzer.tokens(hit.text):
                    word = hit.text[token.start : token.end]
                    # Names as `PostgreSQL` are words to people, though they have parts.
                    if (token.exact or token.term) == term and token.kind in (WORD, WHOLE) and word.isalpha():
                        return word.lower()
    return ""


def _is_plain(word: str, text: str, analyzer: Analyzer) -> bool:
    """Whether this is one word of letters, long enough to be respelled, and no acronym among other words."""
    tokens: list[Token] = analyzer.tokens(word)
    plain = (
        word.isalpha()
        and len(fold(normalize(word))) >= _SHORTEST
        and {token.kind for token in tokens} - {ACCENTLESS} == {WORD}
    )
    return plain and (not word.isupper() or text.isupper())
