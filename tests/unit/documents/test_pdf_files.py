"""PDF files as they come: what they say of themselves, protected, scanned, cut off, broken, or no PDF at all."""

from __future__ import annotations

import zlib
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.pdf_reader import PdfReader
from ragspine_tui.documents.reader import read_inner
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.errors import ReadError
from tests.unit.documents.files import block_with, read, texts
from tests.unit.documents.pdfs import Pdf, line, lines

LEAVES = [lines(["the first leaf of the log"]), lines(["the second leaf"]), lines(["the third"])]


def failure(folder: Path, content: bytes, name: str = "a.pdf") -> ReadError:
    with pytest.raises(ReadError) as caught:
        read(folder, name, content)
    return caught.value


def test_the_information_dictionary_gives_fields(tmp_path: Path) -> None:
    info = {
        "Author": "Ada Byron",
        "Subject": "Locks",
        "Keywords": "weir, lock; keeper",
        "CreationDate": "D:20230423175904+08'00'",
        "ModDate": "D:2024",
    }
    fields = read(tmp_path, "a.pdf", Pdf(LEAVES, info=info, language="de-AT").content()).fields
    assert fields["author"] == ("Ada Byron",)
    assert fields["subject"] == ("Locks",)
    assert fields["keywords"] == fields["tags"] == ("weir", "lock", "keeper")
    assert fields["created"] == ("2023-04-23T09:59:04Z",)
    assert "2024" in fields["modified"]
    assert fields["year"] == ("2023",)
    assert (fields["pages"], fields["language"], fields["kind"]) == (("3",), ("de-AT",), ("pdf",))


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("D:20240103093826+01'00'", "2024-01-03T08:38:26Z"),
        ("D:20240103093826Z", "2024-01-03T09:38:26Z"),
        ("D:20240103093826-00'00'", "2024-01-03T09:38:26Z"),
        ("D:20240103", "2024-01-03"),
        ("D:202401", "2024-01"),
        ("20240103093826", "2024-01-03T09:38:26"),
        ("D:20240103093826+05'30", "2024-01-03T04:08:26Z"),
    ],
)
def test_dates_become_iso(tmp_path: Path, written: str, moment: str) -> None:
    assert read(tmp_path, "a.pdf", Pdf(LEAVES, info={"CreationDate": written}).content()).fields["created"] == (moment,)


@pytest.mark.parametrize("written", ["", "yesterday", "D:", "D:20"])
def test_what_is_no_date_is_none(tmp_path: Path, written: str) -> None:
    assert "created" not in read(tmp_path, "a.pdf", Pdf(LEAVES, info={"CreationDate": written}).content()).fields


@pytest.mark.parametrize(
    ("info", "label"),
    [
        ({"Keywords": "locks, Restricted"}, "restricted"),
        ({"Keywords": "sensitivity: restricted"}, "restricted"),
        ({"Sensitivity": "restricted"}, "restricted"),
        ({"Sensitivity": "top secret"}, "unknown"),
        ({"Keywords": "sensitivity=public"}, "public"),
    ],
)
def test_a_label_of_sensitivity_counts(tmp_path: Path, info: dict[str, str], label: str) -> None:
    assert read(tmp_path, "a.pdf", Pdf(LEAVES, info=info).content()).fields["sensitivity"] == (label,)


@pytest.mark.parametrize(
    "packet",
    [
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:li pdfx:Sensitivity="Restricted"/></x:xmpmeta>',
        "<x:xmpmeta>\n<pdfx:Sensitivity>restricted</pdfx:Sensitivity></x:xmpmeta>",
    ],
)
def test_a_label_in_the_packet_of_xmp_counts(tmp_path: Path, packet: str) -> None:
    content = Pdf(LEAVES).content().replace(b"%PDF-1.4\n", b"%PDF-1.4\n%" + packet.encode() + b"\n", 1)
    assert read(tmp_path, "a.pdf", content).fields["sensitivity"] == ("restricted",)


def test_an_ordinary_keyword_is_no_label(tmp_path: Path) -> None:
    fields = read(tmp_path, "a.pdf", Pdf(LEAVES, info={"Keywords": "public, unrestricted"}).content()).fields
    assert "sensitivity" not in fields


def test_an_empty_password_opens_the_file(tmp_path: Path) -> None:
    document = read(tmp_path, "a.pdf", Pdf(LEAVES, info={"Title": "The log"}, password="").content())
    assert texts(document)[0] == "the first leaf of the log"
    assert document.title == "The log"


def test_a_needed_password_is_said(tmp_path: Path) -> None:
    error = failure(tmp_path, Pdf(LEAVES, password="opensesame").content())
    assert error.status == "encrypted"
    assert "password" in str(error)


def test_pages_without_text_are_said_to_be_pictures(tmp_path: Path) -> None:
    error = failure(tmp_path, Pdf(["", "0 0 9 9 re f"]).content())
    assert error.status == "no_text"
    assert "2 pages without text" in str(error)


def test_a_page_without_text_among_others_is_remarked(tmp_path: Path) -> None:
    document = read(tmp_path, "a.pdf", Pdf([*LEAVES, ""]).content())
    assert document.notes == ("1 of 4 pages hold no text (scanned?)",)


def test_a_broken_cross_reference_table_does_not_hide_the_text(tmp_path: Path) -> None:
    content = Pdf(LEAVES).content()
    start = content.rindex(b"xref\n0 ")
    broken = content[:start] + content[start:].replace(b"0000", b"7777").replace(b"startxref\n", b"startxref\n9")
    assert texts(read(tmp_path, "a.pdf", broken)) == ["the first leaf of the log", "the second leaf", "the third"]


def test_a_file_that_is_cut_off_is_read_as_far_as_it_goes_and_remarked(tmp_path: Path) -> None:
    content = Pdf(LEAVES).content()
    # The objects are in order: pages and their contents stand behind what they need.
    document = read(tmp_path, "a.pdf", content[: content.rindex(b"24 0 obj")])
    assert texts(document) == ["the first leaf of the log", "the second leaf"]
    assert any("cut off" in note for note in document.notes)


def test_what_was_written_behind_the_end_is_no_damage(tmp_path: Path) -> None:
    document = read(tmp_path, "a.pdf", Pdf(LEAVES).content() + b"<!-- served by a gateway -->" * 200)
    assert len(document.blocks) == 3
    assert document.notes == ()


@pytest.mark.parametrize(
    "content",
    [
        b"%PDF-1.4 nothing of a pdf",
        b"%PDF-1.7\n" + b"\0\1\2\3" * 100,
        Pdf(LEAVES).content()[:60],
        Pdf(LEAVES).content().replace(b"/Pages", b"/Pagan"),
    ],
)
def test_a_file_without_a_page_is_damaged(tmp_path: Path, content: bytes) -> None:
    assert failure(tmp_path, content).status == "damaged"


def test_junk_before_the_head_is_passed_over(tmp_path: Path) -> None:
    content = b"From: a gateway\n" * 120 + Pdf(LEAVES).content()
    assert texts(read(tmp_path, "a.pdf", content))[0] == "the first leaf of the log"


@pytest.mark.parametrize("name", ["a", "a.txt", "a.docx", "a.md", "A.PDF"])
def test_the_content_tells_a_pdf_whatever_its_name(tmp_path: Path, name: str) -> None:
    assert read(tmp_path, name, Pdf(LEAVES).content()).kind == "pdf"


def test_a_text_named_a_pdf_is_read_as_the_text_it_is(tmp_path: Path) -> None:
    document = read(tmp_path, "a.pdf", "a plain note\nin two lines\n")
    assert (document.kind, document.verbatim) == ("txt", True)


def test_a_text_about_pdfs_is_a_text(tmp_path: Path) -> None:
    assert read(tmp_path, "a.md", "# PDF\n\nA file begins with `%PDF-1.4`.").kind == "md"


def test_a_page_that_is_its_own_parent_ends(tmp_path: Path) -> None:
    content = Pdf(LEAVES).content().replace(b"/Kids[20 0 R", b"/Kids[2 0 R ")
    try:
        assert "the second leaf" in read(tmp_path, "a.pdf", content).text
    except ReadError as error:
        assert error.status == "damaged"


def test_an_outline_that_goes_round_ends(tmp_path: Path) -> None:
    content = Pdf(LEAVES, outline=[("the second leaf", 1, 2), ("the third", 1, 3)]).content()
    looped = content.replace(b"/Parent 28 0 R/Dest[24 0 R/Fit]", b"/Parent 28 0 R/Dest[24 0 R/Fit]/Next 26 0 R")
    assert looped != content
    assert [block.heading for block in read(tmp_path, "a.pdf", looped).blocks] == ["", "the second leaf", "the third"]


@pytest.mark.parametrize("packed", [1, 2])
def test_packed_pages_are_read(tmp_path: Path, packed: int) -> None:
    pages = [lines([f"folio {number} of {page}" for number in range(40)]) for page in range(3)]
    assert "folio 39 of 2" in read(tmp_path, "a.pdf", Pdf(pages, packed=packed).content()).text


@pytest.mark.parametrize("packed", [1, 2])
def test_a_page_that_unpacks_to_far_more_than_its_size_is_refused(tmp_path: Path, packed: int) -> None:
    content = Pdf([line(72, 700, "x") * 60_000], packed=packed).content()
    assert len(content) < 20_000
    assert failure(tmp_path, content).status == "too_large"


def test_pages_that_cannot_be_unpacked_are_damaged_and_no_pictures(tmp_path: Path) -> None:
    content = Pdf(LEAVES, packed=1).content()
    broken = content.replace(b"stream\nx\xda", b"stream\n\0\0")
    assert broken.count(b"stream\n\0\0") == 3
    assert failure(tmp_path, broken).status == "damaged"


def test_a_blank_picture_is_no_bomb(tmp_path: Path) -> None:
    picture = zlib.compress(bytes(3_000_000), 9)
    head = b"40 0 obj\n<</Type/XObject/Subtype/Image/Filter/FlateDecode/Length %d>>\nstream\n" % len(picture)
    content = Pdf(LEAVES).content().replace(b"xref\n", head + picture + b"\nendstream\nendobj\nxref\n", 1)
    assert "the second leaf" in read(tmp_path, "a.pdf", content).text


def test_files_in_a_pdf_are_read_by_their_own_readers(tmp_path: Path) -> None:
    letter = Pdf([lines(["a letter in the log"])], attached={"deep.md": b"# Deep\n\nthe deepest note"}).content()
    attached = {
        "notes.md": b"# Tides\n\nhigh water at noon",
        "letter.pdf": letter,
        "chart.png": b"\x89PNG\r\n\x1a\n" + bytes(50),
    }
    document = read(tmp_path, "a.pdf", Pdf(LEAVES, attached=attached).content())
    assert block_with(document, "the third").page == 3
    assert block_with(document, "high water").part == "attachment notes.md"
    assert block_with(document, "a letter").page == 1
    assert block_with(document, "a letter").part == "attachment letter.pdf"
    assert "deep.md" in block_with(document, "the deepest note").part
    assert document.fields["attachments"] == ("chart.png", "letter.pdf", "notes.md")
    assert any("chart.png" in note for note in document.notes)


def test_a_scan_with_a_readable_file_in_it_is_read(tmp_path: Path) -> None:
    document = read(tmp_path, "a.pdf", Pdf([""], attached={"invoice.xml": b"<sum>twelve shillings</sum>"}).content())
    assert "twelve shillings" in document.text
    assert document.notes == ("1 of 1 pages hold no text (scanned?)",)


def test_a_scan_with_only_pictures_in_it_has_no_text(tmp_path: Path) -> None:
    content = Pdf([""], attached={"chart.png": b"\x89PNG\r\n\x1a\n" + bytes(50)}).content()
    assert failure(tmp_path, content).status == "no_text"


def test_a_label_in_an_attached_file_counts_for_the_whole(tmp_path: Path) -> None:
    attached = {"a.md": b"---\nsensitivity: restricted\n---\nsecret"}
    assert read(tmp_path, "a.pdf", Pdf(LEAVES, attached=attached).content()).fields["sensitivity"] == ("restricted",)


@cache
def sample() -> bytes:
    remarks = {1: ["/Subtype/Text/Contents(check it)", "/Subtype/Widget/FT/Tx/T(captain)/V(Ada)"]}
    attached = {"a.txt": b"tides"}
    return Pdf(
        LEAVES, info={"Title": "The log"}, outline=[("the second leaf", 1, 2)], remarks=remarks, attached=attached
    ).content()


@given(st.lists(st.tuples(st.integers(0, 6_000), st.binary(min_size=1, max_size=6)), max_size=5), st.integers(0, 6_000))
def test_no_damage_is_more_than_a_read_error(changes: list[tuple[int, bytes]], length: int) -> None:
    data = bytearray(sample())
    for place, patch in changes:
        data[place : place + len(patch)] = patch
    content = bytes(data[: max(10, len(data) - length // 3)])
    try:
        document = PdfReader(read_inner).read(SourceFile(Path("a.pdf"), "a.pdf", content, len(content), 0))
    except ReadError as error:
        assert error.status in {"damaged", "encrypted", "no_text", "unsupported", "empty"}
        return
    ends = [0, *(block.span.end for block in document.blocks)]
    assert all(block.span.start >= end for block, end in zip(document.blocks, ends, strict=False))
    assert ends[-1] <= len(document.text)
    document.text.encode("utf-8")
