"""Headings and titles of plain text: the numbered sections people type, and the lines that only look like them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragspine_tui.documents.reader import read_document
from ragspine_tui.retrieval.chunking.chunker import make_chunker
from tests.unit.documents.files import headings, read, texts

HANDBOOK = Path(__file__).parents[3] / "sample_libraries" / "handbook"
PROSE = "The warehouse stands a metre above the quay, and the boards are kept behind the wharf door."
NOTICE = f"""WHAT TO DO
Halfmoon Press. One copy at each door: this one too.

1. Fire

1.1 Shout. Break the glass by either door.
1.2 Leave by the wharf door.

2. Injury

2.1 Stop the machine first.

{PROSE}

3. Flood

{PROSE}
"""


@pytest.mark.parametrize(
    ("name", "title", "sections"),
    [
        ("emergency.txt", "WHAT TO DO IN AN EMERGENCY", 5),
        ("induction.txt", "INDUCTION OF NEW MEMBERS", 7),
        ("washing-up.txt", "WASHING UP", 6),
        ("oil-calendar.txt", "OIL CALENDAR", 6),
    ],
)
def test_each_numbered_section_of_the_handbook_opens_a_section(name: str, title: str, sections: int) -> None:
    document = read_document(HANDBOOK / name, name)
    assert document.title == title
    found = [heading for _, heading in headings(document)]
    assert found[0] == title
    assert [heading.split(".")[0] for heading in found[1:]] == [str(n) for n in range(1, sections + 1)]
    opened = make_chunker("parent_child").chunk(document).sections
    assert [section.heading for section in opened] == found


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_numbered_paragraphs_below_a_numbered_line_are_its_text(tmp_path: Path, ends: str) -> None:
    document = read(tmp_path, "a.txt", NOTICE.replace("\n", ends).encode())
    assert headings(document) == [(1, "WHAT TO DO"), (1, "1. Fire"), (1, "2. Injury"), (1, "3. Flood")]
    assert texts(document)[1] == "Halfmoon Press. One copy at each door: this one too."


def test_one_numbered_paragraph_is_enough_below_a_longer_name(tmp_path: Path) -> None:
    text = f"{PROSE}\n\n4. Lifting what is heavy in the loft\n\n4.1 Never alone.\n\n{PROSE}\n"
    assert headings(read(tmp_path, "a.txt", text)) == [(1, "4. Lifting what is heavy in the loft")]


def test_a_sentence_that_begins_with_a_number_is_text_of_the_section_above(tmp_path: Path) -> None:
    text = f"{PROSE}\n\n4. Rope\n\n3.5 metres are needed for each of the boats.\n\n5. Tar\n\n{PROSE}\n"
    assert headings(read(tmp_path, "a.txt", text)) == [(1, "4. Rope"), (1, "5. Tar")]


def test_sections_numbered_in_kanji_open_sections(tmp_path: Path) -> None:
    stones, fire = "漬物の重石は、川の石がよい。山の石は塩で割れる。", "薪は楢と櫟。杉はすぐに燃えつきる。"
    text = f"聞き書き\n\n一　重石のこと\n\n{stones}\n\n二　火のこと\n\n{fire}\n"
    document = read(tmp_path, "a.txt", text)
    assert headings(document) == [(1, "一　重石のこと"), (1, "二　火のこと")]
    assert document.title == "聞き書き"


@pytest.mark.parametrize(
    "text",
    [
        "1. Buy milk\n\n2. Buy bread\n\n3. Go home and rest for the day\n",
        "1. Buy milk\n2. Buy bread\n3. Go home\n",
        "1. Shout. Break the glass.\n\n2. Leave by the wharf door.\n\n3. Meet at the bollard.\n",
        "一　牛乳を買う\n\n二　パンを買う\n\n三　家へ帰って休む\n",
        "一、卵を割る。\n\n二、よくかき混ぜてから、弱い火にかける。\n",
        "Sunniva Brandt\n12 Rope Lane\nHalfmoon Quay\n\nDear Sunniva,\n\nthe paper has come.\n",
        "12 Rope Lane\n\nHalfmoon Quay, beside the baker and across from the sail loft\n",
        "the tide went out\nand took the moon\n\nit left us sand\nand half a tune\n",
        "O wide sea\n\nO long road of salt and of herring\n\nO home\n",
        "for n in range(3):\n\n    print(n)\n\nTOTAL = n\n",
        "BEGIN\n  x := 1;\nEND\n\nBEGIN\n  x := 2;\nEND\n",
        "NAME,AGE,TOWN\nRufus,61,Halfmoon\nHal,40,Linden Yard\n",
        "SELECT NAME\nFROM MEMBERS\n",
        "ALL OF IT IS LOUD\nFROM THE FIRST LINE\nTO THE LAST\n",
        "ERROR\tDISK\n12:00 full\n",
    ],
)
def test_lists_addresses_verse_and_code_open_no_section(tmp_path: Path, text: str) -> None:
    assert headings(read(tmp_path, "a.txt", text)) == []


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (f"WASHING UP\nby Rufus Penhale, 22 April 2024\n\n{PROSE}\n", "WASHING UP"),
        (f"WASHING UP\n\n{PROSE}\n", "WASHING UP"),
        ("SHOPPING LIST\nmilk\neggs\n", "SHOPPING LIST"),
        (f"Washing up\n==========\n\n{PROSE}\n", "Washing up"),
        (f"The order of things\n\n{PROSE}\n", "The order of things"),
        (f"\ufeffThe order of things\r\n\r\n{PROSE}\r\n", "The order of things"),
        ("乾物の棚\n\n棚は北側の納戸にあり、上から五段。湿気の少ない順に使う。\n", "乾物の棚"),
    ],
)
def test_a_first_line_that_is_a_name_is_the_title(tmp_path: Path, text: str, title: str) -> None:
    assert read(tmp_path, "notes.txt", text).title == title


@pytest.mark.parametrize(
    "text",
    [
        f"Dear Sir,\n\n{PROSE}\n",
        f"It rained.\n\n{PROSE}\n",
        f"{PROSE}\n\n{PROSE}\n",
        f"the tide went out\n\n{PROSE}\n",
        f"12 May 2021\n\n{PROSE}\n",
        f"From: rufus@example.org\n\n{PROSE}\n",
        f"- an item\n\n{PROSE}\n",
        f"import os\n\n{PROSE}\n",
        f"x = f(1)\n\n{PROSE}\n",
        "Milk\n\nButter\n\nEggs\n",
        f"Sunniva Brandt\n12 Rope Lane\n\n{PROSE}\n",
        "A lone line\n",
    ],
)
def test_any_other_first_line_leaves_the_title_to_the_file_name(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, "tar notes.txt", text).title == "tar notes"


def test_a_title_of_small_letters_names_the_document_and_opens_no_section(tmp_path: Path) -> None:
    assert headings(read(tmp_path, "a.txt", f"The order of things\n\n{PROSE}\n")) == []
