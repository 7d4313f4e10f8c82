"""The side pane: libraries with their scope and routing, and below them the filter and the fields to filter by."""

from __future__ import annotations

from typing import ClassVar, Final

from textual.binding import BindingType
from textual.strip import Strip

from ragspine_tui.printable import one_line
from ragspine_tui.tui import keymap
from ragspine_tui.tui.glyphs import Glyphs
from ragspine_tui.tui.rows import Painted, Rows
from ragspine_tui.tui.state import State
from ragspine_tui.tui.text import Line, Run, rows_of
from ragspine_tui.types import LibrarySummary, shown_time

_INDENT: Final = 6
_HIDDEN_CELLS: Final = 40


class PaneTitle(Painted):
    """A pane's name at the left, its state at the right."""

    def __init__(self, title: str, glyphs: Glyphs, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._title = title
        self._state = ""
        self.glyphs = glyphs

    def show(self, state: str) -> None:
        """Say another state."""
        if state != self._state:
            self._state = state
            self.refresh()

    def render_line(self, y: int) -> Strip:  # noqa: ARG002
        """The one row."""
        width = self.size.width
        right = (Run(f"{self._state} ", "dim"),) if self._state else ()
        line = Line((Run(" "), Run(self._title, "strong")), right)
        return self.strip_of(line.fitted(width, self.glyphs.ellipsis), width, self.rich_style)


class LibraryList(Rows):
    """Every library: `[x]` searched, `[ ]` not, `[!]` restricted; a mark and words where routing chose it."""

    BINDINGS: ClassVar[list[BindingType]] = keymap.bindings(keymap.MOVES, keymap.LISTS, keymap.LIBRARIES)

    def __init__(self, glyphs: Glyphs, *, id: str | None = None) -> None:
        super().__init__(glyphs, id=id)
        self.state = State()
        self._notes: list[str] = []
        self._below: list[list[list[Run]]] = []
        self._shown: object = None

    def show(self, state: State) -> None:
        """Show the state's libraries, the cursor where it was."""
        self.state = state
        routed = state.routed_terms()
        errors = state.result.errors if state.result else ()
        notes = [self._note(summary, routed) for summary in state.libraries]
        shown = (state.libraries, state.searched, state.marks, routed, errors)
        if (shown, notes) == (self._shown, self._notes):
            return
        same_rows = shown == self._shown and list(map(bool, notes)) == list(map(bool, self._notes))
        self._shown, self._notes = shown, notes
        if same_rows and not any(map(self._is_amiss, state.libraries)):
            # Progress comes many times a second, and takes no other rows than it had.
            self._below = self._all_below()
            self.refresh()
        else:
            self._lay_out()

    def on_resize(self) -> None:
        """What is amiss takes other rows in another width."""
        super().on_resize()
        if any(self._is_amiss(summary) for summary in self.state.libraries):
            self._lay_out()

    def _lay_out(self) -> None:
        self._below = self._all_below()
        self.set_heights([1 + len(below) for below in self._below], self.cursor or 0)
        self.refresh(layout=True)

    def _all_below(self) -> list[list[list[Run]]]:
        pairs = zip(self.state.libraries, self._notes, strict=True)
        return [self._rows_below(note, amiss=self._is_amiss(summary)) for summary, note in pairs]

    def _rows_below(self, note: str, *, amiss: bool) -> list[list[Run]]:
        """A note in one row; what is amiss in as many as it takes."""
        if not amiss:
            return [[Run(note, "dim")]] if note else []
        width = self.scrollable_content_region.width or _HIDDEN_CELLS
        return rows_of([Run(note, "warn")], max(1, width - _INDENT - 3))

    @property
    def chosen(self) -> LibrarySummary | None:
        """The library under the cursor."""
        libraries = self.state.libraries
        return libraries[self.cursor] if self.cursor is not None and self.cursor < len(libraries) else None

    def _note(self, summary: LibrarySummary, routed: dict[str, tuple[str, ...]]) -> str:
        if summary.offline:
            since = shown_time(summary.offline_since)
            return f"folder is not there since {since}" if since else "folder is not there now"
        if problem := self._problem(summary):
            return one_line(problem)
        words = ", ".join(one_line(term) for term in routed.get(summary.library.library_id, ()))
        return f" {self.glyphs.dot} ".join(part for part in (self._progress(summary), words) if part)

    def _progress(self, summary: LibrarySummary) -> str:
        """How far reading it has come, or that it stopped on the way."""
        at = self.state.reading
        if self._is_read_now(summary) and at is not None:
            return f"reading {at.done:,}/{at.total:,}" if at.total else "reading: looking through the folder"
        return "" if summary.complete else f"partial {self.glyphs.dot} r continues"

    def _is_read_now(self, summary: LibrarySummary) -> bool:
        return self.state.reading is not None and self.state.reading.library_id == summary.library.library_id

    def _is_amiss(self, summary: LibrarySummary) -> bool:
        if self._problem(summary) or summary.offline:
            return True
        return not summary.complete and not self._is_read_now(summary)

    def _problem(self, summary: LibrarySummary) -> str:
        errors = self.state.result.errors if self.state.result else ()
        return next((error.message for error in errors if error.library_id == summary.library.library_id), "")

    def line(self, index: int, row: int, width: int) -> Line:  # noqa: ARG002
        """A library's name and size, or what there is to say of it."""
        summary = self.state.libraries[index]
        if row:
            return Line((Run(" " * _INDENT), *self._below[index][row - 1]), (Run(" "),))
        library = summary.library
        closed = self.state.restricted(summary)
        searched = library.library_id in self.state.searched
        mark = "[!]" if closed else "[x]" if searched else "[ ]"
        chosen = library.library_id in self.state.routed_terms()
        arrow = f" {self.glyphs.routed} " if chosen else "   "
        size = Run("RESTRICTED ", "warn") if closed else Run(f"{summary.chunks:,} ", "dim")
        name = Run(one_line(library.library_id), "strong" if searched and not closed else "quiet")
        return Line((Run(mark, "accent" if searched else "dim"), Run(arrow, "accent"), name), (size,))


def title_state(state: State) -> str:
    """What the libraries pane says of itself: `routed 3 of 5`, `2 of 5 by hand`."""
    every = len(state.libraries)
    if state.routing:
        routed = len(state.routed_terms())
        return f"routed {routed} of {every}" if routed else "routing on"
    return f"{len(state.in_scope)} of {every} by hand" if state.chosen is not None else ""
