"""Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009): runs merged by rank alone."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import fsum
from typing import Any, TypeVar

K = TypeVar("K", bound=Hashable)


def rrf_fuse(
    rankings: Sequence[Sequence[K]],
    k: float = 60,
    *,
    top_k: int | None = None,
    weights: Sequence[float] | None = None,
) -> list[tuple[K, float]]:
    """Keys with their fused scores, best first: each ranking adds weight / (k + rank), rank from 1.

    Ties go by the first ranking that names the key, then by the key, so keys of one call must be comparable. A key
    counts once a ranking. ValueError on a negative k or top_k, or where weights and rankings differ in number.
    """
    if k < 0:
        raise ValueError(f"k must not be negative: {k}")
    if top_k is not None and top_k < 0:
        raise ValueError(f"top_k must not be negative: {top_k}")
    if weights is not None and len(weights) != len(rankings):
        raise ValueError(f"{len(rankings)} rankings need as many weights, not {len(weights)}")
    parts: dict[K, list[float]] = {}
    first_seen: dict[K, int] = {}
    for place, ranking in enumerate(rankings):
        weight = 1.0 if weights is None else weights[place]
        for rank, key in enumerate(dict.fromkeys(ranking), start=1):
            parts.setdefault(key, []).append(weight / (k + rank))
            first_seen.setdefault(key, place)
    # fsum is exact: equal sums stay ties whatever the order of the rankings they came from.
    scores = {key: fsum(shares) for key, shares in parts.items()}

    def order(key: Any) -> Any:
        return (-scores[key], first_seen[key], key)

    return [(key, scores[key]) for key in sorted(scores, key=order)[:top_k]]
