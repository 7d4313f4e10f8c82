"""What is odd about a condition when it is held against the fields and values that there are."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

from ragspine_tui.printable import one_line
from ragspine_tui.types import Condition, FieldValues

_NEAR: Final = 0.7
# So many values of a field are asked for: where there are as many, others may be there as well.
_VALUES_KNOWN: Final = 50


def doubt(condition: Condition, fields: Sequence[FieldValues]) -> str:
    """Why a condition can hardly match: a field no document has, a value that is there spelled otherwise."""
    if not fields:
        return ""
    known = next((one for one in fields if one.field == condition.field), None)
    if known is None:
        near = _nearest(condition.field, [one.field for one in fields])
        return f"no document has a field {one_line(condition.field)}" + _meant(near)
    if condition.op not in ("eq", "in") or len(known.values) >= _VALUES_KNOWN:
        return ""
    values = [value for value, _ in known.values]
    for value in condition.values:
        if value not in values and (near := _nearest(value, values)):
            return f"no document has {one_line(value)} there" + _meant(near)
    return ""


def _nearest(text: str, known: Sequence[str]) -> str:
    folded = {one.casefold(): one for one in reversed(known)}
    near = get_close_matches(text.casefold(), folded, n=1, cutoff=_NEAR)
    return folded[near[0]] if near else ""


def _meant(near: str) -> str:
    return f"; did you mean {one_line(near)}?" if near else ""
