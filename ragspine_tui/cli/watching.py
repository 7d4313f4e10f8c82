"""The command that stays: watch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Final

import click

from ragspine_tui.cli.arguments import Command
from ragspine_tui.cli.console import Console, common, pass_console
from ragspine_tui.cli.failures import ExitCode
from ragspine_tui.cli.interrupts import interrupted_afterwards, stoppable
from ragspine_tui.cli.reports import told, trouble_of, update_line
from ragspine_tui.errors import DamageError, StorageError
from ragspine_tui.json_output import report_json, to_json

if TYPE_CHECKING:
    from ragspine_tui.session import Session
    from ragspine_tui.types import IndexReport
    from ragspine_tui.watching import Watcher

_TURN_SECONDS: Final = 0.2
_FOLLOW_SECONDS: Final = 2.0
_RETRY_SECONDS: Final = 30.0


@click.command(cls=Command)
@click.argument("library_id", metavar="[ID]...", nargs=-1)
@click.option("--poll", is_flag=True, help="Look at the files every minute instead of listening to the system.")
@click.option("--json", "as_json", is_flag=True, help="A line of JSON for each update.")
@common
@pass_console
def watch(console: Console, library_id: tuple[str, ...], poll: bool, as_json: bool) -> int:
    """Keep libraries up to date until Ctrl-C."""
    with console.session() as session, stoppable() as stopped:
        with interrupted_afterwards():
            from ragspine_tui.watching import watcher_of
        for one in library_id:
            session.library(one)
        # Listening begins first: what changes during the first update is not missed.
        with watcher_of(session, library_id, told=console.note, polling=poll) as watcher:
            _Watch(console, session, watcher, library_id, as_json, stopped).run()
    console.note("ragspine-tui: stopped; what was indexed is kept")
    return ExitCode.INTERRUPTED


class _Watch:
    """One run of the command: a first update of all, then one of whatever changed."""

    def __init__(
        self,
        console: Console,
        session: Session,
        watcher: Watcher,
        named: Sequence[str],
        as_json: bool,
        stopped: Callable[[], bool],
    ) -> None:
        self._console, self._session, self._watcher = console, session, watcher
        self._named, self._as_json, self._stopped = named, as_json, stopped
        self._said: dict[str, str] = {}
        self._left: tuple[str, ...] = ()
        self._retry_at = self._follow_at = 0.0

    def run(self) -> None:
        """Until it is stopped."""
        libraries = self._follow()
        self._update(sorted(libraries), first=True)
        if not self._stopped():
            count = f"{len(libraries):,} {'library' if len(libraries) == 1 else 'libraries'}"
            self._console.note(f"watching {count}: Ctrl-C stops it")
        while not self._stopped():
            changed = set(self._watcher.take(_TURN_SECONDS))
            if self._left and monotonic() >= self._retry_at:
                changed.update(self._left)
                self._left = ()
            if changed or monotonic() >= self._follow_at:
                self._update(sorted(changed & self._follow()))

    def _follow(self) -> set[str]:
        """Watch the libraries that there are now: another program may add and remove some."""
        from ragspine_tui.watching import followed

        self._follow_at = monotonic() + _FOLLOW_SECONDS
        libraries = followed(self._session, self._named)
        self._watcher.follow(libraries)
        return {library.library_id for library in libraries}

    def _update(self, library_ids: Sequence[str], *, first: bool = False) -> None:
        if not library_ids:
            return
        begun = monotonic()
        try:
            reports = self._session.index(library_ids, cancelled=self._stopped)
        except StorageError as error:
            self._say("", str(error))
            if not isinstance(error, DamageError):
                self._left = (*self._left, *library_ids)
                self._retry_at = monotonic() + _RETRY_SECONDS
            return
        self._watcher.took(library_ids, monotonic() - begun)
        self._said.pop("", None)
        for report in reports:
            self._tell(report, first=first)

    def _tell(self, report: IndexReport, *, first: bool) -> None:
        """A line for what was done; of a run that found nothing to do, only the first, or trouble that is new."""
        done = bool(report.added or report.changed or report.removed or report.renamed)
        if self._as_json:
            if done or first:
                self._console.out(to_json(report_json(report)))
        elif first:
            held = {one.library.library_id: one for one in self._session.libraries()}
            self._console.out(*told(report, held.get(report.library_id)))
        elif done:
            self._console.out(update_line(report))
        trouble = "; ".join(trouble_of(report))
        if _is_offline(self._said.get(report.library_id, "")) and not _is_offline(trouble):
            self._console.note(f"{report.library_id}: its folder is there again")
        self._say(report.library_id, trouble)

    def _say(self, library_id: str, trouble: str) -> None:
        if trouble and self._said.get(library_id) != trouble:
            self._console.note(f"{library_id}: {trouble}" if library_id else f"ragspine-tui: {trouble}")
        self._said[library_id] = trouble


def _is_offline(trouble: str) -> bool:
    return trouble.startswith("offline")
