"""Folders are watched while the interface is open: what changed is read beside the search, and no key is taken."""

from __future__ import annotations

from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Final

from textual import events, on

from ragspine_tui.errors import StorageError
from ragspine_tui.tui.desk import Cancelled
from ragspine_tui.tui.indexing import Shelf
from ragspine_tui.tui.library_actions import LibraryActions
from ragspine_tui.types import IndexReport, LibrarySummary

if TYPE_CHECKING:
    from ragspine_tui.session import Session
    from ragspine_tui.watching import Watcher

WATCH_SETTING: Final = "watch"
_RETRY_SECONDS: Final = 30.0


class Watching(LibraryActions):
    """Libraries that were read to their end are kept up to date; those stopped, or never read, are the person's."""

    watcher: Watcher | None = None
    update_waits = False
    unasked = False
    outdated = False

    @property
    def watching(self) -> bool:
        """Whether folders are watched."""
        return self.watcher is not None

    def take_watching(self, kept: str) -> None:
        """Begin as it was kept from the run before, unless the file or the environment says it."""
        on = self.config.watch if WATCH_SETTING in self.config.given or not kept else kept == "on"
        if on:
            self.begin_watching()

    def begin_watching(self) -> None:
        """Watch in a thread of its own; what changed before it began is read first."""

        def call(session: Session, _: Cancelled) -> Watcher:
            from ragspine_tui.watching import watcher_of

            return watcher_of(session, told=self.watcher_says, due=self.something_changed, anew=True)

        self.side_desk.submit(call, self.take_watcher, self.fail, slot="watch")

    def take_watcher(self, watcher: Watcher) -> None:
        """It can begin."""
        self.watcher, self.state.watching = watcher, True
        watcher.begin()
        self.follow_libraries()
        self.show_status()

    def stop_watching(self) -> None:
        """Listen no more."""
        self.side_desk.drop("watch")
        if self.watcher is not None:
            self.watcher.close()
            self.watcher, self.state.watching = None, False

    def action_switch_watching(self) -> None:
        """Watch, or watch no more; the choice is kept."""
        on = not self.watching
        if on:
            self.begin_watching()
        else:
            self.stop_watching()
            self.show_status()
        self.say(
            "folders are watched: what changes is read" if on else "folders are watched no more: r reads what changed"
        )
        self.keep(WATCH_SETTING, "on" if on else "off")

    def watcher_says(self, line: str) -> None:
        """Called in the watcher's thread with a line for the person."""
        self.deliver(partial(self.say, line))

    def something_changed(self) -> None:
        """Called in the watcher's thread when files changed."""
        self.deliver(self.update_quietly)

    def update_quietly(self) -> None:
        """Have what changed read; one such job waits at most, and takes all that changed until it begins."""
        if self.watcher is None or self.update_waits:
            return
        watcher, self.update_waits = self.watcher, True

        def call(session: Session, cancelled: Cancelled) -> tuple[IndexReport, ...]:
            self.update_waits, self.unasked = False, True
            changed = set(watcher.take())
            due = [one.library.library_id for one in session.libraries() if is_kept(one)]
            due = [library_id for library_id in due if library_id in changed]
            begun = monotonic()
            try:
                reports = session.index(due, progress=self.reporter(), cancelled=cancelled) if due else ()
            except StorageError:
                watcher.took(due, _RETRY_SECONDS)
                watcher.again(due)
                raise
            finally:
                self.unasked = False
            watcher.took(due, monotonic() - begun)
            return reports

        self.index_desk.submit(call, self.updated, self.not_indexed)

    def updated(self, reports: tuple[IndexReport, ...]) -> None:
        """Show the libraries as they are now; where something was read, the hits too, but under no one's eyes."""
        self.nothing_read()
        if not reports:
            return
        self.outdated = self.outdated or any(map(_touches_hits, reports))
        self.refresh_libraries()
        self.refresh_outdated()

    @on(events.DescendantFocus)
    def refresh_outdated(self) -> None:
        """Out of the text: search in what was read meanwhile."""
        if self.outdated and self.focused is not self.context_view:
            self.outdated = False
            self.search_again(keep_hit=True)

    def stop_indexing(self) -> bool:
        """What waits is dropped with what runs; a look at what changed takes nobody's Esc before it reads a file."""
        if self.unasked and not (self.progress and self.progress.total):
            return False
        self.update_waits = False
        return super().stop_indexing()

    def take_shelf(self, shelf: Shelf) -> None:
        """Libraries that came or went are watched or not."""
        super().take_shelf(shelf)
        self.follow_libraries()

    def follow_libraries(self) -> None:
        """Watch the libraries that there are."""
        if self.watcher is not None and self.state.loaded:
            # Every run has its library unfinished for a while: that is no reason to begin anew.
            self.watcher.follow([one.library for one in self.state.libraries if one.indexed_language])

    def close_desks(self) -> None:
        """Nothing more is heard of."""
        self.stop_watching()
        super().close_desks()


def _touches_hits(report: IndexReport) -> bool:
    """Whether hits may be others now, or their files away."""
    done = report.added or report.changed or report.removed or report.renamed
    return bool(done) or any(not problem.document for problem in report.problems)


def is_kept(summary: LibrarySummary) -> bool:
    """Whether a library is kept up to date unasked: one that was read to its end."""
    return summary.complete and bool(summary.indexed_language)
