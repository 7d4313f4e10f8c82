"""What can be done with the hit under the cursor."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from ragspine_tui.errors import UsageError
from ragspine_tui.printable import one_line
from ragspine_tui.tui.desk import Cancelled
from ragspine_tui.tui.dialogs import Confirm, Picker
from ragspine_tui.tui.opening import editor_command, is_not_text, line_to_edit, open_with_system, run_editor
from ragspine_tui.tui.querying import Querying
from ragspine_tui.tui.state import FilterLine, filter_line, shown_value
from ragspine_tui.tui.text import Line, Run, citation, path_of, place
from ragspine_tui.types import Condition, Hit

if TYPE_CHECKING:
    from ragspine_tui.session import Session


class PassageActions(Querying):
    """Expand, copy, open, edit, narrow, restrict; each says why when there is no hit to do it with."""

    def with_hit(self) -> Hit | None:
        """The hit under the cursor; where there is none, a toast says so."""
        if self.hit is None:
            self.say("no hit is chosen: type a search first", "warning")
        return self.hit

    def action_switch_parent(self) -> None:
        """The passage alone, or inside its section."""
        if self.with_hit():
            self.state.parent_shown = not self.state.parent_shown
            self.show_context(self.hit)

    def action_same_document(self, step: int) -> None:
        """On to the next hit of the same document in the list."""
        hit, hits = self.with_hit(), self.hit_list.hits
        if hit is None:
            return
        at = hits.index(hit)
        others = range(at + 1, len(hits)) if step > 0 else range(at - 1, -1, -1)
        same = (i for i in others if (hits[i].library_id, hits[i].document) == (hit.library_id, hit.document))
        index = next(same, None)
        if index is None:
            self.say(f"no {'further' if step > 0 else 'earlier'} hit in {path_of(hit)}")
        else:
            self.hit_list.cursor = index

    def action_search_like(self) -> None:
        """Search for more like the passage; typing, or Esc, comes back to the query."""
        if hit := self.with_hit():
            self.state.like = hit
            self.search_again()

    def action_switch_copies(self) -> None:
        """The copies of the passage as rows of their own, or as one row again."""
        if hit := self.with_hit():
            shown = self.state.switch_copies(hit)
            if shown is None:
                self.say("this passage has no copies")
            else:
                self.show_result(shown.chunk_id)

    def action_copy_text_of_hit(self) -> None:
        """Copy the passage of the hit."""
        if hit := self.with_hit():
            self.app.copy_to_clipboard(hit.text)
            self.say("the passage was sent to the terminal's clipboard")

    def action_copy_citation(self) -> None:
        """Copy where the hit stands."""
        if hit := self.with_hit():
            self.app.copy_to_clipboard(citation(hit))
            self.say(f"sent to the terminal's clipboard: {citation(hit)}")

    def with_file(self, use: Callable[[Hit, Path], None]) -> None:
        """Find the hit's file on disk and use it; a file that is gone is a toast."""
        hit = self.with_hit()
        if hit is None:
            return

        def call(session: Session, _: Cancelled) -> tuple[Path, bool]:
            path = session.file_of(hit.library_id, hit.document)
            return path, path.exists()

        def done(found: tuple[Path, bool]) -> None:
            path, there = found
            if there:
                use(hit, path)
            else:
                self.fail(
                    f"{path_of(hit)} is gone from the disk: r in the libraries pane brings the library up to date"
                )

        self.side_desk.submit(call, done, self.fail)

    def action_edit_hit(self) -> None:
        """Open the file in the person's editor at the line; what an editor cannot show goes to the system."""
        self.with_file(self.edit)

    def edit(self, hit: Hit, path: Path) -> None:
        """Suspend the screen for the editor and come back."""
        if is_not_text(hit, path):
            self.open(hit, path)
            return
        # Textual takes NO_COLOR out of the environment; the editor must still see it.
        environ = {**os.environ, **({"NO_COLOR": "1"} if self.app.no_color else {})}
        try:
            command = editor_command(path.absolute(), line_to_edit(hit), environ)
            self.run_in_terminal(command, environ)
        except (UsageError, SuspendNotSupported) as error:
            self.fail(str(error))
        else:
            self.search_again(keep_hit=True)

    def run_in_terminal(self, command: list[str], environ: Mapping[str, str]) -> None:
        """Give the terminal to another program until it ends."""
        with self.app.suspend():
            run_editor(command, environ)

    def action_open_hit(self) -> None:
        """Open the file with the system's own program."""
        self.with_file(self.open)

    def open(self, hit: Hit, path: Path) -> None:
        """Hand the file to the system, and say how that ended."""

        def call(_: Session, __: Cancelled) -> None:
            try:
                open_with_system(path.absolute(), hit.page)
            except OSError as error:
                raise UsageError(f"cannot open {path_of(hit)}: {error.strerror}", "press e for the editor") from error

        def done(_: None) -> None:
            self.say(f"opened {path_of(hit)} {place(hit, self.glyphs)}".rstrip())

        self.open_desk.submit(call, done, self.fail)

    def action_narrow_to_field(self) -> None:
        """Pick one of the hit's own field values as a condition."""
        hit = self.with_hit()
        if hit is None:
            return
        pairs = [(name, value) for name, values in sorted(hit.fields.items()) for value in values]
        if not pairs:
            self.say("this document has no fields", "warning")
            return
        shown = [(one_line(name), one_line(shown_value(name, value))) for name, value in pairs]
        items = [[Line((Run(f" {name} ", "accent"), Run(value)))] for name, value in shown]

        def picked(index: int | None) -> None:
            if index is not None:
                name, value = pairs[index]
                self.add_condition(Condition(name, "eq", value))

        title = f"Narrow to what {path_of(hit)} has"
        self.app.push_screen(Picker(title, items, self.glyphs, "Enter narrows, Esc closes"), picked)

    def add_condition(self, condition: Condition) -> None:
        """Put a condition into the filter and search again."""

        def call(session: Session, _: Cancelled) -> FilterLine:
            return filter_line(session, condition)

        self.search_desk.submit(call, self.add_line, self.fail)

    def add_line(self, line: FilterLine) -> None:
        """Add one line to the filter; the same line is never there twice."""
        self.state.filters = [other for other in self.state.filters if other.text != line.text] + [line]
        self.filters_changed()

    def filters_changed(self) -> None:
        """Draw, keep and use the filter."""
        self.show_filters()
        self.keep("filters", self.state.filters_kept())
        self.show_scope()
        self.search_again()

    def action_restrict_hit(self) -> None:
        """Restrict the hit's document, or all that say the same, after saying what disappears."""
        hit = self.with_hit()
        if hit is None:
            return
        copies = [one for one in self.state.copies(hit) if document_of(one) != document_of(hit)]
        if not copies:
            self.ask_to_restrict_hits([hit], [])
            return
        every = [hit, *{document_of(one): one for one in copies}.values()]
        items = [
            [Line((Run(f" only {path_of(hit)}", "strong"),))],
            [Line((Run(f" all {len(every)} documents with this text", "warn"),))],
        ]

        def picked(index: int | None) -> None:
            if index is not None:
                self.ask_to_restrict_hits(*((every, []) if index else ([hit], every[1:])))

        title = "The same text is also in other documents. Restrict which?"
        self.app.push_screen(Picker(title, items, self.glyphs, "Enter goes on to a question, Esc closes"), picked)

    def ask_to_restrict_hits(self, hits: Sequence[Hit], others: Sequence[Hit]) -> None:
        """Restrict the hits' documents on a yes; `others` say the same and stay."""
        documents = {document_of(one) for one in hits}
        name = ", ".join(map(path_of, hits))

        def call(session: Session, _: Cancelled) -> None:
            # Written first: what the restriction erases then includes the condition as it was kept.
            session.set_setting("tui.filters", self.state.filters_kept())
            for library_id in sorted({one.library_id for one in hits}):
                session.restrict(library_id, [one.document for one in hits if one.library_id == library_id])

        def done(_: None) -> None:
            self.state.hidden -= documents
            self.say(f"{name} {'is' if len(hits) == 1 else 'are'} restricted")
            self.after_restricting()

        def failed(reason: str) -> None:
            self.state.hidden -= documents
            self.fail(reason)
            self.search_again()

        def answered(yes: bool | None) -> None:
            if yes:
                for one in hits:
                    self.state.forget_values(one)
                self.show_filters()
                self.show_scope()
                self.hide_document(*hits)
                self.side_desk.submit(call, done, failed)

        shown = sum(document_of(one) in documents for one in self.hit_list.hits)
        question = f"Restrict the document {name}?" if len(hits) == 1 else f"Restrict {len(hits)} documents?"
        details = restricting_told(hits, shown, others)
        self.app.push_screen(Confirm(question, details, self.glyphs), answered)

    def hide_document(self, *hits: Hit) -> None:
        """Take the hits' documents off the screen at once, before the database has erased them."""
        self.state.hidden |= {document_of(hit) for hit in hits}
        left = self.state.without_hidden(self.state.result).hits if self.state.result else ()
        self.state.parents.clear()
        self.state.facets = ()
        self.hit_list.show(left, self.hit_list.cursor or 0, gone=self.state.gone)
        self.set_class(not left, "-no-hits")
        self.show_fields()
        self.show_context(self.hit)

    def after_restricting(self) -> None:
        """Search again without what was restricted."""
        self.search_again()


def document_of(hit: Hit) -> tuple[str, str]:
    """The library and the document of a hit."""
    return hit.library_id, hit.document


def restricting_told(hits: Sequence[Hit], shown: int, others: Sequence[Hit]) -> str:
    """What restricting the hits' documents takes away and leaves, and how it is lifted."""
    one = len(hits) == 1
    libraries = ", ".join(sorted({hit.library_id for hit in hits}))
    which = "This one document" if one else f"{', '.join(map(path_of, hits))}: these documents"
    stay = f"The same text is also in {', '.join(map(path_of, others))}; they stay unless restricted too. "
    whose, files = (
        ("it", "its text is erased from the database. The file itself stays as it is")
        if one
        else (
            "them",
            "their text is erased from the database. The files themselves stay as they are",
        )
    )
    return (
        f"{which} of {libraries}, not the whole library. {stay if others else ''}Every passage of {whose} disappears "
        f"from every search ({shown} of the hits shown here), and {files}. In the libraries pane, i on {libraries} "
        f"lists {whose} as restricted and ! lifts that again."
    )
