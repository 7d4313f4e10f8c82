"""bm25s: its own tokenizer without stop words or stems, saved and loaded; with numpy, and with numba where that is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.engine.corpus import FOLDERS, PARTS, Corpus, folder_of, part_of
from benchmarks.engine.queries import Query
from benchmarks.engine.searching import TOP, Search, bytes_in


class Bm25s:
    """One index for the whole corpus, and one for each part. It knows no phrases and no prefixes."""

    name = "bm25s"
    package = "bm25s"
    most = 500_000

    def build(self, corpus: Corpus, folder: Path) -> None:
        """Six indexes in folders of their own."""
        self.build_whole(corpus, folder)
        parts: list[list[str]] = [[] for _ in range(PARTS)]
        for document, line in zip(corpus.document_of_chunk().tolist(), corpus.lines(), strict=True):
            parts[part_of(document)].append(line)
        for number, lines in enumerate(parts):
            _index(lines, folder / f"part{number}")

    def build_whole(self, corpus: Corpus, folder: Path) -> None:
        """The one index alone."""
        _index(list(corpus.lines()), folder / "whole")

    def open(self, corpus: Corpus, folder: Path, *, parts: bool = True) -> Bm25sSearcher:
        """Every backend that is installed; without `parts`, numpy alone: a process has but one."""
        backends = ["numpy", *(["numba"] if parts and find_spec("numba") else [])]
        return Bm25sSearcher(corpus, folder, backends, PARTS if parts else 0)

    def whole_bytes(self, folder: Path) -> int:
        """Of its arrays and its vocabulary."""
        return bytes_in(folder / "whole")


class Bm25sSearcher:
    """(documents, scores) by score."""

    def __init__(self, corpus: Corpus, folder: Path, backends: Sequence[str], parts: int) -> None:
        self._bm25s = import_module("bm25s")
        self._loaded = {
            backend: (
                self._load(folder / "whole", backend),
                [self._load(folder / f"part{part}", backend) for part in range(parts)],
            )
            for backend in backends
        }
        self._fusable = parts > 0
        self._documents = corpus.document_of_chunk()

    def ways(self, kind: str) -> dict[str, Search]:
        """Plain and fused queries, and filtered ones by a mask; a backend each."""
        if kind in ("phrase", "prefix") or (kind == "fused" and not self._fusable):
            return {}
        search = self._fused if kind == "fused" else self._plain
        return {
            "bm25s" if backend == "numpy" else f"bm25s, {backend}": partial(search, *indexes)
            for backend, indexes in self._loaded.items()
        }

    def close(self) -> None:
        """Nothing is held but memory."""

    def _load(self, folder: Path, backend: str) -> Any:
        index = self._bm25s.BM25.load(str(folder))
        index.backend = backend
        if backend == "numba":
            index.activate_numba_scorer()
        return index

    def _plain(self, whole: Any, _parts: Sequence[Any], query: Query) -> Sequence[object]:
        return self._top(whole, query, self._mask(query))[0]

    def _fused(self, _whole: Any, parts: Sequence[Any], query: Query) -> Sequence[object]:
        found: list[tuple[float, int]] = []
        for part in parts:
            documents, scores = self._top(part, query, None)
            found += zip(scores, documents, strict=True)
        return sorted(found, reverse=True)[:TOP]

    def _top(self, index: Any, query: Query, mask: Any) -> tuple[list[int], list[float]]:
        tokens = self._bm25s.tokenize([query.text], stopwords=None, show_progress=False)
        documents, scores = index.retrieve(tokens, k=TOP, show_progress=False, weight_mask=mask)
        return documents[0].tolist(), scores[0].tolist()

    def _mask(self, query: Query) -> Any:
        """A weight of 1 or 0 for each chunk, by arithmetic: bm25s keeps no fields."""
        return in_folder(self._documents, query.folder).astype(np.float32) if query.folder else None


def in_folder(documents: NDArray[np.int64], folder: str) -> NDArray[np.bool_]:
    """Which of the documents (by number) are in a folder of the corpus."""
    numbered = np.array([folder_of(number) == folder for number in range(PARTS * FOLDERS)])
    return numbered[documents % len(numbered)]


def _index(lines: list[str], folder: Path) -> None:
    bm25s = import_module("bm25s")
    tokens = bm25s.tokenize(lines, stopwords=None, show_progress=False)
    index = bm25s.BM25()
    index.index(tokens, show_progress=False)
    index.save(str(folder))
