"""The command `ragspine-tui`: its commands, and the one place where an error becomes an exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import click

from ragspine_tui.cli.console import Console, common, is_terminal, pass_console
from ragspine_tui.cli.failures import ExitCode, fail
from ragspine_tui.cli.interrupts import interrupted_afterwards
from ragspine_tui.cli.registry import COMMANDS, load
from ragspine_tui.errors import UsageError

PROGRAM = "ragspine-tui"


class Commands(click.Group):
    """A group that knows its commands' names and one-line helps, and imports a command's module when it is used."""

    def list_commands(self, _context: click.Context) -> list[str]:
        """The names in the order a person needs them."""
        return list(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        """The command's name and help, which is all that lists and completion show."""
        return click.Command(name, help=COMMANDS[name].summary) if name in COMMANDS else None

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that a command line names, imported."""
        if args and args[0] not in COMMANDS and (near := get_close_matches(args[0].lower(), COMMANDS, n=1)):
            context.fail(f"no command {args[0]!r}; did you mean {near[0]!r}?")
        name, command, rest = super().resolve_command(context, args)
        return name, load(command.name) if command and command.name else command, rest

    def invoke(self, context: click.Context) -> Any:
        """Runs the command; Ctrl-C is told by `run`, and in one line."""
        try:
            return super().invoke(context)
        except KeyboardInterrupt as stopped:
            raise click.Abort from stopped


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
    with interrupted_afterwards():
        from ragspine_tui.tui.app import run as run_tui

    return run_tui(console.config())


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
