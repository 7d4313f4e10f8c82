"""A bounded memory of arrays: what was used last stays."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TypeVar

Value = TypeVar("Value")


class Memo:
    """Values by key, of at most `limit` bytes together; the ones used longest ago leave first."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held = 0
        self._values: OrderedDict[Hashable, tuple[object, int]] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], tuple[Value, int]]) -> Value:
        """The value under `key`, made at need: `make` says how many bytes it holds, too."""
        known = self._values.get(key)
        if known is not None:
            self._values.move_to_end(key)
            return known[0]  # type: ignore[return-value]
        value, size = make()
        self._values[key] = (value, size)
        self._held += size
        while self._held > self._limit and self._values:
            self._held -= self._values.popitem(last=False)[1][1]
        return value
