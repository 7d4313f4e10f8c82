"""The score is what the terms gave: a passage's own part, and its share of what its document's names and text gave."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given

from ragspine_tui.retrieval.lexical.gains import Weights
from ragspine_tui.retrieval.lexical.retriever import LexicalRetriever
from ragspine_tui.retrieval.lexical.statistics import Statistics
from ragspine_tui.types import Document, TermScore
from tests.unit.chunking.documents import blocked
from tests.unit.retrieval.reference import LAW, QUERIES, MemoryLibrary, Place, libraries_of_documents, memory_library

OWN = ("body", "exact", "heading")


@dataclass(frozen=True)
class Explained:
    """A hit's score, what its own words gave it, what it has of its document's part, and its share of that."""

    score: float
    own: float
    lift: float
    share: float


def explained(library: MemoryLibrary, query: str) -> dict[Place, Explained]:
    """Every hit of a query, accounted for."""
    matches = library.retriever.match(query)
    found = library.everything(query)
    accounts = [library.retriever.explain(matches, one, matches.statistics) for one in found]
    parts = [
        Explained(one.score, part(account.terms, True), part(account.terms, False), account.share)
        for one, account in zip(found, accounts, strict=True)
    ]
    return dict(zip(library.places(found), parts, strict=True))


def part(rows: tuple[TermScore, ...], own: bool) -> float:
    """The sum of the terms' scores in the passage's own fields, or in its document's."""
    return sum(row.score for row in rows if (row.field in OWN) is own)


@LAW
@given(libraries_of_documents(), QUERIES)
def test_the_terms_add_up_to_the_score(documents: list[Document], query: str) -> None:
    for one in explained(memory_library(documents), query).values():
        assert one.own + one.lift == pytest.approx(one.score, abs=1e-9, rel=0)


@LAW
@given(libraries_of_documents(), QUERIES)
def test_the_share_is_the_own_part_beside_the_best_one_of_the_document(documents: list[Document], query: str) -> None:
    found = explained(memory_library(documents), query)
    best: dict[str, float] = {}
    for (path, _), one in found.items():
        best[path] = max(best.get(path, 0.0), one.own)
    for (path, index), one in found.items():
        assert one.share == pytest.approx(one.own / best[path] if one.own else 1.0)
        assert one.own or index == 1


@LAW
@given(libraries_of_documents(), QUERIES)
def test_each_part_is_positive_and_its_frequencies_are_real(documents: list[Document], query: str) -> None:
    library = memory_library(documents)
    matches = library.retriever.match(query)
    for one in library.everything(query):
        rows = library.retriever.explain(matches, one, matches.statistics).terms
        assert rows
        assert all(row.score > 0 and row.idf > 0 and row.tf > 0 and row.df > 0 for row in rows)
        units = matches.statistics.units
        assert all(row.df <= units["body" if row.field == "exact" else row.field] for row in rows)


def test_a_document_s_best_passage_carries_its_whole_weight_and_a_stray_word_does_not() -> None:
    good = blocked("# Herons", "heron heron heron", "# Other", "weir " * 70 + "heron", name="good.md")
    found = explained(memory_library([good, blocked("weir", name="other.md")]), "heron")
    best, stray = (found[place] for place in sorted(place for place in found if place[0] == "good.md"))
    assert best.share == 1
    assert stray.share < 0.8
    assert stray.lift == pytest.approx(best.lift * stray.share)


def test_a_document_that_only_its_name_matches_is_there_with_its_first_passage() -> None:
    named = blocked("# One", "nothing of the kind", "# Two", "nor here", name="heron.md")
    found = explained(memory_library([named, blocked("a heron", name="a.md")]), "heron")
    assert set(found) == {("heron.md", 1), ("a.md", 1)}
    assert found["heron.md", 1].own == 0


def test_a_field_without_weight_gives_nothing() -> None:
    library = memory_library([blocked("weir", name="heron.md"), blocked("heron", name="b.md")])
    plain = LexicalRetriever("lib", library.index, library.analyzer, lambda _: np.ones(2, np.bool_), Weights(name=0))
    assert library.places(plain.retrieve("heron")) == [("b.md", 1)]


def test_statistics_of_no_units_are_still_statistics() -> None:
    library = memory_library([])
    matches = library.retriever.match("heron")
    assert library.everything("heron") == ()
    assert isinstance(matches.statistics + matches.statistics, Statistics)
