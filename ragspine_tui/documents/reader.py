"""The seam of all formats: a file becomes a Document, or an honest ReadError."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import Final

from ragspine_tui.documents.code_reader import CodeReader
from ragspine_tui.documents.fields import complete
from ragspine_tui.documents.html_reader import HtmlReader
from ragspine_tui.documents.labels import front_labels
from ragspine_tui.documents.markdown_reader import MarkdownReader
from ragspine_tui.documents.signatures import foreign_format
from ragspine_tui.documents.source_file import Reader, SourceFile
from ragspine_tui.documents.text_reader import TextReader
from ragspine_tui.errors import ReadError
from ragspine_tui.types import Document, DocumentStatus

READER_VERSION: Final = 2
"""Rises whenever a reader makes another text, or other blocks or fields, of the same file: an index is made anew."""

# In the order they are asked whether the content is theirs; text is what remains.
READERS: Final[tuple[Reader, ...]] = (MarkdownReader(), HtmlReader(), CodeReader(), TextReader())
FALLBACK: Final[Reader] = READERS[-1]
MAX_BYTES: Final = 256 * 1024 * 1024
_HEAD: Final = 4_096


def read_document(path: Path, relative: str) -> Document:
    """The document in the file at `path`; `relative` is its `/`-separated place in the library.

    ReadError carries the DocumentStatus: `empty`, `unsupported`, `too_large`, `unreadable`, or what the reader found.
    """
    source = _load(path, relative)
    if not source.data.strip(b" \t\r\n\f\v"):
        raise ReadError("holds nothing but white space" if source.data else "is empty", status=DocumentStatus.EMPTY)
    reader = choose_reader(source)
    document = reader.read(source)
    if not document.text or document.text.isspace():
        status = DocumentStatus.EMPTY if document.verbatim else DocumentStatus.NO_TEXT
        raise ReadError("holds no text", status=status)
    labels = front_labels(document.text) if document.verbatim else ()
    fields, notes = complete(document.fields, source, document.kind, labels)
    return replace(document, fields=fields, notes=document.notes + notes)


def choose_reader(source: SourceFile) -> Reader:
    """The reader whose content this is, else the suffix's, else text; ReadError for known formats without one."""
    head = source.data[:_HEAD]
    suffix = source.suffix
    for reader in READERS:
        if reader.claims(head, suffix):
            return reader
    if name := foreign_format(head):
        raise ReadError(f"is {name}: this format is not read", status=DocumentStatus.UNSUPPORTED)
    return next((reader for reader in READERS if suffix in reader.suffixes), FALLBACK)


def _load(path: Path, relative: str) -> SourceFile:
    try:
        info = path.stat()
        # Opening a named pipe would wait for ever.
        if not stat.S_ISREG(info.st_mode):
            raise ReadError("is not a regular file", status=DocumentStatus.UNSUPPORTED)
        if info.st_size > MAX_BYTES:
            raise ReadError(
                f"is larger than {MAX_BYTES // 1024 // 1024} MB",
                "split it, or exclude it",
                status=DocumentStatus.TOO_LARGE,
            )
        data = path.read_bytes()
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise ReadError(
            f"cannot be opened ({reason}, errno {error.errno})", status=DocumentStatus.UNREADABLE
        ) from error
    return SourceFile(path, relative, data, info.st_size, info.st_mtime)
