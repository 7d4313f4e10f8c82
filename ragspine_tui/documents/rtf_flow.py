"""One flow of RTF text: the body, a note, a header. Paragraphs and the rows of tables as they end."""

from __future__ import annotations

from ragspine_tui.documents.gathered import GatheredText
from ragspine_tui.documents.office_fields import label_row
from ragspine_tui.documents.rtf_state import Head, State
from ragspine_tui.documents.table_rows import TableRows
from ragspine_tui.types import BlockKind


class Flow:
    """Writes to `out` as it goes, or keeps its lines where there is none.

    `hanging` is what follows the paragraph or row that is open, each text with its place.
    """

    def __init__(self, out: GatheredText | None, part: str = "") -> None:
        self.pieces: list[str] = []
        self.hanging: list[tuple[str, str]] = []
        self.part = part
        self.title = ""
        self._out = out
        self._lines: list[str] = []
        self._cells: list[str] = []
        self._nested: list[str] = []
        self._rows: list[str] = []
        self._table = self._new_table()

    def paragraph(self, state: State, head: Head) -> None:
        """Ends a paragraph; one in a cell goes on in the cell."""
        if state.in_table:
            self.pieces.append(" ")
            return
        if self._cells:
            self.row()
        self._end_table()
        text = self._text()
        level = state.outline + 1 if 0 <= state.outline < 9 else 0
        level = level or (head.level_of(state.style) if state.outline < 0 else 0)
        style = head.styles.get(state.style)
        if style is not None and style.name == "title":
            level = level or 1
            self.title = self.title or " ".join(text.split())[:1_000]
        if level:
            self._write(" ".join(text.split()), BlockKind.HEADING, level)
        else:
            self._write(text, BlockKind.LIST if state.listed else BlockKind.PARAGRAPH)
        self._hang()

    def cell(self, *, nested: bool = False) -> None:
        """Ends a cell."""
        (self._nested if nested else self._cells).append(" ".join(self._text().split()))

    def row(self, *, nested: bool = False) -> None:
        """Ends a row; rows of an inner table come after the row they stand in."""
        if nested:
            self._rows.append("\t".join(self._nested).rstrip("\t"))
            self._nested = []
            return
        cells, self._cells = self._cells, []
        inner, self._rows = self._rows, []
        hanging, self.hanging = self.hanging, []
        if self._out is not None:
            label_row(self._out, cells)
        self._table.row(cells, after=lambda: self._after_row(inner, hanging))

    def _after_row(self, inner: list[str], hanging: list[tuple[str, str]]) -> None:
        for text in inner:
            self._write(text, BlockKind.TABLE)
        for text, place in hanging:
            self._write(text, BlockKind.PARAGRAPH, place=place)

    def finish(self) -> None:
        """Writes what no control word ended."""
        if self._nested:
            self.row(nested=True)
        if self._cells or self._rows:
            rest = self._text()
            self._cells += [rest] if rest else []
            self.row()
        self._end_table()
        self._write(self._text(), BlockKind.PARAGRAPH)
        self._hang()

    def _end_table(self) -> None:
        self._table.flush()
        self._table = self._new_table()

    def _new_table(self) -> TableRows:
        return TableRows(lambda text: self._write(text, BlockKind.TABLE))

    def _hang(self) -> None:
        for text, place in self.hanging:
            self._write(text, BlockKind.PARAGRAPH, place=place)
        self.hanging = []

    def flat(self) -> str:
        """All of the flow in lines."""
        self.finish()
        return "\n".join(self._lines)

    def _text(self) -> str:
        text = "".join(self.pieces)
        self.pieces.clear()
        if "\n" in text:
            text = "\n".join(line for line in map(str.strip, text.split("\n")) if line)
        return text.strip()

    def _write(self, text: str, kind: BlockKind, level: int = 0, *, place: str = "") -> None:
        if self._out is not None:
            self._out.add(text, kind, level=level, part=self.part, place=place)
        elif text:
            self._lines.append(text)
