"""Watching the folders of a home's libraries, for a door to bring up to date what changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ragspine_tui.types import Library
from ragspine_tui.watch import Watcher

if TYPE_CHECKING:
    from ragspine_tui.session import Session

__all__ = ["Watcher", "followed", "watcher_of"]


def watcher_of(
    session: Session,
    library_ids: Sequence[str] = (),
    *,
    told: Callable[[str], None],
    due: Callable[[], None] = lambda: None,
    **options: Any,
) -> Watcher:
    """A watcher, not begun yet, of these libraries (none named: all); the home itself is no change."""
    libraries = followed(session, library_ids)
    return Watcher(libraries, skip=(session.config.home,), told=told, due=due, **options)


def followed(session: Session, library_ids: Sequence[str] = ()) -> tuple[Library, ...]:
    """Those of the named libraries (none named: of all) that there are now."""
    libraries = tuple(summary.library for summary in session.libraries())
    return tuple(one for one in libraries if not library_ids or one.library_id in library_ids)
