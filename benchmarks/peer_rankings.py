"""How others rank a judged collection: SQLite's FTS5 and bm25s, each in every way that a person would set it up."""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import islice
from typing import Any, Final, NamedTuple

import numpy as np
import Stemmer

from ragspine_tui.evaluation.collection import Collection
from ragspine_tui.retrieval.chunking.chunker import make_chunker
from ragspine_tui.retrieval.lexical.language import detect_language
from ragspine_tui.retrieval.lexical.stemming import SNOWBALL
from ragspine_tui.types import Document

DEPTH: Final = 10
"""How many documents are ranked: what nDCG@10 looks at."""

Ranker = Callable[[str], list[str]]
"""The ids of the first documents for a query, best first."""

Tokenize = Callable[[Sequence[str]], list[list[str]]]

_SAMPLE: Final = 200_000
_UNSPACED: Final = frozenset({"CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR"})
_STEMMER_OF: Final = {"CYRILLIC": "russian", "ARABIC": "arabic", "DEVANAGARI": "hindi", "GREEK": "greek"}
_GRAMS: Final = {1: "characters", 2: "pairs", 3: "triples"}
_BM25S: Final[Mapping[str, Mapping[str, Any]]] = {
    "its defaults": {},
    "as Lucene": {"method": "lucene", "k1": 1.2, "b": 0.75},
}


class Row(NamedTuple):
    """What a peer is given to rank: a whole document or one passage of it; `document` is its number."""

    document: int
    text: str


class Writing(NamedTuple):
    """How a collection is written: whether with spaces between words, and its Snowball stemmer, '' where none."""

    spaced: bool
    stemmer: str


def grains(collection: Collection) -> dict[str, list[Row]]:
    """The collection as rows: a document each, and a passage each as the app cuts them."""
    chunker = make_chunker()
    texts = [entry.whole_text for entry in collection.entries]
    return {
        "documents": [Row(number, text) for number, text in enumerate(texts)],
        "passages": [
            Row(number, chunk.text)
            for number, text in enumerate(texts)
            for chunk in chunker.chunk(Document(path=str(number), text=text)).chunks
        ],
    }


def writing(texts: Iterable[str]) -> Writing:
    """How most of a sample of the texts is written."""
    sample = "".join(islice(_characters(texts), _SAMPLE))
    counted = Counter(unicodedata.name(char, "?").split()[0] for char in sample if char.isalpha())
    script = counted.most_common(1)[0][0] if counted else "LATIN"
    if script in _UNSPACED:
        return Writing(False, "")
    return Writing(
        True, SNOWBALL.get(detect_language([sample]), "") if script == "LATIN" else _STEMMER_OF.get(script, "")
    )


def words(text: str) -> list[str]:
    """The runs of letters, digits and the marks that belong to them, in lower case."""
    return "".join(char if unicodedata.category(char)[0] in "LMN" else " " for char in text.lower()).split()


def grams(text: str, length: int) -> list[str]:
    """The words, those not of ASCII cut into all their pieces of `length` characters; shorter ones stay whole."""
    return [
        piece
        for word in words(text)
        for run in re.findall(r"[\x00-\x7f]+|[^\x00-\x7f]+", word)
        for piece in ([run] if run.isascii() else _pieces(run, length))
    ]


def fts5_ways(collection: Collection, how: Writing) -> Iterator[tuple[str, Ranker]]:
    """FTS5 with each tokenizer that fits the language, over documents and over passages."""
    tokenizers = ["unicode61"]
    if how.stemmer == "english":
        tokenizers.append("porter unicode61")
    if not how.spaced:
        tokenizers.append("trigram")
    for grain, rows in grains(collection).items():
        for tokenizer in tokenizers:
            yield f"{tokenizer}, {grain}", fts5_ranker(collection, rows, tokenizer)


def fts5_ranker(collection: Collection, rows: Sequence[Row], tokenizer: str) -> Ranker:
    """Any of the query's words, by `bm25()`; a document stands where its best row does."""
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE VIRTUAL TABLE texts USING fts5(document UNINDEXED, body, tokenize='{tokenizer}')")
    connection.executemany("INSERT INTO texts (document, body) VALUES (?, ?)", rows)

    def ranked(query: str) -> list[str]:
        expression = fts5_expression(query, tokenizer)
        if not expression:
            return []
        found = connection.execute(
            "SELECT document FROM texts WHERE texts MATCH ? ORDER BY bm25(texts), rowid", (expression,)
        )
        best: dict[int, None] = {}
        for (document,) in found:
            best[document] = None
            if len(best) == DEPTH:
                break
        return [collection.entries[number].entry_id for number in best]

    return ranked


def fts5_expression(query: str, tokenizer: str) -> str:
    """The query in FTS5's language: any of its words, or of their triples where those are what is indexed."""
    pieces = words(query)
    if tokenizer == "trigram":
        pieces = [piece for word in pieces if len(word) >= 3 for piece in _pieces(word, 3)]
    return " OR ".join(f'"{piece}"' for piece in pieces)


def bm25s_ways(collection: Collection, how: Writing) -> Iterator[tuple[str, Ranker]]:
    """bm25s with each tokenizer that fits the language and each setting, over documents and over passages."""
    for grain, rows in grains(collection).items():
        for name, tokenize in _tokenizers(how).items():
            tokens = tokenize([row.text for row in rows])
            for setting, options in _BM25S.items():
                yield f"{name}, {setting}, {grain}", bm25s_ranker(collection, rows, tokens, tokenize, options)


def bm25s_ranker(
    collection: Collection,
    rows: Sequence[Row],
    tokens: list[list[str]],
    tokenize: Tokenize,
    options: Mapping[str, Any],
) -> Ranker:
    """By score; a document's is that of its best row."""
    index = import_module("bm25s").BM25(**options)
    index.index(tokens, show_progress=False)
    documents = np.array([row.document for row in rows])

    def ranked(query: str) -> list[str]:
        found = tokenize([query])[0]
        if not found:
            return []
        best = np.zeros(len(collection.entries))
        np.maximum.at(best, documents, index.get_scores(found))
        order = np.argsort(-best, kind="stable")[:DEPTH]
        return [collection.entries[number].entry_id for number in order.tolist() if best[number] > 0]

    return ranked


def _tokenizers(how: Writing) -> dict[str, Tokenize]:
    if not how.spaced:
        return {name: _by_grams(length) for length, name in _GRAMS.items()}
    if how.stemmer == "english":
        return {"stems, no stop words": _its_own("english", "english")}
    ways = {"plain": _its_own(), "words with their marks": _by_words}
    if how.stemmer:
        ways["stems"] = _its_own(stemmer=how.stemmer)
    return ways


def _its_own(stop_words: str | None = None, stemmer: str = "") -> Tokenize:
    """What bm25s cuts texts into by itself."""
    bm25s = import_module("bm25s")
    stem = Stemmer.Stemmer(stemmer) if stemmer else None

    def tokenize(texts: Sequence[str]) -> list[list[str]]:
        found: list[list[str]] = bm25s.tokenize(
            list(texts), stopwords=stop_words, stemmer=stem, return_ids=False, show_progress=False
        )
        return found

    return tokenize


def _by_words(texts: Sequence[str]) -> list[list[str]]:
    return [words(text) for text in texts]


def _by_grams(length: int) -> Tokenize:
    return lambda texts: [grams(text, length) for text in texts]


def _pieces(run: str, length: int) -> list[str]:
    return [run[at : at + length] for at in range(max(1, len(run) - length + 1))]


def _characters(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from text
        yield " "
