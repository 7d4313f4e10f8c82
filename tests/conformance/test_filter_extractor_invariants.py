"""Every filter extractor: it says only what its vocabulary holds, as a filter and nothing else, and twice alike.

Any extractor runs through `check`; the doubles below break one invariant each and must fail.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.retrieval.filtering.automatic import EXTRACTOR_IMPLS, FilterExtractor, make_filter_extractor
from ragspine_tui.retrieval.filtering.metadata_filter import MetadataFilter
from ragspine_tui.specs import SEAMS
from ragspine_tui.types import Condition

VOCABULARY: Final = (
    ("revenue", "metric", "Revenue"),
    ("cost", "metric", "Cost"),
    ("香港", "region", "HK"),
    ("東京", "region", "TK"),
    ("Ann Thrift", "author", "Ann Thrift"),
)
MEMBERS: Final = frozenset((field, value) for _, field, value in VOCABULARY)
ASKING: Final = {
    "revenue": {("metric", "Revenue")},
    "COST of living": {("metric", "Cost")},
    "香港REVENUE为什么": {("metric", "Revenue"), ("region", "HK")},
    "東京 or 香港, by Ann Thrift": {("region", "HK"), ("region", "TK"), ("author", "Ann Thrift")},
    "revenue and cost": {("metric", "Revenue"), ("metric", "Cost")},
}
ASKING_NOTHING: Final = ("", " ", "prerevenue", "costs", "Ann", "大阪", "metric", "region", "<b>nothing</b>")
NAMES: Final = sorted(set(SEAMS["filter_extractor"].names) - {"none"})
Make = Callable[[Sequence[tuple[str, str, str]]], Any]


def said(extractor: FilterExtractor, query: str) -> set[tuple[str, str]]:
    """What an extractor takes from a query, as (field, value), after looking at the form of its answer."""
    found: object = extractor.extract(query)
    if found is None:
        return set()
    assert isinstance(found, MetadataFilter), "form: something else than a filter"
    assert found.conditions, "form: a filter without a condition"
    assert found.combine == "and", "form: a condition that widens"
    assert all(one.op == ("eq" if len(one.values) == 1 else "in") for one in found.conditions), "form: another operator"
    fields = [one.field for one in found.conditions]
    assert len(set(fields)) == len(fields), "form: conditions that no document meets together"
    assert all(len(set(one.values)) == len(one.values) for one in found.conditions), "form: a value twice"
    return {(one.field, value) for one in found.conditions for value in one.values}


def check(make: Make) -> None:
    """Fails unless what is extracted is in the vocabulary and the query, is all of that, and stays so."""
    extractor = make(VOCABULARY)
    for query, expected in ASKING.items():
        found = said(extractor, query)
        assert found <= MEMBERS, "closed: a value that is not in the vocabulary"
        assert found == expected, "meaning: not what the query says"
    for query in ASKING_NOTHING:
        assert said(extractor, query) == set(), "meaning: a query that asks for nothing"
    for query in (*ASKING, *ASKING_NOTHING):
        answers = [extractor.extract(query), extractor.extract(query), make(VOCABULARY).extract(query)]
        assert answers[0] == answers[1] == answers[2], "determinism: another answer"
    assert make(()).extract("revenue 香港") is None, "closed: a value without a vocabulary"


def made_by(name: str) -> Make:
    """The app's own way to make an extractor."""
    return lambda vocabulary: make_filter_extractor(name, vocabulary)


@pytest.mark.parametrize("name", NAMES)
def test_every_extractor_says_what_its_vocabulary_holds_and_nothing_else(name: str) -> None:
    check(made_by(name))


def test_what_settings_allow_is_what_there_is() -> None:
    assert sorted(EXTRACTOR_IMPLS) == NAMES
    assert make_filter_extractor("none", VOCABULARY) is None


@pytest.mark.parametrize("name", NAMES)
@given(query=st.text(max_size=40) | st.lists(st.sampled_from([term for term, _, _ in VOCABULARY])).map(" ".join))
def test_no_query_makes_an_extractor_say_more(name: str, query: str) -> None:
    extractor = made_by(name)(VOCABULARY)
    assert said(extractor, query) <= MEMBERS
    assert extractor.extract(query) == extractor.extract(query)


class Double:
    """An honest extractor, for the doubles to spoil."""

    def __init__(self, vocabulary: Sequence[tuple[str, str, str]]) -> None:
        extractor = make_filter_extractor("keyword", vocabulary)
        assert extractor is not None
        self.honest = extractor

    def conditions(self, query: str) -> tuple[Condition, ...]:
        """What the honest one found."""
        found = self.honest.extract(query)
        return found.conditions if found else ()

    def extract(self, query: str) -> Any:
        """The honest answer."""
        return self.honest.extract(query)


class Inventing(Double):
    """Takes a word for a value that nobody has."""

    def extract(self, query: str) -> Any:
        """One condition too many."""
        extra = (Condition("topic", "eq", query),) if query.strip() else ()
        return MetadataFilter((*self.conditions(query), *extra)) if (*self.conditions(query), *extra) else None


class Speaking(Double):
    """Writes text for the reader."""

    def extract(self, query: str) -> Any:
        """A sentence."""
        return f"I looked for {query}"


class Contradicting(Double):
    """Gives each value a condition of its own."""

    def extract(self, query: str) -> Any:
        """Conditions of which a document can meet one."""
        parts = [Condition(one.field, "eq", value) for one in self.conditions(query) for value in one.values]
        return MetadataFilter(tuple(parts)) if parts else None


class Widening(Double):
    """Lets one condition be enough."""

    def extract(self, query: str) -> Any:
        """Any of the conditions."""
        return MetadataFilter(self.conditions(query), "or") if self.conditions(query) else None


class Denying(Double):
    """Asks for everything else."""

    def extract(self, query: str) -> Any:
        """The opposite."""
        parts = tuple(Condition(one.field, "nin", one.values) for one in self.conditions(query))
        return MetadataFilter(parts) if parts else None


class Forgetting(Double):
    """Leaves out the last condition."""

    def extract(self, query: str) -> Any:
        """Less than the query says."""
        return MetadataFilter(self.conditions(query)[:-1]) if self.conditions(query)[:-1] else None


class Wavering(Double):
    """Answers otherwise every second time."""

    calls = count()

    def extract(self, query: str) -> Any:
        """The conditions, or the same the other way round."""
        step = 1 if next(self.calls) % 2 else -1
        return MetadataFilter(self.conditions(query)[::step]) if self.conditions(query) else None


@pytest.mark.parametrize(
    ("double", "why"),
    [
        (Inventing, "closed"),
        (Speaking, "form"),
        (Contradicting, "form"),
        (Widening, "form"),
        (Denying, "form"),
        (Forgetting, "meaning"),
        (Wavering, "determinism"),
    ],
)
def test_an_extractor_that_breaks_an_invariant_fails(double: Make, why: str) -> None:
    check(Double)
    with pytest.raises(AssertionError, match=why):
        check(double)
