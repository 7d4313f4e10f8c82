"""Function words by language: left out of natural-language queries, and the evidence of a library's language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Final

import stopwords

from ragspine_tui.retrieval.lexical.folding import fold
from ragspine_tui.retrieval.lexical.scripts import SCRIPTS
from ragspine_tui.retrieval.lexical.stemming import SNOWBALL

_SAMPLE: Final = 400_000
_EVIDENCE: Final = 0.08
# Running text has a function word in three to five words, names and identifiers one in twenty. Beside another script
# that is mostly what is read, Latin words must be sentences, and more than a quotation, to have a language.
_MOSTLY: Final = 0.5
_HARDLY: Final = 0.05
_SENTENCES: Final = 0.15
_FEW: Final = 3
# Languages of the other scripts whose lists are worth it (the Greek one is of ancient Greek).
_OTHER_SCRIPTS: Final = ("ar", "hi", "hy", "ru")
_LIST_OF: Final = {"nb": "no", "nn": "no"}
_WORD: Final = re.compile(f"(?:(?!\\d)[{SCRIPTS['latin']}\u0300-\u036f'\u2019])+")

_FRONT_MATTER: Final = re.compile(r"\A\ufeff?(---|\+\+\+)[ \t]*\r?\n(?s:.{0,4000}?)\n(?:\1|\.\.\.)[ \t]*(?=\r?\n|\Z)")
_MARKUP: Final = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>|\b(?:https?|ftp|mailto):[^\s<>()\u3000-\u9fff]+|&[a-z]{2,8};")


@cache
def stop_words(language: str) -> frozenset[str]:
    """The folded function words of a language code; empty where no list is known."""
    return frozenset(filter(None, map(fold, stopwords.safe_get_stopwords(_LIST_OF.get(language, language)))))


@cache
def function_words(language: str) -> frozenset[str]:
    """The function words a query in a library of this Latin-script language may hold, in any script."""
    return stop_words(language).union(*map(stop_words, _OTHER_SCRIPTS))


def detect_language(texts: Iterable[str]) -> str:
    """The Latin-script stemmer code that the function words in a sample of the texts speak for.

    English where there are Latin words but few function words (names, identifiers); `none` without Latin words, and
    where they are but names and quotations in text of another script. Front matter, tags and addresses do not count.
    """
    words: Counter[str] = Counter()
    letters = 0
    left = _SAMPLE
    for text in texts:
        prose = _prose(text[:left])
        words.update(_WORD.findall(prose))
        letters += sum(map(str.isalpha, prose))
        left -= len(text)
        if left <= 0:
            break
    best, votes, kinds = _best(words)
    latin = sum(times * sum(map(str.isalpha, word)) for word, times in words.items())
    sentences = votes >= _SENTENCES * words.total() and kinds >= _FEW
    if not words or latin < _HARDLY * letters or (latin < _MOSTLY * letters and not sentences):
        return "none"
    return best if votes >= max(_EVIDENCE * words.total(), _FEW) and kinds > 1 else "en"


def _prose(text: str) -> str:
    """The text without its front matter and markup, or all of it where it has no other letters."""
    prose = _MARKUP.sub(" ", _FRONT_MATTER.sub("", text, count=1))
    return prose if any(map(str.isalpha, prose)) else text


def _best(words: Counter[str]) -> tuple[str, int, int]:
    """The language with the most function words among these, how many they are and how many different ones."""
    kinds: Counter[str] = Counter()
    votes: Counter[str] = Counter()
    unshared: dict[str, float] = {}
    for word, times in sorted(words.items()):
        languages = _languages_of().get(fold(word), ())
        votes.update(dict.fromkeys(languages, times))
        kinds.update(languages)
        for language in languages:
            unshared[language] = unshared.get(language, 0.0) + times / len(languages)
    best = min(votes, key=lambda code: (-votes[code], -unshared[code], code), default="en")
    return best, votes[best], kinds[best]


@cache
def _languages_of() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for language in SNOWBALL:
        if language not in ("nn", "nb"):
            # Single letters stand in names and formulas of any language.
            for word in sorted(word for word in stop_words(language) if len(word) > 1):
                found.setdefault(word, []).append(language)
    return {word: tuple(languages) for word, languages in found.items()}
