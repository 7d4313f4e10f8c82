"""The settings of a run: defaults < config.toml in the home < environment < arguments, validated at load."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Self

from ragspine_tui.errors import UsageError
from ragspine_tui.locations import config_file, database_file, find_home, read_toml, shortened
from ragspine_tui.specs import SEAMS, resolve_spec

LIMIT_MAX: Final = 10_000
WORKERS_MAX: Final = 64
SECONDS_MAX: Final = 3_600
MB_MAX: Final = 1_000_000
DAYS_MAX: Final = 100_000

MATCHES: Final = ("any", "all")
"""Whether any word of a query is enough, or all must be in a document."""


class _InvalidError(Exception):
    """A value that a setting cannot take; its text is the valid ones."""


@dataclass(frozen=True, slots=True)
class ServiceConfig:
    """Everything a session is opened with. Specs are canonical names; construction validates like `load`.

    `given` names where each setting that is no default came from: a variable, the file, or an argument.
    """

    home: Path
    retrieval_mode: str = SEAMS["mode"].default
    library_router: str = SEAMS["router"].default
    fusion: str = SEAMS["fusion"].default
    filter_extractor: str = SEAMS["filter_extractor"].default
    chunker: str = SEAMS["chunker"].default
    limit: int = 20
    theme: str = ""
    ascii: bool = False
    history: bool = True
    match: str = "any"
    workers: int | None = None
    read_seconds: int = 30
    read_memory_mb: int = 2_048
    max_file_mb: int = 256
    recency_half_life: float = 0.0
    watch: bool = True
    given: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), compare=False)

    def __post_init__(self) -> None:
        for key in _SETTINGS:
            object.__setattr__(self, key, _parsed(key, getattr(self, key), "an argument"))

    @classmethod
    def load(cls, home: Path | None = None, *, environ: Mapping[str, str] = os.environ, **overrides: Any) -> Self:
        """The configuration of one run; an override of None is not given, an unknown one is a TypeError.

        UsageError names the setting, where its value came from, the value and the valid ones.
        """
        for key in overrides:
            if key not in _SETTINGS:
                raise TypeError(f"unknown setting {key!r}")
        place = find_home(home, environ)
        file, environment = _from_file(config_file(place)), _from_environment(environ)
        arguments = {
            key: _parsed(key, value, f"the argument {key}") for key, value in overrides.items() if value is not None
        }
        given = {
            **dict.fromkeys(file, config_file(place).name),
            **{key: VARIABLES[key] for key in environment},
            **{key: f"the argument {key}" for key in arguments},
        }
        return cls(home=place, given=MappingProxyType(given), **file | environment | arguments)

    @property
    def database_path(self) -> Path:
        """The SQLite file of this home."""
        return database_file(self.home)


def _spec(seam: str, value: object) -> str:
    if isinstance(value, str):
        try:
            return resolve_spec(seam, value)
        except ValueError:
            pass
    raise _InvalidError(SEAMS[seam].valid())


def _count(most: int, value: object, least: int = 1) -> int:
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,9}", value.strip()):
        value = int(value)
    if type(value) is int and least <= value <= most:
        return value
    raise _InvalidError(f"a whole number from {least:,} to {most:,}")


def _workers(value: object) -> int | None:
    return None if value is None else _count(WORKERS_MAX, value, least=0)


def _days(value: object) -> float:
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", value.strip()):
        value = float(value)
    if type(value) in (int, float) and (value == 0 or 1 <= value <= DAYS_MAX):  # type: ignore[operator]
        return float(value)  # type: ignore[arg-type]
    raise _InvalidError(f"days from 1 to {DAYS_MAX:,}, or 0 for off")


def _match(value: object) -> str:
    if isinstance(value, str) and value.strip().lower() in MATCHES:
        return value.strip().lower()
    raise _InvalidError(", ".join(MATCHES))


def _switch(value: object) -> bool:
    known = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if isinstance(value, (str, bool)) and (word := str(value).strip().lower()) in known:
        return known[word]
    raise _InvalidError("true or false")


def _name(value: object) -> str:
    if isinstance(value, str) and re.fullmatch(r"[A-Za-z0-9_-]*", value.strip()):
        return value.strip()
    raise _InvalidError("a name of letters, digits, - and _")


_SETTINGS: Final[Mapping[str, tuple[str, Callable[[object], Any]]]] = {
    "retrieval_mode": (SEAMS["mode"].variable, partial(_spec, "mode")),
    "library_router": (SEAMS["router"].variable, partial(_spec, "router")),
    "fusion": (SEAMS["fusion"].variable, partial(_spec, "fusion")),
    "filter_extractor": (SEAMS["filter_extractor"].variable, partial(_spec, "filter_extractor")),
    "chunker": (SEAMS["chunker"].variable, partial(_spec, "chunker")),
    "limit": ("RAGSPINE_LIMIT", partial(_count, LIMIT_MAX)),
    "theme": ("RAGSPINE_THEME", _name),
    "ascii": ("RAGSPINE_ASCII", _switch),
    "history": ("RAGSPINE_HISTORY", _switch),
    "match": ("RAGSPINE_MATCH", _match),
    "workers": ("RAGSPINE_WORKERS", _workers),
    "read_seconds": ("RAGSPINE_READ_SECONDS", partial(_count, SECONDS_MAX)),
    "read_memory_mb": ("RAGSPINE_READ_MEMORY_MB", partial(_count, MB_MAX, least=128)),
    "max_file_mb": ("RAGSPINE_MAX_FILE_MB", partial(_count, MB_MAX)),
    "recency_half_life": ("RAGSPINE_RECENCY_HALF_LIFE", _days),
    "watch": ("RAGSPINE_WATCH", _switch),
}

VARIABLES: Final[Mapping[str, str]] = {key: variable for key, (variable, _) in _SETTINGS.items()}
"""Each setting's environment variable."""


def _parsed(key: str, value: object, origin: str) -> Any:
    try:
        return _SETTINGS[key][1](value)
    except _InvalidError as invalid:
        raise UsageError(f"{key} from {origin} cannot be {shortened(value)}", f"valid: {invalid}") from None


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    # An empty variable switches off what can be off; for every other setting shells write it to mean "not set".
    can_be_off = {seam.variable for seam in SEAMS.values() if seam.off is not None}
    return {
        key: _parsed(key, environ[variable], variable)
        for key, variable in VARIABLES.items()
        if variable in environ and (environ[variable] or variable in can_be_off)
    }


def _from_file(path: Path) -> dict[str, Any]:
    table = read_toml(path)
    for key in table:
        if key not in _SETTINGS:
            raise UsageError(f"unknown setting {shortened(key)} in {str(path)!r}", _nearest(key))
    return {key: _parsed(key, value, str(path)) for key, value in table.items()}


def _nearest(key: str) -> str:
    near = difflib.get_close_matches(key.lower().replace("-", "_"), _SETTINGS, n=3)
    return f"did you mean {' or '.join(near)}?" if near else f"valid settings: {', '.join(_SETTINGS)}"
