"""Metadata filters over the index's value terms, and what values the fields have."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ragspine_tui.types import Condition, FieldValues
from storage.encoding import decode
from storage.postings import MARK, presence_term, value_term
from storage.snapshot import Snapshot

Flags = NDArray[np.bool_]
"""A flag for each document of a snapshot."""

_BATCH: Final = 900
"""As many terms are looked up in one statement: SQLite takes a bounded number, 999 where it is old."""

_ONE_DOCUMENT: Final = 4
"""The size of a list of one document in a segment of 16-bit ordinals: a form byte, the ordinal, a frequency."""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The live documents that a filter leaves, how many there are, and of each step (left, without the field)."""

    documents: Flags
    total: int
    steps: tuple[tuple[int, int], ...]


def narrow(
    snapshot: Snapshot, conditions: Sequence[Condition], combine: str, besides: Sequence[Condition] = ()
) -> Narrowed:
    """The documents that `conditions` match, with none all of them, and that each one of `besides` matches.

    With `and`, a step counts what is left after it; with `or`, what is matched so far. `besides` narrow what is left.
    """
    everything = snapshot.alive_documents
    left = everything if combine == "and" or not conditions else np.zeros_like(everything)
    steps: list[tuple[int, int]] = []
    for number, condition in enumerate((*conditions, *besides)):
        narrows = combine == "and" or number >= len(conditions)
        present = _with_terms(snapshot, [presence_term(condition.field)] if _is_name(condition.field) else [])
        matched = _matching(snapshot, condition, present)
        before = left if narrows else everything
        missing = int(np.count_nonzero(before & ~present))
        left = left & matched if narrows else left | (everything & matched)
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
    name, values = condition.field, condition.values
    if condition.op in ("eq", "in"):
        return _with_values(snapshot, name, values)
    if condition.op in ("ne", "nin"):
        return present & ~_with_values(snapshot, name, values)
    column = column_of_field(snapshot, name)
    first, last = 0, len(column.values)
    if condition.op in ("gt", "gte", "between"):
        first = (bisect_right if condition.op == "gt" else bisect_left)(column.values, values[0])
    if condition.op in ("lt", "lte", "between"):
        last = (bisect_left if condition.op == "lt" else bisect_right)(column.values, values[-1])
    flags = np.zeros(len(snapshot.documents), dtype=np.bool_)
    if first < last:
        flags[column.documents[column.starts[first] : column.starts[last]]] = True
    return flags & snapshot.alive_documents


def _with_values(snapshot: Snapshot, name: str, values: Sequence[str]) -> Flags:
    if not _is_name(name):
        return _with_terms(snapshot, [])
    return _with_terms(snapshot, [value_term(name, value) for value in dict.fromkeys(values) if _is_text(value)])


def _with_terms(snapshot: Snapshot, terms: Sequence[str]) -> Flags:
    """The live documents of all the value terms."""
    flags = np.zeros(len(snapshot.documents), dtype=np.bool_)
    for start in range(0, len(terms), _BATCH):
        batch = terms[start : start + _BATCH]
        test = f"term IN ({', '.join('?' * len(batch))})"
        for segment, offset in snapshot.segments():
            for (blob,) in snapshot.connection.execute(
                f"SELECT value FROM postings WHERE segment = ? AND value IS NOT NULL AND {test}", (segment, *batch)
            ):
                flags[decode(blob)[0] + offset] = True
    return flags & snapshot.alive_documents


def _is_name(text: str) -> bool:
    """Whether a field can be called so: with the mark of terms in it, it would read as a field and a value."""
    return MARK not in text and _is_text(text)


def _is_text(text: str) -> bool:
    """Whether a term can be made of the text; what cannot be encoded is in no index."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Column:
    """A field's values in the order of code points, and the documents of each: `documents[starts[i]:starts[i + 1]]`."""

    values: Sequence[str]
    starts: NDArray[np.int64]
    documents: NDArray[np.int64]


def column_of_field(snapshot: Snapshot, name: str) -> Column:
    """A field as a column, read once a snapshot: ranges over values that are all different would be slow by rows."""
    if not _is_name(name):
        return Column((), np.zeros(1, dtype=np.int64), np.empty(0, dtype=np.int64))
    if name not in snapshot.columns:
        snapshot.columns[name] = _read_column(snapshot, name)
    column = snapshot.columns[name]
    assert isinstance(column, Column)  # noqa: S101 - nothing else is ever put there
    return column


def _read_column(snapshot: Snapshot, name: str) -> Column:
    prefix = value_term(name, "")
    rows: list[tuple[str, int, bytes]] = []
    for segment, offset in snapshot.segments():
        rows += snapshot.connection.execute(
            "SELECT term, ?, value FROM postings WHERE segment = ? AND term >= ? AND term < ?",
            # An open range ends with its field: the next character after the mark begins other fields' terms.
            (offset, segment, prefix, f"{MARK}{name}{chr(ord(MARK) + 1)}"),
        ).fetchall()
    rows.sort(key=itemgetter(0, 1))
    # Not cut in SQL: its functions end a text at the first NUL.
    values = [term[len(prefix) :] for term, _, _ in rows]
    if all(len(blob) == _ONE_DOCUMENT for _, _, blob in rows):
        single = np.frombuffer(
            b"".join(blob for _, _, blob in rows), dtype=[("", "u1"), ("ordinal", "<u2"), ("x", "u1")]
        )
        lists = single["ordinal"].astype(np.int64) + np.fromiter((offset for _, offset, _ in rows), np.int64, len(rows))
        return Column(values, np.arange(len(rows) + 1), lists)
    documents = [decode(blob)[0] + offset for _, offset, blob in rows]
    starts = np.concatenate([[0], np.cumsum([len(part) for part in documents], dtype=np.int64)])
    return Column(values, starts, np.concatenate([np.empty(0, dtype=np.int64), *documents]))


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
