"""Where a passage that is too long may be cut: at line or sentence ends, then at spaces, then anywhere sound."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_CJK: Final = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"
_SENTENCE_END: Final = re.compile(f"[。！？；｡．][\"'”’」』）)】》〉\\]]*|[.!?;؟۔।॥።։][\"'”’)\\]»]*(?=[\\s{_CJK}])")
_NO_SENTENCE: Final = re.compile(
    r"(?:\b(?:Dr|Mr|Mrs|Ms|Prof|St|No|Nr|vs|cf|ca|fig|Fig|vol|Vol|pp?|bzw|usw|etc|approx)|"
    r"(?:\b[^\W\d_]\.)*\b[^\W\d_]|\A\W*\d{1,3})\.\Z"
)
_IN_CJK: Final = re.compile(f"[{_CJK}]{{2}}")
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
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
        low = max(position + limit // 4, floor if floor < high else 0)
        # Only here: a list of all the ends in a long passage would take more memory than the passage.
        found = ends.finditer(text, max(position, low - _CLOSERS), min(end, high + 1))
        if good := [match.end() for match in found if low < match.end() <= high]:
            cut = good[-1]
        else:
            # Between two CJK characters any place is a word's end: no early space is worth a small piece.
            least = position + limit * 3 // 4 if _IN_CJK.match(text, high - 1) else low
            space = _last_space(text, low, high)
            cut = space if space > max(low, least) else sound_cut(text, position, high)
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
