"""What restricts a library's documents by their paths: its own marks, and those of libraries over the same files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial

from ragspine_tui.documents.overlaps import Roots
from ragspine_tui.documents.sensitivity import ForeignRestriction, PathRestriction
from ragspine_tui.entries import UNREAD, restricted_entry
from ragspine_tui.errors import DamageError
from ragspine_tui.types import DocumentStatus, Library
from storage.documents import DocumentEntry, KnownDocument
from storage.store import Store

OnPurged = Callable[[str, int], None]
"""Hears of a library that lost documents because another one restricts them, and of how many."""


class Restrictions:
    """What restricts each library, as the home and the disk are at the first question."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._restricting = store.restricting()
        self._roots = Roots()

    def of(self, library: Library, marks: Sequence[str] | None = None) -> PathRestriction:
        """What restricts the library's documents; `marks` are its own, read where they are not given."""
        own = self._store.marks(library.library_id) if marks is None else marks
        foreign = [
            ForeignRestriction(other, theirs, overlap)
            for other, theirs in self._restricting
            if other.library_id != library.library_id
            for overlap in self._roots.overlaps(library, other)
        ]
        return PathRestriction(library, own, foreign)


def restriction_of(store: Store, library: Library, marks: Sequence[str] | None = None) -> PathRestriction:
    """What restricts the library's documents now; `marks` are its own, read where they are not given."""
    return Restrictions(store).of(library, marks)


def overlapping(store: Store, library: Library) -> tuple[Library, ...]:
    """The other libraries that have some of the same files."""
    roots = Roots()
    others = (one for one in store.libraries() if one.library_id != library.library_id)
    return tuple(one for one in others if roots.overlaps(library, one))


def restricted_now(
    store: Store, library: Library, marks: Sequence[str], known: Mapping[str, KnownDocument]
) -> list[DocumentEntry]:
    """What is kept from now on of the documents that are restricted by their paths only now; `marks` are the own."""
    return restricted_among(restriction_of(store, library, marks), known)


def restricted_among(restriction: PathRestriction, known: Mapping[str, KnownDocument]) -> list[DocumentEntry]:
    """What is kept from now on of those of the documents that the restriction covers."""
    return [
        restricted_entry(one.source, UNREAD)
        for path, one in known.items()
        if one.status != DocumentStatus.RESTRICTED and restriction.covers(path)
    ]


def restricted_by(restriction: PathRestriction, known: Mapping[str, KnownDocument]) -> tuple[tuple[str, int], ...]:
    """The other libraries that restrict some of the documents, each with how many."""
    secrets = (path for path, one in known.items() if one.status == DocumentStatus.RESTRICTED)
    return tuple(sorted(Counter(other for path in secrets for other in restriction.others(path)).items()))


def purge_overlapping(store: Store, library: Library) -> dict[str, int]:
    """Remove from other libraries what this one restricts; returns of how many documents each, where there are any.

    A library whose rows are damaged is left as it is: no search shows what is restricted there either.
    """
    purged: dict[str, int] = {}
    if all(one.library_id != library.library_id for one, _ in store.restricting()):
        return purged
    for other in overlapping(store, library):
        with suppress(DamageError):
            if count := store.restrict(other.library_id, (), partial(restricted_now, store, other)):
                purged[other.library_id] = count
    return purged
