"""Questions and lists that come up over the screen: confirm, pick one, read a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Generic, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widgets import Button, Static

from ragspine_tui.tui import keymap
from ragspine_tui.tui.glyphs import Glyphs
from ragspine_tui.tui.rows import Rows, Scrolled
from ragspine_tui.tui.text import Line

R = TypeVar("R")


class Dialog(ModalScreen[R | None], Generic[R]):
    """A question over the screen; Esc and `cancel` answer None."""

    BINDINGS: ClassVar[list[BindingType]] = keymap.bindings(keymap.DIALOG)

    def action_cancel(self) -> None:
        """Close without an answer."""
        self.dismiss(None)

    def action_accept(self) -> None:
        """Answer, where there is an answer."""
        raise NotImplementedError

    @on(Button.Pressed)
    def press(self, event: Button.Pressed) -> None:
        """Buttons do what the keys do."""
        self.action_accept() if event.button.id == "accept" else self.action_cancel()


def buttons(accept: str, cancel: str) -> Horizontal:
    """The two answers, for the mouse; keys need no focus on them."""
    answers = (Button(Content(accept), id="accept", compact=True), Button(Content(cancel), id="cancel", compact=True))
    for button in answers:
        button.can_focus = False
    return Horizontal(*answers, classes="buttons")


class Confirm(Dialog[bool], inherit_bindings=False):
    """A yes or no question; only `y` says yes."""

    BINDINGS: ClassVar[list[BindingType]] = keymap.bindings(keymap.CONFIRM)

    def __init__(self, question: str, details: str) -> None:
        super().__init__()
        self._question = question
        self._details = details

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(self._question, markup=False, classes="dialog-title")
            yield Static(self._details, markup=False, classes="dialog-text")
            yield buttons("y  yes", "n  no")

    def action_accept(self) -> None:
        """Yes."""
        self.dismiss(True)


class Lines(Rows):
    """Items that are ready-made lines."""

    BINDINGS: ClassVar[list[BindingType]] = keymap.bindings(keymap.MOVES)

    def __init__(self, glyphs: Glyphs, items: Sequence[Sequence[Line]], *, id: str | None = None) -> None:
        super().__init__(glyphs, id=id)
        self._items = [tuple(item) for item in items]

    def on_mount(self) -> None:
        """Take the items."""
        self.set_heights([len(item) for item in self._items])
        self.refresh(layout=True)

    def line(self, index: int, row: int, width: int) -> Line:  # noqa: ARG002
        """A ready-made line."""
        return self._items[index][row]


class Picker(Dialog[int]):
    """Choose one of some lines; answers its index."""

    def __init__(self, title: str, items: Sequence[Sequence[Line]], glyphs: Glyphs, hint: str) -> None:
        super().__init__()
        self._title, self._items, self._glyphs, self._hint = title, items, glyphs, hint

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(self._title, markup=False, classes="dialog-title")
            yield Lines(self._glyphs, self._items, id="items")
            yield Static(self._hint, markup=False, classes="dialog-hint")

    def action_accept(self) -> None:
        """The line under the cursor."""
        self.dismiss(self.query_one(Lines).cursor)

    @on(Rows.Chosen)
    def click(self, event: Rows.Chosen) -> None:
        """A click chooses."""
        self.dismiss(event.index)


class TextView(Scrolled):
    """Lines to read."""

    BINDINGS: ClassVar[list[BindingType]] = keymap.bindings(keymap.MOVES)

    def __init__(self, glyphs: Glyphs, make: Callable[[], Sequence[Line]], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.glyphs = glyphs
        self._lines = list(make())

    def on_mount(self) -> None:
        """Take the room of the lines."""
        self.virtual_size = Size(self.size.width, len(self._lines))

    def render_line(self, y: int) -> Strip:
        """One line."""
        width = self.scrollable_content_region.width
        row = y + round(self.scroll_offset.y)
        if row >= len(self._lines):
            return Strip.blank(width, self.rich_style)
        return self.strip_of(self._lines[row].fitted(width, self.glyphs.ellipsis), width, self.rich_style)


class Reading(Dialog[bool]):
    """A list to read; Enter and Esc close it."""

    def __init__(self, title: str, make: Callable[[], Sequence[Line]], glyphs: Glyphs) -> None:
        super().__init__()
        self._title, self._make, self._glyphs = title, make, glyphs

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog reading"):
            yield Static(self._title, markup=False, classes="dialog-title")
            yield TextView(self._glyphs, self._make, id="reading")
            yield Static("Esc closes", markup=False, classes="dialog-hint")

    def action_accept(self) -> None:
        """Close."""
        self.dismiss(True)
