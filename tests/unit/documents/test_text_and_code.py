"""Plain text and source code: the file as it is, and few but true headings."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.documents.files import headings, read, texts

BODY = "\n\nThis is an ordinary paragraph with enough words in it to be one.\n\n"


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("THE ROPE WALK", 1),
        ("1.2 Laying the strands", 2),
        ("2. Laying the strands", 1),
        ("Chapter 3", 2),
        ("Chapter 3: of tides", 2),
        ("Part II", 1),
        ("第三章 潮の満ち引き", 2),
        ("第1節", 3),
        ("Tides\n=====", 1),
        ("=====\nTides\n=====", 1),
    ],
)
def test_lines_that_can_only_be_headings_are(tmp_path: Path, line: str, level: int) -> None:
    found = headings(read(tmp_path, "a.txt", f"An opening sentence.{BODY}{line}{BODY}"))
    assert [depth for depth, _ in found] == [level]


@pytest.mark.parametrize(
    "line",
    [
        "A short line",
        "Dear Sir,",
        "- an item",
        "1. buy milk",
        "1. Buy milk.",
        "1. Buy milk\n\n2. Buy bread\n\n3. Go home",
        "STOP!",
        "OK",
        "FOO_BAR = {BAZ}",
        "Section 3 of the law says otherwise",
        "Part I love best is the tide",
        "第三章で述べたように、潮は満ちる。",
        "12 May 2021",
        "a\n-",
        "| a | b |\n---------",
    ],
)
def test_ordinary_lines_are_no_headings(tmp_path: Path, line: str) -> None:
    assert headings(read(tmp_path, "a.txt", f"An opening sentence.{BODY}{line}{BODY}")) == []


def test_paragraphs_end_at_blank_lines_of_any_kind(tmp_path: Path) -> None:
    document = read(tmp_path, "a.txt", b"one\r\ntwo\r\n\r\nthree\r\rfour\n \t\nfive")
    assert texts(document) == ["one\r\ntwo", "three", "four", "five"]


def test_the_title_is_a_heading_at_the_top_or_the_name(tmp_path: Path) -> None:
    assert read(tmp_path, "a.txt", f"THE ROPE WALK{BODY}").title == "THE ROPE WALK"
    assert read(tmp_path, "tar notes.txt", f"words{BODY}THE END OF IT{BODY}").title == "tar notes"


def test_code_is_cut_at_blank_lines_and_definitions(tmp_path: Path) -> None:
    document = read(tmp_path, "a.py", "# One\nimport os\n\n\ndef f():\n    return os\n")
    assert texts(document) == ["# One\nimport os", "def f():", "    return os\n"]
    assert (document.kind, document.fields["ext"], document.title) == ("code", ("py",), "a.py")


def test_a_coding_cookie_is_honoured(tmp_path: Path) -> None:
    text = "# -*- coding: iso-8859-2 -*-\n# żyrandol\n"
    assert read(tmp_path, "a.py", text.encode("iso8859_2")).text == text


def test_one_very_long_line_is_one_block(tmp_path: Path) -> None:
    document = read(tmp_path, "a.txt", "word " * 170_000)
    assert len(document.blocks) == 1
