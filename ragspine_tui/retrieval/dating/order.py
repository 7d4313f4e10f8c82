"""Orders that look at the documents' dates: newest first, and relevance that fades with age."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, Self

import numpy as np

from ragspine_tui.retrieval.lexical.index import LexicalIndex, Ordinals, Scores
from ragspine_tui.retrieval.lexical.scorer import Run, tie_keys, top
from ragspine_tui.types import SORTS

_DATE: Final = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?", re.ASCII)
_OLDEST: Final = 1_000
"""So many half-lives make a document as old as can be: its score stays above zero."""


@dataclass(frozen=True, slots=True)
class Dates:
    """The dates of an index's documents: the distinct ones, rising, '' for none, and the number of each document's."""

    values: Sequence[str]
    numbers: Ordinals


ReadDates = Callable[[], Dates]


@dataclass(frozen=True, slots=True)
class Order:
    """Newest first, or scores that halve every `half_life` days before `today` (a day's number; 0: they do not)."""

    newest_first: bool = False
    half_life: float = 0.0
    today: int = 0

    @classmethod
    def of(cls, sort: str, half_life: float, today: str) -> Self | None:
        """The order that these ask for, None for plain relevance. Raises ValueError that says what was expected."""
        if sort not in SORTS:
            raise ValueError(f"sort cannot be {sort!r}; valid: {', '.join(SORTS)}")
        if not half_life:
            return cls(newest_first=True) if sort == "date" else None
        day = day_of(today)
        if day is None:
            raise ValueError(f"recency counts from a day such as 2024-06-30, not {today!r}")
        return cls(sort == "date", half_life, day)

    def factors(self, dates: Dates) -> Scores:
        """What the scores of documents of each date are multiplied by: 1 from today on, less the older they are."""
        if not self.half_life:
            return np.ones(len(dates.values))
        days = [day_of(value) for value in dates.values]
        ages = np.array([np.inf if day is None else max(0, self.today - day) for day in days])
        return np.exp2(-np.minimum(ages / self.half_life, _OLDEST))

    def best(self, run: Run, index: LexicalIndex, dates: Dates, limit: int) -> tuple[Run, Ordinals]:
        """All matching chunks with their aged scores, and the positions of the first `limit`; ties as in relevance."""
        numbers = dates.numbers[index.document_of_chunk[run.chunks]]
        aged = Run(run.chunks, run.scores * self.factors(dates)[numbers], run.total)
        if not self.newest_first:
            return aged, top(aged, index, limit)
        positions = np.arange(len(numbers))
        if limit < len(numbers):
            cut = np.partition(numbers, len(numbers) - limit)[len(numbers) - limit] if limit else len(dates.values)
            positions = np.flatnonzero(numbers >= cut)
        keys = (tie_keys(index, run.chunks[positions]), -aged.scores[positions], -numbers[positions])
        return aged, positions[np.lexsort(keys)][:limit]


def day_of(value: str) -> int | None:
    """The number of the day that an ISO date begins with, of its first day where it names only a month or a year."""
    found = _DATE.match(value)
    if found is None:
        return None
    year, month, day = (int(part or 1) for part in found.groups())
    for parts in ((year, month, day), (year, month, 1), (year, 1, 1)):
        try:
            return date(*parts).toordinal()
        except ValueError:
            continue
    return None
