"""N-grams of the scripts written without spaces: Han, kana and Hangul in one and two characters, Thai ... in three."""

import re
from collections import Counter
from collections.abc import Iterator
from operator import add
from unicodedata import category

from ragspine_tui.retrieval.lexical.scripts import GRAM_RUN, SPACELESS_RUN, UNSPACED_RUN
from ragspine_tui.retrieval.lexical.tokens import (
    BIGRAM,
    RUN_END,
    SHORT,
    SINGLE,
    TAIL,
    TRIGRAM,
    UNIGRAM,
    RunTerms,
    Token,
)


def grams(text: str) -> Iterator[Token]:
    """Every gram of a normalized text; of Thai and its like a trigram at every character.

    The last two characters of such a run begin shorter grams, so that any one or two characters begin some gram.
    """
    for run in SPACELESS_RUN.finditer(text):
        yield from _trigrams(run) if run.lastgroup else _bigrams(run)


def _bigrams(run: re.Match[str]) -> Iterator[Token]:
    text, at = run.group(), run.start()
    for i, char in enumerate(text):
        yield Token(char, "", at + i, at + i + 1, UNIGRAM if len(text) > 1 else SINGLE)
        if i + 1 < len(text):
            yield Token(text[i : i + 2], "", at + i, at + i + 2, BIGRAM)


def _trigrams(run: re.Match[str]) -> Iterator[Token]:
    text, at = run.group(), run.start()
    for i in range(len(text)):
        gram = text[i : i + 3]
        kind = TRIGRAM if len(gram) == 3 else TAIL if i else SHORT
        start, end = _with_marks(text, i, i + len(gram))
        yield Token(gram, "", at + start, at + end, kind)


def _with_marks(text: str, start: int, end: int) -> tuple[int, int]:
    """Widened so that no character is cut from its vowel signs."""
    while start > 0 and category(text[start])[0] == "M":
        start -= 1
    while end < len(text) and category(text[end])[0] == "M":
        end += 1
    return start, end


def gram_counts(text: str) -> Counter[str]:
    """How often each term of `grams(text)` occurs, fast."""
    counts = Counter(run[i : i + 3] for run in UNSPACED_RUN.findall(text) for i in range(len(run)))
    runs = GRAM_RUN.findall(text)
    if runs:
        apart = "\n".join(runs)
        counts.update(apart)
        counts.update(map(add, apart, apart[1:]))
        counts.pop("\n", None)
        for run in runs:
            counts.pop(run[-1] + "\n", None)
            counts.pop("\n" + run[0], None)
    return counts


def gram_sequence(run: re.Match[str]) -> tuple[RunTerms, str]:
    """A run's grams with the place (the character) each begins at, and its characters, whose places follow from these.

    A bigram begins at every character but the last, whose place RUN_END tells; of Thai and its like, grams at each.
    """
    text = run.group()
    places = tuple(range(len(text)))
    if run.lastgroup:
        return RunTerms(tuple(text[i : i + 3] for i in places), (), places, len(text)), ""
    return RunTerms((*map(add, text, text[1:]), RUN_END + text[-1]), (), places, len(text)), text


def gram_spans(text: str, terms: frozenset[str], prefixes: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Where grams of a query stand; a character only where no two-character term of the query holds it."""
    pairs = "".join(term for term in terms if len(term) == 2)
    singles = frozenset(term for term in terms if len(term) == 1 and term not in pairs)
    for run in SPACELESS_RUN.finditer(text):
        at, chars = run.start(), run.group()
        if run.lastgroup:
            spans = _trigram_spans(chars, terms, prefixes)
            yield from ((at + start, at + end) for start, end in spans)
            continue
        for i in range(len(chars)):
            if chars[i] in singles:
                yield at + i, at + i + 1
            if chars[i : i + 2] in terms and i + 1 < len(chars):
                yield at + i, at + i + 2


def _trigram_spans(chars: str, terms: frozenset[str], prefixes: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    for i in range(len(chars)):
        if chars[i : i + 3] in terms:
            yield _with_marks(chars, i, min(i + 3, len(chars)))
        for prefix in prefixes:
            if chars.startswith(prefix, i):
                yield _with_marks(chars, i, i + len(prefix))
