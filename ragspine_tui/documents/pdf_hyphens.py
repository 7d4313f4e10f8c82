"""Words that a hyphen cuts at a line's end: one word, or a compound that was always written with it."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from ragspine_tui.documents.pdf_lines import CUT_WORD

SOFT_HYPHEN: Final = "\u00ad"

_HEAD: Final = re.compile(r"(?:[^\W\d_]++-)*+[^\W\d_]*+\Z")
_TAIL: Final = re.compile(r"[^\W\d_]*")
_LONGEST: Final = 100
_WORD: Final = re.compile(rf"(?<![\w{CUT_WORD}-])[^\W\d_]++(?:-[^\W\d_]++)*+(?![\w{CUT_WORD}-])")
_LEAST: Final = 3


def without_cuts(text: str) -> str:
    """The text with a soft hyphen, or a hyphen, for every CUT_WORD; each is one character too.

    A soft hyphen counts for nothing when words are compared; a hyphen makes a word that is found whole and in parts.
    The rest of the text says which: whether it writes the word joined, with its hyphen, or only both halves as words.
    """
    if CUT_WORD not in text:
        return text
    words = {word.casefold() for word in _WORD.findall(text)}
    pieces = text.split(CUT_WORD)
    parts = [pieces[0]]
    for before, after in pairwise(pieces):
        head, tail = _HEAD.search(before[-_LONGEST:]), _TAIL.match(after[:_LONGEST])
        parts += [_sign(head[0] if head else "", tail[0] if tail else "", words), after]
    return "".join(parts)


def _sign(before: str, after: str, words: set[str]) -> str:
    if not before or not after or (after[0].isupper() and not before.isupper()):
        return "-"
    head, tail = before.casefold(), after.casefold()
    if head + tail in words:
        return SOFT_HYPHEN
    if f"{head}-{tail}" in words:
        return "-"
    apart = min(len(head), len(tail)) >= _LEAST and head in words and tail in words
    return "-" if apart else SOFT_HYPHEN
