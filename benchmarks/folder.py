"""How fast and how small: one folder indexed, brought up to date and searched with the real program, in one run."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Final

from benchmarks.collecting import collect
from benchmarks.machine import Machine, this_machine
from benchmarks.queries import Drawn, draw_queries

if TYPE_CHECKING:
    from ragspine_tui.session import Session

LIBRARY: Final = "bench"
HITS: Final = 20
WARM_ROUNDS: Final = 5
COLD_RUNS: Final = 9
FRAME_RUNS: Final = 5
UPDATE_RUNS: Final = 3
COLUMNS, ROWS = 120, 36
FULL_FRAME: Final = ("Type to search", "economy ·", "1 library ·", "f1 help")


@dataclass(frozen=True, slots=True)
class Size:
    """What was indexed and how large it became; `file_bytes` as on disk, `text_bytes` as extracted and stored."""

    files: int
    documents: int
    chunks: int
    file_bytes: int
    text_bytes: int
    database_bytes: int


@dataclass(frozen=True, slots=True)
class Warm:
    """Seconds of searches in one open session: every query `WARM_ROUNDS` times after once unmeasured."""

    median: float
    p95: float
    by_kind: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Figures:
    """All that one run measured; times in seconds."""

    machine: Machine
    size: Size
    index_seconds: float
    index_peak_bytes: int
    update_seconds: float
    warm: Warm
    cold_search_seconds: float
    first_frame_seconds: float


def main() -> None:
    """The command: measures a folder and prints a Markdown table, or JSON."""
    arguments = _arguments()
    if arguments.collect:
        copied = collect(arguments.roots, arguments.collect, arguments.folder)
        print(f"{copied} documents copied", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="ragspine-bench-") as home:
        figures = measure(arguments.folder, Path(home) / "home")
    print(json.dumps(asdict(figures)) if arguments.json else table(figures))


def measure(folder: Path, home: Path) -> Figures:
    """Index `folder` in the new `home` and measure everything."""
    machine = this_machine()
    # First, while this process is small: a child's peak memory counts what its parent held when it started.
    index_seconds, peak = _index(folder, home)
    update = statistics.median(_timed(lambda: _program(home, "index")) for _ in range(UPDATE_RUNS))
    size, queries, warm = _searches(folder, home)
    cold = statistics.median(
        _timed(lambda: _program(home, "search", "-k", str(HITS), "--", queries[-1].text)) for _ in range(COLD_RUNS)
    )
    frame = statistics.median(_first_frame(home) for _ in range(FRAME_RUNS))
    return Figures(machine, size, index_seconds, peak, update, warm, cold, frame)


def table(figures: Figures) -> str:
    """The figures as a Markdown table."""
    size, warm, machine = figures.size, figures.warm, figures.machine
    kinds = ", ".join(f"{kind} {_ms(seconds)}" for kind, seconds in warm.by_kind.items())
    rows = [
        *machine.rows(),
        ("files", f"{size.files:,} ({_mb(size.file_bytes)})"),
        ("passages", f"{size.chunks:,} of {size.documents:,} documents ({_mb(size.text_bytes)} of text)"),
        ("index a new home", f"{figures.index_seconds:.1f} s"),
        ("peak memory while indexing", _mb(figures.index_peak_bytes)),
        ("database", f"{_mb(size.database_bytes)} ({size.database_bytes / max(1, size.text_bytes):.2f} of the text)"),
        ("`index` when nothing changed", f"{figures.update_seconds:.2f} s"),
        ("warm search, median", f"{_ms(warm.median)} ({kinds})"),
        ("warm search, p95", _ms(warm.p95)),
        ("cold `ragspine-tui search`", _ms(figures.cold_search_seconds)),
        (f"start to the first full frame, {COLUMNS}x{ROWS}", _ms(figures.first_frame_seconds)),
    ]
    return "\n".join(["| what | figure |", "|---|---|", *(f"| {what} | {figure} |" for what, figure in rows)])


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.folder", description=__doc__)
    parser.add_argument("folder", type=Path, help="the documents; with --collect, the new folder to copy them to")
    parser.add_argument("--collect", type=int, metavar="N", help="first copy N Markdown and HTML files into FOLDER")
    parser.add_argument(
        "--from", dest="roots", type=Path, action="append", default=[], metavar="ROOT", help="where to look for them"
    )
    parser.add_argument("--json", action="store_true", help="JSON instead of a table")
    arguments = parser.parse_args()
    if arguments.collect and (not arguments.roots or arguments.folder.exists()):
        parser.error("--collect needs --from ROOT and a FOLDER that does not exist yet")
    if not arguments.collect and not arguments.folder.is_dir():
        parser.error(f"there is no folder {arguments.folder}")
    return arguments


def _index(folder: Path, home: Path) -> tuple[float, int]:
    start = perf_counter()
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(_command(home, "add", "--id", LIBRARY, str(folder)), stdin=quiet, stdout=quiet)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = perf_counter() - start
    _check(process.returncode)
    return seconds, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _searches(folder: Path, home: Path) -> tuple[Size, list[Drawn], Warm]:
    from ragspine_tui.config import ServiceConfig
    from ragspine_tui.retrieval.lexical.language import function_words
    from ragspine_tui.session import Session

    database = sum(path.stat().st_size for path in home.iterdir() if path.is_file())
    with Session.open(ServiceConfig.load(home=home, environ={})) as session:
        summary = session.libraries()[0]
        queries = draw_queries(_texts(session.database_path), function_words(summary.indexed_language))
        warm = _warm(session, queries)
    files = [path for path in folder.rglob("*") if path.is_file()]
    size = Size(
        files=len(files),
        documents=summary.documents,
        chunks=summary.chunks,
        file_bytes=sum(path.stat().st_size for path in files),
        text_bytes=summary.text_bytes,
        database_bytes=database,
    )
    return size, queries, warm


def _texts(database: Path) -> Iterator[str]:
    from storage.store import Store

    store = Store(database)
    try:
        for known in store.known_documents(LIBRARY).values():
            yield store.text_of(known.document_id)
    finally:
        store.close()


def _warm(session: Session, queries: Sequence[Drawn]) -> Warm:
    from ragspine_tui.types import SearchRequest

    requests = [(query.kind, SearchRequest(query.text, limit=HITS)) for query in queries]
    for _, request in requests:
        session.search(request)
    taken: dict[str, list[float]] = {}
    for _ in range(WARM_ROUNDS):
        for kind, request in requests:
            taken.setdefault(kind, []).append(_timed(partial(session.search, request)))
    everything = [seconds for samples in taken.values() for seconds in samples]
    p95 = statistics.quantiles(everything, n=20)[-1]
    by_kind = {kind: statistics.median(samples) for kind, samples in taken.items()}
    return Warm(statistics.median(everything), p95, by_kind)


def _first_frame(home: Path) -> float:
    from tests.e2e.terminal import Terminal

    environ = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    start = perf_counter()
    with Terminal(_command(home), environ, COLUMNS, ROWS) as terminal:
        terminal.wait_for(*FULL_FRAME)
        return perf_counter() - start


def _command(home: Path, *arguments: str) -> list[str]:
    command, *rest = arguments or ("",)
    return [sys.executable, "-m", "ragspine_tui", *([command] if command else []), "--home", str(home), *rest]


def _program(home: Path, *arguments: str) -> None:
    quiet, pipe = subprocess.DEVNULL, subprocess.PIPE
    run = subprocess.run(_command(home, *arguments), stdin=quiet, stdout=quiet, stderr=pipe, text=True, check=False)
    _check(run.returncode, run.stderr)


def _check(code: int, said: str = "") -> None:
    # 3 is an answer too: files with problems, or hits whose files changed since.
    if code not in (0, 3):
        raise SystemExit(f"ragspine-tui ended with {code} {said}".rstrip())


def _timed(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms" if seconds < 0.1 else f"{seconds * 1000:.0f} ms"


def _mb(size: int) -> str:
    return f"{size / 1e6:.1f} MB"


if __name__ == "__main__":
    main()
