"""Excel files: rows that say where they stand and what their columns are called, values as a person sees them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.gathered import GatheredText
from ragspine_tui.documents.number_formats import built_in_format, number_format
from ragspine_tui.documents.package_reader import PackageReader
from ragspine_tui.documents.reader import read_inner
from ragspine_tui.documents.sheets import MAX_ROWS, Row, Sheet, SheetWriter, cell_place, column_name
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.errors import ReadError
from ragspine_tui.types import BlockKind, Document
from tests.unit.documents.files import headings, read
from tests.unit.documents.office import damaged, relations, strict, xml
from tests.unit.documents.packed import packed

STYLES = xml(
    "s:styleSheet",
    '<s:numFmts><s:numFmt numFmtId="164" formatCode="&quot;INV-&quot;0000"/></s:numFmts>'
    '<s:cellXfs><s:xf numFmtId="0"/><s:xf numFmtId="14"/><s:xf numFmtId="9"/><s:xf numFmtId="164"/></s:cellXfs>',
)


def cell(reference: str, value: str, kind: str = "", style: int = 0) -> str:
    if kind == "inlineStr":
        return f'<s:c r="{reference}" t="inlineStr"><s:is><s:t>{value}</s:t></s:is></s:c>'
    return f'<s:c r="{reference}" t="{kind or "n"}" s="{style}"><s:v>{value}</s:v></s:c>'


def row(number: int, *values: str) -> str:
    """A row of texts and numbers from column A."""
    cells = (
        cell(f"{column_name(place)}{number}", value, "" if value.replace(".", "").isdigit() else "inlineStr")
        for place, value in enumerate(values)
        if value
    )
    return f'<s:row r="{number}">{"".join(cells)}</s:row>'


def workbook(
    sheets: Mapping[str, str],
    parts: Mapping[str, str] | None = None,
    targets: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """The parts of a workbook; `targets` are the relationships of its first sheet."""
    listed = "".join(f'<s:sheet name="{name}" r:id="s{place}"/>' for place, name in enumerate(sheets))
    found = {f"s{place}": f"worksheet sheets/s{place}.xml" for place in range(len(sheets))}
    made = {
        "_rels/.rels": relations({"m": "officeDocument xl/workbook.xml"}),
        "xl/workbook.xml": xml("s:workbook", f"<s:sheets>{listed}</s:sheets>"),
        "xl/_rels/workbook.xml.rels": relations(
            found | {"st": "styles styles.xml", "ss": "sharedStrings strings.xml", "pe": "person persons/p.xml"}
        ),
        "xl/sheets/_rels/s0.xml.rels": relations(targets or {}),
        "xl/styles.xml": STYLES,
    }
    for place, rows in enumerate(sheets.values()):
        made[f"xl/sheets/s{place}.xml"] = xml("s:worksheet", f"<s:sheetData>{rows}</s:sheetData>")
    return made | {f"xl/{name}": content for name, content in (parts or {}).items()}


def book(
    folder: Path,
    sheets: Mapping[str, str],
    parts: Mapping[str, str] | None = None,
    targets: Mapping[str, str] | None = None,
) -> Document:
    return read(folder, "a.xlsx", packed(workbook(sheets, parts, targets)))


def places(document: Document) -> list[tuple[str, str]]:
    return [
        (block.place or block.part, block.span.of(document.text))
        for block in document.blocks
        if block.kind is not BlockKind.HEADING
    ]


def test_each_row_stands_at_its_range_under_the_name_of_its_sheet(tmp_path: Path) -> None:
    sheets = {"Tides": row(2, "", "high", "low") + row(5, "spring"), "Empty": "", "Crew &amp; Co": row(1, "Ada")}
    document = book(tmp_path, sheets)
    assert places(document) == [("Tides!B2:C2", "high\tlow"), ("Tides!A5", "spring"), ("Crew & Co!A1", "Ada")]
    assert headings(document) == [(1, "Tides"), (1, "Crew & Co")]
    assert (document.kind, document.title) == ("xlsx", "a")


def test_rows_under_a_row_of_names_say_them(tmp_path: Path) -> None:
    rows = row(1, "Harbour log") + row(3, "Boat", "Length") + row(4, "Skua", "12.5") + row(5, "Tern", "9")
    rows += row(7, "Knot", "8") + row(9, "", "", "measured at the keel") + row(10, "Smew", "7")
    assert [text for _, text in places(book(tmp_path, {"Log": rows}))] == [
        "Harbour log",
        "Boat\tLength",
        "Boat: Skua\tLength: 12.5",
        "Boat: Tern\tLength: 9",
        "Boat: Knot\tLength: 8",
        "measured at the keel",
        "Smew\t7",
    ]


def test_a_first_row_that_may_be_values_is_not_repeated(tmp_path: Path) -> None:
    rows = row(1, "Skua", "Ada") + row(2, "Tern", "Ben")
    assert [text for _, text in places(book(tmp_path, {"Crew": rows}))] == ["Skua\tAda", "Tern\tBen"]


def test_a_table_of_the_workbook_names_its_columns(tmp_path: Path) -> None:
    table = '<s:tableColumns><s:tableColumn name="Boat"/><s:tableColumn name="Master"/></s:tableColumns>'
    parts = {"tables/t.xml": xml('s:table ref="A1:B2"', table)}
    rows = row(1, "Boat", "Master") + row(2, "Skua", "Ada") + row(3, "below", "it")
    document = book(tmp_path, {"Crew": rows}, parts, {"t": "table ../tables/t.xml"})
    assert [text for _, text in places(document)] == ["Boat\tMaster", "Boat: Skua\tMaster: Ada", "below\tit"]


def test_values_are_read_as_they_are_shown(tmp_path: Path) -> None:
    strings = "<s:si><s:r><s:t>bold </s:t></s:r><s:r><s:t>blue</s:t></s:r><s:rPh><s:t>x</s:t></s:rPh></s:si>"
    strings += "<s:si><s:t>a_x000D_b</s:t></s:si>"
    cells = (
        cell("A1", "0", "s") + cell("B1", "1", "s") + cell("C1", "45352", style=1) + cell("D1", "0.25", style=2)
        + cell("E1", "42", style=3) + cell("F1", "1", "b") + cell("G1", "#N/A", "e")
        + cell("H1", "2024-03-01T00:00:00", "d")
        + cell("I1", "0.30000000000000004") + cell("J1", "total", "str") + cell("K1", "99", "s")
        + '<s:c r="L1"><s:f>SUM(A1)</s:f><s:v>7</s:v></s:c><s:c r="M1" s="1"/>'
    )  # fmt: skip
    document = book(tmp_path, {"S": f'<s:row r="1">{cells}</s:row>'}, {"strings.xml": xml("s:sst", strings)})
    shown = "bold blue|a b|2024-03-01|25%|INV-0042|TRUE|#N/A|2024-03-01|0.3|total|7"
    assert places(document) == [("S!A1:L1", shown.replace("|", "\t"))]


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("General", 1234567.0, "1234567"),
        ("General", 1e-7, "1e-07"),
        ("0.00", 19.9, "19.90"),
        ("#,##0.00", -1234.5, "-1234.50"),
        ("0.0#", 1.5, "1.5"),
        ("0.0%", 0.1234, "12.3%"),
        ("00000", 1234, "01234"),
        ('0" kg"', 5, "5 kg"),
        ('[$€-407] #,##0.00;[Red]-"x"', 3, "€ 3.00"),
        ("yyyy-mm-dd hh:mm", 45352.604166666664, "2024-03-01 14:30"),
        ("[h]:mm", 1.5, "36:00:00"),
        ("hh:mm", 0.75, "18:00"),
        ("d. mmmm yyyy", 1, "1900-01-01"),
        ("mmm", 61, "1900-03-01"),
        ("# ?/?", 0.5, "0.5"),
        ("(000) 000", 123456, "123456"),
        ("yyyy", 1e9, "1000000000"),
        ("yyyy", float("nan"), "nan"),
        ("x" * 300, 1, "1"),
        ("@", 12, "12"),
    ],
)
def test_numbers_are_shown_by_their_format(code: str, value: float, shown: str) -> None:
    assert number_format(code).shown(value) == shown


def test_built_in_formats_and_dates_since_1904() -> None:
    assert built_in_format(14).shown(45352) == "2024-03-01"
    assert built_in_format(14).shown(43890, since_1904=True) == "2024-03-01"
    assert built_in_format(10).shown(0.5) == "50.00%"
    assert built_in_format(999).shown(0.5) == "0.5"


@given(st.text(alphabet='0#?.,%;"\\[]$€-ymdhsg/@_*eE+ x', max_size=30), st.floats(allow_nan=True))
def test_any_format_shows_any_number(code: str, value: float) -> None:
    assert number_format(code).shown(value)


def test_comments_stand_in_the_row_of_their_cell_and_threads_once(tmp_path: Path) -> None:
    plain = "<s:authors><s:author>Nick</s:author></s:authors><s:commentList>"
    plain += '<s:comment ref="B1" authorId="0"><s:text><s:r><s:t>Nick:\n</s:t></s:r>'
    plain += "<s:r><s:t>look</s:t></s:r></s:text></s:comment>"
    plain += '<s:comment ref="A1" authorId="0"><s:text><s:t>[Threaded comment] copy</s:t></s:text></s:comment>'
    plain += '<s:comment ref="C9" authorId="0"><s:text><s:t>alone</s:t></s:text></s:comment></s:commentList>'
    thread = '<tc:threadedComment ref="A1" personId="p"><tc:text>why?</tc:text></tc:threadedComment>'
    thread += '<tc:threadedComment ref="A1" personId="q"><tc:text>so</tc:text></tc:threadedComment>'
    parts = {
        "c.xml": xml("s:comments", plain),
        "t.xml": xml("tc:ThreadedComments", thread),
        "persons/p.xml": xml("tc:personList", '<tc:person id="p" displayName="Ada"/>'),
    }
    document = book(
        tmp_path, {"S": row(1, "x", "y")}, parts, {"c": "comments ../c.xml", "t": "threadedComment ../t.xml"}
    )
    assert places(document) == [
        ("S!A1:B1", "x\ty\tComment on A1 by Ada: why?\tComment on A1: so\tComment on B1 by Nick: look"),
        ("S!C9", "Comment on C9 by Nick: alone"),
    ]


@pytest.mark.parametrize(
    ("rows", "label"),
    [
        (row(1, "Sensitivity", "restricted"), "restricted"),
        (row(1, "Sensitivity: restricted"), "restricted"),
        (row(1, "Sensitivity", "Specificity") + row(2, "0.91", "0.87"), None),
        (row(1, "Sensitivity", "Boat") + row(2, "0.91", "Skua"), None),
    ],
)
def test_labels_are_told_from_columns_that_are_called_so(tmp_path: Path, rows: str, label: str | None) -> None:
    assert book(tmp_path, {"S": rows}).fields.get("sensitivity", (None,)) == (label,)


def test_drawings_speak_at_the_cell_they_begin_at_and_margins_after_the_rows(tmp_path: Path) -> None:
    start = "<xdr:from><xdr:col>1</xdr:col><xdr:row>3</xdr:row></xdr:from>"
    text = "<xdr:sp><xdr:txBody><a:p><a:r><a:t>Mind the swell</a:t></a:r></a:p></xdr:txBody></xdr:sp>"
    chart = '<xdr:graphicFrame><a:graphic><c:chart r:id="ch"/></a:graphic></xdr:graphicFrame>'
    drawing = (
        f"<xdr:twoCellAnchor>{start}{text}</xdr:twoCellAnchor><xdr:twoCellAnchor>{start}{chart}</xdr:twoCellAnchor>"
    )
    parts = {
        "drawings/d.xml": xml("xdr:wsDr", drawing),
        "drawings/_rels/d.xml.rels": relations({"ch": "chart ../charts/c.xml"}),
        "charts/c.xml": xml("c:chartSpace", "<c:title><a:p><a:r><a:t>Catch</a:t></a:r></a:p></c:title>"),
    }
    button = "<v:textbox><div>Weigh anchor</div></v:textbox><v:textbox><div>Mind the swell</div></v:textbox>"
    parts["drawings/v.vml"] = xml("xml", button)
    targets = {"d": "drawing ../drawings/d.xml", "v": "vmlDrawing ../drawings/v.vml"}
    made = workbook({"S": row(1, "x")}, parts, targets)
    margin = '<s:headerFooter><s:oddHeader>&amp;L&amp;"Arial,Bold"&amp;12Harbour &amp;P</s:oddHeader></s:headerFooter>'
    made["xl/sheets/s0.xml"] = made["xl/sheets/s0.xml"].replace("</s:worksheet>", margin + "</s:worksheet>")
    assert places(read(tmp_path, "a.xlsx", packed(made))) == [
        ("S!A1", "x"),
        ("S!B4", "Mind the swell"),
        ("S!B4", "Chart: Catch"),
        ("S", "Weigh anchor"),
        ("S!header and footer", "Harbour"),
    ]


def test_strict_files_give_what_transitional_ones_do(tmp_path: Path) -> None:
    parts = {
        name: strict(content)
        for name, content in workbook({"S": row(1, "Boat", "Length") + row(2, "Skua", "9")}).items()
    }
    assert places(read(tmp_path, "a.xlsx", packed(parts)))[1] == ("S!A2:B2", "Boat: Skua\tLength: 9")


def test_rows_beyond_many_are_packed_and_keep_their_range() -> None:
    out = GatheredText()
    SheetWriter(out).write(Sheet("S", (Row(number, [(0, str(number))]) for number in range(1, MAX_ROWS + 203))))
    assert out.blocks[MAX_ROWS].place == f"S!A{MAX_ROWS}"
    packed_block = out.blocks[MAX_ROWS + 1]
    assert packed_block.place.startswith("S!A20001:A20")
    assert packed_block.span.of(out.text).startswith("20001\n20002\n")
    assert out.text.endswith("20201\n20202")


def test_one_text_in_many_cells_is_bounded(tmp_path: Path) -> None:
    strings = xml("s:sst", f"<s:si><s:t>{'sea ' * 250_000}</s:t></s:si>")
    cells = "".join(cell(f"{column_name(column)}1", "0", "s") for column in range(70))
    with pytest.raises(ReadError) as caught:
        book(tmp_path, {"S": f'<s:row r="1">{cells}</s:row>'}, {"strings.xml": strings})
    assert caught.value.status == "too_large"


def test_a_cell_far_away_costs_nothing(tmp_path: Path) -> None:
    rows = row(1, "x") + '<s:row r="1048576"><s:c r="XFD1048576"><s:v>5</s:v></s:c></s:row>'
    assert places(book(tmp_path, {"S": rows}))[1] == ("S!XFD1048576", "5")


@given(st.integers(0, 20_000), st.integers(1, 1_048_576))
def test_a_place_is_read_as_it_is_written(column: int, number: int) -> None:
    if column < 26**3:
        assert cell_place(f"{column_name(column)}{number}") == (number, column)


@pytest.mark.parametrize("reference", ["", "B", "7", "B3:C4", "ÄÖ3", "ABCD1", "B-3", "B٣"])
def test_what_is_no_place_is_none(reference: str) -> None:
    assert cell_place(reference) is None


SEED = packed(workbook({"S": row(1, "Boat", "Length") + row(2, "Skua", "9"), "T": row(1, "x")}), method=0)


@given(damaged(SEED))
def test_any_damage_ends_in_a_document_or_a_read_error(broken: bytes) -> None:
    try:
        document = PackageReader(read_inner).read(SourceFile(Path("a.xlsx"), "a.xlsx", broken, len(broken), 0.0))
    except ReadError as error:
        assert error.status in {"damaged", "unsupported", "encrypted", "empty", "no_text"}
    else:
        assert document.blocks


@pytest.mark.parametrize(("count", "said"), [(0, ()), (1, ("1 formula holds",)), (3, ("3 formulas hold",))])
def test_formulas_without_a_value_are_told(tmp_path: Path, count: int, said: tuple[str, ...]) -> None:
    valued = '<s:c r="A1"><s:f>1+1</s:f><s:v>2</s:v></s:c><s:c r="B1" t="str"><s:f>""</s:f><s:v></s:v></s:c>'
    empty = "".join(f'<s:c r="{name}1"><s:f>1+1</s:f><s:v/></s:c>' for name in "CDE"[:count])
    document = book(tmp_path, {"Sums": f'<s:row r="1">{valued}{empty}</s:row>' + row(2, "total")})
    assert places(document) == [("Sums!A1", "2"), ("Sums!A2", "total")]
    remark = "no value: open the file in a spreadsheet program and save it once"
    assert document.notes == tuple(f"{one} {remark}" for one in said)
