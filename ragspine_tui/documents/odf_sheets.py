"""The rows of an OpenDocument spreadsheet: cells as they are shown, dates in ISO form too, repetitions bounded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

from ragspine_tui.documents.odf_text import SHAPES, inline, paragraphs_below, remark
from ragspine_tui.documents.sheets import Row, column_name

_CELLS: Final = frozenset({"table:table-cell", "table:covered-table-cell"})
_NUMBERS: Final = frozenset({"float", "currency", "percentage"})
_MIDNIGHT: Final = re.compile(r"T00:00:00(?:\.0+)?Z?\Z")
_MOST_COLUMNS: Final = 64
_MOST_ROWS: Final = 16


class SheetRows:
    """The rows of one sheet; comments and shapes are collected as the rows go by."""

    def __init__(self) -> None:
        self.comments: dict[int, list[tuple[int, str]]] = {}
        self.shapes: list[tuple[str, Element]] = []
        self._next = 1

    def rows(self, element: Element) -> Iterator[Row]:
        """The rows that one element stands for: a row with text that is repeated comes a few times only."""
        number = self._next
        times = _count(element.get("table:number-rows-repeated"))
        self._next += times
        cells = self._cells(element, number)
        if cells:
            for place in range(min(times, _MOST_ROWS)):
                yield Row(number + place, cells)

    def _cells(self, row: Element, number: int) -> list[tuple[int, str]]:
        found: list[tuple[int, str]] = []
        column = 0
        for cell in row:
            if cell.tag not in _CELLS:
                continue
            times = _count(cell.get("table:number-columns-repeated"))
            if len(cell) or cell.get("office:value-type"):
                text = self._text(cell, number, column)
                found.extend((column + place, text) for place in range(min(times, _MOST_COLUMNS)) if text)
            column += times
        return found

    def _text(self, cell: Element, number: int, column: int) -> str:
        lines = []
        for child in cell:
            if child.tag == "office:annotation":
                author, text = remark(child)
                self._comment(number, column, author, text)
            elif child.tag in SHAPES:
                self.shapes.append((f"{column_name(column)}{number}", child))
            elif child.tag == "text:p":
                found = inline(child)
                lines.append(found.text)
                for author, text in map(remark, found.annotations):
                    self._comment(number, column, author, text)
            else:
                lines += [inline(each).text for each in paragraphs_below(child)]
        return _value(cell, " ".join(" ".join(lines).split()))

    def _comment(self, number: int, column: int, author: str, text: str) -> None:
        text = " ".join(text.split())
        if text:
            said = f" by {author}: {text}" if author else f": {text}"
            self.comments.setdefault(number, []).append((column, said))


def _value(cell: Element, shown: str) -> str:
    kind = cell.get("office:value-type", "")
    if kind == "date" and (day := cell.get("office:date-value")):
        iso = _MIDNIGHT.sub("", day).replace("T", " ")
        return f"{iso} ({shown})" if shown and shown != iso else iso
    value = cell.get("office:value", "")
    if kind in _NUMBERS and value:
        return _without_groups(shown, value) or value
    return shown


def _without_groups(shown: str, value: str) -> str:
    """A number as it is shown, but with nothing between its thousands."""
    whole = value.lstrip("-").partition(".")[0]
    if len(whole) < 4 or not whole.isdecimal() or len(whole) > 15:
        return shown
    head = len(whole) % 3 or 3
    groups = [whole[:head], *(whole[start : start + 3] for start in range(head, len(whole), 3))]
    return re.sub("[.,'’ \u00a0\u202f]".join(groups), whole, shown, count=1)


def _count(value: str | None) -> int:
    """How often something is repeated, from 1."""
    return max(1, int(value)) if value and value.isascii() and value.isdecimal() and len(value) < 8 else 1
