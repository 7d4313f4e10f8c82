"""Books in EPUB: the pages of the spine in order, each block with the name of its file (`ch08.html`) as place.

Headings go on from file to file, for books cut chapters at any size. A page without a heading has the one that the
table of contents gives it.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from typing import Final

from ragspine_tui.documents.epub_package import CONTAINER, Book, read_book
from ragspine_tui.documents.gathered import GatheredText
from ragspine_tui.documents.html_reader import HtmlReader
from ragspine_tui.documents.office_fields import add_head_labels
from ragspine_tui.documents.packages import Package, PartError, part_key, shown
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.errors import ReadError
from ragspine_tui.types import BlockKind, Document, DocumentStatus

_TYPE: Final = b"application/epub+zip"
_PICTURE: Final = re.compile(r"\.(?:jpe?g|png|gif|svg|webp)\Z", re.IGNORECASE)
# In XML any element may close itself; a reader of HTML would take what follows for its content.
_CLOSES_ITSELF: Final = re.compile(
    rb"<(script|style|title|iframe|noscript|noembed|noframes|textarea|xmp|nav|template|datalist|h[1-6]|pre|blockquote"
    rb"|ul|ol|table|tr)((?:\s[^<>]{0,2000})?)/>",
    re.IGNORECASE,
)


class EpubFormat:
    """EPUB 2 and 3."""

    kind = "epub"

    def holds(self, package: Package, /) -> bool:
        """Whether the package has the container file of a book, or says that it is one."""
        return CONTAINER in package or ("mimetype" in package and package.read("mimetype", 1_000).strip() == _TYPE)

    def read(self, source: SourceFile, package: Package, /) -> Document:
        """The pages in reading order; `encrypted` where they are locked, `damaged` where none can be read."""
        book = read_book(package)
        out = GatheredText()
        out.note(*book.notes)
        _add_pages(source, package, book, out)
        out.note(*package.notes)
        fields = book.fields
        doubts = add_head_labels(fields, out)
        return Document(
            path=source.relative,
            text=out.text,
            blocks=tuple(out.blocks),
            title=fields.first("title") or out.first_heading or source.stem,
            kind=self.kind,
            fields=fields.build(),
            verbatim=False,
            notes=out.notes + doubts,
        )


def _add_pages(source: SourceFile, package: Package, book: Book, out: GatheredText) -> None:
    if not book.pages:
        reason = book.notes[0] if book.notes else "is a book without pages"
        raise ReadError(reason, status=DocumentStatus.DAMAGED)
    bare = Counter(posixpath.basename(name) for name in book.pages)
    locked = broken = 0
    for name in book.pages:
        if part_key(name) in book.locked:
            locked += 1
            continue
        try:
            page = _page(source, name, package.read(name))
        except PartError as error:
            out.note(str(error))
            broken += 1
            continue
        except ReadError as error:
            if error.status in (DocumentStatus.ENCRYPTED, DocumentStatus.DAMAGED):
                raise
            out.note(f"{shown(name)} {error}")
            continue
        base = posixpath.basename(name)
        place = name if bare[base] > 1 else base
        if page.text and not any(block.kind is BlockKind.HEADING for block in page.blocks):
            out.add(book.names.get(part_key(name), ""), BlockKind.HEADING, level=1, part="", place=place)
        out.add_document(page, "", place)
    if locked and not out.blocks:
        raise ReadError("is locked by its seller (DRM)", status=DocumentStatus.ENCRYPTED)
    if locked:
        out.note(f"{locked} of {len(book.pages)} pages are locked: not read")
    if broken and not out.blocks:
        raise ReadError("has no page that can be read", status=DocumentStatus.DAMAGED)
    if not out.blocks and any(map(_PICTURE.search, package.names)):
        raise ReadError("holds only pictures: no text to find", status=DocumentStatus.NO_TEXT)


def _page(source: SourceFile, name: str, data: bytes) -> Document:
    return HtmlReader().read(source.inner(name, _CLOSES_ITSELF.sub(rb"<\1\2></\1>", data)))
