"""What a command line may hold: paths are any bytes but never empty, a query is anything, other text is UTF-8."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any

import click

from ragspine_tui.config import DAYS_MAX

_SURROGATES = re.compile("[\ud800-\udfff]")


class Command(click.Command):
    """A command whose texts are UTF-8; the usage error names the option or argument that is not."""

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        """Reads the command line as every command does, then checks its texts."""
        try:
            rest = super().parse_args(context, arguments)
        except click.UsageError as error:
            # Some of them do not say whose option it was, and `--help` of the command is what helps.
            error.ctx = error.ctx or context
            raise
        for parameter in self.get_params(context):
            if isinstance(parameter.type, click.types.StringParamType):
                _check(context, parameter, context.params.get(parameter.name or ""))
        return rest


class Count(click.IntRange):
    """A whole number in a range; any other text is told the range."""

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> int:
        """The number. Raises BadParameter that names the range."""
        try:
            return int(super().convert(value, None, None))
        except click.BadParameter:
            self.fail(f"{value!r} is no whole number from {self.min:,} to {self.max:,}", parameter, context)


class Days(click.FloatRange):
    """A half-life in days, or 0; any other text is told the range."""

    def __init__(self) -> None:
        super().__init__(0, DAYS_MAX)

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> float:
        """The number. Raises BadParameter that names the range."""
        try:
            days = float(super().convert(value, None, None))
        except click.BadParameter:
            days = -1.0
        if days != 0 and not 1 <= days <= DAYS_MAX:
            self.fail(f"{value!r} is no number of days from 1 to {DAYS_MAX:,}, and not 0", parameter, context)
        return days


class Day(click.ParamType[str]):
    """A day of the calendar; any other text is told how it is written."""

    name = "date"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> str:
        """The day as it is written. Raises BadParameter."""
        try:
            return date.fromisoformat(value).isoformat()
        except ValueError:
            self.fail(f"{value!r} is no day such as 2024-06-30", parameter, context)


def _check(context: click.Context, parameter: click.Parameter, value: str | tuple[str, ...] | None) -> None:
    if any(map(_SURROGATES.search, (value,) if isinstance(value, str) else value or ())):
        raise click.BadParameter("the text is not UTF-8", context, parameter)


def as_path(context: click.Context, parameter: click.Parameter, value: str | None) -> Path | None:
    """Callback of a path: a script's unset variable, which leaves it empty, must not mean the current folder."""
    if value == "":
        raise click.BadParameter("it is empty; '.' is the current folder", context, parameter)
    return None if value is None else Path(value)


def as_query(_context: click.Context, _parameter: click.Parameter, value: tuple[str, ...]) -> str:
    """Callback of a query's words: one text, in which bytes that are not UTF-8 are U+FFFD."""
    return _SURROGATES.sub("\ufffd", " ".join(value))
