"""Libraries over some of the same files: where one's documents lie in the other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

from ragspine_tui.types import Library


@dataclass(frozen=True, slots=True)
class Overlap:
    """Paths of one library that begin with `below` (are it, where it ends in no `/`) are the other's with `above`."""

    below: str
    above: str

    def other(self, relative: str) -> str | None:
        """The other library's path of a document, None where it lies outside of that library."""
        if not self.below or self.below.endswith("/"):
            return self.above + relative[len(self.below) :] if relative.startswith(self.below) else None
        return self.above if relative == self.below else None


class Roots:
    """Compares the roots of libraries; looks at each on the disk once."""

    def __init__(self) -> None:
        self._known: dict[str, _Root] = {}

    def overlaps(self, mine: Library, other: Library) -> tuple[Overlap, ...]:
        """Where two libraries have the same files, whatever their roots are called; () where they have none.

        A root that is away may be a folder or a file: both are told.
        """
        return tuple(_overlaps(self._root(mine.root), self._root(other.root)))

    def _root(self, path: str) -> _Root:
        if path not in self._known:
            self._known[path] = _Root.of(path)
        return self._known[path]


_Identity = tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class _Root:
    """A root as it is on the disk: `above` are itself and the folders it lies in, the nearest first."""

    name: str
    above: tuple[tuple[str, str, _Identity], ...]
    may_be_folder: bool
    may_be_file: bool

    @classmethod
    def of(cls, path: str) -> _Root:
        real = PurePath(os.path.realpath(path))
        above = ((place.name, os.path.normcase(place), _identity(place)) for place in (real, *real.parents))
        return cls(PurePath(path).name, tuple(above), not _is(path, Path.is_file), not _is(path, Path.is_dir))

    def inside(self, outer: _Root) -> str | None:
        """The `/`-separated path of this place below another, '' where they are the same, else None."""
        parts: list[str] = []
        _, top, known = outer.above[0]
        for name, place, identity in self.above:
            # Letters' case and mounts can give one folder several real paths.
            if place == top or (known is not None and identity == known):
                return "/".join(reversed(parts))
            parts.append(name)
        return None


def _overlaps(mine: _Root, other: _Root) -> Iterator[Overlap]:
    up = mine.inside(other)
    down = other.inside(mine) if up is None else None
    if up is None and down is None:
        return
    if mine.may_be_folder and other.may_be_folder:
        yield Overlap(f"{down}/" if down else "", f"{up}/" if up else "")
    if mine.may_be_file and other.may_be_folder and up:
        yield Overlap(mine.name, up)
    if mine.may_be_folder and other.may_be_file and down:
        yield Overlap(down, other.name)
    if mine.may_be_file and other.may_be_file and up == "":
        yield Overlap(mine.name, other.name)


def _identity(place: PurePath) -> _Identity:
    try:
        found = Path(place).stat()
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino) if found.st_ino else None


def _is(path: str, kind: Callable[[Path], bool]) -> bool:
    try:
        return kind(Path(path))
    except OSError:
        return False
