"""Which documents can be among the best: an upper bound of each one's best passage, without scoring them.

A passage's score is what its words and its section's heading give it, and at most all that its document gives. So the
greatest sum of a document's chunks, with what the document gives, is no less than any of its passages' scores
(MaxScore, Turtle and Flood 1995, with documents as the blocks). Bounds are of single precision.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ragspine_tui.retrieval.lexical.gains import CHUNK_FIELDS, DOCUMENT_FIELDS, FIELDS, Gains
from ragspine_tui.retrieval.lexical.index import LexicalIndex, Ordinals
from ragspine_tui.retrieval.lexical.postings import ranges, sparse
from ragspine_tui.retrieval.lexical.statistics import Limits, MatchedTerm, Matches

_EPSILON: Final = 1.2e-7
_STEPS: Final = 16
"""Roundings of one posting's gain and of adding the parts up, at most."""

_BLOCK: Final = 64

Bound = NDArray[np.float32]


class Bounds:
    """Upper bounds for one query under `limits`. `total` counts the passages that match."""

    def __init__(self, matches: Matches, gains: Gains, limits: Limits) -> None:
        self._index = matches.index
        self._slack = 1 + _EPSILON * (_STEPS + len(FIELDS) * len(matches.terms))
        self._own = self._sums(matches, gains, CHUNK_FIELDS, len(self._index.document_of_chunk))
        for term in matches.terms:
            self._add_headings(term, gains)
        lift = self._sums(matches, gains, DOCUMENT_FIELDS, len(self._index.documents))
        if len(matches.named):
            lift[matches.named] += np.float32(gains.whole_name(matches.terms))
        best = _best_of_documents(self._index, self._own)
        alone = (best == 0) & (lift > 0)
        if limits.passages is not None:
            alone[alone] = limits.passages[self._index.opening_chunk[alone]]
            self._own *= limits.passages
            best = _best_of_documents(self._index, self._own)
        self._bounds = lift + best
        self._bounds *= (best > 0) | alone
        matched = self._own > 0
        if limits.documents is not None:
            self._bounds *= limits.documents
            alone &= limits.documents
            matched &= limits.documents[self._index.document_of_chunk]
        self.total = int(np.count_nonzero(matched)) + int(np.count_nonzero(alone))

    def best(self, count: int) -> Ordinals:
        """The documents of the `count` greatest bounds, and all whose bound is as great, rising."""
        bounds = self._bounds
        if len(bounds) <= count:
            return np.flatnonzero(bounds)
        # A great bound in each of so many blocks is as good a cut as the exact one, and far cheaper to find.
        whole = len(bounds) - len(bounds) % _BLOCK
        peaks = bounds[:whole].reshape(-1, _BLOCK).max(axis=1) if whole > _BLOCK * count else bounds
        cut = np.partition(peaks, len(peaks) - count)[len(peaks) - count]
        return np.flatnonzero(bounds >= cut) if cut > 0 else np.flatnonzero(bounds)

    def at_least(self, score: float) -> Ordinals:
        """The documents that may have a passage of this score, rising."""
        return np.flatnonzero((self._bounds > 0) & (self._bounds >= np.float32(score / self._slack)))

    def _sums(self, matches: Matches, gains: Gains, fields: tuple[str, ...], units: int) -> Bound:
        sums = np.zeros(units, dtype=np.float32)
        for term in matches.terms:
            for name in fields:
                one = term.postings.get(name)
                if isinstance(one, tuple):
                    sums[one[0]] += gains.of_list(term, name, one)
                elif one is not None:
                    sums += gains.of_all(term, name, one)
        return sums

    def _add_headings(self, term: MatchedTerm, gains: Gains) -> None:
        """Add what headings give to the chunks under them that match themselves."""
        index = self._index
        one = term.postings.get("heading")
        if one is None:
            return

        def make() -> tuple[tuple[Ordinals, Bound], int]:
            sections, frequencies = sparse(one)
            gained = gains.of(term, "heading", sections, frequencies).astype(np.float32)
            chunks, sizes = ranges(index.section_first_chunk, sections)
            given = np.repeat(gained, sizes)
            return (chunks, given), chunks.nbytes + given.nbytes

        chunks, given = index.memo.get(gains.key("under", term, "heading"), make)
        own = self._own[chunks]
        self._own[chunks] = own + given * (own > 0)


def _best_of_documents(index: LexicalIndex, sums: Bound) -> Bound:
    """The greatest of each document's chunks; 0 for one without any."""
    if len(sums) == len(index.documents):
        return sums.copy()

    def make() -> tuple[tuple[Any, Any], int]:
        filled = np.flatnonzero(np.diff(index.first_chunk))
        return (filled, index.first_chunk[filled]), 2 * filled.nbytes

    filled, firsts = index.memo.get("filled", make)
    if len(filled) == len(index.documents):
        return np.maximum.reduceat(sums, firsts)
    best = np.zeros(len(index.documents), dtype=np.float32)
    best[filled] = np.maximum.reduceat(sums, firsts) if len(filled) else 0
    return best
