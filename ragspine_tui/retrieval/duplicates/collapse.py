"""The same passage in several documents of a library is one hit, with the others beside it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from typing import Final, Protocol, TypeVar

from ragspine_tui.types import Hit

REACH: Final = 50
"""Copies are looked for among the best so many passages, however few hits are asked for."""

MOST: Final = 3_000
"""Passages that are read for copies at most: a search ends soon where a text stands in thousands of documents."""


class Ranked(Protocol):
    """What is needed of a candidate."""

    @property
    def library_id(self) -> str:
        """The library of origin."""

    @property
    def score(self) -> float:
        """What it is ranked by."""

    @property
    def date(self) -> str:
        """What it is ranked by before its score, '' where nothing is."""


R = TypeVar("R", bound=Ranked)


def collapse(
    candidates: Iterable[tuple[R, Hashable]],
    limit: int,
    read: Callable[[R], Hit | None],
    text_of: Callable[[R], str | None],
) -> tuple[Hit, ...]:
    """The first `limit` hits of (candidate, likeness) pairs, best first, each with its copies in `also`.

    Copies are passages of one library with the same words; their likenesses are equal, so that no other candidate is
    read once there are enough hits; of these, `text_of` tells sooner than `read` which are none. `read` gives None for
    what may not be shown: it is neither a hit nor a copy. Of equally good copies the one with the first path is shown;
    the others stand by path, without their sections.
    """
    groups: dict[Hashable, list[tuple[R, Hit]]] = {}
    likenesses: set[Hashable] = set()
    for candidate, likeness in candidates:
        alike = (candidate.library_id, likeness)
        full = len(groups) == limit
        if full and (alike not in likenesses or (*alike, plain_text(text_of(candidate) or "")) not in groups):
            continue
        hit = read(candidate)
        if hit is None:
            continue
        key = (*alike, plain_text(hit.text))
        if key in groups:
            groups[key].append((candidate, hit))
        elif not full:
            groups[key] = [(candidate, hit)]
            likenesses.add(alike)
    return tuple(_one_of(copies, rank) for rank, copies in enumerate(groups.values(), start=1))


def plain_text(text: str) -> str:
    """What makes passages the same: their characters, whatever their width, case and blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _one_of(copies: list[tuple[R, Hit]], rank: int) -> Hit:
    first = copies[0][0]
    best = [hit for one, hit in copies if (one.date, one.score) == (first.date, first.score)]
    shown = min(best, key=_place)
    others = sorted((hit for _, hit in copies if hit is not shown), key=_place)
    also = tuple(replace(hit, rank=rank, parent=None, explain=None) for hit in others)
    return replace(shown, rank=rank, also=also)


def _place(hit: Hit) -> tuple[str, int]:
    return (hit.document, hit.span.start)
