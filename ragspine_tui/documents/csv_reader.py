"""Tables in text: each row is a block that names its columns, so that a row reads well where it is found.

The place of a row is its line in the file and, in files of no more than MAX_ROWS lines, its place `row N`, the header
being row 1. Longer files are packed; very long or wide ones keep their values alone.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from ragspine_tui.documents.delimiters import delimiter_of, has_header
from ragspine_tui.documents.encoding import decode
from ragspine_tui.documents.extracted import ExtractedText, extracted_document, head_fields
from ragspine_tui.documents.lines import line_ends
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.types import BlockKind, Document

MAX_ROWS: Final = 20_000
"""Files of more lines have no place for each row."""
_NAMED_ROWS: Final = 200_000
_NAMED_COLUMNS: Final = 60
_NAME: Final = 40
_PACKED: Final = 400
_SAMPLE_ROWS: Final = 60
_ABOVE: Final = 10
# A quotation mark that is never closed would make one cell of all that follows.
_LONGEST_ROW: Final = 5_000
_LONGEST_CELL: Final = 2**31 - 1
_SEPARATOR: Final = re.compile(r"\"?sep=([^\w\"\r\n ])\"?[ \t]*(?:\r\n|\r|\n)", re.IGNORECASE)
_TABS: Final = frozenset({".tsv", ".tab"})


class CsvReader:
    """Values separated by commas, semicolons, tabs or bars; `text` is the rows with the names of their columns."""

    kind = "csv"
    suffixes: frozenset[str] = frozenset({".csv", ".tsv", ".tab", ".psv"})

    def claims(self, _head: bytes, _suffix: str, /) -> bool:
        """Never: text with commas is still text."""
        return False

    def read(self, source: SourceFile) -> Document:
        """One TABLE block a row."""
        decoded = decode(source.data)
        fields, start, notes = head_fields(decoded.text)
        written = ExtractedText()
        written.add(decoded.text[:start], BlockKind.FRONT_MATTER, line=1)
        skipped = line_ends(decoded.text, 0, start)
        remarks = _Table(decoded.text[start:], skipped, source.suffix).write(written)
        return extracted_document(source, self.kind, decoded, written, fields, notes + remarks, named=source.stem)


class _Table:
    """One file's rows: how they are cut, and what their columns are called."""

    def __init__(self, text: str, skipped: int, suffix: str) -> None:
        named = _SEPARATOR.match(text)
        self._text = text[named.end() :] if named else text
        self._line = skipped + (1 if named else 0)
        self._delimiter = named[1] if named else delimiter_of(self._text, "\t" if suffix in _TABS else ",")
        self._quoted = not self._is_open()
        self._count = line_ends(text, 0, len(text)) + 1

    def write(self, written: ExtractedText) -> tuple[str, ...]:
        """Adds every row; remarks for a person."""
        header, names = self._names()
        packed: list[str] = []
        size = first = 0
        by_row, alone = self._count <= MAX_ROWS, self._count <= _NAMED_ROWS
        for number, line, cells in self._rows():
            row = _shown(cells, names if number > header else ())
            if not row:
                continue
            if alone:
                written.add(row, BlockKind.TABLE, line=line, place=f"row {number}" if by_row else "")
                continue
            first = first if packed else line
            packed.append(row)
            size += len(row)
            if size > _PACKED:
                written.add("\n".join(packed), BlockKind.TABLE, line=first)
                packed, size = [], 0
        written.add("\n".join(packed), BlockKind.TABLE, line=first)
        return () if self._quoted else ("a quotation mark is never closed: they are read as they stand",)

    def _names(self) -> tuple[int, Sequence[str]]:
        """The row that names the columns, and the names; none where it holds values or the table is too large for them.

        Lines of a single cell may stand above it: a title, a date.
        """
        sample = [(number, cells) for _, (number, _, cells) in zip(range(_SAMPLE_ROWS), self._rows(), strict=False)]
        above = next((place for place, (_, cells) in enumerate(sample[:_ABOVE]) if len(cells) > 1), 0)
        rows = [cells for _, cells in sample[above:]]
        if self._count > _NAMED_ROWS or not rows or len(rows[0]) > _NAMED_COLUMNS or not has_header(rows):
            return 0, ()
        return sample[above][0], [" ".join(name.split())[:_NAME].strip() for name in rows[0]]

    def _rows(self) -> Iterator[tuple[int, int, list[str]]]:
        """Each row that is not blank: its number, as a program for tables counts, and its line, and its cells."""
        line = self._line + 1
        reader = _reader(self._text, self._delimiter, quoted=self._quoted)
        for number, cells in enumerate(reader, 1):
            if cells:
                yield number, line, cells
            line = self._line + reader.line_num + 1

    def _is_open(self) -> bool:
        """Whether a cell runs over so many lines that its quotation mark was no quotation."""
        if '"' not in self._text:
            return False
        last = 0
        reader = _reader(self._text, self._delimiter, quoted=True)
        for _ in reader:
            if reader.line_num - last > _LONGEST_ROW:
                return True
            last = reader.line_num
        return self._text.count('"') % 2 == 1 and _ends_inside(self._text, self._delimiter)


def _reader(text: str, delimiter: str, *, quoted: bool) -> Any:
    csv.field_size_limit(_LONGEST_CELL)
    lines = io.StringIO(text, newline="")
    if quoted:
        return csv.reader(lines, delimiter=delimiter)
    return csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)


def _ends_inside(text: str, delimiter: str) -> bool:
    """Whether the text ends inside a quotation that opened on an earlier line."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    last = 0
    try:
        for _ in reader:
            last = reader.line_num
    except csv.Error as error:
        return "unexpected end" in str(error) and reader.line_num - last > 1
    return False


def _shown(cells: Sequence[str], names: Sequence[str]) -> str:
    """A row as a person reads it: cells by tabs, each with its column's name where there is one."""
    shown: list[str] = []
    for place, cell in enumerate(cells):
        value = cell.strip().replace("\t", " ")
        if not value:
            continue
        name = names[place] if place < len(names) else ""
        shown.append(f"{name}: {value}" if name else value)
    return "\t".join(shown)
