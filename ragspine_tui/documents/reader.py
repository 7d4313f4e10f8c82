"""The seam of all formats: a file becomes a Document, or an honest ReadError."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from ragspine_tui.documents.fields import complete
from ragspine_tui.documents.guests import guest_readers
from ragspine_tui.documents.head_labels import head_labels
from ragspine_tui.documents.labels import FIELD, distinct, front_labels, label_named
from ragspine_tui.documents.opening import MAX_BYTES, open_regular
from ragspine_tui.documents.signatures import foreign_format
from ragspine_tui.documents.source_file import Reader, SourceFile
from ragspine_tui.errors import ReadError
from ragspine_tui.types import Document, DocumentStatus

READER_VERSION: Final = 7
"""Rises whenever a reader makes another text, or other blocks or fields, of the same file: an index is made anew."""

MAX_DEPTH: Final = 3
"""How deep files are read that lie in files: a document attached to a message in a compressed mailbox is the third."""

PLAIN: Final = frozenset({"code", "html", "md", "txt"})
"""Readers of text, the program's own, which neither crash nor run away; all others read in processes of their own."""

_HEAD: Final = 4_096
_MARKDOWN: Final = "md"


@cache
def readers() -> tuple[Reader, ...]:
    """Every reader, in the order they are asked whether the content is theirs; text, the last, is what remains.

    Loaded at the first file: a search reads none, and would wait for them.
    """
    from ragspine_tui.documents.asciidoc_reader import AsciiDocReader
    from ragspine_tui.documents.code_reader import CodeReader
    from ragspine_tui.documents.compressed_reader import CompressedReader
    from ragspine_tui.documents.csv_reader import CsvReader
    from ragspine_tui.documents.data_reader import TomlReader, YamlReader
    from ragspine_tui.documents.flat_odf_reader import FlatOdfReader
    from ragspine_tui.documents.html_reader import HtmlReader
    from ragspine_tui.documents.json_reader import JsonReader
    from ragspine_tui.documents.latex_reader import LatexReader
    from ragspine_tui.documents.mail_reader import MailReader
    from ragspine_tui.documents.man_reader import ManReader
    from ragspine_tui.documents.markdown_reader import MarkdownReader
    from ragspine_tui.documents.mbox_reader import MboxReader
    from ragspine_tui.documents.msg_reader import MsgReader
    from ragspine_tui.documents.notebook_reader import NotebookReader
    from ragspine_tui.documents.org_reader import OrgReader
    from ragspine_tui.documents.package_reader import PackageReader
    from ragspine_tui.documents.pdf_reader import PdfReader
    from ragspine_tui.documents.rst_reader import RstReader
    from ragspine_tui.documents.rtf_reader import RtfReader
    from ragspine_tui.documents.text_reader import TextReader
    from ragspine_tui.documents.xml_reader import SvgReader, XmlReader

    return (
        MsgReader(read_inner),
        PackageReader(read_inner),
        FlatOdfReader(),
        RtfReader(),
        PdfReader(read_inner),
        CompressedReader(read_inner),
        MboxReader(read_inner),
        MailReader(read_inner),
        MarkdownReader(),
        HtmlReader(),
        RstReader(),
        OrgReader(),
        AsciiDocReader(),
        LatexReader(),
        ManReader(),
        NotebookReader(),
        SvgReader(),
        XmlReader(),
        CsvReader(),
        JsonReader(),
        YamlReader(),
        TomlReader(),
        CodeReader(),
        TextReader(),
    )


def read_document(path: Path, relative: str) -> Document:
    """The document in the file at `path`; `relative` is its `/`-separated place in the library.

    ReadError carries the DocumentStatus: `empty`, `unsupported`, `too_large`, `unreadable`, or what the reader found.
    """
    return read_loaded(load(path, relative))


def load(path: Path, relative: str, most: int = MAX_BYTES) -> SourceFile:
    """The file at `path` with all of its bytes, for hashing and reading the same ones.

    ReadError where it is no regular file, has more than `most` bytes or is unreadable; it is never waited for, and no
    link is followed.
    """
    data, info = open_regular(path, most)
    return SourceFile(path, relative, data, len(data), info.st_mtime)


def read_loaded(source: SourceFile, reader: Reader | None = None) -> Document:
    """The document in a file that has been loaded, by the reader chosen for it; ReadError as from `read_document`."""
    document, labels = _read_labelled(source, reader)
    fields, notes = complete(document.fields, source, document.kind, labels)
    return replace(document, fields=fields, notes=document.notes + notes)


def read_inner(source: SourceFile) -> Document:
    """The document in a file that lies in another one, its labels in the field `sensitivity`, without a file's fields.

    ReadError as from `read_document`, also where files lie too deep in one another.
    """
    if source.depth > MAX_DEPTH:
        raise ReadError("lies too deep in other files", status=DocumentStatus.UNSUPPORTED)
    document, labels = _read_labelled(source)
    # A long or odd value must not get lost among the fields of the file around it.
    known = distinct([*map(label_named, document.fields.get(FIELD, ())), *labels])
    return replace(document, fields={**document.fields, FIELD: known}) if known else document


def _read_labelled(source: SourceFile, reader: Reader | None = None) -> tuple[Document, tuple[str, ...]]:
    """What the reader of a file makes of it, and the labels at its top."""
    if not source.data.strip(b" \t\r\n\f\v"):
        raise ReadError("holds nothing but white space" if source.data else "is empty", status=DocumentStatus.EMPTY)
    document = (reader or choose_reader(source)).read(source)
    if not document.text or document.text.isspace():
        status = DocumentStatus.EMPTY if document.verbatim else DocumentStatus.NO_TEXT
        raise ReadError("holds no text", status=status)
    labels, doubts = _top_labels(document) if document.verbatim else ((), ())
    return replace(document, notes=tuple(dict.fromkeys(document.notes + doubts))), labels


def _top_labels(document: Document) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The labels at the top of a text, with and without front matter, and remarks on what only looks like one."""
    head = head_labels(document.text, hashes_are_headings=document.kind == _MARKDOWN)
    return front_labels(document.text) + head.labels, head.notes


def is_plain(reader: Reader) -> bool:
    """Whether it is one of the `PLAIN` readers, and no guest of that kind."""
    return reader.kind in PLAIN and type(reader).__module__.startswith(f"{__package__}.")


def choose_reader(source: SourceFile) -> Reader:
    """The reader whose content this is, else the suffix's, else text; ReadError for known formats without one."""
    head = source.data[:_HEAD]
    suffix = source.suffix
    for reader in readers():
        if reader.claims(head, suffix):
            return reader
    name = foreign_format(head)
    if not name:
        for reader in readers():
            if suffix in reader.suffixes:
                return reader
    guests, broken = guest_readers()
    claiming = (guest for guest in guests if guest.claims(head, suffix))
    if guest := next(claiming, None) or next((guest for guest in guests if suffix in guest.suffixes), None):
        return guest
    if name:
        excuse = "".join(f"; {one}" for one in broken)
        raise ReadError(f"is {name}: this format is not read{excuse}", status=DocumentStatus.UNSUPPORTED)
    return readers()[-1]
