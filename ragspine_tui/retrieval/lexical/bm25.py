"""rank_bm25's BM25Plus over postings instead of a corpus in memory."""

from collections.abc import Mapping

from rank_bm25 import BM25Plus

from ragspine_tui.retrieval.lexical.index import Ordinals, Scores


class PostingsBM25(BM25Plus):  # type: ignore[misc]
    """BM25Plus whose statistics are given: how many units there are, their total length, each term's doc_freq.

    `k1`, `b` and the idf are rank_bm25's. The constant idf * delta that BM25+ (Lv and Zhai, 2011) adds to every
    document for every term is left out for all of them, which keeps the order: adding it back gives rank_bm25's scores.
    """

    def __init__(
        self, corpus_size: int, total_length: float, doc_freqs: Mapping[str, int], k1: float = 1.5, b: float = 0.75
    ) -> None:
        self.k1 = k1
        self.b = b
        self.delta = 1
        self.corpus_size = corpus_size
        self.avgdl = total_length / corpus_size if corpus_size and total_length else 1.0
        self.idf: dict[str, float] = {}
        self._calc_idf({term: freq for term, freq in doc_freqs.items() if freq})

    def term_scores(self, term: str, frequencies: Ordinals, lengths: Scores) -> Scores:
        """What `term` gives each unit of its posting list; all positive, since a term is in at most all units."""
        gained: Scores = frequencies / (self.norms(lengths) + frequencies)
        gained *= self.idf.get(term, 0.0) * (self.k1 + 1)
        return gained

    def norms(self, lengths: Scores) -> Scores:
        """What each unit's length adds to the frequency below the line."""
        norms = lengths * (self.k1 * self.b / self.avgdl)
        norms += self.k1 * (1 - self.b)
        return norms
