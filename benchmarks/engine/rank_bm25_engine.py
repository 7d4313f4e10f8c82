"""rank_bm25's BM25Okapi over lists of words: nothing but Python and numpy, everything in memory."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rank_bm25 import BM25Okapi

from benchmarks.engine.bm25s_engine import in_folder
from benchmarks.engine.corpus import Corpus
from benchmarks.engine.queries import Query
from benchmarks.engine.searching import TOP, Search


class RankBm25:
    """It keeps nothing on disk: what it is kept in here is a pickle of it."""

    name = "rank_bm25"
    package = "rank-bm25"
    most = 50_000

    def build(self, corpus: Corpus, folder: Path) -> None:
        """The whole corpus alone: it knows nothing of several indexes."""
        self.build_whole(corpus, folder)

    def build_whole(self, corpus: Corpus, folder: Path) -> None:
        """One index of all chunks."""
        folder.mkdir(parents=True)
        index = BM25Okapi([line.split() for line in corpus.lines()])
        with (folder / "index.pickle").open("wb") as file:
            pickle.dump(index, file)

    def open(self, corpus: Corpus, folder: Path, *, parts: bool = True) -> RankBm25Searcher:  # noqa: ARG002
        """All of it."""
        with (folder / "index.pickle").open("rb") as file:
            return RankBm25Searcher(pickle.load(file), corpus)

    def whole_bytes(self, folder: Path) -> int:
        """Of the pickle."""
        return (folder / "index.pickle").stat().st_size


class RankBm25Searcher:
    """Numbers of chunks by score."""

    def __init__(self, index: Any, corpus: Corpus) -> None:
        self._index = index
        self._documents = corpus.document_of_chunk()

    def ways(self, kind: str) -> dict[str, Search]:
        """Plain and filtered queries."""
        return {} if kind in ("phrase", "prefix", "fused") else {"rank_bm25": self._search}

    def close(self) -> None:
        """Nothing is held but memory."""

    def _search(self, query: Query) -> Sequence[object]:
        words = list(query.words)
        if not query.folder:
            return list(np.argsort(-self._index.get_scores(words))[:TOP])
        chunks = np.flatnonzero(in_folder(self._documents, query.folder))
        scores = np.array(self._index.get_batch_scores(words, chunks.tolist()))
        return list(chunks[np.argsort(-scores)[:TOP]])
