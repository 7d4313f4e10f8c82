"""Text to comparable text: compatibility forms, case, accents, digits; with a way back to the original characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ragspine_tui.retrieval.lexical.scripts import COMBINING, IGNORABLE, SCRIPTS

# Characters that NFKC may join to the one before them although they are no combining marks: half-width voicing marks,
# jamo vowels and finals in their several forms, one Kirat Rai vowel.
_JOINING: Final = re.compile("[\uff9e\uff9f\u1160-\u11ff\u3131-\u318e\uffa0-\uffdc\ud7b0-\ud7fb\U00016d67]")


@dataclass(frozen=True, slots=True)
class Normalized:
    """NFKC text without ignorable characters; character i is `original[starts[i]:ends[i]]`, or in place (None)."""

    text: str
    starts: tuple[int, ...] | None = None
    ends: tuple[int, ...] | None = None

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Where `text[start:end]` (not empty) stands in the original text."""
        if self.starts is None or self.ends is None:
            return start, end
        return self.starts[start], self.ends[end - 1]


def normalize(text: str) -> str:
    """NFKC without ignorable characters; case is kept."""
    if text.isascii():
        return text
    return IGNORABLE.sub("", unicodedata.normalize("NFKC", text))


def normalize_with_offsets(text: str) -> Normalized:
    """The same text as `normalize` gives, with the way back to the original."""
    normal = normalize(text)
    if normal == text or _one_for_one(text, normal):
        return Normalized(normal)
    starts: list[int] = []
    ends: list[int] = []
    for start, end in _segments(text):
        segment = text[start:end]
        folded = _normalize_segment(segment)
        if folded == segment:
            starts.extend(range(start, end))
            ends.extend(range(start + 1, end + 1))
        else:
            starts.extend([start] * len(folded))
            ends.extend([end] * len(folded))
    return Normalized(normal, tuple(starts), tuple(ends))


_normalize_segment = lru_cache(1 << 12)(normalize)


def _one_for_one(text: str, normal: str) -> bool:
    """Whether every changed character became one other in its place (full-width forms), so that places are kept."""
    return len(text) == len(normal) and all(
        normalize(before) == after for before, after in zip(text, normal, strict=True) if before != after
    )


def _segments(text: str) -> Iterator[tuple[int, int]]:
    """Cut where normalizing the parts gives the same as normalizing the whole: before each base character."""
    start = 0
    for at, char in enumerate(text):
        if at > start and not _continues(char):
            yield start, at
            start = at
    if text:
        yield start, len(text)


@lru_cache(1 << 12)
def _continues(char: str) -> bool:
    return char > "\u02ff" and (unicodedata.category(char)[0] == "M" or _JOINING.match(char) is not None)


_APOSTROPHES: Final = re.compile("['\u2019\u02bc]")
# Letters of their own in Cyrillic alphabets stay apart, as か and が do: й from и, ў from у, ї from і.
_ACCENTS: Final = re.compile(
    f"(?<=[{SCRIPTS['latin']}{SCRIPTS['greek']}{SCRIPTS['cyrillic']}])"
    f"(?!(?<=[\u0438\u0443])\u0306|(?<=\u0456)\u0308)[{COMBINING}\u0483-\u0487]+"
)
_LETTERS: Final = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ŋ": "n"}
)
# Vocalization and the stretching tatweel are optional in writing; Persian keyboards give another yeh and kaf.
_OPTIONAL_POINTS: Final = re.compile(
    "[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc]+"
)
_ARABIC_LETTERS: Final = str.maketrans("\u0622\u0623\u0625\u0671\u06cc\u06a9", "\u0627\u0627\u0627\u0627\u064a\u0643")
_ARABIC_ENDINGS: Final = str.maketrans("\u0649\u0629", "\u064a\u0647")
# To translate takes several times as long as to see that there is nothing to do.
_ANY_ARABIC_LETTER: Final = re.compile(f"[{''.join(map(chr, _ARABIC_LETTERS))}]")
_ANY_LETTER: Final = re.compile(f"[{''.join(map(chr, (*_LETTERS, *_ARABIC_ENDINGS)))}]")


def fold_for_stemming(word: str) -> str:
    """Lower case, ASCII digits, no apostrophes or optional points; accents stay, as stemmers expect them."""
    if word.isascii():
        return word.lower().replace("'", "")
    word = unicodedata.normalize("NFKC", _APOSTROPHES.sub("", word.casefold()))
    if not word.isalpha():
        word = "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in word)
    word = _OPTIONAL_POINTS.sub("", word)
    return word.translate(_ARABIC_LETTERS) if _ANY_ARABIC_LETTER.search(word) else word


def fold(word: str) -> str:
    """The form in which words are compared: `fold_for_stemming` without accents (Latin, Greek, Cyrillic only)."""
    word = fold_for_stemming(word)
    return word if word.isascii() else strip_accents(word)


def strip_accents(word: str) -> str:
    """`é` to `e`, `ё` to `е`, `ø` to `o`, `æ` to `ae`, final Arabic ta marbuta and alef maksura to heh and yeh."""
    bare = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", word)))
    return bare.translate(_LETTERS).translate(_ARABIC_ENDINGS) if _ANY_LETTER.search(bare) else bare
