"""The commands that keep the list of libraries: libraries, describe, remove, restrict, unrestrict."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragspine_tui.cli.arguments import Command
from ragspine_tui.cli.console import Console, common, pass_console
from ragspine_tui.cli.failures import ExitCode
from ragspine_tui.cli.text import one_line, table
from ragspine_tui.errors import LibraryError
from ragspine_tui.json_output import library_json, to_json
from ragspine_tui.types import LibrarySummary

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
    if as_json:
        console.out(to_json([library_json(summary) for summary in found]))
    elif found:
        head = ("library", "documents", "chunks", "problems", "state", "title", "folder")
        console.table(table(head, [_row(summary) for summary in found], numbers=(1, 2, 3)))
        for summary in found:
            if not summary.complete:
                console.note(unfinished(summary))
    else:
        console.note("no libraries yet: try 'ragspine-tui add FOLDER'")
    return ExitCode.DONE


def _row(summary: LibrarySummary) -> tuple[str, ...]:
    counts = (f"{summary.documents:,}", f"{summary.chunks:,}", f"{summary.problems:,}")
    states = [*(["offline"] if summary.offline else []), *([] if summary.complete else ["partial"])]
    state = ", ".join(states) or "ready"
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
        summary = _summary_of(session, library_id)
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


@click.command(cls=Command)
@click.argument("library_id", metavar="ID")
@click.argument("paths", type=click.UNPROCESSED, metavar="PATH...", nargs=-1, required=True)
@common
@pass_console
def restrict(console: Console, library_id: str, paths: tuple[str, ...]) -> int:
    """Mark documents RESTRICTED: their text leaves the index.

    PATH is a document's path inside the library, a pattern such as 'letters/*', or a file's absolute path.
    """
    with console.session() as session:
        count = session.restrict(library_id, _patterns(session, library_id, paths))
    if count:
        console.note(f"{library_id}: {count:,} {'document' if count == 1 else 'documents'} restricted")
        return ExitCode.DONE
    console.note(f"{library_id}: nothing there matches now; the mark is kept for files that come later")
    return ExitCode.ATTENTION


@click.command(cls=Command)
@click.argument("library_id", metavar="ID")
@click.argument("paths", type=click.UNPROCESSED, metavar="PATH...", nargs=-1, required=True)
@common
@pass_console
def unrestrict(console: Console, library_id: str, paths: tuple[str, ...]) -> int:
    """Take marks of 'restrict' away again.

    PATH as it was given there. The files are read again.
    """
    with console.session() as session:
        count = session.unrestrict(library_id, _patterns(session, library_id, paths))
        left = session.marks(library_id)
    if count:
        console.note(f"{library_id}: {count:,} {'mark' if count == 1 else 'marks'} taken away")
        return ExitCode.DONE
    console.note(f"{library_id}: nothing is marked so; its marks: {', '.join(left) or 'none'}")
    return ExitCode.ATTENTION


def _summary_of(session: Session, library_id: str) -> LibrarySummary:
    found = [summary for summary in session.libraries() if summary.library.library_id == library_id]
    if not found:
        known = ", ".join(summary.library.library_id for summary in session.libraries()) or "none yet"
        raise LibraryError(f"no library {library_id!r}", f"there are: {known}")
    return found[0]


def _patterns(session: Session, library_id: str, paths: Sequence[str]) -> list[str]:
    """The paths as patterns of the library: an absolute path of a file in it names that one file."""
    root = Path(_summary_of(session, library_id).library.root)
    return [_pattern(root, path) for path in paths]


def _pattern(root: Path, path: str) -> str:
    if not Path(path).is_absolute():
        return path
    folder = root.parent if root.is_file() else root
    file = Path(os.path.normpath(path))
    if not file.is_relative_to(folder):
        raise LibraryError(f"{path} is not in the library", f"its folder is {folder}")
    return file.relative_to(folder).as_posix()
