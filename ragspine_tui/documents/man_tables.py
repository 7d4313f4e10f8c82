"""Tables of roff (`.TS` to `.TE`): rows whose cells may be texts of many lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from ragspine_tui.documents.roff_escapes import printed, without_comment

_SEPARATOR: Final = re.compile(r"\btab[ \t]*\((.)\)")
_RULE: Final = re.compile(r"(?:\\?[_=]|\\\^|\s)*\Z")
_FONT: Final = re.compile(r"[.'][ \t]*(?:B|I|R|BR|BI|IB|IR|RB|RI|SM|SB)[ \t]+(.*)\Z")


class ManTable:
    """Collects the lines of one table; options and formats before its rows are no text."""

    def __init__(self) -> None:
        self._separator = "\t"
        self._formats = True
        self._begun = False
        self._cells: list[str] = []
        self._open: list[str] | None = None
        self._line = 0
        self._rows: list[tuple[int, str]] = []

    def takes(self, line: str) -> bool:
        """Whether a line belongs to the table, and is not the request that ends it."""
        return not line.startswith((".TE", "'TE", ".SH", ".SS"))

    def take(self, line: str, number: int, strings: Mapping[str, str]) -> None:
        """One more line."""
        if not self._begun and line.rstrip().endswith(";"):
            if found := _SEPARATOR.search(line):
                self._separator = found[1]
            self._begun = True
        elif self._formats:
            self._begun = True
            self._formats = not without_comment(line).rstrip().endswith(".")
        elif line.startswith(".T&"):
            self._formats = True
        elif self._open is not None:
            self._inside(line, strings, self._open)
        elif line[:1] in (".", "'") and not _FONT.match(line):
            return
        elif not _RULE.match(line):
            self._line = self._line if self._cells else number
            self._row(line, strings)

    def rows(self) -> Iterator[tuple[int, str]]:
        """The line and the text of each row."""
        if self._open is not None:
            self._cells.append(" ".join(self._open))
            self._open = None
        self._end_row()
        yield from self._rows

    def _inside(self, line: str, strings: Mapping[str, str], cell: list[str]) -> None:
        if line.startswith("T}"):
            self._cells.append(" ".join(cell))
            self._open = None
            rest = line[2:]
            if rest.startswith(self._separator):
                self._row(rest[len(self._separator) :], strings)
            else:
                self._end_row()
            return
        font = _FONT.match(line)
        if font or line[:1] not in (".", "'"):
            text = font[1] if font else without_comment(line)
            cell.append(" ".join(printed(text, strings).split()))

    def _row(self, line: str, strings: Mapping[str, str]) -> None:
        font = _FONT.match(line)
        cells = (font[1] if font else without_comment(line)).split(self._separator)
        opens = cells[-1].strip() == "T{"
        shown = [" ".join(printed(cell, strings).split()) for cell in (cells[:-1] if opens else cells)]
        self._cells += ["" if cell in ("\\^", "_", "=") else cell for cell in shown]
        if opens:
            self._open = []
        else:
            self._end_row()

    def _end_row(self) -> None:
        row = "\t".join(cell for cell in self._cells if cell)
        self._cells = []
        if row:
            self._rows.append((self._line, row))
