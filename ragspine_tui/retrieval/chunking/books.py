"""Where chapters begin in novels, handbooks and memoirs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ragspine_tui.retrieval.chunking.marked import SENTENCE_END, Line, Mark, clean

_NUMBERED: Final = re.compile(
    r"(part|book|volume|teil|buch|band|partie|livre|parte|libro|часть|книга|"
    r"chapter|canto|kapitel|chapitre|cap[ií]tulo|capitolo|hoofdstuk|глава)"
    r"\s(?:\d{1,3}|[ivxlc]{1,7}|the\s\w+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b"
    r"(?P<name>[.:]?(?:\s[–—-])?(?:\s.{1,80})?)\Z",
    re.IGNORECASE,
)
_WHOLE: Final = re.compile(
    r"(?:prologue|epilogue|preface|foreword|afterword|introduction|prolog|epilog|vorwort|nachwort|préface|"
    r"prólogo|epílogo|пролог|эпилог|предисловие|послесловие)\Z",
    re.IGNORECASE,
)
_CJK: Final = re.compile(
    r"第\s?[0-9０-９〇零一二三四五六七八九十百千]{1,6}\s?([部編篇巻卷章回話话幕])(?:[\s　:：（(「・].{0,40})?\Z|"
    r"(?:序章|終章|终章|序|跋|楔子|尾声|前言|序言|後記|后记|はじめに|おわりに|まえがき|あとがき|プロローグ|エピローグ)\Z"
)
_ROMAN: Final = re.compile(r"[IVXLC]{1,7}\.?\Z")
_PARTS: Final = frozenset(
    (
        "part",
        "book",
        "volume",
        "teil",
        "buch",
        "band",
        "partie",
        "livre",
        "parte",
        "libro",
        "часть",
        "книга",
        *"部編篇巻卷",
    )
)


def book_rank(heading: str) -> int:
    """1 for a part or volume, 2 for a chapter and what stands in a chapter's place, 0 for any other heading."""
    if match := _CJK.match(heading):
        if heading.endswith(SENTENCE_END):
            return 0
        return 1 if match.group(1) in _PARTS else 2
    if match := _NUMBERED.match(heading):
        name = match.group("name").strip(" \t.:–—-")
        if not heading[0].isupper() or (name and name[0].islower()) or len(name.split()) > 12:
            return 0
        return 1 if match.group(1).lower() in _PARTS else 2
    return 2 if _WHOLE.match(heading) and heading[0].isupper() else 0


def book_marks(text: str, lines: Sequence[Line]) -> Iterator[Mark]:
    """A chapter's line above its text or alone, with the name on the line below it where these two stand alone."""
    if not lines:
        return
    first = lines[0]
    rank = book_rank(first.bare) or 2 * int(len(lines) == 1 and bool(_ROMAN.match(first.bare)))
    if not rank:
        return
    last = first
    if len(lines) == 2 and len(lines[1].bare) <= 80 and not lines[1].bare.endswith(SENTENCE_END):
        last = lines[1]
    yield Mark(first.start, last.end, rank, clean(text[first.start : last.end]), last.end)
