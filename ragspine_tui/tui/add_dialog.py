"""The dialog that makes a library of a folder: completes as you type, and says what it would read."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.reactive import reactive
from textual.strip import Strip
from textual.suggester import Suggester
from textual.widgets import Input, Static

from ragspine_tui.printable import one_line
from ragspine_tui.tui import keymap
from ragspine_tui.tui.dialogs import Dialog, buttons
from ragspine_tui.tui.glyphs import Glyphs
from ragspine_tui.tui.inputs import LineInput
from ragspine_tui.tui.rows import Painted
from ragspine_tui.tui.text import Run, counted
from ragspine_tui.types import FolderPreview

Preview = Callable[[Path, Callable[[FolderPreview], None], Callable[[str], None]], None]
_KINDS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class NewLibrary:
    """What the dialog answers."""

    path: Path
    title: str
    description: str
    restricted: bool


def expanded(text: str) -> Path | None:
    """The path a person means, `~` expanded; None where there is none yet."""
    if not text.strip():
        return None
    try:
        return Path(text.strip()).expanduser()
    except RuntimeError:
        return None


class FolderSuggester(Suggester):
    """Completes a path to the first folder that starts so, hidden ones only when asked for."""

    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=True)

    async def get_suggestion(self, value: str) -> str | None:
        """The path with the folder's name completed, None where no folder fits."""
        return await asyncio.to_thread(complete_folder, value)


def complete_folder(value: str) -> str | None:
    """`~/no` -> `~/notes/` where there is such a folder; the first by name, else None."""
    head, slash, start = value.rpartition("/")
    parent = expanded(head + slash)
    if not slash or parent is None:
        return None
    try:
        names = sorted(entry.name for entry in parent.iterdir() if entry.is_dir())
    except (OSError, ValueError):
        return None
    for name in names:
        fits = name.startswith(start) and name != start and (start or not name.startswith("."))
        if fits and one_line(name) == name:
            return f"{head}{slash}{name}/"
    return None


def preview_text(preview: FolderPreview) -> str:
    """`214 files: 120 md, 60 pdf, 34 html; 3 skipped`."""
    kinds = [f"{count:,} {one_line(suffix).lstrip('.') or 'without suffix'}" for suffix, count in preview.by_suffix]
    more = ["others"] if len(kinds) > _KINDS_SHOWN else []
    named = ", ".join(kinds[:_KINDS_SHOWN] + more)
    skipped = f"; {preview.skipped:,} skipped" if preview.skipped else ""
    return counted(preview.files, "file") + (f": {named}" if named else "") + skipped


class FolderInput(LineInput):
    """The folder's path; Tab takes the completion."""

    BINDINGS: ClassVar[list[BindingType]] = keymap.bindings(keymap.FOLDER)
    takes = "Tab"

    def action_complete(self) -> None:
        """Take the completion, or go on to the next field where there is none."""
        if self._suggestion and self._suggestion != self.value and self.cursor_position == len(self.value):
            self.action_cursor_right()
        else:
            self.screen.focus_next()


class Switch(Painted, can_focus=True):
    """A choice as text, `[x]` or `[ ]`, so that its state is never colour alone."""

    BINDINGS: ClassVar[list[BindingType]] = keymap.bindings(keymap.SWITCH)
    on_now: reactive[bool] = reactive(False)

    def __init__(self, label: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._label = label

    def render_line(self, y: int) -> Strip:  # noqa: ARG002
        """The mark and what it means."""
        mark = Run("[x] " if self.on_now else "[ ] ", "accent")
        role = "strong" if self.has_focus else "dim"
        return self.strip_of([mark, Run(self._label, role)], self.size.width, self.rich_style)

    def action_switch(self) -> None:
        """On or off."""
        self.on_now = not self.on_now

    def on_click(self, _: events.Click) -> None:
        """The mouse switches too."""
        self.action_switch()

    def on_focus(self) -> None:
        """The label says where the focus is."""
        self.refresh()

    def on_blur(self) -> None:
        """The label says where the focus is."""
        self.refresh()


class Label(Static):
    """A field's name, with a bar while the field has the focus."""

    def __init__(self, name: str, field: str) -> None:
        super().__init__(f"  {name}", markup=False, classes="label")
        self._label = name
        self.field = field

    def mark(self, sign: str) -> None:
        """Stand the sign before the name."""
        self.update(f"{sign} {self._label}", layout=False)


class AddLibrary(Dialog[NewLibrary]):
    """Folder, name, description, restricted; below them what the folder holds, live."""

    words: ClassVar[dict[str, str]] = {"do it": "add", "close": "cancel"}

    def __init__(self, preview: Preview, glyphs: Glyphs, known: Mapping[Path, str]) -> None:
        super().__init__(glyphs)
        self._known = known
        self._preview = preview
        self._named = False
        self._problem = "type a folder's path"

    def body(self) -> ComposeResult:
        with Vertical(classes="dialog add"):
            yield Static("Add a library", markup=False, classes="dialog-title")
            yield from self._field(
                "Folder", FolderInput("", "~/notes, or any folder or file", suggester=FolderSuggester(), id="folder")
            )
            yield from self._field("Name", LineInput("", "from the folder", id="name"))
            yield from self._field("Description", LineInput("", "words that route a query here", id="description"))
            yield from self._field("", Switch("restricted: listed, but no text of it kept or found", id="restricted"))
            yield Static("", markup=False, id="preview")
            yield Static("Tab completes and moves on, Enter adds, Esc cancels", markup=False, classes="dialog-hint")
            yield buttons("Add", "Cancel")

    def _field(self, label: str, widget: Painted | LineInput) -> ComposeResult:
        with Horizontal(classes="field"):
            yield Label(label, widget.id or "")
            yield widget

    def on_descendant_focus(self) -> None:
        """The bar stands at the field that has the focus."""
        super().on_descendant_focus()
        focused = self.focused.id if self.focused else ""
        for label in self.query(Label):
            label.mark(self.glyphs.bar if label.field == focused else " ")

    def on_mount(self) -> None:
        """Start with the folder."""
        super().on_mount()
        self.query_one("#folder").focus()

    @property
    def place(self) -> str:  # type: ignore[override]
        """The focused field, as the table of keys names it."""
        return {"folder": "folder", "restricted": "switch"}.get((self.focused and self.focused.id) or "", "dialog")

    @on(Input.Changed, "#folder")
    def look(self, event: Input.Changed) -> None:
        """Name the library after the folder, and count what is in it."""
        path = expanded(event.value)
        name = self.query_one("#name", LineInput)
        if not self._named:
            with name.prevent(Input.Changed):
                name.value = one_line(path.name) if path and event.value.strip() not in ("~", "~/") else ""
        self._say("", "" if path else "type a folder's path")
        if library := self._library_of(path):
            told = f"this is the library {library} already: Esc, then r on it in the libraries pane reads it again"
            self._say(told, told)
        elif path is not None:
            self._preview(path, partial(self._count, path), partial(self._refuse, path))

    @on(Input.Changed, "#name")
    def keep_name(self, event: Input.Changed) -> None:
        """A name typed by hand stays."""
        self._named = bool(event.value)

    def _library_of(self, path: Path | None) -> str:
        return self._known.get(Path(os.path.normpath(path.absolute())), "") if path else ""

    def _count(self, path: Path, preview: FolderPreview) -> None:
        if self._asks_for(path):
            self._say(preview_text(preview), "")

    def _refuse(self, path: Path, reason: str) -> None:
        if self._asks_for(path):
            self._say(reason, reason)

    def _asks_for(self, path: Path) -> bool:
        """Whether the path is still the one in the line when its answer comes."""
        return self.is_attached and expanded(self.query_one("#folder", LineInput).value) == path

    def _say(self, text: str, problem: str) -> None:
        self._problem = problem
        if self.is_attached:
            shown = self.query_one("#preview", Static)
            shown.update(one_line(text))
            shown.set_class(bool(problem), "-problem")

    @on(Input.Submitted)
    def submit(self) -> None:
        """Enter adds from every field."""
        self.action_accept()

    def action_accept(self) -> None:
        """Answer, unless the folder cannot be used."""
        path = expanded(self.query_one("#folder", LineInput).value)
        if path is None or self._problem:
            self._say(self._problem or "type a folder's path", self._problem or "type a folder's path")
            return
        title = self.query_one("#name", LineInput).value.strip()
        description = self.query_one("#description", LineInput).value.strip()
        self.dismiss(NewLibrary(path, title, description, self.query_one("#restricted", Switch).on_now))
