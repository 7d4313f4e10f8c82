"""docs/formats.md names every format that is read, and every way in which a file can end."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ragspine_tui.documents.package_reader import PackageReader
from ragspine_tui.documents.reader import readers
from ragspine_tui.types import DocumentStatus

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ")]
INSIDE = {"compressed", "package", "fodf"}
"""Readers of what holds another kind."""
NOT_READ = {".xlsb", ".tgz", ".tbz", ".tbz2", ".txz"}
"""Formats that a reader tells apart to say that they are not read."""


@pytest.mark.parametrize(
    "kind", sorted({reader.kind for reader in readers()} - INSIDE | {"docx", "pptx", "xlsx", "odt"})
)
def test_every_kind_has_its_row(kind: str) -> None:
    assert any(f"`{kind}`" in row.split("|")[1] for row in ROWS)


@pytest.mark.parametrize("reader", [r for r in readers() if r.kind != "code"], ids=lambda reader: reader.kind)
def test_every_suffix_is_named(reader: PackageReader) -> None:
    named = set(re.findall(r"(?<![\w.])\.[a-z0-9_]+", " ".join(row.split("|")[2] + row.split("|")[-3] for row in ROWS)))
    assert reader.suffixes - named - NOT_READ == set()


@pytest.mark.parametrize("status", DocumentStatus)
def test_every_status_is_explained(status: DocumentStatus) -> None:
    assert any(row.startswith(f"| `{status.replace('_', ' ')}` |") for row in ROWS)
