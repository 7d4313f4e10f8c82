"""CONTRIBUTING.md explains every dependency there is, and none that is gone."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_dependency_has_its_row() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.split(r"[<>=;\[ ]", dependency)[0] for dependency in project["dependencies"]}
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = page[page.index("| package |") :]
    assert set(re.findall(r"^\| ([\w-]+) \|", table, re.MULTILINE)) - {"package"} == needed
