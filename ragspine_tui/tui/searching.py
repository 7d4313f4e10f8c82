"""Search as you type, and everything that shows a result or narrows the next one."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Final

from textual import on
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Input, Static

from ragspine_tui.errors import QueryError, UsageError
from ragspine_tui.tui.base import Base
from ragspine_tui.tui.context import ContextHeader, passage_of
from ragspine_tui.tui.desk import Cancelled
from ragspine_tui.tui.filters import QUIET_FIELDS, FieldsView
from ragspine_tui.tui.hits import HitList
from ragspine_tui.tui.libraries import PaneTitle, title_state
from ragspine_tui.tui.lines import Found, Wrapped, found, found_filter, scope
from ragspine_tui.tui.notices import notice
from ragspine_tui.tui.text import path_of
from ragspine_tui.types import Condition, FieldValues, Hit, Parent, SearchRequest, SearchResult

if TYPE_CHECKING:
    from ragspine_tui.session import Session

_BLINK: Final = 0.06
Answer = tuple[SearchResult, Parent | None, tuple[str, ...], frozenset[str]]


class Searching(Base):
    """The search flow: each change of the line replaces the search before it; a stale result never shows."""

    waiting: Timer | None = None
    told: Content | None = None

    @on(Input.Changed, "#search")
    def type(self, event: Input.Changed) -> None:
        """Search for what is typed now."""
        self.state.query = event.value
        self.state.like = None
        self.search_again()

    def search_again(self, *, keep_hit: bool = False) -> None:
        """Search with the state as it is; `keep_hit` leaves the cursor on the hit it is on, if that is still there."""
        # The fields of an older search keep no newer one waiting.
        self.search_desk.drop("facets")
        if not self.state.in_scope:
            # A request that names no library would search them all.
            self.search_desk.submit(_no_search, self.take_nothing, self.fail, slot="search")
            return
        request = replace(self.state.request(), today=date.today().isoformat())
        if not self.state.query.strip() and self.state.like is None:
            self.search_desk.submit(partial(_refusal, request), self.take_nothing, self.fail, slot="search")
            return
        # Who has not moved from the first hit wants the best one, not the one that was best before.
        kept = self.hit.chunk_id if keep_hit and self.hit and self.hit_list.cursor else ""

        def call(session: Session, cancelled: Cancelled) -> Answer | str:
            try:
                return search_and_expand(session, request, cancelled, kept)
            except (UsageError, QueryError) as error:
                return str(error)

        def done(answer: Answer | str) -> None:
            if isinstance(answer, str):
                self.take_nothing(answer)
            else:
                self.take(answer, kept)
                if answer[0].hits:
                    self.fetch_facets(request)

        self.search_desk.submit(call, done, self.search_failed, slot="search")

    def fetch_facets(self, request: SearchRequest) -> None:
        """Count the fields of all that a search finds, once its hits are on the screen."""

        def call(session: Session, cancelled: Cancelled) -> tuple[FieldValues, ...]:
            return session.facets(request, bare=QUIET_FIELDS, cancelled=cancelled)

        def done(facets: tuple[FieldValues, ...]) -> None:
            # They may count what is being restricted, which no screen shows any more.
            self.state.facets = () if self.state.hidden else facets
            self.show_fields()

        self.search_desk.submit(call, done, self.fail, slot="facets")

    def take_nothing(self, refused: str) -> None:
        """No hits, no context: the line is empty, or the search is refused, which stays said until it is not."""
        self.state.result = None
        self.state.facets = ()
        self.state.refused = refused
        self.state.parents.clear()
        self.show_result("")

    def search_failed(self, reason: str) -> None:
        """A search came to grief on the way: say so, and leave the hits there are."""
        self.fail(reason)
        if self.state.result is None:
            self.take_nothing(reason)

    def take(self, answer: Answer, kept: str) -> None:
        """Show a result."""
        result, parent, self.state.synonyms, self.state.gone = answer
        self.state.apart = []
        self.state.refused = ""
        self.state.facets = ()
        result = self.state.without_hidden(result)
        self.state.result = result
        self.state.parents.clear()
        chosen = chosen_hit(result, kept)
        if chosen is not None and parent is not None:
            self.state.parents[chosen.chunk_id] = parent
        self.show_result(kept)

    def show_result(self, kept: str) -> None:
        """Draw the state's result in every pane that tells of it."""
        result = self.state.result
        hits = result.hits if result else ()
        chosen = chosen_hit(result, kept) if result else None
        self.hit_list.show(hits, hits.index(chosen) if chosen else 0, gone=self.state.gone)
        self.set_class(not hits, "-no-hits")
        self.show_notice()
        if not hits and self.focused in (self.hit_list, self.context_view):
            self.search_input.focus()
        self.show_scope()
        self.show_context(self.hit)

    def show_notice(self) -> None:
        """What there is to say where hits would be."""
        if self.has_class("-no-hits"):
            told = notice(self.state)
            if told != self.told:
                self.told = told
                self.query_one("#notice", Static).update(told)

    def show_scope(self) -> None:
        """Say again what narrows the search, in the lines and in the libraries pane."""
        mode = self.state.result.mode if self.state.result else self.state.mode
        self.query_one("#scope", Wrapped).draw(scope(self.state, mode, self.app.size.width, self.glyphs))
        self.query_one("#found-filter", Wrapped).draw([found_filter(self.state)])
        self.query_one("#found", Found).say(found(self.state, self.glyphs))
        self.library_list.show(self.state)
        self.query_one("#libraries-title", PaneTitle).show(title_state(self.state))
        active, every = len(self.state.active_filters), len(self.state.filters)
        told = f"{active} of {every} active" if every else "found in the query" if self.state.found_filter else ""
        self.query_one("#filter-title", PaneTitle).show(told)
        self.filter_list.tell(self.state.steps())
        self.show_fields()

    def show_filters(self) -> None:
        """Draw the conditions, each with what is odd about it."""
        self.filter_list.show(self.state.filters, self.state.doubts())

    def show_fields(self) -> None:
        """The fields of what was found; before anything is, those of the libraries."""
        found = self.state.fields_found()
        self.query_one("#fields", FieldsView).show(found or self.state.fields)
        told = "of all hits" if self.state.facets else "of these hits" if found else ""
        self.query_one("#fields-title", PaneTitle).show(told)
        self.suggester.fields = self.state.fields_known()

    @on(HitList.Moved, "#hits")
    def follow(self, _: HitList.Moved) -> None:
        """The context follows the cursor."""
        self.show_context(self.hit)

    def show_context(self, hit: Hit | None) -> None:
        """Show a hit inside its parent; while that is read, the hit alone if it takes longer than a blink."""
        shown = self.state.parent_shown
        parent = self.state.parents.get(hit.chunk_id) if hit and shown else None
        header = self.query_one("#context-header", ContextHeader)
        gone = hit is not None and hit.chunk_id in self.state.gone
        header.show(hit, parent_shown=shown, why=self.why(hit) if hit else "", gone=gone)
        if self.waiting is not None:
            self.waiting.stop()
            self.waiting = None
        if hit is None or parent is not None or not shown:
            self.context_view.show(passage_of(hit, parent) if hit else None)
            return
        self.waiting = self.set_timer(_BLINK, lambda: self.context_view.show(passage_of(hit, None)))
        self.fetch_parent(hit)

    def fetch_parent(self, hit: Hit) -> None:
        """Read the hit's section; a hit moved away from is forgotten."""

        def call(session: Session, _: Cancelled) -> Parent:
            return session.parent(hit)

        def done(parent: Parent) -> None:
            self.state.parents[hit.chunk_id] = parent
            if self.hit is hit:
                self.show_context(hit)

        self.search_desk.submit(call, done, self.fail, slot="parent")

    def why(self, hit: Hit) -> str:
        """`papers #1 · score 9.4`: where the hit stands in its library, and by what."""
        fusion = self.state.result.fusion if self.state.result else ""
        name = "bm25" if fusion == "score" else fusion
        also = f" {self.glyphs.dot} also in {', '.join(map(path_of, hit.also))} (x)" if hit.also else ""
        return f"{hit.library_id} #{self.state.library_rank(hit)} {self.glyphs.dot} {name} {hit.score:.3g}{also}"


def _no_search(_: Session, __: Cancelled) -> str:
    """No search still takes its turn, so that an older one cannot show after it."""
    return ""


def _refusal(request: SearchRequest, session: Session, cancelled: Cancelled) -> str:
    """Why a search that is asked for like this could not run, whatever is typed; '' where it could."""
    try:
        session.search(replace(request, query="", conditions=(), limit=0), cancelled=cancelled)
    except UsageError as error:
        return str(error)
    return ""


def search_and_expand(session: Session, request: SearchRequest, cancelled: Cancelled, kept: str) -> Answer:
    """The result and the parent of the hit that will be under the cursor: both show in one go."""
    result = session.search(request, cancelled=cancelled)
    chosen = chosen_hit(result, kept)
    parent = session.parent(chosen) if chosen is not None and not cancelled() else None
    return result, parent, () if result.hits else used_synonyms(session, result), gone(session, result)


def gone(session: Session, result: SearchResult) -> frozenset[str]:
    """The chunk ids of the hits whose files are not there any more."""
    stale = [hit for hit in result.places if hit.stale]
    return frozenset(hit.chunk_id for hit in stale if not session.file_of(hit.library_id, hit.document).exists())


def used_synonyms(session: Session, result: SearchResult) -> tuple[str, ...]:
    """The person's own synonyms that a filter found in the query stands on: `cold: season = winter`."""
    if result.filter.source != "extractor":
        return ()
    # Read only where a filter was found: most homes have no such file.
    from ragspine_tui.synonyms import load_synonyms

    query = _folded(result.query)
    found = [(word, *meant) for word, meant in load_synonyms(session.config.home).items() if _folded(word) in query]
    return tuple(
        f"{word}: {session.format_condition(Condition(field, 'eq', value))}"
        for word, field, value in found
        if field in result.filter.text and value in result.filter.text
    )


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def chosen_hit(result: SearchResult, kept: str) -> Hit | None:
    """The hit that was chosen before, where it is still there, else the first."""
    return next((hit for hit in result.hits if hit.chunk_id == kept), result.hits[0] if result.hits else None)
