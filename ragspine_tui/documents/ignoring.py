"""Which paths a walk leaves out: gitignore's patterns, in files and in settings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Final

from ragspine_tui.documents.opening import open_regular
from ragspine_tui.documents.wildcards import wildcard_regex
from ragspine_tui.errors import ReadError

IGNORE_FILES: Final = (".gitignore", ".ignore")
_MAX_IGNORE_BYTES: Final = 1024 * 1024


def matches(relative: str, patterns: Iterable[str]) -> bool:
    """Whether a `/`-separated path (a folder ends in `/`) matches gitignore-like patterns; the last decides.

    A pattern that matches a folder covers what lies in it, and a later `!pattern` takes a part of it out again.
    """
    kept = tuple(patterns)
    return bool(kept) and _rules(kept).covers(relative)


def is_pattern(text: str) -> bool:
    """Whether a text can match anything: not a comment, not empty, no bracket left open."""
    return _Rule.read(text) is not None


class IgnoreRules:
    """The ignore files from a root down to one folder; the nearest rule decides."""

    def __init__(self, rules: Sequence[tuple[str, _Rules]] = ()) -> None:
        self._rules = tuple(rules)

    def inside(self, folder: str, prefix: str, names: Iterable[str]) -> IgnoreRules:
        """The rules for what lies in `folder`, whose relative path is `prefix` ('' or ending in `/`)."""
        present = set(names)
        listed = [_ignore_lines(Path(folder, name)) for name in IGNORE_FILES if name in present]
        found = [(prefix, _rules(lines)) for lines in listed if lines]
        return IgnoreRules((*self._rules, *found)) if found else self

    def ignores(self, relative: str) -> bool:
        """Whether the rules leave `relative` out (with a final `/` for a folder), whose folders are not left out."""
        for prefix, rules in reversed(self._rules):
            run = rules.deciding(relative[len(prefix) :])
            if run is not None:
                return not run.negated
        return False


@dataclass(frozen=True, slots=True)
class _Run:
    """Neighbouring patterns of one kind, `!pattern` or not, as one expression for files and one for folders."""

    place: int
    negated: bool
    file: re.Pattern[str]
    folder: re.Pattern[str]


class _Rules:
    """A list of patterns, read once."""

    def __init__(self, lines: Iterable[str]) -> None:
        rules = [rule for line in lines if (rule := _Rule.read(line))]
        runs = enumerate(groupby(rules, key=lambda rule: rule.negated))
        self._runs = tuple(_run(place, negated, tuple(run)) for place, (negated, run) in runs)[::-1]

    def deciding(self, path: str) -> _Run | None:
        """The last patterns that match this very path (with a final `/` for a folder)."""
        folder = path.endswith("/")
        if folder:
            path = path[:-1]
        for run in self._runs:
            if (run.folder if folder else run.file).fullmatch(path):
                return run
        return None

    def covers(self, relative: str) -> bool:
        """Whether the path or a folder above it matches and no later `!pattern` takes it out again."""
        since: int | None = None
        for path in _with_folders(relative):
            run = self.deciding(path)
            if run is None:
                continue
            if not run.negated:
                since = run.place if since is None else max(since, run.place)
            elif since is not None and run.place > since:
                since = None
        return since is not None


def _with_folders(relative: str) -> Iterator[str]:
    """The folders above a path from the top down, each with a final `/`, and the path."""
    end = relative.find("/") + 1
    while 0 < end < len(relative):
        yield relative[:end]
        end = relative.find("/", end) + 1
    yield relative


@lru_cache(maxsize=256)
def _rules(patterns: tuple[str, ...]) -> _Rules:
    return _Rules(patterns)


@dataclass(frozen=True, slots=True)
class _Rule:
    negated: bool
    folders_only: bool
    anchored: bool
    regex: str

    @classmethod
    def read(cls, line: str) -> _Rule | None:
        """The rule of one line, None for comments, empty lines and patterns that match nothing."""
        glob = _without_final_spaces(line)
        if glob.startswith("#"):
            return None
        negated = glob.startswith("!")
        glob = glob[1:] if negated else glob
        folders_only = glob.endswith("/")
        glob = glob[:-1] if folders_only else glob
        anchored = "/" in glob
        regex = wildcard_regex(glob.removeprefix("/"), whole_path=anchored)
        return cls(negated, folders_only, anchored, regex) if regex else None


def _without_final_spaces(line: str) -> str:
    """The line without its final spaces, but for one that a backslash keeps."""
    kept = line.rstrip(" ")
    backslashes = len(kept) - len(kept.rstrip("\\"))
    return line[: len(kept) + 1] if backslashes % 2 else kept


def _run(place: int, negated: bool, rules: Sequence[_Rule]) -> _Run:
    return _Run(place, negated, _either([rule for rule in rules if not rule.folders_only]), _either(rules))


def _either(rules: Sequence[_Rule]) -> re.Pattern[str]:
    """One expression for all the rules: the anchored ones from the start, the others from the last `/`."""
    anchored = [rule.regex for rule in rules if rule.anchored]
    names = [rule.regex for rule in rules if not rule.anchored]
    if names:
        anchored.append(rf"(?:[^/]*+/)*+(?:{'|'.join(f'(?:{name})' for name in names)})")
    return re.compile("|".join(f"(?:{regex})" for regex in anchored) or r"(?!)")


def _ignore_lines(path: Path) -> tuple[str, ...]:
    # A link or pipe named .gitignore must neither lead out of the folder nor block.
    try:
        data, _ = open_regular(path, head=_MAX_IGNORE_BYTES)
    except ReadError:
        return ()
    text = data.decode("utf-8", "surrogateescape")
    return tuple(line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n"))
