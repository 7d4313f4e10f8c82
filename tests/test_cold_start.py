"""What a fresh interpreter loads: a door opens without the engine behind it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

ENGINE: Final = frozenset({"numpy", "sqlite_utils", "rank_bm25", "Stemmer", "chardet", "yaml"})
LOADED: Final = "import json, sys; print(json.dumps(sorted({n.split('.')[0] for n in sys.modules})), file=sys.stderr)"


def run(*arguments: str) -> tuple[str, list[str]]:
    """What a fresh interpreter writes to stdout, and its lines on stderr."""
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr.splitlines()


def loaded_by(code: str) -> frozenset[str]:
    """The top-level modules a fresh interpreter holds after running `code`."""
    _, errors = run("-c", f"{code}\n{LOADED}")
    return frozenset(json.loads(errors[-1]))


def test_importing_the_tui_loads_no_engine() -> None:
    loaded = loaded_by("import ragspine_tui.tui.app")
    assert "textual" in loaded
    assert loaded.isdisjoint(ENGINE | {"click"})


def test_the_version_is_told_without_loading_the_tui_or_the_engine() -> None:
    output, errors = run("-X", "importtime", "-m", "ragspine_tui", "--version")
    assert output.strip()
    loaded = {line.rsplit("|", 1)[-1].strip().split(".")[0] for line in errors if line.startswith("import time:")}
    assert "ragspine_tui" in loaded
    assert loaded.isdisjoint(ENGINE | {"textual", "rich", "sqlite3"})


def test_loading_the_configuration_loads_no_door_and_no_engine(tmp_path: Path) -> None:
    loaded = loaded_by(
        "from pathlib import Path; from ragspine_tui.config import ServiceConfig\n"
        f"ServiceConfig.load(Path({str(tmp_path)!r}), environ={{}})"
    )
    assert loaded.isdisjoint(ENGINE | {"textual", "rich", "click", "sqlite3"})


def test_what_searches_loads_no_reader_of_files() -> None:
    loaded = loaded_by("import ragspine_tui.session")
    assert "numpy" in loaded
    assert loaded.isdisjoint({"chardet", "yaml", "sqlite_utils", "rapidfuzz", "textual", "rich", "click"})
