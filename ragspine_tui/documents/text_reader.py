"""Plain text: paragraphs at blank lines, and the few lines that can only be headings."""

from __future__ import annotations

import re
from typing import Final

from ragspine_tui.documents.encoding import decode
from ragspine_tui.documents.fields import FieldsBuilder
from ragspine_tui.documents.front_matter import front_of
from ragspine_tui.documents.lines import paragraphs
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.types import Block, BlockKind, Document, Span

_LONGEST: Final = 100
_UNDERLINE: Final = re.compile(r"[ \t]*([=\-~^*#\"'+`.:_])\1{2,}[ \t]*\Z")
_LIST_ITEM: Final = re.compile(r"[-*+•·・●○◦▪–—]\s|\(?[0-9a-zA-Z]{1,3}[.)]\s")
_DECIMAL: Final = re.compile(r"(\d{1,3}(?:\.\d{1,3}){0,4})(\.?)[ \t\u3000]+(\S.*)\Z")
_CHAPTER: Final = re.compile(
    r"(?:(?:chapter|part|section|appendix|book|kapitel|chapitre|cap[ií]tulo|глава|часть)\s+(?:\d{1,3}|[ivxlc]{1,7}|[a-z])"
    r"\b(?P<rest>[.:]?(?:\s.*)?))\Z",
    re.IGNORECASE,
)
_CJK_CHAPTER: Final = re.compile(
    r"第\s*[0-9０-９〇零一二三四五六七八九十百千]{1,6}\s*([部編篇章節节話回巻卷条條])(?:[\s　:：（(「・、].*)?\Z"
)
_CJK_LEVEL: Final = {"部": 1, "編": 1, "篇": 1, "巻": 1, "卷": 1, "章": 2, "話": 2, "回": 2, "節": 3, "节": 3}
_UNLIKELY: Final = re.compile(r"[:;()`\"=<>{}\[\]]")
_SENTENCE_END: Final = (".", ",", ";", "!", "?", "。", "、", "，", "；", "！", "？", ":", "：")
_CAPITALS: Final = re.compile(r"[^\W_][\w .,:'’&()/–—-]*\Z")
_KANJI_NUMBER: Final = re.compile(r"([一二三四五六七八九十]{1,3})[ \u3000、．]\s*(\S.*)\Z")
_ITEM: Final = re.compile(r"\d{1,3}\.[ \t\u3000]+\S|[一二三四五六七八九十]{1,3}[ \u3000、．]")
_TABLE: Final = re.compile(r",\S|\t|_| {2}")
_CODE: Final = re.compile(r"[;{}<>=\[\]`|\t]|\s\S*\(\)|\A\s")
_NAME: Final = re.compile(r"[^\W\d_][\w \u3000,'’&!?・「」『』（）()–—-]*\Z")
_PROSE: Final = frozenset({".txt", ".text", ".asc", ""})


class TextReader:
    """Plain text in any encoding; `text` is the decoded file."""

    kind = "txt"
    suffixes: frozenset[str] = frozenset({".txt", ".text", ".log", ".asc"})

    def claims(self, _head: bytes, _suffix: str, /) -> bool:
        """Never: text is what remains."""
        return False

    def read(self, source: SourceFile) -> Document:
        """The decoded file, its paragraphs and its headings; front matter becomes fields."""
        decoded = decode(source.data)
        front, start = front_of(decoded.text)
        fields = FieldsBuilder()
        for name, value in front.values:
            fields.add(name, value)
        blocks = text_blocks(decoded.text, start)
        first = blocks[0].heading.strip("=-~*# \t") if blocks else ""
        if not first and source.suffix in _PROSE:
            first = _title_line(decoded.text, blocks)
        return Document(
            path=source.relative,
            text=decoded.text,
            blocks=(Block(Span(0, start), BlockKind.FRONT_MATTER, line=1), *blocks) if start else blocks,
            title=fields.first("title") or first or source.stem,
            kind=self.kind,
            fields=fields.build(),
            encoding=decoded.encoding,
            # A line of hyphens above words is no slip in a text.
            notes=decoded.notes + (front.notes if start else ()),
        )


def text_blocks(text: str, first: int = 0) -> tuple[Block, ...]:
    """Paragraphs and headings of a plain text from its character `first` on, in order."""
    spans = [(first + start, first + end) for start, end in paragraphs(text[first:])]
    marks: dict[str, int] = {}
    blocks: list[Block] = []
    for number, (start, end) in enumerate(spans):
        if len(spans) > 1 and end - start <= 3 * _LONGEST:
            following = spans[number + 1] if number + 1 < len(spans) else None
            before = spans[number - 1] if number else None
            found = _heading(text, (start, end), before, following)
            if found:
                blocks.append(found)
                continue
        named = _underlined(text, start, end, marks) or (None if number else _capitals_on_top(text, start, end))
        if named:
            blocks.append(named)
            rest = named.span.end
            rest += len(text[rest:end]) - len(text[rest:end].lstrip("\r\n"))
            if rest < end:
                blocks.append(Block(Span(rest, end)))
        else:
            blocks.append(Block(Span(start, end)))
    return tuple(blocks)


def _underlined(text: str, start: int, end: int, marks: dict[str, int]) -> Block | None:
    """A line with a line of one repeated sign under it (or over and under), as people and reStructuredText do."""
    lines = text[start : min(end, start + 4 * _LONGEST)].splitlines(keepends=True)[:3]
    over = len(lines) == 3 and bool(_UNDERLINE.match(lines[0].rstrip()))
    if over:
        title, under, used = lines[1], lines[2], lines
    elif len(lines) >= 2:
        title, under, used = lines[0], lines[1], lines[:2]
    else:
        return None
    title, mark = title.strip(), _UNDERLINE.match(under.rstrip())
    if not mark or not title or len(title) > _LONGEST or _UNDERLINE.match(title) or _LIST_ITEM.match(title):
        return None
    if len(under.strip()) < min(len(title), 4) or "|" in title:
        return None
    style = mark.group(1) + ("over" if over else "")
    level = marks.setdefault(style, len(marks) + 1)
    stop = start + len("".join(used).rstrip("\r\n"))
    return Block(Span(start, stop), BlockKind.HEADING, min(level, 6), title)


def _capitals_on_top(text: str, start: int, end: int) -> Block | None:
    """The first line of a file in capitals, right above lines that are neither capitals, a table nor code."""
    lines = text[start : min(end, start + 8 * _LONGEST)].splitlines(keepends=True)
    if len(lines) < 2:
        return None
    title, below = lines[0].strip(), lines[1].rstrip()
    if len(title) > _LONGEST or not _is_capitals(title) or _TABLE.search(title):
        return None
    if below.isupper() or _CODE.search(below) or _LIST_ITEM.match(title):
        return None
    return Block(Span(start, start + len(lines[0].rstrip("\r\n"))), BlockKind.HEADING, 1, title)


def _title_line(text: str, blocks: tuple[Block, ...]) -> str:
    """The first line where it stands alone, is short, reads like a name and has something longer below; else ''.

    It names the document and opens no section: letters and lists begin so too.
    """
    if len(blocks) < 2:
        return ""
    line = blocks[0].span.of(text).strip()
    if len(line.splitlines()) != 1 or len(line) > _LONGEST or len(line.split()) > 10 or not _NAME.match(line):
        return ""
    if line[0].islower() or line.endswith(_SENTENCE_END) or _LIST_ITEM.match(line) or len(line) < 2:
        return ""
    return line if blocks[1].kind is BlockKind.HEADING or len(blocks[1].span) >= 2 * len(line) else ""


def _heading(
    text: str,
    span: tuple[int, int],
    before: tuple[int, int] | None,
    following: tuple[int, int] | None,
) -> Block | None:
    """A paragraph of one line that stands alone and has a form that only headings have."""
    line = text[span[0] : span[1]]
    if "\n" in line.strip("\r\n") or "\r" in line.strip("\r\n"):
        return None
    title = line.strip()
    level = 0
    if len(title) <= _LONGEST:
        level = _named_level(title) or _numbered_level(text, title, before, following)
        if not level and following and _is_capitals(title):
            level = 1
    return Block(Span(*span), BlockKind.HEADING, level, title) if level else None


def _named_level(title: str) -> int:
    if match := _CJK_CHAPTER.match(title):
        return 0 if title.endswith(_SENTENCE_END) else _CJK_LEVEL.get(match.group(1), 4)
    match = _CHAPTER.match(title)
    if not match or not title[0].isupper() or len(title.split()) > 12:
        return 0
    # "Section 3 of the law" goes on like a sentence; "Section 3 Tides" and "Section 3: of tides" are names.
    rest = match.group("rest").strip(" \t\u3000.:")
    if rest and (title.endswith(_SENTENCE_END) or (match.group("rest")[0] not in ".:" and rest[0].islower())):
        return 0
    return 1 if title[:4].lower() in ("part", "book", "част") else 2


def _numbered_level(text: str, title: str, before: tuple[int, int] | None, following: tuple[int, int] | None) -> int:
    """`2.3 Name` is a heading; `2. Name` only where its own text or its `2.1` follows, not an item of the same list."""
    match = _DECIMAL.match(title)
    kanji = None if match else _KANJI_NUMBER.match(title)
    if following is None or title.endswith(_SENTENCE_END):
        return 0
    after = text[slice(*following)]
    if kanji:
        return int(len(kanji.group(2)) <= 30 and _owns(text, title, before, after))
    if not match:
        return 0
    number, dot, name = match.groups()
    if not (name[0].isupper() or (name[0].isalpha() and name[0].lower() == name[0].upper())) or len(name) > 80:
        return 0
    depth = number.count(".") + 1
    if depth > 1:
        return depth
    if len(name.split()) > 8 or _UNLIKELY.search(name):
        return 0
    parts = re.match(rf"{number}\.1\.?\s", after)
    return int(bool(parts) or (bool(dot) and _owns(text, title, before, after)))


def _owns(text: str, title: str, before: tuple[int, int] | None, after: str) -> bool:
    """Whether what follows a numbered line is its text: longer, not indented, no list item before or after."""
    earlier = text[slice(*before)].lstrip() if before else ""
    if _ITEM.match(after.lstrip()) or _ITEM.match(earlier):
        return False
    return after[:1] not in " \t" and len(after.strip()) > len(title)


def _is_capitals(title: str) -> bool:
    letters = sum(c.isalpha() for c in title)
    return (
        letters >= 4
        and title.isupper()
        and len(title.split()) <= 10
        and not title.endswith(_SENTENCE_END)
        and not _LIST_ITEM.match(title)
        and letters * 2 > len(title)
        and bool(_CAPITALS.match(title))
    )
