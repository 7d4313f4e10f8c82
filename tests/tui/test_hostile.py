"""Documents, names and errors that try to act on the terminal or to be markup are literal text everywhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from rich.cells import cell_len

from ragspine_tui.config import ServiceConfig
from ragspine_tui.session import Session
from tests.tui.driving import Driver, drive, library

HOSTILE = "[@click=app.quit]x[/] [b [/red] \x1b]52;c;aGk=\x07 \x1b[2J \u202egnp.exe\u2066 e\u0301\u0301 \x9b31m end"
NAMES = ["[/x].md", "[b].md", "[@click=app.quit]x[/].md", "a\x1b]52;c;x\x07.md", "rtl\u202egpj.md", "two\nlines.md"]


@pytest.fixture
def hostile_home(tmp_path: Path) -> Path:
    """A library whose names, titles, headings, fields and text are all hostile."""
    folder = tmp_path / "hostile"
    folder.mkdir()
    front = "---\ntitle: \"[/red] title \\u202e\"\ntags: ['[/x]', '[b']\n---\n"
    text = f"{front}# [@click=app.quit]Heading[/] [b\n\nheron {HOSTILE}\n"
    for number, name in enumerate(NAMES if os.name == "posix" else NAMES[:2]):
        (folder / name).parent.mkdir(exist_ok=True)
        # Not the same text: copies of a passage are one hit.
        (folder / name).write_bytes(f"{text}\nfile {number}\n".encode())
    if os.name == "posix":
        Path(os.fsdecode(os.fsencode(folder) + b"/\xff[.md")).write_bytes(text.encode())
    home = tmp_path / "home"
    library(home, folder, title="[/] [b", description="[/red]")
    return home


def assert_harmless(driver: Driver) -> None:
    """The screen holds no character a terminal obeys and no row is wider than it."""
    for line in driver.text.split("\n"):
        assert not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or c in "\u202e\u2066" or 0xD800 <= ord(c) < 0xE000
                       for c in line)  # fmt: skip
        assert cell_len(line) <= driver.app.size.width


@pytest.mark.parametrize("size", [(80, 24), (200, 50)])
def test_hostile_documents_are_literal_text(hostile_home: Path, size: tuple[int, int]) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("heron")
        assert len(driver.hits()) >= 2
        for _ in driver.hits():
            await driver.press("down")
            assert_harmless(driver)
        for keys in (("enter", "space"), ("enter", "G"), ("Y",), ("plus", "G"), ("enter",), ("ctrl+l", "i"),
                     ("escape", "exclamation_mark"), ("n", "d"), ("n", "f1"), ("escape", "ctrl+f")):  # fmt: skip
            await driver.press(*keys)
            assert_harmless(driver)
        assert driver.app.is_running

    drive(hostile_home, flow, size=size)


def test_hostile_names_are_shown_as_they_are(hostile_home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("heron")
        shown = []
        for _ in driver.hits():
            shown.append(driver.text)
            await driver.press("down")
        assert any("[/x].md" in text for text in shown)
        assert any("[@click=app.quit]x[/].md" in text for text in shown)
        for toast in driver.toasts:
            assert "\x1b" not in toast

    drive(hostile_home, flow, size=(200, 50))


def test_hostile_queries_and_conditions_are_literal(hostile_home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("[/] [b [@click=app.quit]x")
        assert_harmless(driver)
        await driver.press("ctrl+f")
        await driver.type("tags eq '[/x]'")
        await driver.press("enter")
        assert_harmless(driver)
        assert "[/x]" in driver.text
        await driver.type("[/red] [b")
        assert_harmless(driver)
        await driver.press("enter")
        assert driver.app.is_running

    drive(hostile_home, flow)


def test_restricting_a_hostile_name_restricts_exactly_that_document(hostile_home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("heron")
        documents = set(driver.hits())
        await driver.press("enter")
        while driver.main.hit is not None and driver.main.hit.document != "[b].md":
            await driver.press("j")
        await driver.press("exclamation_mark", "y")
        assert set(driver.hits()) == documents - {"[b].md"}

    drive(hostile_home, flow)
    with Session.open(ServiceConfig(home=hostile_home)) as session:
        assert session.marks(session.libraries()[0].library.library_id) == ("=[b].md",)
