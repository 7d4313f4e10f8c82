"""Where a passage that is too long may be cut: at line or sentence ends, then at spaces, then at signs.

A word of a script that is written with spaces is torn only where it alone is too long.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from ragspine_tui.retrieval.lexical.scripts import HANGUL, IDEOGRAPHIC, MARKS, UNSPACED

_CJK: Final = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"
_SENTENCE_END: Final = re.compile(f"[。！？；｡．][\"'”’」』）)】》〉\\]]*|[.!?;؟۔।॥።։][\"'”’)\\]»]*(?=[\\s{_CJK}])")
_NO_SENTENCE: Final = re.compile(
    r"(?:\b(?:Dr|Mr|Mrs|Ms|Prof|St|No|Nr|vs|cf|ca|fig|Fig|vol|Vol|pp?|bzw|usw|etc|approx)|"
    r"(?:\b[^\W\d_]\.)*\b[^\W\d_]|\A\W*\d{1,3})\.\Z"
)
_IN_CJK: Final = re.compile(f"[{_CJK}]{{2}}")
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_CLAUSE_END: Final = re.compile(r"[;|)}\]>、，；：）】》〉」』][\"'”’」』）)】》〉\]}]*|,(?!\d)")
_IN_WORD: Final = f"(?![{IDEOGRAPHIC}{HANGUL}{UNSPACED}])[\\w{MARKS}]"
_WORD: Final = re.compile(f"(?:{_IN_WORD})+")
# What identifiers, versions and amounts are made of: whole where that can be.
_NAME: Final = re.compile(f"(?:{_IN_WORD}|[.'’@#+-]|(?<=\\d),(?=\\d))+")
_JOINERS: Final = frozenset("\u200d\ufe0e\ufe0f")
_LONGEST_CLUSTER: Final = 32
_CLOSERS: Final = 8


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without the white space at its ends; start == end where nothing is left."""
    part = text[start:end]
    bare = part.lstrip()
    if not bare:
        return end, end
    return end - len(bare), end - len(bare) + len(bare.rstrip())


def cut_points(
    text: str, start: int, end: int, limit: int, *, by_lines: bool, floor: int = 0, keep: int = 0
) -> list[int]:
    """Where to cut text[start:end] (trimmed) so that each trimmed piece has at most `limit` characters.

    The first cut lies behind `floor` and the last not behind `keep`, where the limit allows it.
    """
    ends = _LINE_END if by_lines else _SENTENCE_END
    points: list[int] = []
    position = start
    while end - position > limit:
        high = position + limit
        if position < keep < high:
            high = keep
        first = max(position, floor if floor < high else 0)
        low = max(position + limit // 4, first)
        # Only here: a list of all the ends in a long passage would take more memory than the passage.
        found = ends.finditer(text, max(position, low - _CLOSERS), min(end, high + 1))
        if good := [match.end() for match in found if low < match.end() <= high]:
            cut = good[-1]
        else:
            # Between two CJK characters any place is a word's end: no early space is worth a small piece.
            least = position + limit * 3 // 4 if _IN_CJK.match(text, high - 1) else low
            space = _last_space(text, low, high)
            cut = space if space > max(low, least) else _sign_cut(text, first, low, high)
        points.append(cut)
        position = cut
        while position < end and text[position].isspace():
            position += 1
    return points


def sentence_ends(text: str, start: int, end: int) -> list[int]:
    """Where the sentences of text[start:end] (trimmed) end but for the last; clauses, initials and `Dr.` end none."""
    ends: list[int] = []
    position = start
    for match in _SENTENCE_END.finditer(text, start, end):
        after = text[match.end() : match.end() + 8].lstrip()[:1]
        if text[match.start()] in ";；" or after.islower():
            continue
        if text[match.start()] == "." and _NO_SENTENCE.search(text[max(position, match.end() - 12) : match.end()]):
            continue
        if match.end() < end:
            ends.append(position := match.end())
    return ends


def _last_space(text: str, low: int, high: int) -> int:
    return max(text.rfind(space, low, high + 1) for space in (" ", "\n", "\t", "\u3000"))


def _sign_cut(text: str, floor: int, low: int, high: int) -> int:
    """Where to cut what has no space in (low, high]: after a clause, else before a name, else before a word."""
    low = low if low < high else floor
    found = _CLAUSE_END.finditer(text, low + (high - low) * 2 // 3, high)
    if clauses := [match.end() for match in found if not torn(text, match.end())]:
        return clauses[-1]
    for whole in (_NAME, _WORD):
        if (place := _before(whole, text, low, high)) > low:
            return sound_cut(text, low, place)
    # A word that fits by itself is worth a small piece before it.
    start = _before(_WORD, text, floor, high)
    word = _WORD.match(text, start, start + high - floor + 1) if start > floor else None
    return start if word and len(word[0]) <= high - floor else sound_cut(text, floor, high)


def _before(whole: re.Pattern[str], text: str, low: int, high: int) -> int:
    """`high`, or the start of what it stands within."""
    last = None
    for last in whole.finditer(text, low, high + 1):  # noqa: B007
        pass
    return last.start() if last and last.start() < high < last.end() else high


def torn(text: str, place: int) -> bool:
    """Whether a cut here would go through a character with its marks or a word of a script written with spaces."""
    inside = 0 < place < len(text) and _WORD.match(text, place - 1) and _WORD.match(text, place)
    return bool(inside) or _continues(text, place)


def sound_cut(text: str, low: int, high: int) -> int:
    """The last place in (low, high] that does not tear a character from its marks, or `high` where there is none."""
    for place in range(high, max(low, high - _LONGEST_CLUSTER), -1):
        if not _continues(text, place):
            return place
    return high


def _continues(text: str, place: int) -> bool:
    if place >= len(text):
        return False
    sign = text[place]
    if sign.isascii():
        return False
    joined = sign in _JOINERS or text[place - 1] == "\u200d" or "\U0001f3fb" <= sign <= "\U0001f3ff"
    return joined or unicodedata.category(sign)[0] == "M"
