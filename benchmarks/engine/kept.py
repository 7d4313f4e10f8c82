"""Corpora and indexes that are kept from run to run, with what building each took."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from benchmarks.engine.corpus import Corpus, open_or_make
from benchmarks.engine.searching import Engine

_FIGURES: Final = "figures.json"


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

    def index(self, engine: Engine) -> Path:
        """The folder of an engine's index, built where it is not there or was left half built."""
        folder = self.folder / engine.name
        done = self.folder / f"{engine.name}.json"
        if not done.is_file():
            shutil.rmtree(folder, ignore_errors=True)
            print(f"  building {engine.name}", file=sys.stderr, flush=True)
            start = perf_counter()
            engine.build(self.corpus, folder)
            done.write_text(json.dumps({"seconds": perf_counter() - start}), encoding="utf-8")
        return folder

    def forget(self, engine: Engine) -> None:
        """Have an engine's index built anew when it is needed."""
        (self.folder / f"{engine.name}.json").unlink(missing_ok=True)

    def note(self, part: str, figures: Mapping[str, Any]) -> None:
        """Keep the figures of a part in place of what was measured before."""
        known = {**figures_in(self.folder), part: figures}
        (self.folder / _FIGURES).write_text(json.dumps(known, indent=1), encoding="utf-8")


def figures_in(folder: Path) -> dict[str, Any]:
    """What has been measured at one size, by part, each as it was last."""
    note = folder / _FIGURES
    return json.loads(note.read_text(encoding="utf-8")) if note.is_file() else {}
