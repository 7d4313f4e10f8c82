"""The terms of chunks on their way into a segment: collected as runs, kept as flat arrays of numbers."""

from array import array
from collections.abc import Iterable, Sequence
from itertools import chain, repeat
from operator import itemgetter
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

NOWHERE: Final = -1
"""The place of a term that has none."""

_PENDING: Final = 1 << 17
_TERMS, _EXACTS, _PLACES, _WIDTH = map(itemgetter, range(4))

RunTerms = tuple[Sequence[str], Sequence[str], Sequence[int], int]
"""A run's terms, unstemmed forms, each term's place in the run, and how many places the run has."""

Numbers = NDArray[np.int32]


class TermNumbers(dict[str, int]):
    """Gives every term a number, from 0 in the order they are first asked for."""

    def __missing__(self, term: str) -> int:
        number = self[term] = len(self)
        return number

    def __reduce__(self) -> tuple[Any, ...]:
        return _term_numbers, (list(self),)

    def all_of(self, terms: Iterable[str]) -> Numbers:
        """The numbers of many terms."""
        return np.fromiter(map(self.__getitem__, terms), np.int32)


def _term_numbers(terms: list[str]) -> TermNumbers:
    return TermNumbers(zip(terms, range(len(terms)), strict=True))


class Occurring(NamedTuple):
    """Occurrences one beside the other: of what term, in which unit, and where there."""

    terms: Numbers
    units: Numbers
    places: Numbers

    def moved(self, numbers: Numbers, units: int) -> "Occurring":
        """The same by other numbers of their terms, in units counted from another one."""
        return Occurring(numbers[self.terms], self.units + np.int32(units), self.places)


class Occurrences:
    """Every occurrence of a term, and of an unstemmed form, in the bodies of chunks.

    A run that comes again is the same object, as an analyzer's cache gives it: its terms are looked at once.
    """

    def __init__(self, ids: TermNumbers) -> None:
        self._ids = ids
        self._body: list[Occurring] = []
        self._exact: list[Occurring] = []
        self._chunks = 0
        self._clear()

    def _clear(self) -> None:
        self._order: list[RunTerms] = []
        self._runs = array("i")
        self._loose: list[str] = []
        self._pending = 0

    def add(self, runs: Sequence[RunTerms], loose: str, length: int) -> None:
        """The next chunk: its runs in order, the characters that are terms without a place, how many terms it has."""
        self._order += runs
        self._runs.append(len(runs))
        self._loose.append(loose)
        self._pending += length
        if self._pending > _PENDING:
            self.pack()

    def extend(self, other: "Occurrences", numbers: Numbers) -> None:
        """The chunks of another that is packed; `numbers` are those of its terms here."""
        self.pack()
        self._body += [one.moved(numbers, self._chunks) for one in other._body]
        self._exact += [one.moved(numbers, self._chunks) for one in other._exact]
        self._chunks += other._chunks

    def body(self) -> Occurring:
        """All that is in bodies, chunk by chunk."""
        self.pack()
        self._body = [_joined(self._body)]
        return self._body[0]

    def exact(self) -> Occurring:
        """All unstemmed forms, chunk by chunk; their places are not kept."""
        self.pack()
        self._exact = [_joined(self._exact)]
        return self._exact[0]

    def pack(self) -> None:
        """Runs become terms, and places in a run become places in the chunk."""
        if not len(self._runs):
            return
        known, order = _distinct(self._order)
        runs = np.asarray(self._runs, dtype=np.int64)
        chunk_of_run = np.repeat(np.arange(len(runs), dtype=np.int32), runs)
        widths = np.fromiter(map(_WIDTH, known), np.int64)[order]
        before = np.cumsum(widths) - widths
        base = before - np.append(before, 0)[np.cumsum(runs) - runs][chunk_of_run]
        sizes, at = self._spread(map(_TERMS, known), order)
        placed = Occurring(
            self._ids.all_of(chain.from_iterable(map(_TERMS, known)))[at],
            np.repeat(chunk_of_run, sizes),
            np.fromiter(chain.from_iterable(map(_PLACES, known)), np.int32)[at]
            + np.repeat(base, sizes).astype(np.int32),
        )
        sizes, at = self._spread(map(_EXACTS, known), order)
        exact = self._ids.all_of(chain.from_iterable(map(_EXACTS, known)))[at]
        nowhere = np.zeros(0, dtype=np.int32)
        self._exact.append(Occurring(exact, np.repeat(chunk_of_run, sizes) + np.int32(self._chunks), nowhere))
        body = _joined([placed, self._loose_ones()])
        self._body.append(body._replace(units=body.units + np.int32(self._chunks)))
        self._chunks += len(runs)
        self._clear()

    @staticmethod
    def _spread(parts: Iterable[Sequence[object]], order: NDArray[np.int64]) -> tuple[NDArray[np.int64], Any]:
        """How much each run in `order` has of what lies one after the other for every known run, and where it lies."""
        lengths = np.fromiter(map(len, parts), np.int64)
        sizes = lengths[order]
        first = (np.cumsum(lengths) - lengths)[order]
        at = np.repeat(first - (np.cumsum(sizes) - sizes), sizes)
        at += np.arange(len(at))
        return sizes, at

    def _loose_ones(self) -> Occurring:
        codes = np.frombuffer("".join(self._loose).encode("utf-32-le", "surrogatepass"), dtype="<u4")
        characters, which = np.unique(codes, return_inverse=True)
        terms = self._ids.all_of(map(chr, characters.tolist()))[which]
        chunks = np.repeat(np.arange(len(self._loose), dtype=np.int32), np.fromiter(map(len, self._loose), np.int64))
        return Occurring(terms, chunks, np.fromiter(repeat(NOWHERE, len(terms)), np.int32))


def _distinct(runs: Sequence[RunTerms]) -> tuple[list[RunTerms], NDArray[np.int64]]:
    """Each run once, in the order they first come, and for every run which one it is."""
    addresses = np.fromiter(map(id, runs), np.uint64, len(runs))
    _, first, which = np.unique(addresses, return_index=True, return_inverse=True)
    # By their addresses they would come in another order each time.
    order = np.argsort(first)
    numbers = np.empty(len(order), dtype=np.int64)
    numbers[order] = np.arange(len(order))
    return [runs[place] for place in first[order].tolist()], numbers[which]


def _joined(pieces: Sequence[Occurring]) -> Occurring:
    if not pieces:
        nothing = np.zeros(0, dtype=np.int32)
        return Occurring(nothing, nothing, nothing)
    return Occurring(*(np.concatenate(parts) for parts in zip(*pieces, strict=True)))


def by_number(terms: Numbers) -> NDArray[np.int64]:
    """What orders occurrences by term, those of one term as they came."""
    # Sorting numbers that hold both is several times faster than a stable sort of the terms.
    keys = terms.astype(np.int64) << 32
    keys |= np.arange(len(terms))
    keys.sort()
    keys &= 0xFFFFFFFF
    return keys
