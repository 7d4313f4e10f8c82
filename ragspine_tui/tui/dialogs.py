"""Questions and lists that come up over the screen: confirm, pick one, read a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final, Generic, TypeVar

from textual import events, on
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
from ragspine_tui.tui.help import help_lines
from ragspine_tui.tui.lines import OneLine, dialog_hints
from ragspine_tui.tui.rows import Rows, Scrolled
from ragspine_tui.tui.text import Line, unfolded

R = TypeVar("R")
WIDTHS: Final = [(0, "-tiny"), (60, "-narrow"), (100, "-medium"), (160, "-wide")]


class Dialog(ModalScreen[R | None], Generic[R]):
    """A question over the screen; Esc and `cancel` answer None. A subclass composes its `body`.

    `place` is its row in the table of key chains, `words` what its keys are called here rather than there.
    """

    BINDINGS: ClassVar[list[BindingType]] = keymap.bindings(keymap.DIALOG)
    # The toasts of the screen behind show through: both must stand in one place.
    HORIZONTAL_BREAKPOINTS = WIDTHS
    place = "dialog"
    words: ClassVar[dict[str, str]] = {}

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__()
        self.glyphs = glyphs

    def body(self) -> ComposeResult:
        """The dialog itself."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        yield from self.body()
        yield OneLine(self.glyphs, id="dialog-hints")

    def on_mount(self) -> None:
        """The keys of what has the focus."""
        self.show_hints()

    def on_resize(self) -> None:
        """Hints are cut to the width."""
        self.show_hints()

    def on_descendant_focus(self) -> None:
        """The hints follow the focus."""
        self.show_hints()

    def show_hints(self) -> None:
        """Say the dialog's own keys in the last line, over those of the pane behind."""
        own, _ = keymap.hints(self.place, self.glyphs)
        # Of two keys for the same the later is the better known: Esc closes.
        keys = {self.words.get(word, word): key for key, word in own}
        pairs = [(key, word) for word, key in keys.items()]
        self.query_one("#dialog-hints", OneLine).draw(*dialog_hints(pairs, self.app.size.width))

    def action_show_help(self) -> None:
        """Help for the dialog, and every key."""
        self.app.push_screen(Help(self.place, self.glyphs))

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
    place = "confirm"
    answers = ("y  yes", "n  no")

    def __init__(self, question: str, details: str, glyphs: Glyphs) -> None:
        super().__init__(glyphs)
        self._question = question
        self._details = details

    def body(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(self._question, markup=False, classes="dialog-title")
            yield Static(self._details, markup=False, classes="dialog-text")
            yield buttons(*self.answers)

    def action_accept(self) -> None:
        """Yes."""
        self.dismiss(True)


class Offer(Confirm, inherit_bindings=False):
    """A question whose yes harms nothing, so that Enter says it; a letter that is no answer closes it with False."""

    BINDINGS: ClassVar[list[BindingType]] = keymap.bindings(keymap.OFFER)
    place = "offer"
    answers = ("Enter  yes", "Esc  no")

    def on_key(self, event: events.Key) -> None:
        """Who goes on typing a word has not seen the question."""
        if event.is_printable and event.character not in ("y", "n"):
            event.stop()
            self.dismiss(False)


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

    words: ClassVar[dict[str, str]] = {"do it": "choose"}

    def __init__(self, title: str, items: Sequence[Sequence[Line]], glyphs: Glyphs, hint: str) -> None:
        super().__init__(glyphs)
        self._title, self._items, self._hint = title, items, hint

    def body(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(self._title, markup=False, classes="dialog-title")
            yield Lines(self.glyphs, self._items, id="items")
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
        self._unfolded: list[Line] = []

    def on_resize(self) -> None:
        """Take the room that the lines need in this width."""
        width = self.scrollable_content_region.width
        self._unfolded = [row for line in self._lines for row in unfolded(line, width)]
        self.virtual_size = Size(width, len(self._unfolded))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One row."""
        width = self.scrollable_content_region.width
        row = y + round(self.scroll_offset.y)
        if row >= len(self._unfolded):
            return Strip.blank(width, self.rich_style)
        return self.strip_of(self._unfolded[row].fitted(width, self.glyphs.ellipsis), width, self.rich_style)


class Reading(Dialog[bool]):
    """A list to read; Enter and Esc close it."""

    words: ClassVar[dict[str, str]] = {"do it": "close"}

    def __init__(self, title: str, make: Callable[[], Sequence[Line]], glyphs: Glyphs) -> None:
        super().__init__(glyphs)
        self._title, self._make = title, make

    def body(self) -> ComposeResult:
        with Vertical(classes="dialog reading"):
            yield Static(self._title, markup=False, classes="dialog-title")
            yield TextView(self.glyphs, self._make, id="reading")
            yield Static("Esc closes", markup=False, classes="dialog-hint")

    def action_accept(self) -> None:
        """Close."""
        self.dismiss(True)


class Problems(Reading):
    """The files of a library that were not read; True asks to try them again."""

    BINDINGS: ClassVar[list[BindingType]] = keymap.bindings(keymap.PROBLEMS)
    place = "problems"

    def action_accept(self) -> None:
        """Close."""
        self.dismiss(None)

    def action_retry(self) -> None:
        """Ask for another try."""
        self.dismiss(True)


class Help(Reading):
    """Every key, those of one place first; the key that opens it closes it."""

    def __init__(self, place: str, glyphs: Glyphs) -> None:
        super().__init__("Keys", lambda: help_lines(place), glyphs)

    def action_show_help(self) -> None:
        """It is shown already: close it."""
        self.dismiss(None)
