"""What happens before a command runs: which modules load, and Ctrl-C and errors while they do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ragspine_tui.cli.registry import COMMANDS
from tests.e2e.program import Run, ragspine
from tests.e2e.terminal import Terminal

MODULES = {f"ragspine_tui.cli.{place.module}" for place in COMMANDS.values()}
KEEP_MODULES = """
import atexit, pathlib, sys
atexit.register(lambda: pathlib.Path({kept!r}).write_text(" ".join(sys.modules)))
"""

AT_IMPORT = """
import os, signal, sys

class AtImport:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            sys.meta_path.remove(self)
            {happens}

sys.meta_path.insert(0, AtImport())
"""


def start(folder: Path, module: str, happens: str, *arguments: str) -> Run:
    """A run of the program in which something happens when `module` is about to be imported."""
    (folder / "sitecustomize.py").write_text(AT_IMPORT.format(module=module, happens=happens), encoding="utf-8")
    return ragspine("--home", folder / "home", *arguments, env={"PYTHONPATH": str(folder)})


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT of its own")
@pytest.mark.parametrize(
    "module",
    [
        "ragspine_tui.cli",
        "ragspine_tui.cli.app",
        "click.core",
        "ragspine_tui.types",
        "ragspine_tui.cli.searching",
        "ragspine_tui.config",
        "ragspine_tui.session",
        "numpy.linalg._umath_linalg",
    ],
)
def test_ctrl_c_while_a_module_loads_is_one_line(tmp_path: Path, module: str) -> None:
    run = start(tmp_path, module, "signal.raise_signal(signal.SIGINT)", "search", "toads")
    assert (run.returncode, run.stdout) == (130, ""), run
    assert run.stderr == "ragspine-tui: stopped; what was indexed is kept\n"


@pytest.mark.parametrize(
    "module", ["ragspine_tui.cli", "click", "ragspine_tui.cli.searching", "ragspine_tui.session", "numpy"]
)
def test_a_module_that_cannot_be_loaded_is_one_line(tmp_path: Path, module: str) -> None:
    run = start(tmp_path, module, "raise ImportError('half\\ninstalled')", "search", "toads")
    assert (run.returncode, run.stdout) == (70, ""), run
    assert "ImportError" in run.stderr
    assert run.stderr.count("\n") == 1


def loaded(kept: Path) -> set[str]:
    """The command modules that a run of the program held when it ended."""
    return MODULES & set(kept.read_text(encoding="utf-8").split())


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where runs of the program write the modules they hold at their end."""
    file = tmp_path / "modules.txt"
    (tmp_path / "sitecustomize.py").write_text(KEEP_MODULES.format(kept=str(file)), encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return file


def test_the_interface_opens_without_any_commands_module(tmp_path: Path, kept: Path) -> None:
    argv = [sys.executable, "-m", "ragspine_tui", "--home", str(tmp_path / "home")]
    with Terminal(argv, {**os.environ, "TERM": "xterm-256color"}) as terminal:
        terminal.wait_for("No libraries yet")
        terminal.send("ctrl+q")
        assert terminal.wait_for_exit() == 0
    assert "ragspine_tui.tui.app" in kept.read_text(encoding="utf-8").split()
    assert loaded(kept) == set()


@pytest.mark.parametrize(
    ("arguments", "modules"),
    [
        (["--help"], set()),
        (["--version"], set()),
        (["search", "toads"], {"ragspine_tui.cli.searching"}),
        (["libraries"], {"ragspine_tui.cli.libraries"}),
        (["no-such-command"], set()),
    ],
)
def test_a_command_loads_its_own_module_and_no_other(
    tmp_path: Path, kept: Path, arguments: list[str], modules: set[str]
) -> None:
    ragspine("--home", tmp_path / "home", *arguments)
    assert loaded(kept) == modules


def test_help_lists_every_command_in_order_with_its_line() -> None:
    output = ragspine("--help").stdout
    rows = [line.split(maxsplit=1) for line in output.partition("Commands:\n")[2].split("\n\n")[0].splitlines()]
    assert [row[0] for row in rows] == list(COMMANDS)
    assert all(COMMANDS[name].summary.startswith(told.rstrip(".")) for name, told in rows)


@pytest.mark.parametrize(
    ("words", "place", "offered", "modules"),
    [
        ("ragspine-tui ", 1, set(COMMANDS), set()),
        ("ragspine-tui re", 1, {"remove", "restrict"}, set()),
        ("ragspine-tui search --pl", 2, {"--plain"}, {"ragspine_tui.cli.searching"}),
        ("ragspine-tui describe --de", 2, {"--description"}, {"ragspine_tui.cli.libraries"}),
    ],
)
def test_the_shell_completes_commands_and_options(
    kept: Path, words: str, place: int, offered: set[str], modules: set[str]
) -> None:
    completing = {"_RAGSPINE_TUI_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(place)}
    done = subprocess.run(
        [sys.executable, "-m", "ragspine_tui"], capture_output=True, encoding="utf-8", env={**os.environ, **completing}
    )
    assert {line.partition(",")[2] for line in done.stdout.splitlines()} == offered
    assert done.stderr == ""
    assert loaded(kept) == modules
