"""The words that begin with given characters, the most frequent ones, without reading all that begin so.

Each segment lists apart its frequent terms, a small share. What a term has elsewhere is less than FREQUENT a segment:
so the lists bound every term's frequency, and only those that can be among the best are looked at closely.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from heapq import heappush, heapreplace

from storage.postings import FREQUENT


class Expander:
    """`sizes` gives each segment's number of chunks, `live` how often a term still occurs (None: nowhere)."""

    def __init__(
        self, connection: sqlite3.Connection, sizes: Mapping[int, int], live: Callable[[str], int | None]
    ) -> None:
        self._connection = connection
        self._sizes = sizes
        self._live = live

    def best(self, prefix: str, limit: int) -> list[str]:
        """At most `limit` terms, most frequent first, then by the term itself."""
        if limit <= 0:
            return []
        return self._chosen(*self._frequent(prefix), limit) or self._chosen(self._every(prefix), 0, limit) or []

    def _frequent(self, prefix: str) -> tuple[dict[str, int], int]:
        """The most each term can have that is frequent somewhere, and the most any other can have."""
        rest = {segment: min(FREQUENT - 1, 2 * chunks) for segment, chunks in self._sizes.items()}
        unlisted = sum(rest.values())
        bounds: dict[str, int] = {}
        for segment, term, doc_freq in self._rows("frequent", prefix):
            bounds[term] = bounds.get(term, unlisted) + doc_freq - rest[segment]
        return bounds, unlisted

    def _every(self, prefix: str) -> dict[str, int]:
        bounds: dict[str, int] = {}
        for _, term, doc_freq in self._rows("postings", prefix):
            bounds[term] = bounds.get(term, 0) + doc_freq
        return bounds

    def _rows(self, table: str, prefix: str) -> Iterator[tuple[int, str, int]]:
        end = prefix + "\U0010ffff"
        for segment in self._sizes:
            yield from self._connection.execute(
                f"SELECT segment, term, doc_freq FROM {table} WHERE segment = ? AND term >= ? AND term < ?",
                (segment, prefix, end),
            )

    def _chosen(self, bounds: Mapping[str, int], unlisted: int, limit: int) -> list[str] | None:
        """The best of the terms in `bounds`, or None where one that is not in there could be among them."""
        best: list[tuple[int, _Reversed]] = []
        for term in sorted(bounds, key=lambda term: (-bounds[term], term)):
            if len(best) == limit and bounds[term] < best[0][0]:
                break
            count = self._live(term)
            if count is None:
                continue
            entry = (count, _Reversed(term))
            if len(best) < limit:
                heappush(best, entry)
            elif entry > best[0]:
                heapreplace(best, entry)
        if unlisted and (len(best) < limit or best[0][0] <= unlisted):
            return None
        return [entry[1].term for entry in sorted(best, reverse=True)]


class _Reversed:
    """A term that is greater where it comes earlier."""

    __slots__ = ("term",)

    def __init__(self, term: str) -> None:
        self.term = term

    def __lt__(self, other: "_Reversed") -> bool:
        return self.term > other.term

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Reversed) and self.term == other.term

    def __hash__(self) -> int:
        return hash(self.term)
