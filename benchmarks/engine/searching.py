"""What every engine of the benchmark can do, whoever's it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Protocol

from benchmarks.engine.corpus import Corpus
from benchmarks.engine.queries import Query

TOP: Final = 20

Search = Callable[[Query], Sequence[object]]
"""The top hits of a query, best first, at most `TOP` of them."""


class Searcher(Protocol):
    """An opened index, for one thread."""

    def ways(self, kind: str) -> dict[str, Search]:
        """How it searches queries of a class, by the name that the tables have; empty where it cannot."""

    def close(self) -> None:
        """Let go of the index."""


class Engine(Protocol):
    """An engine: builds an index of a corpus in a folder, and opens it."""

    name: str
    package: str
    """Whose version it has: a distribution's name, or '' for what comes with Python."""
    most: int
    """The largest corpus, in chunks, that it is worth waiting for."""

    def build(self, corpus: Corpus, folder: Path) -> None:
        """Index the corpus, whole and (for the fused class) in its five parts, in a new folder."""

    def build_whole(self, corpus: Corpus, folder: Path) -> None:
        """Index the corpus as a whole alone, in a new folder."""

    def open(self, corpus: Corpus, folder: Path, *, parts: bool = True) -> Searcher:
        """Open what `build` made; without `parts`, what `build_whole` did."""

    def whole_bytes(self, folder: Path) -> int:
        """The size of the index of the whole corpus, in what `build` made."""


def bytes_in(folder: Path) -> int:
    """The size of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
