"""What the README shows is what the program does."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ragspine_tui.tui import keymap

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
HOME_IN_README = "/home/me/ragspine-tui"


def tour() -> list[tuple[str, str]]:
    """(command, what the README shows below it) of the five-minute tour, in its order."""
    steps: list[tuple[str, str]] = []
    for block in re.findall(r"```console\n(.*?)```", README[README.index("## Five minutes") :], re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            steps.append((command, shown))
    return steps


def test_the_tour_prints_what_the_readme_shows(tmp_path: Path) -> None:
    program = f"{sys.executable} -m ragspine_tui"
    environ = {**os.environ, "RAGSPINE_HOME": str(tmp_path / "home"), "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"}
    ran = 0
    for command, shown in tour():
        if command == "ragspine-tui":
            continue
        line = command.replace("ragspine-tui", program).replace("python3", sys.executable)
        done = subprocess.run(
            line, shell=True, cwd=ROOT, env=environ, capture_output=True, encoding="utf-8", timeout=120, check=False
        )
        assert done.returncode in (0, 3), f"{command}\n{done.stderr}"
        said = (done.stdout + done.stderr).replace(str(ROOT), HOME_IN_README)
        for wanted in filter(str.strip, shown.splitlines()):
            assert wanted.strip() in [one.strip() for one in said.splitlines()], f"{command}\n{said}"
        ran += 1
    assert ran >= 7


def test_the_keys_are_the_keymaps(tmp_path: Path) -> None:
    table = re.search(r"<!-- keys -->\n\n(.*?)\n\n<!-- /keys -->", README, re.DOTALL)
    assert table is not None
    assert table[1] == keymap.markdown().strip()


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#]+)\)", README))
def test_every_link_leads_somewhere(link: str) -> None:
    assert (ROOT / link).exists()
