"""What the engine is to reach, each target as a number that can be met or missed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from benchmarks.engine.figures import Figures, quotient
from benchmarks.engine.queries import CLASSES, PLAIN, TWIN


@dataclass(frozen=True, slots=True)
class Reached:
    """A target's figure, and the class it is of where the worst of several counts."""

    value: float
    where: str = ""


@dataclass(frozen=True, slots=True)
class Target:
    """A figure that is to be at least, or else at most, `bound`; `text` says which figure, `unit` what it counts."""

    text: str
    measure: Callable[[Figures], Reached | None]
    bound: float
    at_least: bool = True
    unit: str = "x"

    def is_met(self, value: float) -> bool:
        """Whether a figure reaches it."""
        return value >= self.bound if self.at_least else value <= self.bound

    def wanted(self) -> str:
        """The bound as the table shows it."""
        return f"{'>=' if self.at_least else '<='} {shown(self.bound, self.unit)}"

    def verdict(self, figures: Figures) -> str:
        """The figure with met or missed; a dash where it was not measured."""
        reached = self.measure(figures)
        if reached is None:
            return "-"
        said = "met" if self.is_met(reached.value) else "**missed**"
        where = f" ({reached.where})" if reached.where else ""
        return f"{shown(reached.value, self.unit)}{where} {said}"


def shown(value: float, unit: str) -> str:
    """A figure with its unit, in three digits or so."""
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{digits}f}" + (unit if unit == "x" or not unit else f" {unit}")


def slowest_ratio(figures: Figures, ways: Iterable[str], kinds: Iterable[str]) -> Reached | None:
    """The smallest ratio of any of the ways to ours, of any class."""
    found = [
        Reached(ratio, CLASSES[kind])
        for kind in kinds
        for way in ways
        if (ratio := figures.ratio(kind, way)) is not None
    ]
    return min(found, key=lambda one: one.value, default=None)


def ratio(figures: Figures, way: str, kind: str) -> Reached | None:
    """How many times as long as ours a peer takes."""
    return reached(figures.ratio(kind, way))


def inverse(figures: Figures, way: str, kinds: Sequence[str]) -> Reached | None:
    """How many times as long as a peer ours takes, at most."""
    found = [
        Reached(value, CLASSES[kind] if len(kinds) > 1 else "")
        for kind in kinds
        if (value := quotient(figures.median(kind), figures.median(kind, way))) is not None
    ]
    return max(found, key=lambda one: one.value, default=None)


def to_twin(figures: Figures, kind: str) -> Reached | None:
    """Ours against ours without the prefix or the filter."""
    return reached(quotient(figures.median(kind), figures.median(TWIN[kind])))


def spread(figures: Figures) -> Reached | None:
    """The largest p95 as a multiple of its median."""
    found = [
        Reached(value, CLASSES[kind])
        for kind in CLASSES
        if (value := quotient(figures.p95(kind), figures.median(kind))) is not None
    ]
    return max(found, key=lambda one: one.value, default=None)


def number(figures: Figures, part: str, *names: str, scale: float = 1.0) -> Reached | None:
    """A figure as it was measured, times `scale`."""
    value = figures.number(part, *names)
    return None if value is None else Reached(value * scale)


def cold(figures: Figures) -> Reached | None:
    """The slowest of the cold searches, in milliseconds."""
    found = [
        Reached(value * 1000, f"{kind} word")
        for kind in ("rare", "middling", "common")
        if (value := figures.number("cold", kind, "seconds")) is not None
    ]
    return max(found, key=lambda one: one.value, default=None)


def insert_speed(figures: Figures) -> Reached | None:
    """Chunks a second as a share of FTS5's."""
    return reached(
        quotient(figures.number("indexing", "seconds", "fts5"), figures.number("indexing", "seconds", "ours"))
    )


def processor_speed(figures: Figures) -> Reached | None:
    """MB of Markdown for each second that processors worked: what two cores reach at most is twice that."""
    seconds, work = (figures.number("indexing", "pipeline", name) for name in ("seconds", "cpu_seconds"))
    speed = figures.number("indexing", "pipeline", "mb_per_second")
    return reached(quotient(speed * seconds, work)) if speed is not None and seconds is not None else None


def reached(value: float | None) -> Reached | None:
    """A figure, if there is one."""
    return None if value is None else Reached(value)


TARGETS: Final = (
    Target("FTS5 over ours, slowest class", partial(slowest_ratio, ways=("fts5",), kinds=tuple(CLASSES)), 1.0),
    Target("bm25s over ours, slowest class", partial(slowest_ratio, ways=("bm25s",), kinds=tuple(CLASSES)), 1.0),
    Target(
        "bm25s with numba over ours, slowest class",
        partial(slowest_ratio, ways=("bm25s, numba",), kinds=tuple(CLASSES)),
        1.0,
    ),
    Target("FTS5 over ours, 3 common", partial(ratio, way="fts5", kind="common"), 20.0),
    Target("FTS5 over ours, 5 mixed", partial(ratio, way="fts5", kind="mixed"), 20.0),
    Target("ours over tantivy, 3 middling", partial(inverse, way="tantivy", kinds=("middling",)), 3.0, at_least=False),
    Target("ours over tantivy, 3 common", partial(inverse, way="tantivy", kinds=("common",)), 1.5, at_least=False),
    Target("ours over tantivy, 5 mixed", partial(inverse, way="tantivy", kinds=("mixed",)), 1.5, at_least=False),
    Target(
        "ours over tantivy, rare", partial(inverse, way="tantivy", kinds=("rare", "rare+middling")), 6.0, at_least=False
    ),
    Target("rank_bm25 over ours, slowest plain class", partial(slowest_ratio, ways=("rank_bm25",), kinds=PLAIN), 100.0),
    Target("prefix as typed over 3 middling", partial(to_twin, kind="prefix"), 2.0, at_least=False),
    Target("filtered over 5 mixed", partial(to_twin, kind="filtered"), 2.0, at_least=False),
    Target("p95 over median, worst class", spread, 3.0, at_least=False),
    Target("growth with postings, exponent", lambda one: number(one, "classes", "cost", "exponent"), 1.0, False, ""),
    Target(
        "memory of a searching process",
        lambda one: number(one, "memory", "peaks", "ours", scale=1e-6),
        300.0,
        False,
        "MB",
    ),
    Target("speed of the index itself, of FTS5's", insert_speed, 0.5),
    Target("whole pipeline", lambda one: number(one, "indexing", "pipeline", "mb_per_second"), 8.0, True, "MB/s"),
    Target("whole pipeline, of one processor's time", processor_speed, 4.0, True, "MB/s"),
    Target(
        "memory of indexing",
        lambda one: number(one, "indexing", "pipeline", "peak_bytes", scale=1e-6),
        600.0,
        False,
        "MB",
    ),
    Target(
        "a changed file, by `index`", lambda one: number(one, "updating", "by_index", scale=1e3), 200.0, False, "ms"
    ),
    Target(
        "a changed file, its document alone",
        lambda one: number(one, "updating", "alone", scale=1e3),
        200.0,
        False,
        "ms",
    ),
    Target("queries after 1,000 updates, over before", lambda one: number(one, "updating", "slowdown"), 1.5, False),
    Target("database after 1,000 updates, over before", lambda one: number(one, "updating", "growth"), 1.2, False),
    Target("cold search by the command line", cold, 600.0, False, "ms"),
)
