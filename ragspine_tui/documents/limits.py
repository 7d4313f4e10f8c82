"""What reading one file may take before it is given up: time, memory, size."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ragspine_tui.documents.opening import MAX_BYTES

_SECONDS_A_BYTE = 4e-6


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """`seconds` for opening and decoding a file, `memory` in bytes beyond what a reading process has, `size` in bytes.

    Time and memory bind processes that do nothing but read.
    """

    seconds: float = 30.0
    memory: int = 2 * 1024**3
    size: int = MAX_BYTES

    def for_text(self, length: int) -> float:
        """Seconds for working on `length` bytes or characters of text: these are many in a good file, too."""
        return self.seconds + length * _SECONDS_A_BYTE


def bound_memory(limits: ReadLimits) -> None:
    """Let this process grow by no more than its limit, where the system can hold it to that."""
    try:
        import resource
    except ImportError:
        return
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if sys.platform.startswith("linux"):
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            most = pages * resource.getpagesize() + limits.memory
            resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))
