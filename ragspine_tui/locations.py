"""Where everything is kept: one home directory, which makes an install portable when it is named.

The files in it that a person writes are read here too, as what they may be: anything at all.
"""

from __future__ import annotations

import os
import re
import reprlib
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import platformdirs

from ragspine_tui.errors import UsageError

HOME_VARIABLE: Final = "RAGSPINE_HOME"
_ELSEWHERE: Final = f"name another directory with --home or {HOME_VARIABLE}"
_BYTES: Final = 1_000_000
_DOTS: Final = 50
_SHOWN: Final = 40
_AT_LINE: Final = re.compile(r"at line (\d{1,9})")
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+(?:\s*\.\s*[A-Za-z0-9_-]+)*", re.ASCII)
_UNQUOTED_KEY: Final = re.compile(r"""(?:(\[\s*)(?=[^\]]*\])|(?=[^=]*=))([^"'\[\]=#]+?)\s*(?:\]|=)""")
_UNQUOTED_VALUE: Final = re.compile(r"""[^=#]+=\s*([^\s"'\[{#][^"'#]*?)\s*(?:#.*)?\Z""")


def find_home(argument: Path | None = None, environ: Mapping[str, str] = os.environ) -> Path:
    """The absolute home directory: argument, else RAGSPINE_HOME, else the platform's data directory.

    It need not exist yet. UsageError where something that is no directory stands in its place.
    """
    variable = environ.get(HOME_VARIABLE, "")
    if argument is not None:
        named = argument
    elif variable:
        named = Path(variable)
    else:
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


def read_toml(path: Path) -> dict[str, Any]:
    """The table of a TOML file that a person wrote; empty without the file.

    UsageError names the file and what is wrong with it, in one line.
    """
    name, text = repr(str(path)), ""
    try:
        # utf-8-sig: editors on Windows write a byte order mark, which TOML forbids.
        text = _content(path).decode("utf-8-sig")
        return _table(text)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror}", "make it readable or move it away") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{name} is not UTF-8 (byte {error.start})", "save it as UTF-8") from error
    except RecursionError:
        raise UsageError(f"{name} is nested too deeply", "write plain values") from None
    except ValueError as error:
        # Not only TOMLDecodeError: a number of thousands of digits raises another.
        raise UsageError(f"{name} is not valid TOML: {error}", _mending(text, str(error))) from error


def _mending(text: str, error: str) -> str:
    """What to do about the line that an error names: most often a word in it lacks its quotes."""
    found = _AT_LINE.search(error)
    line = text.splitlines()[int(found[1]) - 1].strip() if found and int(found[1]) <= text.count("\n") + 1 else ""
    if (key := _UNQUOTED_KEY.match(line)) and not _BARE_KEY.fullmatch(key[2]):
        word = key[2][:_SHOWN]
        return f'put the word in quotes: ["{word}"]' if key[1] else f'put the word in quotes: "{word}" = ...'
    if value := _UNQUOTED_VALUE.match(line):
        return f'put the value in quotes: ... = "{value[1][:_SHOWN]}"'
    return "mend that line"


def shortened(value: object) -> str:
    """What a person wrote, as a message may quote it: its `repr`, cut where it is long or deep."""
    try:
        return _SHORT.repr(value)
    except ValueError:
        # A number of thousands of digits.
        return f"that {type(value).__name__}"


def _short() -> reprlib.Repr:
    short = reprlib.Repr()
    short.maxstring = short.maxlong = short.maxother = 100
    return short


_SHORT: Final = _short()


def _content(path: Path) -> bytes:
    """The bytes of a small regular file: a pipe would be waited for, a device might never end."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise UsageError(f"cannot read {str(path)!r}: it is no regular file", "move it away")
    with path.open("rb") as file:
        content = file.read(_BYTES + 1)
    if len(content) > _BYTES:
        raise UsageError(f"cannot read {str(path)!r}: it is larger than {_BYTES:,} bytes", "make it shorter")
    return content


def _table(text: str) -> dict[str, Any]:
    # A key of n parts takes the parser n² steps; no key that means anything has many.
    if any(line.count(".") > _DOTS and not line.lstrip().startswith("#") for line in text.splitlines()):
        raise RecursionError
    return tomllib.loads(text)


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
