"""Laying text out by terminal cells: runs, lines, cuts, wraps, snippets and short locators. Knows no widget."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from rich.cells import cell_len

from ragspine_tui.printable import one_line, printable
from ragspine_tui.tui.glyphs import Glyphs
from ragspine_tui.types import Hit, Span, shown_path

_PART_CELLS: Final = 24


class Run(NamedTuple):
    """Text in one role; the role names a style (`''`, `dim`, `strong`, `match`, `accent`, `warn`)."""

    text: str
    role: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One row: `left` is cut with an ellipsis so that `right` always stands whole at the right edge."""

    left: tuple[Run, ...] = ()
    right: tuple[Run, ...] = ()

    def fitted(self, width: int, ellipsis: str) -> list[Run]:
        """The runs that fill exactly `width` cells."""
        right = self.right if width_of(self.right) < width else ()
        room = width - width_of(right)
        left = fit(self.left, room - 1 if right else room, ellipsis)
        return [*left, Run(" " * (room - width_of(left))), *right]


def width_of(runs: Sequence[Run]) -> int:
    """How many cells the runs take."""
    return sum(cell_len(run.text) for run in runs)


def cut(text: str, width: int) -> str:
    """The longest start of the text that fits into `width` cells, with the marks of its last character."""
    if text.isascii():
        return text[: max(0, width)]
    used = 0
    for index, char in enumerate(text):
        used += cell_len(char)
        if used > width:
            return text[:index]
    return text


def cut_middle(text: str, width: int, ellipsis: str) -> str:
    """The text in `width` cells, its middle left out; of a path the end says most, so it keeps two thirds."""
    if cell_len(text) <= width:
        return text
    room = max(0, width - cell_len(ellipsis))
    end = cut(text[::-1], room - room // 3)[::-1]
    # A cut may fall before a character that only joins the one it lost.
    while end and not cell_len(end[0]):
        end = end[1:]
    return cut(text, room // 3) + cut(ellipsis, width) + end


def rows_of(runs: Sequence[Run], width: int) -> list[list[Run]]:
    """The runs as rows of at most `width` cells, all of them."""
    text = "".join(run.text for run in runs)
    return [_between(runs, start, end) for start, end in wrap(text, width)]


def unfolded(line: Line, width: int) -> list[Line]:
    """The line as rows in which nothing is cut, the later ones as far in as the first."""
    if width_of(line.left) + width_of(line.right) < width:
        return [line]
    text = "".join(run.text for run in line.left)
    blanks = min(len(text) - len(text.lstrip(" ")), width // 2)
    body = _between(line.left, blanks, len(text))
    first, *rest = rows_of(body, max(1, width - blanks - width_of(line.right) - 1))
    indent = Run(" " * blanks)
    return [Line((indent, *first), line.right), *(Line((indent, *row)) for row in rest)]


def _between(runs: Sequence[Run], start: int, end: int) -> list[Run]:
    taken, at = [], 0
    for run in runs:
        piece = run.text[max(0, start - at) : max(0, end - at)]
        at += len(run.text)
        if piece:
            taken.append(Run(piece, run.role))
    return taken


def fit(runs: Sequence[Run], width: int, ellipsis: str) -> list[Run]:
    """The runs cut to `width` cells, ending in the ellipsis where something was cut."""
    if width_of(runs) <= width:
        return list(runs)
    room = max(0, width - cell_len(ellipsis))
    fitted: list[Run] = []
    for run in runs:
        taken = cut(run.text, room)
        fitted.append(Run(taken, run.role))
        room -= cell_len(taken)
        if len(taken) < len(run.text):
            break
    tail = cut(ellipsis, width)
    return [*fitted, Run(tail, fitted[-1].role if fitted else "")]


_WIDE = (
    "\u1100-\u115e\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60"
    "\uffe0-\uffe6\U0001f300-\U0001faff\U00020000-\U0003fffd"
)
_OPENING = "「『（【〈《〔［｛“‘"
_CLOSING = "、。，．・：；？！」』）】〉》〕］｝”’ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々…"
_TOKEN = re.compile(
    rf"[ \t]+|[{_OPENING}]*[{_WIDE}][\u0300-\u036f\u3099\u309a\ufe00-\ufe0f\u200d]*[{_CLOSING}]*|[^ \t{_WIDE}]+|."
)


def wrap(text: str, width: int) -> list[tuple[int, int]]:
    """Rows of a text as half-open spans, at most `width` cells each; breaks at spaces and between wide characters.

    Line feeds end rows and belong to none; blanks at a break are left out. A word wider than a row is cut by cells.
    """
    rows: list[tuple[int, int]] = []
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        rows.extend(_wrap_line(text, start, end - line.endswith(("\r", "␍")), max(1, width)))
        start = end + 1
    return rows


def _wrap_line(text: str, start: int, end: int, width: int) -> Iterator[tuple[int, int]]:
    if end - start <= width and text[start:end].isascii() and "\t" not in text[start:end]:
        yield start, end
        return
    row, used = start, 0
    for token in _TOKEN.finditer(text, start, end):
        here, cells = token.start(), cell_len(token.group().replace("\t", "    "))
        if used + cells <= width:
            used += cells
            continue
        if token.group().isspace():
            used = width + 1
            continue
        if here > row:
            yield row, _without_blanks(text, row, here)
            row = here
        while cells > width:
            taken = max(1, len(cut(text[row : token.end()], width)))
            yield row, row + taken
            row += taken
            cells = cell_len(text[row : token.end()])
        used = cells
    yield row, end


def _without_blanks(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1] in " \t":
        end -= 1
    return end


def styled(text: str, offset: int, marks: Sequence[Span], role: str, base: str = "") -> list[Run]:
    """The text as runs where `marks` (spans counted from `-offset`) take the role."""
    runs: list[Run] = []
    at = 0
    for mark in marks:
        start, end = max(at, mark.start - offset), min(len(text), mark.end - offset)
        if start >= end:
            continue
        if start > at:
            runs.append(Run(text[at:start], base))
        runs.append(Run(text[start:end], role))
        at = end
    if at < len(text):
        runs.append(Run(text[at:], base))
    return runs


_BLANKS = re.compile(r"\s+")
_LEAD = 0.3


def snippet(hit: Hit, width: int, glyphs: Glyphs) -> list[Run]:
    """One row of a hit's literal text, blanks collapsed, moved so that its first matched word is in sight."""
    text, marks = _flattened(hit.text, hit.highlights)
    start = 0
    if marks and cell_len(text[: marks[0].end]) > width - 2:
        start = _lead(text, marks[0].start, int(width * _LEAD))
    runs = styled(one_line(text[start:]), start, marks, "match")
    return fit([Run(glyphs.ellipsis), *runs] if start else runs, width, glyphs.ellipsis)


def _lead(text: str, at: int, cells: int) -> int:
    start = at
    while start > 0 and cell_len(text[start - 1 : at]) <= cells:
        start -= 1
    space = text.find(" ", start, at)
    return space + 1 if space >= 0 else start


def _flattened(text: str, marks: Sequence[Span]) -> tuple[str, list[Span]]:
    """The text with each run of blanks made one space, and the marks moved along with it."""
    pieces: list[str] = []
    moved: list[tuple[int, int]] = []  # where in the old text each piece starts, and in the new
    at = new = 0
    for blank in [*_BLANKS.finditer(text), None]:
        end = blank.start() if blank else len(text)
        moved.append((at, new))
        pieces.append(text[at:end])
        new += end - at
        if blank:
            if new:
                pieces.append(" ")
                new += 1
            at = blank.end()
    flat = "".join(pieces)
    return flat.rstrip(), [Span(*sorted((_place(moved, m.start), _place(moved, m.end)))) for m in marks]


def _place(moved: Sequence[tuple[int, int]], position: int) -> int:
    old, new = 0, 0
    for piece_old, piece_new in moved:
        if piece_old > position:
            return min(new + position - old, max(new, piece_new))
        old, new = piece_old, piece_new
    return new + position - old


_PARAGRAPHS = re.compile(r"#para(\d+)(?:-(\d+))?\Z")


def paragraphs(locator: str, glyphs: Glyphs) -> str:
    """`¶12` or `¶12–14` of a locator, '' where it has none."""
    found = _PARAGRAPHS.search(locator)
    if not found:
        return ""
    first, last = found.groups()
    return f"{glyphs.paragraph}{first}" + (f"{glyphs.dash}{last}" if last and last != first else "")


def place(hit: Hit, glyphs: Glyphs) -> str:
    """Page, part and paragraph of a hit in a few cells: `p.31 ¶4`, `slide 3 ¶9`."""
    page = f"p.{hit.page}" if hit.page else ""
    part = cut_middle(one_line(hit.part), _PART_CELLS, glyphs.ellipsis)
    return " ".join(one for one in (page, part, paragraphs(hit.locator, glyphs)) if one)


def path_of(hit: Hit) -> str:
    """The hit's document as people see it, on one line."""
    return one_line(shown_path(hit.document))


def citation(hit: Hit) -> str:
    """A hit's place for quoting: title where it says more than the path, library, locator, line, page and part."""
    title = one_line(hit.title).strip()
    where = f"{hit.library_id}: {one_line(shown_path(hit.locator))}"
    details = [f"line {hit.line}" if hit.line else "", f"p. {hit.page}" if hit.page else "", one_line(hit.part)]
    tail = ", ".join(detail for detail in details if detail)
    head = f"{title}. " if title and title != path_of(hit) else ""
    return f"{head}{where}" + (f" ({tail})" if tail else "")


def counted(number: int, one: str, many: str = "") -> str:
    """`1 document`, `1,204 documents`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def untabbed(text: str) -> str:
    """Printable text of one row with tabs as four spaces, for drawing only."""
    return printable(text).replace("\t", "    ").replace("␍", " ")
