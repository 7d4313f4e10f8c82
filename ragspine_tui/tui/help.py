"""Help, made from the table of keys: the focused pane's keys first, then all the others."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from ragspine_tui.tui import keymap
from ragspine_tui.tui.language import LANGUAGE
from ragspine_tui.tui.text import Line, Run

_KEYS_CELLS = 16

_CLIPBOARD = (
    "Copying hands the text to the terminal (OSC 52). tmux passes it on only with:",
    "  set -s set-clipboard on",
    "A terminal that does not take it leaves the clipboard as it was; the citation is shown as well.",
)


def help_lines(chain: str) -> list[Line]:
    """Help for what has the focus: its own keys, the keys that work anywhere, then those of the other places."""
    own = list(keymap.CHAINS[chain])
    contexts = [*own, *dict.fromkeys(key.context for key in keymap.KEYMAP if key.context not in own)]
    lines: list[Line] = []
    for context in contexts:
        here = "  (here)" if context in own and context != keymap.ANYWHERE else ""
        lines += [*_section(context, here), Line()]
    lines += [Line((Run(" The search line", "strong"),)), *map(_written, LANGUAGE), Line()]
    return [*lines, Line((Run(" Clipboard", "strong"),)), *(Line((Run(f"   {text}"),)) for text in _CLIPBOARD)]


def _written(row: tuple[str, str]) -> Line:
    written, what = row
    return Line((Run(f"   {written}", "accent"), Run(" " * max(1, _KEYS_CELLS - cell_len(written)) + what)))


def _section(context: str, here: str) -> Sequence[Line]:
    title = Line((Run(f" {context[0].upper()}{context[1:]}", "strong"), Run(here, "dim")))
    rows = []
    for key in keymap.of(context):
        keys = keymap.shown(key.keys)
        blank = " " * max(1, _KEYS_CELLS - cell_len(keys))
        rows.append(Line((Run(f"   {keys}", "accent"), Run(blank + key.description))))
    return [title, *rows]
