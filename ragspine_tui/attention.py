"""What needs a person's attention beside files: libraries that cannot be read, and text that cannot be erased yet.

One damaged library stops nothing that is done to several: the others go on, and it is told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ragspine_tui.absence import absent_since
from ragspine_tui.errors import DamageError, UnfinishedError
from ragspine_tui.types import (
    DocumentStatus,
    FieldValues,
    FileProblem,
    IndexReport,
    Library,
    LibraryProblem,
    LibrarySummary,
)
from storage.store import Store

Readable = tuple[Sequence[Library], Sequence[LibraryProblem]]
"""The libraries that something is done to, and those beside them whose rows cannot be read."""


OnProblem = Callable[[LibraryProblem], None]


def index_each(store: Store, chosen: Readable, run: Callable[[Library], IndexReport]) -> tuple[IndexReport, ...]:
    """What `run` makes of each library, and a report for each that is damaged; what cannot be erased is in the last.

    Raises DamageError where there is no library to go on with, UnfinishedError where there is no report.
    """
    libraries, damaged = chosen
    reports = [_failed(one) for one in damaged]
    for library in libraries:
        try:
            reports.append(run(library))
        except DamageError as error:
            if len(libraries) == 1:
                raise
            reports.append(_failed(LibraryProblem(library.library_id, str(error))))
    if not reports:
        finish(store)
        return ()
    return (*reports[:-1], with_unfinished(store, reports[-1]))


def summaries(store: Store) -> tuple[LibrarySummary, ...]:
    """All libraries by id, and since when those that are offline have been."""
    found = []
    for one in store.summaries():
        away, since = absent_since(store, one.library, one.offline_since)
        found.append(replace(one, offline=away, offline_since=since))
    return tuple(found)


def problems(store: Store, chosen: Readable) -> tuple[FileProblem, ...]:
    """All that needs attention. Raises DamageError where the only library cannot be read."""
    libraries, damaged = chosen
    found = [_about(one) for one in damaged]
    for library in libraries:
        try:
            found += store.problems(library.library_id)
        except DamageError as error:
            if len(libraries) == 1:
                raise
            found.append(_about(LibraryProblem(library.library_id, str(error))))
    return (*found, *_unfinished(store, wait=False))


def field_values(store: Store, chosen: Readable, limit: int, failed: OnProblem) -> tuple[FieldValues, ...]:
    """The fields of all libraries that can be read; the others go to `failed`. Raises DamageError where none can."""
    libraries, damaged = chosen
    ids = [library.library_id for library in libraries]
    try:
        found = store.field_values(ids, limit)
    except DamageError:
        wrong = {library_id: error for library_id in ids if (error := _unreadable(store, library_id))}
        if len(wrong) == len(ids):
            raise DamageError(f"{ids[0]}: {wrong[ids[0]]}") from None
        found = store.field_values([library_id for library_id in ids if library_id not in wrong], limit)
        damaged = (*damaged, *(LibraryProblem(library_id, error) for library_id, error in wrong.items()))
    for problem in damaged:
        failed(problem)
    return found


def finish(store: Store) -> None:
    """Erase what is to be erased. Raises UnfinishedError where another program keeps it for now."""
    if left := _unfinished(store, wait=True):
        raise UnfinishedError(left[0].reason)


def with_unfinished(store: Store, report: IndexReport) -> IndexReport:
    """The report with what could not be erased among its problems, after another try."""
    return replace(report, problems=(*report.problems, *_unfinished(store, wait=True)))


def _unfinished(store: Store, *, wait: bool) -> tuple[FileProblem, ...]:
    reason = (
        f"done, but another program is reading {store.path}, and until it ends restricted or removed text stays in"
        " its files: end it, then run `ragspine-tui index`"
    )
    return tuple(FileProblem(one, "", DocumentStatus.RESTRICTED, reason) for one in store.purge(wait=wait))


def _unreadable(store: Store, library_id: str) -> str:
    try:
        store.field_values([library_id], 1)
    except DamageError as error:
        return str(error)
    return ""


def _failed(problem: LibraryProblem) -> IndexReport:
    return IndexReport(problem.library_id, problems=(_about(problem),))


def _about(problem: LibraryProblem) -> FileProblem:
    return FileProblem(problem.library_id, "", DocumentStatus.DAMAGED, problem.message)
