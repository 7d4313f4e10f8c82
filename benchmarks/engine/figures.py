"""What was measured at one size, as targets and tables ask for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.engine.ours import ENGINE
from benchmarks.engine.queries import CLASSES


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one size by part. What was not measured is None."""

    chunks: int
    parts: Mapping[str, Any]

    def number(self, part: str, *names: str) -> float | None:
        """A figure of a part by its names, from the outermost on."""
        found: Any = self.parts.get(part)
        for name in ("data", *names):
            found = found.get(name) if isinstance(found, Mapping) else None
        return float(found) if isinstance(found, int | float) else None

    def median(self, kind: str, way: str = ENGINE) -> float | None:
        """A way's median for a class, in seconds."""
        return self.number("classes", "classes", kind, "times", way, "median")

    def p95(self, kind: str, way: str = ENGINE) -> float | None:
        """A way's p95 for a class, in seconds."""
        return self.number("classes", "classes", kind, "times", way, "p95")

    def ratio(self, kind: str, way: str) -> float | None:
        """How many times as long as ours another takes for a class: above 1, ours is faster."""
        return quotient(self.median(kind, way), self.median(kind))

    def ways(self) -> list[str]:
        """Every way to search that some class was measured by, in the order they were."""
        classes = (self.parts.get("classes") or {"data": {"classes": {}}})["data"]["classes"]
        return list(dict.fromkeys(way for kind in CLASSES if kind in classes for way in classes[kind]["times"]))


def quotient(one: float | None, other: float | None) -> float | None:
    """The quotient, None where a figure is missing or nothing can be divided by it."""
    return one / other if one is not None and other else None
