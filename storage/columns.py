"""Fields of many values as sorted columns: a range over values that are nearly all different is found by bisection,
and they are counted all at once.

Columns are derived from the value terms of their segment, written and deleted with it. A field of few values in a
segment has none there: its posting lists are as fast.
"""

import sqlite3
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from storage.encoding import Blob, Ordinals, decode_runs
from storage.terms import MARK, end_of_values, value_term

MANY_VALUES: Final = 256
"""From so many values in a segment on, a field has a column there."""

_PLACE: Final = "<u4"

Places = NDArray[np.unsignedinteger[Any]]


@dataclass(frozen=True, slots=True)
class Column:
    """A field's values in a segment as UTF-8, whose order is that of code points, and the documents that have each.

    Value `i` is `text[begins[i]:begins[i + 1]]`, its documents are `ordinals[starts[i]:starts[i + 1]]`.
    """

    text: bytes
    begins: Places
    starts: Places
    ordinals: Places

    def __len__(self) -> int:
        return len(self.starts) - 1

    def value(self, number: int) -> bytes:
        """One value."""
        return self.text[self.begins[number] : self.begins[number + 1]]

    def below(self, bound: bytes) -> int:
        """How many values are less than `bound`."""
        return bisect_left(range(len(self)), bound, key=self.value)

    def up_to(self, bound: bytes) -> int:
        """How many values are not greater than `bound`."""
        return bisect_right(range(len(self)), bound, key=self.value)

    @property
    def nbytes(self) -> int:
        """How much it holds."""
        return len(self.text) + self.begins.nbytes + self.starts.nbytes + self.ordinals.nbytes

    def values(self) -> list[bytes]:
        """All values, in order."""
        bounds = self.begins.tolist()
        return [self.text[begin:end] for begin, end in pairwise(bounds)]


def insert_columns(connection: sqlite3.Connection, segment: int, lists: Iterable[tuple[str, Blob]]) -> None:
    """Store the columns of a segment inside the caller's transaction; `lists` are its value terms with their lists."""
    for name, group in groupby(sorted(lists), key=lambda one: one[0][1:].partition(MARK)[0]):
        those = list(group)
        if len(those) >= MANY_VALUES:
            column = _column_of(name, those)
            arrays = (one.tobytes() for one in (column.begins, column.starts, column.ordinals))
            connection.execute("INSERT INTO columns VALUES (?, ?, ?, ?, ?, ?)", (segment, name, column.text, *arrays))


def delete_columns(connection: sqlite3.Connection, segment: int) -> None:
    """Drop a segment's columns inside the caller's transaction."""
    connection.execute("DELETE FROM columns WHERE segment = ?", (segment,))


def read_column(connection: sqlite3.Connection, segment: int, name: str, documents: int) -> Column:
    """A field's values in a segment of so many documents. Raises ValueError or TypeError where rows are damaged."""
    row = connection.execute(
        "SELECT text, begins, starts, ordinals FROM columns WHERE segment = ? AND field = ?", (segment, name)
    ).fetchone()
    if row is None:
        lists = connection.execute(
            "SELECT term, value FROM postings WHERE segment = ? AND term >= ? AND term < ?",
            (segment, value_term(name, ""), end_of_values(name)),
        )
        column = _column_of(name, lists.fetchall())
    else:
        text, *blobs = row
        if not isinstance(text, bytes):
            raise TypeError("the values of a column are no bytes")
        column = Column(text, *(np.frombuffer(blob, dtype=_PLACE) for blob in blobs))
    _check(column, documents)
    return column


def _column_of(name: str, lists: Sequence[tuple[str, Blob]]) -> Column:
    # Not cut in SQL: its functions end a text at the first NUL.
    texts = [term[len(value_term(name, "")) :].encode() for term, _ in lists]
    counts, ordinals, _ = decode_runs([blob for _, blob in lists])
    sizes = np.fromiter(map(len, texts), np.int64, len(texts))
    return Column(b"".join(texts), _bounds(sizes), _bounds(counts), ordinals.astype(_PLACE))


def _bounds(sizes: Ordinals) -> Places:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(_PLACE)


def _check(column: Column, documents: int) -> None:
    bounds = ((column.begins, len(column.text)), (column.starts, len(column.ordinals)))
    if len(column.begins) != len(column.starts) or any(
        not len(places) or places[0] != 0 or places[-1] != end or (places[1:] < places[:-1]).any()
        for places, end in bounds
    ):
        raise ValueError("the arrays of a column do not belong together")
    if len(column.ordinals) and int(column.ordinals.max()) >= documents:
        raise ValueError("a column goes beyond its segment")
