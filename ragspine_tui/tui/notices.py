"""What the body says when it has no hits to show: the first run, before a query, and a query that found nothing."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Static

from ragspine_tui.printable import one_line
from ragspine_tui.specs import SEAMS
from ragspine_tui.tui import keymap
from ragspine_tui.tui.dialogs import Lines
from ragspine_tui.tui.glyphs import Glyphs
from ragspine_tui.tui.state import State
from ragspine_tui.tui.text import Line, Run, counted
from ragspine_tui.types import SearchResult

CHOICES = (
    ("a", "Add a folder", "any folder of notes, papers, pages or code; it is read, never changed"),
    ("s", "The samples", "three small libraries to try things on"),
)


_ALONE_SECONDS: Final = 0.3
_WORD_SECONDS: Final = 0.8
_ACTIONS: Final = {key.keys: key.action for key in keymap.of(keymap.FIRST_RUN) if key.keys.isalpha() and key.hint}
_MOVES: Final = frozenset("jkgG")
HINT: Final = "press a to add a folder, s for the samples"


class Choices(Lines):
    """The ways to begin. A letter acts only when it stands alone: a word typed here was meant for a search."""

    BINDINGS: ClassVar[list[BindingType]] = keymap.bindings(keymap.FIRST_RUN)

    class Typed(Message):
        """Something was typed that asks for neither choice."""

    waiting: Timer | None = None
    _typed = False
    _last = float("-inf")

    def on_key(self, event: events.Key) -> None:
        """Hold a letter back until it is known to be alone."""
        if event.is_printable and event.character not in ("/", "?", " "):
            self._letter(event)
        elif event.key == "enter" and (self._typed or self.waiting):
            self._stray(event)
            self._typed = False

    def _letter(self, event: events.Key) -> None:
        hurried = self.waiting is not None or event.time - self._last < _WORD_SECONDS
        self._last = event.time
        if not hurried and event.character in _MOVES:
            return
        action = _ACTIONS.get(event.character or "")
        if hurried or action is None:
            self._stray(event)
        else:
            event.stop()
            self._typed = False
            self.waiting = self.set_timer(_ALONE_SECONDS, partial(self._act, action))

    async def _act(self, action: str) -> None:
        self.waiting = None
        await self.app.run_action(action, self)

    def _stray(self, event: events.Key) -> None:
        event.stop()
        self._typed = True
        if self.waiting is not None:
            self.waiting.stop()
            self.waiting = None
        self.post_message(self.Typed())

    def __init__(self, glyphs: Glyphs) -> None:
        items = [
            (Line((Run(f" {key}  ", "accent"), Run(name, "strong"))), Line((Run(f"    {what}", "dim"),)), Line())
            for key, name, what in CHOICES
        ]
        super().__init__(glyphs, items, id="choices")


class FirstRun(Vertical):
    """No libraries yet: two choices, where things are kept, and what never happens."""

    def __init__(self, database: Path, glyphs: Glyphs) -> None:
        super().__init__(id="first-run")
        self._database = database
        self._glyphs = glyphs

    def compose(self) -> ComposeResult:
        yield Static("No libraries yet", markup=False, id="first-title")
        yield Choices(self._glyphs)
        yield Static("", markup=False, id="first-hint")
        yield Static("Nothing leaves this computer.", markup=False, id="first-promise")
        yield Static(f"Database: {one_line(str(self._database))}", markup=False, id="first-database")

    @on(Choices.Typed)
    def hint(self) -> None:
        """Say which keys there are to press."""
        self.query_one("#first-hint", Static).update(HINT)


def notice(state: State) -> Content:
    """What there is to say where hits would be."""
    if state.refused:
        return refused(state)
    if state.libraries and not state.in_scope:
        return nothing_in_scope(state)
    return nothing_found(state) if state.result else nothing_typed(state)


def refused(state: State) -> Content:
    """A search that cannot run: why, and what can be switched so that it can."""
    ways = []
    if state.mode != SEAMS["mode"].default:
        ways.append(_way("Ctrl+P", f'then "mode": another retrieval mode than {state.mode}'))
    if state.extracting:
        ways.append(_way("Ctrl+G", "no filter from the query's words"))
    ways.append(_way("Esc", "clears the line") if state.query else _way("F1", "lists every key"))
    return Content.assemble(
        ("This search cannot run", "bold"), "\n", (one_line(state.refused), "$warning"), "\n\n", *ways
    )


def nothing_in_scope(state: State) -> Content:
    """Every library was taken out by hand, or the chosen ones are gone."""
    out = counted(len(state.libraries), "library", "libraries")
    return Content.assemble(
        ("No library is searched", "bold"),
        "\n",
        (f"{out} there, none chosen", "$quiet"),
        "\n\n",
        _way("Ctrl+L", "then Space takes a library in, * all of them"),
        _way("Ctrl+T", "lets the query choose among all"),
    )


def nothing_typed(state: State) -> Content:
    """Before a query."""
    documents = sum(summary.documents for summary in state.libraries)
    what = f"{counted(documents, 'document')} in {counted(len(state.libraries), 'library', 'libraries')}"
    return Content.assemble(
        ("Type to search", "bold"),
        "\n",
        (what, "$quiet"),
        "\n",
        *_still_read(state),
        "\n",
        _way("Down", "moves the hits while you type"),
        _way("Enter", "goes into the hits, and again into the text"),
        _way("Space", "there: the passage alone, or its whole section"),
        _way("Ctrl+N", "adds another library"),
        _way("F1", "lists every key"),
    )


def nothing_found(state: State) -> Content:
    """A query without hits: the words found nowhere, where was searched, and the ways out with their keys."""
    result = state.result
    unknown = result.unknown_terms if result else ()
    unread = _still_read(state)
    title = "Nothing found yet" if unread else "Nothing found"
    parts: list[Content | tuple[str, str] | str] = [(title, "bold"), "\n", *unread]
    if unknown:
        words = ", ".join(one_line(term) for term in unknown)
        parts += [("Not found so far: " if unread else "Found nowhere: ", "$quiet"), words, "\n"]
    parts += _understood(result) if result else []
    failed = {problem.library_id for problem in result.errors} if result else set()
    names = ", ".join(sorted(state.searched - failed)) or "no library"
    parts += [("Searched: ", "$quiet"), names, "\n", *_steps(state), *_doubts(state), *_errors(state), "\n"]
    if result and result.did_you_mean:
        parts.append(_way("F3", f"did you mean: {one_line(result.did_you_mean)}"))
    if state.routing and result and not result.route.fallback:
        parts.append(_way("Ctrl+T", "routing off: search every library"))
    if state.chosen is not None and not state.routing:
        parts.append(_way("Ctrl+L", "then Space takes more libraries in, * all"))
    if failed:
        parts.append(_way("Ctrl+L", "then r brings a library up to date"))
    if state.found_filter is not None:
        parts.append(_way("Ctrl+G", "drops the filter found in the query: its words only search"))
    if state.active_filters:
        parts.append(_way("Ctrl+F", "filter off: Space on a condition"))
    if state.every:
        parts.append(_way("F2", "any word is enough"))
    parts.append(_way("Ctrl+W", "fewer words: takes the last off"))
    parts.append(_way("Esc", "clears the line"))
    return Content.assemble(*parts)


def _still_read(state: State) -> list[Content | tuple[str, str] | str]:
    """That what is searched is not all there yet."""
    at = state.reading
    if at is None or at.library_id not in state.searched:
        return []
    far = f"{at.done:,} of {counted(at.total, 'file')}" if at.total else "looking through the folder"
    return [(f"{one_line(at.library_id)} is still being read: {far}\n", "$warning")]


def _understood(result: SearchResult) -> list[Content | tuple[str, str] | str]:
    """What of the query was not understood or is nowhere, and what was taken away."""
    parts: list[Content | tuple[str, str] | str] = []
    for note in result.notes:
        parts += [one_line(note), "\n"]
    taken = result.narrowed
    for count, what in (
        (taken.without_filter if taken else 0, "without the filter"),
        (taken.without_excluded if taken else 0, "without what - leaves out"),
        (taken.elsewhere if taken else 0, "in the libraries that routing left out"),
    ):
        parts += [counted(count, "hit"), (f" {what}", "$quiet"), "\n"] if count else []
    return parts


def _errors(state: State) -> list[Content | tuple[str, str] | str]:
    parts: list[Content | tuple[str, str] | str] = []
    for problem in state.result.errors if state.result else ():
        parts += [(f"Not searched: {one_line(problem.library_id)}: ", "$warning"), one_line(problem.message), "\n"]
    return parts


def _steps(state: State) -> list[Content | tuple[str, str] | str]:
    if state.result is None or len(state.result.filter.steps) < 2:
        return []
    found = state.found_filter
    parts: list[Content | tuple[str, str] | str] = []
    if found is not None:
        parts += [("Filter found in the query: ", "$quiet"), one_line(found), "\n", *_synonyms(state)]
    parts.append(("Filter: ", "$quiet"))
    for step in state.result.filter.steps:
        if step.condition is None:
            parts.append(counted(step.documents, "document"))
            continue
        lack = f" ({step.missing_field:,} lack the field)" if step.missing_field else ""
        parts.append(f", {step.documents:,} after {one_line(state.shown_condition(step.condition))}{lack}")
    return [*parts, "\n"]


def _synonyms(state: State) -> list[Content | tuple[str, str] | str]:
    """Which of the values found in the query are there because the person's own synonyms say so."""
    return [(f"synonyms.toml makes it so: {one_line(told)}\n", "$warning") for told in state.synonyms]


def _doubts(state: State) -> list[Content | tuple[str, str] | str]:
    """What is odd about the conditions that are on."""
    told = [(line, doubt) for line, doubt in zip(state.filters, state.doubts(), strict=True) if line.active and doubt]
    return [(f"{one_line(line.shown)}: {one_line(doubt)}\n", "$warning") for line, doubt in told]


def _way(key: str, what: str) -> Content:
    return Content.assemble((f"{key:<8}", "bold $accent"), what, "\n")
