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
# Languages of the other scripts whose lists are worth it (the Greek one is of ancient Greek).
_OTHER_SCRIPTS: Final = ("ar", "hi", "hy", "ru")
_LIST_OF: Final = {"nb": "no", "nn": "no"}
_WORD: Final = re.compile(f"(?:(?!\\d)[{SCRIPTS['latin']}\u0300-\u036f'\u2019])+")


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

    English where there are Latin words but few function words (names, identifiers), `none` without Latin words.
    """
    words: Counter[str] = Counter()
    left = _SAMPLE
    for text in texts:
        words.update(_WORD.findall(text, 0, left))
        left -= len(text)
        if left <= 0:
            break
    votes: Counter[str] = Counter()
    unshared: dict[str, float] = {}
    for word, times in sorted(words.items()):
        languages = _languages_of().get(fold(word), ())
        votes.update(dict.fromkeys(languages, times))
        for language in languages:
            unshared[language] = unshared.get(language, 0.0) + times / len(languages)
    best = min(votes, key=lambda code: (-votes[code], -unshared[code], code), default="en")
    if votes[best] < _EVIDENCE * words.total():
        best = "en"
    return best if words else "none"


@cache
def _languages_of() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for language in SNOWBALL:
        if language not in ("nn", "nb"):
            # Single letters stand in names and formulas of any language.
            for word in sorted(word for word in stop_words(language) if len(word) > 1):
                found.setdefault(word, []).append(language)
    return {word: tuple(languages) for word, languages in found.items()}
