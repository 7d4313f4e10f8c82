"""The words that tell a passage from others, to search for more like it: those of the highest tf-idf."""

from __future__ import annotations

from math import log
from typing import Final

from ragspine_tui.retrieval.lexical.analyzer import Analyzer
from ragspine_tui.retrieval.lexical.index import LexicalIndex
from ragspine_tui.retrieval.lexical.tokens import Token

MOST: Final = 20
"""How many words are searched for."""


def telling_words(title: str, text: str, analyzer: Analyzer, index: LexicalIndex, document: int) -> str:
    """The most telling words of a passage and its document's title, as they stand there, in their order.

    Words that stand in no passage of any other document (`document` is the own one's row) cannot find one and are left
    out; '' where all are.
    """
    whole = f"{title}\n{text}"
    weights = {term.term: term.weight for term in analyzer.query(whole)}
    counts: dict[str, int] = {}
    first: dict[str, Token] = {}
    for token in analyzer.tokens(whole):
        if token.term in weights:
            counts[token.term] = counts.get(token.term, 0) + 1
            first.setdefault(token.term, token)
    scores = {term: count * weights[term] * _idf(term, index, document) for term, count in counts.items()}
    told = [term for term, score in scores.items() if score > 0]
    told.sort(key=lambda term: (-scores[term], first[term].start, term))
    chosen = sorted(told[:MOST], key=lambda term: first[term][2:4])
    return " ".join(dict.fromkeys(whole[first[term].start : first[term].end] for term in chosen))


def _idf(term: str, index: LexicalIndex, document: int) -> float:
    """How rare the term is among passages; 0 where no other document has it."""
    postings = index.postings(term).get("body")
    if postings is None:
        return 0.0
    chunks = postings[0]
    if (index.documents[index.document_of_chunk[chunks]] == document).all():
        return 0.0
    return log(1 + (index.unit_counts["body"] - len(chunks) + 0.5) / (len(chunks) + 0.5))
