"""What a term gives the units it stands in: BM25 by field under one set of statistics and weights."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ragspine_tui.retrieval.lexical.bm25 import PostingsBM25
from ragspine_tui.retrieval.lexical.index import LexicalIndex, Ordinals, Postings, Scores
from ragspine_tui.retrieval.lexical.statistics import MatchedTerm, Statistics

CHUNK_FIELDS: Final = ("body", "exact")
CALLED_FIELDS: Final = ("title", "name", "metadata")
"""What a document is called and says of itself."""

DOCUMENT_FIELDS: Final = ("document", *CALLED_FIELDS)
FIELDS: Final = (*CHUNK_FIELDS, "heading", *DOCUMENT_FIELDS)

_LENGTH_OF: Final[Mapping[str, str]] = {"exact": "body"}


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each grain and field counts beside a passage's own words (1), and BM25's parameters.

    Tuned on judged collections in nine languages; `docs/benchmarks.md` has the figures.
    """

    exact: float = 0.4
    heading: float = 0.75
    document: float = 3.0
    title: float = 0.75
    name: float = 0.75
    metadata: float = 0.25
    k1: float = 1.2
    b: float = 0.65

    def of(self, field: str) -> float:
        """The weight of a field's BM25 in the sum."""
        return 1.0 if field == "body" else float(getattr(self, field))


WEIGHTS: Final = Weights()


class Gains:
    """Scores of single postings; a document's, a section's and a chunk's are their sums."""

    def __init__(self, index: LexicalIndex, statistics: Statistics, weights: Weights) -> None:
        self._index = index
        self._statistics = statistics
        self._weights = weights
        self._models: dict[str, PostingsBM25] = {}

    def of(self, term: MatchedTerm, name: str, units: Ordinals, frequencies: Ordinals) -> Scores:
        """What `term` gives `units` in the field `name`."""
        lengths = self._index.lengths[_LENGTH_OF.get(name, name)][units]
        gained = self.model(name).term_scores(term.key, frequencies, lengths)
        gained *= term.weight * self._weights.of(name)
        return gained

    def of_list(self, term: MatchedTerm, name: str, postings: Postings) -> Scores:
        """What `term` gives each unit of its whole list; remembered, and not to be changed."""

        def make() -> tuple[Scores, int]:
            gained = self.of(term, name, *postings)
            return gained, gained.nbytes

        return self._index.memo.get(self.key("list", term, name), make)

    def of_all(
        self, term: MatchedTerm, name: str, frequencies: NDArray[np.unsignedinteger[Any]]
    ) -> NDArray[np.float32]:
        """The same for every unit there is, in single precision; remembered, and not to be changed."""

        def make() -> tuple[NDArray[np.float32], int]:
            model = self.model(name)
            gained = frequencies.astype(np.float32)
            gained /= gained + self._norms(_LENGTH_OF.get(name, name), model)
            gained *= np.float32(model.idf[term.key] * (model.k1 + 1) * term.weight * self._weights.of(name))
            return gained, gained.nbytes

        return self._index.memo.get(self.key("all", term, name), make)

    def key(self, kind: str, term: MatchedTerm, name: str) -> tuple[object, ...]:
        """What to remember a term's gains in a field by: all that they depend on."""
        statistics = self._statistics
        field = _LENGTH_OF.get(name, name)
        doc_freq = statistics.doc_freqs[term.key][name]
        collection = (doc_freq, statistics.units[field], statistics.length[field])
        return (kind, term.origin, name, term.weight, self._weights, *collection)

    def whole_name(self, terms: Iterable[MatchedTerm]) -> float:
        """What a document called exactly as the query says gains: as much as the query's words can give at most."""
        most = 0.0
        for term in terms:
            idfs = (self.idf(term, name) * self._weights.of(name) for name in FIELDS)
            most += term.weight * (self._weights.k1 + 1) * sum(idfs)
        return most

    def idf(self, term: MatchedTerm, name: str) -> float:
        """The term's idf in a field; 0 where it does not occur."""
        return self.model(name).idf.get(term.key, 0.0)

    def model(self, name: str) -> PostingsBM25:
        """BM25 of a field."""
        if name not in self._models:
            statistics = self._statistics
            field = _LENGTH_OF.get(name, name)
            doc_freqs = {key: freqs.get(name, 0) for key, freqs in statistics.doc_freqs.items()}
            self._models[name] = PostingsBM25(
                statistics.units[field], statistics.length[field], doc_freqs, self._weights.k1, self._weights.b
            )
        return self._models[name]

    def _norms(self, field: str, model: PostingsBM25) -> NDArray[np.float32]:
        def make() -> tuple[NDArray[np.float32], int]:
            norms = model.norms(self._index.lengths[field]).astype(np.float32)
            return norms, norms.nbytes

        return self._index.memo.get(("norms", field, model.avgdl, model.k1, model.b), make)
