"""Where everything is kept: one home directory, which makes an install portable when it is named."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import platformdirs

from ragspine_tui.errors import UsageError

HOME_VARIABLE: Final = "RAGSPINE_HOME"
_ELSEWHERE: Final = f"name another directory with --home or {HOME_VARIABLE}"


def find_home(argument: Path | None = None, environ: Mapping[str, str] = os.environ) -> Path:
    """The absolute home directory: argument, else RAGSPINE_HOME, else the platform's data directory.

    It need not exist yet. UsageError where something that is no directory stands in its place.
    """
    named = argument if argument is not None else Path(environ.get(HOME_VARIABLE, ""))
    if argument is None and named == Path():
        named = platformdirs.user_data_path("ragspine-tui", appauthor=False)
    try:
        return _checked(named.expanduser().absolute())
    except RuntimeError as error:
        raise UsageError(f"cannot tell which directory {str(named)!r} is: no such user", _ELSEWHERE) from error
    except OSError as error:
        raise UsageError(f"cannot use {str(named)!r} as home: {error}", _ELSEWHERE) from error


def create_home(home: Path) -> Path:
    """Make the home directory, 0700 where it is new; UsageError in one line where that cannot be done."""
    try:
        _checked(home).mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(f"cannot make the home directory {str(home)!r}: {reason}", _ELSEWHERE) from error
    return home


def database_file(home: Path) -> Path:
    """The one SQLite file of a home."""
    return home / "ragspine.db"


def config_file(home: Path) -> Path:
    """The only file that is ever read as configuration: a file of this name in an indexed folder is data."""
    return home / "config.toml"


def synonyms_file(home: Path) -> Path:
    """A person's own words for the values of fields."""
    return home / "synonyms.toml"


def _checked(home: Path) -> Path:
    for place in (home, *home.parents):
        if _is_directory(place):
            return home
        if os.path.lexists(place):
            raise UsageError(f"cannot use {str(home)!r} as home: {str(place)!r} is not a directory", _ELSEWHERE)
    return home


def _is_directory(place: Path) -> bool:
    try:
        return place.is_dir()
    except OSError:
        # Out of reach or too long a name: using it will say why, in the same words on every Python.
        return False
