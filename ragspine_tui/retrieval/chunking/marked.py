"""Headings that a kind of document marks in its text: an article, a chapter, a question at the start of a line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from typing import Final, NamedTuple

from ragspine_tui.types import Block, BlockKind, Span

SENTENCE_END: Final = (".", ",", ";", "!", "?", "。", "、", "，", "；", "！", "？", ":", "：")
LOOKED_AT: Final = 400
MARKED_LINES: Final = 200_000
"""No paragraph that a person wrote has more lines; behind them no marks are looked for."""
_LINE: Final = re.compile(r"[^\r\n]+")
_TEXT: Final = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.QUOTE})
_EMPHASIS: Final = re.compile(r"(?<!\w)[*_`]{1,3}|[*_`]{1,3}(?!\w)")
_SPACE: Final = re.compile(r"[ \t\r\n\f\v]+")
_LONGEST_HEADING: Final = 200


class Line(NamedTuple):
    """A line of a block that holds more than white space: where it stands, and its first characters, bare."""

    start: int
    end: int
    bare: str


class Mark(NamedTuple):
    """A heading found in text[start:end]; `rank` counts from 1, a lower one holds the higher ones.

    `least` is where its mark alone ends: so far it reaches where nothing else follows that it could head.
    """

    start: int
    end: int
    rank: int
    heading: str
    least: int


Finder = Callable[[str, Sequence[Line]], Iterable[Mark]]
"""The marks in the lines of one block of a text, in order, none over another."""

Ranker = Callable[[str], int]
"""The rank of a heading that the format itself gives, 0 for one that is none of this kind."""


def is_text(block: Block) -> bool:
    """Whether a block may hold marks: code and tables never do."""
    return block.kind in _TEXT


def lines_of(text: str, block: Block, most: int | None = MARKED_LINES) -> list[Line]:
    """The first `most` lines of a block that hold something, without what Markdown puts before them."""
    lines: list[Line] = []
    for match in islice(_LINE.finditer(text, block.span.start, block.span.end), most):
        bare = text[match.start() : min(match.end(), match.start() + LOOKED_AT)].lstrip(" \t\u3000>").rstrip()
        bare = re.sub(r"\A(?:[-*+] +)?[*_]{1,3}(?=\S)|\A[-*+] +", "", bare)
        if bare:
            lines.append(Line(match.start(), match.end(), bare))
    return lines


def clean(text: str) -> str:
    """A heading as it is shown: one line of at most 200 characters, without marks of emphasis and of lists."""
    bare = _EMPHASIS.sub("", text[: 2 * _LONGEST_HEADING]).lstrip(" \t\u3000>+-")
    return _SPACE.sub(" ", bare)[:_LONGEST_HEADING].strip()


def marked(text: str, blocks: Sequence[Block], find: Finder, rank_of: Ranker, base: int) -> tuple[list[Block], int]:
    """Blocks with a HEADING for each mark, and the deepest level of these (0 where there is no mark at all).

    A rank stands where the format first puts a heading of it, else at `base` + rank, so that both kinds nest alike.
    """
    levels: dict[int, int] = {}
    for block in blocks:
        if block.kind is BlockKind.HEADING and (rank := rank_of(clean(block.heading))):
            levels.setdefault(rank, block.level)
    made: list[Block] = []
    least: dict[int, int] = {}
    deepest = 0
    for block in blocks:
        if block.kind is BlockKind.HEADING and (rank := rank_of(clean(block.heading))):
            made.append(replace(block, level=levels[rank]))
            deepest = max(deepest, levels[rank])
        elif is_text(block):
            marks = list(find(text, lines_of(text, block)))
            least |= {mark.start: mark.least for mark in marks}
            for part in _parts(text, block, marks):
                if part.kind is BlockKind.HEADING:
                    level = levels.setdefault(part.level, base + part.level)
                    deepest, part = max(deepest, level), replace(part, level=level)
                made.append(part)
        else:
            made.append(block)
    return list(_with_bodies(text, made, least)), deepest


def _with_bodies(text: str, blocks: Sequence[Block], least: Mapping[int, int]) -> Iterator[Block]:
    """Each found heading that nothing below it follows gives all but its mark to be its body."""
    for block, following in zip(blocks, [*blocks[1:], None], strict=False):
        end = least.get(block.span.start, block.span.end)
        bare = following is None or following.part != block.part
        bare = bare or (
            following is not None and following.kind is BlockKind.HEADING and following.level <= block.level
        )
        if block.kind is BlockKind.HEADING and end < block.span.end and bare:
            yield replace(block, span=Span(block.span.start, end))
            yield from _body(text, replace(block, kind=BlockKind.PARAGRAPH, level=0, heading=""), end, block.span.end)
        else:
            yield block


def _parts(text: str, block: Block, marks: Sequence[Mark]) -> Iterator[Block]:
    """A block cut at its marks: what stands before, then each heading and what it heads; white space is left out."""
    if not marks:
        yield block
        return
    yield from _body(text, block, block.span.start, marks[0].start)
    ends = [mark.start for mark in marks[1:]] + [block.span.end]
    for mark, end in zip(marks, ends, strict=True):
        yield replace(
            block, span=Span(mark.start, mark.end), kind=BlockKind.HEADING, level=mark.rank, heading=mark.heading
        )
        yield from _body(text, block, mark.end, end)


def _body(text: str, block: Block, start: int, end: int) -> Iterator[Block]:
    part = text[start:end]
    if part.strip():
        yield replace(block, span=Span(start + len(part) - len(part.lstrip()), end))


def follows_sentence(lines: Sequence[Line], number: int, text: str) -> bool:
    """Whether a line begins anew: the first of its block, or after a line that ends a sentence."""
    if number == 0:
        return True
    before = lines[number - 1]
    return text[before.start : before.end].rstrip(' \t\u3000*_"”』」)）').endswith((*SENTENCE_END, ":"))


def repeated_level(blocks: Iterable[Block]) -> int:
    """The highest level that more than one heading has, else that of the only one; 0 without headings."""
    levels = sorted(block.level for block in blocks if block.kind is BlockKind.HEADING)
    return next((one for one, two in pairwise(levels) if one == two), levels[0] if levels else 0)
