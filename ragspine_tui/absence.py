"""Whether a library's folder is away, and since when: first seen by whoever looked, kept until it is back."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

from ragspine_tui.entries import is_there
from ragspine_tui.errors import StorageError
from ragspine_tui.types import Library
from storage.store import Store


def is_away(store: Store, library: Library) -> bool:
    """Whether a library's root cannot be seen now, or is only the empty folder that a drive was mounted on."""
    root = Path(library.root)
    return not is_there(root) or (_is_empty(root) and store.mount(library.library_id) not in ("", mount_of(root)))


def absent_since(store: Store, library: Library, known: str = "") -> tuple[bool, str]:
    """Whether the library's root is away now, and since when (ISO, UTC), which is kept; `known` is what was kept."""
    away = is_away(store, library)
    if away == bool(known):
        return away, known
    now = datetime.now(UTC).isoformat(timespec="seconds") if away else ""
    try:
        return away, store.note_offline(library.library_id, now)
    except StorageError:
        # A home that cannot be written to can still be looked at.
        return away, known


def keep_mount(store: Store, library: Library) -> None:
    """Remember the mount that a library was read on."""
    mount = mount_of(Path(library.root))
    if store.mount(library.library_id) != mount:
        store.note_mount(library.library_id, mount)


def mount_of(root: Path) -> str:
    """The mount point that a folder or file lies below, or is."""
    place = Path(os.path.realpath(root))
    while not place.is_mount() and place != place.parent:
        place = place.parent
    return str(place)


def _is_empty(root: Path) -> bool:
    try:
        with os.scandir(root) as found:
            return next(found, None) is None
    except OSError:
        return False
