"""What is odd about a condition, held against the fields and values there are, and what may have been meant.

Nothing here changes a filter: comparison stays on text, and a person takes what is offered or leaves it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Final

from ragspine_tui.retrieval.filtering.completion import DATE_FIELDS, SIZE_FIELDS, completed, is_date, read_date
from ragspine_tui.retrieval.filtering.metadata_filter import holds
from ragspine_tui.retrieval.filtering.textual import format_condition
from ragspine_tui.types import Condition, FieldValues

VALUES_KNOWN: Final = 5_000
"""With as many values of a field there may be others: then no value is said to be nowhere."""

_Number = tuple[float, ...]
"""What compares as numbers do: a number by itself, or the parts of a version."""

_ORDERS: Final = ("gt", "gte", "lt", "lte", "between")
_NUMBER: Final = re.compile(r"[-+]?\d{1,30}(?:\.\d{1,30})?", re.ASCII)
_VERSION: Final = re.compile(r"v?\d{1,20}(?:\.\d{1,20}){0,9}", re.ASCII | re.IGNORECASE)
_PLAINLY_VERSION: Final = re.compile(r"v?\d{1,20}(?:\.\d{1,20}){2,9}", re.ASCII | re.IGNORECASE)
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_LISTED: Final = 20
_LETTERS: Final = 60
_OTHER_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "path": ("name",),
    "file": ("name",),
    "filename": ("name",),
    "directory": ("folder",),
    "dir": ("folder",),
    "extension": ("ext",),
    "suffix": ("ext",),
    "type": ("kind",),
    "format": ("kind",),
}

_MAIL: Final = ("eml", "mbox", "msg")
_WORD: Final = ("docx", "doc", "odt", "rtf")
_SHEETS: Final = ("xlsx", "xls", "ods", "csv", "tsv")
_SLIDES: Final = ("pptx", "ppt", "odp")
_KINDS_CALLED: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("mail", "mails", "email", "emails", "e-mail", "e-mails", "message", "outlook"), _MAIL),
    **dict.fromkeys(("word", "msword", "writer"), _WORD),
    **dict.fromkeys(("excel", "sheet", "sheets", "spreadsheet", "spreadsheets", "calc"), _SHEETS),
    **dict.fromkeys(("powerpoint", "slides", "presentation", "presentations", "impress"), _SLIDES),
    **dict.fromkeys(("book", "books", "ebook", "e-book"), ("epub",)),
    **dict.fromkeys(("web", "webpage", "htm"), ("html",)),
    **dict.fromkeys(("markdown",), ("md",)),
    **dict.fromkeys(("text", "plain", "plaintext"), ("txt",)),
    **dict.fromkeys(("source", "program", "script", "programming"), ("code",)),
    **dict.fromkeys(("jupyter", "notebook", "notebooks"), ("ipynb",)),
    **dict.fromkeys(("latex",), ("tex",)),
    **dict.fromkeys(("asciidoc",), ("adoc",)),
    **dict.fromkeys(("yml",), ("yaml",)),
    **dict.fromkeys(("acrobat",), ("pdf",)),
}
"""What people call the kinds of files."""


@dataclass(frozen=True, slots=True)
class Hint:
    """Why a condition can hardly mean what it says, in a few words, and the condition that may have been meant.

    `hopeless` says that it can match nothing as it is, rather than something else.
    """

    why: str
    better: Condition | None = None
    unknown_field: bool = False
    hopeless: bool = False

    @property
    def said(self) -> str:
        """Why, and what may have been meant."""
        return self.why + (f"; did you mean {format_condition(self.better)!r}?" if self.better else "")

    def said_of(self, condition: Condition) -> str:
        """One line: the condition, why it is odd, what may have been meant."""
        return f"{_cut(format_condition(condition))}: {self.said}"


def hint(condition: Condition, fields: Sequence[FieldValues]) -> Hint | None:
    """What is odd about a condition where the documents have these fields and values; None where nothing is."""
    known = next((one for one in fields if one.field == condition.field), None)
    if known is None and fields:
        return _unknown_field(condition, fields)
    counted = known.values if known else ()
    values = [value for value, _ in counted]
    whole = len(values) < VALUES_KNOWN
    return (
        _backwards(condition, values)
        or (_number(condition, values) if condition.field not in DATE_FIELDS | SIZE_FIELDS else None)
        or _incomplete(condition, values)
        or (_unknown_value(condition, values) if whole and values else None)
    )


def _unknown_field(condition: Condition, fields: Sequence[FieldValues]) -> Hint:
    names = [one.field for one in fields]
    name = condition.field.lower()
    others = [other for other in _OTHER_NAMES.get(name, ()) if other in names]
    near = others or get_close_matches(name, names, n=1, cutoff=0.7)
    better = replace(condition, field=near[0]) if near else None
    if better and near[0] == "name" and "folder" in names and any("/" in value for value in condition.values):
        better = None
    return Hint(f"no document has a field {_cut(condition.field)!r}", better, unknown_field=True, hopeless=True)


def _backwards(condition: Condition, values: Sequence[str]) -> Hint | None:
    if condition.op != "between":
        return None
    low, high = (completed(condition) or condition).values
    if low <= high:
        return None
    read = _reading(condition, values)
    if (first := read(low)) is not None and (second := read(high)) is not None and first <= second:
        meant = _number(condition, values)
        why = f"nothing can match: as text, {_cut(low)!r} comes after {_cut(high)!r}"
        return Hint(why, meant.better if meant else None, hopeless=True)
    swapped = replace(condition, value=condition.values[::-1])
    why = "nothing can match, as the first value comes after the second"
    return Hint(why, completed(swapped) or swapped, hopeless=True)


def _number(condition: Condition, values: Sequence[str]) -> Hint | None:
    """Where comparing as text and as numbers, or versions, give different values, those that are meant."""
    if condition.op not in _ORDERS:
        return None
    read = _reading(condition, values)
    asked = [read(value) for value in condition.values]
    if None in asked:
        return None
    numbers = {value: number for value in values if (number := read(value)) is not None}
    wanted = [number for number in asked if number is not None]
    backwards = condition.op == "between" and wanted[0] > wanted[1]
    wanted = sorted(wanted)
    meant = [value for value, number in numbers.items() if _in_order(condition.op, number, wanted)]
    as_text = [value for value in numbers if holds(condition, {condition.field: value})]
    if set(meant) == set(as_text):
        return None
    better = None
    if 0 < len(meant) <= _LISTED:
        ordered = tuple(sorted(meant, key=lambda value: numbers[value]))
        better = (
            Condition(condition.field, "in", ordered)
            if len(ordered) > 1
            else replace(condition, op="eq", value=ordered[0])
        )
    bounds = dict(zip(condition.values, (number for number in asked if number is not None), strict=True))
    why = f"values are compared as text, {_example(bounds, numbers)}"
    return Hint("the first number is the larger one" if backwards else why, better)


def _example(bounds: Mapping[str, _Number], numbers: Mapping[str, _Number]) -> str:
    for bound, asked in bounds.items():
        for value, number in numbers.items():
            if (value < bound) != (number < asked) and number != asked:
                first, last = sorted((value, bound))
                return f"so {_cut(first)} stands before {_cut(last)}"
    return "so numbers of different length do not compare"


def _in_order(op: str, number: _Number, wanted: Sequence[_Number]) -> bool:
    first = wanted[0]
    if op == "between":
        return first <= number <= wanted[1]
    return {"gt": number > first, "gte": number >= first, "lt": number < first, "lte": number <= first}[op]


def _incomplete(condition: Condition, values: Sequence[str]) -> Hint | None:
    """A date or a size in a form that is not the stored one."""
    better = completed(condition)
    if better is not None:
        # A value that is there, and all there is of its day, has been found.
        same = condition.op == "eq" and condition.value in values and _matched(better, values) == [condition.value]
        # A whole day means no more than is found, as long as nothing has a time on its last day.
        days = all(map(_DAY.fullmatch, condition.values)) and condition.op in _ORDERS
        same = same or (bool(values) and days and _matched(better, values) == _matched(condition, values))
        return None if same else Hint("values are compared as text", better)
    if condition.field not in DATE_FIELDS or all(map(is_date, condition.values)):
        return None
    if condition.op in ("eq", "in", "ne", "nin") and set(condition.values) <= set(values):
        return None
    read = [read_date(value) or value for value in condition.values]
    if not all(map(is_date, read)):
        return Hint("dates are written as 2025-01-31")
    dated = replace(condition, value=tuple(read) if isinstance(condition.value, tuple) else read[0])
    return Hint("dates are written as 2025-01-31", completed(dated) or dated)


def _matched(condition: Condition, values: Iterable[str]) -> list[str]:
    return [value for value in values if holds(condition, {condition.field: value})]


def _unknown_value(condition: Condition, values: Sequence[str]) -> Hint | None:
    """A value that no document has, spelled much like one that is there."""
    if condition.op in _ORDERS or condition.field in SIZE_FIELDS or condition.field in DATE_FIELDS:
        return None
    known = set(values)
    near = {value: _nearest(condition.field, value, values) for value in condition.values if value not in known}
    if not any(near.values()):
        return None
    read = tuple(dict.fromkeys(other for value in condition.values for other in near.get(value) or (value,)))
    missing = next(value for value, others in near.items() if others)
    op = condition.op if len(read) == 1 else {"eq": "in", "ne": "nin"}.get(condition.op, condition.op)
    better = replace(condition, op=op, value=read if op in ("in", "nin") else read[0])
    return Hint(f"no document has the value {_cut(missing)!r}", better, hopeless=True)


def _nearest(field: str, value: str, values: Sequence[str]) -> Sequence[str]:
    """The value that is the same but for case, width and spaces, else those that it names or that have it in them,
    else the one that is spelled much like it."""
    keys = {_key(one): one for one in reversed(values)}
    key = _key(value)
    if not key:
        return ()
    if key in keys:
        return (keys[key],)
    if field == "kind" and (named := [kind for kind in _KINDS_CALLED.get(key, ()) if kind in values]):
        return named
    begun = [one for one in values if key in [_key(word) for word in one.split()]]
    # One or two letters are in too many values to say anything.
    holding = [one for one in values if key in _key(one)] if len(key) > 2 or not key.isascii() else []
    for found in (begun, holding):
        if 0 < len(found) <= _LISTED:
            return found
    if found := begun or holding:
        return found[:1]
    near = get_close_matches(key, list(keys), n=1, cutoff=0.8)
    return [keys[one] for one in near]


def _key(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def _reading(condition: Condition, values: Sequence[str]) -> Callable[[str], _Number | None]:
    """How the values of a field compare where they are numbers or, some of them plainly, versions."""
    versions = any(map(_PLAINLY_VERSION.fullmatch, (*condition.values, *values)))
    return _as_version if versions else _as_number


def _as_number(value: str) -> _Number | None:
    return (float(value),) if _NUMBER.fullmatch(value) else None


def _as_version(value: str) -> _Number | None:
    return tuple(map(int, value.lstrip("vV").split("."))) if _VERSION.fullmatch(value) else None


def _cut(text: str) -> str:
    return text if len(text) <= _LETTERS else f"{text[: _LETTERS - 1]}…"
