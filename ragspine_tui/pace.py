"""How fast a run goes and what is left of it, in words; the times are the caller's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ragspine_tui.types import Progress

_SECONDS: Final = 1.0
"""Sooner nothing can be said of a pace."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Bytes a second since the run began, and the seconds that the rest takes at that."""

    rate: float
    left: float


class Pacing:
    """Follows one run after the other."""

    def __init__(self) -> None:
        self._begun: tuple[str, int, float, int] | None = None
        self._last = 0

    def at(self, progress: Progress, now: float) -> Pace | None:
        """The pace at a progress seen at `now` (seconds of any clock); None where it cannot be told yet."""
        run = (progress.library_id, progress.bytes_total)
        if self._begun is None or self._begun[:2] != run or progress.bytes_done < self._last:
            self._begun = (*run, now, progress.bytes_done)
        self._last = progress.bytes_done
        seconds, done = now - self._begun[2], progress.bytes_done - self._begun[3]
        if seconds < _SECONDS or done <= 0:
            return None
        rate = done / seconds
        return Pace(rate, (progress.bytes_total - progress.bytes_done) / rate)


def progress_parts(progress: Progress, pace: Pace | None) -> list[str]:
    """`12.3 of 80.1 MB`, `3.4 MB/s`, `20 s left`, as far as they are known."""
    parts = []
    if progress.bytes_total:
        parts.append(f"{_mb(progress.bytes_done)} of {_mb(progress.bytes_total)} MB")
    if pace is not None:
        parts += [f"{_mb(pace.rate)} MB/s", f"{_duration(pace.left)} left"]
    return parts


def _mb(count: float) -> str:
    return f"{count / 1_000_000:,.1f}"


def _duration(seconds: float) -> str:
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    if seconds < 99.5 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:,.0f} h"
