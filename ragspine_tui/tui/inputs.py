"""One-line inputs: compact, without blinking, and safe against what is pasted into them."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.suggester import Suggester
from textual.widgets import Input

from ragspine_tui.printable import one_line
from ragspine_tui.tui import keymap


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

    def validate_value(self, value: str) -> str:
        """Length-preserving, so the cursor stays where it was."""
        return one_line(value)


class SearchInput(LineInput):
    """The search line; the keys that move the list work while it has the focus."""

    BINDINGS: ClassVar[list[BindingType]] = keymap.bindings(keymap.SEARCH)
