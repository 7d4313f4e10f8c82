"""OpenDocument: texts, spreadsheets and presentations, in packages and flat files, with what stands beside the text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.reader import choose_reader, read_document
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.errors import ReadError
from ragspine_tui.types import BlockKind, Document
from tests.unit.documents.files import headings, read, texts
from tests.unit.documents.office import ODF_NAMESPACES, damaged, odf, xml
from tests.unit.documents.packed import packed


def places(document: Document) -> list[tuple[str, str]]:
    return [(block.place or block.part, block.span.of(document.text)) for block in document.blocks]


def styles(master: str) -> dict[str, str]:
    pages = f"<office:master-styles>{master}</office:master-styles>"
    return {"styles.xml": xml("office:document-styles", pages, ODF_NAMESPACES)}


def p(text: str, style: str = "") -> str:
    return f'<text:p text:style-name="{style}">{text}</text:p>'


def cell(text: str, more: str = "") -> str:
    return f"<table:table-cell {more}>{p(text) if text else ''}</table:table-cell>"


def row(*cells: str, more: str = "") -> str:
    return f"<table:table-row {more}>{''.join(cells)}</table:table-row>"


def test_headings_lists_and_tables_are_told(tmp_path: Path) -> None:
    body = (
        p("Whale Watch", "P1")
        + '<text:h text:outline-level="2">Sights</text:h>'
        + "<text:list><text:list-item>"
        + p("fin")
        + "<text:list><text:list-item>"
        + p("fluke")
        + "</text:list-item></text:list></text:list-item></text:list>"
        + "<text:section>"
        + f"<table:table>{row(cell('Depot'), cell('Marker'))}{row(cell('Third'), cell('pole'))}</table:table>"
        + "</text:section>"
    )
    automatic = '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>'
    document = read(tmp_path, "a.odt", odf("text", body, automatic=automatic))
    assert headings(document) == [(1, "Whale Watch"), (2, "Sights")]
    assert texts(document, BlockKind.LIST) == ["fin", "fluke"]
    assert texts(document, BlockKind.TABLE) == ["Depot\tMarker", "Third\tpole"]
    assert (document.kind, document.title) == ("odt", "Whale Watch")


def test_rows_of_long_tables_say_what_their_columns_are_called(tmp_path: Path) -> None:
    head = f"<table:table-header-rows>{row(cell('Boat'), cell('Master'))}</table:table-header-rows>"
    rows = "".join(row(cell(f"Skua {number}"), cell("Ada")) for number in range(5))
    found = texts(read(tmp_path, "a.odt", odf("text", f"<table:table>{head}{rows}</table:table>{p('End')}")))
    assert found[:2] == ["Boat\tMaster", "Boat: Skua 0\tMaster: Ada"]
    assert found[-2:] == ["Boat: Skua 4\tMaster: Ada", "End"]


def test_white_space_is_that_of_the_page(tmp_path: Path) -> None:
    body = p('tide\n   <text:span>mar</text:span>ker<text:tab/>kelp<text:line-break/>rope<text:s text:c="2"/>end')
    assert read(tmp_path, "a.odt", odf("text", body)).text == "tide marker\tkelp\nrope  end"


def test_what_is_not_main_text_follows_it_in_parts_that_say_what_it_is(tmp_path: Path) -> None:
    note = (
        '<text:note text:note-class="{}"><text:note-citation>1</text:note-citation><text:note-body>{}</text:note-body>'
    )
    body = p(
        "Stove"
        + note.format("endnote", p("See the log."))
        + "</text:note>"
        + note.format("footnote", p("It was cold."))
        + "</text:note> out."
        + "<office:annotation><dc:creator>Ada Kent</dc:creator><dc:date>2024</dc:date>"
        + f"{p('Check.')}</office:annotation>"
        + f"<draw:frame><draw:text-box>{p('Boxed')}</draw:text-box></draw:frame>"
        + "<draw:frame><draw:image/><svg:desc>A grey seal</svg:desc></draw:frame>"
    )
    body = f"<text:tracked-changes>{p('deleted')}</text:tracked-changes>" + body
    master = f"<style:master-page><style:header>{p('Farrow')}</style:header><style:footer>{p('Draft')}</style:footer>"
    master += f"<style:header-left>{p('Farrow')}</style:header-left></style:master-page>"
    assert places(read(tmp_path, "a.odt", odf("text", body, styles(master)))) == [
        ("", "Stove out."),
        ("text box", "Boxed"),
        ("", "Picture: A grey seal"),
        ("footnote", "It was cold."),
        ("endnote", "See the log."),
        ("comment", "Ada Kent: Check."),
        ("header", "Farrow"),
        ("footer", "Draft"),
    ]


def test_equations_are_read_where_they_stand(tmp_path: Path) -> None:
    frame = '<draw:frame><draw:object xlink:href="./Formula 1"/></draw:frame>'
    math = '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi><mo>=</mo><mn>1</mn>'
    parts = {"Formula 1/content.xml": f"{math}<annotation>x = 1</annotation></math>"}
    body = p(f"so {frame} holds") + f"<draw:page>{frame}</draw:page>"
    assert read(tmp_path, "a.odt", odf("text", body, parts)).text == "so x = 1 holds\n\nx = 1"


def test_sheets_are_rows_at_their_range_with_repetitions_bounded(tmp_path: Path) -> None:
    date = 'office:value-type="date" office:date-value="2024-03-01T00:00:00"'
    number = 'office:value-type="float" office:value="1234567.5"'
    rows = (
        "<table:table-header-rows>"
        + row(cell("Boat"), cell("Since"), cell("Worth"))
        + "</table:table-header-rows>"
        + row(cell("Skua"), cell("1. März 24", date), cell("1,234,567.50", number))
        + row(cell("", 'table:number-columns-repeated="16384"'), more='table:number-rows-repeated="1000"')
        + row(cell("same", 'table:number-columns-repeated="9000"'), more='table:number-rows-repeated="500000"')
        + row(cell("end"))
    )
    document = read(tmp_path, "a.ods", odf("spreadsheet", f'<table:table table:name="Fleet">{rows}</table:table>'))
    found = places(document)
    assert headings(document) == [(1, "Fleet")]
    assert found[1] == ("Fleet!A1:C1", "Boat\tSince\tWorth")
    assert found[2] == ("Fleet!A2:C2", "Boat: Skua\tSince: 2024-03-01 (1. März 24)\tWorth: 1234567.50")
    assert found[3][0] == "Fleet!A1003:BL1003"
    assert found[-1] == ("Fleet!A501003", "end")
    assert len(found) == 20


def test_comments_and_shapes_of_a_sheet_stand_at_their_cell(tmp_path: Path) -> None:
    annotation = f"<office:annotation><dc:creator>Ada</dc:creator>{p('why?')}</office:annotation>"
    frame = f"<draw:custom-shape>{p('Mind the swell')}</draw:custom-shape>"
    sheet = row(cell("x"), f"<table:table-cell>{annotation}{frame}{p('y')}</table:table-cell>")
    body = (
        f'<table:table table:name="S">{sheet}</table:table><table:table table:name="T">{row(cell("z"))}</table:table>'
    )
    assert places(read(tmp_path, "a.ods", odf("spreadsheet", body))) == [
        ("S", "S"),
        ("S!A1:B1", "x\ty\tComment on B1 by Ada: why?"),
        ("S!B1", "Mind the swell"),
        ("T", "T"),
        ("T!A1", "z"),
    ]


def test_slides_have_titles_notes_and_comments(tmp_path: Path) -> None:
    title = f'<draw:frame presentation:class="title"><draw:text-box>{p("Seals")}</draw:text-box></draw:frame>'
    notes = f"<presentation:notes><draw:frame><draw:text-box>{p('Speak slowly')}</draw:text-box></draw:frame>"
    remark = f"<office:annotation><dc:creator>Ada</dc:creator>{p('Check')}</office:annotation>"
    group = f"<draw:g><draw:custom-shape>{p('grey')}</draw:custom-shape></draw:g>"
    chart = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>'
    body = f"<draw:page>{group}{chart}{title}{notes}</presentation:notes>{remark}</draw:page>"
    body += f"<draw:page><draw:frame><draw:text-box>{p('Next')}</draw:text-box></draw:frame></draw:page>"
    inner = f"<office:body><office:chart><chart:chart><chart:title>{p('Catch')}</chart:title>"
    inner += (
        f"<table:table>{row(cell('Herring'), cell('12.5'))}</table:table></chart:chart></office:chart></office:body>"
    )
    parts = {"Object 1/content.xml": xml("office:document-content", inner, ODF_NAMESPACES)}
    master = f"<style:master-page><draw:custom-shape>{p('Harbour Office')}</draw:custom-shape>"
    master += f'<draw:frame presentation:class="title">{p("Click to edit")}</draw:frame></style:master-page>'
    document = read(tmp_path, "a.odp", odf("presentation", body, parts | styles(master)))
    assert places(document) == [
        ("slide 1", "Seals"),
        ("slide 1", "grey"),
        ("slide 1", "Chart: Catch; Herring"),
        ("slide 1", "Notes: Speak slowly"),
        ("slide 1", "Comment by Ada: Check"),
        ("slide 2", "Next"),
        ("slide master", "Harbour Office"),
    ]


def test_metadata_become_fields_and_labels_count(tmp_path: Path) -> None:
    meta = (
        "<office:meta><dc:title>Tide tables</dc:title><meta:initial-creator>Ada</meta:initial-creator>"
        "<dc:creator>Ben</dc:creator><meta:keyword>sea</meta:keyword><meta:keyword>moon</meta:keyword>"
        '<meta:user-defined meta:name="Sensitivity">restricted</meta:user-defined>'
        '<meta:document-statistic meta:page-count="4"/>'
        "<meta:creation-date>2024-03-01</meta:creation-date></office:meta>"
    )
    parts = {"meta.xml": xml("office:document-meta", meta, ODF_NAMESPACES)}
    document = read(tmp_path, "a.odt", odf("text", p("x"), parts))
    fields = document.fields
    assert document.title == "Tide tables"
    assert (fields["author"], fields["tags"], fields["pages"]) == (("Ada",), ("sea", "moon"), ("4",))
    assert (fields["created"], fields["sensitivity"]) == (("2024-03-01",), ("restricted",))


FLAT = xml(
    "office:document",
    "<office:meta><dc:title>Flat</dc:title></office:meta><office:master-styles><style:master-page>"
    f"<style:footer>{p('Draft')}</style:footer></style:master-page></office:master-styles>"
    f'<office:body><office:text><text:h text:outline-level="1">Tides</text:h>{p("Body")}</office:text></office:body>',
    ODF_NAMESPACES,
)


@pytest.mark.parametrize("name", ["a.fodt", "a.xml", "a"])
def test_a_flat_file_gives_what_a_package_does(tmp_path: Path, name: str) -> None:
    document = read(tmp_path, name, FLAT)
    assert (document.kind, document.title, document.text) == ("odt", "Flat", "Tides\n\nBody\n\nDraft")


def failure(folder: Path, name: str, content: bytes) -> ReadError:
    path = folder / name
    path.write_bytes(content)
    with pytest.raises(ReadError) as caught:
        read_document(path, name)
    return caught.value


def test_a_locked_document_needs_a_password(tmp_path: Path) -> None:
    entry = '<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry>'
    parts = {"META-INF/manifest.xml": xml("manifest:manifest", entry, ODF_NAMESPACES), "content.xml": "\x01\x02"}
    assert failure(tmp_path, "a.odt", odf("text", "", parts)).status == "encrypted"


@pytest.mark.parametrize("name", ["a.fodt", "a.odt"])
def test_entities_are_refused(tmp_path: Path, name: str) -> None:
    bomb = FLAT.replace("?>", '?><!DOCTYPE d [<!ENTITY a "lol">]>', 1)
    content = bomb.encode() if name == "a.fodt" else odf("text", "", {"content.xml": bomb})
    assert failure(tmp_path, name, content).status == "damaged"


def test_what_holds_no_text_is_told(tmp_path: Path) -> None:
    assert failure(tmp_path, "a.odt", odf("text", p(""))).status == "empty"
    assert failure(tmp_path, "b.odt", odf("text", p(""), {"Pictures/a.png": "x"})).status == "no_text"
    assert failure(tmp_path, "c.odf", odf("formula", p("x"))).status == "unsupported"


def test_deep_nesting_is_read_without_its_structure(tmp_path: Path) -> None:
    body = "<text:list><text:list-item>" * 2_000 + p("bottom") + "</text:list-item></text:list>" * 2_000
    spans = "<text:span>" * 5_000 + "under" + "</text:span>" * 5_000
    assert read(tmp_path, "a.odt", odf("text", body + p(spans))).text == "bottom\n\nunder"


PACKED = packed({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": FLAT}, method=0)


@given(st.data(), st.sampled_from([FLAT.encode(), PACKED]))
def test_any_damage_ends_in_a_document_or_a_read_error(data: st.DataObject, seed: bytes) -> None:
    broken = data.draw(damaged(seed, 8))
    source = SourceFile(Path("a.fodt"), "a.fodt", broken, len(broken), 0.0)
    try:
        assert choose_reader(source).read(source).text
    except ReadError as error:
        assert error.status in {"damaged", "unsupported", "encrypted", "empty", "no_text"}
