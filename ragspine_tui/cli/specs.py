"""Options that name an implementation (`--mode`, `--fusion`, ...): checked while the command line is read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from ragspine_tui.errors import UsageError

_Command = TypeVar("_Command", bound=Callable[..., Any])


def spec_option(name: str, setting: str, help_text: str) -> Callable[[_Command], _Command]:
    """An option whose value the setting must be able to take; the usage error of a wrong one lists the valid ones."""

    def check(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
        from ragspine_tui.config import ServiceConfig

        try:
            given: dict[str, Any] = {} if value is None else {setting: value}
            ServiceConfig(home=Path(), **given)
        except UsageError as error:
            raise click.BadParameter(f"{value!r}; {error.hint}", context, parameter) from None
        return value

    metavar = "M" if name == "--mode" else "SPEC"
    return click.option(name, name[2:], metavar=metavar, callback=check, help=help_text)
