"""Words that a hyphen cuts at a line's end: one word, or a compound that was always written with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from itertools import pairwise
from typing import Final

from ragspine_tui.documents.pdf_lines import CUT_WORD

_HEAD: Final = re.compile(r"(?:[^\W\d_]++-)*+[^\W\d_]*+\Z")
_TAIL: Final = re.compile(r"[^\W\d_]*")
# A hyphen in an address or a path was written there.
_ADDRESS: Final = re.compile(r"[/@\\_]\S*\Z")
_ADDRESSED: Final = re.compile(r"[^\s/@\\_]*[/@\\_]")
_LONGEST: Final = 100
_WORD: Final = re.compile(rf"(?<![\w{CUT_WORD}-])[^\W\d_]++(?:-[^\W\d_]++)*+(?![\w{CUT_WORD}-])")
_LEAST: Final = 3


def whole_words(texts: Iterable[str]) -> frozenset[str]:
    """The words that texts write without a cut, compounds with their hyphens."""
    return frozenset(word.casefold() for text in texts for word in _WORD.findall(text))


def without_cuts(text: str, words: Set[str]) -> str:
    """The text with nothing, or a hyphen, for every CUT_WORD; `words` are the whole words of its document.

    They say which: whether the document writes the word joined, with its hyphen, or only both halves as words.
    """
    pieces = text.split(CUT_WORD)
    parts = [pieces[0]]
    for before, after in pairwise(pieces):
        head, tail = _HEAD.search(before[-_LONGEST:]), _TAIL.match(after[:_LONGEST])
        address = _ADDRESS.search(before[-_LONGEST:]) or _ADDRESSED.match(after[:_LONGEST])
        parts += ["-" if address else _sign(head[0] if head else "", tail[0] if tail else "", words), after]
    return "".join(parts)


def _sign(before: str, after: str, words: Set[str]) -> str:
    if not before or not after or (after[0].isupper() and not (before + after).isupper()):
        return "-"
    head, tail = before.casefold(), after.casefold()
    if head + tail in words:
        return ""
    if f"{head}-{tail}" in words:
        return "-"
    apart = min(len(head), len(tail)) >= _LEAST and head in words and tail in words
    return "-" if apart else ""
