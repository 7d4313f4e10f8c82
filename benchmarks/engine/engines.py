"""The engines that are compared: ours first."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from benchmarks.engine.bm25s_engine import Bm25s
from benchmarks.engine.fts5 import Fts5
from benchmarks.engine.ours import Ours
from benchmarks.engine.rank_bm25_engine import RankBm25
from benchmarks.engine.searching import Engine
from benchmarks.engine.tantivy_engine import Tantivy

ENGINES: Final[Sequence[Engine]] = (Ours(), Fts5(), Tantivy(), Bm25s(), RankBm25())
NAMES: Final = tuple(engine.name for engine in ENGINES)


def engine_named(name: str) -> Engine:
    """The engine of that name. Raises KeyError where there is none."""
    return {engine.name: engine for engine in ENGINES}[name]


def versions() -> dict[str, str]:
    """What each engine is, and what bears on its speed."""
    packages = [*(engine.package for engine in ENGINES if engine.package), "numpy", "numba"]
    return {"SQLite": sqlite3.sqlite_version, **{name: said for name in packages if (said := _version(name))}}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
