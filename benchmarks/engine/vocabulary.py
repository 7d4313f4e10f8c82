"""Made-up words with a Zipf-like distribution, each with words that like to follow it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

WORDS: Final = 500_000
EXPONENT: Final = 1.07
OFFSET: Final = 3.0
"""Zipf-Mandelbrot: a word's share goes with (rank + OFFSET) ** -EXPONENT, as it does in English prose."""

FOLLOWERS: Final = 2
_CONSONANTS: Final = "bcdfghjklmnprstvwxyz"
_VOWELS: Final = "aeiou"
_SYLLABLES: Final = tuple(consonant + vowel for consonant in _CONSONANTS for vowel in _VOWELS)
_SCATTER: Final = 7_919
"""Coprime to the number of syllables: neighbours in rank do not begin alike."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words by rank, how likely a draw is up to each, and the ids of those that follow each."""

    words: tuple[str, ...]
    cumulative: NDArray[np.float64]
    followers: NDArray[np.int32]
    letters: NDArray[np.int32]

    @classmethod
    def make(cls, seed: int, size: int = WORDS) -> Self:
        """The same for the same seed and size."""
        words = tuple(word(rank) for rank in range(size))
        weights = (np.arange(1, size + 1) + OFFSET) ** -EXPONENT
        cumulative = np.cumsum(weights / weights.sum())
        cumulative[-1] = 1.0
        random = np.random.default_rng([seed, 1])
        followers = _drawn(cumulative, random.random((size, FOLLOWERS)))
        letters = np.fromiter(map(len, words), dtype=np.int32, count=size)
        return cls(words, cumulative, followers, letters)

    def draw(self, uniform: NDArray[np.float64]) -> NDArray[np.int32]:
        """Word ids for numbers in [0, 1)."""
        return _drawn(self.cumulative, uniform)


def word(rank: int) -> str:
    """The word of a rank: two syllables for the 10,000 most frequent, three for the next million."""
    syllables, number = 2, rank
    while number >= len(_SYLLABLES) ** syllables:
        number -= len(_SYLLABLES) ** syllables
        syllables += 1
    number = number * _SCATTER % len(_SYLLABLES) ** syllables
    spelled = []
    for _ in range(syllables):
        number, syllable = divmod(number, len(_SYLLABLES))
        spelled.append(_SYLLABLES[syllable])
    return "".join(spelled)


def _drawn(cumulative: NDArray[np.float64], uniform: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.searchsorted(cumulative, uniform, side="right").astype(np.int32)
