"""The screen's ground: its panes, its state, the desks that work for it, and how it speaks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Literal

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from ragspine_tui.printable import one_line
from ragspine_tui.tui.context import ContextHeader, ContextView
from ragspine_tui.tui.desk import Desk
from ragspine_tui.tui.filters import FieldsView, FilterInput, FilterList, FilterSuggester
from ragspine_tui.tui.glyphs import glyphs
from ragspine_tui.tui.hits import HitList
from ragspine_tui.tui.inputs import SearchInput
from ragspine_tui.tui.libraries import LibraryList, PaneTitle
from ragspine_tui.tui.lines import Found, OneLine, Wrapped
from ragspine_tui.tui.notices import FirstRun
from ragspine_tui.tui.rows import Rows
from ragspine_tui.tui.state import SHOWN_HITS, State
from ragspine_tui.types import Hit

if TYPE_CHECKING:
    from ragspine_tui.config import ServiceConfig

_SAID_SECONDS: Final = 4.0
_ERROR_SECONDS: Final = 8.0
Severity = Literal["information", "warning", "error"]


class Delivered(Message):
    """A desk's result, to be taken in the screen's own thread."""

    def __init__(self, take: Callable[[], None]) -> None:
        super().__init__()
        self.take = take


class Leaving(Message):
    """Nothing can go on: the application ends with this line and exit code."""

    def __init__(self, last_line: str, code: int) -> None:
        super().__init__()
        self.last_line = last_line
        self.code = code


class Base(Screen[None]):
    """Composes the panes and owns the desks; the flows are in the classes built on it."""

    AUTO_FOCUS = "#search"

    def __init__(self, config: ServiceConfig) -> None:
        super().__init__()
        self.config = config
        self.glyphs = glyphs(config.ascii)
        self.state = State(
            limit=max(config.limit, SHOWN_HITS),
            routing=config.library_router == "keyword",
            extracting=config.filter_extractor == "keyword",
            every=config.match == "all",
            mode=config.retrieval_mode,
            fusion=config.fusion,
        )
        self.search_desk = Desk(config, "search", self.deliver, self.unusable)
        self.index_desk = Desk(config, "index", self.deliver)
        self.side_desk = Desk(config, "side", self.deliver)
        self.open_desk = Desk(config, "open", self.deliver)
        self.suggester = FilterSuggester()

    def compose(self) -> ComposeResult:
        signs = self.glyphs
        with Horizontal(id="search-row"):
            yield Static(f" {signs.prompt} ", markup=False, id="prompt")
            yield SearchInput(placeholder="type to search", id="search")
            yield Found("", markup=False, id="found")
        yield OneLine(signs, id="read-as")
        yield Wrapped(signs, id="scope")
        with Horizontal(id="body"):
            with Vertical(id="side"):
                yield PaneTitle("LIBRARIES", signs, id="libraries-title")
                yield LibraryList(signs, id="libraries")
                yield PaneTitle("FILTER", signs, id="filter-title")
                with Horizontal(id="filter-row"):
                    yield Static(f" {signs.prompt} ", markup=False)
                    yield FilterInput(placeholder="field operator value", suggester=self.suggester, id="filter")
                yield Wrapped(signs, id="filter-error")
                yield Wrapped(signs, id="found-filter")
                yield FilterList(signs, id="filters")
                yield PaneTitle("FIELDS", signs, id="fields-title")
                yield FieldsView(signs, id="fields")
            with Vertical(id="hits-pane"):
                yield HitList(signs, id="hits")
                yield Static("", markup=False, id="notice")
            with Vertical(id="context-pane"):
                yield ContextHeader(signs, id="context-header")
                yield ContextView(signs, id="context")
            yield FirstRun(self.config.database_path, signs)
        yield OneLine(signs, id="status")
        yield OneLine(signs, id="hints")

    @property
    def hit_list(self) -> HitList:
        """The hits pane's list."""
        return self.query_one("#hits", HitList)

    @property
    def library_list(self) -> LibraryList:
        """The libraries pane's list."""
        return self.query_one("#libraries", LibraryList)

    @property
    def filter_list(self) -> FilterList:
        """The conditions."""
        return self.query_one("#filters", FilterList)

    @property
    def context_view(self) -> ContextView:
        """The context pane's text."""
        return self.query_one("#context", ContextView)

    @property
    def search_input(self) -> SearchInput:
        """The search line."""
        return self.query_one("#search", SearchInput)

    @property
    def hit(self) -> Hit | None:
        """The hit under the cursor."""
        return self.hit_list.chosen

    def on_screen_suspend(self) -> None:
        """A dialog has the keys now."""
        self.draw_marks()

    def on_screen_resume(self) -> None:
        """The dialog is gone."""
        self.draw_marks()

    def draw_marks(self) -> None:
        """One bar on the screen: what may have it draws its own again."""
        self.query_one("#context-header").refresh()
        for rows in self.query(Rows):
            rows.refresh()

    def deliver(self, take: Callable[[], None]) -> None:
        """Called in a desk's thread: have `take` run in the screen's."""
        self.post_message(Delivered(take))

    def on_delivered(self, message: Delivered) -> None:
        """Take a result."""
        message.take()

    def unusable(self, reason: str) -> None:
        """The database cannot be opened: leave with the one line that says what to do."""
        self.post_message(Leaving(f"ragspine-tui: {one_line(reason)}", 4))

    def close_desks(self) -> None:
        """Stop all work; nothing is written afterwards."""
        for desk in (self.index_desk, self.search_desk, self.side_desk, self.open_desk):
            desk.close()

    def say(self, message: str, severity: Severity = "information") -> None:
        """One line as a toast."""
        seconds = _ERROR_SECONDS if severity == "error" else _SAID_SECONDS
        self.app.notify(one_line(message), severity=severity, markup=False, timeout=seconds)

    def make_room(self) -> None:
        """Before a toast shows: where it has the last rows to stand on, it is the only one."""
        if self.has_class("-narrow") or self.has_class("-tiny"):
            self.app.clear_notifications()

    def fail(self, message: str) -> None:
        """One line of what went wrong; what was shown stays."""
        self.say(message, "error")

    def keep(self, key: str, value: str) -> None:
        """Keep a setting for the next run."""

        def call(session: Any, _: object) -> None:
            session.set_setting(f"tui.{key}", value)

        self.side_desk.submit(call, _nothing, self.fail, slot=f"keep.{key}")


def _nothing(_: object) -> None:
    """A result nobody waits for."""
