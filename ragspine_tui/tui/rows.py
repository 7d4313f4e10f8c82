"""A list on the line API: rows are drawn when they show, cut to the width there is now, and marked by a bar."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ragspine_tui.tui.glyphs import Glyphs
from ragspine_tui.tui.text import Line, Run

ROLES = ("dim", "strong", "match", "accent", "warn", "child", "quiet", "rule")


class Painted(ScrollView, can_focus=False):
    """A widget that draws runs by their roles; no text it shows is ever parsed as markup."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"painted--{role}" for role in ROLES}
    ALLOW_SELECT = False

    def strip_of(self, runs: list[Run], width: int, base: Style) -> Strip:
        """The runs as one row of exactly `width` cells."""
        segments = [Segment(run.text, base + self.role_style(run.role)) for run in runs if run.text]
        return Strip(segments).adjust_cell_length(width, base)

    def role_style(self, role: str) -> Style:
        """What a role adds to the row's own style."""
        return self.get_component_rich_style(f"painted--{role}", partial=True) if role else Style.null()


class Scrolled(Painted, can_focus=True):
    """Text that scrolls with the keys of a list."""

    def page(self, pages: float) -> None:
        """Scroll by a part of what shows."""
        self.scroll_relative(y=int(pages * max(1, self.size.height - 1)), animate=False)

    def action_up(self) -> None:
        self.scroll_relative(y=-1, animate=False)

    def action_down(self) -> None:
        self.scroll_relative(y=1, animate=False)

    def action_page_up(self) -> None:
        self.page(-1)

    def action_page_down(self) -> None:
        self.page(1)

    def action_half_up(self) -> None:
        self.page(-0.5)

    def action_half_down(self) -> None:
        self.page(0.5)

    def action_first(self) -> None:
        self.scroll_to(y=0, animate=False)

    def action_last(self) -> None:
        self.scroll_to(y=self.virtual_size.height, animate=False)


class Rows(Painted, can_focus=True):
    """Items of one or more rows; `cursor` is the chosen one, None when there is none.

    A subclass calls `set_heights` when its items change, and draws one row of one item in `line`.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"rows--cursor", "rows--bar"}

    cursor: reactive[int | None] = reactive(None)
    resting = " "

    class Moved(Message):
        """The cursor stands on another item."""

        def __init__(self, rows: Rows, index: int) -> None:
            super().__init__()
            self.rows = rows
            self.index = index

        @property
        def control(self) -> Rows:
            """The list whose cursor moved."""
            return self.rows

    class Chosen(Message):
        """An item was clicked, or clicked again."""

        def __init__(self, rows: Rows, index: int, again: bool) -> None:
            super().__init__()
            self.rows = rows
            self.index = index
            self.again = again

        @property
        def control(self) -> Rows:
            """The list whose item was clicked."""
            return self.rows

    def __init__(self, glyphs: Glyphs, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.glyphs = glyphs
        self._tops: list[int] = []
        self._owners: list[int] = []

    def line(self, index: int, row: int, width: int) -> Line:
        """One row of an item, `width` cells wide without the bar."""
        raise NotImplementedError

    @property
    def count(self) -> int:
        """How many items there are."""
        return len(self._tops)

    def set_heights(self, heights: list[int], cursor: int | None = 0) -> None:
        """Take new items, with so many rows each, and put the cursor on one of them."""
        self._tops, self._owners = [], []
        for index, height in enumerate(heights):
            self._tops.append(len(self._owners))
            self._owners.extend([index] * height)
        self.virtual_size = Size(self.size.width, len(self._owners))
        keep = None if cursor is None or not heights else min(cursor, len(heights) - 1)
        self.set_reactive(Rows.cursor, keep)
        self.scroll_to(y=0, animate=False, force=True)
        self.to_cursor()
        self.refresh()

    def validate_cursor(self, cursor: int | None) -> int | None:
        """Keep the cursor on an item."""
        return None if cursor is None or not self._tops else max(0, min(cursor, len(self._tops) - 1))

    def watch_cursor(self, old: int | None, new: int | None) -> None:
        """Follow the cursor and tell the screen; only the two items are drawn again."""
        self.to_cursor()
        for index in (old, new):
            if index is not None and index < len(self._tops):
                self.refresh_lines(self._tops[index], self._height(index))
        if new is not None:
            self.post_message(self.Moved(self, new))

    def _height(self, index: int) -> int:
        after = self._tops[index + 1] if index + 1 < len(self._tops) else len(self._owners)
        return after - self._tops[index]

    def to_cursor(self) -> None:
        """Scroll so that the chosen item shows."""
        if self.cursor is not None and self.is_mounted and self.size.height:
            top = self._tops[self.cursor]
            self.scroll_to_region(
                Region(0, top, 1, self._height(self.cursor)), animate=False, force=True, immediate=True
            )

    def on_resize(self) -> None:
        """Lines are cut to the width when drawn; only the scroll range depends on the size."""
        self.virtual_size = Size(self.scrollable_content_region.width, len(self._owners))
        self.to_cursor()

    def render_line(self, y: int) -> Strip:
        """One row of the list as it shows."""
        width = self.scrollable_content_region.width
        row = y + round(self.scroll_offset.y)
        if row >= len(self._owners):
            return Strip.blank(width, self.rich_style)
        index = self._owners[row]
        chosen = index == self.cursor
        base = self.get_component_rich_style("rows--cursor") if chosen else self.rich_style
        bar = self.get_component_rich_style("rows--bar", partial=True)
        line = self.line(index, row - self._tops[index], width - 1)
        runs = line.fitted(width - 1, self.glyphs.ellipsis)
        first = Segment(self._mark if chosen else " ", base + bar)
        strip = Strip([first, *self.strip_of(runs, width - 1, base)], width)
        return strip.apply_meta({"item": index})

    @property
    def moved_by_keys(self) -> bool:
        """Whether the arrow keys move this list now."""
        return self.has_focus and self.app.screen is self.screen

    @property
    def _mark(self) -> str:
        """The bar stands only where the keys move a cursor: there is one on the screen, whatever its colours."""
        return self.glyphs.bar if self.moved_by_keys else self.resting

    def move(self, by: int) -> None:
        """Move the cursor by items."""
        if self._tops:
            self.cursor = (self.cursor if self.cursor is not None else -1) + by if by > 0 or self.cursor else 0

    def page(self, pages: float) -> None:
        """Move the cursor by a part of what shows."""
        if self.cursor is None:
            return self.move(1)
        rows = self._tops[self.cursor] + int(pages * max(2, self.size.height))
        self.cursor = self._owners[max(0, min(rows, len(self._owners) - 1))]
        return None

    def action_up(self) -> None:
        self.move(-1)

    def action_down(self) -> None:
        self.move(1)

    def action_page_up(self) -> None:
        self.page(-1)

    def action_page_down(self) -> None:
        self.page(1)

    def action_half_up(self) -> None:
        self.page(-0.5)

    def action_half_down(self) -> None:
        self.page(0.5)

    def action_first(self) -> None:
        self.cursor = 0

    def action_last(self) -> None:
        self.cursor = len(self._tops) - 1

    def on_click(self, event: events.Click) -> None:
        """Choose with the mouse; a second click on the same item says so."""
        index = event.style.meta.get("item")
        if isinstance(index, int):
            again = index == self.cursor
            self.cursor = index
            self.post_message(self.Chosen(self, index, again))
