"""A session at a real terminal, keystroke by keystroke, with the screens a person sees."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX's")

if sys.platform != "win32":
    from tests.e2e.terminal import Terminal

ALTERNATE_SCREEN = b"\x1b[?1049h"
BRACKETED_PASTE = b"\x1b[?2004h"
"""Written once the terminal is raw and keys are read: before it, Ctrl+Q would only restart a stopped terminal."""
HERON = """---
title: Herons at the weir
place: Weir
year: 2021
---
# Herons at the weir

The grey heron stands below the weir from October.

## Feeding

It takes eels before dawn and is gone when the anglers come.

The keeper counted nine eels in one morning.
"""
EGRET = "---\nplace: Marsh\nyear: 2023\n---\n# Egrets\n\nThe little egret feeds on the marsh with the heron.\n"
KITCHEN = "# 台所\n\n日本語のノートです。味噌汁は煮立てません。\n"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder to live in: `birds` and `kitchen` to add, `home` for the program."""
    for folder, files in {
        "birds": {"heron.md": HERON, "egret.md": EGRET},
        "kitchen": {"daidokoro.md": KITCHEN},
    }.items():
        (tmp_path / folder).mkdir()
        for name, text in files.items():
            (tmp_path / folder / name).write_text(text, encoding="utf-8")
    return tmp_path


def environ(place: Path, **more: str) -> Mapping[str, str]:
    """A plain environment: a terminal with colours, nothing of the person's own."""
    kept = {key: os.environ[key] for key in ("PATH", "SYSTEMROOT", "TMPDIR") if key in os.environ}
    return {
        **kept,
        "HOME": str(place),
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LANG": "C.UTF-8",
        "PYTHONUTF8": "1",
        **more,
    }


def start(place: Path, columns: int = 120, rows: int = 36, **more: str) -> Terminal:
    """The real program on the place's home."""
    argv = [sys.executable, "-m", "ragspine_tui", "--home", str(place / "home")]
    return Terminal(argv, environ(place, **more), columns, rows)


def add(terminal: Terminal, folder: str, description: str) -> None:
    """Fill in the dialog: the folder completed with Tab, name kept, a description."""
    terminal.wait_for("Add a library", "▌ Folder")
    terminal.send(f"~/{folder[:-2]}")
    terminal.wait_for(f"~/{folder[:-2]}[{folder[-2:]}/] Tab")
    terminal.send("tab")
    terminal.wait_for(f" Name         {folder} ", " md ")
    terminal.send("tab")
    terminal.wait_for("▌ Name")
    terminal.send("tab")
    terminal.wait_for("▌ Description")
    terminal.send(description)
    terminal.wait_for(description)
    terminal.send("enter")
    terminal.wait_for(f"{folder}: ")


def second_hit_is_chosen(screen: str) -> bool:
    """Whether the bar stands at #2 in the middle column."""
    columns = [line.split("│") for line in screen.splitlines() if line.count("│") >= 2]
    return any(column[1].startswith("▌ ") and "#2" in column[1] for column in columns)


def test_a_first_session_from_an_empty_home_to_the_end(place: Path) -> None:
    with start(place) as terminal:
        terminal.wait_for("No libraries yet", "a  Add a folder", "s  The samples", "Nothing leaves this computer.")
        terminal.send("a")
        add(terminal, "birds", "herons egrets weir marsh")
        terminal.wait_for("1 library · ", "Type to search", "2 documents")

        terminal.send("heron")
        terminal.wait_for("hits · 1 library", "▌ birds › ", "economy · 1 library", "┃ ")
        terminal.wait_for("LIBRARIES", "FILTER", "FIELDS")

        terminal.send("down")
        terminal.wait_until(second_hit_is_chosen, "the second hit under the cursor")
        terminal.send("esc")
        terminal.wait_for("Type to search")
        terminal.send("eels dawn")
        terminal.wait_for("┃ It takes eels before dawn", "“Feeding”")

        terminal.send("enter")
        terminal.wait_for("e edit", "y copy")
        terminal.send("space")
        terminal.wait_for("¶3–4 alone")
        terminal.send("space")
        terminal.wait_until(lambda text: "alone" not in text, "the section again")
        terminal.send("enter")
        terminal.wait_for("▌birds › heron.md")

        terminal.send("ctrl+f")
        terminal.wait_for("↵ add")
        terminal.send("place eq Moon")
        terminal.send("enter")
        terminal.wait_for("filter: place", "Nothing found", "0 after place")
        terminal.send("down")
        terminal.wait_for("x delete")
        terminal.send("space")
        terminal.wait_for("[ ] place", "0 of 1 active", "╎ birds › ")
        terminal.send("x", "esc")
        terminal.wait_until(lambda text: "[ ] place" not in text, "the filter gone")

        terminal.send("ctrl+q")
        assert terminal.wait_for_exit() == 0
        assert b"\x1b[?1049l" in terminal.output.rpartition(ALTERNATE_SCREEN)[2]


def test_routing_japanese_resize_and_what_is_kept_for_the_next_run(place: Path) -> None:
    with start(place) as terminal:
        terminal.wait_for("No libraries yet")
        terminal.send("a")
        add(terminal, "birds", "herons egrets")
        terminal.wait_for("Type to search")
        terminal.send("ctrl+n")
        add(terminal, "kitchen", "soup miso 味噌")
        terminal.wait_for("2 libraries · ")

        terminal.paste("日本語")
        terminal.wait_for("❯ 日本語", "▌ kitchen › daidokoro.md", "2 libraries", "┃ 日本語のノートです。")

        terminal.resize(80, 24)
        terminal.wait_for("── kitchen › daidokoro.md", "❯ 日本語", "┃ 日本語のノートです。")
        terminal.resize(200, 50)
        terminal.wait_for("LIBRARIES", "▌ kitchen › daidokoro.md", "┃ 日本語のノートです。")
        terminal.resize(120, 36)

        terminal.send("esc")
        terminal.wait_for("Type to search")
        terminal.send("egrets")
        terminal.wait_for("❯ egrets", "▌ birds › egret.md")
        terminal.send("ctrl+t")
        terminal.wait_for("routed: birds (egrets)", "routed 1 of 2", "▸ birds", "[ ]   kitchen")
        terminal.send("ctrl+q")
        assert terminal.wait_for_exit() == 0

    with start(place, 80, 24) as terminal:
        terminal.wait_for("routing on")
        terminal.send("egrets")
        terminal.wait_for("routed: birds (egrets)")
        terminal.send("ctrl+l")
        terminal.wait_for("LIBRARIES", "[x] ▸ birds", "␣ in/out")
        terminal.send("esc")
        terminal.wait_for("↵ hits")
        terminal.send("f1")
        terminal.wait_for("Search line  (here)", "Esc closes")
        terminal.send("esc")
        terminal.wait_until(lambda text: "Esc closes" not in text, "the help closed")
        terminal.send("ctrl+q")
        assert terminal.wait_for_exit() == 0


def test_the_editor_opens_at_the_line_and_the_screen_comes_back(place: Path) -> None:
    log = place / "log"
    editor = place / "vim"
    editor.write_text(
        f"#!{sys.executable}\nimport os, sys\nopen({str(log)!r}, 'w').write(repr((sys.argv[1:], "
        "os.environ.get('NO_COLOR'), sys.stdin.isatty())))\nprint('THE EDITOR')\n"
    )
    editor.chmod(editor.stat().st_mode | stat.S_IEXEC)
    with start(place, 120, 30, VISUAL=str(editor), NO_COLOR="1") as terminal:
        terminal.wait_for("No libraries yet")
        terminal.send("a")
        add(terminal, "birds", "birds")
        terminal.wait_for("Type to search")
        terminal.send("eels dawn")
        terminal.wait_for("┃ It takes eels before dawn")
        terminal.send("ctrl+o")
        terminal.wait_until(lambda _: BRACKETED_PASTE in terminal.output.partition(b"THE EDITOR")[2], "the way back")
        terminal.wait_for("┃ It takes eels before dawn", "▌ birds › heron.md")
        terminal.send("ctrl+q")
        assert terminal.wait_for_exit() == 0
    assert log.read_text() == repr(([f"+{HERON.splitlines().index('## Feeding') + 3}",
                                     str(place / "birds" / "heron.md")], "1", True))  # fmt: skip


def test_hostile_text_never_reaches_the_terminal(place: Path) -> None:
    (place / "birds" / "bad\x1b]52;c;aGVyb24=\x07.md").write_text(
        "# x\x1b]52;c;aGVyb24=\x07\n\nheron \x1b[2J\x9b31m \u202eend"
    )
    with start(place) as terminal:
        terminal.wait_for("No libraries yet")
        terminal.send("a")
        add(terminal, "birds", "birds")
        terminal.wait_for("Type to search")
        terminal.send("heron end")
        terminal.wait_for("bad␛]52;c;aGVyb24=␇.md", "␛[2J")
        terminal.send("ctrl+q")
        assert terminal.wait_for_exit() == 0
        output = terminal.output
    assert b"\x1b]52;c;aGVyb24=" not in output
    assert "\u202e".encode() not in output
    assert b"\xc2\x9b" not in output


def test_a_home_that_cannot_be_used_is_one_line_and_code_4(place: Path) -> None:
    (place / "home").mkdir()
    (place / "home" / "ragspine.db").write_bytes(b"no database, but long enough to be taken for one " * 100)
    with start(place) as terminal:
        assert terminal.wait_for_exit() == 4
        assert b"Traceback" not in terminal.output
        last_line = terminal.output.rstrip().splitlines()[-1]
        assert b"ragspine-tui: " in last_line
        assert b"ragspine.db is damaged or not a database" in last_line


def test_who_set_what_cannot_run_or_takes_out_every_library_is_led_out_again(place: Path) -> None:
    with start(place) as terminal:
        terminal.wait_for("No libraries yet")
        terminal.send("a")
        add(terminal, "birds", "herons egrets")
        terminal.wait_for("1 library · ")
        terminal.send("ctrl+l")
        terminal.wait_for("▌[x]   birds", "in/out")
        terminal.send("space")
        terminal.wait_for("No library is searched", "by hand: no library", "0 of 1 libraries")
        terminal.send("esc")
        terminal.wait_for("↵ hits")
        terminal.send("heron")
        terminal.wait_for("❯ heron", "No library is searched")
        terminal.send("ctrl+q")
        assert terminal.wait_for_exit() == 0

    with start(place, 80, 24, RAGSPINE_RETRIEVAL_MODE="vector", NO_COLOR="1") as terminal:
        terminal.wait_for("by hand: no library", "No library is searched")
        terminal.send("ctrl+l")
        terminal.wait_for("▌[ ]   birds", "in/out")
        terminal.send("*")
        terminal.wait_for("▌[x]   birds")
        terminal.send("esc")
        terminal.wait_for("This search cannot run", "vector mode needs an embedding", "↵ hits")
        terminal.send("eels dawn")
        terminal.wait_for("❯ eels dawn", "This search cannot run", 'Ctrl+P  then "mode"')
        terminal.send("ctrl+p")
        terminal.wait_for("Search for commands")
        terminal.send("economy")
        terminal.wait_for("Retrieval mode: vector now")
        terminal.send("enter")
        terminal.wait_for("[x] vector", "set by RAGSPINE_RETRIEVAL_MODE at each start", "▌ [ ] economy")
        terminal.send("enter")
        terminal.wait_for("▌ birds › heron.md", "economy · 1 library", "┃ It takes eels before dawn")
        terminal.send("ctrl+f")
        terminal.wait_for("↵ add")
        terminal.send("pla")
        terminal.wait_for("❯ pla[ce] Right")
        terminal.send("right")
        terminal.wait_for("❯ place ", "then an operator")
        terminal.send("ctrl+q")
        assert terminal.wait_for_exit() == 0
