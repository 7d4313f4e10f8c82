"""Every operator and both ways to combine: a filter narrows, keeps the order, and answers alike each time.

Any implementation with `apply` runs through `check`; the doubles below break one invariant each and must fail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, count, product
from pathlib import Path
from typing import Any, Protocol

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.retrieval.filtering.metadata_filter import COMBINES, MetadataFilter, holds, step_reports
from ragspine_tui.types import OPERATORS, Condition
from storage.store import Store
from tests.unit.storage.test_store import LIBRARY, entry

VALUES = ["", "2024", "2025-01", "2025-01-15T09:30:00Z", "9", "10", "en", "日本", "\U0001f600", "\uffff"]
NAMES = ["lang", "year", "tags", "__class__"]


class Item:
    """A thing with fields, told from its equals by identity alone."""

    def __init__(self, fields: dict[str, tuple[str, ...] | None]) -> None:
        self.fields = fields


class Filtering(Protocol):
    """What every implementation offers."""

    def apply(self, objs: Iterable[Item]) -> list[Item]:
        """The items that match."""
        ...


def check(subject: Filtering, items: Sequence[Item]) -> None:
    """Fails unless the subject narrows, keeps the order, gives the same objects, and does so twice."""
    kept = subject.apply(items)
    places = {id(item): place for place, item in enumerate(items)}
    assert all(id(item) in places for item in kept), "a filter brought in what it was not given"
    order = [places[id(item)] for item in kept]
    assert order == sorted(set(order)), "a filter changed the order or gave an item twice"
    assert [id(item) for item in subject.apply(items)] == [id(item) for item in kept], "a filter changed its mind"
    assert [id(item) for item in subject.apply(kept)] == [id(item) for item in kept], "what was kept does not match"


def condition_of(op: str) -> st.SearchStrategy[Condition]:
    """Conditions with one operator."""
    one: st.SearchStrategy[Any] = st.sampled_from(VALUES)
    if op in ("in", "nin"):
        one = st.lists(one, max_size=3)
    elif op == "between":
        one = st.tuples(one, one)
    return st.builds(Condition, st.sampled_from(NAMES), st.just(op), one)


FIELDS = st.dictionaries(
    st.sampled_from(NAMES[:3]), st.none() | st.lists(st.sampled_from(VALUES), max_size=3).map(tuple), max_size=3
)
ITEMS = st.lists(st.builds(Item, FIELDS), max_size=12)


@pytest.mark.parametrize("combine", COMBINES)
@pytest.mark.parametrize("op", OPERATORS)
@given(data=st.data())
def test_every_operator_narrows_keeps_the_order_and_answers_alike(op: str, combine: str, data: st.DataObject) -> None:
    others = data.draw(st.lists(st.sampled_from(OPERATORS).flatmap(condition_of), max_size=2))
    conditions = (data.draw(condition_of(op)), *others)
    items = data.draw(ITEMS)
    subject = MetadataFilter(conditions, combine)
    check(subject, items)
    decide = all if combine == "and" else any
    expected = [item for item in items if decide(holds(condition, item.fields) for condition in conditions)]
    assert subject.apply(items) == expected
    assert MetadataFilter((), combine).apply(items) == items


@pytest.mark.parametrize("op", OPERATORS)
@given(data=st.data())
def test_a_missing_field_matches_no_operator(op: str, data: st.DataObject) -> None:
    condition = data.draw(condition_of(op))
    items = data.draw(ITEMS)
    kept = MetadataFilter((condition,)).apply(items)
    assert all(item.fields.get(condition.field, ()) != () for item in kept)


@given(st.sampled_from(OPERATORS).flatmap(condition_of), st.sampled_from(OPERATORS).flatmap(condition_of), ITEMS)
def test_another_condition_narrows_and_and_widens_or(one: Condition, other: Condition, items: list[Item]) -> None:
    alone = MetadataFilter((one,)).apply(items)
    both, either = (MetadataFilter((one, other), combine).apply(items) for combine in COMBINES)
    assert [item for item in alone if item in both] == both
    assert [item for item in either if item in alone] == alone


def about(*values: str, field: str = "lang") -> dict[str, tuple[str, ...]]:
    """A document's fields: one, with these values."""
    return {field: values}


KEPT = [
    *({**about(value), **about(value, field="year")} for value in VALUES),
    *(about(*pair) for pair in combinations(VALUES[:5], 2)),
    about(),
    about("en", field="lang-x"),
    about("g", field="lan"),
    {},
]
"""Every value alone, some two by two, and fields that are missing or nearly called so."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """The documents of KEPT in a real index, between others that have been taken out again."""
    opened = Store(tmp_path_factory.mktemp("filters") / "ragspine.db")
    opened.add_library(LIBRARY)
    gone = [entry(f"gone{number}.md", {"lang": (value,)}) for number, value in enumerate(VALUES)]
    opened.replace_documents("lib", gone[:5])
    opened.replace_documents("lib", [entry(f"{number:02}.md", fields) for number, fields in enumerate(KEPT)])
    opened.replace_documents("lib", gone[5:])
    opened.remove_documents("lib", [one.source.path for one in gone])
    yield opened
    opened.close()


def conditions_of(op: str) -> list[Condition]:
    """Every condition an operator can make of the values, about `lang`."""
    if op == "between":
        return [Condition("lang", op, pair) for pair in product(VALUES, repeat=2)]
    if op in ("in", "nin"):
        return [Condition("lang", op, some) for size in (0, 1, 2) for some in combinations(VALUES, size)]
    return [Condition("lang", op, value) for value in (*VALUES, "no such value", "a", "zz")]


@pytest.mark.parametrize("combine", COMBINES)
@pytest.mark.parametrize("op", OPERATORS)
def test_the_index_answers_every_condition_as_python_does(store: Store, op: str, combine: str) -> None:
    ids = {one.document_id: int(Path(path).stem) for path, one in store.known_documents("lib").items()}
    documents = store.snapshot("lib").documents
    found = 0
    for condition in conditions_of(op):
        subject = MetadataFilter((Condition("year", "ne", "10"), condition), combine)
        narrowed = store.narrow("lib", subject.conditions, combine)
        kept = sorted(ids[document] for document in documents[narrowed.documents].tolist())
        assert kept == [number for number, fields in enumerate(KEPT) if subject.matches(fields)], condition
        assert [(narrowed.total, 0), *narrowed.steps] == [
            (step.documents, step.missing_field) for step in step_reports(subject, KEPT)
        ]
        found += len(kept)
    assert found > 5, "nothing was found: this proves nothing"


MANY = ["", "9", "a", "a\0", "a\0b", "\ud7ff", "\ue000", "\uffff", "\U00010000", *(f"{n:012}" for n in range(291))]
"""More values than are looked up row by row, with some that sort otherwise by byte, by UTF-16 or up to a NUL."""


def many_values(number: int) -> dict[str, tuple[str, ...]]:
    """The fields of a document: a value of its own and sometimes a second."""
    return about(MANY[number], *([MANY[number // 2]] if number % 7 == 0 else []), field="own")


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Documents of as many values, in a segment with others that have been taken out, and some again in a small one."""
    opened = Store(tmp_path_factory.mktemp("many") / "ragspine.db")
    opened.add_library(LIBRARY)
    numbers = range(len(MANY))
    gone = [entry(f"gone{number}.md", many_values(number)) for number in numbers[::9]]
    opened.replace_documents("lib", [*gone, *(entry(f"{number}.md", many_values(number)) for number in numbers[:-20])])
    opened.replace_documents("lib", [entry(f"{number}.md", many_values(number)) for number in numbers[-20:]])
    opened.remove_documents("lib", [one.source.path for one in gone])
    yield opened
    opened.close()


@pytest.mark.parametrize("op", ["gt", "gte", "lt", "lte", "between"])
def test_ranges_over_many_values_are_answered_as_python_does(many: Store, op: str) -> None:
    ids = {one.document_id: int(Path(path).stem) for path, one in many.known_documents("lib").items()}
    documents = many.snapshot("lib").documents
    bounds = [*MANY[:9], *MANY[9::48], "\ud800", "\udfff", "a\0\1", "000000000017x", "\U0010ffff"]
    values: list[Any] = list(product(bounds, repeat=2)) if op == "between" else bounds
    for value in values:
        subject = MetadataFilter((Condition("own", op, value),))
        narrowed = many.narrow("lib", subject.conditions, "and")
        kept = sorted(ids[document] for document in documents[narrowed.documents].tolist())
        assert kept == [number for number in range(len(MANY)) if subject.matches(many_values(number))], value


def test_the_fields_of_the_index_count_what_is_there_and_nothing_that_was_taken_out(store: Store) -> None:
    expected: dict[str, Counter[str]] = {}
    for fields in KEPT:
        for name, values in fields.items():
            expected.setdefault(name, Counter()).update(values)
    found = {one.field: dict(one.values) for one in store.field_values(["lib"], 1_000)}
    assert found == {name: dict(counts) for name, counts in expected.items()}


ONE = MetadataFilter((Condition("lang", "eq", "en"),))
COLLECTION = [Item({"lang": (lang,)}) for lang in ("en", "ja", "en", "de", "en")]


class Widening:
    """Brings in an item that it was not given."""

    def apply(self, objs: Iterable[Item]) -> list[Item]:
        """The items that match, and one more."""
        return [*ONE.apply(objs), Item({"lang": ("en",)})]


class Reordering:
    """Turns the order round."""

    def apply(self, objs: Iterable[Item]) -> list[Item]:
        """The items that match, last first."""
        return ONE.apply(objs)[::-1]


class Repeating:
    """Gives an item twice."""

    def apply(self, objs: Iterable[Item]) -> list[Item]:
        """The items that match, each twice."""
        return [item for item in ONE.apply(objs) for _ in range(2)]


class Wavering:
    """Answers otherwise every second time."""

    def __init__(self) -> None:
        self.calls = count()

    def apply(self, objs: Iterable[Item]) -> list[Item]:
        """The items that match, or all but the first of them."""
        return ONE.apply(objs)[next(self.calls) % 2 :]


class Copying:
    """Gives copies for the objects themselves."""

    def apply(self, objs: Iterable[Item]) -> list[Item]:
        """Equal items that are not the same."""
        return [Item(dict(item.fields)) for item in ONE.apply(objs)]


def test_the_real_filter_passes_where_the_doubles_fail() -> None:
    check(ONE, COLLECTION)


@pytest.mark.parametrize("double", [Widening(), Reordering(), Repeating(), Wavering(), Copying()])
def test_a_filter_that_breaks_an_invariant_fails(double: Filtering) -> None:
    with pytest.raises(AssertionError, match="a filter"):
        check(double, COLLECTION)
