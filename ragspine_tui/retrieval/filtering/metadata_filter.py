"""Metadata filters: a deterministic stage before scoring that only ever narrows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from ragspine_tui.retrieval.filtering.textual import format_condition
from ragspine_tui.types import Condition, FilterStep

FilterCondition = Condition
"""`FilterCondition(field, op, value)`: one condition, validated and frozen when it is made."""

COMBINES: Final = ("and", "or")
T = TypeVar("T")
_Test = Callable[[tuple[str, ...], tuple[str, ...]], bool]

# Over a field's values and the condition's; all compare by code point, and `ne` and `nin` deny every value.
_TESTS: Final[Mapping[str, _Test]] = {
    "eq": lambda have, want: want[0] in have,
    "ne": lambda have, want: want[0] not in have,
    "in": lambda have, want: any(value in want for value in have),
    "nin": lambda have, want: not any(value in want for value in have),
    "gt": lambda have, want: any(value > want[0] for value in have),
    "gte": lambda have, want: any(value >= want[0] for value in have),
    "lt": lambda have, want: any(value < want[0] for value in have),
    "lte": lambda have, want: any(value <= want[0] for value in have),
    "between": lambda have, want: any(want[0] <= value <= want[1] for value in have),
}


@dataclass(frozen=True, slots=True)
class MetadataFilter:
    """Conditions that all (`and`) or any (`or`) must hold; without conditions everything matches.

    `besides` must all hold whatever the combine: a query's own conditions beside a filter of alternatives.

    What is tested is a mapping of field names to values, or an object that carries one as `fields`; attributes are
    never fields. A field without a value never matches, whatever the operator; None counts as ''.
    """

    conditions: tuple[Condition, ...] = ()
    combine: str = "and"
    besides: tuple[Condition, ...] = ()

    def __post_init__(self) -> None:
        if self.combine not in COMBINES:
            raise ValueError(f"unknown combine {self.combine!r}; valid: {', '.join(COMBINES)}")
        object.__setattr__(self, "conditions", tuple(self.conditions))
        object.__setattr__(self, "besides", tuple(self.besides))
        for condition in (*self.conditions, *self.besides):
            if not isinstance(condition, Condition):
                raise TypeError(f"not a condition: {condition!r}")

    def matches(self, obj: object) -> bool:
        """Whether the object's fields satisfy the filter."""
        if not self.conditions and not self.besides:
            return True
        fields = fields_of(obj)
        decide = all if self.combine == "and" or not self.conditions else any
        return decide(holds(condition, fields) for condition in self.conditions) and all(
            holds(condition, fields) for condition in self.besides
        )

    def __str__(self) -> str:
        """The filter as people write it."""
        text = f" {self.combine} ".join(map(format_condition, self.conditions))
        if self.besides and self.combine == "or" and len(self.conditions) > 1:
            text = f"({text})"
        return " and ".join([*([text] if text else []), *map(format_condition, self.besides)])

    def apply(self, objs: Iterable[T]) -> list[T]:
        """The objects that match: the same ones, in the order they came."""
        return [obj for obj in objs if self.matches(obj)]


def make_filter(triples: Iterable[Sequence[Any]], combine: str = "and") -> MetadataFilter:
    """A filter of (field, op, value) triples; ValueError as for Condition and MetadataFilter."""
    return MetadataFilter(tuple(Condition(field, op, value) for field, op, value in triples), combine)


def step_reports(metadata_filter: MetadataFilter, objs: Iterable[object]) -> tuple[FilterStep, ...]:
    """What each condition leaves: all objects first, then one step a condition in the filter's order.

    With `and` a step counts what is left after it, and how many of those before it lack its field; with `or` it
    counts what the conditions so far let in, and how many of all the objects lack its field. `besides` count as `and`.
    """
    everything = [fields_of(obj) for obj in objs]
    steps = [FilterStep(None, len(everything))]
    conditions = metadata_filter.conditions
    for taken in range(1, len(conditions) + 1):
        sofar = conditions[:taken]
        before = MetadataFilter(sofar[:-1], "and").apply(everything) if metadata_filter.combine == "and" else everything
        missing = sum(not values_of(fields, sofar[-1].field) for fields in before)
        left = len(MetadataFilter(sofar, metadata_filter.combine).apply(everything))
        steps.append(FilterStep(format_condition(sofar[-1]), left, missing))
    before = MetadataFilter(conditions, metadata_filter.combine).apply(everything)
    for condition in metadata_filter.besides:
        missing = sum(not values_of(fields, condition.field) for fields in before)
        before = MetadataFilter((condition,)).apply(before)
        steps.append(FilterStep(format_condition(condition), len(before), missing))
    return tuple(steps)


def holds(condition: Condition, fields: Mapping[str, object]) -> bool:
    """Whether one condition holds for these fields; never where its field has no value."""
    have = values_of(fields, condition.field)
    return bool(have) and _TESTS[condition.op](have, condition.values)


def fields_of(obj: object) -> Mapping[str, object]:
    """The closed mapping a filter looks at: the mapping itself, the object's `fields`, or nothing."""
    fields = obj if isinstance(obj, Mapping) else getattr(obj, "fields", None)
    return fields if isinstance(fields, Mapping) else {}


def values_of(fields: Mapping[str, object], name: str) -> tuple[str, ...]:
    """A field's values as strings: () where it is missing, ('',) where it is there with None."""
    if name not in fields:
        return ()
    value = fields[name]
    several = value if isinstance(value, (tuple, list, set, frozenset)) else (value,)
    return tuple("" if one is None else str(one) for one in several)
