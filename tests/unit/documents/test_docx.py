"""Word files: all that a person sees or hears of the text, in its place; nothing that nobody sees."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.package_reader import PackageReader
from ragspine_tui.documents.reader import read_document, read_inner
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.errors import ReadError
from ragspine_tui.types import BlockKind, Document
from tests.unit.documents.files import block_with, headings, read, texts
from tests.unit.documents.office import damaged, docx, paragraph, strict, xml
from tests.unit.documents.packed import packed

STYLES = xml(
    "w:styles",
    '<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Chapter"><w:name w:val="x"/><w:basedOn w:val="berschrift1"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="T3"><w:name w:val="Titre 3"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Out"><w:name w:val="x"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="Toc"><w:name w:val="toc head"/><w:basedOn w:val="berschrift1"/>'
    '<w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Loop"><w:name w:val="l"/><w:basedOn w:val="Loop"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Bullet"><w:name w:val="b"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr>'
    "</w:pPr></w:style>",
)
BOX = "<w:txbxContent><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:txbxContent>"


def word(
    folder: Path, body: str, parts: Mapping[str, str] | None = None, targets: Mapping[str, str] | None = None
) -> Document:
    return read(folder, "a.docx", packed(docx(body, parts, targets)))


def run(inner: str) -> str:
    return f"<w:p><w:r>{inner}</w:r></w:p>"


def row(*cells: str) -> str:
    return "<w:tr>" + "".join(f"<w:tc>{cell}</w:tc>" for cell in cells) + "</w:tr>"


def test_headings_are_told_by_style_names_in_any_language_outline_levels_and_what_they_are_based_on(
    tmp_path: Path,
) -> None:
    body = "".join(
        paragraph(text, style)
        for text, style in [
            ("Whale Watch", "Titel"),
            ("One", "berschrift1"),
            ("Two", "Chapter"),
            ("Three", "T3"),
            ("Four", "Out"),
            ("Contents", "Toc"),
            ("Plain", "Loop"),
        ]
    )
    body += '<w:p><w:pPr><w:outlineLvl w:val="4"/></w:pPr><w:r><w:t>Five</w:t></w:r></w:p>'
    document = word(tmp_path, body, {"styles.xml": STYLES}, {"s": "styles styles.xml"})
    assert headings(document) == [(1, "Whale Watch"), (1, "One"), (1, "Two"), (3, "Three"), (2, "Four"), (5, "Five")]
    assert texts(document, BlockKind.PARAGRAPH) == ["Contents", "Plain"]
    assert document.title == "Whale Watch"
    assert document.kind == "docx"


def test_runs_are_joined_and_breaks_part_words(tmp_path: Path) -> None:
    body = (
        "<w:p><w:r><w:t>Tide</w:t></w:r><w:r><w:t>mark</w:t><w:br/><w:t>kelp</w:t><w:tab/><w:t>rope</w:t></w:r></w:p>"
    )
    body += run("<w:t>co</w:t><w:noBreakHyphen/><w:t>op sea</w:t><w:softHyphen/><w:t>weed</w:t>")
    body += run('<w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Wingdings" w:char="F0FC"/><w:t>ray</w:t>')
    assert word(tmp_path, body).text == "Tidemark\nkelp\trope\n\nco-op seaweed\n\nα ray"


def test_inserted_text_counts_deleted_moved_away_and_hidden_text_does_not(tmp_path: Path) -> None:
    body = (
        '<w:p><w:ins w:author="x"><w:r><w:t>new </w:t></w:r></w:ins>'
        "<w:del><w:r><w:delText>old</w:delText></w:r></w:del>"
        "<w:moveFrom><w:r><w:t>gone</w:t></w:r></w:moveFrom><w:moveTo><w:r><w:t>here</w:t></w:r></w:moveTo>"
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r>"
        '<w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t> shown</w:t></w:r></w:p>'
        '<w:tbl><w:tr><w:trPr><w:del w:author="x"/></w:trPr><w:tc><w:p><w:r><w:t>lost row</w:t></w:r></w:p></w:tc>'
        "</w:tr></w:tbl>"
    )
    assert word(tmp_path, body).text == "new here shown"


def test_of_fields_and_links_the_words_shown_are_read_and_no_codes(tmp_path: Path) -> None:
    body = (
        '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGEREF secret</w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>see page 7</w:t></w:r></w:p>'
        '<w:p><w:fldSimple w:instr="AUTHOR"><w:r><w:t>Ada</w:t></w:r></w:fldSimple>'
        '<w:hyperlink r:id="x"><w:r><w:t> wrote</w:t></w:r></w:hyperlink></w:p>'
        "<w:sdt><w:sdtPr><w:alias w:val='no'/></w:sdtPr><w:sdtContent>"
        + paragraph("in control")
        + "</w:sdtContent></w:sdt>"
    )
    assert word(tmp_path, body).text == "see page 7\n\nAda wrote\n\nin control"


def test_tables_are_read_row_by_row_and_inner_tables_after_their_row(tmp_path: Path) -> None:
    inner = f"<w:tbl>{row(paragraph('deep'), paragraph('deeper'))}</w:tbl>"
    table = (
        "<w:tbl>"
        + row(paragraph("Depot"), paragraph("Marker"))
        + row(paragraph("Third") + paragraph("crevasse"), paragraph("pole"))
        + row(paragraph("outer") + inner, paragraph("end"))
        + "</w:tbl>"
    )
    document = word(tmp_path, paragraph("Before") + table + paragraph("After"))
    assert texts(document) == ["Before", "Depot\tMarker", "Third crevasse\tpole", "outer\tend", "deep\tdeeper", "After"]
    assert document.text == "Before\n\nDepot\tMarker\nThird crevasse\tpole\nouter\tend\ndeep\tdeeper\n\nAfter"


@pytest.mark.parametrize("declared", [True, False])
def test_rows_of_long_tables_say_what_their_columns_are_called(tmp_path: Path, declared: bool) -> None:
    head = row(paragraph("Boat"), paragraph("Length"))
    if declared:
        head = head.replace("<w:tr>", "<w:tr><w:trPr><w:tblHeader/></w:trPr>", 1)
    lengths = ["nine", "ten", "six", "two", "one"] if declared else ["9", "10", "6", "2", "1"]
    rows = "".join(row(paragraph(f"Skua {number}"), paragraph(length)) for number, length in enumerate(lengths))
    found = texts(word(tmp_path, f"<w:tbl>{head}{rows}</w:tbl>" + paragraph("End")))
    assert found[:2] == ["Boat\tLength", f"Boat: Skua 0\tLength: {lengths[0]}"]
    assert found[-2:] == [f"Boat: Skua 4\tLength: {lengths[4]}", "End"]
    assert texts(word(tmp_path, f"<w:tbl>{head}{row(paragraph('a'), paragraph('1'))}</w:tbl>"))[1] == "a\t1"


def test_a_table_that_is_a_layout_keeps_its_headings_and_paragraphs(tmp_path: Path) -> None:
    table = f"<w:tbl>{row(paragraph('Part', 'berschrift1') + paragraph('Prose'), paragraph('Margin'))}</w:tbl>"
    document = word(tmp_path, table, {"styles.xml": STYLES}, {"s": "styles styles.xml"})
    assert headings(document) == [(1, "Part")]
    assert texts(document, BlockKind.PARAGRAPH) == ["Prose", "Margin"]


def test_list_items_are_told_by_their_numbering_or_their_style(tmp_path: Path) -> None:
    body = '<w:p><w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr><w:r><w:t>oakum</w:t></w:r></w:p>'
    body += paragraph("tar", "Bullet")
    body += '<w:p><w:pPr><w:pStyle w:val="Bullet"/><w:numPr><w:numId w:val="0"/></w:numPr></w:pPr></w:p>'
    body = body.removesuffix("</w:p>") + "<w:r><w:t>no item</w:t></w:r></w:p>"
    document = word(tmp_path, body, {"styles.xml": STYLES}, {"s": "styles styles.xml"})
    assert texts(document, BlockKind.LIST) == ["oakum", "tar"]


def test_what_is_not_main_text_follows_it_in_parts_that_say_what_it_is(tmp_path: Path) -> None:
    note = '<w:footnote w:id="{}" {}><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:footnote>'
    parts = {
        "footnotes.xml": xml(
            "w:footnotes", note.format(0, 'w:type="separator"', "----") + note.format(1, "", "The stove was cold.")
        ),
        "endnotes.xml": xml("w:endnotes", '<w:endnote w:id="2">' + paragraph("See the log.") + "</w:endnote>"),
        "comments.xml": xml("w:comments", '<w:comment w:author="Ada Kent">' + paragraph("Check.") + "</w:comment>"),
        "header1.xml": xml("w:hdr", paragraph("Farrow Station")),
        "header2.xml": xml("w:hdr", paragraph("Farrow Station")),
        "footer1.xml": xml("w:ftr", f"<w:tbl>{row(paragraph('Sheet'), paragraph('Draft'))}</w:tbl>"),
    }
    targets = {
        "a": "footer footer1.xml",
        "b": "header header1.xml",
        "c": "header header2.xml",
        "d": "comments comments.xml",
        "e": "endnotes endnotes.xml",
        "f": "footnotes footnotes.xml",
    }
    document = word(tmp_path, paragraph("Body."), parts, targets)
    assert [(block.part, block.span.of(document.text)) for block in document.blocks] == [
        ("", "Body."),
        ("footnote", "The stove was cold."),
        ("endnote", "See the log."),
        ("comment", "Ada Kent: Check."),
        ("header", "Farrow Station"),
        ("footer", "Sheet\nDraft"),
    ]


def test_of_alternatives_one_is_read_and_text_boxes_follow_their_paragraph(tmp_path: Path) -> None:
    choice = f'<mc:Choice Requires="wps"><w:drawing><wps:txbx>{BOX.format("Boxed")}</wps:txbx></w:drawing></mc:Choice>'
    fallback = f"<mc:Fallback><w:pict><v:textbox>{BOX.format('Boxed')}</v:textbox></w:pict></mc:Fallback>"
    empty = '<mc:Choice Requires="new"><w:drawing/></mc:Choice>' + fallback.replace("Boxed", "Old box")
    body = run(f"<w:t>Anchor</w:t><mc:AlternateContent>{choice}{fallback}</mc:AlternateContent><w:t> text</w:t>")
    body += run(f"<mc:AlternateContent>{empty}</mc:AlternateContent>")
    document = word(tmp_path, body)
    assert [(block.place, block.span.of(document.text)) for block in document.blocks] == [
        ("", "Anchor text"),
        ("text box", "Boxed"),
        ("text box", "Old box"),
    ]


def test_pictures_charts_diagrams_and_equations_are_said_to_be_such(tmp_path: Path) -> None:
    body = run('<w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" descr="A grey seal"/></wp:inline></w:drawing>')
    body += run('<w:drawing><a:graphic><a:graphicData><c:chart r:id="ch"/></a:graphicData></a:graphic></w:drawing>')
    body += run('<w:drawing><a:graphic><a:graphicData><dgm:relIds r:dm="di"/></a:graphicData></a:graphic></w:drawing>')
    body += (
        "<w:p><m:oMath><m:r><m:t>x=</m:t></m:r><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r>"
        "</m:den></m:f></m:oMath></w:p>"
    )
    title = "<c:title><c:tx><c:rich><a:p><a:r><a:t>Catch</a:t></a:r></a:p></c:rich></c:tx></c:title>"
    series = "<c:ser><c:tx><c:strRef><c:strCache><c:pt><c:v>Herring</c:v></c:pt></c:strCache></c:strRef></c:tx></c:ser>"
    nodes = "<dgm:pt><dgm:t><a:p><a:r><a:t>Haul</a:t></a:r></a:p></dgm:t></dgm:pt>"
    parts = {
        "charts/chart1.xml": xml("c:chartSpace", title + series),
        "diagrams/data1.xml": xml("dgm:dataModel", nodes + nodes.replace("Haul", "Sort")),
    }
    parts = {f"word/{name}": content for name, content in parts.items()}
    document = word(tmp_path, body, parts, {"ch": "chart charts/chart1.xml", "di": "diagramData diagrams/data1.xml"})
    assert texts(document) == ["Picture: A grey seal", "Chart: Catch; Herring", "Diagram: Haul; Sort", "x=1/2"]


def test_a_file_inserted_as_a_part_of_the_text_is_read_and_its_label_counts(tmp_path: Path) -> None:
    page = '<html><head><meta name="sensitivity" content="restricted"></head><h2>Inner</h2><p>page</p></html>'
    body = paragraph("Before") + '<w:altChunk r:id="x"/>' + paragraph("After")
    document = word(tmp_path, body, {"chunk.htm": page}, {"x": "aFChunk chunk.htm"})
    assert document.text == "Before\n\nInner\n\npage\n\nAfter"
    assert headings(document) == [(2, "Inner")]
    assert document.fields["sensitivity"] == ("restricted",)


def test_files_inserted_in_files_do_not_multiply(tmp_path: Path) -> None:
    content = packed(docx(paragraph("leaf")))
    for _ in range(4):
        body = '<w:altChunk r:id="x"/>' * 60
        content = packed({**docx(body, {}, {"x": "aFChunk inner.docx"}), "word/inner.docx": content})
    path = tmp_path / "a.docx"
    path.write_bytes(content)
    with pytest.raises(ReadError) as caught:
        read_document(path, path.name)
    assert caught.value.status == "damaged"


def test_ruby_reads_as_its_base_and_its_reading(tmp_path: Path) -> None:
    ruby = (
        "<w:ruby><w:rt><w:r><w:t>かんじ</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢字</w:t></w:r></w:rubyBase></w:ruby>"
    )
    assert word(tmp_path, run(f"{ruby}<w:t>です</w:t>")).text == "漢字(かんじ)です"


def test_properties_become_fields_and_labels_count(tmp_path: Path) -> None:
    parts = {
        "docProps/core.xml": xml(
            "cp:coreProperties",
            "<dc:title>Tide tables</dc:title><dc:creator>Ada Kent; Ben Moor</dc:creator><dc:subject>Tides</dc:subject>"
            "<cp:keywords>sea; moon</cp:keywords><dcterms:created>2024-03-01T10:00:00Z</dcterms:created>",
        ),
        "docProps/app.xml": xml("ep:Properties", "<ep:Pages>3</ep:Pages><ep:Company>Harbour</ep:Company>"),
        "docProps/custom.xml": xml(
            "op:Properties",
            '<op:property name="Sensitivity"><vt:lpwstr>Restricted</vt:lpwstr></op:property>'
            '<op:property name="Project"><vt:lpwstr>Buoy</vt:lpwstr></op:property>'
            '<op:property name="_dlc_Id"><vt:lpwstr>x1</vt:lpwstr></op:property>',
        ),
    }
    document = word(tmp_path, paragraph("Text"), parts)
    fields = document.fields
    assert document.title == "Tide tables"
    assert (fields["author"], fields["subject"], fields["tags"]) == (
        ("Ada Kent", "Ben Moor"),
        ("Tides",),
        ("sea", "moon"),
    )
    assert (fields["created"], fields["pages"], fields["company"]) == (("2024-03-01T10:00:00Z",), ("3",), ("Harbour",))
    assert (fields["sensitivity"], fields["project"]) == (("restricted",), ("Buoy",))
    assert "_dlc_id" not in fields


@pytest.mark.parametrize(
    ("name", "value", "label"),
    [
        ("MSIP_Label_2096f6a2-d2f7-48be-b329-b73aaa526e5d_Name", "Restricted", "restricted"),
        ("MSIP_Label_2096f6a2-d2f7-48be-b329-b73aaa526e5d_Name", "Acme Internal Use", "internal"),
        ("MSIP_Label_2096f6a2-d2f7-48be-b329-b73aaa526e5d_Name", "Amber", None),
        ("ＳＥＮＳＩＴＩＶＩＴＹ", "odd", "unknown"),
    ],
)
def test_protection_labels_count_where_they_mean_ours(tmp_path: Path, name: str, value: str, label: str | None) -> None:
    custom = f'<op:property name="{name}"><vt:lpwstr>{value}</vt:lpwstr></op:property>'
    document = word(tmp_path, paragraph("x"), {"docProps/custom.xml": xml("op:Properties", custom)})
    assert document.fields.get("sensitivity", (None,)) == (label,)


def test_a_property_that_only_looks_like_a_label_is_told(tmp_path: Path) -> None:
    custom = '<op:property name="Classification"><vt:lpwstr>Restricted</vt:lpwstr></op:property>'
    document = word(tmp_path, paragraph("x"), {"docProps/custom.xml": xml("op:Properties", custom)})
    assert "sensitivity" not in document.fields
    assert "classification" in document.notes[0]


@pytest.mark.parametrize("where", ["word/document.xml", "word/header1.xml"])
def test_a_label_at_the_top_or_in_a_header_counts(tmp_path: Path, where: str) -> None:
    parts = docx(paragraph("Body"), {"header1.xml": xml("w:hdr", paragraph("Station"))}, {"h": "header header1.xml"})
    parts[where] = parts[where].replace("<w:p>", paragraph("Sensitivity: restricted") + "<w:p>", 1)
    assert read(tmp_path, "a.docx", packed(parts)).fields["sensitivity"] == ("restricted",)


def test_a_label_in_a_row_at_the_top_counts(tmp_path: Path) -> None:
    table = (
        f"<w:tbl>{row(paragraph('Author'), paragraph('Ada'))}{row(paragraph('Sensitivity:'), paragraph('Restricted'))}"
    )
    assert word(tmp_path, table + "</w:tbl>").fields["sensitivity"] == ("restricted",)


def test_keywords_label_too(tmp_path: Path) -> None:
    core = xml("cp:coreProperties", "<cp:keywords>tides, Restricted</cp:keywords>")
    assert word(tmp_path, paragraph("x"), {"docProps/core.xml": core}).fields["sensitivity"] == ("restricted",)


def test_strict_files_give_what_transitional_ones_do(tmp_path: Path) -> None:
    parts = docx(
        paragraph("Lathe", "berschrift1") + f"<w:tbl>{row(paragraph('a'), paragraph('b'))}</w:tbl>",
        {"styles.xml": STYLES, "header1.xml": xml("w:hdr", paragraph("Top"))},
        {"s": "styles styles.xml", "h": "header header1.xml"},
    )
    usual = read(tmp_path, "a.docx", packed(parts))
    made_strict = read(tmp_path, "b.docx", packed({name: strict(content) for name, content in parts.items()}))
    assert made_strict.text == usual.text == "Lathe\n\na\tb\n\nTop"
    assert made_strict.blocks == usual.blocks


def test_a_damaged_side_part_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    document = word(tmp_path, paragraph("Body"), {"footnotes.xml": "<w:footnotes"}, {"f": "footnotes footnotes.xml"})
    assert document.text == "Body"
    assert document.notes == ("has damaged XML in word/footnotes.xml; the rest is indexed",)


def test_a_body_that_breaks_off_is_read_up_to_there_and_told(tmp_path: Path) -> None:
    parts = docx(paragraph("First") + paragraph("Second"))
    parts["word/document.xml"] = parts["word/document.xml"].removesuffix("</w:body></w:document>") + "<w:p>"
    document = read(tmp_path, "a.docx", packed(parts))
    assert document.text == "First\n\nSecond"
    assert "damaged XML in word/document.xml" in document.notes[0]


def failure(folder: Path, name: str, content: bytes) -> ReadError:
    path = folder / name
    path.write_bytes(content)
    with pytest.raises(ReadError) as caught:
        read_document(path, name)
    assert "\n" not in str(caught.value)
    return caught.value


def test_without_text_it_says_whether_pictures_are_all(tmp_path: Path) -> None:
    assert failure(tmp_path, "a.docx", packed(docx("<w:p/>"))).status == "empty"
    error = failure(tmp_path, "b.docx", packed(docx("<w:p/>", {"word/media/image1.png": "png"})))
    assert error.status == "no_text"


@pytest.mark.parametrize("declared", ['<!DOCTYPE w [<!ENTITY a "lol">]>', '<!DOCTYPE w SYSTEM "file:///etc/passwd">'])
def test_entities_are_refused(tmp_path: Path, declared: str) -> None:
    parts = docx(paragraph("&a;"))
    parts["word/document.xml"] = parts["word/document.xml"].replace("?>", f"?>{declared}", 1)
    assert failure(tmp_path, "a.docx", packed(parts)).status == "damaged"


def test_deep_nesting_is_read_without_its_structure(tmp_path: Path) -> None:
    body = "<w:sdt><w:sdtContent>" * 3_000 + paragraph("bottom") + "</w:sdtContent></w:sdt>" * 3_000
    inline = "<w:p>" + "<w:smartTag>" * 3_000 + "<w:r><w:t>under</w:t></w:r>" + "</w:smartTag>" * 3_000 + "</w:p>"
    assert word(tmp_path, body + inline).text == "bottom\n\nunder"


def test_words_stay_apart_where_blocks_meet(tmp_path: Path) -> None:
    document = word(tmp_path, paragraph("one") + paragraph("two"))
    assert block_with(document, "two").span.start == len("one\n\n")


SEED = packed(
    docx(
        paragraph("Tide", "berschrift1") + f"<w:tbl>{row(paragraph('a'), paragraph('b'))}</w:tbl>" + paragraph("end"),
        {"styles.xml": STYLES, "header1.xml": xml("w:hdr", paragraph("Top"))},
        {"s": "styles styles.xml", "h": "header header1.xml"},
    ),
    method=0,
)


@given(st.data())
def test_any_damage_ends_in_a_document_or_a_read_error(data: st.DataObject) -> None:
    broken = data.draw(damaged(SEED))
    cut = data.draw(st.integers(0, len(broken)))
    for content in (broken, broken[:cut]):
        source = SourceFile(Path("a.docx"), "a.docx", content, len(content), 0.0)
        try:
            document = PackageReader(read_inner).read(source)
        except ReadError as error:
            assert error.status in {"damaged", "unsupported", "encrypted", "empty", "no_text"}
        else:
            assert "".join(texts(document)) in document.text.replace("\n", "")
