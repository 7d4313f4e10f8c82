"""When each document is from: its `date`, else when its file was last modified."""

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from storage.columns import Column
from storage.database import sound_rows
from storage.snapshot import Snapshot

_DATE: Final = re.compile(rb"\d{4}")

Numbers = NDArray[np.int64]


def document_dates(snapshot: Snapshot) -> tuple[list[str], Numbers]:
    """The distinct dates in order, '' first for none, and the number of each document's.

    Raises StorageError on damaged rows.
    """

    def make() -> tuple[tuple[list[str], Numbers], int]:
        dated, chosen = newest_values(snapshot, "date")
        modified, changed = newest_values(snapshot, "modified")
        values = sorted({*dated, *modified})
        numbers = {value: number for number, value in enumerate(values)}
        of_dated, of_modified = (np.array([numbers[value] for value in some]) for some in (dated, modified))
        found = np.where(chosen > 0, of_dated[chosen], of_modified[changed])
        return (values, found), found.nbytes + sum(map(len, values))

    with sound_rows():
        return snapshot.memo.get("dates", make)


def newest_values(snapshot: Snapshot, name: str) -> tuple[list[str], Numbers]:
    """The distinct dates of a field in order, '' first for none, and for each document the number of its latest."""
    found: list[tuple[Column, int, list[bytes]]] = []
    for segment, offset in snapshot.segments():
        column = snapshot.column(segment, name)
        found.append((column, offset, [one if _DATE.match(one) else b"" for one in column.values()]))
    dates = sorted({b"", *(one for _, _, those in found for one in those)})
    numbers = {one: number for number, one in enumerate(dates)}
    rank = np.zeros(len(snapshot.documents), dtype=np.int64)
    for column, offset, those in found:
        owners = np.fromiter(map(numbers.__getitem__, those), np.int64, len(those))
        np.maximum.at(rank[offset:], column.ordinals, np.repeat(owners, np.diff(column.starts)))
    return [one.decode() for one in dates], rank
