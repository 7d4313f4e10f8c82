"""Tables in text: rows with the names of their columns, whatever parts the cells, at the line where the row begins."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.delimiters import delimiter_of, has_header
from ragspine_tui.documents.reader import read_loaded
from ragspine_tui.documents.source_file import SourceFile
from tests.unit.documents.files import block_with, read, texts

TABLE = (
    'id,town,remark\n1,Pike Lane,"said ""aye"", twice"\n2,Fuller Row,"a cell\nof two lines"\n\n3,Tanners\' Gate,dry\n'
)


def test_a_row_names_its_columns_and_knows_its_line(tmp_path: Path) -> None:
    document = read(tmp_path, "a.csv", TABLE)
    assert texts(document) == [
        "id\ttown\tremark",
        'id: 1\ttown: Pike Lane\tremark: said "aye", twice',
        "id: 2\ttown: Fuller Row\tremark: a cell\nof two lines",
        "id: 3\ttown: Tanners' Gate\tremark: dry",
    ]
    assert [(block.line, block.place) for block in document.blocks] == [
        (1, "row 1"),
        (2, "row 2"),
        (3, "row 3"),
        (6, "row 5"),
    ]
    assert (document.kind, document.title, document.verbatim) == ("csv", "a", False)


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_lines_may_end_in_any_way(tmp_path: Path, ends: str) -> None:
    document = read(tmp_path, "a.csv", TABLE.replace("\n", ends).encode())
    assert block_with(document, "dry").line == 6


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "Ort;Preis;Notiz\nKöln;1,50;vereist\nBonn;2,25;offen\n"),
        ("a.csv", "sep=;\r\nOrt;Preis;Notiz\r\nKöln;1,50;vereist\r\nBonn;2,25;offen\r\n"),
        ("a.tsv", "Ort\tPreis\tNotiz\nKöln\t1,50\tvereist\nBonn\t2,25\toffen\n"),
        ("a.csv", "Ort|Preis|Notiz\nKöln|1,50|vereist\nBonn|2,25|offen\n"),
        ("a.csv", "Ort;Preis;Notiz\nKöln;1,50;vereist\nBonn;2,25;offen\n".encode("cp1252")),
        ("a.tsv", "Ort\tPreis\tNotiz\nKöln\t1,50\tvereist\nBonn\t2,25\toffen\n".encode("utf-16")),
    ],
)
def test_any_delimiter_and_encoding_gives_the_same_rows(tmp_path: Path, name: str, content: str | bytes) -> None:
    assert texts(read(tmp_path, name, content))[1:] == [
        "Ort: Köln\tPreis: 1,50\tNotiz: vereist",
        "Ort: Bonn\tPreis: 2,25\tNotiz: offen",
    ]


@pytest.mark.parametrize(
    ("text", "sign"),
    [("1,5;2,5\n3,5;4,5\n", ";"), ("a,b\nc,d\n", ","), ("plain words\n", ","), ("a\tb, c\nd\te, f\n", "\t")],
)
def test_the_sign_that_parts_cells_is_found(text: str, sign: str) -> None:
    assert delimiter_of(text, ",") == sign


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([["name", "age"], ["Ines", "40"]], True),
        ([["名前", "年齢"], ["佐藤太郎", "30"]], True),
        ([["town", "note"], ["Murrisk", "slate punts moored two abreast"]], True),
        ([["Name", "Sex"], *([f"Ines {n}", "mf"[n % 2]] for n in range(8))], True),
        ([["Ines Marlock", "Halfmoon"], ["Rufus Penhale", "Linden Yard"]], False),
        ([["Ines", "40"], ["Rufus", "61"]], False),
        ([["a", "a"], ["1", "2"]], False),
        ([["only"], ["1"]], False),
        ([["name", "age"]], False),
    ],
)
def test_only_a_row_that_must_be_names_is_repeated(rows: list[list[str]], expected: bool) -> None:
    assert has_header(rows) is expected


def test_a_title_may_stand_above_the_names(tmp_path: Path) -> None:
    document = read(tmp_path, "a.csv", "Weights of March\n\nid,town,note\n1,Murrisk,dry\n2,Louisburgh,wet\n")
    assert texts(document) == [
        "Weights of March",
        "id\ttown\tnote",
        "id: 1\ttown: Murrisk\tnote: dry",
        "id: 2\ttown: Louisburgh\tnote: wet",
    ]
    assert [block.place for block in document.blocks] == ["row 1", "row 3", "row 4", "row 5"]


def test_long_names_are_cut_and_wide_tables_keep_their_values_alone(tmp_path: Path) -> None:
    name = "depth of the channel at the lowest tides"
    assert texts(read(tmp_path, "a.csv", f"id,{name}\n1,7\n"))[1] == f"id: 1\t{name[:40]}: 7"
    wide = ",".join(f"c{n}" for n in range(61)) + "\n" + ",".join(str(n) for n in range(61)) + "\n"
    assert texts(read(tmp_path, "b.csv", wide))[1].startswith("0\t1\t2")


def test_many_rows_have_no_place_of_their_own(tmp_path: Path) -> None:
    document = read(tmp_path, "a.csv", "id,note\n" + "".join(f"{n},word\n" for n in range(20_000)))
    assert (document.blocks[-1].line, document.blocks[-1].place) == (20_001, "")
    assert texts(document)[-1] == "id: 19999\tnote: word"


def test_very_many_rows_are_packed_by_their_values(tmp_path: Path) -> None:
    document = read(tmp_path, "a.csv", "id,note\n" + "".join(f"{n},w\n" for n in range(200_000)))
    assert len(document.blocks) < 10_000
    found = block_with(document, "199999\tw")
    assert found.line is not None
    assert 200_001 - 100 < found.line <= 200_001


def test_a_quotation_never_closed_is_read_as_it_stands(tmp_path: Path) -> None:
    document = read(tmp_path, "a.csv", 'id,note\n1,"five inches\n2,six\n3,seven\n')
    assert texts(document)[1:] == ['id: 1\tnote: "five inches', "id: 2\tnote: six", "id: 3\tnote: seven"]
    assert document.notes == ("a quotation mark is never closed: they are read as they stand",)


def test_a_label_at_the_top_counts(tmp_path: Path) -> None:
    assert read(tmp_path, "a.csv", "# sensitivity: restricted\na,b\n1,2\n").fields["sensitivity"] == ("restricted",)


@given(
    st.lists(st.lists(st.sampled_from(["word", "1", 'a "b"', "x\ny", "", "漢字", "a;b", "'"]), max_size=4), max_size=8)
)
def test_every_cell_is_in_the_text(rows: list[list[str]]) -> None:
    written = "\n".join(",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows)
    data = f"name,of,column\n{written}".encode()
    document = read_loaded(SourceFile(Path("a.csv"), "a.csv", data, len(data), 0.0))
    assert all(cell in document.text for row in rows for cell in row)


@given(st.text(alphabet='a1",;\t|\n\r é', max_size=60), st.sampled_from(["a.csv", "a.tsv"]))
def test_no_signs_whatever_break_the_reader(text: str, name: str) -> None:
    data = f'id,"no{text}\nword,1'.encode()
    document = read_loaded(SourceFile(Path(name), name, data, len(data), 0.0))
    assert document.text.count("a") >= data.decode().count("a")
