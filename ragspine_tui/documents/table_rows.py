"""The rows of a table in a text: each as a line, and in long tables with the names of its columns.

A long table is cut into several passages, and only the first would say what the columns are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from ragspine_tui.documents.delimiters import has_header

LEAST_ROWS: Final = 6
"""Tables of fewer rows are left as they are written."""
_SAMPLE: Final = 20
_NAME: Final = 40
_NAMED_COLUMNS: Final = 60


class TableRows:
    """Writes the rows of one table as soon as the first ones have said whether they begin with names."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._waiting: list[tuple[Sequence[str], Callable[[], None] | None]] = []
        self._names: Sequence[str] = ()
        self._declared = self._decided = False

    def row(self, cells: Sequence[str], *, is_head: bool = False, after: Callable[[], None] | None = None) -> None:
        """One row; `is_head` where the file says that it is one of names, `after` writes what hangs on the row."""
        if not self._waiting and not self._decided:
            self._declared = is_head
        self._waiting.append((cells, after))
        if self._decided or len(self._waiting) >= _SAMPLE:
            self.flush()

    def flush(self) -> None:
        """Writes what has come so far."""
        rows = [cells for cells, _ in self._waiting]
        if not self._decided and len(rows) >= LEAST_ROWS:
            self._decided = True
            if self._begins_with_names(rows):
                self._names = [cell[:_NAME].strip() for cell in rows[0]]
                self._write_first()
        waiting, self._waiting = self._waiting, []
        for cells, after in waiting:
            self._write("\t".join(map(self._shown, range(len(cells)), cells)).rstrip("\t"))
            if after is not None:
                after()

    def _write_first(self) -> None:
        cells, after = self._waiting.pop(0)
        self._write("\t".join(cells).rstrip("\t"))
        if after is not None:
            after()

    def _begins_with_names(self, rows: Sequence[Sequence[str]]) -> bool:
        names = [name.casefold() for name in rows[0] if name]
        if len(rows[0]) > _NAMED_COLUMNS or len(set(names)) < len(names):
            return False
        short = all(len(name) <= _NAME for name in names)
        return (self._declared and len(names) > 1 and short) or has_header(rows)

    def _shown(self, place: int, cell: str) -> str:
        name = self._names[place] if place < len(self._names) else ""
        return f"{name}: {cell}" if name and cell else cell
