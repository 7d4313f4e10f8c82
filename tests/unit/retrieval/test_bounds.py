"""Bounds choose what is scored, never what is found: the best hits and their scores are those of scoring everything."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.retrieval.lexical.bounds import Bounds
from ragspine_tui.retrieval.lexical.gains import WEIGHTS, Gains
from ragspine_tui.retrieval.lexical.scorer import Run, Scorer, top
from ragspine_tui.retrieval.lexical.statistics import Limits, Matches, match
from ragspine_tui.types import Document
from tests.unit.retrieval.reference import LAW, QUERIES, MemoryIndex, libraries_of_documents, memory_library

NEVER, ALWAYS = 0, 1_000_000
"""How many postings are few enough to score all of them."""


def matches_of(documents: list[Document], query: str, data: st.DataObject) -> Matches:
    """The query in an index of lists or of columns, where some documents may be called as it says, under limits."""
    library = memory_library(documents)
    index = library.index
    if data.draw(st.booleans(), label="columns"):
        index = MemoryIndex(library.indexed, columns=True)
    found = match(index, library.retriever.terms(query))
    count, chunks = len(index.documents), len(index.document_of_chunk)
    named = data.draw(st.sets(st.sampled_from(range(count)), max_size=2) if count else st.just(set()), label="named")
    flags = [
        data.draw(st.none() | st.lists(st.booleans(), min_size=size, max_size=size).map(np.array))
        for size in (count, chunks)
    ]
    limits = Limits(*(one if one is None else one.astype(bool) for one in flags))
    return Matches(index, found.terms, found.statistics, np.array(sorted(named), dtype=np.int64), limits)


def ranking(matches: Matches, run: Run, limit: int) -> list[tuple[int, float]]:
    positions = top(run, matches.index, limit)
    return list(zip(run.chunks[positions].tolist(), run.scores[positions].tolist(), strict=True))


@LAW
@given(libraries_of_documents(), QUERIES, st.integers(0, 5), st.data())
def test_the_best_hits_of_bounds_are_those_of_scoring_everything(
    documents: list[Document], query: str, limit: int, data: st.DataObject
) -> None:
    matches = matches_of(documents, query, data)
    everything = Scorer(matches, matches.statistics, few=ALWAYS).run(matches.limits)
    for few in (NEVER, 3, ALWAYS):
        run = Scorer(matches, matches.statistics, few=few).run(matches.limits, limit)
        assert ranking(matches, run, limit) == ranking(matches, everything, limit)
        assert run.total == everything.total == len(everything.chunks)


@LAW
@given(libraries_of_documents(), QUERIES, st.data())
def test_no_passage_scores_more_than_its_documents_bound(
    documents: list[Document], query: str, data: st.DataObject
) -> None:
    matches = matches_of(documents, query, data)
    everything = Scorer(matches, matches.statistics, few=ALWAYS).run(matches.limits)
    bounds = Bounds(matches, Gains(matches.index, matches.statistics, WEIGHTS), matches.limits)
    for chunk, score in zip(everything.chunks.tolist(), everything.scores.tolist(), strict=True):
        assert matches.index.document_of_chunk[chunk] in bounds.at_least(score)
    best = bounds.best(1)
    if len(everything.scores):
        highest = everything.scores.max()
        assert len(np.intersect1d(best, bounds.at_least(float(highest)))) > 0
    else:
        assert bounds.total == 0


def test_a_bound_that_is_too_low_would_be_noticed() -> None:
    documents = [Document(f"{number}.md", f"{'heron ' * (number + 1)}weir") for number in range(9)]
    library = memory_library(documents)
    matches = library.retriever.match("heron weir")
    bounds = Bounds(matches, Gains(matches.index, matches.statistics, WEIGHTS), matches.limits)
    everything = Scorer(matches, matches.statistics, few=ALWAYS).run(matches.limits)
    bounds._bounds *= np.float32(0.99)
    with pytest.raises(AssertionError):
        for chunk, score in zip(everything.chunks.tolist(), everything.scores.tolist(), strict=True):
            assert matches.index.document_of_chunk[chunk] in bounds.at_least(score)
