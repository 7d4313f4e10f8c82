"""The commands that keep the list of libraries: libraries, describe, remove."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ragspine_tui.cli.arguments import Command
from ragspine_tui.cli.console import Console, common, pass_console
from ragspine_tui.cli.failures import ExitCode
from ragspine_tui.cli.text import one_line, table
from ragspine_tui.json_output import library_json, to_json
from ragspine_tui.types import LibrarySummary, Sensitivity, shown_time

if TYPE_CHECKING:
    from ragspine_tui.session import Session


@click.command(cls=Command)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@common
@pass_console
def libraries(console: Console, as_json: bool) -> int:
    """List the libraries and what their indexes hold."""
    with console.session() as session:
        found = session.libraries()
        damaged = session.damaged_libraries()
    if as_json:
        console.out(to_json([library_json(summary) for summary in found]))
    elif found:
        head = ("library", "documents", "chunks", "problems", "state", "title", "folder")
        console.table(table(head, [_row(summary) for summary in found], numbers=(1, 2, 3)))
        for summary in found:
            if not summary.complete:
                console.note(unfinished(summary))
    elif not damaged:
        console.note("no libraries yet: try 'ragspine-tui add FOLDER'")
    for problem in damaged:
        console.note(f"{problem.library_id}: {problem.message}")
    return ExitCode.ATTENTION if damaged else ExitCode.DONE


def _row(summary: LibrarySummary) -> tuple[str, ...]:
    counts = (f"{summary.documents:,}", f"{summary.chunks:,}", f"{summary.problems:,}")
    since = f" since {shown_time(summary.offline_since)}" if summary.offline_since else ""
    states = {
        f"offline{since}": summary.offline,
        "partial": not summary.complete,
        "not indexed": summary.complete and not summary.indexed_language,
        "restricted": summary.library.sensitivity == Sensitivity.RESTRICTED,
    }
    state = ", ".join(name for name, holds in states.items() if holds) or "ready"
    return (summary.library.library_id, *counts, state, summary.library.title, summary.library.root)


def unfinished(summary: LibrarySummary) -> str:
    """How to go on with a library whose last indexing run did not come to its end."""
    library_id = summary.library.library_id
    return f"{library_id} is indexed in part: 'ragspine-tui index {library_id}' goes on"


@click.command(cls=Command)
@click.argument("library_id", metavar="ID")
@click.option("--title", help="The new title.")
@click.option("--description", help="The new description.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@common
@pass_console
def describe(console: Console, library_id: str, title: str | None, description: str | None, as_json: bool) -> int:
    """Show a library, or give it another title or description."""
    with console.session() as session:
        if title is not None or description is not None:
            session.describe(library_id, title=title, description=description)
        summary = summary_of(session, library_id)
    value = library_json(summary)
    if as_json:
        console.out(to_json(value))
        return ExitCode.DONE
    width = max(map(len, value))
    for name, entry in value.items():
        shown = ", ".join(entry) if isinstance(entry, list) else f"{entry:,}" if type(entry) is int else str(entry)
        console.out(f"{name.replace('_', ' '):<{width}}  {one_line(shown)}".rstrip())
    return ExitCode.DONE


@click.command(cls=Command)
@click.argument("library_id", metavar="ID")
@common
@pass_console
def remove(console: Console, library_id: str) -> int:
    """Forget a library. Your files are never touched."""
    with console.session() as session:
        session.remove(library_id)
    console.note(f"removed {library_id}; its files are where they were")
    return ExitCode.DONE


def summary_of(session: Session, library_id: str) -> LibrarySummary:
    """One library with what its index holds. Raises LibraryError where there is none."""
    library = session.library(library_id)
    return next(one for one in session.libraries() if one.library.library_id == library.library_id)
