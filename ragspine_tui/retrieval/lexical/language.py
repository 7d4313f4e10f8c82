"""Function words by language: left out of natural-language queries, and the evidence of a library's language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

import stopwords

from ragspine_tui.retrieval.lexical.folding import fold
from ragspine_tui.retrieval.lexical.scripts import SCRIPTS
from ragspine_tui.retrieval.lexical.stemming import SNOWBALL

_SAMPLE: Final = 400_000
_LIST_OF: Final = {"nb": "no", "nn": "no"}
_WORD: Final = re.compile(f"(?:(?!\\d)[{SCRIPTS['latin']}\u0300-\u036f'\u2019])+")


@cache
def stop_words(language: str) -> frozenset[str]:
    """The folded function words of a language code; empty where no list is known."""
    return frozenset(filter(None, map(fold, stopwords.safe_get_stopwords(_LIST_OF.get(language, language)))))


def detect_language(texts: Iterable[str]) -> str:
    """The Latin-script stemmer code that most function words in a sample of the texts speak for.

    English where there are Latin words but no function words, `none` where there are no Latin words.
    """
    votes: dict[str, float] = {}
    languages_of = _languages_of()
    seen = 0
    latin = False
    for text in texts:
        for match in _WORD.finditer(text, 0, _SAMPLE - seen):
            latin = True
            languages = languages_of.get(fold(match.group()), ())
            for language in languages:
                votes[language] = votes.get(language, 0.0) + 1 / len(languages)
        seen += min(len(text), _SAMPLE - seen)
        if seen >= _SAMPLE:
            break
    if votes:
        return min(votes, key=lambda language: (-votes[language], language))
    return "en" if latin else "none"


@cache
def _languages_of() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for language in SNOWBALL:
        if language not in ("nn", "nb"):
            for word in sorted(stop_words(language)):
                found.setdefault(word, []).append(language)
    return {word: tuple(languages) for word, languages in found.items()}
