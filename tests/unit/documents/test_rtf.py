"""Rich text: the words that a word processor shows, whatever code page they are written in."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.rtf_reader import RtfReader
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.errors import ReadError
from ragspine_tui.types import BlockKind, Document
from tests.unit.documents.files import headings, read, texts


def rtf(folder: Path, body: str, name: str = "a.rtf") -> Document:
    return read(folder, name, ("{\\rtf1\\ansi\\ansicpg1252\\deff0" + body + "}").encode("latin-1"))


def text(folder: Path, body: str) -> str:
    return rtf(folder, body).text


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (r"na\'efve caf\'e9", "naïve café"),
        (r"{\fonttbl{\f1\fcharset204 Times;}}\f1 \'ca\'e0\'ed\'e0\'f2\plain \'e9", "Канатé"),
        (r"{\fonttbl{\f1\fcharset128 MS Mincho;}{\f2\fcharset0 Arial;}}{\f1 \'93\'fa\'96\'7b} \'e9", "日本 é"),
        (r"{\fonttbl{\f1\fcharset128 M;}}\f1 \'83A\'83\\", "アソ"),
        (r"\u26085?\u26412? \u-10179?\u-9215?", "日本 \U0001f401"),
        (r"\uc2\u233ab c\uc0\u233 d{\uc1\u233 x}e\u233", "é cédé" + "eé"),
        (r"\uc1\u8220\ldblquote ok\u8221\rdblquote\par", "“ok”"),
        (r"\emdash a\~b\_c\-d\tab e\line f\bullet", "—a b-cd\te\nf•"),
        (r"a\{b\}c\\d", r"a{b}c\d"),
        ("broken\r\nline", "brokenline"),
        (r"seen {\v hidden}\deleted gone\deleted0  end", "seen  end"),
        (r"{\field{\*\fldinst HYPERLINK secret}{\fldrslt the link}}", "the link"),
        (r"{\pict\pngblip 89504e47}{\*\unknown {nested} x}after", "after"),
        (r"{\pict\bin5 }}{\\}after", "after"),
        (r"{\upr{\ansi no}{\*\ud yes}}", "yes"),
        (r"{\*\generator made}{\xe index}{\*\bkmkstart mark}body", "body"),
        (r"{\object{\*\objdata 01}{\result shown}}", "shown"),
        (r"{\mmath{\*\moMath{\mr x=1}}}{\mmathPict{\pict 00}}", "x=1"),
    ],
)
def test_what_is_shown_is_read(tmp_path: Path, body: str, shown: str) -> None:
    assert text(tmp_path, body) == shown


@pytest.mark.parametrize(
    ("start", "shown"), [(r"\mac \'8e", "é"), (r"\pc \'82", "é"), (r"\pca \'82", "é"), (r"\ansicpg65001 \'c3\'a9", "é")]
)
def test_the_code_page_is_that_of_the_head(tmp_path: Path, start: str, shown: str) -> None:
    assert read(tmp_path, "a.rtf", f"{{\\rtf1{start}}}").text == shown


def test_headings_come_from_outline_levels_and_styles_with_what_they_are_based_on(tmp_path: Path) -> None:
    sheet = r"{\stylesheet{\ql \f0 Normal;}{\s1{\*\keycode x}\sbasedon0 heading 1;}{\s2\sbasedon1 Chapter;}"
    sheet += r"{\s3\outlinelevel2 Custom;}{\s4 Title;}{\*\cs5 Emphasis;}}"
    body = r"\pard\s4 Tides\par\pard\s1 One\par\pard\s2 Two\par\pard\s3 Three\par\pard\outlinelevel3 Four\par"
    document = rtf(tmp_path, sheet + body + r"\pard Plain\par \pard\s1\outlinelevel9 Body\par")
    assert headings(document) == [(1, "Tides"), (1, "One"), (1, "Two"), (3, "Three"), (4, "Four")]
    assert texts(document, BlockKind.PARAGRAPH) == ["Plain", "Body"]
    assert (document.title, document.kind) == ("Tides", "rtf")


def test_tables_are_read_row_by_row_and_inner_ones_after_their_row(tmp_path: Path) -> None:
    body = (
        r"\trowd\pard\intbl Depot\cell Marker\par more\cell\row"
        r"\trowd\pard\intbl outer \itap2 in\nestcell ner\nestcell{\*\nesttableprops\trowd\nestrow}{\nonesttables\par}"
        r"\itap1\cell end\cell\row\pard After\par"
    )
    document = rtf(tmp_path, body)
    assert texts(document, BlockKind.TABLE) == ["Depot\tMarker more", "\tend", "outer in\tner"]
    assert texts(document, BlockKind.PARAGRAPH) == ["After"]


def test_rows_of_long_tables_say_what_their_columns_are_called(tmp_path: Path) -> None:
    rows = "".join(rf"\trowd\pard\intbl {cells}\cell\row" for cells in [r"Boat\cell Length", *[r"Skua\cell 9"] * 5])
    found = texts(rtf(tmp_path, rf"{rows}\pard End\par"))
    assert found == ["Boat\tLength", *["Boat: Skua\tLength: 9"] * 5, "End"]


def test_list_items_are_told_and_their_signs_are_not_text(tmp_path: Path) -> None:
    document = rtf(tmp_path, r"{\listtext\'b7\tab}\pard\ls1 oakum\par {\pntext 1.}tar\par\pard plain\par")
    assert texts(document, BlockKind.LIST) == ["oakum", "tar"]
    assert texts(document, BlockKind.PARAGRAPH) == ["plain"]


def test_what_is_not_main_text_follows_it_in_parts_that_say_what_it_is(tmp_path: Path) -> None:
    body = (
        r"{\header Farrow\par}{\headerf Farrow\par}{\footer Draft}\pard Stove{\super\chftn}"
        r"{\footnote\pard\chftn  It was cold.\par}{\footnote\ftnalt See the log.} out"
        r"{\*\atnid AK}{\*\atnauthor Ada Kent}\chatn{\*\annotation{\*\atnref 1}\pard Check.}.\par"
    )
    document = rtf(tmp_path, body)
    assert [(block.part, block.span.of(document.text)) for block in document.blocks] == [
        ("", "Stove out."),
        ("footnote", "It was cold."),
        ("endnote", "See the log."),
        ("comment", "Ada Kent: Check."),
        ("header", "Farrow"),
        ("footer", "Draft"),
    ]


def test_text_boxes_follow_their_paragraph(tmp_path: Path) -> None:
    shape = r"{\shp{\*\shpinst{\sp{\sn x}{\sv 1}}{\shptxt\pard boxed\par in\par}}{\shprslt boxed}}"
    document = rtf(tmp_path, rf"Before{shape} and after\par Next\par")
    assert [(block.place, block.span.of(document.text)) for block in document.blocks] == [
        ("", "Before and after"),
        ("text box", "boxed\nin"),
        ("", "Next"),
    ]


def test_pictures_say_what_they_show(tmp_path: Path) -> None:
    body = r"Seal{\pict{\*\picprop{\sp{\sn wzDescription}{\sv A grey seal}}}8950}\par Next\par"
    assert text(tmp_path, body) == "Seal\n\nPicture: A grey seal\n\nNext"


def test_information_becomes_fields_and_labels_count(tmp_path: Path) -> None:
    info = r"{\info{\title Tide tables}{\author Ada}{\keywords sea, restricted}{\company Harbour}\nofpages3"
    info += r"{\creatim\yr2024\mo3\dy1\hr9\min30}{\upr{\subject x}{\*\ud{\subject \u26085?}}}}"
    info += r"{\*\userprops{\propname Project}\proptype30{\staticval Buoy}}"
    document = rtf(tmp_path, info + "text")
    fields = document.fields
    assert document.title == "Tide tables"
    assert (fields["author"], fields["company"], fields["pages"]) == (("Ada",), ("Harbour",), ("3",))
    assert (fields["created"], fields["subject"]) == (("2024-03-01T09:30:00",), ("日",))
    assert (fields["project"], fields["sensitivity"]) == (("Buoy",), ("restricted",))


@pytest.mark.parametrize("name", ["a.doc", "a", "a.txt"])
def test_rich_text_is_told_by_its_first_bytes(tmp_path: Path, name: str) -> None:
    assert rtf(tmp_path, "body", name).kind == "rtf"


def test_a_file_that_is_cut_off_is_read_up_to_there_and_told(tmp_path: Path) -> None:
    document = read(tmp_path, "a.rtf", rb"{\rtf1 first\par {\b sec")
    assert document.text == "first\n\nsec"
    assert document.notes == ("is cut off: read up to there",)


@pytest.mark.parametrize(
    ("content", "status"),
    [(rb"{\rtf1{\info{\title x}}}", "empty"), (rb"{\rtf1{\pict 00}}", "no_text"), (b"just words", "damaged")],
)
def test_what_holds_no_text_is_told(tmp_path: Path, content: bytes, status: str) -> None:
    with pytest.raises(ReadError) as caught:
        read(tmp_path, "a.rtf", content)
    assert caught.value.status == status


def test_deep_groups_are_read(tmp_path: Path) -> None:
    assert text(tmp_path, "{" * 20_000 + "deep" + "}" * 20_000 + "after") == "deepafter"


SEED = (
    rb"{\rtf1\ansi\ansicpg1251{\fonttbl{\f0\fcharset204 T;}{\f1\fcharset128 M;}}{\stylesheet{\s1 heading 1;}}"
    rb"{\info{\title x}}\pard\s1 Head\par\trowd\intbl a\cell b\cell\row\pard \u26085?\'ca{\footnote n}\f1 \'93\'fa\par}"
)


@given(st.data())
def test_any_damage_ends_in_a_document_or_a_read_error(data: st.DataObject) -> None:
    broken = bytearray(SEED)
    for _ in range(data.draw(st.integers(1, 8))):
        start = data.draw(st.integers(5, len(broken) - 1))
        word = data.draw(
            st.sampled_from([b"{", b"}", b"\\", b"\\'", b"\\*", b"\\bin9", b"\\nestrow", b"\\ud", b"\xff"])
        )
        broken[start : start + data.draw(st.integers(0, 4))] = word
    source = SourceFile(Path("a.rtf"), "a.rtf", bytes(broken), len(broken), 0.0)
    try:
        assert RtfReader().read(source).text
    except ReadError as error:
        assert error.status in {"empty", "no_text"}
