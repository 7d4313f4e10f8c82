"""EPUB: pages in reading order, each block in its file, headings and metadata; locks and damage are told."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.reader import read_document
from ragspine_tui.errors import ReadError
from ragspine_tui.retrieval.chunking.chunker import make_chunker
from tests.unit.documents.files import block_with, headings, read, texts
from tests.unit.documents.packed import packed

CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
)
METADATA = """
<dc:title>The Miller's Year</dc:title><dc:creator>Ada Quern</dc:creator><dc:creator>Bo Hopper</dc:creator>
<dc:language>en</dc:language><dc:date>2019-04-01</dc:date><dc:publisher>Weir Press</dc:publisher>
<dc:subject>Mills, Water</dc:subject><dc:identifier>urn:isbn:1</dc:identifier>
"""
PAGE = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="a.js"/></head><body>{}</body></html>"""


def opf(spine: str = "one two", metadata: str = METADATA, more: str = "") -> str:
    items = "".join(
        f'<item id="{name}" href="text/{name}.xhtml" media-type="application/xhtml+xml"/>'
        for name in ("one", "two", "three")
    )
    refs = "".join(f'<itemref idref="{name}"/>' for name in spine.split())
    return (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/" version="3.0">'
        f"<metadata>{metadata}</metadata><manifest>{items}{more}</manifest><spine>{refs}</spine></package>"
    )


PARTS: Mapping[str, str] = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": CONTAINER,
    "OEBPS/book.opf": opf(),
    "OEBPS/text/one.xhtml": PAGE.format("<h1>Spring</h1><p>The race is cleared of ice.</p>"),
    "OEBPS/text/two.xhtml": PAGE.format("<p>Still in spring the stones are dressed.</p><h2>Tools</h2><p>A bill.</p>"),
    "OEBPS/text/three.xhtml": PAGE.format("<p>Nobody reads this page.</p>"),
}


def book(**changes: str | bytes) -> bytes:
    """The bytes of the book; `two` stands for its page, `opf`, `container` and others for their parts."""
    names = {"one": "OEBPS/text/one.xhtml", "two": "OEBPS/text/two.xhtml", "opf": "OEBPS/book.opf"}
    names |= {"container": "META-INF/container.xml", "locks": "META-INF/encryption.xml", "toc": "OEBPS/toc.ncx"}
    return packed({**PARTS, **{names[name]: value for name, value in changes.items()}})


def failure(folder: Path, data: bytes) -> tuple[str, str]:
    with pytest.raises(ReadError) as raised:
        read(folder, "a.epub", data)
    return raised.value.status, str(raised.value)


def test_the_pages_of_the_spine_are_read_in_its_order_each_in_its_file(tmp_path: Path) -> None:
    document = read(tmp_path, "a.epub", book(opf=opf("two one two")))
    assert texts(document) == [
        "Still in spring the stones are dressed.",
        "Tools",
        "A bill.",
        "Spring",
        "The race is cleared of ice.",
    ]
    chunks = make_chunker("parent_child").chunk(document).chunks
    assert [(chunk.part, chunk.text.split()[0]) for chunk in chunks] == [
        ("two.xhtml", "Still"),
        ("two.xhtml", "Tools"),
        ("one.xhtml", "Spring"),
    ]
    assert (document.kind, document.verbatim, document.notes) == ("epub", False, ())


def test_headings_go_on_from_file_to_file(tmp_path: Path) -> None:
    chunking = make_chunker("parent_child").chunk(read(tmp_path, "a.epub", book()))
    paths = {chunk.text.split()[0]: chunking.sections[chunk.section].heading_path for chunk in chunking.chunks}
    assert paths["Still"] == ("Spring",)
    assert paths["Tools"] == ("Spring", "Tools")


def test_the_metadata_of_the_book_are_its_fields(tmp_path: Path) -> None:
    document = read(tmp_path, "a.epub", book())
    fields = document.fields
    assert document.title == "The Miller's Year"
    assert fields["author"] == ("Ada Quern", "Bo Hopper")
    assert (fields["language"], fields["date"], fields["year"]) == (("en",), ("2019-04-01",), ("2019",))
    assert (fields["tags"], fields["publisher"], fields["identifier"]) == (
        ("Mills", "Water"),
        ("Weir Press",),
        ("urn:isbn:1",),
    )


def test_a_page_without_a_heading_has_the_one_in_the_table_of_contents(tmp_path: Path) -> None:
    ncx = (
        '<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/z3986/2005/ncx-2005-1.dtd">'
        '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint>'
        '<navLabel><text>High Summer</text></navLabel><content src="text/two.xhtml#top"/></navPoint></navMap></ncx>'
    )
    item = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    plain = PAGE.format("<p>Eels in the race.</p>")
    document = read(tmp_path, "a.epub", book(opf=opf(more=item), toc=ncx, two=plain))
    assert headings(document) == [(1, "Spring"), (1, "High Summer")]
    nav = PAGE.format('<nav><ol><li><a href="text/two.xhtml">Dog Days</a></li></ol></nav>')
    item = '<item id="nav" href="toc.ncx" media-type="application/xhtml+xml" properties="nav"/>'
    document = read(tmp_path, "b.epub", book(opf=opf(more=item), toc=nav, two=plain))
    assert headings(document) == [(1, "Spring"), (1, "Dog Days")]


def test_a_label_in_the_package_or_on_a_page_counts(tmp_path: Path) -> None:
    labelled = opf(metadata=METADATA + '<meta name="sensitivity" content="restricted"/>')
    assert read(tmp_path, "a.epub", book(opf=labelled)).fields["sensitivity"] == ("restricted",)
    page = PAGE.format("<p>x</p>").replace("<title/>", '<meta name="sensitivity" content="restricted"/>')
    assert read(tmp_path, "b.epub", book(two=page)).fields["sensitivity"] == ("restricted",)


LOCK = """<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData>
<enc:EncryptionMethod Algorithm="{}"/><enc:CipherData><enc:CipherReference URI="{}"/></enc:CipherData>
</enc:EncryptedData></encryption>"""


def test_locked_pages_are_told_and_fonts_that_are_only_obfuscated_are_no_locks(tmp_path: Path) -> None:
    fonts = LOCK.format("http://www.idpf.org/2008/embedding", "OEBPS/font.otf")
    assert read(tmp_path, "a.epub", book(locks=fonts)).notes == ()
    aes = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"
    document = read(tmp_path, "b.epub", book(locks=LOCK.format(aes, "OEBPS/text/two.xhtml")))
    assert document.notes == ("1 of 2 pages are locked: not read",)
    assert "stones" not in document.text
    one = book(opf=opf("two"), locks=LOCK.format(aes, "OEBPS/text/two.xhtml"))
    assert failure(tmp_path, one) == ("encrypted", "is locked by its seller (DRM)")


def test_a_missing_page_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    document = read(tmp_path, "a.epub", book(opf=opf("one four").replace("three", "four")))
    assert document.notes == ("has no part text/four.xhtml",)
    assert "race is cleared" in document.text


def test_without_a_package_document_the_pages_are_read_in_the_order_of_their_names(tmp_path: Path) -> None:
    document = read(tmp_path, "a.epub", book(opf="<package"))
    assert document.notes == ("has damaged XML in OEBPS/book.opf", "its pages are read in the order of their names")
    assert [block.place for block in document.blocks][:1] == ["one.xhtml"]
    assert "Nobody reads this page" in document.text


def test_names_are_found_as_books_write_them(tmp_path: Path) -> None:
    for href, name in (
        ("/OEBPS/a.xhtml", "OEBPS/a.xhtml"),
        ("b%20c.xhtml", "OEBPS/b c.xhtml"),
        ("d%20.xhtml", "OEBPS/d%20.xhtml"),
    ):
        data = {
            **PARTS,
            "OEBPS/book.opf": opf("one").replace("text/one.xhtml", href),
            name: PAGE.format("<p>Here.</p>"),
        }
        assert texts(read(tmp_path, "a.epub", packed(data))) == ["Here."]
    bare = {name: text for name, text in PARTS.items() if name != "META-INF/container.xml"}
    document = read(tmp_path, "b.epub", packed(bare))
    assert document.notes == ("has no part META-INF/container.xml", "its pages are read in the order of their names")


def test_a_path_out_of_the_book_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.opf").write_text(opf(), "utf-8")
    outside = CONTAINER.replace("OEBPS/book.opf", "../secret.opf")
    status, reason = failure(tmp_path, packed({"META-INF/container.xml": outside}))
    assert (status, reason) == ("damaged", "names a file outside the book (../secret.opf)")
    for path in ("../../../etc/passwd", "/etc/passwd", "file:///etc/passwd", "..%2F..%2F..%2Fsecret.opf"):
        document = read(tmp_path, "b.epub", book(opf=opf("one two").replace("text/two.xhtml", path)))
        assert document.notes[0].startswith("has no part")
        assert "root" not in document.text


def test_declarations_of_entities_are_refused(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE package [<!ENTITY a "quern quern">]>' + opf(metadata="<dc:title>&a;</dc:title>")
    document = read(tmp_path, "a.epub", book(opf=bomb))
    assert "quern quern" not in document.title
    assert "declares entities" in document.notes[0]


def test_no_page_or_no_book_is_told(tmp_path: Path) -> None:
    assert failure(tmp_path, packed({"META-INF/container.xml": CONTAINER}))[0] == "damaged"
    assert failure(tmp_path, b"words") == ("damaged", "is no epub file inside")
    blank = {
        **PARTS,
        "OEBPS/text/one.xhtml": PAGE.format(""),
        "OEBPS/text/two.xhtml": PAGE.format("<img src='a.png'/>"),
    }
    assert failure(tmp_path, packed(blank))[0] == "empty"
    assert failure(tmp_path, packed({**blank, "OEBPS/text/a.png": "pixels"}))[0] == "no_text"


def test_two_pages_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    more = '<item id="two" href="other/one.xhtml" media-type="application/xhtml+xml"/>'
    manifest = opf(more=more).replace('<item id="two" href="text/two.xhtml" media-type="application/xhtml+xml"/>', "")
    data = packed({**PARTS, "OEBPS/book.opf": manifest, "OEBPS/other/one.xhtml": PAGE.format("<p>Twin.</p>")})
    document = read(tmp_path, "a.epub", data)
    assert block_with(document, "Twin").place == "OEBPS/other/one.xhtml"
    assert block_with(document, "race").place == "OEBPS/text/one.xhtml"


WHOLE = packed(PARTS, method=0)


@given(st.integers(0, len(WHOLE)), st.binary(max_size=5), st.booleans())
def test_no_bytes_whatever_raise_anything_but_a_read_error(
    tmp_path_factory: pytest.TempPathFactory, place: int, junk: bytes, cut: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "a.epub"
    path.write_bytes(WHOLE[:place] + junk + (b"" if cut else WHOLE[place + len(junk) :]))
    try:
        assert read_document(path, "a.epub").text
    except ReadError as error:
        assert error.args[0]
