"""Where articles and chapters begin in laws, statutes, contracts and house rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ragspine_tui.retrieval.chunking.marked import SENTENCE_END, Line, Mark, clean, follows_sentence

_NUMBER: Final = r"[0-9０-９〇零一二三四五六七八九十百千]{1,8}"
_CAPTION: Final = re.compile(r"[（(〔【][^（）()〔〕【】]{1,60}[）)〕】]\Z")
_CJK_ARTICLE: Final = re.compile(
    rf"第\s?{_NUMBER}\s?[条條](?:[のノ之]{_NUMBER}){{0,3}}"
    r"(?:[ \t\u3000*_]*[（(【〔][^（）()【】〔〕]{1,60}[）)】〕]"
    r"(?![のにをはがとでへも及又若並、，。）])|(?=[\s:：、.．*_]|\Z))"
)
_ARTICLE: Final = re.compile(
    r"(?:(?:Article|Artikel|Art[ií]culo|Articolo|Section|Clause|ARTICLE|SECTION|CLAUSE|Art\.|Sec\.)\s?|§{1,2}\s?)"
    r"(?:\d{1,4}[a-z]?(?:\.\d{1,3}){0,3}|[IVXLC]{1,7})(?![\w])[*_]{0,3}"
)
# "§ 3 Abs. 1" and "Article 3 of" speak of an article; "§ 3 (1)", "§ 3 Board" and "Article 3." begin one.
_SPEAKS_OF: Final = re.compile(
    r"(?:Abs|Absatz|Satz|Nr|Nummer|Buchst|Halbsatz|Para|Paragraph|No|And|Or|BGB|HGB|StGB|GG)\b|[^\W\dA-ZÀ-Þ_]"
)
_CJK_CHAPTER: Final = re.compile(
    rf"第\s?{_NUMBER}\s?([編篇部章節节款目])(?:[のノ之]{_NUMBER})?(?:[\s:：（(].{{0,40}})?\Z|"
    r"附\s?[則则](?:[\s（(].{0,30})?\Z"
)
_CHAPTER: Final = re.compile(
    r"(Part|Title|Book|Chapter|Division|Teil|Buch|Kapitel|Abschnitt|PART|TITLE|BOOK|CHAPTER|DIVISION)"
    r"\s(?:\d{1,3}|[IVXLC]{1,7}|[A-Z])(?:[.:–—-]?\s.{1,80}|[.:]?)\Z"
)
_RANKS: Final = {
    **dict.fromkeys("編篇部", 1),
    **dict.fromkeys(("part", "title", "book", "teil", "buch"), 1),
    **dict.fromkeys(("章", "chapter", "kapitel"), 2),
    **dict.fromkeys(("節", "节", "division", "abschnitt"), 3),
    "款": 4,
    "目": 5,
}
_OF_CONTENTS: Final = re.compile(rf"第{_NUMBER}[条條][^。]{{0,6}}[―—–~～・-]|\.{{3,}}|…|・{{3,}}|\s\d{{1,4}}\Z")
ARTICLE_RANK: Final = 9


def law_rank(heading: str) -> int:
    """The rank of a heading that is an article or the name of a chapter; 0 for any other."""
    if _CJK_ARTICLE.match(heading) or _latin_article(heading):
        return ARTICLE_RANK
    return _chapter_rank(heading)


def law_marks(text: str, lines: Sequence[Line]) -> Iterator[Mark]:
    """Chapters on lines of their own, and articles; a caption in brackets above an article belongs to it."""
    caption: Line | None = None
    for number, line in enumerate(lines):
        if caption_alone(line):
            caption = line
            continue
        found = _mark(text, lines, number)
        if found and caption and found.rank == ARTICLE_RANK:
            heading = clean(text[caption.start : found.end])
            found = found._replace(start=caption.start, heading=heading)
        if found:
            yield found
        caption = None


def caption_alone(line: Line) -> bool:
    """Whether a line is nothing but a caption in brackets."""
    return bool(_CAPTION.match(line.bare))


def _mark(text: str, lines: Sequence[Line], number: int) -> Mark | None:
    line = lines[number]
    cjk = _CJK_ARTICLE.match(line.bare)
    latin = None if cjk else _latin_article(line.bare)
    article = cjk or latin
    if article:
        tail = line.bare[article.end() :]
        rest = tail.lstrip(" \t\u3000.:：．)*_–—-")
        if latin and rest and not follows_sentence(lines, number, text):
            return None
        least = text.index(line.bare, line.start) + article.end() + int(tail[:1] in tuple(".:：．"))
        named = not rest or _is_name(rest, 30 if cjk else 80, lines, number)
        end = line.end if named else least
        return Mark(line.start, end, ARTICLE_RANK, clean(text[line.start : end]), least if rest else end)
    rank = _chapter_rank(line.bare)
    if rank and (number == 0 or _is_certain(line.bare) or follows_sentence(lines, number, text)):
        return Mark(line.start, line.end, rank, clean(line.bare), line.end)
    return None


def _is_certain(bare: str) -> bool:
    """Whether a chapter's line cannot be the middle of a wrapped sentence."""
    return bool(_CJK_CHAPTER.match(bare)) or bare.isupper()


def _latin_article(bare: str) -> re.Match[str] | None:
    match = _ARTICLE.match(bare)
    if not match:
        return None
    rest = bare[match.end() :]
    if rest[:1] in (".", ":", ")") or not rest.strip():
        return match
    return match if rest[0] in " \t\u3000–—-" and not _SPEAKS_OF.match(rest.strip(" \t\u3000–—-")) else None


def _is_name(rest: str, longest: int, lines: Sequence[Line], number: int) -> bool:
    """Whether what follows an article's number on its line names it, rather than begins its text."""
    if len(rest) > longest or rest.endswith(SENTENCE_END) or len(rest.split()) > 8 or rest[0] in "(（0123456789":
        return False
    return number + 1 == len(lines) or not lines[number + 1].bare[0].islower()


def _chapter_rank(bare: str) -> int:
    if _OF_CONTENTS.search(bare) or bare.endswith(SENTENCE_END):
        return 0
    if match := _CJK_CHAPTER.match(bare):
        return _RANKS.get(match.group(1) or "章", 0)
    if match := _CHAPTER.match(bare):
        return _RANKS[match.group(1).lower()]
    return 0
