"""What one form of a message says that another does not: text and HTML are mostly the same words twice."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

# A character of a script without spaces counts as a word: line ends must not make others of them.
_WORD: Final = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff]|[^\W\u2e80-\u9fff\uf900-\ufaff]+")
_MOST_WORDS: Final = 500_000


class Said:
    """The words that have been read so far, alone and three in a row."""

    def __init__(self) -> None:
        self._words: set[str] = set()
        self._threes: set[tuple[str, str, str]] = set()

    def add(self, text: str) -> None:
        """More that has been read."""
        words = _words(text)[:_MOST_WORDS]
        self._words.update(words)
        self._threes.update(zip(words, words[1:], words[2:], strict=False))

    def lacks(self, text: str) -> bool:
        """Whether a passage has a word that was not read, or mostly other rows of words."""
        words = _words(text)
        if not self._words.issuperset(words):
            return True
        threes = list(zip(words, words[1:], words[2:], strict=False))
        return 2 * sum(three not in self._threes for three in threes) > len(threes)


def _words(text: str) -> list[str]:
    text = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return _WORD.findall(text.casefold())
