"""The score is rank_bm25's: the same order, and the same numbers once BM25+'s constant is added back."""

import string
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Plus

from ragspine_tui.retrieval.lexical.bm25 import PostingsBM25
from ragspine_tui.retrieval.lexical.index import Ordinals, Scores

words = st.text(string.ascii_lowercase[:5], min_size=1, max_size=2)
corpora = st.lists(st.lists(words, min_size=1, max_size=30), min_size=1, max_size=12)
queries = st.lists(words, max_size=6)


class HalfIdf(PostingsBM25):
    """A double that must fail: another idf."""

    def _calc_idf(self, nd: dict[str, int]) -> None:
        super()._calc_idf(nd)
        self.idf = {word: value / 2 for word, value in self.idf.items()}


class Unnormalised(PostingsBM25):
    """A double that must fail: length does not count."""

    def term_scores(self, term: str, frequencies: Ordinals, lengths: Scores) -> Scores:
        return super().term_scores(term, frequencies, np.full_like(lengths, self.avgdl))


def scores(model: type[PostingsBM25], corpus: list[list[str]], query: list[str]) -> tuple[Scores, float]:
    """Each document's score from postings, and the constant that BM25+ would add to every document."""
    counted = [Counter(document) for document in corpus]
    lengths = np.array([len(document) for document in corpus], dtype=float)
    doc_freqs = Counter(word for counts in counted for word in counts)
    bm25 = model(len(corpus), float(lengths.sum()), doc_freqs)
    total = np.zeros(len(corpus))
    for word in query:
        ordinals = np.array([number for number, counts in enumerate(counted) if word in counts], dtype=np.int64)
        frequencies = np.array([counted[number][word] for number in ordinals], dtype=np.int64)
        total[ordinals] += bm25.term_scores(word, frequencies, lengths[ordinals])
    return total, sum(bm25.idf.get(word, 0.0) * bm25.delta for word in query)


def agrees(model: type[PostingsBM25], corpus: list[list[str]], query: list[str]) -> bool:
    """Whether a model gives rank_bm25's numbers within 1e-9."""
    ours, constant = scores(model, corpus, query)
    theirs = BM25Plus(corpus).get_scores(query)
    return bool(np.allclose(ours + constant, theirs, rtol=0, atol=1e-9))


@given(corpora, queries)
def test_scores_from_postings_are_rank_bm25s(corpus: list[list[str]], query: list[str]) -> None:
    assert agrees(PostingsBM25, corpus, query)


@given(corpora, queries)
def test_what_shares_a_term_has_a_positive_score_and_nothing_else_has(
    corpus: list[list[str]], query: list[str]
) -> None:
    ours, _ = scores(PostingsBM25, corpus, query)
    shares = [bool(set(document) & set(query)) for document in corpus]
    assert (ours > 0).tolist() == shares


@pytest.mark.parametrize("double", [HalfIdf, Unnormalised])
def test_a_wrong_model_is_found_out(double: type[PostingsBM25]) -> None:
    corpus = [["a", "b", "b"], ["a"], ["c", "c", "a", "d", "e", "e"]]
    assert agrees(PostingsBM25, corpus, ["b", "a"])
    assert not agrees(double, corpus, ["b", "a"])
