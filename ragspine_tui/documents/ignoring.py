"""Which paths a walk leaves out: gitignore's patterns, in files and in settings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from pathspec import GitIgnoreSpec

IGNORE_FILES: Final = (".gitignore", ".ignore")
_MAX_IGNORE_BYTES: Final = 1024 * 1024


def matches(relative: str, patterns: Iterable[str]) -> bool:
    """Whether a `/`-separated path (a folder ends in `/`) matches gitignore-like patterns; the last decides."""
    kept = tuple(patterns)
    return bool(kept) and _spec(kept).match_file(relative)


@lru_cache(maxsize=256)
def _spec(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    try:
        return GitIgnoreSpec.from_lines(patterns)
    except (ValueError, re.error):
        return GitIgnoreSpec.from_lines([pattern for pattern in patterns if _is_valid(pattern)])


def _is_valid(pattern: str) -> bool:
    try:
        GitIgnoreSpec.from_lines([pattern])
    except (ValueError, re.error):
        return False
    return True


class IgnoreRules:
    """The ignore files from a root down to one folder; the nearest rule decides."""

    def __init__(self, rules: Sequence[tuple[str, GitIgnoreSpec]] = ()) -> None:
        self._rules = tuple(rules)

    def inside(self, folder: str, prefix: str, names: Iterable[str]) -> IgnoreRules:
        """The rules for what lies in `folder`, whose relative path is `prefix` ('' or ending in `/`)."""
        present = set(names)
        listed = [_ignore_lines(Path(folder, name)) for name in IGNORE_FILES if name in present]
        found = [(prefix, _spec(lines)) for lines in listed if lines]
        return IgnoreRules((*self._rules, *found)) if found else self

    def ignores(self, relative: str) -> bool:
        """Whether the rules leave `relative` out (with a final `/` for a folder)."""
        for prefix, spec in reversed(self._rules):
            decision = spec.check_file(relative[len(prefix) :]).include
            if decision is not None:
                return decision
        return False


def _ignore_lines(path: Path) -> tuple[str, ...]:
    # A link or pipe named .gitignore must neither lead out of the folder nor block.
    if path.is_symlink() or not path.is_file():
        return ()
    try:
        with path.open("rb") as file:
            return tuple(file.read(_MAX_IGNORE_BYTES).decode("utf-8", "surrogateescape").splitlines())
    except OSError:
        return ()
