"""Who may import whom, read from the source: docs/architecture.md draws the picture, this holds it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parent.parent
PACKAGES: Final = ("ragspine_tui", "storage")

LAYER_OF: Final[Mapping[str, str]] = {
    "ragspine_tui": "root",
    "ragspine_tui.types": "types",
    "ragspine_tui.errors": "errors",
    "ragspine_tui.specs": "specs",
    "ragspine_tui.printable": "printable",
    "ragspine_tui.locations": "locations",
    "ragspine_tui.config": "config",
    "ragspine_tui.synonyms": "config",
    "storage": "storage",
    "ragspine_tui.documents": "documents",
    "ragspine_tui.retrieval": "retrieval",
    "ragspine_tui.retrieval.chunking": "retrieval.chunking",
    "ragspine_tui.retrieval.lexical": "retrieval.lexical",
    "ragspine_tui.retrieval.link": "retrieval.link",
    "ragspine_tui.retrieval.rerank": "retrieval.rerank",
    "ragspine_tui.ingest": "ingest",
    "ragspine_tui.entries": "ingest",
    "ragspine_tui.groups": "ingest",
    "ragspine_tui.workers": "ingest",
    "ragspine_tui.reading": "ingest",
    "ragspine_tui.watch": "ingest",
    "ragspine_tui.settling": "ingest",
    "ragspine_tui.volumes": "ingest",
    "ragspine_tui.absence": "ingest",
    "ragspine_tui.given": "ingest",
    "ragspine_tui.renames": "ingest",
    "ragspine_tui.restricting": "ingest",
    "ragspine_tui.session": "session",
    "ragspine_tui.wiring": "session",
    "ragspine_tui.updating": "session",
    "ragspine_tui.showing": "session",
    "ragspine_tui.watching": "session",
    "ragspine_tui.library_form": "session",
    "ragspine_tui.restrictions": "session",
    "ragspine_tui.attention": "session",
    "ragspine_tui.evaluation": "evaluation",
    "ragspine_tui.json_output": "json_output",
    "ragspine_tui.pace": "json_output",
    "ragspine_tui.tui": "tui",
    "ragspine_tui.cli": "cli",
    "ragspine_tui.__main__": "main",
}
"""Each module belongs to the longest prefix named here; anything directly under the root must be named itself."""

VALUES: Final = frozenset({"root", "types", "errors"})
RETRIEVAL: Final = frozenset({"retrieval", "retrieval.chunking", "retrieval.lexical"})
EXITS: Final = frozenset({"retrieval.link", "retrieval.rerank"})
BELOW_SESSION: Final = (
    VALUES | RETRIEVAL | EXITS | {"specs", "printable", "locations", "config", "storage", "documents", "ingest"}
)
DOOR: Final = VALUES | {"session", "evaluation", "config", "locations", "specs", "printable", "json_output"}

MAY_IMPORT: Final[Mapping[str, frozenset[str]]] = {
    "root": frozenset(),
    "types": frozenset(),
    "errors": frozenset(),
    "specs": frozenset(),
    "printable": frozenset(),
    "locations": VALUES,
    "config": VALUES | {"locations", "specs"},
    "storage": VALUES,
    "documents": VALUES,
    "retrieval": VALUES | RETRIEVAL | EXITS | {"specs"},
    "retrieval.chunking": VALUES | RETRIEVAL | {"specs"},
    "retrieval.lexical": VALUES | RETRIEVAL | {"specs"},
    "retrieval.link": VALUES,
    "retrieval.rerank": VALUES,
    "ingest": VALUES | {"storage", "documents", "retrieval.chunking", "retrieval.lexical"},
    "session": BELOW_SESSION,
    "evaluation": BELOW_SESSION | {"session"},
    "json_output": VALUES | {"printable"},
    "tui": DOOR,
    "cli": DOOR | {"tui"},
    "main": DOOR | {"cli", "tui"},
}
"""The layers a layer may import beside itself."""

ALONE: Final[Mapping[str, frozenset[str]]] = {
    "sqlite3": frozenset({"storage"}),
    "sqlite_utils": frozenset({"storage"}),
    "platformdirs": frozenset({"locations"}),
    "rapidfuzz": frozenset({"retrieval"}),
    "rank_bm25": frozenset({"retrieval.lexical"}),
    "Stemmer": frozenset({"retrieval.lexical"}),
    "stopwords": frozenset({"retrieval.lexical"}),
    "numpy": frozenset({"storage", "retrieval", "retrieval.lexical", "ingest", "session"}),
    "watchfiles": frozenset({"ingest"}),
    "textual": frozenset({"tui"}),
    "rich": frozenset({"tui"}),
    "click": frozenset({"cli", "main"}),
}
"""Who alone may import a library. Every other library that is not Python's own is a format library of `documents`."""

ANYONE: Final = frozenset(MAY_IMPORT)
DOCUMENTS: Final = frozenset({"documents"})


@dataclass(frozen=True)
class Import:
    """One imported module; `eager` where importing the importer imports it too."""

    target: str
    line: int
    eager: bool


class _Imports(ast.NodeVisitor):
    def __init__(self, modules: frozenset[str]) -> None:
        self.modules = modules
        self.found: list[Import] = []
        self.relative: list[int] = []
        self.eager = True

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._add(alias.name, node.lineno)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.level:
            self.relative.append(node.lineno)
            return
        base = node.module or ""
        for name in (alias.name for alias in node.names):
            inner = f"{base}.{name}"
            self._add(inner if inner in self.modules or inner in LAYER_OF else base, node.lineno)

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called in ("import_module", "__import__") and node.args and isinstance(node.args[0], ast.Constant):
            self._add(str(node.args[0].value), node.lineno)
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        if "TYPE_CHECKING" in ast.unparse(node.test):
            self._lazily(node.body)
            self.generic_visit(ast.Module(node.orelse, []))
        else:
            self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._lazily(node.body)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._lazily(node.body)

    def _lazily(self, nodes: Iterable[ast.stmt]) -> None:
        before, self.eager = self.eager, False
        for child in nodes:
            self.visit(child)
        self.eager = before

    def _add(self, target: str, line: int) -> None:
        self.found.append(Import(target, line, self.eager))


def modules_under(root: Path) -> dict[str, Path]:
    """Every module of the packages by its dotted name."""
    found = {}
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def layer_of(module: str) -> str | None:
    """The layer of the longest named prefix, None where only the root package's name fits."""
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        prefix = ".".join(parts[:length])
        if prefix in LAYER_OF and (prefix != "ragspine_tui" or length == len(parts)):
            return LAYER_OF[prefix]
    return None


def violations(root: Path) -> list[str]:
    """Everything under `root` that breaks a rule, one line each."""
    modules = modules_under(root)
    known = frozenset(modules)
    found: list[str] = []
    eager: dict[str, set[str]] = {}
    for module, path in modules.items():
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        imports = _Imports(known)
        imports.visit(tree)
        found += [f"{module}:{line}: relative import" for line in imports.relative]
        found += _wrong_arrows(module, imports.found)
        if path.name == "__init__.py":
            found += _wrong_init(module, tree)
        eager[module] = {each.target for each in imports.found if each.eager and each.target in known} - {module}
    return found + _cycles(eager)


def _wrong_arrows(module: str, imports: Iterable[Import]) -> Iterator[str]:
    layer = layer_of(module)
    if layer is None:
        yield f"{module}: belongs to no layer"
        return
    for each in imports:
        top = each.target.split(".")[0]
        if top in PACKAGES:
            target = layer_of(each.target)
            if target != layer and target not in MAY_IMPORT[layer]:
                yield f"{module}:{each.line}: {layer} may not import {each.target} ({target})"
        elif layer not in ALONE.get(top, ANYONE if top in sys.stdlib_module_names else DOCUMENTS):
            yield f"{module}:{each.line}: {layer} may not import {top}"


def _wrong_init(module: str, tree: ast.Module) -> Iterator[str]:
    for place, node in enumerate(tree.body):
        docstring = place == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        public_names = isinstance(node, ast.Assign) and [ast.unparse(name) for name in node.targets] == ["__all__"]
        if not (docstring or public_names or isinstance(node, ast.ImportFrom)):
            yield f"{module}:{node.lineno}: more than public names in __init__.py"


def _cycles(edges: Mapping[str, set[str]]) -> list[str]:
    """One line for each module that reaches itself through imports made at import time."""
    found = []
    for start in sorted(edges):
        seen: set[str] = set()
        waiting = sorted(edges[start])
        while waiting:
            module = waiting.pop()
            if module not in seen:
                seen.add(module)
                waiting.extend(sorted(edges.get(module, ())))
        if start in seen:
            found.append(f"{start}: import cycle")
    return found


def test_the_source_keeps_every_layer_rule() -> None:
    assert violations(ROOT) == []


def test_every_layer_has_a_row_in_the_table() -> None:
    assert set(LAYER_OF.values()) == set(MAY_IMPORT)
    assert set().union(*MAY_IMPORT.values(), *ALONE.values()) <= set(MAY_IMPORT)


@pytest.mark.parametrize(
    ("path", "source", "told"),
    [
        ("ragspine_tui/types.py", "import ragspine_tui.errors", "types may not import ragspine_tui.errors"),
        ("ragspine_tui/documents/reader.py", "from ragspine_tui import config", "may not import ragspine_tui.config"),
        ("ragspine_tui/retrieval/pipeline.py", "import storage.store", "retrieval may not import storage.store"),
        ("ragspine_tui/retrieval/query.py", "from ragspine_tui.documents import reader", "ragspine_tui.documents"),
        ("ragspine_tui/retrieval/link/exit.py", "import ragspine_tui.retrieval.rerank.exit", "retrieval.rerank"),
        ("ragspine_tui/retrieval/rerank/exit.py", "import ragspine_tui.retrieval.link.exit", "retrieval.link"),
        ("storage/store.py", "from ragspine_tui.session import Session", "storage may not import"),
        ("ragspine_tui/tui/app.py", "def f():\n    import storage.store", "tui may not import storage.store"),
        ("ragspine_tui/tui/app.py", "from ragspine_tui.cli import app", "tui may not import"),
        ("ragspine_tui/cli/app.py", "import importlib\nimportlib.import_module('storage.store')", "cli may not import"),
        ("ragspine_tui/session.py", "from ragspine_tui.tui import app", "session may not import"),
        ("ragspine_tui/session.py", "import sqlite3", "session may not import sqlite3"),
        ("ragspine_tui/session.py", "from sqlite_utils import Database", "session may not import sqlite_utils"),
        ("ragspine_tui/config.py", "import platformdirs", "config may not import platformdirs"),
        ("ragspine_tui/retrieval/pipeline.py", "from rank_bm25 import BM25Plus", "may not import rank_bm25"),
        ("ragspine_tui/retrieval/routing/router.py", "import Stemmer", "may not import Stemmer"),
        ("ragspine_tui/cli/app.py", "from rich.console import Console", "cli may not import rich"),
        ("ragspine_tui/tui/app.py", "import click", "tui may not import click"),
        ("ragspine_tui/tui/app.py", "if TYPE_CHECKING:\n    import numpy", "tui may not import numpy"),
        ("ragspine_tui/ingest.py", "import yaml", "ingest may not import yaml"),
        ("ragspine_tui/session.py", "import selectolax.parser", "session may not import selectolax"),
        ("ragspine_tui/documents/reader.py", "from . import markdown", "relative import"),
        ("ragspine_tui/helpers.py", "", "belongs to no layer"),
        ("ragspine_tui/tui/__init__.py", "VERSION = 1", "more than public names"),
        ("ragspine_tui/tui/__init__.py", "import os", "more than public names"),
    ],
)
def test_a_planted_violation_is_found(tmp_path: Path, path: str, source: str, told: str) -> None:
    plant(tmp_path, path, source)
    assert any(told in line for line in violations(tmp_path)), violations(tmp_path)


def test_a_planted_cycle_is_found_and_a_lazy_import_is_none(tmp_path: Path) -> None:
    plant(tmp_path, "storage/a.py", "from storage import b")
    plant(tmp_path, "storage/b.py", "import storage.a")
    plant(tmp_path, "storage/c.py", "import storage.d")
    plant(tmp_path, "storage/d.py", "def late() -> None:\n    import storage.c")
    assert violations(tmp_path) == ["storage.a: import cycle", "storage.b: import cycle"]


def test_what_the_rules_allow_is_no_violation(tmp_path: Path) -> None:
    plant(tmp_path, "storage/__init__.py", '"""Rows."""\n\nfrom storage.store import Store\n\n__all__ = ["Store"]\n')
    plant(tmp_path, "storage/store.py", "import sqlite3\nimport sqlite_utils\nfrom ragspine_tui.types import Span")
    plant(tmp_path, "ragspine_tui/documents/markup.py", "import yaml\nfrom selectolax.parser import HTMLParser")
    plant(
        tmp_path, "ragspine_tui/session.py", "from storage import Store\nfrom ragspine_tui.retrieval.link import exit"
    )
    plant(tmp_path, "ragspine_tui/cli/app.py", "import click\ndef tui():\n    from ragspine_tui.tui.app import App")
    assert violations(tmp_path) == []


def plant(root: Path, path: str, source: str) -> None:
    """Write one module and the empty `__init__.py` files above it."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    for package in file.relative_to(root).parents:
        if package != Path() and not (root / package / "__init__.py").exists():
            (root / package / "__init__.py").write_text("", encoding="utf-8")
    file.write_text(source, encoding="utf-8")
