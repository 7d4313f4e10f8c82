"""Packages are read by what they hold, whatever their names; what is old, locked or no package is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragspine_tui.documents.reader import read_document
from ragspine_tui.errors import ReadError
from tests.unit.documents.files import read
from tests.unit.documents.office import docx, paragraph
from tests.unit.documents.packed import packed


def failure(folder: Path, name: str, content: bytes) -> ReadError:
    path = folder / name
    path.write_bytes(content)
    with pytest.raises(ReadError) as caught:
        read_document(path, name)
    assert "\n" not in str(caught.value)
    return caught.value


def ole(*streams: str) -> bytes:
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600 + "\0".join(streams).encode("utf-16-le") + b"\0" * 500


@pytest.mark.parametrize(
    ("name", "streams", "status", "said"),
    [
        ("a.docx", ("EncryptionInfo", "EncryptedPackage"), "encrypted", "password"),
        ("a.doc", ("Root Entry", "WordDocument"), "unsupported", "save it as .docx"),
        ("a.xls", ("Workbook",), "unsupported", "save it as .xlsx"),
        ("a.ppt", ("PowerPoint Document",), "unsupported", "save it as .pptx"),
        ("Thumbs.db", ("Catalog",), "unsupported", "not read"),
    ],
)
def test_old_and_locked_office_files_are_told(
    tmp_path: Path, name: str, streams: tuple[str, ...], status: str, said: str
) -> None:
    error = failure(tmp_path, name, ole(*streams))
    assert (error.status, said in str(error)) == (status, True)


def test_what_only_calls_itself_a_word_file_is_told(tmp_path: Path) -> None:
    assert failure(tmp_path, "a.docx", b"just words").status == "damaged"
    assert failure(tmp_path, "b.docx", packed({"a.txt": "archive"})).status == "unsupported"
    error = failure(tmp_path, "d.xlsb", packed({"xl/workbook.bin": "x"}))
    assert (error.status, "save it as .xlsx" in str(error)) == ("unsupported", True)
    assert failure(tmp_path, "c.docx", packed(docx(paragraph("x")))[:200]).status == "damaged"


@pytest.mark.parametrize("name", ["a.zip", "a", "a.txt", "a.xlsx"])
def test_the_content_decides_whatever_the_name(tmp_path: Path, name: str) -> None:
    document = read(tmp_path, name, packed(docx(paragraph("Body"))))
    assert (document.kind, document.text) == ("docx", "Body")


@pytest.mark.parametrize("size", [None, 60, -10])
def test_an_archive_is_not_walked_whatever_its_state(tmp_path: Path, size: int | None) -> None:
    data = packed({"notes/a.txt": "ferret bells", "notes/b.txt": "owl pellets"})[:size]
    with pytest.raises(ReadError) as caught:
        read(tmp_path, "old.zip", data)
    assert (str(caught.value), caught.value.status) == ("is a ZIP archive: archives are not walked", "unsupported")


@pytest.mark.parametrize("name", ["a.docx", "a.zip", "a"])
def test_a_document_that_is_cut_off_is_damaged_whatever_its_name(tmp_path: Path, name: str) -> None:
    data = packed(docx(paragraph("ferret bells")))
    with pytest.raises(ReadError) as caught:
        read(tmp_path, name, data[: len(data) // 2])
    assert caught.value.status == "damaged"
