"""Headings and titles of PDFs: what the outline names, else what is set larger or bolder than the text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.documents.files import headings, read, texts
from tests.unit.documents.pdfs import BOLD, Pdf, line, lines

BODY = ["The body of the text goes on", "for a line or two, in plain", "letters of the usual size."]


def test_the_outline_names_the_headings_and_their_levels(tmp_path: Path) -> None:
    pages = [lines(["1 The Lock", *BODY, "1.1 Its keeper", *BODY]), lines(["2. The Weir", *BODY])]
    outline = [("The Lock", 1, 1), ("1.1 Its keeper", 2, 1), ("Chapter 2: The Weir", 1, 2)]
    document = read(tmp_path, "a.pdf", Pdf(pages, outline=outline).content())
    assert headings(document) == [(1, "1 The Lock"), (2, "1.1 Its keeper"), (1, "2. The Weir")]
    assert document.text.startswith("1 The Lock\n\nThe body")


def test_a_title_of_the_outline_may_run_over_lines(tmp_path: Path) -> None:
    page = lines(["On the Keeping of", "Tame Herons", *BODY])
    document = read(tmp_path, "a.pdf", Pdf([page], outline=[("On the keeping of tame herons", 1, 1)]).content())
    assert headings(document) == [(1, "On the Keeping of Tame Herons")]


def test_what_the_outline_names_but_no_page_says_is_no_heading(tmp_path: Path) -> None:
    document = read(tmp_path, "a.pdf", Pdf([lines(BODY)], outline=[("Cover", 1, 1)]).content())
    assert headings(document) == []
    assert "Cover" not in document.text


def test_the_larger_of_two_equal_lines_is_the_heading(tmp_path: Path) -> None:
    page = line(72, 760, "The Lock", 8) + "\n" + line(72, 720, "The Lock", 18) + "\n" + lines(BODY, y=690)
    document = read(tmp_path, "a.pdf", Pdf([page], outline=[("The Lock", 1, 1)]).content())
    assert texts(document)[0] == "The Lock"
    assert document.blocks[1].heading == "The Lock"


def test_larger_letters_head_the_text_below_by_their_size(tmp_path: Path) -> None:
    page = line(72, 740, "Herons", 24) + "\n" + line(72, 715, "by A. Keeper", 14)
    page += "\n" + line(72, 690, "Feeding", 16) + "\n" + lines(BODY, y=665)
    page += "\n" + line(72, 600, "Nesting", 16) + "\n" + lines(BODY, y=575)
    document = read(tmp_path, "a.pdf", Pdf([page]).content())
    assert headings(document) == [(1, "Herons"), (2, "Feeding"), (2, "Nesting")]
    assert document.title == "Herons"


def test_a_short_bold_line_above_plain_text_is_a_heading(tmp_path: Path) -> None:
    page = line(72, 714, "Of the weir", font=BOLD) + "\n" + lines(BODY, y=700)
    assert headings(read(tmp_path, "a.pdf", Pdf([page]).content())) == [(1, "Of the weir")]


def test_where_most_is_bold_bold_says_nothing(tmp_path: Path) -> None:
    page = "\n".join(line(72, 700 - 30 * number, "All of it in bold letters", font=BOLD) for number in range(4))
    page += "\n" + line(72, 400, "and a little plain")
    assert headings(read(tmp_path, "a.pdf", Pdf([page]).content())) == []


def test_what_stands_on_page_after_page_is_no_heading(tmp_path: Path) -> None:
    pages = [
        line(72, 770, f"Lock Keepers Yearbook {number}", 20) + "\n" + lines([*BODY, f"and so on {number}."])
        for number in range(1, 6)
    ]
    assert headings(read(tmp_path, "a.pdf", Pdf(pages).content())) == []


def test_large_numbers_and_single_letters_are_no_headings(tmp_path: Path) -> None:
    page = line(72, 760, "42", 24) + "\n" + line(72, 730, "T", 30) + "\n" + lines(BODY)
    assert headings(read(tmp_path, "a.pdf", Pdf([page]).content())) == []


@pytest.mark.parametrize(
    "made_up",
    [
        "untitled",
        "Untitled-2",
        "Microsoft Word - report.doc",
        "PowerPoint Presentation",
        "final draft.docx",
        "/tmp/x1/out",
        r"C:\Users\a\report",
        "file:///tmp/a.html",
        "Slide 1",
        "--",
        "a",
        "a.pdf",
    ],
)
def test_a_title_that_a_program_made_up_is_not_taken(tmp_path: Path, made_up: str) -> None:
    page = line(72, 740, "Herons", 24) + "\n" + lines(BODY)
    document = read(tmp_path, "a.pdf", Pdf([page], info={"Title": made_up}).content())
    assert document.title == "Herons"
    assert "title" not in document.fields


@pytest.mark.parametrize("title", ["Herons", "Größe & Maß", "日本語の題", "Node.js in Action", "Document design"])
def test_a_title_that_a_person_wrote_is_taken(tmp_path: Path, title: str) -> None:
    document = read(tmp_path, "a.pdf", Pdf([lines(BODY)], info={"Title": title}).content())
    assert document.title == title
    assert document.fields["title"] == (title,)


def test_without_any_title_the_name_stands_for_it(tmp_path: Path) -> None:
    assert read(tmp_path, "lock book.pdf", Pdf([lines(BODY)]).content()).title == "lock book"
