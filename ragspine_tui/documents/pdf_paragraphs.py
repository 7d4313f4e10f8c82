"""Lines of a page joined to paragraphs: by their distance, indent and look."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from ragspine_tui.documents.pdf_lines import CUT_WORD, Line
from ragspine_tui.types import BlockKind

_BULLET: Final = re.compile(r"[\u2022\u2023\u25e6\u25aa\u25ab\u25cf\u25cb\u25a0\u25a1\u2043\u2219\uf0b7](?:\s|\Z)")
_NUMBER: Final = re.compile(r"(?:\(?\d{1,3}[.)]|\(?[a-z][.)]|\[\d{1,3}\])\s")
_DASH: Final = re.compile(r"[-*\u2013\u2014]\s")
_SENTENCE_END: Final = (".", "!", "?", ":", ";", "\u3002", "\uff01", "\uff1f", "\u2026", '."', ".\u201d", ".)")
# Written without blanks: a line may end inside any word.
_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3000-\u30ff\u31f0-\u31ff\u3400-\u9fff"
    "\uf900-\ufaff\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff]"
)
_CUT: Final = re.compile(r"[^\W\d_][-\u2010]\Z")
# Old fonts have accents as signs of their own, drawn before their letter; a backtick alone is mostly a quotation mark.
_ACCENTED: Final = re.compile("([\u00a8\u00af\u00b4\u00b8\u02c6\u02c7\u02d8-\u02dd]|(?<=[a-z])`)([A-Za-z\u0131\u0237])")
_MARKS: Final = {
    "\u00a8": "\u0308",
    "\u00af": "\u0304",
    "\u00b4": "\u0301",
    "\u00b8": "\u0327",
    "\u02c6": "\u0302",
    "\u02c7": "\u030c",
    "\u02d8": "\u0306",
    "\u02d9": "\u0307",
    "\u02da": "\u030a",
    "\u02db": "\u0328",
    "\u02dc": "\u0303",
    "\u02dd": "\u030b",
    "`": "\u0300",
}
_DOTLESS: Final = {"\u0131": "i", "\u0237": "j"}


@dataclass(slots=True)
class Paragraph:
    """Lines that belong together; `text` still marks words cut at a line's end with CUT_WORD."""

    page: int
    lines: list[Line]
    kind: BlockKind = BlockKind.PARAGRAPH

    @property
    def text(self) -> str:
        """The lines, joined by line breaks where words would fuse otherwise."""
        parts: list[str] = []
        for line, after in pairwise([*self.lines, Line("")]):
            parts.append(line.text)
            if after.text:
                parts.append(_joint(parts, line, after))
            elif line.cuts:
                parts.append("-")
        return _ACCENTED.sub(_accented, "".join(parts))

    @property
    def size(self) -> float:
        """The size of its letters, the smallest of those measured."""
        return min(line.size for line in self.lines)

    @property
    def bold(self) -> bool:
        """Whether every line begins and ends in bold letters."""
        return all(line.bold for line in self.lines)


def paragraphs(lines: Sequence[Line], page: int) -> list[Paragraph]:
    """The paragraphs of a page, the rows of tables each by itself."""
    found: list[Paragraph] = []
    leading = _leading(lines)
    table = _table_rows(lines)
    for number, line in enumerate(lines):
        if number in table:
            found.append(Paragraph(page, [line], BlockKind.TABLE))
        elif found and found[-1].kind is not BlockKind.TABLE and not _begins(found[-1], line, leading):
            found[-1].lines.append(line)
        else:
            found.append(Paragraph(page, [line], BlockKind.LIST if _is_item(line.text) else BlockKind.PARAGRAPH))
    return found


def _accented(match: re.Match[str]) -> str:
    """The letter with its accent, where there is such a letter."""
    letter = unicodedata.normalize("NFC", _DOTLESS.get(match[2], match[2]) + _MARKS[match[1]])
    return letter if len(letter) == 1 else match[0]


def _joint(parts: list[str], line: Line, after: Line) -> str:
    """What stands between two lines; a hyphen that cuts a word is taken off the last part."""
    if line.cuts:
        return CUT_WORD
    if _CUT.search(line.text) and after.text[0].isalpha():
        parts[-1] = parts[-1][:-1]
        return CUT_WORD
    if line.text[-1] == "\u00ad" or (_UNSPACED.match(line.text[-1]) and _UNSPACED.match(after.text[0])):
        return ""
    return "\n"


def _leading(lines: Sequence[Line]) -> float:
    """The usual distance of two lines of one paragraph."""
    steps = [a.base - b.base for a, b in pairwise(lines) if a.way == b.way and 0.5 < (a.base - b.base) / _em(a) < 2.5]
    return median(steps) if steps else 0.0


def _em(line: Line) -> float:
    return line.largest or 1.0


def _table_rows(lines: Sequence[Line]) -> set[int]:
    """The numbers of rows that stand with others of their like."""
    rows = {number for number, line in enumerate(lines) if line.row}
    return {number for number in rows if number - 1 in rows or number + 1 in rows}


def _is_item(text: str) -> bool:
    return bool(_BULLET.match(text) or _NUMBER.match(text) or _DASH.match(text))


def _begins(before: Paragraph, line: Line, leading: float) -> bool:
    """Whether a line begins a paragraph of its own."""
    last = before.lines[-1]
    if last.cuts or not line.size or not last.size:
        return last.way != line.way
    if last.way != line.way or _bullet_begins(before, line):
        return True
    if line.size > 1.12 * last.largest or last.size > 1.12 * line.largest:
        return True
    if last.bold != line.bold and (not line.text[0].islower() or line.right > last.right + 4 * _em(line)):
        return True
    step = last.base - line.base
    if step < -0.5 * _em(line):
        # A column's first line; the sentence before it may go on there.
        return last.text.endswith(_SENTENCE_END) or not line.text[0].islower()
    if abs(step) <= 0.5 * _em(line):
        return line.left - last.right > 3 * _em(line) or line.right < last.left
    usual = leading if leading and 0.8 < leading / _em(line) < 2.2 else 1.25 * _em(line)
    if step > 1.35 * usual:
        return True
    return _is_indented(before, line)


def _bullet_begins(before: Paragraph, line: Line) -> bool:
    if _BULLET.match(line.text):
        return True
    if not (_NUMBER.match(line.text) or _DASH.match(line.text)):
        return False
    return before.kind is BlockKind.LIST or before.lines[-1].text.endswith(_SENTENCE_END)


def _is_indented(before: Paragraph, line: Line) -> bool:
    """Whether a line stands further in than the one before, as first lines of paragraphs do."""
    if before.kind is BlockKind.LIST or line.text[0].islower():
        return False
    indent = line.left - before.lines[-1].left
    ended = before.lines[-1].text.endswith(_SENTENCE_END)
    return ended and 0.8 * _em(line) < indent < 6 * _em(line)
