"""What the command line of the benchmark says and does."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.engine.bm25s_engine import Bm25s
from benchmarks.engine.classes import measure
from benchmarks.engine.fts5 import Fts5
from benchmarks.engine.kept import Kept
from benchmarks.engine.ours import Ours
from benchmarks.engine.queries import CLASSES
from benchmarks.engine.tantivy_engine import Tantivy
from benchmarks.engine.vocabulary import Vocabulary

ENGINES = (Ours(), Fts5(), Tantivy(), Bm25s())


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine", description=__doc__)
    parser.add_argument("--keep", type=Path, required=True)
    parser.add_argument("--sizes", default="10k,100k")
    parser.add_argument("--classes", default=",".join(CLASSES))
    parser.add_argument("--engines", default=",".join(engine.name for engine in ENGINES))
    parser.add_argument("--rebuild", default="")
    arguments = parser.parse_args()
    vocabulary = Vocabulary.make(20_261_201)
    for size in arguments.sizes.split(","):
        chunks = int(size.replace("k", "000").replace("M", "000000"))
        kept = Kept.of(arguments.keep, chunks)
        print(f"{chunks:,} chunks", file=sys.stderr)
        engines = [engine for engine in ENGINES if engine.name in arguments.engines.split(",")]
        measure(kept, engines, vocabulary, arguments.classes.split(","), arguments.rebuild.split(","))
