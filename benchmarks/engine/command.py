"""What the command line of the benchmark takes, measures and writes."""

from __future__ import annotations

import argparse
import re
import shlex
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from benchmarks.engine import classes, cold, indexing, memory, updating
from benchmarks.engine.corpus import SEED
from benchmarks.engine.engines import ENGINES, NAMES, versions
from benchmarks.engine.figures import Figures
from benchmarks.engine.kept import Kept, figures_in
from benchmarks.engine.queries import CLASSES
from benchmarks.engine.results import PARTS, page
from benchmarks.engine.searching import Engine
from benchmarks.engine.vocabulary import Vocabulary
from benchmarks.machine import revision, this_machine

_SIZE: Final = re.compile(r"(\d+)([kM]?)")
_TIMES: Final = {"": 1, "k": 1_000, "M": 1_000_000}
_PAGE: Final = Path(__file__).resolve().parent.parent / "RESULTS.md"


def main() -> None:
    """Measures each size in turn, prints the page of results, and writes it."""
    arguments = _arguments()
    # A file that is changed to be indexed is changed back, however the benchmark ends.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    vocabulary = Vocabulary.make(SEED)
    for chunks in arguments.sizes:
        print(f"{chunks:,} chunks", file=sys.stderr, flush=True)
        kept = Kept.of(arguments.keep, chunks)
        for engine in ENGINES:
            if engine.name in arguments.rebuild:
                kept.forget(engine)
        _measure(kept, arguments, vocabulary)
    sizes = sorted(int(folder.name) for folder in arguments.keep.iterdir() if folder.name.isdigit())
    figures = [Figures(chunks, figures_in(arguments.keep / str(chunks))) for chunks in sizes]
    text = page([one for one in figures if one.parts], versions())
    print(text)
    if arguments.write:
        arguments.write.write_text(text, encoding="utf-8")


def size_of(text: str) -> int:
    """A number of chunks as it is written: 10k, 2M. Raises ValueError on anything else."""
    found = _SIZE.fullmatch(text.strip())
    if found is None or not int(found[1]):
        raise ValueError(f"not a number of chunks, as 10k or 2M: {text!r}")
    return int(found[1]) * _TIMES[found[2]]


def _measure(kept: Kept, arguments: argparse.Namespace, vocabulary: Vocabulary) -> None:
    engines: Sequence[Engine] = [engine for engine in ENGINES if engine.name in arguments.engines]
    whole = set(arguments.classes) == set(CLASSES) and set(arguments.engines) == set(NAMES)
    parts: Mapping[str, Callable[[], Mapping[str, Any]]] = {
        "memory": lambda: memory.peaks(kept, engines, vocabulary),
        "classes": lambda: classes.measure(kept, engines, vocabulary, arguments.classes),
        "indexing": lambda: indexing.measure(kept, engines),
        "cold": lambda: cold.seconds(kept, vocabulary),
        "updating": lambda: updating.measure(kept, vocabulary),
    }
    for part, measure in parts.items():
        if part in arguments.only:
            machine = this_machine()
            data = measure()
            print(f"  {part}: {data}" if part != "classes" else "", file=sys.stderr, flush=True)
            # A run of some classes or engines alone is for looking at, and no row of the tables.
            if whole:
                said = {"machine": asdict(machine), "revision": revision(), "command": _command(), "data": data}
                kept.note(part, said)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine", description=__doc__)
    parser.add_argument("--keep", type=Path, required=True, metavar="FOLDER", help="where corpora and indexes are kept")
    parser.add_argument("--sizes", default="10k,100k", metavar="LIST", help="numbers of chunks (10k,100k)")
    parser.add_argument("--only", default=",".join(PARTS), metavar="LIST", help=f"parts of {','.join(PARTS)}")
    parser.add_argument("--classes", default=",".join(CLASSES), metavar="LIST", help=f"of {','.join(CLASSES)}")
    parser.add_argument("--engines", default=",".join(NAMES), metavar="LIST", help=f"of {','.join(NAMES)}")
    parser.add_argument("--rebuild", default="", metavar="LIST", help="engines whose kept indexes are built anew")
    parser.add_argument("--write", type=Path, metavar="FILE", help=f"where the page goes, as {_PAGE.name}")
    arguments = parser.parse_args()
    known = {"only": PARTS, "classes": tuple(CLASSES), "engines": NAMES, "rebuild": NAMES}
    for name, choices in known.items():
        chosen = [one for one in getattr(arguments, name).split(",") if one]
        if wrong := [one for one in chosen if one not in choices]:
            parser.error(f"--{name}: there is no {', '.join(wrong)}; valid: {', '.join(choices)}")
        setattr(arguments, name, chosen)
    try:
        arguments.sizes = [size_of(one) for one in arguments.sizes.split(",")]
    except ValueError as error:
        parser.error(str(error))
    arguments.keep = arguments.keep.resolve()
    arguments.keep.mkdir(parents=True, exist_ok=True)
    return arguments


def _command() -> str:
    """The command as it was given, without where it keeps its files."""
    words = sys.argv[1:]
    kept = [word for before, word in zip(["", *words], words, strict=False) if "--keep" not in (before, word)]
    kept = [word for before, word in zip(["", *kept], kept, strict=False) if "--write" not in (before, word)]
    return shlex.join(["python", "-m", "benchmarks.engine", *kept])
