"""PowerPoint files: every slide in the order of the show, with what stands beside it said to be such."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given

from ragspine_tui.documents.package_reader import PackageReader
from ragspine_tui.documents.reader import read_inner
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.errors import ReadError
from ragspine_tui.types import Document
from tests.unit.documents.files import headings, read
from tests.unit.documents.office import damaged, relations, strict, xml
from tests.unit.documents.packed import packed


def shape(text: str, placeholder: str = "", described: str = "") -> str:
    held = f'<p:ph type="{placeholder}"/>' if placeholder else ""
    paragraphs = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in text.split("\n"))
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="1" name="n" descr="{described}"/><p:nvPr>{held}</p:nvPr></p:nvSpPr>'
        f"<p:txBody>{paragraphs}</p:txBody></p:sp>"
    )


def tree(shapes: str) -> str:
    return f"<p:cSld><p:spTree>{shapes}</p:spTree></p:cSld>"


def deck(
    *slides: str, parts: Mapping[str, str] | None = None, of: Mapping[int, Mapping[str, str]] | None = None
) -> dict[str, str]:
    """A presentation of slides; `of` are the relationships of each, counted from 1."""
    # The order of the show is not that of the files.
    names = {f"r{number}": f"slide{len(slides) - number}.xml" for number in range(len(slides))}
    shown = "".join(f'<p:sldId id="{256 + place}" r:id="{name}"/>' for place, name in enumerate(names))
    made = {
        "_rels/.rels": relations({"m": "officeDocument ppt/presentation.xml"}),
        "ppt/presentation.xml": xml("p:presentation", f"<p:sldIdLst>{shown}</p:sldIdLst>"),
        "ppt/_rels/presentation.xml.rels": relations(
            {name: f"slide slides/{target}" for name, target in names.items()} | {"au": "commentAuthors authors.xml"}
        ),
    }
    for number, (name, slide) in enumerate(zip(names.values(), slides, strict=True), 1):
        made[f"ppt/slides/{name}"] = xml("p:sld", slide)
        made[f"ppt/slides/_rels/{name}.rels"] = relations((of or {}).get(number, {}))
    return made | {f"ppt/{name}": content for name, content in (parts or {}).items()}


def places(document: Document) -> list[tuple[str, str]]:
    return [(block.part, block.span.of(document.text)) for block in document.blocks]


def test_slides_come_in_the_order_of_the_show_titles_first_hidden_ones_too(tmp_path: Path) -> None:
    parts = deck(
        tree(shape("Body one") + shape("First", "title")),
        tree(shape("Second", "ctrTitle") + shape("5", "sldNum")),
        tree(shape("Third")),
    )
    name = next(name for name in parts if name.endswith("slide1.xml"))
    parts[name] = parts[name].replace("<p:sld ", '<p:sld show="0" ')
    document = read(tmp_path, "a.pptx", packed(parts))
    assert places(document) == [
        ("slide 1", "First"),
        ("slide 1", "Body one"),
        ("slide 2", "Second"),
        ("slide 3", "Third"),
    ]
    assert headings(document) == [(1, "First"), (1, "Second")]
    assert (document.kind, document.title) == ("pptx", "First")


def test_breaks_part_words_and_runs_do_not(tmp_path: Path) -> None:
    text = "<a:p><a:r><a:t>tide</a:t></a:r><a:br/><a:r><a:t>mar</a:t></a:r><a:r><a:t>ker</a:t></a:r>"
    text += '<a:fld type="slidenum"><a:t>7</a:t></a:fld></a:p>'
    body = tree(f"<p:sp><p:txBody>{text}</p:txBody></p:sp>")
    assert read(tmp_path, "a.pptx", packed(deck(body))).text == "tide marker"


def test_equations_are_read_in_one_line(tmp_path: Path) -> None:
    def signs(text: str) -> str:
        return f"<m:r><m:t>{text}</m:t></m:r>"

    half = f"<m:f><m:num>{signs('1')}</m:num><m:den>{signs('2')}</m:den></m:f>"
    math = f"<a:p><a:r><a:t>so </a:t></a:r><m:oMath>{signs('x=')}{half}</m:oMath></a:p>"
    assert read(tmp_path, "a.pptx", packed(deck(tree(f"<p:sp><p:txBody>{math}</p:txBody></p:sp>")))).text == "so x=1/2"


def test_groups_tables_and_alternatives_are_read_where_they_stand(tmp_path: Path) -> None:
    cells = "".join(f"<a:tc><a:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>" for text in "ab")
    rows = f"<a:tbl><a:tr>{cells}</a:tr><a:tr>{cells}</a:tr></a:tbl>"
    table = f"<p:graphicFrame><a:graphic>{rows}</a:graphic></p:graphicFrame>"
    choice = f'<mc:Choice Requires="x">{shape("new")}</mc:Choice><mc:Fallback>{shape("new")}</mc:Fallback>'
    grouped = f"<p:grpSp><p:nvGrpSpPr/><p:grpSp>{shape('inner')}</p:grpSp>{shape('outer')}</p:grpSp>"
    slide = tree(grouped + table + f"<mc:AlternateContent>{choice}</mc:AlternateContent>")
    document = read(tmp_path, "a.pptx", packed(deck(slide)))
    assert document.text == "inner\n\nouter\n\na\tb\na\tb\n\nnew"


def test_notes_comments_pictures_and_charts_are_said_to_be_such(tmp_path: Path) -> None:
    chart = (
        '<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="ch"/></a:graphicData></a:graphic></p:graphicFrame>'
    )
    picture = '<p:pic><p:nvPicPr><p:cNvPr id="4" name="Picture 3" descr="A grey seal"/></p:nvPicPr></p:pic>'
    parts = {
        "notesSlides/n1.xml": xml("p:notes", tree(shape("7", "sldNum") + shape("Speak slowly", "body"))),
        "comments/c1.xml": xml("p:cmLst", '<p:cm authorId="0"><p:text>Check this</p:text></p:cm>'),
        "authors.xml": xml("p:cmAuthorLst", '<p:cmAuthor id="0" name="Ada Kent"/>'),
        "charts/ch1.xml": xml("c:chartSpace", "<c:title><a:p><a:r><a:t>Catch</a:t></a:r></a:p></c:title>"),
    }
    targets = {
        "n": "notesSlide ../notesSlides/n1.xml",
        "c": "comments ../comments/c1.xml",
        "ch": "chart ../charts/ch1.xml",
    }
    slide = tree(picture + chart)
    document = read(tmp_path, "a.pptx", packed(deck(slide, tree(shape("Next")), parts=parts, of={1: targets})))
    assert places(document) == [
        ("slide 1", "Picture: A grey seal"),
        ("slide 1", "Chart: Catch"),
        ("slide 1", "Notes: Speak slowly"),
        ("slide 1", "Comment by Ada Kent: Check this"),
        ("slide 2", "Next"),
    ]


def test_what_the_master_writes_on_every_slide_comes_once_and_its_prompts_never(tmp_path: Path) -> None:
    parts = {
        "slideLayouts/l1.xml": xml("p:sldLayout", tree(shape("Click to add title", "title") + shape("Harbour Office"))),
        "slideLayouts/_rels/l1.xml.rels": relations({"m": "slideMaster ../slideMasters/m1.xml"}),
        "slideMasters/m1.xml": xml("p:sldMaster", tree(shape("Harbour Office") + shape("Edit style", "body"))),
    }
    layout = {"l": "slideLayout ../slideLayouts/l1.xml"}
    slides = tree(shape("One")), tree(shape("Two"))
    document = read(tmp_path, "a.pptx", packed(deck(*slides, parts=parts, of={1: layout, 2: layout})))
    assert places(document) == [("slide 1", "One"), ("slide 2", "Two"), ("slide master", "Harbour Office")]


def test_strict_files_give_what_transitional_ones_do(tmp_path: Path) -> None:
    parts = deck(tree(shape("Title", "title") + shape("Body")))
    made = {name: strict(content) for name, content in parts.items()}
    assert read(tmp_path, "a.pptx", packed(made)).text == "Title\n\nBody"


def test_a_damaged_slide_keeps_its_number_and_is_told(tmp_path: Path) -> None:
    parts = deck(tree(shape("One")), tree(shape("Two")), tree(shape("Three")))
    parts["ppt/slides/slide2.xml"] = "<p:sld"
    document = read(tmp_path, "a.pptx", packed(parts))
    assert places(document) == [("slide 1", "One"), ("slide 3", "Three")]
    assert document.notes == ("has damaged XML in ppt/slides/slide2.xml; the rest is indexed",)


SEED = packed(deck(tree(shape("One", "title") + shape("Two\nthree")), tree(shape("Four"))), method=0)


@given(damaged(SEED))
def test_any_damage_ends_in_a_document_or_a_read_error(broken: bytes) -> None:
    try:
        document = PackageReader(read_inner).read(SourceFile(Path("a.pptx"), "a.pptx", broken, len(broken), 0.0))
    except ReadError as error:
        assert error.status in {"damaged", "unsupported", "encrypted", "empty", "no_text"}
    else:
        assert all(block.part for block in document.blocks)


@pytest.mark.parametrize(
    "title", ["PowerPoint Presentation", "Presentation", "Microsoft PowerPoint - talk.ppt", "Folie 1"]
)
def test_a_title_that_programs_write_by_themselves_is_none(tmp_path: Path, title: str) -> None:
    parts = deck(tree(shape("Seals", "title")))
    parts["_rels/.rels"] = relations({"m": "officeDocument ppt/presentation.xml", "c": "core-properties core.xml"})
    parts["core.xml"] = xml("cp:coreProperties", f"<dc:title>{title}</dc:title>")
    assert read(tmp_path, "a.pptx", packed(parts)).title == "Seals"
