"""What values the fields of documents have, and how many documents have each."""

from collections.abc import Container, Iterable, Sequence
from heapq import nsmallest
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ragspine_tui.types import FieldValues
from storage.columns import Column
from storage.encoding import Ordinals
from storage.snapshot import Snapshot
from storage.terms import AFTER_VALUES, MARK, end_of_values, presence_term

Flags = NDArray[np.bool_]
"""A flag for each document of a snapshot."""

_Counted = tuple[Column, Ordinals, Ordinals]
"""A field in a segment: its column, the numbers of the values that some document has, and how many have each."""

_SINGLY: Final = 8
"""From one value in so many on, all are taken out of a column at once."""


def field_values(
    chosen: Sequence[tuple[Snapshot, Flags]], limit: int, bare: Container[str] = ()
) -> tuple[FieldValues, ...]:
    """Every field of the flagged documents that are alive, with its `limit` most frequent values (ties by value).

    Of the fields in `bare`, no values.
    """
    found = []
    living = [(snapshot, flags & snapshot.alive_documents) for snapshot, flags in chosen]
    for name in sorted({name for snapshot, _ in living for name in field_names(snapshot)}):
        documents = sum(_having(snapshot, flags, name) for snapshot, flags in living)
        if documents:
            values = () if name in bare else _most_frequent(_counts(living, name), limit)
            found.append(FieldValues(name, documents, values))
    return tuple(found)


def field_names(snapshot: Snapshot) -> Sequence[str]:
    """The fields that documents of the index have, those that are gone included."""

    def make() -> tuple[Sequence[str], int]:
        names = {name for segment, _ in snapshot.segments() for name in _names(snapshot, segment)}
        return sorted(names), sum(map(len, names))

    return snapshot.memo.get(("fields",), make)


def _names(snapshot: Snapshot, segment: int) -> Iterable[str]:
    """A segment's fields, from one row to the next that may be another field's."""
    start = MARK
    while True:
        row = snapshot.connection.execute(
            "SELECT term FROM postings WHERE segment = ? AND term >= ? AND term < ? ORDER BY term LIMIT 1",
            (segment, start, AFTER_VALUES),
        ).fetchone()
        if row is None:
            return
        name, is_value, _ = row[0][1:].partition(MARK)
        if is_value:
            start = end_of_values(name)
        else:
            yield name
            start = presence_term(name) + "\0"


def _having(snapshot: Snapshot, flags: Flags, name: str) -> int:
    """How many of the flagged documents have a field."""
    one = snapshot.lists(presence_term(name)).get("value")
    if one is None:
        return 0
    return int(np.count_nonzero(flags[one[0]] if isinstance(one, tuple) else flags & (one != 0)))


def _counts(living: Sequence[tuple[Snapshot, Flags]], name: str) -> list[_Counted]:
    counted = []
    for snapshot, flags in living:
        for segment, offset in snapshot.segments():
            column = snapshot.column(segment, name)
            running = np.zeros(len(column.ordinals) + 1, dtype=np.int64)
            np.cumsum(flags[offset:][column.ordinals], out=running[1:])
            counts = np.diff(running[column.starts])
            numbers = np.flatnonzero(counts)
            if len(numbers):
                counted.append((column, numbers, counts[numbers]))
    return counted


def _most_frequent(counted: Sequence[_Counted], limit: int) -> tuple[tuple[str, int], ...]:
    if len(counted) == 1:
        column, numbers, counts = counted[0]
        # Numbers rise with values.
        order = np.lexsort((numbers, -counts))[:limit].tolist()
        return tuple((column.value(int(numbers[at])).decode(), int(counts[at])) for at in order)
    totals: dict[bytes, int] = {}
    for column, numbers, counts in counted:
        texts = _texts(column, numbers)
        if totals:
            for text, count in zip(texts, counts.tolist(), strict=True):
                totals[text] = totals.get(text, 0) + count
        else:
            totals = dict(zip(texts, counts.tolist(), strict=True))
    best = _best(totals, limit)
    return tuple((text.decode(), totals[text]) for text in best)


def _texts(column: Column, numbers: Ordinals) -> list[bytes]:
    if _SINGLY * len(numbers) < len(column):
        return [column.value(number) for number in numbers.tolist()]
    every = column.values()
    return every if len(numbers) == len(every) else [every[number] for number in numbers.tolist()]


def _best(totals: dict[bytes, int], limit: int) -> list[bytes]:
    """The `limit` keys that count most, in order; equal ones by themselves."""
    if not 0 < limit < len(totals):
        return sorted(totals, key=lambda text: (-totals[text], text))[:limit]
    counts = np.fromiter(totals.values(), np.int64, len(totals))
    cut = int(np.partition(counts, len(counts) - limit)[len(counts) - limit])
    above = sorted((text for text, count in totals.items() if count > cut), key=lambda text: (-totals[text], text))
    return above + nsmallest(limit - len(above), (text for text, count in totals.items() if count == cut))
