"""One-line inputs: compact, without blinking, and safe against what is pasted into them."""

from __future__ import annotations

from typing import ClassVar, Final
from unicodedata import category

from rich.text import Text
from textual import events
from textual.binding import BindingType
from textual.strip import Strip
from textual.suggester import Suggester
from textual.widgets import Input

from ragspine_tui.printable import one_line
from ragspine_tui.tui import keymap

_JOINERS: Final = "\u200c\u200d"
"""Persian, Hindi and others are spelled with them."""


class LineInput(Input):
    """An input whose value never holds a character the terminal would obey."""

    def __init__(
        self,
        value: str = "",
        placeholder: str = "",
        *,
        suggester: Suggester | None = None,
        id: str | None = None,
    ) -> None:
        super().__init__(value, placeholder, suggester=suggester, select_on_focus=False, id=id, compact=True)
        self.cursor_blink = False

    takes = "Right"

    def on_key(self, event: events.Key) -> None:
        """Takes what keyboards type and the base class leaves out: blanks of other scripts, joiners."""
        char = event.character or ""
        if event.is_printable or len(char) != 1 or not (category(char) == "Zs" or char in _JOINERS):
            return
        event.stop()
        event.prevent_default()
        self.replace(char, *self.selection)

    def render_line(self, y: int) -> Strip:
        """The line; a completion stands in brackets with its key, so that nobody takes it for typed."""
        ghost = self._suggestion[len(self.value) :] if self.value and self.has_focus else ""
        if y or not ghost:
            return super().render_line(y)
        line = Text(self.value, end="", no_wrap=True)
        style = self.get_component_rich_style("input--suggestion")
        # Only at the end of the line does the key take it.
        line.append(f"[{ghost}] {self.takes}" if self.cursor_at_end else " ", style)
        if not self.selection.is_empty:
            line.stylize(self.get_component_rich_style("input--selection"), *sorted(self.selection))
        line.stylize(self.get_component_rich_style("input--cursor"), self.cursor_position, self.cursor_position + 1)
        width = self.scrollable_content_region.width
        console = self.app.console
        strip = Strip(console.render(line, self.app.console_options.update_width(line.cell_len + 1)))
        start = int(self.scroll_offset.x)
        shown = strip.crop(start, start + width + 1).extend_cell_length(width + 1)
        return shown.apply_style(self.rich_style)

    def validate_value(self, value: str) -> str:
        """Length-preserving, so the cursor stays where it was."""
        return one_line(value)


class SearchInput(LineInput):
    """The search line; the keys that move the list work while it has the focus."""

    BINDINGS: ClassVar[list[BindingType]] = keymap.bindings(keymap.SEARCH)

    def on_paste(self, event: events.Paste) -> None:
        """Takes all lines of what is pasted, as one: the base class takes the first alone."""
        event.stop()
        event.prevent_default()
        self.replace(" ".join(event.text.splitlines()), *self.selection)
