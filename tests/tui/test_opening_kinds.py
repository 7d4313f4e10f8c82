"""What an editor cannot show goes to the system's program, a PDF at the page where its viewer can be asked for one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ragspine_tui.tui.opening import is_not_text, viewer_command
from ragspine_tui.types import Hit, Span


def program(path: Path, says: str = "") -> str:
    """A program that says one line."""
    path.write_text(f"#!/bin/sh\necho '{says}'\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


@pytest.mark.skipif(sys.platform == "win32", reason="viewers are asked for where desktop files name them")
@pytest.mark.parametrize(
    ("desktop", "viewer", "option"),
    [
        ("org.gnome.Evince.desktop", "evince", "--page-index=3"),
        ("okularApplication_pdf.desktop", "okular", "--page=3"),
        ("org.pwmt.zathura-pdf-mupdf.desktop", "zathura", "--page=3"),
    ],
)
def test_a_viewer_that_can_be_asked_for_a_page_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, desktop: str, viewer: str, option: str
) -> None:
    program(tmp_path / "xdg-mime", desktop)
    monkeypatch.setenv("PATH", str(tmp_path))
    pdf = tmp_path / "a.pdf"
    assert viewer_command(pdf, 3) == []
    found = program(tmp_path / viewer)
    assert viewer_command(pdf, 3) == [found, option, str(pdf)]
    assert viewer_command(pdf, None) == []
    assert viewer_command(tmp_path / "a.docx", 3) == []
    program(tmp_path / "xdg-mime", "firefox.desktop")
    assert viewer_command(pdf, 3) == []


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        ("a.pdf", "pdf", True),
        ("really-a-pdf.txt", "pdf", True),
        ("macros.xlsm", "xlsx", True),
        ("notes.md.gz", "md", True),
        ("letter.eml", "email", False),
        ("page.html", "html", False),
        ("notes.md", "md", False),
    ],
)
def test_what_an_editor_would_show_as_bytes_is_known_by_name_or_by_content(
    name: str, kind: str, expected: bool
) -> None:
    hit = Hit(1, "papers", name, "", "", "papers:a#c1", 1.0, "x", Span(0, 1), "a#para1", fields={"kind": (kind,)})
    assert is_not_text(hit, Path(name)) == expected
