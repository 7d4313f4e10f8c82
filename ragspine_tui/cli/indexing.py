"""The commands that read files: add, index, problems."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragspine_tui.cli.arguments import Command, as_path
from ragspine_tui.cli.console import Console, ProgressBar, common, pass_console
from ragspine_tui.cli.failures import ExitCode
from ragspine_tui.cli.interrupts import stoppable
from ragspine_tui.cli.reports import (
    MOST_ROWS,
    is_damaged,
    left_out_line,
    problem_table,
    purged_line,
    told,
    unmatched_line,
    wants_a_person,
)
from ragspine_tui.cli.specs import spec_option
from ragspine_tui.json_output import problem_json, to_json
from ragspine_tui.types import LibrarySummary

if TYPE_CHECKING:
    from ragspine_tui.session import Session


@click.command(cls=Command)
@click.argument("path", type=click.Path(), callback=as_path)
@click.option("--id", "library_id", metavar="ID", help="Its short name (else made of the folder's name).")
@click.option("--title", default="", help="Its title.")
@click.option("--description", default="", help="What it holds, in a sentence: keyword routing reads this.")
@spec_option("--chunker", "chunker", "How documents are cut")
@click.option("--language", default="auto", show_default=True, metavar="L", help="auto, none, or en, de, fr, ...")
@click.option(
    "--include", type=click.UNPROCESSED, multiple=True, metavar="GLOB", help="Read only these files. Repeatable."
)
@click.option(
    "--exclude", type=click.UNPROCESSED, multiple=True, metavar="GLOB", help="Leave these files out. Repeatable."
)
@click.option(
    "--restrict",
    type=click.UNPROCESSED,
    multiple=True,
    metavar="GLOB",
    help="Keep the text of these files out. Repeatable.",
)
@click.option(
    "--sensitivity", default="internal", show_default=True, metavar="LABEL", help="public, internal or restricted."
)
@click.option("--no-ignore", is_flag=True, help="Read what .gitignore and .ignore files name, too.")
@click.option("--no-index", is_flag=True, help="Only remember the folder; read nothing yet.")
@common
@pass_console
def add(
    console: Console,
    path: Path,
    library_id: str | None,
    title: str,
    description: str,
    chunker: str | None,
    language: str,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    restrict: tuple[str, ...],
    sensitivity: str,
    no_ignore: bool,
    no_index: bool,
) -> int:
    """Make a library of a folder (or one file) and index it."""
    purged: list[tuple[str, int]] = []
    with console.session() as session:
        library = session.add(
            path,
            library_id=library_id,
            title=title,
            description=description,
            chunker=chunker,
            language=language,
            include=include,
            exclude=exclude,
            restrict=restrict,
            sensitivity=sensitivity,
            ignoring=not no_ignore,
            purged=lambda *one: purged.append(one),
        )
        console.note(f"added {library.library_id}: {library.root}")
        for other, lost in purged:
            console.note(purged_line(library.library_id, other, lost))
        if library_id is None and not _makes_an_id(Path(library.root).name):
            console.note("its folder's name has no a-z or 0-9 to make an id of; 'add --id ID' gives it one")
        return ExitCode.DONE if no_index else _update(console, session, [library.library_id])


def _makes_an_id(name: str) -> bool:
    return any(char.isascii() and char.isalnum() for char in unicodedata.normalize("NFKD", name))


@click.command(cls=Command)
@click.argument("library_id", metavar="[ID]...", nargs=-1)
@click.option("--rebuild", is_flag=True, help="Read every file again, changed or not.")
@common
@pass_console
def index(console: Console, library_id: tuple[str, ...], rebuild: bool) -> int:
    """Bring libraries up to date: only what changed is read."""
    with console.session() as session:
        return _update(console, session, library_id, rebuild=rebuild)


@click.command(cls=Command)
@click.argument("library_id", metavar="[ID]", required=False)
@click.option("--retry", is_flag=True, help="First try again what could not be read, though it is the same.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@common
@pass_console
def problems(console: Console, library_id: str | None, retry: bool, as_json: bool) -> int:
    """List the files that were not indexed, with the reason."""
    ids = [library_id] if library_id else []
    with console.session() as session:
        if retry:
            with stoppable() as stopped, ProgressBar() as bar:
                reports = session.index(ids, retry=True, progress=bar, cancelled=stopped)
            if stopped() or any(report.cancelled for report in reports):
                console.note("ragspine-tui: stopped; what was read is kept")
                return ExitCode.INTERRUPTED
        found = session.problems(ids)
    if as_json:
        console.out(to_json([problem_json(problem) for problem in found]))
    elif found:
        console.table(problem_table(found))
    else:
        console.note("no problems")
    # One without a document is the home's or a library's own, and no file that can wait.
    return ExitCode.DONE if all(problem.document for problem in found) else ExitCode.ATTENTION


def _update(console: Console, session: Session, ids: Sequence[str], *, rebuild: bool = False) -> int:
    with stoppable() as stopped, ProgressBar() as bar:
        reports = session.index(ids, rebuild=rebuild, progress=bar, cancelled=stopped)
    held = {summary.library.library_id: summary for summary in session.libraries()}
    for report in reports:
        console.out(*told(report, held.get(report.library_id)))
        if report.left_out:
            console.note(left_out_line(report))
    rows = [problem for report in reports for problem in report.problems if wants_a_person(problem)]
    if rows:
        console.out("")
        console.table(problem_table(rows[:MOST_ROWS]))
        if len(rows) > MOST_ROWS:
            console.out(f"and {len(rows) - MOST_ROWS:,} more")
    if stopped() or any(report.cancelled for report in reports):
        left = " ".join(report.library_id for report in reports if not _is_complete(held.get(report.library_id)))
        goes_on = f": 'ragspine-tui index {left}' goes on" if left else ""
        console.note(f"ragspine-tui: stopped; what was indexed is kept{goes_on}")
        return ExitCode.INTERRUPTED
    sound = [report.library_id for report in reports if not is_damaged(report)]
    idle = [(library_id, one) for library_id in sound for one in session.unmatched(library_id)]
    for library_id, mark in idle:
        console.note(f"{library_id}: {unmatched_line(mark)}")
    problems = [problem for report in reports for problem in report.problems]
    needed = idle or any(problem.not_read or problem.is_about_restriction for problem in problems)
    return ExitCode.ATTENTION if needed else ExitCode.DONE


def _is_complete(held: LibrarySummary | None) -> bool:
    return held is None or held.complete
