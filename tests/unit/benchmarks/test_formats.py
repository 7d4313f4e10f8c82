"""The table of what is read of real files: how cases are read, places compared, and what counts as wrong."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks.format_cases import (
    CASE_COLUMNS,
    NEGATIVE_COLUMNS,
    Case,
    Negative,
    Place,
    document_path,
    is_right_place,
    read_cases,
    read_negatives,
)
from benchmarks.formats import failures, quoted, run, summary


def case(
    phrase: str = "x", locator: str = "", *, kind: str = "text", path: str = "files/a.txt", note: str = ""
) -> Case:
    return Case("c1", kind, path, phrase, locator, "indexed", note)


def place(part: str = "", line: int | None = None, last: int = 0, page: int | None = None, heading: str = "") -> Place:
    return Place(line, last, page, part, heading)


def test_the_note_widens_what_is_right() -> None:
    one = case(locator="4", note="where=body; or=damaged,no_text; or_locator=6,9; section=A > B; optional; x")
    assert one.statuses == {"indexed", "damaged", "no_text"}
    assert one.places == ("4", "6", "9")
    assert one.section == "B"
    assert one.optional


def test_a_field_is_asked_for_by_name_and_value() -> None:
    assert case(note="FIELD Author=Ada; Byron").field == ("author", "Ada")
    assert case(note="where=body").field is None


@pytest.mark.parametrize(
    ("kind", "locator", "found"),
    [
        ("pdf", "12", place(page=12)),
        ("text", "12", place(line=10, last=12)),
        ("pptx", "slide 3", place("slide 3")),
        ("xlsx", "Sheet1!B14", place("Sheet1!A14:F14")),
        ("xlsx", "Sheet1!B14", place("Sheet1!B14")),
        ("ods", "Second Sheet", place("Second Sheet!A1:B1")),
        ("epub", "ch08.html", place("OEBPS/text/ch08.html")),
        ("mbox", "message 5: 1 text/plain", place("message 5 / 1 text/plain")),
        ("email", "header:Subject", place("header:Subject")),
        ("zip", "3 text/plain", place("3 text/plain / b.txt")),
    ],
)
def test_a_place_is_right_however_it_is_written(kind: str, locator: str, found: Place) -> None:
    assert is_right_place(case(locator=locator, kind=kind), found)


@pytest.mark.parametrize(
    ("kind", "locator", "found"),
    [
        ("pdf", "12", place(page=13)),
        ("pdf", "12", place(line=12, last=12)),
        ("text", "12", place(line=13, last=20)),
        ("text", "12", place(line=3, last=11)),
        ("text", "12", place()),
        ("pptx", "slide 3", place("slide 30")),
        ("xlsx", "Sheet1!B14", place("Sheet1!A13:F13")),
        ("xlsx", "Sheet1!G14", place("Sheet1!A14:F14")),
        ("xlsx", "Sheet1!B14", place("Sheet2!A14:F14")),
        ("xlsx", "Sheet1!B14", place("Sheet1")),
        ("epub", "ch08.html", place("ch18.html")),
        ("email", "1 text/plain", place("2 text/plain")),
    ],
)
def test_another_place_is_wrong(kind: str, locator: str, found: Place) -> None:
    assert not is_right_place(case(locator=locator, kind=kind), found)


def test_a_section_is_the_innermost_heading() -> None:
    one = case(note="section=Tools > The  Adze")
    assert is_right_place(one, place(heading="the adze"))
    assert not is_right_place(one, place(heading="Tools"))


def test_paths_lose_their_library_and_odd_names_their_escapes() -> None:
    assert document_path("text", r"files/text/a\b.txt") == r"text/a\b.txt"
    assert document_path("odd", r"odd/a\nb\\c\x20.txt") == "a\nb\\c .txt"
    assert document_path("odd", r"odd/\xff.md") == os.fsdecode(b"\xff.md")


def test_a_table_with_other_columns_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cases.tsv").write_text("id\tkind\n", encoding="utf-8")
    with pytest.raises(ValueError, match="columns"):
        read_cases(tmp_path / "cases.tsv")
    (tmp_path / "cases.tsv").write_text("\t".join(CASE_COLUMNS) + "\nshort\trow\n", encoding="utf-8")
    with pytest.raises(ValueError, match=":2:"):
        read_cases(tmp_path / "cases.tsv")


def test_quotation_marks_do_not_end_the_phrase() -> None:
    assert quoted('the "old" mill') == '"the  old  mill"'


def tables(folder: Path) -> tuple[list[Case], list[Negative]]:
    """Two files, and cases that are right and wrong in every way."""
    (folder / "files").mkdir()
    (folder / "files" / "a.md").write_text(
        "---\nauthor: Ada\n---\n# Mill\n\nThe wheel turns at dawn.\n", encoding="utf-8"
    )
    (folder / "files" / "b.bin").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 50)
    rows = [
        ("right", "files/a.md", "wheel turns at dawn", "6", "indexed", "section=Mill"),
        ("words", "files/a.md", "dawn turns the wheel", "", "indexed", ""),
        ("placed", "files/a.md", "wheel turns at dawn", "40", "indexed", ""),
        ("field", "files/a.md", "", "", "indexed", "FIELD author=Ada"),
        ("other", "files/a.md", "", "", "indexed", "FIELD author=Bea"),
        ("status", "files/b.bin", "", "", "indexed", ""),
        ("honest", "files/b.bin", "never said", "", "indexed", "or=unsupported"),
        ("gone", "files/c.txt", "", "", "indexed", ""),
        ("spared", "files/c.txt", "", "", "unsupported", "a pipe: must be skipped"),
        ("may", "files/c.txt", "", "", "indexed", "optional"),
    ]
    lines = ["\t".join(CASE_COLUMNS)]
    lines += [
        "\t".join([name, "md", path, phrase, at, status, "", note]) for name, path, phrase, at, status, note in rows
    ]
    (folder / "cases.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    bad = [("n1", "wheel turns"), ("n2", "wheel stops")]
    lines = ["\t".join(NEGATIVE_COLUMNS), *("\t".join([name, "md", "files/a.md", said, "", ""]) for name, said in bad)]
    (folder / "negatives.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return read_cases(folder / "cases.tsv"), read_negatives(folder / "negatives.tsv")


def test_every_way_of_being_wrong_is_told(tmp_path: Path) -> None:
    cases, negatives = tables(tmp_path)
    outcomes, found, _ = run(tmp_path, None, tmp_path, cases, negatives)
    assert {one.case.case_id: one.right for one in outcomes} == {
        "right": True,
        "words": False,
        "placed": False,
        "field": True,
        "other": False,
        "status": False,
        "honest": True,
        "gone": False,
        "spared": True,
        "may": False,
    }
    assert [one.case_id for one in found] == ["n1"]
    told = dict(zip(["words", "placed", "other", "status", "gone", "may"], failures(outcomes), strict=True))
    assert "not found, its words are" in told["words"]
    assert "line 4" in told["placed"]
    assert "instead of 40" in told["placed"]
    assert "author is Ada" in told["other"]
    assert "status unsupported instead of indexed" in told["status"]
    assert "not looked at" in told["gone"]
    assert told["may"].endswith("(optional)")
    # Nine count, four of them right; of five phrases and fields two were not found, and one of two places was right.
    assert summary(outcomes)[-1] == ("all", "9", "44.4 %", "77.8 %", "60.0 %", "80.0 %", "50.0 %")
