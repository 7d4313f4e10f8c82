"""The front matter of every text format gives fields and is no text of its own; dates are kept so that they compare."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.dates import iso_date
from ragspine_tui.types import BlockKind
from tests.unit.documents.files import read

FRONT = "---\ntitle: On salt\ntags: [winter, birds]\nauthor: Ines Marlock\ndate: 2024/03/05\n---\n"
TOML = "+++\ntitle = 'On salt'\ntags = ['winter', 'birds']\nauthor = 'Ines Marlock'\ndate = 2024-03-05\n+++\n"
WORDS = "\nThe words of the file are here.\n"


@pytest.mark.parametrize("name", ["a.txt", "a.rst", "a.org", "a.tex", "a.adoc", "a.log", "NOTES", "a.md"])
@pytest.mark.parametrize("front", [FRONT, TOML, FRONT.replace("\n", "\r\n")])
def test_front_matter_gives_fields_in_every_text_format(tmp_path: Path, name: str, front: str) -> None:
    document = read(tmp_path, name, front + WORDS)
    assert document.title == "On salt"
    assert {key: document.fields[key] for key in ("tags", "author", "date", "year")} == {
        "tags": ("winter", "birds"),
        "author": ("Ines Marlock",),
        "date": ("2024-03-05",),
        "year": ("2024",),
    }
    assert document.blocks[0].kind is BlockKind.FRONT_MATTER
    assert document.blocks[0].span.of(document.text).rstrip() == front.rstrip().replace("\r\n", "\r\n")
    assert [block.span.of(document.text).strip() for block in document.blocks[1:]] == [WORDS.strip()]


def test_the_front_matter_of_a_page_gives_fields_and_is_not_on_the_page(tmp_path: Path) -> None:
    document = read(tmp_path, "a.html", FRONT + "<html><body><h1>Salt</h1><p>words</body></html>")
    assert (document.title, document.fields["tags"], document.fields["date"]) == (
        "On salt",
        ("winter", "birds"),
        ("2024-03-05",),
    )
    assert document.text == "Salt\n\nwords"
    assert [block.line for block in document.blocks] == [7, 7]


def test_hyphens_above_words_are_no_front_matter_of_a_text(tmp_path: Path) -> None:
    document = read(tmp_path, "a.txt", "---\nDear all,\n---\n\nwords\n")
    assert document.notes == ()
    assert all(block.kind is not BlockKind.FRONT_MATTER for block in document.blocks)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("2024/03/05", "2024-03-05"),
        ("2024.3.5", "2024-03-05"),
        ("2024-3-5", "2024-03-05"),
        ("2024/03", "2024-03"),
        ("20240305", "2024-03-05"),
        ("5 March 2024", "2024-03-05"),
        ("Tuesday, 5th of March, 2024", "2024-03-05"),
        ("March 5, 2024", "2024-03-05"),
        ("Sept. 2024", "2024-09"),
        ("2024年3月5日", "2024-03-05"),
        ("２０２４年３月５日", "2024-03-05"),
        ("2024年3月", "2024-03"),
        ("令和6年3月5日", "2024-03-05"),
        ("令和元年5月1日", "2019-05-01"),
        ("15/01/2025", "2025-01-15"),
        ("01/15/2025", "2025-01-15"),
        ("2024-03-05T10:00:00+09:00", "2024-03-05T01:00:00Z"),
        ("2024-03-05 10:00", "2024-03-05T10:00"),
        ("2024", "2024"),
        ("2024-03-05", "2024-03-05"),
        ("2024-03-05T10:00:00Z", "2024-03-05T10:00:00Z"),
    ],
)
def test_a_date_is_kept_in_the_form_that_conditions_compare(tmp_path: Path, written: str, kept: str) -> None:
    document = read(tmp_path, "a.md", f"---\ndate: {written}\ncreated: '{written}'\nheard: {written}\n---\nwords")
    assert (document.fields["date"], document.fields["created"]) == ((kept,), (kept,))
    assert document.fields["heard"] == (written,)
    assert document.notes == ()


@pytest.mark.parametrize("written", ["03/04/2025", "31 June 2024", "2024-13-01", "circa 1850", "5 Brumaire 1799"])
def test_a_date_that_cannot_be_told_is_kept_as_written_and_said(tmp_path: Path, written: str) -> None:
    document = read(tmp_path, "a.md", f"---\ndate: {written}\n---\nwords")
    assert document.fields["date"] == (written,)
    assert document.notes == (f"date {written!r} is no date that conditions can compare: write 2025-01-31",)


@given(st.dates(), st.sampled_from(["%Y/%m/%d", "%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%Y%m%d", "%Y年%m月%d日"]))
def test_every_date_survives_every_form(day: object, form: str) -> None:
    written = day.strftime(form.replace("%Y", f"{day.year:04d}"))  # type: ignore[attr-defined]
    assert iso_date(written) == day.isoformat()  # type: ignore[attr-defined]


@given(st.text(max_size=70))
def test_any_text_is_a_date_or_none(text: str) -> None:
    found = iso_date(text)
    assert not found or found[:4].isdigit()
