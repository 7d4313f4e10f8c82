"""A folder of documentation to measure on: the same files each time, copied from what is found below given roots."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

SUFFIXES: Final = (".md", ".markdown", ".html", ".htm")
FILES_PER_FOLDER: Final = 200


def collect(roots: Sequence[Path], count: int, folder: Path) -> int:
    """Copy `count` documents from below `roots` into `folder`, which must be new; returns how many there were.

    The choice is by a hash of each path relative to its root, so that the same roots give the same folder.
    """
    folder.mkdir(parents=True)
    chosen = sorted(_documents(roots), key=lambda pair: (_order(pair[0]), pair[0]))[:count]
    for number, (_, source) in enumerate(chosen):
        place = folder / f"{number // FILES_PER_FOLDER:03}"
        place.mkdir(exist_ok=True)
        shutil.copyfile(source, place / f"{number:05}-{source.name}")
    return len(chosen)


def _documents(roots: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    for root in roots:
        for directory, _, names in os.walk(root):
            for name in names:
                path = Path(directory, name)
                if path.suffix.lower() in SUFFIXES and path.is_file() and path.stat().st_size:
                    yield path.relative_to(root).as_posix(), path


def _order(relative: str) -> bytes:
    return hashlib.blake2b(os.fsencode(relative), digest_size=8).digest()
