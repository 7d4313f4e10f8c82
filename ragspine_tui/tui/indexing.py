"""Bringing libraries up to date while people search: the counts, the progress, how it ended and what was not read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Final

from ragspine_tui.pace import Pace, Pacing
from ragspine_tui.tui.desk import Cancelled
from ragspine_tui.tui.dialogs import Problems, Reading
from ragspine_tui.tui.lines import OneLine, progress, status
from ragspine_tui.tui.notices import Choices
from ragspine_tui.tui.passage_actions import PassageActions
from ragspine_tui.tui.remarks import problem_lines, remarks_title, report_text, restricted_lines
from ragspine_tui.tui.text import width_of
from ragspine_tui.types import Condition, FieldValues, FileProblem, IndexReport, LibrarySummary, Progress

if TYPE_CHECKING:
    from collections.abc import Callable

    from ragspine_tui.session import Session

_PROGRESS_SECONDS: Final = 0.1
_RECOUNT_SECONDS: Final = 2.0
Shelf = tuple[tuple[LibrarySummary, ...], tuple[FieldValues, ...], dict[str, tuple[str, ...]], dict[str, str]]


class Indexing(PassageActions):
    """The libraries as they are now, and the indexing that goes on while people search."""

    pace: Pace | None = None
    pacing = Pacing()

    @property
    def progress(self) -> Progress | None:
        """How far the library that is being read now has come."""
        return self.state.reading

    def refresh_libraries(self, *, search: bool = False) -> None:
        """Count the libraries and their fields again; `search` searches afterwards."""

        conditions = {line.text: line.condition for line in self.state.filters}

        def call(session: Session, _: Cancelled) -> Shelf:
            return read_shelf(session, conditions)

        def done(shelf: Shelf) -> None:
            self.take_shelf(shelf)
            if search:
                self.search_again(keep_hit=True)

        self.search_desk.submit(call, done, self.fail, slot="libraries")

    def take_shelf(self, shelf: Shelf) -> None:
        """Show the libraries and the fields there are now."""
        first = not self.state.loaded
        self.state.libraries, self.state.fields, self.state.marks, doubts = shelf
        self.state.take_doubts(doubts)
        self.state.loaded = True
        self.show_filters()
        empty = not self.state.libraries
        was_empty = self.has_class("-first-run")
        self.set_class(empty, "-first-run")
        self.search_input.placeholder = "nothing to search yet: add a folder first" if empty else "type to search"
        if empty:
            self.query_one(Choices).focus()
        elif was_empty:
            self.search_input.focus()
        if first:
            self.search_again()
        if self.state.result is None:
            self.show_result("")
        self.show_scope()
        self.show_status()

    def show_status(self) -> None:
        """Counts at the left, what goes on at the right."""
        left = status(self.state, self.glyphs)
        room = self.app.size.width - width_of(left) - 2
        self.query_one("#status", OneLine).draw(left, progress(self.progress, self.glyphs, self.pace, room))

    def index(self, library_ids: Sequence[str], *, retry: bool = False) -> None:
        """Bring libraries up to date in the background, trying again what failed on request; searching goes on."""

        def call(session: Session, cancelled: Cancelled) -> tuple[IndexReport, ...]:
            return session.index(library_ids, retry=retry, progress=self.reporter(), cancelled=cancelled)

        self.index_desk.submit(call, self.indexed, self.not_indexed)

    def reporter(self) -> Callable[[Progress], None]:
        """A progress receiver for the desk's thread that passes on at most ten a second, the last one always."""
        last = 0.0

        def report(at: Progress) -> None:
            nonlocal last
            now = monotonic()
            if now - last >= _PROGRESS_SECONDS or (at.total and at.done >= at.total):
                last = now
                self.deliver(lambda: self.show_progress(at))

        return report

    recounted = 0.0

    def show_progress(self, at: Progress) -> None:
        """Move the bar; now and then count again, so that what has landed can be seen and found."""
        self.state.reading, self.pace = at, self.pacing.at(at, monotonic())
        self.show_reading()
        if monotonic() - self.recounted >= _RECOUNT_SECONDS:
            self.recounted = monotonic()
            self.refresh_libraries(search=self.state.result is not None and not self.state.result.hits)

    def show_reading(self) -> None:
        """Say again, wherever it is said, what is being read."""
        self.show_status()
        self.library_list.show(self.state)
        self.show_notice()

    def nothing_read(self) -> None:
        """Nothing is being read any more."""
        self.state.reading = None
        self.show_reading()

    def indexed(self, reports: tuple[IndexReport, ...]) -> None:
        """Say what indexing did, and search what there is now."""
        self.nothing_read()
        for report in reports:
            self.say(
                report_text(report, self.key_of_problems(report.library_id)),
                "warning" if report.problems or report.cancelled else "information",
            )
        self.refresh_libraries(search=True)

    def key_of_problems(self, library_id: str) -> str:
        """What to press, from where the keys are now, for what was not read of a library."""
        if not self.library_list.has_focus:
            return "^l i"
        chosen = self.library_list.chosen
        return "i" if chosen is not None and chosen.library.library_id == library_id else "i on it"

    def not_indexed(self, message: str) -> None:
        """Indexing failed as a whole."""
        self.nothing_read()
        self.fail(message)
        self.refresh_libraries()

    def stop_indexing(self) -> bool:
        """Ask the indexing to stop; False when there is none."""
        stopped = self.index_desk.stop()
        if stopped:
            self.say("indexing stops; what was read stays, r goes on later")
        return stopped

    def with_library(self) -> LibrarySummary | None:
        """The library under the cursor; where there is none, a toast says so."""
        if self.library_list.chosen is None:
            self.say("no library is chosen: a adds one", "warning")
        return self.library_list.chosen

    def action_show_problems(self) -> None:
        """List the chosen library's files that need a person's attention."""
        summary = self.with_library()
        if summary is None:
            return
        library_id = summary.library.library_id

        def call(session: Session, _: Cancelled) -> tuple[FileProblem, ...]:
            return session.problems((library_id,))

        def answered(again: bool | None) -> None:
            if again:
                self.index([library_id], retry=True)

        def done(problems: tuple[FileProblem, ...]) -> None:
            marked = restricted_lines(summary, self.state.marks.get(library_id, ()))
            if problems or marked:
                title = remarks_title(library_id, problems, summary.restricted)
                page = Problems if problems else Reading
                lines = [*problem_lines(problems), *marked]
                self.app.push_screen(page(title, lambda: lines, self.glyphs), answered)
            elif summary.complete:
                self.say(f"every file of {library_id} was read")
            else:
                self.say(f"{library_id} was read only in part: r continues", "warning")

        self.side_desk.submit(call, done, self.fail)


def read_shelf(session: Session, conditions: Mapping[str, Condition]) -> Shelf:
    """The libraries, their fields, what is marked as restricted in each, and what is odd about conditions there."""
    libraries = session.libraries()
    ids = [summary.library.library_id for summary in libraries]
    marks = {library_id: session.marks(library_id) for library_id in ids}
    hints = {text: session.hint(condition) for text, condition in conditions.items()}
    return libraries, session.fields(), marks, {text: odd.said if odd else "" for text, odd in hints.items()}
