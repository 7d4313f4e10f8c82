"""The tables of `benchmarks/RESULTS.md`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from benchmarks.engine.figures import Figures, quotient
from benchmarks.engine.ours import ENGINE
from benchmarks.engine.queries import CLASSES
from benchmarks.engine.targets import TARGETS, shown
from benchmarks.machine import table

PARTS: Final = ("classes", "memory", "indexing", "cold", "updating")

_COLD: Final = ("rare", "middling", "common")
_HEAD: Final = """# The engine and its peers

Written by `make bench`; [docs/benchmarks.md](../docs/benchmarks.md) says how each figure is taken and what it means.

A ratio is a peer's figure over ours, of the same run: above 1 ours is faster, or smaller. Times are the processor's,
which on a machine with nothing else to do are the clock's; the pipeline's MB/s are by the clock.
"""


def page(sizes: Sequence[Figures], versions: dict[str, str]) -> str:
    """The whole page."""
    said = ", ".join(f"{name} {version}" for name, version in versions.items())
    pieces = [_HEAD.rstrip(), f"Versions: {said}.", "## Targets", targets(sizes)]
    pieces += [
        "Each target is for 500,000 chunks, but for that of rank_bm25, which is for 50,000. A dash was not measured."
    ]
    for figures in sizes:
        pieces += [f"## {figures.chunks:,} chunks", *_of_size(figures)]
    return "\n\n".join(pieces) + "\n"


def targets(sizes: Sequence[Figures]) -> str:
    """Every target a row, every size a column."""
    head = ("target", "wanted", *(f"{figures.chunks:,}" for figures in sizes))
    return table(head, [(one.text, one.wanted(), *(one.verdict(figures) for figures in sizes)) for one in TARGETS])


def _of_size(figures: Figures) -> Iterator[str]:
    if "classes" in figures.parts:
        yield classes(figures)
        yield cost(figures)
        if not figures.parts["classes"]["data"]["classes"].get("phrase", {}).get("phrases"):
            yield "Quotes are no phrase to ours in this run: its phrase class is of the plain words."
    if sizes_and_times := other(figures):
        yield sizes_and_times
    if "updating" in figures.parts or "cold" in figures.parts:
        yield app(figures)
    yield table(("part", "measured", "load", "revision", "command"), list(_when(figures)))


def classes(figures: Figures) -> str:
    """Each class a row: median and p95 of each way in milliseconds, and the ratio of its median to ours."""
    ways = figures.ways()
    rows = [
        (CLASSES[kind], *(_cell(figures, kind, way) for way in ways))
        for kind in CLASSES
        if figures.median(kind) is not None
    ]
    return "Median / p95 in milliseconds of the processor; the ratio of medians to ours.\n\n" + table(
        ("class", *ways), rows
    )


def cost(figures: Figures) -> str:
    """What a posting costs ours."""
    base, each, r2, exponent = (figures.number("classes", "cost", name) for name in ("base", "each", "r2", "exponent"))
    if base is None or each is None or r2 is None or exponent is None:
        return "No fit of the cost against postings."
    return (
        f"Over the plain classes, ours takes {base * 1e6:,.0f} us and {each * 1e9:.2f} ns for each posting of the"
        f" query's terms (R2 {r2:.2f}); by logarithms it grows with the postings to the power {exponent:.2f}."
    )


def other(figures: Figures) -> str:
    """Each engine a row: the time to build, what it has on disk, the memory to search."""
    memory = figures.parts.get("memory", {}).get("data", {})
    indexing = figures.parts.get("indexing", {}).get("data", {})
    names = list(dict.fromkeys([*indexing.get("seconds", {}), *memory.get("peaks", {})]))
    rows = [
        (
            name,
            _ratioed(figures.number("indexing", "seconds", name), figures.number("indexing", "seconds", "ours"), "s"),
            _ratioed(_mb(figures, "indexing", "bytes", name), _mb(figures, "indexing", "bytes", "ours"), "MB"),
            _ratioed(_mb(figures, "memory", "peaks", name), _mb(figures, "memory", "peaks", "ours"), "MB"),
        )
        for name in names
    ]
    return table(("engine", "index itself", "index on disk", "memory to search"), rows) if rows else ""


def app(figures: Figures) -> str:
    """What only ours has: the pipeline, updates, cold searches."""
    rows = [
        ("`add` of all Markdown files", ("indexing", "pipeline", "cpu_seconds"), ("indexing", "pipeline", "seconds")),
        ("a changed file by `index`, median of 5", ("updating", "by_index"), ("updating", "by_index_clock")),
        ("its document alone, median", ("updating", "alone"), ("updating", "alone_clock")),
        ("its document alone, p95", ("updating", "alone_p95"), ()),
        ("its document alone, most", ("updating", "alone_most"), ()),
        *((f"cold search, a {kind} word", ("cold", kind, "seconds"), ("cold", kind, "clock")) for kind in _COLD),
    ]
    return table(
        ("of ours alone", "processor", "clock"),
        [(what, _seconds(figures, processor), _seconds(figures, clock)) for what, processor, clock in rows],
    )


def _cell(figures: Figures, kind: str, way: str) -> str:
    median, p95 = figures.median(kind, way), figures.p95(kind, way)
    if median is None or p95 is None:
        return "-"
    times = f"{_ms(median)} / {_ms(p95)}"
    ratio = figures.ratio(kind, way)
    return times if way == ENGINE or ratio is None else f"{times}, {shown(ratio, 'x')}"


def _ratioed(value: float | None, ours: float | None, unit: str) -> str:
    if value is None:
        return "-"
    ratio = quotient(value, ours)
    return shown(value, unit) if ratio is None else f"{shown(value, unit)}, {shown(ratio, 'x')}"


def _mb(figures: Figures, *names: str) -> float | None:
    value = figures.number(names[0], *names[1:])
    return None if value is None else value / 1e6


def _seconds(figures: Figures, names: Sequence[str]) -> str:
    value = figures.number(names[0], *names[1:]) if names else None
    if value is None:
        return "-"
    return shown(value, "s") if value >= 10 else shown(value * 1000, "ms")


def _ms(seconds: float) -> str:
    ms = seconds * 1000
    return f"{ms:.0f}" if ms >= 100 else f"{ms:.1f}" if ms >= 10 else f"{ms:.2f}" if ms >= 0.1 else f"{ms:.3f}"


def _when(figures: Figures) -> Iterator[tuple[str, ...]]:
    for part in PARTS:
        said: dict[str, Any] = figures.parts.get(part, {})
        if said:
            machine = said["machine"]
            measured = f"{machine['date']}, Python {machine['python']}, {machine['system']}, {machine['cores']} cores"
            yield part, measured, str(machine["load"]), said["revision"], f"`{said['command']}`"
