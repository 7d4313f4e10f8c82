"""Turning a file into what the store keeps of it: read, label, chunk, analyze."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final

from ragspine_tui.documents.discover import Source
from ragspine_tui.documents.limits import ReadLimits
from ragspine_tui.documents.reader import choose_reader, is_plain, load, read_loaded
from ragspine_tui.documents.sensitivity import label_of
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.errors import ReadError
from ragspine_tui.retrieval.chunking.chunker import Chunker, Chunking, make_chunker
from ragspine_tui.retrieval.chunking.provenance import check_provenance
from ragspine_tui.retrieval.lexical.analyzer import Analyzer
from ragspine_tui.retrieval.lexical.naming import naming_key
from ragspine_tui.types import (
    BlockKind,
    Chunk,
    Document,
    DocumentStatus,
    Library,
    Section,
    Sensitivity,
    Span,
    shown_path,
)
from storage.building import ChunkTerms, IndexedDocument, IndexedSection
from storage.documents import MAX_PARTS, DocumentEntry, KnownDocument, SourceRow, stored_time

RETRIED: Final = (DocumentStatus.UNREADABLE,)
"""What the next run tries again, though the file is the same."""

_LIMITS: Final = ReadLimits()

UNREAD: Final = b""
"""Instead of a hash: the document's path alone restricts it, and its file was never opened."""

REFUSED: Final = b"refused"
"""Instead of a hash: the file is too large, or no regular file, and was not read."""

CRASHED: Final = b"crashed"
"""Instead of a hash: reading the file ended the process that read it, or took too long."""

LABELLED: Final = b"labelled"
"""Instead of a hash: the document restricts itself. The hash of a text would let it be guessed."""


class NotPlainError(Exception):
    """The file is not for a process that has other things to do than reading."""


class EntryMaker:
    """Turns files into entries of the store: read, label, chunk, analyze. ReadError as from `chunker_of`.

    `allow` hears, before each step, how many seconds it may take. With `plain_only`, `make` raises NotPlainError for a
    file that is for another process.
    """

    def __init__(
        self,
        library: Library,
        restricts: Callable[[str], bool],
        analyzer: Analyzer,
        limits: ReadLimits = _LIMITS,
        *,
        allow: Callable[[float], None] = lambda _: None,
        plain_only: bool = False,
    ) -> None:
        self._library = library
        self._restricts = restricts
        self._analyzer = analyzer
        self._limits = limits
        self._allow = allow
        self._plain_only = plain_only
        self._chunker = chunker_of(library)

    def make(self, source: Source, known: KnownDocument | None = None) -> DocumentEntry | None:
        """The entry of a file; None where its bytes are those of `known`, only its times are new."""
        row = SourceRow(source.relative, source.size, stored_time(source.mtime_ns))
        if self._restricts(source.relative):
            return restricted_entry(row, UNREAD)
        try:
            self._allow(self._limits.for_text(source.size))
            loaded = load(source.path, source.relative, self._limits.size)
        except ReadError as error:
            evidence = UNREAD if error.status in RETRIED else REFUSED
            return DocumentEntry(replace(row, hash=evidence), DocumentStatus(error.status), one_line(str(error)))
        row = replace(row, hash=hashlib.blake2b(loaded.data, digest_size=16).digest())
        if known is not None and known.source.hash == row.hash and known.status not in RETRIED:
            return None
        try:
            return self.entry(row, self._read(loaded))
        except ReadError as error:
            return DocumentEntry(row, DocumentStatus(error.status), one_line(str(error)))
        except MemoryError:
            return DocumentEntry(row, DocumentStatus.TOO_LARGE, "needs more memory to read than it may have")
        except NotPlainError:
            raise
        except Exception as error:  # whatever one file does to a reader, it is that file's failure only
            return DocumentEntry(row, DocumentStatus.DAMAGED, f"the reader failed on it ({type(error).__name__})")

    def text(self, source: Source) -> str:
        """The text of a file, '' where it holds none that may be read."""
        if self._restricts(source.relative):
            return ""
        try:
            self._allow(self._limits.for_text(source.size))
            document = self._read(load(source.path, source.relative, self._limits.size))
        except NotPlainError:
            raise
        except Exception:  # its own turn will tell what is wrong with it
            return ""
        return "" if label_of(document, self._library)[0] == Sensitivity.RESTRICTED else document.text

    def _read(self, loaded: SourceFile) -> Document:
        reader = choose_reader(loaded)
        if is_plain(reader):
            return read_loaded(loaded, reader)
        if self._plain_only:
            raise NotPlainError
        self._allow(self._limits.seconds)
        document = read_loaded(loaded, reader)
        self._allow(self._limits.for_text(len(document.text)))
        return document

    def entry(self, row: SourceRow, document: Document) -> DocumentEntry:
        """The entry of a document that has been read."""
        label, note = label_of(document, self._library)
        if label == Sensitivity.RESTRICTED:
            return restricted_entry(row, LABELLED, note)
        chunking = self._cut(document)
        if max(len(chunking.sections), len(chunking.chunks)) >= MAX_PARTS:
            return DocumentEntry(row, DocumentStatus.TOO_LARGE, "has more passages than a document may: split it")
        return DocumentEntry(
            source=row,
            status=DocumentStatus.INDEXED if chunking.chunks else DocumentStatus.EMPTY,
            reason=one_line("; ".join(document.notes)),
            sensitivity=label,
            kind=document.kind,
            title=document.title,
            encoding=document.encoding,
            verbatim=document.verbatim,
            text=document.text,
            fields=_fields(document),
            sections=chunking.sections,
            chunks=chunking.chunks,
            terms=self._terms(document, chunking.sections, chunking.chunks),
        )

    def _cut(self, document: Document) -> Chunking:
        """The document in sections and passages. ReadError where the chunker, which may be a guest, fails on it."""
        try:
            chunking = self._chunker.chunk(document)
        except MemoryError:
            raise
        except (Exception, SystemExit) as error:
            raise self._failed(f"failed on it ({type(error).__name__})") from error
        if not isinstance(chunking, Chunking):
            raise self._failed(f"gave no Chunking but {type(chunking).__name__}")
        try:
            check_provenance(document, chunking)
        except (ValueError, TypeError, AttributeError) as error:
            said = str(error) if type(error) is ValueError else type(error).__name__
            raise self._failed(f"cut it unsoundly ({said})") from error
        return chunking

    def _failed(self, what: str) -> ReadError:
        return ReadError(f"the chunker {self._library.chunker} {what}", status=DocumentStatus.DAMAGED)

    def _terms(self, document: Document, sections: Sequence[Section], chunks: Sequence[Chunk]) -> IndexedDocument:
        front = _front_matter(document, chunks)
        by_section: dict[int, list[ChunkTerms]] = {}
        for chunk in chunks:
            terms = ((), "", 0) if chunk.span in front else self._analyzer.sequence(chunk.text)
            by_section.setdefault(chunk.section, []).append(terms)
        headings: dict[tuple[str, ...], dict[str, int]] = {}
        for section in sections:
            if section.heading_path not in headings:
                headings[section.heading_path] = self._all_terms("\n".join(section.heading_path))
        name = document.path.rsplit("/", 1)[-1]
        names = {naming_key(shown_path(text)) for text in (document.title, name, PurePosixPath(name).stem)}
        return IndexedDocument(
            named=sorted(names - {""}),
            hash=path_hash(self._library.library_id, document.path),
            title=self._all_terms(document.title),
            name=self._all_terms(name),
            metadata=self._all_terms("\n".join(span.of(document.text) for span in sorted(front))),
            sections=[IndexedSection(headings[one.heading_path], by_section.get(one.index, ())) for one in sections],
        )

    def _all_terms(self, text: str) -> dict[str, int]:
        counts = self._analyzer.count(text)
        return {**counts.body, **counts.exact} if counts.exact else counts.body


def chunker_of(library: Library) -> Chunker:
    """The library's chunker. ReadError where it cannot be made: the package it came from may be gone."""
    try:
        return make_chunker(library.chunker)
    except ValueError as error:
        raise ReadError(str(error), "install its package, or add the folder anew with another chunker") from error


def analyzer_of(language: str) -> Analyzer:
    """What makes terms of a library's texts. ReadError where nobody here knows the language it was added with."""
    try:
        return Analyzer(language)
    except ValueError as error:
        raise ReadError(
            f"its language {one_line(language)!r} is not known here", "remove it and add its folder anew with another"
        ) from error


def _fields(document: Document) -> Mapping[str, Sequence[str]]:
    """A document's metadata with what the reading of it showed: its title, and how its bytes were decoded."""
    shown = {"title": document.title, "encoding": document.encoding}
    return {**{name: (value,) for name, value in shown.items() if value}, **document.fields}


def _front_matter(document: Document, chunks: Sequence[Chunk]) -> frozenset[Span]:
    """Spans of the chunks that hold nothing but front matter, beside others that hold text.

    They name the document rather than say something: they count for all of it, and never win over its passages.
    """
    blocks = [block.span for block in document.blocks if block.kind == BlockKind.FRONT_MATTER]
    front = {
        chunk.span
        for chunk in chunks
        for span in blocks
        if span.start <= chunk.span.start and chunk.span.end <= span.end
    }
    return frozenset(front) if len(front) < len(chunks) else frozenset()


def is_there(root: Path) -> bool:
    """Whether a library's root can be seen now; a drive that is away or forbidden is not there."""
    try:
        return root.exists()
    except OSError:
        return False


def restricted_entry(row: SourceRow, evidence: bytes, note: str = "") -> DocumentEntry:
    """The entry of a document that is not kept: its path, what restricts it, and nothing of what it holds."""
    return DocumentEntry(
        replace(row, hash=evidence), DocumentStatus.RESTRICTED, note, sensitivity=Sensitivity.RESTRICTED
    )


def path_hash(library_id: str, path: str) -> int:
    """The 64-bit key of a document that orders equal scores: of its library and path alone."""
    key = f"{library_id}\0{path}".encode("utf-8", "surrogateescape")
    return int.from_bytes(hashlib.blake2b(key, digest_size=8).digest(), "little")


def sample_order(relative: str) -> bytes:
    return hashlib.blake2b(relative.encode("utf-8", "surrogateescape"), digest_size=8).digest()


def one_line(text: str) -> str:
    return " ".join(text.split())
