"""Metadata filters over the index's value terms, and what values the fields have."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ragspine_tui.types import Condition, FieldValues
from storage.encoding import decode
from storage.postings import MARK, presence_term, value_term
from storage.snapshot import Snapshot

Flags = NDArray[np.bool_]
"""A flag for each document of a snapshot."""

_TESTS: Final = {
    "eq": "term = ?",
    "ne": "term = ?",
    "gt": "term > ?",
    "gte": "term >= ?",
    "lt": "term < ?",
    "lte": "term <= ?",
    "between": "term BETWEEN ? AND ?",
}
"""SQLite compares TEXT by its UTF-8 bytes, which is the order of code points that conditions are defined in."""

_ONE_DOCUMENT: Final = 4
"""The size of a list of one document in a segment of 16-bit ordinals: a form byte, the ordinal, a frequency."""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The live documents that a filter leaves, how many there are, and of each step (left, without the field)."""

    documents: Flags
    total: int
    steps: tuple[tuple[int, int], ...]


def narrow(snapshot: Snapshot, conditions: Sequence[Condition], combine: str) -> Narrowed:
    """The documents that `conditions` match; with none, all of them.

    With `and`, a step counts what is left after it; with `or`, what is matched so far.
    """
    everything = snapshot.alive_documents
    left = everything if combine == "and" or not conditions else np.zeros_like(everything)
    steps: list[tuple[int, int]] = []
    for condition in conditions:
        present = _documents(snapshot, "term = ?", (presence_term(condition.field),))
        matched = _matching(snapshot, condition, present)
        before = left if combine == "and" else everything
        missing = int(np.count_nonzero(before & ~present))
        left = left & matched if combine == "and" else left | (everything & matched)
        steps.append((int(np.count_nonzero(left)), missing))
    return Narrowed(left, int(np.count_nonzero(everything)), tuple(steps))


def field_values(snapshots: Sequence[Snapshot], limit: int) -> tuple[FieldValues, ...]:
    """Every field of the libraries' documents, with its `limit` most frequent values (ties by value)."""
    present: dict[str, int] = {}
    values: dict[str, dict[str, int]] = {}
    for snapshot in snapshots:
        for term, count in _counts(snapshot):
            name, mark, value = term[1:].partition(MARK)
            column = values.setdefault(name, {})
            if mark:
                column[value] = column.get(value, 0) + count
            else:
                present[name] = present.get(name, 0) + count
    return tuple(
        FieldValues(
            name, present[name], tuple(sorted(values[name].items(), key=lambda pair: (-pair[1], pair[0]))[:limit])
        )
        for name in sorted(present)
    )


def _matching(snapshot: Snapshot, condition: Condition, present: Flags) -> Flags:
    name = condition.field
    terms = [value_term(name, value) for value in condition.values]
    test = _TESTS.get(condition.op) or f"term IN ({', '.join('?' * len(terms))})"
    # An open range ends with its field: the next character after the mark begins other fields' terms.
    bounds = (value_term(name, ""), f"{MARK}{name}{chr(ord(MARK) + 1)}")
    hit = _documents(snapshot, f"{test} AND term >= ? AND term < ?", (*terms, *bounds))
    return present & ~hit if condition.op in ("ne", "nin") else hit


def _documents(snapshot: Snapshot, test: str, parameters: Sequence[str]) -> Flags:
    """The live documents of all value terms that pass an SQL test."""
    flags = np.zeros(len(snapshot.documents), dtype=np.bool_)
    for segment, offset in snapshot.segments():
        rows = snapshot.connection.execute(
            f"SELECT value FROM postings WHERE segment = ? AND {test}", (segment, *parameters)
        ).fetchall()
        blobs = [row[0] for row in rows if row[0] is not None]
        # Most values of a field like a date stand in one document: those are read all at once.
        single = b"".join(blob for blob in blobs if len(blob) == _ONE_DOCUMENT)
        ordinals = [np.frombuffer(single, dtype=[("form", "u1"), ("ordinal", "<u2"), ("frequency", "u1")])["ordinal"]]
        ordinals += [decode(blob)[0] for blob in blobs if len(blob) != _ONE_DOCUMENT]
        flags[np.concatenate(ordinals).astype(np.int64) + offset] = True
    return flags & snapshot.alive_documents


def _counts(snapshot: Snapshot) -> list[tuple[str, int]]:
    """(value or presence term, live documents that have it), a row a segment."""
    found: list[tuple[str, int]] = []
    for segment, offset in snapshot.segments():
        sql = "FROM postings WHERE segment = ? AND term >= ? AND term < ?"
        parameters = (segment, MARK, chr(ord(MARK) + 1))
        if not snapshot.has_dead(segment):
            found += snapshot.connection.execute(f"SELECT term, doc_freq {sql}", parameters).fetchall()
            continue
        for term, blob in snapshot.connection.execute(f"SELECT term, value {sql}", parameters):
            alive = int(np.count_nonzero(snapshot.alive_documents[decode(blob)[0] + offset]))
            if alive:
                found.append((term, alive))
    return found
