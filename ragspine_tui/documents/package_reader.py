"""Files that are packages: the content says which format, whatever the suffix; old and locked Office files are told."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, Protocol

from ragspine_tui.documents.packages import Package, is_zip
from ragspine_tui.documents.source_file import ReadInner, SourceFile
from ragspine_tui.errors import ReadError
from ragspine_tui.types import Document, DocumentStatus

OLE_MAGIC: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MAIL: Final = frozenset({".msg", ".oft"})
_LOCKED: Final = "EncryptedPackage"
_OLD: Final = (
    ("WordDocument", "an old Word file", ".docx"),
    ("PowerPoint Document", "an old PowerPoint file", ".pptx"),
    ("Workbook", "an old Excel file", ".xlsx"),
    ("Book", "an old Excel file", ".xlsx"),
)
_BINARY: Final = "xl/workbook.bin"
_ARCHIVE: Final = "is a ZIP archive: archives are not walked"
_MADE_BY_OFFICE: Final = re.compile(rb"\[Content_Types\]\.xml|_rels/\.rels|mimetypeapplication/")
_PICTURES: Final = re.compile(r"(?:\A|/)(?:media|pictures)/.", re.IGNORECASE)
_SUFFIXES: Final = """
.docx .docm .dotx .dotm .pptx .pptm .ppsx .ppsm .potx .potm .xlsx .xlsm .xltx .xltm
.odt .ott .odm .ods .ots .odp .otp .odg .otg .xlsb .epub
"""


class PackageFormat(Protocol):
    """One format that is a ZIP package."""

    def holds(self, package: Package, /) -> bool:
        """Whether the package's own parts say that it is of this format; ReadError where they cannot be read."""
        ...

    def read(self, source: SourceFile, package: Package, /) -> Document:
        """The document in the package; remarks in `package.notes` go with it."""
        ...


@cache
def formats(read_inner: ReadInner) -> tuple[PackageFormat, ...]:
    """Every format that is a package, in the order they are asked; loaded at the first package."""
    from ragspine_tui.documents.docx_reader import DocxFormat
    from ragspine_tui.documents.epub_reader import EpubFormat
    from ragspine_tui.documents.odf_reader import OdfFormat
    from ragspine_tui.documents.pptx_reader import PptxFormat
    from ragspine_tui.documents.xlsx_reader import XlsxFormat

    return (
        DocxFormat(read_inner),
        PptxFormat(),
        XlsxFormat(),
        OdfFormat(),
        EpubFormat(),
    )


class PackageReader:
    """ZIP packages by what they hold, and a true word about the OLE files that came before them."""

    kind = "package"
    suffixes: frozenset[str] = frozenset(_SUFFIXES.split())

    def __init__(self, read_inner: ReadInner) -> None:
        """`read_inner` reads files in the package that stand for a part of its text."""
        self._read_inner = read_inner

    def claims(self, head: bytes, suffix: str, /) -> bool:
        """A ZIP or an OLE file; mail in OLE is not ours."""
        return is_zip(head) or (head.startswith(OLE_MAGIC) and suffix not in _MAIL)

    def read(self, source: SourceFile) -> Document:
        """The document in the package; `unsupported` where it is an archive or of a format that is not read."""
        if source.data.startswith(OLE_MAGIC):
            raise _old(source.data)
        try:
            package = Package(source.data)
        except ReadError as error:
            if is_zip(source.data) and source.suffix not in self.suffixes and not _MADE_BY_OFFICE.search(source.data):
                raise ReadError(_ARCHIVE, status=DocumentStatus.UNSUPPORTED) from error
            if is_zip(source.data):
                raise
            raise ReadError(f"is no {source.suffix[1:]} file inside", status=DocumentStatus.DAMAGED) from error
        if _BINARY in package:
            raise ReadError("is a binary Excel file", "save it as .xlsx", status=DocumentStatus.UNSUPPORTED)
        for form in formats(self._read_inner):
            if form.holds(package):
                document = form.read(source, package)
                if not document.text:
                    raise _without_text(package)
                return document
        raise ReadError(_ARCHIVE, status=DocumentStatus.UNSUPPORTED)


def _without_text(package: Package) -> ReadError:
    if package.notes:
        return ReadError(package.notes[0].partition(";")[0], status=DocumentStatus.DAMAGED)
    if any(_PICTURES.search(name) for name in package.names):
        return ReadError("holds only pictures: no text to find", status=DocumentStatus.NO_TEXT)
    return ReadError("holds no text", status=DocumentStatus.EMPTY)


def _old(data: bytes) -> ReadError:
    """What to say of an OLE file: its directory names its streams in UTF-16."""
    if _LOCKED.encode("utf-16-le") in data:
        return ReadError("needs a password", "save a copy without one", status=DocumentStatus.ENCRYPTED)
    for stream, name, better in _OLD:
        if stream.encode("utf-16-le") in data:
            return ReadError(f"is {name}", f"save it as {better}", status=DocumentStatus.UNSUPPORTED)
    return ReadError("is an OLE file of a format that is not read", status=DocumentStatus.UNSUPPORTED)
