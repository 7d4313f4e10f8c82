"""Metadata filters over the index's value terms."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ragspine_tui.types import Condition
from storage.encoding import decode
from storage.snapshot import Snapshot
from storage.terms import MARK, presence_term, value_term

Flags = NDArray[np.bool_]
"""A flag for each document of a snapshot."""

_BATCH: Final = 900
"""As many terms are looked up in one statement: SQLite takes a bounded number, 999 where it is old."""


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


def _matching(snapshot: Snapshot, condition: Condition, present: Flags) -> Flags:
    name, values = condition.field, condition.values
    if condition.op in ("eq", "in"):
        return _with_values(snapshot, name, values)
    if condition.op in ("ne", "nin"):
        return present & ~_with_values(snapshot, name, values)
    return _in_range(snapshot, condition)


def _in_range(snapshot: Snapshot, condition: Condition) -> Flags:
    """The live documents that have a value from the first to the last of the condition's, as its operator says."""
    flags = np.zeros(len(snapshot.documents), dtype=np.bool_)
    if not _is_name(condition.field):
        return flags
    # Half of a surrogate pair is no value, but it has a place in the order of code points.
    low, high = (condition.values[end].encode("utf-8", "surrogatepass") for end in (0, -1))
    for segment, offset in snapshot.segments():
        column = snapshot.column(segment, condition.field)
        first, last = 0, len(column)
        if condition.op in ("gt", "gte", "between"):
            first = column.up_to(low) if condition.op == "gt" else column.below(low)
        if condition.op in ("lt", "lte", "between"):
            last = column.below(high) if condition.op == "lt" else column.up_to(high)
        if first < last:
            flags[offset:][column.ordinals[column.starts[first] : column.starts[last]]] = True
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
