"""Every retrieval mode: its factory is deterministic, and economy builds no embedding even where one is configured."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ragspine_tui.retrieval.mode import RetrievalMode, effective_mode, make_retrieval_mode
from ragspine_tui.specs import SEAMS

SPELLINGS = [word for name, also in SEAMS["mode"].names.items() for word in (name, *also)]
Factory = Callable[[str], RetrievalMode]


class ExplodingEmbedding:
    """A configured embedding that must never be built."""

    def __init__(self) -> None:
        raise AssertionError("an embedding was built")


def assemble(mode: RetrievalMode) -> object | None:
    """What assembly does with a configured embedding: build it where the mode uses one."""
    return ExplodingEmbedding() if effective_mode(mode, embedding_configured=True).uses_embedding else None


def check_factory(factory: Factory) -> None:
    """Fails unless every spelling of economy builds no embedding and every spelling gives one mode, each time."""
    for spec in SPELLINGS:
        assert factory(spec) == factory(spec.upper()) == factory(f" {spec} "), spec
    for spec in ("economy", *SEAMS["mode"].names["economy"]):
        assert assemble(factory(spec)) is None


def test_the_mode_factory_keeps_the_invariants() -> None:
    check_factory(make_retrieval_mode)


@pytest.mark.parametrize("spec", [word for word in SPELLINGS if make_retrieval_mode(word).name != "economy"])
def test_a_mode_that_uses_an_embedding_builds_it_and_without_one_hybrid_does_not(spec: str) -> None:
    mode = make_retrieval_mode(spec)
    with pytest.raises(AssertionError, match="an embedding was built"):
        assemble(mode)
    assert effective_mode(mode, embedding_configured=False).uses_embedding is (mode.name == "vector")


def eager(spec: str) -> RetrievalMode:
    """A broken factory: economy in name, with an embedding."""
    return RetrievalMode(make_retrieval_mode(spec).name, uses_embedding=True)


def literal(spec: str) -> RetrievalMode:
    """A broken factory: it takes the spelling for the name."""
    return RetrievalMode(spec, uses_embedding=False)


@pytest.mark.parametrize("broken", [eager, literal])
def test_a_broken_factory_fails(broken: Factory) -> None:
    with pytest.raises(AssertionError):
        check_factory(broken)
