"""The measures of a ranking, each as trec_eval defines it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

Run = Mapping[str, Sequence[str]]
"""For each query's id the ids of the documents found, best first."""


def mean_metrics(judged: Mapping[str, Mapping[str, int]], run: Run) -> dict[str, float]:
    """The means over the judged queries; a query without an answer counts as 0. Nothing judged: all 0."""
    rows = [metrics(relevances, run.get(query, ())) for query, relevances in judged.items()]
    return {name: sum(row[name] for row in rows) / max(len(rows), 1) for name in metrics({"": 1}, ())}


def metrics(relevances: Mapping[str, int], ranked: Sequence[str]) -> dict[str, float]:
    """One query's measures as trec_eval defines them; `relevances` holds at least one positive judgment.

    nDCG has linear gain and the discount 1/log2(rank + 1); MRR looks at ten documents, recall at a hundred.
    """
    gains = [max(relevances.get(document, 0), 0) for document in ranked]
    ideal = sorted((max(gain, 0) for gain in relevances.values()), reverse=True)
    relevant = sum(gain > 0 for gain in ideal)
    ranks = [rank for rank, gain in enumerate(gains, 1) if gain > 0]
    return {
        "ndcg@10": _dcg(gains[:10]) / _dcg(ideal[:10]),
        "mrr@10": 1 / ranks[0] if ranks and ranks[0] <= 10 else 0.0,
        "recall@100": sum(rank <= 100 for rank in ranks) / relevant,
        "map": sum(found / rank for found, rank in enumerate(ranks, 1)) / relevant,
        "success@1": float(1 in ranks),
        "success@5": float(any(rank <= 5 for rank in ranks)),
    }


def _dcg(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def trec_lines(run: Run) -> Iterator[str]:
    """The run in TREC's six columns. Scores count down, so that a scorer that sorts by them finds the same order."""
    for query, ranked in run.items():
        for rank, document in enumerate(ranked, 1):
            yield f"{query} Q0 {document} {rank} {len(ranked) - rank + 1} ragspine-tui"
