"""docs/query-language.md shows what the program really prints; RAGSPINE_WRITE_DOCS=1 keeps the new output there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

from tests.unit.test_docs_retrieval import BLOCK, ROOT, console, folder

__all__ = ["folder"]

PAGE: Final = ROOT / "docs" / "query-language.md"


def page_now(text: str, folder: Path) -> str:
    """The page with every command run, in order, in one folder."""
    return BLOCK.sub(lambda block: f"```console\n{console(block[2], folder)}```", text)


def test_every_example_of_the_page_prints_what_the_page_shows(folder: Path) -> None:
    now = page_now(PAGE.read_text(encoding="utf-8"), folder)
    if os.environ.get("RAGSPINE_WRITE_DOCS"):
        PAGE.write_text(now, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8").splitlines() == now.splitlines()


@pytest.mark.parametrize("page", ["README.md", "docs/cli.md", "docs/retrieval.md"])
def test_the_other_pages_lead_here(page: str) -> None:
    assert "query-language.md" in (ROOT / page).read_text(encoding="utf-8")
