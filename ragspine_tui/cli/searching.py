"""The commands that find and read: search, like, show, fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

import click

from ragspine_tui.cli.arguments import Command, as_query
from ragspine_tui.cli.asking import Asked, answer, narrowing, search_code, showing
from ragspine_tui.cli.console import Console, common, pass_console
from ragspine_tui.cli.failures import ExitCode
from ragspine_tui.cli.hits import passage, where
from ragspine_tui.cli.narration import narrate
from ragspine_tui.cli.specs import spec_option
from ragspine_tui.cli.text import table
from ragspine_tui.json_output import chunk_json, field_json, to_json
from ragspine_tui.printable import escaped
from ragspine_tui.types import FieldValues, LibraryProblem, SearchRequest


@click.command(cls=Command)
@click.argument("query", type=click.UNPROCESSED, callback=as_query, nargs=-1, required=True)
@narrowing
@spec_option("--extract", "filter_extractor", "Conditions out of the query's own words")
@click.option("--all-words", is_flag=True, help="Only documents that have every word.")
@click.option("--literal", is_flag=True, help="No sign of the query means anything: all of it is words.")
@showing
@common
@pass_console
def search(
    console: Console, query: str, extract: str | None, all_words: bool, literal: bool, **asked: Unpack[Asked]
) -> int:
    """Search the libraries.

    Plain words are ranked; not all of them need be there. "a phrase" stands together, +word must be there, -word must
    not, begin* is the beginning of words, NEAR/5 between two words has them close to each other, title:word looks in
    titles, lib:id in one library, and field:value, field>=value are conditions on the documents' fields. Whatever else
    you type is searched as text. Your shell takes quotes away: put the whole query into '...'.

    Exits with 1 when nothing matches, with 3 when a hit's file changed or went since or a library could not be
    searched. Put -- before a query that begins with a hyphen.
    """
    match = "all" if all_words else None
    return answer(console, SearchRequest(query, extract=extract, match=match, literal=literal), asked)


@click.command(cls=Command)
@click.argument("chunk_id")
@narrowing
@showing
@common
@pass_console
def like(console: Console, chunk_id: str, **asked: Unpack[Asked]) -> int:
    """Search for more like a passage.

    CHUNK_ID is the id that 'search --json' gives. The words that tell the passage and its document's title from others
    are searched for, the rarer the better; what they are is said. Its own document is left out. Exits as 'search' does,
    with 2 when there is no such passage.
    """
    return answer(console, SearchRequest("", like=chunk_id), asked)


@click.command(cls=Command)
@click.argument("chunk_id")
@click.option("--parent", is_flag=True, help="Its whole section, the passage marked with ┃.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@common
@pass_console
def show(console: Console, chunk_id: str, parent: bool, as_json: bool) -> int:
    """Print a passage by the id that 'search --json' gives."""
    with console.session() as session:
        hit = session.show(chunk_id)
        file = str(session.file_of(hit.library_id, hit.document))
    if as_json:
        console.out(to_json(chunk_json(hit, file, parent=parent)))
    else:
        console.out(console.bold(where(hit)), escaped(file), "", *passage(console, hit, parent=parent))
    if hit.stale:
        console.note("the file changed or went since it was indexed: try 'ragspine-tui index'")
    return ExitCode.ATTENTION if hit.stale else ExitCode.DONE


@click.command(cls=Command)
@click.option("-l", "--library", "libraries", multiple=True, metavar="ID", help="Only this library. Repeatable.")
@click.option("-q", "--query", metavar="TEXT", help="Only of the documents that a search for this finds.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@common
@pass_console
def fields(console: Console, libraries: tuple[str, ...], query: str | None, as_json: bool) -> int:
    """List the metadata fields, their values and counts."""
    if query is not None:
        return _fields_found(console, SearchRequest(query, libraries=libraries, limit=0), as_json)
    failed: list[LibraryProblem] = []
    with console.session() as session:
        found = session.fields(libraries, failed=failed.append)
        chosen = [one for one in session.libraries() if not libraries or one.library.library_id in libraries]
    if as_json:
        console.out(to_json([field_json(field) for field in found]))
    elif found:
        console.table(_field_table(found))
    elif any(one.restricted for one in chosen):
        console.note("no fields: every document that was read is restricted")
    else:
        console.note("no fields: nothing is indexed yet")
    for problem in failed:
        console.note(f"{problem.library_id}: {problem.message}")
    return ExitCode.ATTENTION if failed else ExitCode.DONE


def _fields_found(console: Console, request: SearchRequest, as_json: bool) -> ExitCode:
    """The fields of all documents that a search finds, or what a search says that finds none."""
    with console.session() as session:
        result = session.search(request)
        found = session.facets(request)
    if as_json:
        console.out(to_json([field_json(field) for field in found]))
    elif found:
        console.table(_field_table(found))
    if found:
        for problem in result.errors:
            console.note(f"{problem.library_id}: {problem.message}")
    elif not as_json:
        narrate(console, result)
    return search_code(result)


def _field_table(found: Sequence[FieldValues]) -> list[str]:
    from ragspine_tui.session import shown_value

    shown = 8
    rows = []
    for field in found:
        values = [f"{shown_value(field.field, value)} {count:,}" for value, count in field.values[:shown]]
        more = ["…"] if len(field.values) > shown else []
        rows.append((field.field, f"{field.documents:,}", " · ".join(values + more)))
    return table(("field", "documents", "values"), rows, numbers=(1,))
