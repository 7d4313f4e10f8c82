"""Sheets of any workbook: a heading for each, a block for each row with the names of its columns and its comments.

The part is the sheet, the place of a row its range (`Sheet1!A14:F14`, `Sheet1!B3` for one cell). A row says what its
columns are called where the first row of the table can be nothing but names. Rows beyond MAX_ROWS are packed, and their
place is the range of all; beyond NAMED_ROWS they are their values alone.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Final

from ragspine_tui.documents.bounds import check_count
from ragspine_tui.documents.delimiters import has_header
from ragspine_tui.documents.extracted import MAX_TEXT
from ragspine_tui.documents.gathered import GatheredText
from ragspine_tui.documents.office_fields import label_row
from ragspine_tui.types import BlockKind

MAX_ROWS: Final = 20_000
NAMED_ROWS: Final = 200_000
_PACKED: Final = 400
_SAMPLE: Final = 20
_SEARCHES: Final = 100
_NAMED_COLUMNS: Final = 60
_NAME: Final = 40
_MOST_TABLES: Final = 50
_REFERENCE: Final = re.compile(r"([A-Za-z]{1,3})([0-9]{1,8})")


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a row that hold text, in order: column and text. Rows count from 1, columns from 0."""

    number: int
    cells: Sequence[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Table:
    """A range whose columns have names; its rows are those after `head` up to `last`."""

    head: int
    last: int
    names: Mapping[int, str]


@dataclass(slots=True)
class Sheet:
    """One sheet to be written; `comments` are by row, each with its column and what follows its place."""

    name: str
    rows: Iterable[Row]
    comments: dict[int, list[tuple[int, str]]] = field(default_factory=dict)
    tables: list[Table] = field(default_factory=list)


def column_name(column: int) -> str:
    """`A` for 0, `AA` for 26."""
    name = ""
    column += 1
    while column > 0:
        column, letter = divmod(column - 1, 26)
        name = chr(65 + letter) + name
    return name


def cell_place(reference: str) -> tuple[int, int] | None:
    """Row (from 1) and column (from 0) of `B3`, None where it is no such reference."""
    match = _REFERENCE.fullmatch(reference)
    return (int(match[2]), _column(match[1])) if match else None


@lru_cache(maxsize=20_000)
def _column(letters: str) -> int:
    column = 0
    for letter in letters.upper():
        column = column * 26 + ord(letter) - 64
    return column - 1


class SheetWriter:
    """Writes the sheets of one workbook."""

    def __init__(self, out: GatheredText) -> None:
        self._out = out
        self._written = 0
        self._sheet = ""
        self._named = True
        self._packed: list[str] = []
        self._range = (0, 0, 0, 0)

    def write(self, sheet: Sheet) -> None:
        """One sheet; nothing where it is empty."""
        self._sheet, self._named = " ".join(sheet.name.split()), True
        tables = sheet.tables[:_MOST_TABLES]
        for row, names in _with_names(sheet.rows):
            known = [table for table in tables if table.head < row.number <= table.last]
            self._row(row, names, known, sheet.comments.pop(row.number, []))
        for number in sorted(sheet.comments):
            self._row(Row(number, ()), {}, [], sheet.comments[number])
        self._flush()

    def add(self, text: str, place: str = "") -> None:
        """What a sheet says beside its cells, at a cell or a named place of the sheet that was written last."""
        if text and not text.isspace():
            self._begin()
            place = f"{self._sheet}!{place}" if place else ""
            self._out.add(text, BlockKind.PARAGRAPH, part=self._sheet, place=place)

    def _row(
        self, row: Row, names: Mapping[int, str], tables: Sequence[Table], comments: Iterable[tuple[int, str]]
    ) -> None:
        shown = []
        columns = [column for column, _ in row.cells]
        label_row(self._out, (text for _, text in row.cells))
        length = 0
        for column, text in row.cells:
            # A few bytes can point at one long text again and again.
            length += len(text)
            check_count(length, MAX_TEXT, "characters of text")
            name = next((table.names[column] for table in tables if column in table.names), names.get(column, ""))
            shown.append(f"{name}: {text}" if name and self._written < NAMED_ROWS and name != text else text)
        for column, text in comments:
            columns.append(column)
            shown.append(f"Comment on {column_name(column)}{row.number}{text}")
        if not shown:
            return
        self._written += 1
        self._pack("\t".join(shown), row.number, min(columns), max(columns))

    def _pack(self, text: str, number: int, first: int, last: int) -> None:
        left, right, top, _ = self._range if self._packed else (first, last, number, 0)
        self._packed.append(text)
        self._range = (min(left, first), max(right, last), top, number)
        if self._written <= MAX_ROWS or sum(map(len, self._packed)) > _PACKED:
            self._flush()

    def _flush(self) -> None:
        if not self._packed:
            return
        left, right, top, bottom = self._range
        place = f"{column_name(left)}{top}"
        if (left, top) != (right, bottom):
            place += f":{column_name(right)}{bottom}"
        self._begin()
        text = "\n".join(self._packed)
        self._out.add(text, BlockKind.TABLE, part=self._sheet, place=f"{self._sheet}!{place}")
        self._packed = []

    def _begin(self) -> None:
        """The sheet's heading, before the first thing in it."""
        if self._named:
            self._named = False
            self._out.add(self._sheet, BlockKind.HEADING, level=1, part=self._sheet)


def _with_names(rows: Iterable[Row]) -> Iterator[tuple[Row, Mapping[int, str]]]:
    """Each row with the names of its columns, which the first row of a table gives; the row of names has none."""
    coming = iter(rows)
    ahead = deque(islice(coming, _SAMPLE))
    names: Mapping[int, str] = {}
    before = Row(-1, ())
    searches = 0
    while ahead:
        row = ahead.popleft()
        ahead.extend(islice(coming, 1))
        found: Mapping[int, str] = {}
        begins = row.number > before.number + 1 or len(before.cells) < 2
        if begins and len(row.cells) > 1 and searches < _SEARCHES:
            searches += 1
            found = _names(row, ahead)
        if row.number > before.number + 1 and 2 * len(row.cells) < max(4, len(names)):
            # A remark below the table, not a row of it.
            names = {}
        names = found or names
        yield row, {} if found else names
        before = row


def _names(head: Row, following: Iterable[Row]) -> Mapping[int, str]:
    """The names in a row, looked for in each run of columns side by side: tables may stand next to each other."""
    below = list(following)
    names: dict[int, str] = {}
    run: list[tuple[int, str]] = []
    for cell in (*head.cells, (1 << 20, "")):
        if run and cell[0] != run[-1][0] + 1:
            names.update(_run_names(run, below))
            run = []
        run.append(cell)
    return names


def _run_names(run: Sequence[tuple[int, str]], below: Iterable[Row]) -> dict[int, str]:
    first, width = run[0][0], len(run)
    if not 1 < width <= _NAMED_COLUMNS:
        return {}
    dense = [[text for _, text in run]]
    for row in below:
        cells = [""] * width
        for column, text in row.cells:
            if first <= column < first + width:
                cells[column - first] = text
        dense.append(cells)
    return {column: text[:_NAME].strip() for column, text in run} if has_header(dense) else {}
