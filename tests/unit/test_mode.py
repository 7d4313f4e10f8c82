"""The retrieval modes and the specs that name them."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from ragspine_tui.retrieval.mode import ECONOMY, HYBRID, VECTOR, RetrievalMode, effective_mode, make_retrieval_mode


@pytest.mark.parametrize("spec", ["economy", "bm25", "lexical", "keyword", " BM25 "])
def test_economy_ranks_by_words_alone(spec: str) -> None:
    assert make_retrieval_mode(spec) == ECONOMY == RetrievalMode("economy", uses_embedding=False)


@pytest.mark.parametrize("spec", ["auto", "none", "hybrid", "", "Hybrid"])
def test_hybrid_uses_the_embedding_that_is_configured(spec: str) -> None:
    assert make_retrieval_mode(spec) == HYBRID
    assert effective_mode(HYBRID, embedding_configured=True) == HYBRID


def test_hybrid_without_an_embedding_is_exactly_economy() -> None:
    assert effective_mode(HYBRID, embedding_configured=False) == ECONOMY
    assert effective_mode(VECTOR, embedding_configured=False) == VECTOR
    assert effective_mode(ECONOMY, embedding_configured=True) == ECONOMY


@pytest.mark.parametrize("spec", ["vector", "dense"])
def test_vector_is_vectors_alone(spec: str) -> None:
    assert make_retrieval_mode(spec) == VECTOR


def test_no_spec_reads_the_environment_and_then_is_economy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGSPINE_RETRIEVAL_MODE", "vector")
    assert make_retrieval_mode() == VECTOR
    assert make_retrieval_mode("economy") == ECONOMY
    monkeypatch.delenv("RAGSPINE_RETRIEVAL_MODE")
    assert make_retrieval_mode() == ECONOMY


@pytest.mark.parametrize("spec", [" ", "fast", "bm25s"])
def test_an_unknown_mode_lists_the_valid_ones(spec: str) -> None:
    with pytest.raises(ValueError, match=r"economy .*hybrid .*vector"):
        make_retrieval_mode(spec)


def test_an_unknown_keyword_is_a_type_error_and_a_mode_is_frozen() -> None:
    with pytest.raises(TypeError):
        make_retrieval_mode(embedding="stub")  # type: ignore[call-arg]
    with pytest.raises(FrozenInstanceError):
        ECONOMY.name = "other"  # type: ignore[misc]
