"""Metadata filters in SQL over indexed field rows, and what values the fields have."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ragspine_tui.types import Condition, FieldValues

Documents = NDArray[np.int64]

_MATCHES: Final = {
    "eq": "= ?",
    "ne": "= ?",
    "gt": "> ?",
    "gte": ">= ?",
    "lt": "< ?",
    "lte": "<= ?",
    "between": "BETWEEN ? AND ?",
}
"""SQLite compares TEXT by its UTF-8 bytes, which is the order of code points that conditions are defined in."""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """Documents (rising row ids) that a filter leaves, and for each of its steps (left, without the field)."""

    documents: Documents
    total: int
    steps: tuple[tuple[int, int], ...]


def narrow(connection: sqlite3.Connection, library: int, conditions: Sequence[Condition], combine: str) -> Narrowed:
    """The indexed documents that `conditions` match; with none, all of them.

    With `and`, a step counts what is left after it; with `or`, what is matched so far.
    """
    everything = _column(
        connection, "SELECT id FROM documents WHERE library = ? AND chunks > 0 ORDER BY id", (library,)
    )
    left = everything if combine == "and" or not conditions else np.empty(0, dtype=np.int64)
    steps: list[tuple[int, int]] = []
    for condition in conditions:
        present = _with_field(connection, library, condition.field)
        matched = _matching(connection, library, condition, present)
        before = left if combine == "and" else everything
        missing = len(before) - len(np.intersect1d(before, present, assume_unique=True))
        if combine == "and":
            left = np.intersect1d(left, matched, assume_unique=True)
        else:
            left = np.union1d(left, np.intersect1d(everything, matched, assume_unique=True))
        steps.append((len(left), missing))
    return Narrowed(left, len(everything), tuple(steps))


def field_values(connection: sqlite3.Connection, libraries: Sequence[int], limit: int) -> tuple[FieldValues, ...]:
    """Every field of the libraries' indexed documents, with its `limit` most frequent values (ties by value)."""
    marks = ", ".join("?" * len(libraries))
    counts = dict(
        connection.execute(
            "SELECT name, count(DISTINCT document) FROM field_values JOIN document_values ON document_values.value ="
            f" field_values.id WHERE library IN ({marks}) GROUP BY name",
            libraries,
        )
    )
    values: dict[str, dict[str, int]] = {}
    for name, value, documents in connection.execute(
        "SELECT name, field_values.value, count(DISTINCT document) FROM field_values JOIN document_values ON"
        f" document_values.value = field_values.id WHERE library IN ({marks}) GROUP BY field_values.id",
        libraries,
    ):
        column = values.setdefault(name, {})
        column[value] = column.get(value, 0) + documents
    return tuple(
        FieldValues(
            name, counts[name], tuple(sorted(values[name].items(), key=lambda pair: (-pair[1], pair[0]))[:limit])
        )
        for name in sorted(counts)
    )


def _matching(connection: sqlite3.Connection, library: int, condition: Condition, present: Documents) -> Documents:
    several = condition.op in ("in", "nin")
    test = f"IN ({', '.join('?' * len(condition.values))})" if several else _MATCHES[condition.op]
    hit = _column(
        connection,
        "SELECT DISTINCT document FROM field_values JOIN document_values ON document_values.value = field_values.id"
        f" WHERE library = ? AND name = ? AND field_values.value {test} ORDER BY document",
        (library, condition.field, *condition.values),
    )
    if condition.op in ("ne", "nin"):
        return np.setdiff1d(present, hit, assume_unique=True)
    return hit


def _with_field(connection: sqlite3.Connection, library: int, name: str) -> Documents:
    return _column(
        connection,
        "SELECT DISTINCT document FROM field_values JOIN document_values ON document_values.value = field_values.id"
        " WHERE library = ? AND name = ? ORDER BY document",
        (library, name),
    )


def _column(connection: sqlite3.Connection, sql: str, parameters: Sequence[object]) -> Documents:
    return np.fromiter((row[0] for row in connection.execute(sql, parameters)), dtype=np.int64)
