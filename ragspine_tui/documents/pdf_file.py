"""An open PDF: its pages one after the other, its information, its outline. Nothing in it is run or followed."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Any, Final, Self

import pypdfium2.raw as pdfium

from ragspine_tui.documents.pdf_columns import reading_order
from ragspine_tui.documents.pdf_headings import OutlineEntry
from ragspine_tui.documents.pdf_lines import Line, PageText, Watch
from ragspine_tui.documents.pdf_remarks import remarks, wide_text
from ragspine_tui.errors import ReadError
from ragspine_tui.types import DocumentStatus

_MOST_ENTRIES: Final = 20_000
_DEEPEST_ENTRY: Final = 15
_MOST_ATTACHED: Final = 200
_ATTACHED_BYTES: Final = 200_000_000
_MARK: Final = b"%PDF-"
_OBJECT: Final = re.compile(rb"(\d{1,10} \d{1,5}) obj\b([^\0]{0,500}?)(?:endobj|stream)")
_CATALOG: Final = re.compile(rb"/Type\s*/Catalog\b")


@dataclass(frozen=True, slots=True)
class PdfPage:
    """What a page says: its lines in reading order, and what people added to it."""

    lines: list[Line]
    remarks: list[str]


class PdfFile:
    """Opens the bytes of a PDF without a password. Raises ReadError with status `encrypted` or `damaged`."""

    def __init__(self, data: bytes) -> None:
        self._watch = Watch()
        self._form: Any = None
        self._document: Any = None
        for content in _forms(data):
            # Kept: PDFium reads it as long as the document is open.
            self._data = content
            self._document = pdfium.FPDF_LoadMemDocument64(content, len(content), None)
            failure = pdfium.FPDF_GetLastError()
            if self._document or failure != pdfium.FPDF_ERR_FORMAT:
                break
        if not self._document:
            raise _failure(failure)
        self.pages: int = pdfium.FPDF_GetPageCount(self._document)
        """How many pages it says it has."""
        if pdfium.FPDF_GetFormType(self._document) != pdfium.FORMTYPE_NONE:
            # Kept: the form reads it as long as it lives.
            self._settings = pdfium.FPDF_FORMFILLINFO(version=2)
            self._form = pdfium.FPDFDOC_InitFormFillEnvironment(self._document, ctypes.byref(self._settings))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._form:
            pdfium.FPDFDOC_ExitFormFillEnvironment(self._form)
        pdfium.FPDF_CloseDocument(self._document)

    def info(self, key: str) -> str:
        """An entry of the information dictionary, '' without one."""
        name = key.encode("ascii")
        return wide_text(lambda buffer, size: pdfium.FPDF_GetMetaText(self._document, name, buffer, size))

    @property
    def language(self) -> str:
        """The language that the catalog names, '' without one."""
        return wide_text(lambda buffer, size: pdfium.FPDFCatalog_GetLanguage(self._document, buffer, size))

    def page(self, index: int) -> PdfPage | None:
        """A page by its index from 0; None where it cannot be read."""
        page = pdfium.FPDF_LoadPage(self._document, index)
        if not page:
            return None
        try:
            with _text_page(page) as text:
                if not text:
                    return None
                found = PageText(text, _box(page), self._watch)
                return PdfPage(reading_order(found, found.lines()), list(remarks(page, self._form)))
        finally:
            pdfium.FPDF_ClosePage(page)

    def outline(self) -> list[OutlineEntry]:
        """The bookmarks that lead to a page, in their order; a bounded number, each once."""
        entries: list[OutlineEntry] = []
        seen: set[int] = set()
        waiting = [(pdfium.FPDFBookmark_GetFirstChild(self._document, None), 1)]
        while waiting and len(seen) < _MOST_ENTRIES:
            mark, level = waiting.pop()
            address = ctypes.addressof(mark.contents) if mark else 0
            if not mark or address in seen:
                continue
            seen.add(address)
            if entry := self._entry(mark, level):
                entries.append(entry)
            waiting.append((pdfium.FPDFBookmark_GetNextSibling(self._document, mark), level))
            if level < _DEEPEST_ENTRY:
                waiting.append((pdfium.FPDFBookmark_GetFirstChild(self._document, mark), level + 1))
        return entries

    def attachments(self) -> list[tuple[str, bytes]]:
        """The names and contents of the files that lie in it; those too large, or too many, are left out."""
        found: list[tuple[str, bytes]] = []
        room = _ATTACHED_BYTES
        for number in range(min(_MOST_ATTACHED, pdfium.FPDFDoc_GetAttachmentCount(self._document))):
            file = pdfium.FPDFDoc_GetAttachment(self._document, number)
            size = ctypes.c_ulong()
            if not file or not pdfium.FPDFAttachment_GetFile(file, None, 0, ctypes.byref(size)):
                continue
            if not 0 < size.value <= room:
                continue
            room -= size.value
            buffer = ctypes.create_string_buffer(size.value)
            pdfium.FPDFAttachment_GetFile(file, buffer, size.value, ctypes.byref(size))
            name = wide_text(partial(pdfium.FPDFAttachment_GetName, file))
            found.append((" ".join(name[:200].split()) or f"file {number + 1}", buffer.raw))
        return found

    def _entry(self, mark: Any, level: int) -> OutlineEntry | None:
        destination = pdfium.FPDFBookmark_GetDest(self._document, mark)
        action = None if destination else pdfium.FPDFBookmark_GetAction(mark)
        # Only a place in this file: an action that opens another, or a program, is not looked at.
        if action and pdfium.FPDFAction_GetType(action) == pdfium.PDFACTION_GOTO:
            destination = pdfium.FPDFAction_GetDest(self._document, action)
        index = pdfium.FPDFDest_GetDestPageIndex(self._document, destination) if destination else -1
        title = " ".join(wide_text(lambda buffer, size: pdfium.FPDFBookmark_GetTitle(mark, buffer, size)).split())
        return OutlineEntry(title, level, index + 1) if title and index >= 0 else None


def _forms(data: bytes) -> Iterator[bytes]:
    """The file as it is; without what stands before its head and shifts every place in it; with an end it has lost."""
    yield data
    start = data.find(_MARK)
    if start > 0:
        yield data[start:]
    catalogs = [match for match in _OBJECT.finditer(data) if _CATALOG.search(match[2])]
    # Without its end nobody can tell how an encrypted file was encrypted.
    if catalogs and b"/Encrypt" not in data:
        yield data[max(0, start) :] + b"\ntrailer\n<</Root %s R>>\nstartxref\n0\n%%%%EOF\n" % catalogs[-1][1]


@contextmanager
def _text_page(page: Any) -> Iterator[Any]:
    text = pdfium.FPDFText_LoadPage(page)
    try:
        yield text
    finally:
        if text:
            pdfium.FPDFText_ClosePage(text)


def _box(page: Any) -> tuple[float, float, float, float]:
    rect = pdfium.FS_RECTF()
    pdfium.FPDF_GetPageBoundingBox(page, rect)
    return rect.left, rect.bottom, rect.right, rect.top


def _failure(code: int) -> ReadError:
    if code == pdfium.FPDF_ERR_PASSWORD:
        return ReadError("needs a password", "save it without one to read it", status=DocumentStatus.ENCRYPTED)
    if code == pdfium.FPDF_ERR_SECURITY:
        return ReadError("is encrypted in a way that is not read", status=DocumentStatus.ENCRYPTED)
    return ReadError("is damaged: no page of it can be found", status=DocumentStatus.DAMAGED)
