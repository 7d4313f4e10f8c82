"""The commands that keep documents out: restrict, unrestrict."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from ragspine_tui.cli.arguments import Command
from ragspine_tui.cli.console import Console, common, pass_console
from ragspine_tui.cli.failures import ExitCode
from ragspine_tui.cli.libraries import summary_of
from ragspine_tui.cli.reports import purged_line, unmatched_line
from ragspine_tui.cli.text import table
from ragspine_tui.errors import LibraryError
from ragspine_tui.json_output import restricted_json, to_json
from ragspine_tui.printable import escaped
from ragspine_tui.types import RestrictedDocument, UnmatchedMark

if TYPE_CHECKING:
    from ragspine_tui.session import Session

_MOST: Final = 10


@click.command(cls=Command)
@click.argument("library_id", metavar="ID")
@click.argument("paths", type=click.UNPROCESSED, metavar="[PATH]...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="The restricted documents as JSON.")
@common
@pass_console
def restrict(console: Console, library_id: str, paths: tuple[str, ...], as_json: bool) -> int:
    """Mark documents RESTRICTED: their text leaves the index.

    PATH is a document's path inside the library, a pattern such as 'letters/*', or a file's absolute path. Without
    one: list the restricted documents and what restricts each.
    """
    with console.session() as session:
        patterns = _patterns(session, library_id, paths)
        before = {one.document for one in session.restricted(library_id, patterns)}
        purged: list[tuple[str, int]] = []
        count = session.restrict(library_id, patterns, purged=lambda *one: purged.append(one)) if patterns else 0
        held = session.restricted(library_id, patterns)
        unmatched = session.unmatched(library_id, patterns) if patterns else session.lost_marks(library_id)
    if as_json:
        console.out(to_json([restricted_json(one) for one in held]))
    elif not patterns:
        _list(console, held)
        for one in unmatched:
            console.note(f"{library_id}: {unmatched_line(one)}")
    if patterns:
        already = [one for one in held if one.document in before]
        for line in _restricted(count, already, unmatched):
            console.note(f"{library_id}: {line}")
        for other, lost in purged:
            console.note(purged_line(library_id, other, lost))
    return ExitCode.ATTENTION if unmatched else ExitCode.DONE


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
        patterns = _patterns(session, library_id, paths)
        count = session.unrestrict(library_id, patterns)
        still = session.restricted(library_id, patterns)
        left = session.marks(library_id)
    if count:
        console.note(f"{library_id}: {_counted(count, 'mark')} taken away")
    else:
        marks = ", ".join(mark.removeprefix("=") for mark in left)
        console.note(f"{library_id}: nothing is marked so; its marks: {marks or 'none'}")
    for line in _still(still):
        console.note(f"{library_id}: {line}")
    return ExitCode.DONE if count and not still else ExitCode.ATTENTION


def _restricted(count: int, already: Sequence[RestrictedDocument], unmatched: Sequence[UnmatchedMark]) -> Iterator[str]:
    if count:
        yield f"{_counted(count, 'document')} restricted"
    if already:
        yield f"restricted already: {_named(already)}"
    yield from map(unmatched_line, unmatched)


def _still(still: Sequence[RestrictedDocument]) -> Iterator[str]:
    for one in still[:_MOST]:
        yield f"{escaped(one.document)} is still restricted by {'; by '.join(one.reasons)}"
    if len(still) > _MOST:
        yield f"and {len(still) - _MOST:,} more are still restricted"


def _list(console: Console, held: Sequence[RestrictedDocument]) -> None:
    if held:
        console.table(table(("document", "restricted by"), [(one.document, "; ".join(one.reasons)) for one in held]))
    else:
        console.note("no document is restricted")


def _named(documents: Sequence[RestrictedDocument]) -> str:
    shown = ", ".join(escaped(one.document) for one in documents[:_MOST])
    return f"{shown} and {len(documents) - _MOST:,} more" if len(documents) > _MOST else shown


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun if number == 1 else noun + 's'}"


def _patterns(session: Session, library_id: str, paths: Sequence[str]) -> list[str]:
    """The paths as patterns of the library: an absolute path of a file in it names that one file."""
    root = Path(summary_of(session, library_id).library.root)
    return [_pattern(root, path) for path in paths]


def _pattern(root: Path, path: str) -> str:
    if not Path(path).is_absolute():
        return path
    folder = root.parent if root.is_file() else root
    file = Path(os.path.normpath(path))
    if not file.is_relative_to(folder):
        raise LibraryError(f"{path} is not in the library", f"its folder is {folder}")
    return file.relative_to(folder).as_posix()
