"""What a name, a sign and a value in a query ask of a field."""

from __future__ import annotations

import re
from typing import Final

from ragspine_tui.retrieval.filtering.completion import folded_condition
from ragspine_tui.types import Condition

_RANGE: Final = re.compile(r"(?P<low>.+?)(?:\.\.\.?|[…‥]|．．)(?P<high>[^.…‥．].*)", re.DOTALL)
# Only of numbers and dates: other values may well begin or end with dots.
_OPEN_RANGE: Final = re.compile(r"(?:\.\.|‥|．．)(?P<high>\d.*)|(?P<low>\d.*?)(?:\.\.|‥|．．)", re.DOTALL)
_OPERATORS: Final = {":": "eq", "!=": "ne", ">": "gt", ">=": "gte", "<": "lt", "<=": "lte"}


def condition_of(name: str, op: str, value: str, *, quoted: bool) -> Condition:
    """The condition that `name op value` spells: a value in quotes is itself, a bare one may be a range."""
    spelled = _OPERATORS[op]
    if quoted:
        return Condition(name, spelled, value)
    if op == ":" and (between := _RANGE.fullmatch(value)):
        return folded_condition(Condition(name, "between", (between["low"], between["high"])))
    if op == ":" and (open_range := _OPEN_RANGE.fullmatch(value)):
        low, high = open_range["low"], open_range["high"]
        return folded_condition(Condition(name, "gte", low) if low else Condition(name, "lte", high))
    return folded_condition(Condition(name, spelled, value))
