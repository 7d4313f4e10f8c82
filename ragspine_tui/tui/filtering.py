"""The filter: its line, what is said under it, and the conditions that were taken."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from textual import on
from textual.widgets import Input

from ragspine_tui.printable import one_line
from ragspine_tui.tui.choosing import Choosing
from ragspine_tui.tui.desk import Cancelled
from ragspine_tui.tui.dialogs import Offer
from ragspine_tui.tui.filters import FieldsView, FilterInput, comes_next
from ragspine_tui.tui.lines import Wrapped
from ragspine_tui.tui.rows import Rows
from ragspine_tui.tui.state import FilterLine, TypedCondition, typed_condition
from ragspine_tui.tui.text import Run

if TYPE_CHECKING:
    from ragspine_tui.session import Session

_WHERE: Final = re.compile(r" at character \d+ of (?:'.*?'|\".*?\")(?=: |\Z)")


class Filtering(Choosing):
    """Typing a condition, and switching, editing and deleting those there are."""

    @on(Input.Changed, "#filter")
    def check_filter(self, event: Input.Changed) -> None:
        """Say under the line what is expected, as it is typed."""
        text = event.value
        if not text.strip():
            self.search_desk.submit(_nothing_to_parse, self.filter_is_fine, self.filter_is_wrong, slot="condition")
        else:
            self.parse(text, self.filter_is_fine, partial(self.filter_is_typed, text))

    def parse(self, text: str, done: Callable[[TypedCondition], None], failed: Callable[[str], None]) -> None:
        """Understand a condition on the search desk; only the latest line's answer arrives."""

        def call(session: Session, _: Cancelled) -> TypedCondition:
            return typed_condition(session, text)

        self.search_desk.submit(call, done, failed, slot="condition")

    def filter_is_fine(self, typed: TypedCondition | None) -> None:
        """Nothing to say under the line, unless the condition hardly means what it says."""
        if typed is not None and typed.better:
            self.filter_remark(f"{typed.why}; Enter offers {typed.better.text}", "-coming")
        else:
            odd = typed.line.doubt if typed else ""
            self.filter_remark(odd, "-problem" if odd else "")

    def filter_is_typed(self, text: str, reason: str) -> None:
        """Who has not finished is told what comes next, and scolded only for what is wrong already."""
        if following := comes_next(text, self.state.fields_known()):
            self.filter_remark(following, "-coming")
        else:
            self.filter_is_wrong(reason)

    def filter_is_wrong(self, reason: str) -> None:
        """What was expected, under the line."""
        # The line itself stands right above: it need not be quoted.
        self.filter_remark(_WHERE.sub("", reason), "-problem")

    def filter_remark(self, text: str, kind: str) -> None:
        """One remark under the line, in as many rows as it takes."""
        remark = self.query_one("#filter-error", Wrapped)
        role = "warn" if kind == "-problem" else "dim"
        remark.draw([[Run(one_line(text), role)]] if text else [])
        remark.set_class(kind == "-problem", "-problem")
        remark.set_class(kind == "-coming", "-coming")

    def action_add_filter(self) -> None:
        """Add the typed condition."""
        text = self.query_one("#filter", FilterInput).value
        if text.strip():
            self.parse(text, self.filter_typed, self.filter_is_wrong)
        else:
            self.say("type a condition: field operator value")

    def filter_typed(self, typed: TypedCondition) -> None:
        """Take a typed condition into the filter; where it was meant otherwise, offer that."""
        better = typed.better

        def answered(yes: bool | None) -> None:
            if better is not None and yes is not False:
                self.take_line(better if yes else typed.line)

        if better is None:
            self.take_line(typed.line)
            return
        details = f"{typed.line.text}: {typed.why}. No takes it as it is."
        self.app.push_screen(Offer(f"Did you mean {one_line(better.text)}?", one_line(details), self.glyphs), answered)

    def take_line(self, line: FilterLine) -> None:
        """Put a condition into the filter and empty its line."""
        self.query_one("#filter", FilterInput).value = ""
        self.add_line(line)

    @on(FieldsView.Picked)
    def start_condition(self, event: FieldsView.Picked) -> None:
        """A clicked field begins a condition."""
        line = self.query_one("#filter", FilterInput)
        line.value = f"{event.field} eq "
        line.cursor_position = len(line.value)
        line.focus()

    def action_switch_filter(self) -> None:
        """Condition on or off."""
        if (index := self.filter_list.cursor) is not None:
            self.state.filters[index].active = not self.state.filters[index].active
            self.filters_changed()

    def action_delete_filter(self) -> None:
        """Delete the condition."""
        if (index := self.filter_list.cursor) is not None:
            del self.state.filters[index]
            if not self.state.filters:
                self.query_one("#filter").focus()
            self.filters_changed()

    def action_edit_filter(self) -> None:
        """Back to the line with the condition, to change it."""
        if (index := self.filter_list.cursor) is not None:
            line = self.query_one("#filter", FilterInput)
            line.value = self.state.filters[index].text
            line.cursor_position = len(line.value)
            self.action_delete_filter()
            line.focus()

    def action_pick_field(self) -> None:
        """Begin a condition with the field under the cursor."""
        self.query_one("#fields", FieldsView).pick()

    @on(Rows.Chosen, "#fields")
    def click_field(self) -> None:
        """A clicked field begins a condition."""
        self.action_pick_field()


def _nothing_to_parse(_: Session, __: Cancelled) -> None:
    """An empty line still takes its turn, so that an older line's error cannot show after it."""
