"""The context pane: a hit's literal text, inside its parent section or alone, the child marked by a bar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import BindingType
from textual.geometry import Size
from textual.strip import Strip

from ragspine_tui.printable import one_line
from ragspine_tui.tui import keymap
from ragspine_tui.tui.glyphs import Glyphs
from ragspine_tui.tui.rows import Painted, Scrolled
from ragspine_tui.tui.text import Run, cut_middle, fit, paragraphs, path_of, styled, untabbed, width_of, wrap
from ragspine_tui.types import Hit, Parent, Span

_GUTTER = 3
_PATH_CELLS = 12


@dataclass(frozen=True, slots=True)
class Passage:
    """What the pane draws: a text, where the child stands in it, and the matched words as spans of the text."""

    text: str
    child: Span
    highlights: tuple[Span, ...] = ()


def passage_of(hit: Hit, parent: Parent | None) -> Passage:
    """A hit inside its parent, or alone where there is no parent to show."""
    if parent is None:
        return Passage(hit.text, Span(0, len(hit.text)), hit.highlights)
    start = parent.child.start
    marks = tuple(Span(start + mark.start, start + mark.end) for mark in hit.highlights)
    return Passage(parent.text, parent.child, marks)


class ContextView(Scrolled):
    """Text on the line API: wrapped once a width; the child stands at a third of the height when it comes up."""

    BINDINGS: ClassVar[list[BindingType]] = keymap.bindings(keymap.MOVES, keymap.LISTS, keymap.PASSAGE, keymap.CONTEXT)

    def __init__(self, glyphs: Glyphs, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.glyphs = glyphs
        self.passage: Passage | None = None
        self._rows: list[tuple[int, int]] = []
        self._wrapped = -1

    def show(self, passage: Passage | None) -> None:
        """Draw another passage; None clears the pane."""
        if passage == self.passage:
            return
        self.passage = passage
        self._wrapped = -1
        self._lay_out()
        self._to_child()
        self.refresh()

    def _lay_out(self) -> None:
        width = self.scrollable_content_region.width
        if width == self._wrapped:
            return
        self._wrapped = width
        self._rows = self._trimmed(wrap(self.passage.text, width - _GUTTER - 1)) if self.passage else []
        self.virtual_size = Size(width, len(self._rows))

    def _trimmed(self, rows: list[tuple[int, int]]) -> list[tuple[int, int]]:
        while rows and rows[-1][0] == rows[-1][1]:
            rows.pop()
        return rows

    def _to_child(self) -> None:
        self.scroll_to(y=max(0, self.child_row - self.size.height // 3), animate=False, force=True)

    @property
    def child_row(self) -> int:
        """The row on which the child starts."""
        if not self.passage:
            return 0
        start = self.passage.child.start
        return next((row for row, (_, end) in enumerate(self._rows) if end > start), 0)

    def on_resize(self) -> None:
        """Wrap again for the new width, the child in sight."""
        if self.scrollable_content_region.width != self._wrapped:
            self._lay_out()
            self._to_child()
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """One wrapped row with its gutter."""
        width = self.scrollable_content_region.width
        row = y + round(self.scroll_offset.y)
        if self.passage is None or row >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        start, end = self._rows[row]
        child = self.passage.child
        inside = child.start <= start < child.end or start <= child.start < end
        text = untabbed_spans(self.passage.text[start:end], start, self.passage.highlights, "" if inside else "quiet")
        gutter = Run(f" {self.glyphs.child} ", "child") if inside else Run(" " * _GUTTER)
        return self.strip_of([gutter, *text], width, self.rich_style)


def untabbed_spans(text: str, offset: int, marks: Sequence[Span], base: str = "") -> list[Run]:
    """A row's runs with the marks of the whole text on it, safe to draw."""
    return [Run(untabbed(run.text), run.role) for run in styled(text, offset, marks, "match", base)]


class ContextHeader(Painted):
    """Where the passage stands: one ruled row when narrow, two rows and a light rule when there is room."""

    def __init__(self, glyphs: Glyphs, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.glyphs = glyphs
        self._hit: Hit | None = None
        self._parent_shown = True
        self._why = ""
        self._entered = False
        self._gone = False

    def enter(self, entered: bool) -> None:
        """Mark the pane while it has the focus."""
        if entered != self._entered:
            self._entered = entered
            self.refresh()

    def show(self, hit: Hit | None, *, parent_shown: bool, why: str, gone: bool = False) -> None:
        """Name another hit; `why` tells where it stands in its library, `gone` that its file is not there."""
        if (hit, parent_shown, why, gone) != (self._hit, self._parent_shown, self._why, self._gone):
            self._hit, self._parent_shown, self._why, self._gone = hit, parent_shown, why, gone
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """One row of the header."""
        width = self.size.width
        if self.size.height == 1:
            return self.strip_of(self._ruled(width), width, self.rich_style)
        if y == 2:
            rule = [Run(self.glyphs.light_rule * width, "rule")] if self._hit else []
            return self.strip_of(rule, width, self.rich_style)
        runs = self._where(width - 2) if y == 0 else self._details()
        mark = Run(self._mark if self._hit else " ", "accent")
        return self.strip_of([mark, *fit(runs, width - 2, self.glyphs.ellipsis)], width, self.rich_style)

    @property
    def _mark(self) -> str:
        return self.glyphs.bar if self._entered and self.app.screen is self.screen else " "

    def _ruled(self, width: int) -> list[Run]:
        rule = self.glyphs.rule
        if self._hit is None:
            return [Run(rule * width, "rule")]
        heading = [Run(f" {self._heading()}")] if self._heading() else []
        mark = Run(self._mark, "accent")
        middle = fit([mark, *self._where(width - 7), *heading, Run(" ")], width - 4, self.glyphs.ellipsis)
        return [Run(rule * 2, "rule"), *middle, Run(rule * (width - 2 - width_of(middle)), "rule")]

    def _where(self, width: int) -> list[Run]:
        """The library, the document and the place in it: the path is cut in its middle before the place is."""
        hit = self._hit
        if hit is None:
            return []
        line = f":{hit.line}" if hit.line else ""
        page = f"  p.{hit.page}" if hit.page else ""
        page += f"  {one_line(hit.part)}" if hit.part else ""
        child, parent = paragraphs(hit.locator, self.glyphs), paragraphs(hit.parent_locator, self.glyphs)
        inside = f" in {parent}" if parent and parent != child else ""
        inside = inside if self._parent_shown else " alone"
        head = [Run(one_line(hit.library_id), "accent"), Run(f" {self.glyphs.into} ", "dim")]
        tail = [
            Run(f"{page}  {child}{inside}", "dim"),
            Run(f"  {self._state(hit)}: r reindexes" if self._state(hit) else "", "warn"),
        ]
        room = max(_PATH_CELLS, width - width_of([*head, *tail]))
        return [*head, Run(cut_middle(path_of(hit) + line, room, self.glyphs.ellipsis), "strong"), *tail]

    def _state(self, hit: Hit) -> str:
        return "gone from the disk" if self._gone else "changed on disk" if hit.stale else ""

    def _heading(self) -> str:
        hit = self._hit
        name = one_line(hit.heading or hit.title).strip() if hit else ""
        return f"{self.glyphs.open_quote}{name}{self.glyphs.close_quote}" if name else ""

    def _details(self) -> list[Run]:
        parts = [part for part in (self._heading(), self._why) if part]
        return [Run(f" {self.glyphs.dot} ".join(parts))] if self._hit else []
