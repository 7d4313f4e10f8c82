"""Options that name an implementation (`--mode`, `--fusion`, ...): checked while the command line is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from ragspine_tui.errors import UsageError
from ragspine_tui.specs import SEAMS

_Command = TypeVar("_Command", bound=Callable[..., Any])


_SEAM_OF: Final[Mapping[str, str]] = {
    "retrieval_mode": "mode",
    "library_router": "router",
    "fusion": "fusion",
    "filter_extractor": "filter_extractor",
    "chunker": "chunker",
}
_NEEDS: Final = {"vector": "vector (with an embedding)"}


def spec_option(name: str, setting: str, help_text: str) -> Callable[[_Command], _Command]:
    """An option whose value the setting must be able to take: its help lists them, as the usage error of others does.

    What installed packages add is left to the error: finding it would take longer than the help should.
    """
    values = ", ".join(_NEEDS.get(value, value) for value in SEAMS[_SEAM_OF[setting]].names)

    def check(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
        from ragspine_tui.config import ServiceConfig

        try:
            given: dict[str, Any] = {} if value is None else {setting: value}
            ServiceConfig(home=Path(), **given)
        except UsageError as error:
            raise click.BadParameter(f"{value!r}; {error.hint}", context, parameter) from None
        return value

    metavar = "M" if name == "--mode" else "SPEC"
    return click.option(name, name[2:], metavar=metavar, callback=check, help=f"{help_text}: {values}.")
