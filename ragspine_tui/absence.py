"""Since when a library's folder has not been there: first seen by whoever looked, kept until it is back."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from ragspine_tui.entries import is_there
from ragspine_tui.errors import StorageError
from ragspine_tui.types import Library
from storage.store import Store


def absent_since(store: Store, library: Library, known: str = "") -> tuple[bool, str]:
    """Whether the library's root is away now, and since when (ISO, UTC), which is kept; `known` is what was kept."""
    away = not is_there(Path(library.root))
    if away == bool(known):
        return away, known
    now = datetime.now(UTC).isoformat(timespec="seconds") if away else ""
    try:
        return away, store.note_offline(library.library_id, now)
    except StorageError:
        # A home that cannot be written to can still be looked at.
        return away, known
