"""A term with its place, and the kinds of terms there are."""

from typing import Final, NamedTuple

WORD: Final = "word"
"""A word by itself."""
COMPOUND: Final = "compound"
"""Words written together with hyphens or apostrophes: `high-speed`, `don't`."""
WHOLE: Final = "whole"
"""An identifier, number, address or the like as one term."""
PART: Final = "part"
"""A piece of a COMPOUND or WHOLE."""
ACCENTLESS: Final = "accentless"
"""The stem of a word typed without its accents, where that is another than the word's own."""
SYMBOL: Final = "symbol"
"""An emoji, a currency or another sign."""

UNIGRAM: Final = "unigram"
SINGLE: Final = "single"
"""The unigram of a run of one character."""
BIGRAM: Final = "bigram"
TRIGRAM: Final = "trigram"
SHORT: Final = "short"
"""A whole run of less than three characters of a script that is cut into trigrams."""
TAIL: Final = "tail"
"""The shorter grams that begin at the last two characters of a longer such run."""


class Token(NamedTuple):
    """A term and the characters it stands for; `exact` is the unstemmed form, '' where it is the term."""

    term: str
    exact: str
    start: int
    end: int
    kind: str = WORD


class RunTerms(NamedTuple):
    """The terms of a run of text, the unstemmed forms of those that have another, and each term's place.

    A place counts from 0 where tokens begin: an identifier and its first part share one. `width` is how many there are.
    """

    terms: tuple[str, ...]
    exacts: tuple[str, ...]
    places: tuple[int, ...]
    width: int


RUN_END: Final = "\x1d"
"""Before the last character of an unspaced run, which begins no bigram: its place alone is told by this term."""
