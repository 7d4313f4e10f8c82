"""Reciprocal rank fusion."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.retrieval.lexical.rrf import rrf_fuse

RANKINGS = st.lists(st.lists(st.integers(0, 12), max_size=8), max_size=5)


def test_a_rank_counts_from_one() -> None:
    assert rrf_fuse([["a", "b"], ["b"]]) == [("b", 1 / 62 + 1 / 61), ("a", 1 / 61)]


def test_the_same_chunk_in_two_libraries_stays_two_hits() -> None:
    fused = rrf_fuse([[("papers", "c1")], [("notes", "c1")]])
    assert [key for key, _ in fused] == [("papers", "c1"), ("notes", "c1")]


def test_ties_stand_in_selection_order_and_then_by_key() -> None:
    assert [key for key, _ in rrf_fuse([["z"], ["a"], ["m"]])] == ["z", "a", "m"]
    assert [key for key, _ in rrf_fuse([["b", "a"], ["a", "b"]])] == ["a", "b"]


def test_equal_sums_are_ties_whatever_order_they_are_added_in() -> None:
    ranks = [3, 7, 11]
    keys = {f"k{place}": order for place, order in enumerate(permutations(range(3)))}
    rankings = []
    for library in range(3):
        filled = [f"{library}-{rank}-{slot}" for rank in range(12) for slot in range(6)]
        for place, (key, order) in enumerate(keys.items()):
            filled[ranks[order[library]] * 6 + place] = key
        rankings.append(filled)
    scores = dict(rrf_fuse(rankings, weights=[1.0, 1.0, 1.0]))
    again = dict(rrf_fuse(rankings[::-1]))
    assert all(scores[key] == again[key] for key in keys)


def test_weights_scale_each_ranking() -> None:
    assert [key for key, _ in rrf_fuse([["weak"], ["strong"]], weights=[0.1, 1.0])] == ["strong", "weak"]
    with pytest.raises(ValueError, match="2 rankings"):
        rrf_fuse([["a"], ["b"]], weights=[1.0])


def test_a_key_counts_once_in_a_ranking() -> None:
    assert rrf_fuse([["a", "a", "b"]]) == rrf_fuse([["a", "b"]])


def test_top_k_cuts_and_zero_is_nothing() -> None:
    assert rrf_fuse([["a", "b", "c"]], top_k=2) == rrf_fuse([["a", "b", "c"]])[:2]
    assert rrf_fuse([["a"]], top_k=0) == []
    assert rrf_fuse([]) == []


@pytest.mark.parametrize("wrong", [{"k": -1}, {"top_k": -1}])
def test_negative_numbers_are_refused_even_without_rankings(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="must not be negative"):
        rrf_fuse([], **wrong)  # type: ignore[arg-type]


@given(RANKINGS, st.integers(0, 100))
def test_fusion_invents_nothing_loses_nothing_and_is_sorted(rankings: list[list[int]], k: int) -> None:
    fused = rrf_fuse(rankings, k)
    assert {key for key, _ in fused} == {key for ranking in rankings for key in ranking}
    assert len(fused) == len({key for key, _ in fused})
    scores = [score for _, score in fused]
    assert scores == sorted(scores, reverse=True)
    assert fused == rrf_fuse(rankings, k)


@given(st.lists(st.integers(), unique=True, max_size=20))
def test_one_ranking_keeps_its_order(ranking: list[int]) -> None:
    assert [key for key, _ in rrf_fuse([ranking])] == ranking
