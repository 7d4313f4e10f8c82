"""The one screen: moving between its panes, the filter line, and its layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.binding import BindingType
from textual.css.query import NoMatches
from textual.widget import Widget

from ragspine_tui.tui import keymap
from ragspine_tui.tui.choosing import take_choices
from ragspine_tui.tui.context import ContextHeader
from ragspine_tui.tui.desk import Cancelled
from ragspine_tui.tui.dialogs import WIDTHS, Help
from ragspine_tui.tui.filtering import Filtering
from ragspine_tui.tui.filters import FilterInput
from ragspine_tui.tui.lines import OneLine, key_hints
from ragspine_tui.tui.rows import Rows
from ragspine_tui.tui.state import NONE_CHOSEN, FilterLine, filter_line, filters_of
from ragspine_tui.tui.watching import WATCH_SETTING
from ragspine_tui.types import Condition

if TYPE_CHECKING:
    from ragspine_tui.session import Session

_CHAIN_OF = {
    "search": "search",
    "hits": "hits",
    "context": "context",
    "libraries": "libraries",
    "filter": "filter",
    "filters": "filters",
    "fields": "fields",
    "choices": "first_run",
}
_SIDE = frozenset({"libraries", "filter", "filters", "fields"})
_HEIGHTS = [(0, "-short"), (16, "-tall")]
_KEPT = ("theme", "routing", "extracting", "mode", "fusion", "match", "sort", "scope", "filters", WATCH_SETTING)


class MainScreen(Filtering):
    """Search line, scope line, three panes, status and hints."""

    BINDINGS: ClassVar[list[BindingType]] = keymap.bindings(keymap.ANYWHERE)
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = _HEIGHTS

    def on_mount(self) -> None:
        """Show the frame, then ask for the libraries and for what was kept from the run before."""
        self.set_class(self.config.ascii, "-ascii")
        self.show_hints()
        # The desks load the engine; the first frame does not wait for it.
        self.call_after_refresh(self.begin)

    def begin(self) -> None:
        """Put the desks to work."""
        self.search_desk.submit(read_kept, self.take_kept, self.fail)
        self.refresh_libraries()

    def on_unmount(self) -> None:
        """Nothing goes on after the screen."""
        self.close_desks()

    def take_kept(self, kept: tuple[dict[str, str], list[FilterLine]]) -> None:
        """Use what was kept."""
        settings, filters = kept
        if settings["theme"] and not self.config.theme and settings["theme"] in self.app.available_themes:
            self.app.theme = settings["theme"]
        for told in take_choices(self.state, self.config, settings):
            self.say(told)
        self.state.by_date = settings["sort"] == "date"
        if settings["scope"] not in ("", "*"):
            self.state.chosen = frozenset(settings["scope"].split()) - {NONE_CHOSEN}
        self.state.filters = filters
        self.show_filters()
        self.take_watching(settings[WATCH_SETTING])

    # Moving between the panes

    @property
    def place(self) -> str:
        """Which pane has the focus, as the table of keys names it."""
        return _CHAIN_OF.get(self.focused.id or "" if self.focused else "", "search")

    def on_descendant_focus(self, _: events.DescendantFocus) -> None:
        """The hints follow the focus; so does the one pane shown on a tiny screen."""
        self.set_class(self.place == "context", "-reading")
        self.query_one("#context-header", ContextHeader).enter(self.place == "context")
        self.set_class(self.place in _SIDE, "-side-open")
        self.draw_marks()
        self.show_hints()

    def on_resize(self) -> None:
        """Hints are cut to the width; room given by hand belongs to the old size."""
        try:
            pane = self.query_one("#hits-pane")
        except NoMatches:
            return
        pane.styles.clear_rule("width")
        pane.styles.clear_rule("height")
        self.show_hints()
        self.show_scope()

    def show_hints(self) -> None:
        """Draw the focused pane's keys."""
        left, right = key_hints(self.place, self.app.size.width, self.glyphs)
        self.query_one("#hints", OneLine).draw(left, right)

    def action_back(self) -> None:
        """One step back: list beside -> search; context -> hits -> search -> an empty line. Never out."""
        place = self.place
        if self.has_class("-zoomed"):
            self.remove_class("-zoomed")
        elif place == "libraries" and self.stop_indexing():
            return
        elif place == "context":
            self.hit_list.focus()
        elif self.state.like is not None and place in ("hits", "search"):
            self.state.like = None
            self.search_again()
        elif place == "search":
            self.clear_line()
        elif place == "filter" and self.query_one("#filter", FilterInput).value:
            self.query_one("#filter", FilterInput).value = ""
        else:
            self.focus_line()

    def clear_line(self) -> None:
        """Empty the line, or say how to leave."""
        if self.search_input.value:
            self.search_input.value = ""
        else:
            self.say("Ctrl+Q quits")

    def focus_line(self) -> None:
        """To the search line."""
        self.search_input.focus()

    def action_focus_search(self) -> None:
        """To the search line."""
        self.focus_line()

    def action_enter_hits(self) -> None:
        """From the search line into the hits."""
        if self.hit_list.count:
            self.hit_list.focus()
        else:
            self.say("no hits to go into", "warning")

    def action_enter_context(self) -> None:
        """From the hits into the text, the whole section shown."""
        if self.with_hit():
            self.add_class("-reading")
            self.focus_shown(self.context_view)

    def action_leave_context(self) -> None:
        """From the text back to the hits."""
        self.hit_list.focus()

    def action_focus_libraries(self) -> None:
        """To the libraries, as an overlay where there is no room beside."""
        self.to_side(self.library_list)

    def action_focus_filter(self) -> None:
        """To the filter line."""
        self.to_side(self.query_one("#filter"))

    def action_focus_filters(self) -> None:
        """To the conditions."""
        if self.state.filters:
            self.to_side(self.filter_list)
        else:
            self.say("no condition yet: type one, Enter adds it")

    def to_side(self, widget: Widget) -> None:
        """Open the side pane and move into it."""
        if self.has_class("-first-run"):
            self.say("no libraries yet: a adds a folder", "warning")
            return
        self.add_class("-side-open")
        self.focus_shown(widget)

    def focus_shown(self, widget: Widget) -> None:
        """Focus a widget of a pane that may only now come up: what is hidden takes no focus."""
        if widget.focusable:
            widget.focus()
        else:
            self.call_after_refresh(widget.focus)

    def action_move_hits(self, by: int) -> None:
        """Move in the hits while typing."""
        self.hit_list.move(by)

    def action_page_hits(self, pages: int) -> None:
        """Page through the hits while typing."""
        self.hit_list.page(pages)

    @on(Rows.Chosen, "#hits")
    def click_hit(self, event: Rows.Chosen) -> None:
        """A second click on a hit goes into its text."""
        if event.again:
            self.action_enter_context()

    @on(Rows.Chosen, "#libraries")
    def click_library(self, event: Rows.Chosen) -> None:
        """A second click on a library takes it in or out."""
        if event.again:
            self.action_switch_library()

    @on(Rows.Chosen, "#filters")
    def click_filter(self) -> None:
        """A click switches a condition."""
        self.action_switch_filter()

    # Commands by name

    async def run_command(self, key: keymap.Key) -> None:
        """Do what a key does, from wherever the focus is; a pane's own command comes up with its pane."""
        if not self.has_class("-first-run"):
            if key.context == keymap.LIBRARIES:
                self.to_side(self.library_list)
            elif key.context == keymap.FILTER or (key.context == keymap.FILTERS and self.state.filters):
                self.to_side(self.query_one("#filter"))
        if key.context == keymap.FILTERS and not self.state.filters:
            self.say("there is no condition yet")
        await self.app.run_action(key.action, self.focused or self)

    # Layout and help

    def action_zoom(self) -> None:
        """This pane alone, and back."""
        self.toggle_class("-zoomed")
        self.set_class(self.place == "context", "-reading")

    def action_resize(self, by: int) -> None:
        """More or less room for the hits."""
        pane = self.query_one("#hits-pane")
        if self.has_class("-medium") or self.has_class("-wide"):
            pane.styles.width = max(24, min(pane.outer_size.width + by, self.size.width - 60))
        else:
            pane.styles.height = max(4, min(pane.outer_size.height + by // 2, self.size.height - 8))

    def action_show_help(self) -> None:
        """Help for this pane, and every key."""
        self.app.push_screen(Help(self.place, self.glyphs))


def read_kept(session: Session, _: Cancelled) -> tuple[dict[str, str], list[FilterLine]]:
    """The settings kept by an earlier run; a condition that no longer reads is left out."""
    settings = {key: session.setting(f"tui.{key}") for key in _KEPT}
    filters: list[FilterLine] = []
    for text, active in filters_of(settings["filters"]):
        try:
            condition: Condition = session.parse_condition(text)
        except ValueError:
            continue
        filters.append(filter_line(session, condition, active))
    return settings, filters
