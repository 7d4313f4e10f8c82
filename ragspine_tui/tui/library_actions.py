"""What can be done with libraries: add, scope, route, restrict, remove."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from textual import on

from ragspine_tui.printable import one_line
from ragspine_tui.tui.add_dialog import AddLibrary, NewLibrary
from ragspine_tui.tui.desk import Cancelled
from ragspine_tui.tui.dialogs import Confirm, Offer, Picker
from ragspine_tui.tui.indexing import Indexing
from ragspine_tui.tui.notices import Choices, FirstRun
from ragspine_tui.tui.remarks import mark_text, routing_told
from ragspine_tui.tui.rows import Rows
from ragspine_tui.tui.state import NONE_CHOSEN, WHOLE
from ragspine_tui.tui.text import Line, Run, counted
from ragspine_tui.types import FolderPreview, Library, LibrarySummary

if TYPE_CHECKING:
    from collections.abc import Callable

    from ragspine_tui.session import Session


class LibraryActions(Indexing):
    """The libraries pane's keys."""

    def action_add_library(self) -> None:
        """Ask for a folder and index it."""
        known = {Path(one.library.root): one.library.library_id for one in self.state.libraries}
        self.app.push_screen(AddLibrary(self.preview, self.glyphs, known), self.add)

    def preview(self, path: Path, done: Callable[[FolderPreview], None], failed: Callable[[str], None]) -> None:
        """Count what a folder would bring; only the latest path's answer arrives."""

        def call(session: Session, cancelled: Cancelled) -> FolderPreview:
            return session.preview(path, cancelled=cancelled)

        self.side_desk.submit(call, done, failed, slot="preview")

    def add(self, new: NewLibrary | None) -> None:
        """Make the library and index it."""
        self.side_desk.drop("preview")
        if new is None:
            return
        sensitivity = "restricted" if new.restricted else "internal"

        def call(session: Session, _: Cancelled) -> Library:
            return session.add(new.path, title=new.title, description=new.description, sensitivity=sensitivity)

        def done(library: Library) -> None:
            self.refresh_libraries()
            self.index([library.library_id])

        self.side_desk.submit(call, done, self.fail)

    def action_offer_samples(self) -> None:
        """Add the samples, after asking."""

        def answered(yes: bool | None) -> None:
            if yes:
                self.add_samples()
            elif yes is False:
                self.query_one(FirstRun).hint()

        details = "Short texts that come with the program. d in the libraries pane forgets them again."
        self.app.push_screen(Offer("Add the three sample libraries?", details, self.glyphs), answered)

    def add_samples(self) -> None:
        """Add the libraries that come with the program."""

        def call(session: Session, _: Cancelled) -> tuple[Library, ...]:
            return tuple(session.add_samples())

        def done(libraries: tuple[Library, ...]) -> None:
            if not libraries:
                self.say("the samples are not part of this installation", "warning")
                return
            self.refresh_libraries()
            self.index([library.library_id for library in libraries])

        self.side_desk.submit(call, done, self.fail)

    def action_take_choice(self) -> None:
        """The first run's marked choice."""
        self.action_add_library() if self.query_one(Choices).cursor == 0 else self.action_offer_samples()

    @on(Rows.Chosen, "#choices")
    def click_choice(self) -> None:
        """The mouse takes a choice too."""
        self.action_take_choice()

    def action_switch_library(self) -> None:
        """Take a library in or out of the search by hand."""
        summary = self.with_library()
        if summary is None:
            return
        if self.state.restricted(summary):
            self.say("this library is restricted: ! lifts it", "warning")
            return
        self.state.switch_library(summary.library.library_id)
        self.scope_changed()

    def action_switch_routing(self) -> None:
        """Keyword routing on or off; on, it chooses among all libraries, and off, the choice by hand holds again."""
        self.state.routing = not self.state.routing
        self.say(routing_told(self.state))
        self.scope_changed()

    def action_search_all(self) -> None:
        """Every library in the search again, without routing."""
        self.state.routing, self.state.chosen = False, None
        self.say("all libraries are searched")
        self.scope_changed()

    def action_switch_extracting(self) -> None:
        """Take a filter from the query's own words or not: one press drops what was found there."""
        self.state.extracting = not self.state.extracting
        self.say("words of the query filter too" if self.state.extracting else "the query's words only search")
        self.keep("extracting", "keyword" if self.state.extracting else "none")
        self.show_scope()
        self.search_again()

    def scope_changed(self) -> None:
        """Keep the scope and search in it."""
        chosen = self.state.chosen
        self.keep("routing", "keyword" if self.state.routing else "none")
        self.keep("scope", "*" if chosen is None else " ".join(sorted(chosen)) or NONE_CHOSEN)
        self.show_scope()
        self.search_again()

    def action_reindex(self) -> None:
        """Bring the chosen library up to date."""
        if summary := self.with_library():
            self.index([summary.library.library_id])

    def action_remove_library(self) -> None:
        """Forget a library, after asking."""
        summary = self.with_library()
        if summary is None:
            return
        library_id = summary.library.library_id

        def call(session: Session, _: Cancelled) -> None:
            session.remove(library_id)

        def done(_: None) -> None:
            self.say(f"{library_id} is forgotten")
            self.refresh_libraries(search=True)

        def answered(yes: bool | None) -> None:
            if yes:
                self.side_desk.submit(call, done, self.fail)

        root = one_line(summary.library.root)
        details = f"{counted(summary.documents, 'document')} leave the index. The files in {root} stay as they are."
        self.app.push_screen(Confirm(f"Forget the library {library_id}?", details, self.glyphs), answered)

    def action_restrict_library(self) -> None:
        """Restrict the chosen library, or lift one of its restrictions; asks first, both ways."""
        summary = self.with_library()
        if summary is None:
            return
        patterns = self.state.marks.get(summary.library.library_id, ())
        if not patterns:
            if self.state.restricted(summary):
                self.say("restricted when it was added: remove it and add it again to open it", "warning")
            else:
                self.ask_to_restrict(summary)
            return
        items = [[Line((Run(" lift "), Run(mark_text(pattern), "accent")))] for pattern in patterns]
        if WHOLE not in patterns:
            items.append([Line((Run(" restrict the whole library", "warn"),))])

        def picked(index: int | None) -> None:
            if index is None:
                return
            if index < len(patterns):
                self.ask_to_lift(summary, patterns[index])
            else:
                self.ask_to_restrict(summary)

        title = f"Restrictions in {summary.library.library_id}"
        self.app.push_screen(Picker(title, items, self.glyphs, "Enter chooses, Esc closes"), picked)

    def ask_to_restrict(self, summary: LibrarySummary) -> None:
        """Restrict a whole library, after saying what disappears."""
        library_id = summary.library.library_id

        def call(session: Session, _: Cancelled) -> int:
            return session.restrict(library_id, [WHOLE])

        details = (
            f"The whole library: all {counted(summary.documents, 'document')} disappear from every search, and their "
            f"text is erased from the database. The files themselves stay as they are."
        )
        self.ask_and_do(f"Restrict the library {library_id}?", details, call, f"{library_id} is restricted")

    def ask_to_lift(self, summary: LibrarySummary, pattern: str) -> None:
        """Lift one restriction, after saying what comes back."""
        library_id = summary.library.library_id

        def call(session: Session, _: Cancelled) -> int:
            return session.unrestrict(library_id, [pattern])

        details = f"What {mark_text(pattern)} names is read again and can be found by every search of this home."
        self.ask_and_do(
            f"Lift the restriction in {library_id}?", details, call, f"lifted: {mark_text(pattern)}", reindex=library_id
        )

    def ask_and_do(
        self, question: str, details: str, call: Callable[[Session, Cancelled], int], told: str, *, reindex: str = ""
    ) -> None:
        """Ask; on yes do it, say it, and show the libraries as they are then."""

        def done(_: int) -> None:
            self.say(told)
            self.after_restricting()
            if reindex:
                self.index([reindex])

        def answered(yes: bool | None) -> None:
            if yes:
                self.side_desk.submit(call, done, self.fail)

        self.app.push_screen(Confirm(question, details, self.glyphs), answered)

    def after_restricting(self) -> None:
        """Search and count again without what was restricted."""
        self.state.parents.clear()
        self.search_again(keep_hit=True)
        self.refresh_libraries()
