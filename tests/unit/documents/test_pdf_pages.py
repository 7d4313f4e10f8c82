"""The text of PDF pages: in the order a person reads, in paragraphs, every word whole."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.config import ServiceConfig
from ragspine_tui.documents.pdf_reader import PdfReader
from ragspine_tui.documents.reader import read_inner
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.session import Session
from ragspine_tui.types import BlockKind, SearchRequest
from tests.unit.documents.files import block_with, read, texts
from tests.unit.documents.pdfs import UPRIGHT, WIDE, Pdf, line, lines

LEFT = [
    "The harbour master kept his books in",
    "a tin box under the stair and never",
    "told anybody which of the two keys",
    "belonged to it. When the flood came",
    "the box swam out of the cellar door",
    "and was found in a field of barley.",
]
RIGHT = [
    "Nobody in the village could say what",
    "the entries meant. The miller thought",
    "of weights, and the schoolmaster was",
    "sure that they were the hours of high",
    "water, set down backwards so that no",
    "stranger would learn anything of it.",
]


def columns_drawn_across() -> str:
    """Two columns written line by line over the whole width."""
    rows = zip(LEFT, RIGHT, strict=True)
    return "\n".join(
        line(72, 700 - 14 * number, left) + "\n" + line(320, 700 - 14 * number, right)
        for number, (left, right) in enumerate(rows)
    )


def test_every_block_knows_its_page(tmp_path: Path) -> None:
    document = read(tmp_path, "a.pdf", Pdf([lines(["first leaf"]), lines(["second leaf"]), lines(["third"])]).content())
    assert [(block.page, block.span.of(document.text)) for block in document.blocks] == [
        (1, "first leaf"),
        (2, "second leaf"),
        (3, "third"),
    ]
    assert document.kind == "pdf"
    assert not document.verbatim


def test_words_that_stand_apart_without_a_blank_do_not_fuse(tmp_path: Path) -> None:
    page = "BT /F1 12 Tf 72 700 Td (lines as the) Tj 3 Tc (ya) Tj 0 Tc [250 (re read)] TJ ET"
    assert read(tmp_path, "a.pdf", Pdf([page]).content()).text == "lines as they are read"


def test_letters_that_all_stand_apart_are_one_word(tmp_path: Path) -> None:
    page = "BT /F1 12 Tf 72 700 Td 4 Tc (CON) Tj [333 (TENTS)] TJ ET"
    assert read(tmp_path, "a.pdf", Pdf([page]).content()).text == "CONTENTS"


def test_a_wider_gap_and_an_indent_begin_a_paragraph(tmp_path: Path) -> None:
    page = lines(["one goes on", "in this line."], y=700) + lines(["Two stands apart", "below it."], y=650)
    page += "\n" + line(92, 622, "Three is indented, and") + "\n" + line(72, 608, "comes back to the edge.")
    document = read(tmp_path, "a.pdf", Pdf([page]).content())
    assert texts(document) == [
        "one goes on\nin this line.",
        "Two stands apart\nbelow it.",
        "Three is indented, and\ncomes back to the edge.",
    ]


def test_items_of_a_list_are_blocks_of_their_own(tmp_path: Path) -> None:
    page = lines(["They brought:", "1. a rope of hemp", "2. a lamp, with oil", "and a wick", "3. bread"])
    document = read(tmp_path, "a.pdf", Pdf([page]).content())
    assert texts(document, BlockKind.LIST) == ["1. a rope of hemp", "2. a lamp, with oil\nand a wick", "3. bread"]


def test_a_word_cut_at_a_lines_end_is_one_word(tmp_path: Path) -> None:
    document = read(tmp_path, "a.pdf", Pdf([lines(["a lantern on the prom-", "ontory at night"])]).content())
    assert document.text == "a lantern on the promontory at night"


def test_a_compound_broken_at_its_hyphen_keeps_it(tmp_path: Path) -> None:
    page = lines(["The trace was kept, the compilation too:", "so it was a trace-", "compilation after all."])
    assert "trace-compilation" in read(tmp_path, "a.pdf", Pdf([page]).content()).text


def test_a_hyphen_is_kept_where_the_text_has_it_elsewhere_and_goes_where_it_joins_the_word(
    tmp_path: Path,
) -> None:
    page = lines(
        ["re-cover the well-known chair, or recover under", "stand, understand: well-", "known, under-", "stand"]
    )
    text = read(tmp_path, "a.pdf", Pdf([page]).content()).text
    assert "well-known, understand" in text


def test_a_hyphen_before_a_capital_is_kept_but_in_capitals(tmp_path: Path) -> None:
    said = ["the town of Baden-", "Baden is old, SHELL GRAM-", "MAR is older"]
    text = read(tmp_path, "a.pdf", Pdf([lines(said)]).content()).text.replace("\n", "")
    assert "Baden-Baden" in text
    assert "GRAMMAR" in text


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("see https://example.org/long-", "term/keeping"),
        ("ask harbour-", "master@example.org"),
        ("in /usr/share/tide-", "tables"),
        ("das NM-", "Frontdesk"),
    ],
)
def test_a_hyphen_in_an_address_or_before_a_name_is_kept(tmp_path: Path, first: str, second: str) -> None:
    assert read(tmp_path, "a.pdf", Pdf([lines([first, second])]).content()).text.endswith(first + second)


@pytest.mark.parametrize("query", ['"on the promontory at"', '"trace-compilation after all"', '"the compilation too"'])
def test_a_phrase_is_found_across_a_cut_word(tmp_path: Path, query: str) -> None:
    page = lines(["a lantern on the prom-", "ontory at night. The trace, the compilation too:"], y=700)
    page += lines(["a trace-", "compilation after all."], y=500)
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "a.pdf").write_bytes(Pdf([lines(["first"]), page]).content())
    with Session.open(ServiceConfig.load(home=tmp_path / "home", environ={})) as session:
        session.add(folder, library_id="papers")
        session.index()
        hits = session.search(SearchRequest(query)).hits
    assert [hit.page for hit in hits][:1] == [2]


def test_columns_written_across_are_read_one_after_the_other(tmp_path: Path) -> None:
    page = line(150, 740, "A heading across both columns of the page") + "\n" + columns_drawn_across()
    page += "\n" + line(72, 590, "And a line below that runs over the whole of the page, from edge to edge of it.")
    text = " ".join(read(tmp_path, "a.pdf", Pdf([page]).content()).text.split())
    assert text.startswith("A heading across both columns")
    assert " ".join([*LEFT, *RIGHT]) in text
    assert text.endswith("from edge to edge of it.")


def test_three_columns_written_across_are_read_one_after_the_other(tmp_path: Path) -> None:
    said = " ".join([*LEFT, *RIGHT]).split()
    short = [" ".join(said[at : at + 4]) for at in range(0, len(said), 4)]
    rows = -(-len(short) // 3)
    page = "\n".join(
        line(40 + 180 * column, 700 - 14 * row, short[column * rows + row])
        for row in range(rows)
        for column in range(3)
        if column * rows + row < len(short)
    )
    text = " ".join(read(tmp_path, "a.pdf", Pdf([page]).content()).text.split())
    assert text == " ".join(said)


def test_columns_whose_lines_take_turns_are_read_one_after_the_other(tmp_path: Path) -> None:
    page = "\n".join(
        line(72, 700 - 14 * number, left) + "\n" + line(320, 694 - 14 * number, right)
        for number, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True))
    )
    text = " ".join(read(tmp_path, "a.pdf", Pdf([page]).content()).text.split())
    assert " ".join([*LEFT, *RIGHT]) in text


def test_a_sentence_goes_on_from_one_column_to_the_next(tmp_path: Path) -> None:
    page = (
        lines(["the lower half of the", "bell was cast in the"])
        + "\n"
        + lines(["winter of the great", "frost."], x=320)
    )
    document = read(tmp_path, "a.pdf", Pdf([page]).content())
    assert "cast in the\nwinter of" in document.text


def test_tables_are_read_row_by_row(tmp_path: Path) -> None:
    rows = [("Ship", "Tons", "Port of call"), ("Heron", "410", "Leith"), ("Gannet", "95", "Bergen"), ("Tern", "7", "-")]
    page = lines(["The ships that came in the spring of that year were these, as far as the book says:"], y=740)
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            page += "\n" + line(72 + 150 * column, 700 - 14 * number, cell)
    document = read(tmp_path, "a.pdf", Pdf([page]).content())
    assert texts(document, BlockKind.TABLE) == ["\t".join(row) for row in rows]


def test_signs_beyond_the_first_plane_and_ligatures_do_not_shift_the_cells_behind_them(tmp_path: Path) -> None:
    rows = [("e ee bay", "410 tons"), ("e otter", "95 tons"), ("ee rock", "7 tons"), ("lo cliff", "9 tons")]
    page = "\n".join(
        line(72 + 250 * column, 700 - 14 * number, cell, font=WIDE)
        for number, row in enumerate(rows)
        for column, cell in enumerate(row)
    )
    document = read(tmp_path, "a.pdf", Pdf([page], meanings={"e": "\U0001f426", "f": "ff"}).content())
    cells = ["🐦 🐦🐦 bay\t410 tons", "🐦 ott🐦r\t95 tons", "🐦🐦 rock\t7 tons", "lo cliffff\t9 tons"]
    assert texts(document, BlockKind.TABLE) == cells


def test_signs_without_a_meaning_do_not_shift_the_cells_behind_them(tmp_path: Path) -> None:
    rows = [("\x01\x03 Heron bay", "410 tons"), ("\x01\x03 Gannet", "95 tons"), ("\x01\x03 Tern rock", "7 tons")]
    page = "\n".join(
        line(72 + 250 * column, 700 - 14 * number, cell, font=WIDE)
        for number, row in enumerate(rows)
        for column, cell in enumerate(row)
    )
    document = read(tmp_path, "a.pdf", Pdf([page]).content())
    assert texts(document, BlockKind.TABLE) == ["Heron bay\t410 tons", "Gannet\t95 tons", "Tern rock\t7 tons"]


@pytest.mark.parametrize(
    ("matrix", "down", "along"),
    [("0 1 -1 0", (14, 0), (0, 150)), ("0 -1 1 0", (-14, 0), (0, -150)), ("-1 0 0 -1", (0, 14), (-150, 0))],
)
def test_a_table_set_sideways_is_read_row_by_row(
    tmp_path: Path, matrix: str, down: tuple[int, int], along: tuple[int, int]
) -> None:
    rows = [("Heron", "410", "Leith"), ("Gannet", "95", "Bergen"), ("Tern", "7", "Oban"), ("Auk", "12", "Wick")]
    page = "\n".join(
        line(
            450 + down[0] * number + along[0] * column,
            400 + down[1] * number + along[1] * column,
            cell,
            matrix=matrix,
        )
        for number, row in enumerate(rows)
        for column, cell in enumerate(row)
    )
    document = read(tmp_path, "a.pdf", Pdf([page]).content())
    assert texts(document, BlockKind.TABLE) == ["\t".join(row) for row in rows]


def test_lines_written_from_bottom_to_top_are_read_from_the_top(tmp_path: Path) -> None:
    written = [f"line number {number} of the page" for number in range(12)]
    page = "\n".join(line(72, 700 - 14 * number, written[number]) for number in reversed(range(12)))
    assert read(tmp_path, "a.pdf", Pdf([page]).content()).text.split("\n") == written


@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_turned_pages_read_as_they_are_written(tmp_path: Path, angle: int) -> None:
    document = read(tmp_path, "a.pdf", Pdf([lines(["a sheet", "laid sideways"])], rotate=angle).content())
    assert document.text == "a sheet\nlaid sideways"


@pytest.mark.parametrize(("matrix", "steps"), [("0 1 -1 0", (14, 0)), ("0 -1 1 0", (-14, 0)), ("-1 0 0 -1", (0, 14))])
def test_text_turned_by_its_matrix_reads_in_its_own_direction(
    tmp_path: Path, matrix: str, steps: tuple[int, int]
) -> None:
    said = ["a note that climbs", "the edge of the page", "and ends there."]
    page = "\n".join(
        line(300 + steps[0] * number, 400 + steps[1] * number, text, matrix=matrix) for number, text in enumerate(said)
    )
    assert read(tmp_path, "a.pdf", Pdf([page]).content()).text == "\n".join(said)


def test_text_below_each_other_is_read_column_by_column_from_the_right(tmp_path: Path) -> None:
    said = [f"upright column number {number}" for number in "abcdefgh"]
    page = "\n".join(line(500 - 20 * number, 700, text, font=UPRIGHT) for number, text in enumerate(said))
    assert read(tmp_path, "a.pdf", Pdf([page]).content()).text.split("\n") == said


@pytest.mark.parametrize(
    ("drawn", "read_as"),
    [
        ("Br\u00a8oker, na\u00a8\u0131ve, \u00b4Etude", "Bröker, naïve, Étude"),
        ("el`eve, `echo` and don\u00b4t", "elève, `echo` and don\u00b4t"),
        ("gar\u00b8con, \u02c7Capek", "garçon, Čapek"),
    ],
)
def test_accents_drawn_before_their_letters_join_them(tmp_path: Path, drawn: str, read_as: str) -> None:
    assert read(tmp_path, "a.pdf", Pdf([line(72, 700, drawn, font=WIDE)]).content()).text == read_as


@pytest.mark.parametrize(
    ("first", "second"), [("毎年安定したリリースの変", "更が行われた。"), ("ทะเลสงบใน", "ตอนเช้า"), ("កុំភ្លេច", "ទូក")]
)
def test_lines_of_an_unspaced_script_join_without_a_break(tmp_path: Path, first: str, second: str) -> None:
    page = line(72, 700, first, font=WIDE) + "\n" + line(72, 684, second, font=WIDE)
    assert read(tmp_path, "a.pdf", Pdf([page]).content()).text == first + second


def test_korean_lines_keep_the_break_between_words(tmp_path: Path) -> None:
    page = line(72, 700, "안녕하세요", font=WIDE) + "\n" + line(72, 684, "여러분", font=WIDE)
    assert read(tmp_path, "a.pdf", Pdf([page]).content()).text == "안녕하세요\n여러분"


def test_hebrew_drawn_from_the_left_is_read_from_the_right(tmp_path: Path) -> None:
    document = read(tmp_path, "a.pdf", Pdf([line(72, 700, "שלום עולם"[::-1], font=WIDE)]).content())
    assert document.text == "שלום עולם"


def test_text_outside_the_page_is_not_there(tmp_path: Path) -> None:
    page = lines(["seen"]) + "\n" + line(72, 900, "above the sheet") + "\n" + line(700, 400, "beside it")
    assert read(tmp_path, "a.pdf", Pdf([page]).content()).text == "seen"


def test_text_drawn_small_and_scaled_up_is_as_large_as_it_looks(tmp_path: Path) -> None:
    page = line(72, 740, "Scaled title", size=1, matrix="30 0 0 30") + "\n" + lines(["plain words of a body"] * 5)
    document = read(tmp_path, "a.pdf", Pdf([page]).content())
    assert block_with(document, "Scaled title").kind is BlockKind.HEADING


@given(
    st.sampled_from(["1 0 0 1", "0 1 -1 0", "-1 0 0 -1", "1 0 0 -1", "0.7 0.7 -0.7 0.7"]),
    st.lists(
        st.tuples(st.integers(-7, 7), st.integers(-20, 20), st.sampled_from([1, 6, 9, -9])),
        max_size=30,
        unique_by=lambda one: one[:2],
    ),
)
def test_wherever_words_stand_apart_none_is_lost_and_none_comes_twice(
    matrix: str, places: list[tuple[int, int, int]]
) -> None:
    a, b, c, d = map(float, matrix.split())
    words = [f"word{number}x" for number in range(len(places))]
    # So far from one another in the direction they are set in that none covers another.
    spots = [(300 + 40 * x * a + 18 * y * c, 400 + 40 * x * b + 18 * y * d) for x, y, _ in places]
    page = "\n".join(
        line(round(x), round(y), word, size, matrix=matrix)
        for word, (x, y), (_, _, size) in zip(words, spots, places, strict=True)
    )
    content = Pdf([lines(["first"], x=0, y=2, size=1), page]).content()
    source = SourceFile(Path("a.pdf"), "a.pdf", content, len(content), 0)
    found = re.findall(r"word\d+x", PdfReader(read_inner).read(source).text)
    assert len(found) == len(set(found))
    assert set(found) <= set(words)
    on_the_page = (40 <= x <= 560 and 40 <= y <= 740 for x, y in spots)
    assert {word for word, inside in zip(words, on_the_page, strict=True) if inside} <= set(found)


def test_comments_and_form_values_stand_behind_their_page(tmp_path: Path) -> None:
    remarks = {
        1: ["/Subtype/Text/Contents(check the tonnage)", "/Subtype/Widget/FT/Tx/T(captain)/V(Ada Byron)"],
        2: ["/Subtype/Link/Contents(a link)", "/Subtype/Popup/Contents(a window)"],
    }
    document = read(tmp_path, "a.pdf", Pdf([lines(["one"]), lines(["two"])], remarks=remarks).content())
    assert [(block.page, block.span.of(document.text)) for block in document.blocks] == [
        (1, "one"),
        (1, "Comment: check the tonnage"),
        (1, "Field captain: Ada Byron"),
        (2, "two"),
    ]
