"""The lines around the panes: what was found, what narrows the search, what goes on, and the keys of the place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual.geometry import Size
from textual.strip import Strip
from textual.widgets import Static

from ragspine_tui.pace import Pace, progress_parts
from ragspine_tui.printable import one_line
from ragspine_tui.specs import SEAMS
from ragspine_tui.tui import keymap
from ragspine_tui.tui.glyphs import Glyphs
from ragspine_tui.tui.rows import Painted
from ragspine_tui.tui.state import State
from ragspine_tui.tui.text import Line, Run, counted, fit, path_of, place, rows_of, width_of
from ragspine_tui.types import Progress, shown_path

_BAR = 10
_PATH_CELLS = 12


class OneLine(Painted):
    """One row of runs; drawing another never asks for a new layout."""

    def __init__(self, glyphs: Glyphs, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.glyphs = glyphs
        self._line = Line()

    def draw(self, left: Sequence[Run], right: Sequence[Run] = ()) -> None:
        """Show these runs at the left and right edge."""
        line = Line(tuple(left), tuple(right))
        if line != self._line:
            self._line = line
            self.refresh()

    def render_line(self, y: int) -> Strip:  # noqa: ARG002
        """The one row."""
        width = self.size.width
        return self.strip_of(self._line.fitted(width, self.glyphs.ellipsis), width, self.rich_style)


class Found(Static):
    """The count at the right of the search line; a new layout only when it needs another width."""

    said = ""

    def say(self, text: str) -> None:
        """Say what was found."""
        if text != self.said:
            self.update(f"{text} ", layout=len(text) != len(self.said))
            self.said = text


def found(state: State, glyphs: Glyphs) -> str:
    """`44 hits · 3 of 5 libraries`."""
    every = len(state.libraries)
    if not every:
        return ""
    searched = len(state.searched)
    where = counted(every, "library", "libraries") if searched == every else f"{searched} of {every} libraries"
    if state.result is None or not (state.query.strip() or state.like):
        return where
    return f"{counted(state.result.total, 'hit')} {glyphs.dot} {where}"


class Wrapped(Painted):
    """Parts with a dot between them, in one row where they fit and else in as many as they take: nothing is cut.

    Only a change of the number of rows asks for a new layout.
    """

    def __init__(self, glyphs: Glyphs, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.glyphs = glyphs
        self._parts: list[list[Run]] = []
        self._rows: list[list[Run]] = []
        self._cut_for = 0

    def draw(self, parts: Sequence[list[Run]]) -> None:
        """Show these parts."""
        parts = [part for part in parts if part]
        if parts != self._parts:
            self._parts, before = parts, len(self._rows)
            self._cut(self.size.width)
            self.display = bool(parts)
            self.refresh(layout=len(self._rows) != before)

    def rows(self, width: int) -> list[list[Run]]:
        """The parts in rows of at most `width` cells; a part begins a row where it does not fit into the last."""
        rows: list[list[Run]] = []
        for part in self._parts:
            joined = [*rows[-1], Run(f" {self.glyphs.dot} ", "dim"), *part] if rows else []
            if joined and width_of(joined) <= width - 1:
                rows[-1] = joined
            else:
                rows += [[Run(" "), *row] for row in rows_of(part, max(1, width - 2))]
        return rows

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """As many rows as the parts take."""
        return len(self.rows(width))

    def on_resize(self) -> None:
        """Other rows for another width."""
        self._cut(self.size.width)
        self.refresh()

    def _cut(self, width: int) -> None:
        self._rows, self._cut_for = self.rows(width), width

    def render_line(self, y: int) -> Strip:
        """One row."""
        width = self.size.width
        # What was drawn in a closed pane has rows for no width; the pane may be painted before it hears of its size.
        if width != self._cut_for:
            self._cut(width)
        runs = fit(self._rows[y], width, self.glyphs.ellipsis) if y < len(self._rows) else []
        return self.strip_of(runs, width, self.rich_style)


def scope(state: State, mode: str, width: int, glyphs: Glyphs) -> list[list[Run]]:
    """What narrows the search, always all of it: mode, libraries and why they, filter, what was not searched.

    Where it does not fit into one row, the words by which libraries were routed are left to the libraries pane.
    """
    rest = [*_fusion(state), *_filters(state), *_remarks(state)]
    head = [Run(mode, "strong")]
    if state.every:
        head += [Run(f" {glyphs.dot} ", "dim"), Run("every word", "accent")]
    if state.like is not None:
        like = f"like {state.like.library_id} {glyphs.into} {path_of(state.like)} {place(state.like, glyphs)}"
        head += [Run(f" {glyphs.dot} ", "dim"), Run(like.rstrip(), "accent")]
    if state.by_date:
        head += [Run(f" {glyphs.dot} ", "dim"), Run("newest first", "accent")]
    if state.result is not None and state.result.recency:
        half = f"half as much every {state.result.recency:g} days"
        head += [Run(f" {glyphs.dot} ", "dim"), Run(half, "accent")]
    libraries = _libraries(state)
    parts = [head, libraries, *rest]
    if sum(width_of(part) + 3 for part in parts) > width:
        room = max(_LIBRARIES_CELLS, width - 5 - width_of(head))
        parts[1] = fit(_without_words(libraries), room, glyphs.ellipsis)
    return parts


_LIBRARIES_CELLS: Final = 16


def _without_words(libraries: list[Run]) -> list[Run]:
    return [run for run in libraries if not run.text.startswith(" (")]


def found_filter(state: State) -> list[Run]:
    """The filter found in the query with the key that drops it; nothing where there is none."""
    if state.found_filter is None:
        return []
    return [Run("in the query: ", "dim"), Run(one_line(state.found_filter), "accent"), Run(" (^g drops it)", "dim")]


def _libraries(state: State) -> list[Run]:
    every = len(state.libraries)
    if not state.routing:
        if state.chosen is None:
            return [Run(f"all {every} libraries" if every > 1 else counted(every, "library", "libraries"))]
        names = " ".join(i for i in state.ids if i in state.in_scope)
        return [Run("by hand: ", "dim"), Run(names or "no library", "accent" if names else "warn")]
    if state.result is None:
        return [Run("routing on", "accent")]
    if state.result.route.fallback:
        return [Run(f"no description has these words: all {every} libraries searched", "warn")]
    runs = [Run("routed:", "dim")]
    for routed in state.result.route.libraries:
        words = ", ".join(one_line(term) for term in routed.matched_terms)
        runs += [Run(f" {routed.library_id}", "accent"), Run(f" ({words})" if words else "", "dim")]
    return runs


def _fusion(state: State) -> list[list[Run]]:
    """How several libraries were merged, where that is not the usual way."""
    if state.result is None or len(state.searched) < 2 or state.result.fusion == SEAMS["fusion"].default:
        return []
    return [[Run("fusion: ", "dim"), Run(state.result.fusion, "accent")]]


def _filters(state: State) -> list[list[Run]]:
    if state.found_filter is not None:
        told = [Run("filter found in the query: ", "dim"), Run(one_line(state.found_filter), "accent")]
        return [[*told, Run(" (^g drops it)", "dim")]]
    active = " and ".join(one_line(line.shown) for line in state.active_filters)
    return [[Run("filter: ", "dim"), Run(active, "accent")]] if active else []


def _remarks(state: State) -> list[list[Run]]:
    remarks: list[list[Run]] = []
    if state.result is not None and state.result.left_out:
        names = " ".join(state.result.left_out)
        remarks.append([Run(f"left out, though strong: {names} (^t routing off)", "warn")])
    if state.result is not None and state.result.errors:
        names = " ".join(problem.library_id for problem in state.result.errors)
        remarks.append([Run(f"not searched: {names}", "warn")])
    return remarks


def status(state: State, glyphs: Glyphs) -> list[Run]:
    """`5 libraries · 8,412 chunks · offline`."""
    chunks = sum(summary.chunks for summary in state.libraries)
    parts = [counted(len(state.libraries), "library", "libraries"), counted(chunks, "chunk"), "offline"]
    parts += ["watching"] if state.watching else []
    return [Run(" " + f" {glyphs.dot} ".join(parts), "dim")]


def progress(at: Progress | None, glyphs: Glyphs, pace: Pace | None = None, room: int = 0) -> list[Run]:
    """`indexing mail 132/214 ▕██████░░░░▏`, empty when nothing is indexed; in `room` cells, what else fits in."""
    if at is None:
        return []
    name = one_line(at.library_id)
    if not at.total:
        return [Run(f"indexing {name}: looking through the folder "), Run(f"{at.done:,} " if at.done else "", "dim")]
    full = min(_BAR, at.done * _BAR // at.total)
    bar = f"{glyphs.left_end}{glyphs.full * full}{glyphs.empty * (_BAR - full)}{glyphs.right_end} "
    runs = [Run(f"indexing {name} {at.done:,}/{at.total:,} "), Run(bar, "accent")]
    # What is left says most, and stands last but for the file.
    parts = progress_parts(at, pace)
    while parts and width_of(runs) + len(" ".join(parts)) + 2 * len(parts) > room:
        del parts[0]
    if parts:
        runs.append(Run(f"{f' {glyphs.dot} '.join(parts)} ", "dim"))
    left = room - width_of(runs) - 3
    if at.path and left >= _PATH_CELLS:
        named = fit([Run(one_line(shown_path(at.path)), "dim")], left, glyphs.ellipsis)
        runs += [Run(f"{glyphs.dot} " if parts else "", "dim"), *named, Run(" ")]
    return runs


Pairs = Sequence[tuple[str, str]]
_HELP: Final = ("f1", "help")
_MORE: Final = (("^p", "palette"), ("^q", "quit"))


def key_hints(place: str, width: int, glyphs: Glyphs) -> tuple[list[Run], list[Run]]:
    """The focused pane's keys, as many as there is room for; help always stands at the right edge.

    The palette's key and quitting stand beside help where the pane's own keys leave room for them.
    """
    own, anywhere = keymap.hints(place, glyphs)
    rights = [_pairs((_HELP, *_MORE[:count])) for count in (2, 1, 0)]
    needed = width_of(_pairs(own)) + 3
    right = next((right for right in rights if width_of(right) + needed <= width), rights[-1])
    return legend([*own, *anywhere], width - width_of(right)), right


def dialog_hints(pairs: Pairs, width: int) -> tuple[list[Run], list[Run]]:
    """A dialog's keys; help stands at the right edge here too."""
    right = _pairs((_HELP,))
    return legend(pairs, width - width_of(right)), right


def legend(pairs: Pairs, width: int) -> list[Run]:
    """As many of these keys with their words as fit into the width, in order."""
    runs: list[Run] = [Run(" ")]
    for pair in pairs:
        more = _pairs((pair,))
        if width_of(runs) + width_of(more) >= width:
            break
        runs += [*more, Run(" ")]
    return runs


def _pairs(pairs: Pairs) -> list[Run]:
    runs: list[Run] = []
    for key, word in pairs:
        runs += [Run(" " if runs else ""), Run(key, "accent"), Run(f" {word} ", "dim")]
    return runs
