"""The second exit: RESTRICTED hits are dropped again, on evidence of its own; a judge may only reorder."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from ragspine_tui.types import Hit, Sensitivity

IsRestricted = Callable[[str, str], bool]
"""(library id, document path) -> whether a mark, a pattern or the library's flag forbids showing it now."""

Judge = Callable[[Sequence[Hit]], Sequence[int]]
"""Hits, best first -> a permutation of their positions."""


class RerankExit:
    """Asks the marks themselves, not the stored label; never shows a judge what it has not let through."""

    def __init__(self, is_restricted: IsRestricted, judge: Judge | None = None) -> None:
        self._is_restricted = is_restricted
        self._judge = judge

    def rerank(self, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        """The hits that may be shown, ranked from 1. A judge that raises or answers nonsense leaves the order."""
        allowed = [hit for hit in hits if self.allows(hit)]
        order = self._order(allowed)
        return tuple(replace(allowed[position], rank=rank) for rank, position in enumerate(order, start=1))

    def allows(self, hit: Hit) -> bool:
        """Whether a hit may be shown."""
        return hit.sensitivity != Sensitivity.RESTRICTED and not self._is_restricted(hit.library_id, hit.document)

    def _order(self, hits: Sequence[Hit]) -> Sequence[int]:
        unchanged = range(len(hits))
        if self._judge is None:
            return unchanged
        try:
            order = list(self._judge(hits))
        except Exception:  # a judge is an opt-in guest: whatever it does, the search stands
            return unchanged
        return order if sorted(order) == list(unchanged) else unchanged
