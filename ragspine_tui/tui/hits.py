"""The list of hits: two rows each, the place and the passage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual.binding import BindingType

from ragspine_tui.printable import one_line
from ragspine_tui.tui import keymap
from ragspine_tui.tui.glyphs import Glyphs
from ragspine_tui.tui.rows import Rows
from ragspine_tui.tui.text import Line, Run, cut_middle, fit, path_of, place, snippet, width_of
from ragspine_tui.types import Hit

_WORDS_CACHED = 512
_PATH_CELLS = 8
_HEADING_CELLS = 6


class HitList(Rows):
    """The hits of the latest search; scores are left out, for those of two libraries do not compare."""

    BINDINGS: ClassVar[list[BindingType]] = keymap.bindings(keymap.MOVES, keymap.LISTS, keymap.PASSAGE, keymap.HITS)

    hits: tuple[Hit, ...] = ()
    gone: frozenset[str] = frozenset()

    def on_mount(self) -> None:
        """The context shows the chosen hit, wherever the keys are."""
        self.resting = self.glyphs.resting

    def show(self, hits: Sequence[Hit], cursor: int = 0, *, gone: frozenset[str] = frozenset()) -> None:
        """Show these hits with the cursor on one of them; `gone` are the chunk ids of those without a file."""
        if (self.hits, self.gone) == (tuple(hits), gone) and self.cursor == (cursor if hits else None):
            return
        self.hits, self.gone = tuple(hits), gone
        self._snippets: dict[tuple[int, int], list[Run]] = {}
        self.set_heights([2] * len(self.hits), cursor)

    @property
    def moved_by_keys(self) -> bool:
        """Whether the arrow keys move the hits now: while a search is typed they do as well."""
        typing = self.screen.focused is not None and self.screen.focused.id == "search"
        return self.app.screen is self.screen and (self.has_focus or typing)

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
        library = [Run(" "), Run(one_line(hit.library_id), "accent"), Run(f" {self.glyphs.into} ", "dim")]
        where = place(hit, self.glyphs)
        state = "  gone" if hit.chunk_id in self.gone else "  changed" if hit.stale else ""
        tail = [Run(f"  {where}" if where else "", "dim"), Run(state, "warn")]
        if hit.also:
            tail.append(Run(f"  {self.glyphs.times}{len(hit.also) + 1}", "accent"))
        room = width - width_of([*library, *rank]) - 1
        if room - width_of(tail) < _PATH_CELLS:
            # The path says more than the paragraph, which the context names as well.
            del tail[0]
        named = path_and_heading(hit, room - width_of(tail), self.glyphs)
        return Line((*library, *named, *tail), rank)

    def _passage(self, index: int, hit: Hit, width: int) -> list[Run]:
        key = (index, width)
        if key not in self._snippets:
            if len(self._snippets) > _WORDS_CACHED:
                self._snippets.clear()
            self._snippets[key] = [Run(" "), *snippet(hit, width - 2, self.glyphs)]
        return self._snippets[key]


def path_and_heading(hit: Hit, width: int, glyphs: Glyphs) -> list[Run]:
    """`guide/fs.md › Locks` in so many cells: the path is cut in its middle before the heading is cut at its end.

    A heading that only repeats the title or the file's name is left out.
    """
    path, heading = path_of(hit), telling_heading(hit)
    between = f" {glyphs.into} "
    room = width - cell_len(between)
    if not heading or room < _PATH_CELLS + _HEADING_CELLS:
        return [Run(cut_middle(path, width, glyphs.ellipsis), "strong")]
    path = cut_middle(path, max(_PATH_CELLS, room // 3, room - cell_len(heading)), glyphs.ellipsis)
    rest = fit([Run(heading)], room - cell_len(path), glyphs.ellipsis)
    return [Run(path, "strong"), Run(between, "dim"), *rest]


def telling_heading(hit: Hit) -> str:
    """The section's heading, '' where it says no more than the title or the file's name."""
    heading = one_line(hit.heading).strip()
    name = path_of(hit).rsplit("/", 1)[-1]
    known = {one_line(hit.title).strip(), name, name.rpartition(".")[0]}
    return "" if heading.casefold() in {text.casefold() for text in known} else heading
