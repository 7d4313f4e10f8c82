"""Posting rows from flat arrays: one entry a posting, ordered by term and unit."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from storage.encoding import Blob, encode_place_runs, encode_runs
from storage.postings import COUNTED, FIELDS, UNIT_OF_FIELD, PostingRow

Integers = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True)
class Lists:
    """Posting lists one after the other: `terms` rise, `starts` says where each one's list begins."""

    terms: Integers
    starts: NDArray[np.int64]
    ordinals: Integers
    frequencies: Integers


def lists_of(terms: Integers, ordinals: Integers, frequencies: Integers) -> Lists:
    """The lists of postings ordered by term."""
    starts = np.flatnonzero(changes(terms))
    return Lists(terms[starts], starts, ordinals, frequencies)


def places_of(terms: Integers, gaps: Integers) -> dict[int, Blob]:
    """The places of every term, from first places and gaps ordered by term."""
    starts = np.flatnonzero(changes(terms))
    return dict(zip(terms[starts].tolist(), encode_place_runs(gaps, starts), strict=True))


def posting_rows(
    ids: Mapping[str, int], lists: Mapping[str, Lists], places: Mapping[int, Blob], units: Mapping[str, int]
) -> Iterator[PostingRow]:
    """The row of every term in `ids` that has postings, ordered by term; `units` says how many there are of each kind.

    `doc_freq` adds the lengths of the `COUNTED` lists.
    """
    counts = np.zeros(len(ids), dtype=np.int64)
    present = np.zeros(len(ids), dtype=bool)
    columns: list[NDArray[np.object_]] = []
    for name in FIELDS:
        one = lists[name]
        present[one.terms] = True
        if name in COUNTED:
            counts[one.terms] += np.diff(one.starts, append=len(one.ordinals))
        blobs = encode_runs(one.ordinals, one.frequencies, one.starts, units[UNIT_OF_FIELD[name]])
        columns.append(np.full(len(ids), None, dtype=object))
        columns[-1][one.terms] = np.fromiter(blobs, object, len(one.terms))
    # The order of characters is the order of their bytes in UTF-8, by which SQLite sorts.
    terms = list(compress(ids, present[np.fromiter(ids.values(), np.int64, len(ids))].tolist()))
    terms.sort()
    order = np.fromiter(map(ids.__getitem__, terms), np.int64, len(terms))
    return zip(
        terms,
        counts[order].tolist(),
        *(column[order].tolist() for column in columns),
        map(places.get, order.tolist()),
        strict=True,
    )


def changes(values: Integers) -> NDArray[np.bool_]:
    """A flag where a value differs from the one before it, or is the first."""
    flags = np.ones(len(values), dtype=bool)
    np.not_equal(values[1:], values[:-1], out=flags[1:])
    return flags
