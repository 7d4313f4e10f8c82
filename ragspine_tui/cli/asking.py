"""What `search` and `like` have in common: their options, the search itself, and how its hits are printed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import reduce
from typing import Any, Final, TypedDict

import click

from ragspine_tui.cli.arguments import Count, Day, Days
from ragspine_tui.cli.conditions import parsed, remarks, shown_plainly
from ragspine_tui.cli.console import Console
from ragspine_tui.cli.failures import ExitCode
from ragspine_tui.cli.hits import plain_line, print_hits
from ragspine_tui.cli.narration import narrate
from ragspine_tui.cli.specs import spec_option
from ragspine_tui.json_output import search_json, to_json
from ragspine_tui.types import SORTS, SearchRequest, SearchResult

_CONDITION: Final = (
    "As 'year >= 2009', with = != > >= < <= or 'in a,b', 'nin a,b', 'low..high'. Repeatable: all must hold."
)


class Asked(TypedDict):
    """The values of the options that both commands take."""

    libraries: tuple[str, ...]
    conditions: tuple[str, ...]
    any_filter: bool
    mode: str | None
    route: str | None
    fusion: str | None
    all_copies: bool
    sort: str
    recency: float | None
    today: str | None
    limit: int | None
    parent: bool
    explain: bool
    plain: bool
    as_json: bool


_NARROWING: Final = (
    click.option("-l", "--library", "libraries", multiple=True, metavar="ID", help="Only this library. Repeatable."),
    click.option("-f", "--filter", "conditions", multiple=True, metavar="CONDITION", help=_CONDITION),
    click.option("--any-filter", is_flag=True, help="One of the conditions is enough."),
    spec_option("--mode", "retrieval_mode", "How passages are found"),
    spec_option("--route", "library_router", "Which libraries are searched (none: all)"),
    spec_option("--fusion", "fusion", "How several libraries' hits become one list"),
)
_SHOWING: Final = (
    click.option("--all-copies", is_flag=True, help="The same passage in several documents as so many hits."),
    click.option(
        "--sort", metavar="ORDER", type=click.Choice(SORTS), default=SORTS[0], help="By relevance, or by date."
    ),
    click.option("--recency", metavar="DAYS", type=Days(), help="A score halves with so many days of age. 0: never."),
    click.option("--today", metavar="DATE", type=Day(), help="The day that ages are counted from. Else today."),
    click.option("-k", "limit", type=Count(0, 10_000), metavar="N", help="At most so many hits (20)."),
    click.option("--parent", is_flag=True, help="Each hit inside its section, marked with ┃."),
    click.option("--explain", is_flag=True, help="What each word gave."),
    click.option("--plain", is_flag=True, help="One hit a line: rank, library, document, place, text, tabs between."),
    click.option("--json", "as_json", is_flag=True, help="As JSON."),
)

Decorated = Callable[..., Any]


def narrowing(command: Decorated) -> Decorated:
    """The options that say where is searched, and how."""
    return reduce(lambda made, option: option(made), reversed(_NARROWING), command)


def showing(command: Decorated) -> Decorated:
    """The options that say in which order hits come and how they are printed."""
    return reduce(lambda made, option: option(made), reversed(_SHOWING), command)


def answer(console: Console, request: SearchRequest, asked: Asked) -> ExitCode:
    """Run a request with the options' values, and print what it found."""
    parent, explain, as_json = asked["parent"], asked["explain"], asked["as_json"]
    with console.session() as session:
        request = replace(
            request,
            libraries=asked["libraries"],
            conditions=tuple(parsed(session, text) for text in asked["conditions"]),
            combine="or" if asked["any_filter"] else "and",
            mode=asked["mode"],
            route=asked["route"],
            fusion=asked["fusion"],
            limit=session.config.limit if asked["limit"] is None else asked["limit"],
            parent=parent,
            explain=explain,
            copies=asked["all_copies"],
            sort=asked["sort"],
            recency=asked["recency"],
            today=asked["today"] or date.today().isoformat(),
        )
        result = session.search(request)
        odd = [] if as_json else [*remarks(session, result)]
        plainly = result if as_json else replace(result, filter=shown_plainly(session, result.filter))
    if as_json:
        console.out(to_json(search_json(result, parent=parent, explain=explain)))
    elif asked["plain"]:
        console.out(*map(plain_line, result.hits))
    else:
        print_hits(console, result.hits)
    if not as_json:
        narrate(console, plainly, odd)
    return search_code(result)


def search_code(result: SearchResult) -> ExitCode:
    """The code of a search: a library that could not be searched is never passed off as "no hits", nor is `-k 0`."""
    if result.errors or any(hit.stale for hit in result.places):
        return ExitCode.ATTENTION
    return ExitCode.DONE if result.total else ExitCode.NO_HITS
