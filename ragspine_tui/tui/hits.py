"""The list of hits: two rows each, the place and the passage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType

from ragspine_tui.printable import one_line
from ragspine_tui.tui import keymap
from ragspine_tui.tui.rows import Rows
from ragspine_tui.tui.text import Line, Run, path_of, place, snippet, width_of
from ragspine_tui.types import Hit

_WORDS_CACHED = 512


class HitList(Rows):
    """The hits of the latest search; scores are left out, for those of two libraries do not compare."""

    BINDINGS: ClassVar[list[BindingType]] = keymap.bindings(keymap.MOVES, keymap.LISTS, keymap.PASSAGE, keymap.HITS)

    hits: tuple[Hit, ...] = ()

    def show(self, hits: Sequence[Hit], cursor: int = 0) -> None:
        """Show these hits with the cursor on one of them."""
        if self.hits == tuple(hits) and self.cursor == (cursor if hits else None):
            return
        self.hits = tuple(hits)
        self._snippets: dict[tuple[int, int], list[Run]] = {}
        self.set_heights([2] * len(self.hits), cursor)

    @property
    def chosen(self) -> Hit | None:
        """The hit under the cursor."""
        return self.hits[self.cursor] if self.cursor is not None and self.cursor < len(self.hits) else None

    def line(self, index: int, row: int, width: int) -> Line:
        """The place with its rank, or the passage."""
        hit = self.hits[index]
        return self._place(hit, width) if row == 0 else Line(tuple(self._passage(index, hit, width)))

    def _place(self, hit: Hit, width: int) -> Line:
        rank = (Run(f"#{hit.rank} ", "dim"),)
        where = place(hit, self.glyphs)
        left = [
            Run(" "),
            Run(one_line(hit.library_id), "accent"),
            Run(f" {self.glyphs.into} ", "dim"),
            Run(path_of(hit), "strong"),
            Run(f"  {where}" if where else "", "dim"),
            Run("  changed" if hit.stale else "", "warn"),
        ]
        if width_of(left) + width_of(rank) >= width:
            # The path says more than the paragraph, which the context names as well.
            del left[4]
        return Line(tuple(left), rank)

    def _passage(self, index: int, hit: Hit, width: int) -> list[Run]:
        key = (index, width)
        if key not in self._snippets:
            if len(self._snippets) > _WORDS_CACHED:
                self._snippets.clear()
            self._snippets[key] = [Run(" "), *snippet(hit, width - 2, self.glyphs)]
        return self._snippets[key]
