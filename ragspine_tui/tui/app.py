"""The application around the screen: themes, the palette, and an end that never shows a document's text."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from textual.app import App, SystemCommand
from textual.binding import BindingType
from textual.color import Color
from textual.notifications import Notify
from textual.screen import Screen

from ragspine_tui.tui import keymap
from ragspine_tui.tui.base import Leaving
from ragspine_tui.tui.choosing import CHOICES, command_name
from ragspine_tui.tui.main import MainScreen
from ragspine_tui.tui.themes import DEFAULT, THEMES

if TYPE_CHECKING:
    from ragspine_tui.config import ServiceConfig


FAULT: Final = 70
"""The exit code of a fault of the program, as the command line has it."""


class RagspineApp(App[None]):
    """The terminal interface on one home."""

    TITLE = "ragspine-tui"
    CSS_PATH = "ragspine.tcss"
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, config: ServiceConfig) -> None:
        super().__init__()
        self.config = config
        self.last_line = ""
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = config.theme if config.theme in self.available_themes else DEFAULT

    def get_default_screen(self) -> Screen[None]:
        """The one screen."""
        return MainScreen(self.config)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The program's own colour names, for the themes that do not set them."""
        colours = self.current_theme.to_color_system().generate()
        ground, ink = Color.parse(colours["background"]), Color.parse(colours["foreground"])
        primary = Color.parse(colours["primary"])
        if self.current_theme.ansi:
            return {"rule": "ansi_bright_black", "quiet": "ansi_default", "match": "ansi_yellow",
                    "cursor-row": "ansi_default", "cursor-row-blurred": "ansi_default"}  # fmt: skip
        return {
            "rule": ground.blend(ink, 0.2).hex,
            "quiet": ground.blend(ink, 0.65).hex,
            "match": colours.get("accent", colours["primary"]),
            "cursor-row": ground.blend(primary, 0.2).hex,
            "cursor-row-blurred": ground.blend(ink, 0.07).hex,
        }

    def on_mount(self) -> None:
        """Keep a theme chosen in the palette."""
        self.theme_changed_signal.subscribe(self, lambda theme: self.keep_theme(theme.name))

    def on_notify(self, _: Notify) -> None:
        """Make room for a toast; Textual then shows it."""
        screen = self.screen_stack[0]
        if isinstance(screen, MainScreen):
            screen.make_room()

    def keep_theme(self, name: str) -> None:
        """For the next run."""
        for screen in self.screen_stack:
            if isinstance(screen, MainScreen) and not screen.config.theme:
                screen.keep("theme", name)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The palette: every command by name, wherever the focus is, and the theme."""
        if isinstance(screen, MainScreen):
            for key in keymap.commands(first_run=screen.has_class("-first-run")):
                told = f"{key.context}: {keymap.shown(key.keys)}"
                run = partial(self.call_later, screen.run_command, key)
                yield SystemCommand(keymap.command_name(key), told, run)
            for seam in CHOICES:
                choose = partial(self.call_later, screen.action_choose, seam)
                yield SystemCommand(command_name(screen.state, seam), "Choose another form; the choice is kept", choose)
            now = "on" if screen.watching else "off"
            switch = partial(self.call_later, screen.action_switch_watching)
            yield SystemCommand(f"Watch folders: {now} now", "Read what changes in them; the choice is kept", switch)
        yield SystemCommand("Theme", "Choose the colours; the choice is kept", self.action_change_theme)
        yield SystemCommand("Quit", "Ctrl+Q", self.action_quit)

    def _handle_exception(self, error: Exception) -> None:
        """Leave with one line and the code of a fault of the program.

        Textual would print a traceback with local variables, which may hold document text.
        """
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        self.leave(last_words(error), FAULT)

    def on_leaving(self, message: Leaving) -> None:
        """A screen cannot go on."""
        self.leave(message.last_line, message.code)

    def leave(self, last_line: str, code: int) -> None:
        """End the interface at once; the line is for whoever ran it to print, since Textual would wrap it."""
        if not self.last_line:
            self.last_line, self._return_code = last_line, code
        self._close_messages_no_wait()


def last_words(error: BaseException) -> str:
    """One line for an unexpected error: its kind and place, never its message."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "ragspine_tui" in frame.filename] or list(frames)
    where = f" in {Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else ""
    return f"ragspine-tui stopped: {type(error).__name__}{where}. Nothing was lost; please report this line."


def run(config: ServiceConfig) -> int:
    """Open the terminal interface; the exit code of the process follows."""
    no_color = os.environ.get("NO_COLOR")
    app = RagspineApp(config)
    try:
        app.run()
    finally:
        # Textual takes it out of the environment; whoever runs after us must still see it.
        if no_color is not None:
            os.environ["NO_COLOR"] = no_color
    if app.last_line:
        sys.stderr.write(app.last_line + "\n")
    return app.return_code or 0
