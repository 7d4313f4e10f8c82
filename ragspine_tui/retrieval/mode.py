"""The retrieval mode: whether a search ranks by words alone, by vectors too, or by vectors alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ragspine_tui.specs import choose_spec


@dataclass(frozen=True, slots=True)
class RetrievalMode:
    """How a search scores; where `uses_embedding` is false, no embedding backend and no vector store is ever built."""

    name: str
    uses_embedding: bool


ECONOMY: Final = RetrievalMode("economy", uses_embedding=False)
HYBRID: Final = RetrievalMode("hybrid", uses_embedding=True)
VECTOR: Final = RetrievalMode("vector", uses_embedding=True)

_MODES: Final = {mode.name: mode for mode in (ECONOMY, HYBRID, VECTOR)}


def make_retrieval_mode(spec: str | None = None) -> RetrievalMode:
    """The mode a spec names; None reads RAGSPINE_RETRIEVAL_MODE. ValueError lists the valid specs."""
    return _MODES[choose_spec("mode", spec)]


def effective_mode(mode: RetrievalMode, *, embedding_configured: bool) -> RetrievalMode:
    """The mode a search really runs in: HYBRID without a configured embedding is exactly ECONOMY."""
    return ECONOMY if mode == HYBRID and not embedding_configured else mode
