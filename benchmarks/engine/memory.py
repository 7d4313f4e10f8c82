"""How much memory a process holds that opens an index and searches it. As a program, it is that process."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from benchmarks.engine.corpus import Corpus, open_or_make
from benchmarks.engine.engines import engine_named
from benchmarks.engine.kept import Kept
from benchmarks.engine.ours import Ours, config_of, hits
from benchmarks.engine.queries import PLAIN, Query, draw
from benchmarks.engine.searching import Engine
from benchmarks.engine.vocabulary import Vocabulary
from ragspine_tui.session import Session

_EACH: Final = 10
"""Queries of a class: what a process holds at most it soon holds."""


def peaks(kept: Kept, engines: Sequence[Engine], vocabulary: Vocabulary) -> dict[str, dict[str, int]]:
    """The largest resident size of each engine's process, in bytes, after every query of the plain classes and others
    that it can answer; `none` is the same process without an engine.
    """
    kinds = (*PLAIN, "prefix", "phrase", "filtered")
    queries = [
        [query.kind, query.words, query.folder]
        for kind in kinds
        for query in draw(kept.corpus, kind, vocabulary, _EACH)
    ]
    note = kept.folder / "queries.json"
    note.write_text(json.dumps(queries), encoding="utf-8")
    found = {"none": _peak("none", kept.folder, Path())}
    for engine in engines:
        if kept.corpus.chunks <= engine.most:
            found[engine.name] = _peak(engine.name, kept.folder, kept.index(engine))
    return {"peaks": found}


def _peak(name: str, folder: Path, index: Path) -> int:
    command = [sys.executable, "-m", "benchmarks.engine.memory", name, str(folder), str(index)]
    return int(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)


def main() -> None:
    """Searches with one engine and prints the largest resident size in bytes."""
    name, folder, index = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    said = json.loads((folder / "queries.json").read_text(encoding="utf-8"))
    queries = [Query(kind, tuple(words), 0, of) for kind, words, of in said]
    if name != "none":
        known = json.loads((folder / "corpus" / "corpus.json").read_text(encoding="utf-8"))
        search(engine_named(name), open_or_make(folder / "corpus", known["chunks"], known["seed"]), index, queries)
    print(_largest())


def search(engine: Engine, corpus: Corpus, index: Path, queries: Iterable[Query]) -> None:
    """Every query that the engine can answer, once; ours as the app searches, hits and all."""
    if isinstance(engine, Ours):
        with Session.open(config_of(index / "whole")) as session:
            for query in queries:
                hits(session, query)
        return
    searcher = engine.open(corpus, index, parts=False)
    for query in queries:
        for way in list(searcher.ways(query.kind).values())[:1]:
            way(query)
    searcher.close()


def _largest() -> int:
    """Of this program alone where the system says so: `ru_maxrss` counts what the process was before it, too."""
    status = Path("/proc/self/status")
    if status.is_file():
        lines = status.read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    main()
