"""Corpora and indexes that are kept from run to run, with what building each took."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter

from benchmarks.engine.corpus import Corpus, open_or_make
from benchmarks.engine.searching import Engine


@dataclass(frozen=True, slots=True)
class Kept:
    """The folder of one size: its corpus, and an index of each engine."""

    folder: Path
    corpus: Corpus

    @classmethod
    def of(cls, root: Path, chunks: int) -> Kept:
        """The corpus of that size, generated where it is not there."""
        folder = root / str(chunks)
        return cls(folder, open_or_make(folder / "corpus", chunks))

    def index(self, engine: Engine, rebuild: Collection[str] = ()) -> Path:
        """The folder of an engine's index, built where it is not there, was left half built, or is in `rebuild`."""
        folder = self.folder / engine.name
        done = self.folder / f"{engine.name}.json"
        if engine.name in rebuild or not done.is_file():
            done.unlink(missing_ok=True)
            shutil.rmtree(folder, ignore_errors=True)
            start = perf_counter()
            engine.build(self.corpus, folder)
            done.write_text(json.dumps(asdict(Building(perf_counter() - start))), encoding="utf-8")
        return folder


@dataclass(frozen=True, slots=True)
class Building:
    """How long an engine took for everything that its folder holds."""

    seconds: float


def bytes_in(folder: Path) -> int:
    """The size of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
