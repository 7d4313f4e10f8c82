"""When changes have come to rest: many at once are one, and those that never end are told now and then."""

from __future__ import annotations


class Settling:
    """Names with changes; each is due `quiet` after its last change, and `longest` after its first at the latest.

    Times are numbers that never fall, of whatever clock the caller has.
    """

    def __init__(self, quiet: float, longest: float) -> None:
        self._quiet, self._longest = quiet, longest
        self._first: dict[str, float] = {}
        self._last: dict[str, float] = {}
        self._rest: dict[str, float] = {}

    def note(self, name: str, now: float) -> None:
        """Something of this name changed."""
        self._first.setdefault(name, now)
        self._last[name] = now

    def rest(self, name: str, until: float) -> None:
        """Nothing of this name is due before then, however long it waits."""
        self._rest[name] = until

    def due(self, now: float) -> tuple[str, ...]:
        """The names that are due, each told once."""
        due = [
            name
            for name, first in self._first.items()
            if now >= self._rest.get(name, now)
            and (now - self._last[name] >= self._quiet or now - first >= self._longest)
        ]
        for name in due:
            del self._first[name], self._last[name]
            self._rest.pop(name, None)
        return tuple(due)
