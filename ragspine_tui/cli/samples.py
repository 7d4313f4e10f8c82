"""The command demo: the sample libraries in a throw-away home."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragspine_tui.cli.arguments import Command
from ragspine_tui.cli.console import Console, common, is_terminal, pass_console
from ragspine_tui.cli.failures import ExitCode
from ragspine_tui.cli.hits import print_hits
from ragspine_tui.cli.interrupts import interrupted_afterwards
from ragspine_tui.cli.narration import narrate
from ragspine_tui.types import Condition, SearchRequest

if TYPE_CHECKING:
    from ragspine_tui.session import Session

_SEARCHES: tuple[tuple[str, SearchRequest], ...] = (
    ("how do dippers feed their chicks", SearchRequest("how do dippers feed their chicks", limit=3)),
    ("梅干しの塩は何割", SearchRequest("梅干しの塩は何割", limit=3)),
    (
        "toads carried in one night -f 'date >= 2024-03' --route keyword --parent",
        SearchRequest(
            "toads carried in one night",
            conditions=(Condition("date", "gte", "2024-03"),),
            route="keyword",
            parent=True,
            limit=1,
        ),
    ),
)


@click.command(cls=Command)
@common
@pass_console
def demo(console: Console) -> int:
    """Try it: sample libraries in a throw-away home.

    On a terminal this opens the interface; elsewhere it prints three searches.
    """
    with tempfile.TemporaryDirectory(prefix="ragspine-demo-") as home:
        console.home = Path(home)
        console.note("indexing the sample libraries in a throw-away home")
        with console.session() as session:
            session.add_samples()
            session.index()
            if not (is_terminal(sys.stdin) and is_terminal(sys.stdout)):
                return _three_searches(console, session)
        with interrupted_afterwards():
            from ragspine_tui.tui.app import run

        return run(console.config())


def _three_searches(console: Console, session: Session) -> int:
    for command, request in _SEARCHES:
        result = session.search(request)
        console.out(console.bold(f"$ ragspine-tui search {command} -k {request.limit}"), "")
        print_hits(console, result.hits)
        narrate(console, result)
    return ExitCode.DONE
