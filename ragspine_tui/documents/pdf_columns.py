"""The order in which a page is read: as it was written, but where its lines run across columns or in disorder.

Columns of text are read one after the other; what stands in rows, as tables do, is read row by row with tabs between
the cells.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from statistics import median
from typing import Final

from ragspine_tui.documents.pdf_lines import RIGHT, Line, PageText

_SAMPLED: Final = 12
_DEEPEST: Final = 4
_LABEL: Final = re.compile(r"(?:[^\w\s()\[\]]{1,2}|\(?(?:\d{1,3}(?:\.\d{1,3}){0,5}|[A-Za-z]|[ivxIVX]{1,5})[.)]?)\Z")


def reading_order(page: PageText, lines: list[Line]) -> list[Line]:
    """The lines of a page as a person reads them."""
    ways = Counter(line.way for line in lines)
    way = max(ways, key=lambda one: (ways[one], -one), default=RIGHT)
    body = [line for line in lines if line.way == way and line.size > 0]
    orderly = len(body) < 2 or len(body) * 2 < len(lines)
    if orderly or not (_in_disorder(body) or _runs_across(page, body)):
        return [page.spaced(line) for line in lines]
    pieces = [page.spaced(piece) for line in body for piece in _split(page, line)]
    others = [line for line in lines if line.way != way or line.size <= 0]
    return [*_ordered(pieces, 0), *others]


def _in_disorder(lines: Sequence[Line]) -> bool:
    """Whether lines follow each other sideways or upwards more often than columns and headers explain."""
    sideways = upwards = climbs = 0
    for line, after in pairwise(lines):
        apart = after.left > line.right or after.right < line.left
        sideways += abs(line.base - after.base) < 0.6 * line.size and apart
        rise = 0 if after.left > line.right else after.base - line.base
        climbs += rise > 0.5 * line.size
        upwards += rise > 2 * line.size
    return max(sideways, upwards) > max(2, len(lines) // 10) or climbs * 2 >= len(lines)


def _runs_across(page: PageText, lines: Sequence[Line]) -> bool:
    """Whether a sample of the lines has blanks as wide as those between columns."""
    spaced = [line for line in lines if " " in line.text]
    step = max(1, len(spaced) // _SAMPLED)
    return sum(bool(page.gaps(line, line.size)) for line in spaced[::step]) >= 2


def _split(page: PageText, line: Line) -> list[Line]:
    """The parts of a line between wide blanks; the label of a list item or heading stays with its text."""
    pieces: list[Line] = []
    start, left = 0, line.left
    for at, edge, after in page.gaps(line, line.size):
        text = line.text[start:at].rstrip()
        if _LABEL.match(text) and len(text) <= 12 and after - edge < 4 * line.size:
            continue
        pieces.append(replace(line, text=text, first=line.first + start, left=left, right=edge, cuts=False))
        start, left = at, after
    return [*pieces, replace(line, text=line.text[start:], first=line.first + start, left=left)]


def _ordered(pieces: list[Line], depth: int) -> list[Line]:
    gutter = _gutter(pieces) if depth < _DEEPEST and len(pieces) >= 6 else None
    if gutter is None:
        return _rows(pieces)
    free = [piece for piece in pieces if not piece.left < gutter < piece.right]
    if not _are_columns(free, gutter):
        return _rows(pieces)
    ordered: list[Line] = []
    band: list[Line] = []
    across: list[Line] = []
    for piece in sorted(pieces, key=lambda one: -one.base):
        if piece.left < gutter < piece.right:
            ordered += _band(band, gutter, depth)
            band = []
            across.append(piece)
        else:
            ordered += _rows(across)
            across = []
            band.append(piece)
    return [*ordered, *_band(band, gutter, depth), *_rows(across)]


def _band(band: list[Line], gutter: float, depth: int) -> list[Line]:
    """What stands between two lines across the gutter."""
    before = [piece for piece in band if piece.right <= gutter]
    behind = [piece for piece in band if piece.right > gutter]
    if len(band) > 4 and before and behind and _is_table(before, behind):
        return _rows(band)
    return [*_ordered(before, depth + 1), *_ordered(behind, depth + 1)]


def _gutter(pieces: Sequence[Line]) -> float | None:
    """The middle of the emptiest upright strip with text on both sides; None where there is none."""
    low, high = min(piece.left for piece in pieces), max(max(piece.left, piece.right) for piece in pieces)
    width = median(piece.size for piece in pieces) / 4
    count = int((high - low) / width) + 1 if width > 0 else 0
    if not 8 <= count <= 4_000:
        return None
    changes = [0] * (count + 1)
    for piece in pieces:
        changes[int((piece.left - low) / width)] += 1
        changes[min(count, int((max(piece.left, piece.right) - low) / width) + 1)] -= 1
    cover, covers = 0, []
    for change in changes[:count]:
        cover += change
        covers.append(cover)
    middle = _emptiest(covers)
    return None if middle is None else low + middle * width


def _emptiest(covers: Sequence[int]) -> float | None:
    """The middle of the run of lowest values, at least three long, between much higher ones."""
    best: tuple[int, int, float] | None = None
    before = [*accumulate(covers, max)]
    behind = [*accumulate(reversed(covers), max)][::-1]
    start = 0
    for at in range(1, len(covers) + 1):
        if at < len(covers) and covers[at] == covers[start]:
            continue
        if start and at < len(covers) and at - start >= 3:
            sides = min(before[start - 1], behind[at])
            if covers[start] <= 0.6 * sides:
                found = (covers[start], start - at, (start + at) / 2)
                best = found if best is None or found < best else best
        start = at
    return best[2] if best else None


def _are_columns(free: Sequence[Line], gutter: float) -> bool:
    before = [piece for piece in free if piece.right <= gutter]
    behind = [piece for piece in free if piece.right > gutter]
    return min(len(before), len(behind)) >= 3 and not _is_table(before, behind)


def _is_table(before: Sequence[Line], behind: Sequence[Line]) -> bool:
    """Whether one side holds no running text: its lines are not filled, or none goes on with a sentence."""
    return not (_is_running(before) and _is_running(behind))


def _is_running(side: Sequence[Line]) -> bool:
    """Whether a side holds running text, in one column or in several."""
    if _fills(side):
        return True
    gutter = _gutter(side) if len(side) >= 6 else None
    if gutter is None or any(piece.left < gutter < piece.right for piece in side):
        return False
    before = [piece for piece in side if piece.right <= gutter]
    behind = [piece for piece in side if piece.right > gutter]
    return min(len(before), len(behind)) >= 3 and _is_running(before) and _is_running(behind)


def _fills(side: Sequence[Line]) -> bool:
    width = max(piece.right for piece in side) - min(piece.left for piece in side)
    fill = sum(piece.right - piece.left for piece in side) / (len(side) * width or 1)
    letters = sum(sum(map(str.isalpha, piece.text)) for piece in side) / (sum(len(piece.text) for piece in side) or 1)
    if fill < 0.55 or letters < 0.55 or sum(len(piece.text) for piece in side) < 8 * len(side):
        return False
    cased = [piece.text[0] for piece in side if piece.text and piece.text[0].lower() != piece.text[0].upper()]
    lower = sum(map(str.islower, cased))
    return lower >= 0.25 * len(side) if len(cased) * 2 > len(side) else fill >= 0.75


def _rows(pieces: list[Line]) -> list[Line]:
    """Pieces from top to bottom, those at one height as one line with tabs between them."""
    rows: list[list[Line]] = []
    for piece in sorted(pieces, key=lambda one: -one.base):
        if rows and rows[-1][0].base - piece.base < 0.5 * min(rows[-1][0].size, piece.size):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [_row(sorted(row, key=lambda one: one.left)) for row in rows]


def _row(cells: list[Line]) -> Line:
    first, last = cells[0], cells[-1]
    if len(cells) == 1:
        return first
    text = first.text
    apart = False
    for before, after in pairwise(cells):
        # What a raised or differently set sign cut off stands close.
        close = after.left - before.right < 0.6 * max(before.size, after.size)
        apart |= not close
        text += (" " if close else "\t") + after.text
    return replace(
        first,
        text=text,
        right=max(cell.right for cell in cells),
        size=min(cell.size for cell in cells),
        largest=max(cell.largest for cell in cells),
        bold=all(cell.bold for cell in cells),
        cuts=last.cuts,
        row=apart,
    )
