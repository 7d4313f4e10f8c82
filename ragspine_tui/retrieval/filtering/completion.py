"""The stored forms of dates and sizes, and what a value that would mislead was meant to be.

Comparison is on strings, so `date <= 2025-01` leaves January out and `size > 9` is nearly everything. Nothing here
changes a filter: the doors offer the completed condition, and a person takes it.
"""

from __future__ import annotations

import calendar
import re
from dataclasses import replace
from typing import Final

from ragspine_tui.types import Condition

DATE_FIELDS: Final = frozenset({"modified", "created", "date"})
"""Built-in fields stored as ISO 8601 in UTC: `2025-01-15T09:30:00Z`."""

SIZE_FIELDS: Final = frozenset({"size"})
"""Built-in fields stored as bytes, zero-padded to SIZE_DIGITS."""

SIZE_DIGITS: Final = 12

_DATE: Final = re.compile(
    r"(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2})(?:[T ](\d{1,2})(?::(\d{2})(?::(\d{2}))?)?Z?)?)?)?", re.ASCII
)
_DAY_FIRST: Final = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})", re.ASCII)
_SIZE: Final = re.compile(r"(\d{1,12}(?:\.\d{1,3})?)\s*([kmgt]?)(?:i?b)?", re.ASCII | re.IGNORECASE)
_STORED_SIZE: Final = re.compile(rf"\d{{{SIZE_DIGITS}}}", re.ASCII)
_WIDE: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_DIGITS: Final = re.compile(r"[-+]?\d[\d.,:/TZ+-]*[kmgtib]*", re.ASCII | re.IGNORECASE)
_NUMERIC: Final = DATE_FIELDS | SIZE_FIELDS | {"year"}
_UNITS: Final = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def completed(condition: Condition) -> Condition | None:
    """What a condition on a date or a size was meant to say, None where it already says it or nothing is known."""
    better: Condition | None = None
    if condition.field in SIZE_FIELDS:
        better = _completed_size(condition)
    elif condition.field in DATE_FIELDS:
        better = _completed_date(condition)
    return None if better == condition else better


def folded_condition(condition: Condition) -> Condition:
    """The condition with full-width digits and signs as the plain ones, where its values are dates or numbers."""
    if condition.op not in ("gt", "gte", "lt", "lte", "between") and condition.field not in _NUMERIC:
        return condition
    values = tuple(map(_folded, condition.values))
    return replace(condition, value=values if isinstance(condition.value, tuple) else values[0])


def _folded(value: str) -> str:
    plain = value.translate(_WIDE)
    return plain if _DIGITS.fullmatch(plain) else value


def stored_size(size: int) -> str:
    """A number of bytes in the form whose lexicographic order is the order of the numbers."""
    return f"{size:0{SIZE_DIGITS}d}"


def shown_value(field: str, value: str) -> str:
    """A stored value as people read it: sizes without their leading zeros, everything else as it is."""
    return str(int(value)) if field in SIZE_FIELDS and _STORED_SIZE.fullmatch(value) else value


def is_date(value: str) -> bool:
    """Whether a value is a real date, or the beginning of one, in a form that `completed` knows."""
    return _period(value) is not None


def read_date(value: str) -> str:
    """The date that a person wrote day first or year first with signs, as ISO 8601; '' where it could be two dates."""
    match = _DAY_FIRST.fullmatch(value.strip())
    if match is None:
        return ""
    first, second, year = map(int, match.groups())
    found = {(day, month) for day, month in ((first, second), (second, first)) if _real([year, month, day])}
    if len(found) != 1:
        return ""
    day, month = found.pop()
    return _iso([year, month, day])


def _completed_size(condition: Condition) -> Condition | None:
    values = [_size(value) for value in condition.values]
    known = tuple(value for value in values if value is not None)
    if len(known) != len(values) or not known:
        return None
    return Condition(condition.field, condition.op, known if isinstance(condition.value, tuple) else known[0])


def _size(value: str) -> str | None:
    if _STORED_SIZE.fullmatch(value):
        return value
    match = _SIZE.fullmatch(value.strip())
    if match is None:
        return None
    size = stored_size(round(float(match[1]) * _UNITS[match[2].lower()]))
    return size if len(size) == SIZE_DIGITS else None


def _completed_date(condition: Condition) -> Condition | None:
    periods = [_period(value) for value in condition.values]
    known = [period for period in periods if period is not None]
    if len(known) != len(periods) or not known:
        return None
    field, op, (first, last) = condition.field, condition.op, known[0]
    if op in ("gte", "lt"):
        return Condition(field, op, first)
    if op in ("gt", "lte"):
        return Condition(field, op, last)
    if op == "between":
        return Condition(field, op, (first, known[1][1]))
    # Equality with a day means any moment of that day; of `ne`, `in` and `nin` no single condition says the same.
    return Condition(field, "between", (first, last)) if op == "eq" and first != last else None


def _period(value: str) -> tuple[str, str] | None:
    """The first value with this date's prefix, and the last moment of its year, month, day, hour or minute."""
    match = _DATE.fullmatch(value.strip())
    if match is None:
        return None
    texts = [text for text in match.groups() if text is not None]
    numbers = [int(text) for text in texts]
    if not _real(numbers):
        return None
    year, month = numbers[0], numbers[1] if len(numbers) > 1 else 12
    last_day = calendar.monthrange(year, month)[1]
    last = numbers + [year, 12, last_day, 23, 59, 59][len(numbers) :]
    first = f"{_iso(numbers)}Z" if len(numbers) == 6 else _iso(numbers)
    return first, f"{_iso(last)}Z"


def _real(numbers: list[int]) -> bool:
    """Whether year, month, day, hour, minute and second, as far as given, are on the calendar and the clock."""
    lows, highs = (1, 1, 1, 0, 0, 0), [9999, 12, 31, 23, 59, 59]
    if not all(low <= number <= high for low, number, high in zip(lows, numbers, highs, strict=False)):
        return False
    return len(numbers) < 3 or numbers[2] <= calendar.monthrange(numbers[0], numbers[1])[1]


def _iso(numbers: list[int]) -> str:
    marks = ("", "-", "-", "T", ":", ":")
    widths = (4, 2, 2, 2, 2, 2)
    return "".join(f"{mark}{n:0{width}d}" for mark, n, width in zip(marks, numbers, widths, strict=False))
