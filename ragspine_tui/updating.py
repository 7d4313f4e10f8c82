"""Bringing libraries up to date as the settings of a run say."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Final

from ragspine_tui.config import ServiceConfig
from ragspine_tui.documents.limits import ReadLimits
from ragspine_tui.ingest import Ingest
from ragspine_tui.types import Library, Progress
from storage.store import Store

MOST_WORKERS: Final = 8
_MB: Final = 1024**2


def ingest_of(
    config: ServiceConfig,
    store: Store,
    library: Library,
    progress: Callable[[Progress], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    *,
    with_workers: bool = False,
    retry: bool = False,
) -> Ingest:
    """What brings a library up to date; the home itself is never a document."""
    return Ingest(
        store,
        library,
        progress or (lambda _: None),
        cancelled or (lambda: False),
        skip=(config.home,),
        workers=workers_of(config.workers) if with_workers else 0,
        limits=ReadLimits(config.read_seconds, config.read_memory_mb * _MB, config.max_file_mb * _MB),
        retry=retry,
    )


def workers_of(configured: int | None) -> int:
    """How many processes read files: as configured, else as many as this machine has use for."""
    if configured is not None:
        return configured
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(allowed, MOST_WORKERS)
