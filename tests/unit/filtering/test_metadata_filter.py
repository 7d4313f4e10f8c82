"""What one condition says, and what several say together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import FrozenInstanceError, dataclass
from typing import Any

import pytest

from ragspine_tui.retrieval.filtering.metadata_filter import FilterCondition, MetadataFilter, make_filter, step_reports
from ragspine_tui.types import OPERATORS, Condition, FilterStep


def says(field: str, op: str, value: Any, fields: dict[str, Any]) -> bool:
    """Whether a filter of one condition matches a document with these fields."""
    return make_filter([(field, op, value)]).matches(fields)


def value_for(op: str) -> Any:
    """A value that the operator takes."""
    return ["a", "b"] if op in ("in", "nin", "between") else "a"


@pytest.mark.parametrize(
    ("op", "value", "expected"),
    [
        ("eq", "m", [False, True, False]),
        ("ne", "m", [True, False, True]),
        ("in", ["a", "z"], [True, False, True]),
        ("nin", ["a", "z"], [False, True, False]),
        ("gt", "m", [False, False, True]),
        ("gte", "m", [False, True, True]),
        ("lt", "m", [True, False, False]),
        ("lte", "m", [True, True, False]),
        ("between", ("a", "m"), [True, True, False]),
        ("between", ("z", "a"), [False, False, False]),
    ],
)
def test_each_operator_compares_strings(op: str, value: Any, expected: list[bool]) -> None:
    assert [says("f", op, value, {"f": have}) for have in ("a", "m", "z")] == expected


def test_comparison_is_lexicographic_by_code_point() -> None:
    assert not says("n", "gt", 9, {"n": "10"})
    assert says("half", "lt", "2025H2", {"half": "2025H1"})
    assert says("w", "gt", "\uffff", {"w": "\U00010000"})
    assert not says("lang", "eq", "EN", {"lang": "en"})


@pytest.mark.parametrize("op", OPERATORS)
def test_a_missing_field_never_matches(op: str) -> None:
    assert not says("lang", op, value_for(op), {"other": "a"})
    assert not says("lang", op, value_for(op), {"lang": ()})
    assert not make_filter([("lang", op, value_for(op))], "or").matches({})


def test_a_field_that_is_there_with_none_is_the_empty_string() -> None:
    assert says("f", "eq", "", {"f": None})
    assert says("f", "eq", None, {"f": ""})
    assert says("f", "ne", "a", {"f": None})
    assert says("f", "lt", "a", {"f": (None,)})


@pytest.mark.parametrize(
    ("op", "value", "expected"),
    [
        ("eq", "b", True),
        ("eq", "c", False),
        ("in", ["b", "x"], True),
        ("ne", "b", False),
        ("ne", "c", True),
        ("nin", ["b", "x"], False),
        ("nin", ["x"], True),
        ("gt", "c", True),
        ("lt", "b", True),
        ("between", ("c", "e"), True),
        ("between", ("c", "c"), False),
    ],
)
def test_of_several_values_any_may_match_and_all_must_be_denied(op: str, value: Any, expected: bool) -> None:
    assert says("tags", op, value, {"tags": ("a", "b", "d")}) is expected


@pytest.mark.parametrize("op", ["EQ", "Eq", "==", "", "like", " eq"])
def test_an_unknown_operator_is_refused_with_the_valid_ones(op: str) -> None:
    with pytest.raises(ValueError, match="eq, ne, in, nin, gt, gte, lt, lte, between"):
        FilterCondition("f", op, "a")


@pytest.mark.parametrize("op", ["in", "nin", "between"])
@pytest.mark.parametrize("value", ["ab", b"ab", 3, None])
def test_operators_of_several_values_need_several(op: str, value: Any) -> None:
    with pytest.raises(ValueError, match="needs a sequence"):
        FilterCondition("f", op, value)


@pytest.mark.parametrize("value", [[], ["a"], ["a", "b", "c"]])
def test_between_needs_exactly_two(value: list[str]) -> None:
    with pytest.raises(ValueError, match="exactly two"):
        FilterCondition("f", "between", value)


def test_a_generator_answers_alike_for_every_document() -> None:
    def values() -> Iterator[str]:
        yield from ("a", "b")

    kept = make_filter([("f", "in", values())]).apply([{"f": "a"}, {"f": "b"}, {"f": "c"}, {"f": "a"}])
    assert kept == [{"f": "a"}, {"f": "b"}, {"f": "a"}]


def test_without_conditions_everything_matches() -> None:
    for combine in ("and", "or"):
        assert MetadataFilter((), combine).matches({})
        assert make_filter([], combine).apply([{"f": "a"}, {}]) == [{"f": "a"}, {}]


def test_and_needs_all_and_or_needs_one() -> None:
    triples = [("lang", "eq", "en"), ("year", "gte", "2009")]
    documents = [{"lang": "en", "year": "2010"}, {"lang": "en"}, {"year": "2010"}, {"lang": "de", "year": "1999"}]
    assert make_filter(triples).apply(documents) == documents[:1]
    assert make_filter(triples, "or").apply(documents) == documents[:3]


@pytest.mark.parametrize("combine", ["AND", "xor", "", "not"])
def test_conditions_combine_by_and_or_or_alone(combine: str) -> None:
    with pytest.raises(ValueError, match="valid: and, or"):
        make_filter([], combine)


def test_filters_and_conditions_are_frozen_values() -> None:
    narrowed = MetadataFilter([Condition("f", "eq", "a")])  # type: ignore[arg-type]
    assert narrowed == make_filter([("f", "eq", "a")])
    assert hash(narrowed) == hash(make_filter([("f", "eq", "a")]))
    with pytest.raises(FrozenInstanceError):
        narrowed.combine = "or"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        narrowed.conditions[0].op = "ne"  # type: ignore[misc]
    with pytest.raises(TypeError, match="not a condition"):
        MetadataFilter((("f", "eq", "a"),))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Row:
    """Something with fields and attributes."""

    fields: dict[str, tuple[str, ...]]
    title: str = "a"


def test_fields_come_from_the_mapping_and_never_from_attributes() -> None:
    row = Row({"lang": ("en",)})
    assert make_filter([("lang", "eq", "en")]).apply([row])[0] is row
    for name in ("title", "__class__", "fields", "__dict__"):
        assert not make_filter([(name, "ne", "x")]).matches(row)
        assert not make_filter([(name, "ne", "x")]).matches(object())
    assert make_filter([]).matches(object())


def test_the_steps_say_which_condition_emptied_the_result() -> None:
    documents = [{"lang": "en", "year": "2010"}, {"lang": "de", "year": "1999"}, {"lang": "en"}, {"year": "2011"}]
    assert step_reports(make_filter([("year", "gte", "2000"), ("lang", "eq", "de")]), documents) == (
        FilterStep(None, 4),
        FilterStep("year >= 2000", 2, missing_field=1),
        FilterStep("lang = de", 0, missing_field=1),
    )
    assert step_reports(make_filter([("year", "gte", "2011"), ("lang", "eq", "de")], "or"), documents) == (
        FilterStep(None, 4),
        FilterStep("year >= 2011", 1, missing_field=1),
        FilterStep("lang = de", 2, missing_field=1),
    )
    assert step_reports(MetadataFilter(), documents) == (FilterStep(None, 4),)
