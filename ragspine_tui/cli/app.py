"""The command `ragspine-tui`: its commands, and the one place where an error becomes an exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from ragspine_tui.cli.console import Console, common, is_terminal, pass_console
from ragspine_tui.cli.evaluate import evaluate
from ragspine_tui.cli.failures import ExitCode, fail
from ragspine_tui.cli.indexing import add, index, problems
from ragspine_tui.cli.libraries import describe, libraries, remove, restrict, unrestrict
from ragspine_tui.cli.samples import demo
from ragspine_tui.cli.searching import fields, search, show
from ragspine_tui.errors import UsageError

PROGRAM = "ragspine-tui"


class Commands(click.Group):
    """A group that lists its commands in the order a person needs them."""

    def list_commands(self, _context: click.Context) -> list[str]:
        """The names in the order they were added."""
        return list(self.commands)


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Without a command the terminal interface opens.",
)
@click.version_option(package_name=PROGRAM, prog_name=PROGRAM, message="%(prog)s %(version)s")
@common
@pass_console
@click.pass_context
def cli(context: click.Context, console: Console) -> int:
    """Private, offline search over your own folders."""
    if context.invoked_subcommand is not None:
        return ExitCode.DONE
    if not (is_terminal(sys.stdin) and is_terminal(sys.stdout)):
        raise UsageError(
            "the terminal interface needs a terminal", f"try '{PROGRAM} search WORDS' or '{PROGRAM} --help'"
        )
    from ragspine_tui.tui.app import run as run_tui

    return run_tui(console.config())


for _command in (
    add,
    index,
    libraries,
    describe,
    remove,
    search,
    show,
    fields,
    restrict,
    unrestrict,
    problems,
    evaluate,
    demo,
):
    cli.add_command(_command)


def run(arguments: Sequence[str]) -> int:
    """Runs one command line and returns its exit code; every error ends here as one line on stderr."""
    console, stdout = Console(), sys.stdout
    try:
        code = cli.main(list(arguments), prog_name=PROGRAM, standalone_mode=False, obj=console)
        if sys.stdout is not None:
            sys.stdout.flush()
        return int(code or ExitCode.DONE)
    except SystemExit:
        # On a closed pipe click wraps the streams and exits with 1, which means "no hits" here.
        if sys.stdout is not stdout:
            return int(fail(BrokenPipeError(), console))
        raise
    except BaseException as error:
        return int(fail(error, console))
