"""Posting lists: ordinals with frequencies, or a column of every unit's frequency where a term is common."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ragspine_tui.retrieval.lexical.index import Ordinals, PostingList, Postings

_SPREAD: Final = 8
"""Merging more than one unit in so many is cheaper over flags of all units than by sorting."""


def count(one: PostingList) -> int:
    """How many units have the term."""
    return len(one[0]) if isinstance(one, tuple) else int(np.count_nonzero(one))


def size(one: PostingList) -> int:
    """Bytes held."""
    return one[0].nbytes + one[1].nbytes if isinstance(one, tuple) else one.nbytes


def sparse(one: PostingList) -> Postings:
    """The list as ordinals and frequencies."""
    if isinstance(one, tuple):
        return one
    ordinals = np.flatnonzero(one)
    return ordinals, one[ordinals].astype(np.int64)


def meet(one: PostingList, units: Ordinals) -> Postings:
    """Where among `units` (rising) those of the list are, and their frequencies."""
    if not isinstance(one, tuple):
        column = one[units]
        at = np.flatnonzero(column)
        return at, column[at].astype(np.int64)
    ordinals, frequencies = one
    if not len(units) or not len(ordinals):
        return ordinals[:0], frequencies[:0]
    if ordinals is units:
        return np.arange(len(units)), frequencies
    if len(ordinals) <= len(units):
        at = units.searchsorted(ordinals)
        at[at == len(units)] = 0
        hits = units[at] == ordinals
        return at[hits], frequencies[hits]
    at = ordinals.searchsorted(units)
    at[at == len(ordinals)] = 0
    hits = np.flatnonzero(ordinals[at] == units)
    return hits, frequencies[at[hits]]


def union(lists: Sequence[PostingList], units: int) -> Ordinals:
    """The units that some list has, rising."""
    ordinals = [one[0] for one in lists if isinstance(one, tuple)]
    columns = [one for one in lists if not isinstance(one, tuple)]
    if len(ordinals) == 1 and not columns:
        return ordinals[0]
    if not columns and _SPREAD * sum(map(len, ordinals)) < units:
        together = np.sort(np.concatenate([*ordinals, np.empty(0, dtype=np.int64)]))
        return together[run_starts(together)]
    flags = np.zeros(units, dtype=bool)
    for column in columns:
        flags |= column != 0
    for some in ordinals:
        flags[some] = True
    return np.flatnonzero(flags)


def added(lists: Sequence[PostingList], units: int) -> PostingList:
    """The lists of several terms as if they were one term: frequencies add up."""
    if len(lists) == 1:
        return lists[0]
    columns = any(not isinstance(one, tuple) for one in lists)
    if columns or _SPREAD * sum(len(one[0]) for one in lists) > units:
        total = np.zeros(units, dtype=np.uint32)
        for one in lists:
            if isinstance(one, tuple):
                total[one[0]] += one[1].astype(np.uint32)
            else:
                total += one
        return total
    ordinals = np.concatenate([one[0] for one in lists])
    order = np.argsort(ordinals, kind="stable")
    return grouped(ordinals[order], np.concatenate([one[1] for one in lists])[order])


def grouped(ordinals: Ordinals, frequencies: Ordinals) -> Postings:
    """Frequencies of equal ordinals (they do not fall) added up."""
    starts = run_starts(ordinals)
    return ordinals[starts], np.add.reduceat(frequencies, starts) if len(starts) else frequencies[:0]


def run_starts(values: Ordinals) -> Ordinals:
    """Where each run of equal values begins."""
    flags = np.ones(len(values), dtype=bool)
    np.not_equal(values[1:], values[:-1], out=flags[1:])
    return np.flatnonzero(flags)


def ranges(bounds: Ordinals, units: Ordinals) -> tuple[Ordinals, Ordinals]:
    """(everything from bounds[unit] up to bounds[unit + 1], unit after unit; how much that is for each)."""
    firsts = bounds[units]
    sizes = bounds[units + 1] - firsts
    before = np.cumsum(sizes) - sizes
    return np.repeat(firsts - before, sizes) + np.arange(int(sizes.sum())), sizes


def by_document(one: PostingList, document_of_chunk: Ordinals, first_chunk: Ordinals) -> PostingList:
    """A list of chunks as one of their documents: a document's frequency is the sum over its chunks."""
    if isinstance(one, tuple):
        return grouped(document_of_chunk[one[0]], one[1])
    running = np.zeros(len(one) + 1, dtype=np.uint32)
    np.cumsum(one, out=running[1:])
    return running[first_chunk[1:]] - running[first_chunk[:-1]]
