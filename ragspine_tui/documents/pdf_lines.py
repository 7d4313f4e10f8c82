"""One page of a PDF as the lines PDFium reads, each with its place on the page and the look of its letters."""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Any, Final

import pypdfium2.raw as pdfium

CUT_WORD: Final = "\ufffe"
"""Stands where a hyphen at a line's end cuts a word, in the text of PDFium and of these modules."""

RIGHT, UP, LEFT, DOWN = range(4)

_LINE_END: Final = re.compile(r"\r\n?|\n|[\ufffe\x02](?!\r?\n|\Z)")
_BLANK: Final = re.compile(r"(?<=\S) +(?=\S)")
_ASTRAL: Final = re.compile("[\U00010000-\U0010ffff]")
_UNSEEN: Final = re.compile("[\x00\x01\x03-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\uffff]")
_BOLD: Final = re.compile(r"bold|black|heavy|semi|demi|cmbx|[-,]bd|w[6-9]\b", re.IGNORECASE)
# Before no closing sign and behind no opening one; unspaced scripts have no words to part.
_PARTED: Final = re.compile("[^\\s.,;:!?)\\]}\u2019\u201d\u2e80-\uffff]")
_PARTS: Final = re.compile("[^\\s(\\[{\u2018\u201c\u2e80-\uffff]")
_MOST_LINES: Final = 20_000
# In ems: less than the step to a raised sign; less than a narrow blank and more than letters are ever set apart.
_STRAIGHT: Final = 0.25
_WORDS_APART: Final = 0.16
_FARTHEST: Final = 1e6
_SOUND: Final = 200
_ONE_OF: Final = 8
_NAME_BYTES: Final = 128


@dataclass(slots=True)
class Line:
    """One physical line. `left`, `right` run in its reading direction `way`, `base` falls from line to line.

    `first` is the offset of its first character in the text of the page, `cuts` says that a hyphen at its end cuts a
    word, `row` that tabs in `text` part the cells of a table. `size` and `largest` are those of its first and last
    letters, 0 where the page was too full to be measured.
    """

    text: str
    first: int = 0
    left: float = 0.0
    right: float = 0.0
    base: float = 0.0
    size: float = 0.0
    largest: float = 0.0
    bold: bool = False
    way: int = RIGHT
    cuts: bool = False
    row: bool = False


@dataclass(slots=True)
class Watch:
    """Which lines of a document are searched for words that fuse: all, and few where many before showed none."""

    lines: int = 0
    sound: int = 0

    def wants(self) -> bool:
        """Whether the next line is searched."""
        self.lines += 1
        return self.sound < _SOUND or self.lines % _ONE_OF == 0

    def learn(self, fused: bool) -> None:
        """What a line that was searched showed."""
        self.sound = 0 if fused else self.sound + 1


class PageText:
    """The characters of one loaded text page (an FPDF_TEXTPAGE); valid as long as that is open."""

    def __init__(self, handle: Any, box: tuple[float, float, float, float], watch: Watch) -> None:
        self._watch = watch
        self._handle = handle
        self._box = box
        self._rect = pdfium.FS_RECTF()
        self._matrix = pdfium.FS_MATRIX()
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._name = ctypes.create_string_buffer(_NAME_BYTES)
        self._flags = ctypes.c_int()
        self.count = max(0, pdfium.FPDFText_CountChars(handle))
        # Offsets in UTF-16, in which PDFium counts, where they are not those of the text.
        self._units: list[int] | None = None
        self._straight = True

    def lines(self) -> list[Line]:
        """The lines in the order of PDFium, without those that lie outside the page."""
        text = self._text()
        if not text.isascii() and _ASTRAL.search(text):
            self._units = [0, *accumulate(1 + (char > "\uffff") for char in text)]
        self._straight = (self._units[-1] if self._units else len(text)) == self.count
        pieces = list(self._pieces(text))
        if len(pieces) > _MOST_LINES:
            return [Line(_clean(text[start:end]), start, cuts=cuts) for start, end, cuts in pieces]
        return [line for start, end, cuts in pieces for line in self._measured(text[start:end], start, cuts)]

    def gaps(self, line: Line, least: float) -> list[tuple[int, float, float]]:
        """Where blanks of a line are wider than `least`: the offset behind it in `text`, and both edges."""
        found: list[tuple[int, float, float]] = []
        for blank in _BLANK.finditer(line.text):
            left = self._edges(line, blank.start() - 1)[1]
            right = self._edges(line, blank.end())[0]
            if right - left > least:
                found.append((blank.end(), left, right))
        return found

    def spaced(self, line: Line) -> Line:
        """The line with blanks where its words stand apart but PDFium, which asks for a common distance, sees none."""
        text, count = line.text, len(line.text)
        if pdfium.FPDFText_CountRects(self._handle, self._index(line.first), count) < 2:
            return line
        if not self._watch.wants():
            return line
        edges = [self._edges(line, at) for at in range(count)]
        least = _WORDS_APART * line.size
        apart = [
            at
            for at in range(1, count)
            if edges[at][0] - edges[at - 1][1] > least and _PARTED.match(text, at) and _PARTS.match(text, at - 1)
        ]
        self._watch.learn(bool(apart))
        # Letters all apart are one word still.
        if not apart or len(apart) * 4 > count or not line.size:
            return line
        return replace(line, text=" ".join(text[low:high] for low, high in pairwise([0, *apart, count])))

    def _text(self) -> str:
        if not self.count:
            return ""
        buffer = ctypes.create_string_buffer((self.count * 2 + 1) * 2)
        pointer = ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
        written = pdfium.FPDFText_GetText(self._handle, 0, self.count, pointer)
        text = buffer.raw[: max(0, written - 1) * 2].decode("utf-16-le", "replace")
        # One for one: a character keeps its index.
        return _UNSEEN.sub(" ", text)

    @staticmethod
    def _pieces(text: str) -> Iterator[tuple[int, int, bool]]:
        """The spans of the lines that hold something, and whether a hyphen cuts a word at their end."""
        start = 0
        for end in [*_LINE_END.finditer(text), None]:
            stop = end.start() if end else len(text)
            part = text[start:stop]
            if bare := part.strip():
                low = start + len(part) - len(part.lstrip())
                yield low, low + len(bare), bool(end and end[0] in "\ufffe\x02")
            start = end.end() if end else stop

    def _measured(self, text: str, start: int, cuts: bool) -> Iterator[Line]:
        """The line that a text is, or several where it does not run on one height."""
        line, fall = self._line(text, start, cuts)
        # Upside down, PDFium has the words of a line from the page's left.
        crooked = fall > _STRAIGHT * line.size or line.way == LEFT
        places = self._breaks(line) if crooked else []
        if not places:
            if self._seen(line):
                yield line
            return
        for low, high in pairwise([0, *places, len(text)]):
            part, _ = self._line(text[low:high].rstrip(), start + low, cuts and high == len(text))
            if self._seen(part):
                yield part

    def _breaks(self, line: Line) -> list[int]:
        """Where a blank of a line leads to another height or, upside down, back: the offsets behind it."""
        found: list[int] = []
        for blank in _BLANK.finditer(line.text):
            heights = [
                _turned(line.way, *(2 * self._origin(self._index(at))))[1]
                for at in (line.first + blank.start() - 1, line.first + blank.end())
            ]
            back = line.way == LEFT and self._edges(line, blank.end())[0] < self._edges(line, blank.start() - 1)[0]
            if back or abs(heights[0] - heights[1]) > _STRAIGHT * line.size:
                found.append(blank.end())
        return found

    def _line(self, text: str, start: int, cuts: bool) -> tuple[Line, float]:
        """A line as measured at its ends, and how far its last letter stands above or below the first."""
        first, last = self._index(start), self._index(start + len(text) - 1)
        handle, matrix, rect = self._handle, self._matrix, self._rect
        x, y = self._origin(first)
        far_x, far_y = self._origin(last)
        pdfium.FPDFText_GetMatrix(handle, first, matrix)
        scale = math.hypot(matrix.c, matrix.d) or 1.0
        way = _way(matrix.a, matrix.b, far_x - x, far_y - y)
        sizes = [_within(abs(pdfium.FPDFText_GetFontSize(handle, at) * scale)) for at in (first, last)]
        boxes = []
        for at in (first, last):
            pdfium.FPDFText_GetLooseCharBox(handle, at, rect)
            boxes.append((rect.left, rect.bottom, rect.right, rect.top))
        turned = [_turned(way, *box) for box in boxes]
        base = _turned(way, x, y, x, y)[1]
        line = Line(
            text=_clean(text),
            first=start,
            left=min(box[0] for box in turned),
            right=max(box[2] for box in turned),
            base=base,
            size=min(sizes),
            largest=max(sizes),
            bold=self._bold(first) and self._bold(last),
            way=way,
            cuts=cuts,
        )
        return line, abs(_turned(way, far_x, far_y, far_x, far_y)[1] - base)

    def _index(self, text_index: int) -> int:
        """A character's index among those of the page, some of which have no text."""
        if self._units:
            text_index = self._units[text_index]
        if self._straight:
            return text_index
        index: int = pdfium.FPDFText_GetCharIndexFromTextIndex(self._handle, text_index)
        return max(0, index)

    def _origin(self, at: int) -> tuple[float, float]:
        pdfium.FPDFText_GetCharOrigin(self._handle, at, self._x, self._y)
        return self._x.value, self._y.value

    def _edges(self, line: Line, at: int) -> tuple[float, float]:
        """Where a character of a line begins and ends in its direction."""
        rect = self._rect
        pdfium.FPDFText_GetLooseCharBox(self._handle, self._index(line.first + at), rect)
        if line.way == RIGHT and -_FARTHEST < rect.left <= rect.right < _FARTHEST:
            return rect.left, rect.right
        turned = _turned(line.way, rect.left, rect.bottom, rect.right, rect.top)
        return turned[0], turned[2]

    def _bold(self, at: int) -> bool:
        length = pdfium.FPDFText_GetFontInfo(self._handle, at, self._name, _NAME_BYTES, self._flags)
        return 0 < length <= _NAME_BYTES and bool(_BOLD.search(self._name.value.decode("utf-8", "replace")))

    def _seen(self, line: Line) -> bool:
        """Whether a line, or a part of it, lies on the page."""
        left, bottom, right, top = _turned(line.way, *self._box)
        return line.left < right and line.right > left and line.base < top and line.base + line.size > bottom


def _clean(text: str) -> str:
    """The text of a line, as long as before; a hyphen at its very end cuts nothing."""
    return text.replace(CUT_WORD, "-").replace("\x02", "-")


def _way(a: float, b: float, across: float, along: float) -> int:
    """The reading direction: that of the letters, or down where upright letters stand below each other."""
    if abs(b) > abs(a):
        return UP if b > 0 else DOWN
    if abs(along) > 2 * abs(across) and abs(along) > 1:
        return DOWN if along < 0 else UP
    return LEFT if a < 0 else RIGHT


def _within(value: float) -> float:
    """A measure of a damaged page may be no number, or one without end."""
    return value if -_FARTHEST < value < _FARTHEST else 0.0


def _turned(way: int, left: float, bottom: float, right: float, top: float) -> tuple[float, float, float, float]:
    """A box as seen when the page is turned so that the lines run to the right and follow each other downwards."""
    left, bottom, right, top = _within(left), _within(bottom), _within(right), _within(top)
    if way == RIGHT:
        return left, bottom, right, top
    if way == LEFT:
        return -right, -top, -left, -bottom
    return (bottom, -right, top, -left) if way == UP else (-top, left, -bottom, right)
