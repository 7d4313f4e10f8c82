"""PDF: the words that are drawn on each page, in reading order, with headings and the page of every block.

A page's comments and the values of its form stand behind its text, as `Comment: ...` and `Field NAME: ...`; files that
lie in the PDF stand behind its pages, each with the part `attachment NAME`. A word that a hyphen cuts at a line's end
is one word again.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ragspine_tui.documents.bounds import MAX_BLOCKS, check_count, heading_text
from ragspine_tui.documents.pdf_attached import with_attached
from ragspine_tui.documents.source_file import ReadInner, SourceFile
from ragspine_tui.documents.text_reader import TextReader
from ragspine_tui.errors import ReadError
from ragspine_tui.types import Block, BlockKind, Document, DocumentStatus, Span

if TYPE_CHECKING:
    from ragspine_tui.documents.pdf_file import PdfFile
    from ragspine_tui.documents.pdf_headings import OutlineEntry, Piece

MAX_PAGES: Final = 50_000
MAX_CHARS: Final = 64_000_000

_MARK: Final = b"%PDF-"
_BEFORE_MARK: Final = b"\xef\xbb\xbf \t\r\n\f\v\0"
_OBJECT: Final = re.compile(rb"(?:\A|[\r\n])\d+ \d+ obj\b")
_LARGE_TITLE: Final = 1.25
# PDFium must not be entered twice at a time.
_ONE_AT_A_TIME: Final = threading.Lock()


class PdfReader:
    """PDF files that open without a password, damaged ones as far as they go. `read_inner` reads the files in them."""

    kind = "pdf"
    suffixes: frozenset[str] = frozenset({".pdf"})

    def __init__(self, read_inner: ReadInner) -> None:
        self._read_inner = read_inner

    def claims(self, head: bytes, suffix: str, /) -> bool:
        """`%PDF-` at the start, and anywhere in the head of a file that is named a PDF."""
        return head.lstrip(_BEFORE_MARK).startswith(_MARK) or (suffix == ".pdf" and _MARK in head)

    def read(self, source: SourceFile) -> Document:
        """The text of all pages; ReadError with status `encrypted`, `damaged`, `no_text` or `too_large`."""
        if _MARK not in source.data and not _OBJECT.search(source.data):
            # Named a PDF, but a text.
            return TextReader().read(source)
        from ragspine_tui.documents.pdf_file import PdfFile
        from ragspine_tui.documents.pdf_streams import check_streams

        sound = check_streams(source.data)
        with _ONE_AT_A_TIME, PdfFile(source.data) as file:
            reading = _Reading(source, file, sound)
            document = reading.document()
            attached = file.attachments()
        # Outside: among them may be PDFs.
        if attached:
            document = with_attached(document, attached, source, self._read_inner)
        if not document.text:
            raise reading.nothing()
        return document


class _Reading:
    """One PDF on its way to a Document."""

    def __init__(self, source: SourceFile, file: PdfFile, sound: bool) -> None:
        self._sound = sound
        self._source = source
        self._file = file
        # Behind the last object stands the end, whatever was written behind that.
        self._cut_off = source.data.rfind(b"%%EOF") < source.data.rfind(b"endobj")
        self._chars = 0
        self._silent = self._broken = 0
        self._pieces: list[Piece] = []

    def document(self) -> Document:
        """Everything that the pages say, which may be nothing."""
        from ragspine_tui.documents.pdf_fields import declared_fields

        file = self._file
        check_count(file.pages, MAX_PAGES, "pages")
        self._read_pages()
        self._join_words()
        text, blocks = self._laid_out()
        fields = declared_fields(file.info, self._source, file.pages, file.language)
        return Document(
            path=self._source.relative,
            text=text,
            blocks=tuple(blocks),
            title=fields.first("title") or self._title(blocks) or self._source.stem,
            kind=PdfReader.kind,
            fields=fields.build(),
            verbatim=False,
            notes=tuple(self._notes()),
        )

    def _read_pages(self) -> None:
        from ragspine_tui.documents.pdf_headings import Piece, mark_by_look, pieces_of
        from ragspine_tui.documents.pdf_paragraphs import paragraphs

        outline: dict[int, list[OutlineEntry]] = {}
        for entry in self._file.outline():
            outline.setdefault(entry.page, []).append(entry)
        for number in range(1, self._file.pages + 1):
            page = self._file.page(number - 1)
            if page is None:
                self._broken += 1
                continue
            found = pieces_of(paragraphs(page.lines, number), outline.get(number, ()))
            found += [Piece(text, number, BlockKind.PARAGRAPH) for text in page.remarks]
            self._silent += not found
            self._keep(found)
        if not any(piece.kind is BlockKind.HEADING for piece in self._pieces):
            mark_by_look(self._pieces)

    def _keep(self, pieces: Sequence[Piece]) -> None:
        self._pieces += pieces
        check_count(len(self._pieces), MAX_BLOCKS, "paragraphs")
        self._chars += sum(len(piece.text) for piece in pieces)
        check_count(self._chars, MAX_CHARS, "characters")

    def _join_words(self) -> None:
        """Makes whole the words that were cut at the ends of lines."""
        from ragspine_tui.documents.pdf_hyphens import whole_words, without_cuts
        from ragspine_tui.documents.pdf_lines import CUT_WORD

        cut = [piece for piece in self._pieces if CUT_WORD in piece.text]
        words = whole_words(piece.text for piece in self._pieces) if cut else frozenset()
        for piece in cut:
            piece.text = without_cuts(piece.text, words)

    def _laid_out(self) -> tuple[str, list[Block]]:
        """The text, and the blocks in it."""
        parts: list[str] = []
        blocks: list[Block] = []
        length = 0
        for piece in self._pieces:
            if blocks:
                last = blocks[-1]
                tight = piece.kind is last.kind and piece.kind in (BlockKind.LIST, BlockKind.TABLE)
                parts.append("\n" if tight and piece.page == last.page else "\n\n")
                length += len(parts[-1])
            parts.append(piece.text)
            span = Span(length, length + len(piece.text))
            heading = heading_text(_in_one_line(piece.text)) if piece.kind is BlockKind.HEADING else ""
            blocks.append(Block(span, piece.kind, piece.level, heading, page=piece.page))
            length += len(piece.text)
        return "".join(parts), blocks

    def _title(self, blocks: Sequence[Block]) -> str:
        """The largest letters of the first page where they stand out, else the first heading."""
        if not self._pieces:
            return ""
        first = [piece for piece in self._pieces if piece.page == self._pieces[0].page]
        usual = sorted(piece.size for piece in self._pieces for _ in range(1 + len(piece.text) // 100))
        body = usual[len(usual) // 2]
        best = max(first, key=lambda piece: piece.size)
        if best.size >= _LARGE_TITLE * body > 0 and 2 <= len(best.text) <= 200 and any(map(str.isalpha, best.text)):
            return _in_one_line(best.text)
        return next((block.heading for block in blocks if block.kind is BlockKind.HEADING), "")

    def nothing(self) -> ReadError:
        """Why there is no text."""
        pages = self._file.pages
        if self._broken == pages or self._cut_off or not self._sound:
            return ReadError("is damaged: none of its pages can be read", status=DocumentStatus.DAMAGED)
        held = "1 page" if pages == 1 else f"{pages} pages"
        return ReadError(
            f"holds only pictures: {held} without text",
            "recognize the text in it (OCR) first",
            status=DocumentStatus.NO_TEXT,
        )

    def _notes(self) -> Iterator[str]:
        pages = self._file.pages
        if self._cut_off:
            yield "is cut off: its last pages may be missing"
        if self._broken:
            yield f"{self._broken} of {pages} pages cannot be read"
        if self._silent:
            yield f"{self._silent} of {pages} pages hold no text (scanned?)"


def _in_one_line(text: str) -> str:
    return " ".join(text.replace("\u00ad", "").split())
