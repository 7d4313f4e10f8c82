"""Driving the terminal interface in tests: a real home, real files, the real session; screens kept as text files."""

from __future__ import annotations

import asyncio
import difflib
import os
import re
import threading
import types
from collections.abc import Awaitable, Callable, Generator
from pathlib import Path
from typing import Any

from textual import events
from textual.pilot import Pilot

from ragspine_tui.config import ServiceConfig
from ragspine_tui.session import Session
from ragspine_tui.tui.app import RagspineApp
from ragspine_tui.tui.main import MainScreen
from ragspine_tui.tui.notices import Choices

SCREENS = Path(__file__).parent / "screens"
WRITE = "RAGSPINE_WRITE_SCREENS"

CHARACTERS = {
    "space": " ",
    "slash": "/",
    "question_mark": "?",
    "exclamation_mark": "!",
    "plus": "+",
    "equals_sign": "=",
    "asterisk": "*",
    "less_than_sign": "<",
    "greater_than_sign": ">",
}
NAMES = {char: name for name, char in CHARACTERS.items()}

# What waits in no queue may still be under way, in a handler that gave way: it queues something within so many turns.
QUIET_TURNS = 8
QUIET_ROUNDS = 4

Flow = Callable[["Driver"], Awaitable[None]]


@types.coroutine
def one_turn() -> Generator[None, None, None]:
    """Let everything that is ready go on once."""
    yield


class Driver:
    """A running interface: press keys, wait until all work is done, read the screen."""

    def __init__(self, app: RagspineApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def main(self) -> MainScreen:
        """The one screen."""
        screen = self.app.screen_stack[0]
        assert isinstance(screen, MainScreen)
        return screen

    async def press(self, *keys: str) -> None:
        """Press keys one after the other, waiting until what each started is done."""
        for key in keys:
            self.send(key)
            await self.settle()

    def send(self, key: str) -> None:
        """Press a key and wait for nothing."""
        assert self.app._driver is not None
        self.app._driver.send_message(events.Key(key, key if len(key) == 1 else CHARACTERS.get(key)))

    async def type(self, text: str) -> None:
        """Type text key by key and wait until the last search has come back."""
        for char in text:
            self.send(NAMES.get(char, char))
        await self.settle()

    async def settle(self) -> None:
        """Wait until no desk works and every message is taken."""
        desks = (self.main.search_desk, self.main.index_desk, self.main.side_desk, self.main.open_desk)
        quiet = 0
        async with asyncio.timeout(60):
            while quiet < QUIET_ROUNDS:
                await self._drained()
                await self.taken()
                held = self._draws() or any(choices.waiting for choices in self.main.query(Choices))
                quiet = 0 if held or any(desk.busy for desk in desks) else quiet + 1

    def _draws(self) -> bool:
        """Whether something waits for the next frame; it gets it now."""
        screen = self.app.screen
        waits = (screen._layout_required, screen._repaint_required, screen._scroll_required, screen._dirty_widgets)
        more = bool(any(waits) or screen._callbacks)
        screen._on_timer_update()
        return more

    async def _drained(self) -> None:
        """Wait until no message waits in the queue of a widget: a key passes the app, the screen and the widget."""
        quiet = 0
        while quiet < QUIET_TURNS:
            await one_turn()
            pumps = (self.app, *self.app.screen.walk_children(with_self=True))
            quiet = 0 if any(pump.message_queue_size or pump._next_callbacks for pump in pumps) else quiet + 1

    async def taken(self) -> None:
        """Wait until every widget has taken the messages it has now."""
        await self.pilot._wait_for_screen()
        # Waiting for another thread hands the interpreter over: a loop that only spins would starve the desks' threads.
        await asyncio.to_thread(threading.get_ident)

    @property
    def text(self) -> str:
        """The screen as lines without trailing blanks."""
        strips = self.app.screen._compositor.render_strips(self.app.size)
        return "\n".join(strip.text.rstrip() for strip in strips)

    @property
    def toasts(self) -> list[str]:
        """What the toasts say."""
        return [notification.message for notification in self.app._notifications]

    @property
    def place(self) -> str:
        """The focused pane."""
        return self.main.place

    async def until_indexing(self) -> None:
        """Wait until the status line shows the progress of indexing."""
        while not self.indexing:
            await self.taken()

    @property
    def indexing(self) -> bool:
        """Whether the status line shows the progress of indexing."""
        return self.main.progress is not None

    def hits(self) -> list[str]:
        """The documents of the hits, in order."""
        return [hit.document for hit in self.main.hit_list.hits]


def drive(
    home: Path, flow: Flow, size: tuple[int, int] = (120, 36), *, toasts: bool = False, **settings: Any
) -> RagspineApp:
    """Run a flow against the interface on this home; errors of either fail the test; `toasts` draws them."""
    app = RagspineApp(ServiceConfig(home=home, **{"watch": False, **settings}))

    async def main() -> None:
        async with app.run_test(size=size, notifications=toasts) as pilot:
            driver = Driver(app, pilot)
            async with asyncio.timeout(60):
                while not driver.main.state.loaded:
                    await driver.taken()
            await driver.settle()
            await flow(driver)

    asyncio.run(main())
    return app


def library(home: Path, folder: Path, **options: Any) -> None:
    """Make a library of a folder and index it, as the command line would."""
    with Session.open(ServiceConfig(home=home)) as session:
        made = session.add(folder, **options)
        session.index((made.library_id,))


def write(folder: Path, **files: str) -> Path:
    """A folder with Markdown files named by the keywords."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


def assert_screen(name: str, text: str) -> None:
    """The screen is the one kept under this name; RAGSPINE_WRITE_SCREENS=1 keeps the new one instead."""
    path = SCREENS / f"{name}.txt"
    # What a passage scores is the search's business, not the screen's.
    text = re.sub(r"bm25 [0-9.]+", "bm25 1.23", text)
    if os.environ.get(WRITE):
        path.write_text(text + "\n", encoding="utf-8")
    kept = path.read_text(encoding="utf-8").splitlines()
    difference = list(difflib.unified_diff(kept, text.splitlines(), f"{name}.txt", "the screen", n=0, lineterm=""))
    assert not difference, "\n".join(difference)
