"""Files compressed one by one: gzip, bzip2 and xz around any format that is read; its kind, lines and pages stay.

What is unpacked is counted as it comes, and given up where it is far more than such a size can honestly hold.
"""

from __future__ import annotations

import bz2
import lzma
import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Final, Protocol

from ragspine_tui.documents.opening import MAX_BYTES
from ragspine_tui.documents.source_file import ReadInner, SourceFile
from ragspine_tui.errors import ReadError
from ragspine_tui.types import Document, DocumentStatus

MAX_RATIO: Final = 200
_ALWAYS_ALLOWED: Final = 32 << 20
_MAX_LAYERS: Final = 2
_MAX_MEMBERS: Final = 50_000
_MEMORY: Final = 256 << 20
_FIRST: Final = 4_096
_PIECE: Final = 65_536
_STEP: Final = 1 << 20
_PADDING: Final = re.compile(rb"\0*+")
_MAGIC: Final = (
    (re.compile(rb"\x1f\x8b\x08"), "gzip"),
    (re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"), "bzip2"),
    (re.compile(rb"\xfd7zXZ\x00"), "xz"),
)
_RENAMED: Final = {".tgz": ".tar", ".tbz2": ".tar", ".tbz": ".tar", ".txz": ".tar", ".svgz": ".svg"}
_OWN: Final = frozenset({".gz", ".bz2", ".xz", *_RENAMED})
_ERRORS: Final = (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError, MemoryError)


class CompressedReader:
    """A compressed file as the file in it. `read_inner` reads that one."""

    kind = "compressed"
    suffixes: frozenset[str] = _OWN

    def __init__(self, read_inner: ReadInner) -> None:
        self._read_inner = read_inner

    def claims(self, head: bytes, _suffix: str, /) -> bool:
        """What compressed data begins with."""
        return bool(_method(head))

    def read(self, source: SourceFile) -> Document:
        """The document in the file, with remarks where the file is damaged; `unsupported` for what is too much."""
        name, data, notes = source.name, source.data, ""
        if not _method(data[:16]):
            raise ReadError("holds no compressed data", status=DocumentStatus.DAMAGED)
        if source.suffix and source.suffix not in _OWN:
            raise ReadError(
                f"is {_method(data[:16])} data under another name",
                f"let its name end with {source.suffix}.gz or the like",
                status=DocumentStatus.UNSUPPORTED,
            )
        for layer in range(_MAX_LAYERS + 1):
            if not (method := _method(data[:16])):
                break
            if layer == _MAX_LAYERS:
                raise ReadError("is compressed more than twice: not read", status=DocumentStatus.UNSUPPORTED)
            data, problem = _Unpacking(data, method, source.depth).run()
            notes = notes or problem
            name = _inner_name(name)
        if notes and not data.strip():
            raise ReadError(notes, status=DocumentStatus.DAMAGED)
        try:
            document = self._read_inner(source.inner(name, data))
        except ReadError as error:
            status = DocumentStatus.DAMAGED if notes else error.status
            reason = f"is compressed, and what is in it {error.args[0]}"
            raise ReadError(notes or reason, error.hint, status=status) from error
        partly = (f"{notes}: what could be unpacked is read",) if notes else ()
        return replace(document, path=source.relative, notes=partly + document.notes)


def _method(head: bytes) -> str:
    return next((name for magic, name in _MAGIC if magic.match(head)), "")


def _inner_name(name: str) -> str:
    """`notes.md.gz` is `notes.md`; a name that says nothing of compression stays."""
    suffix = PurePosixPath(name).suffix
    if suffix.lower() in _RENAMED:
        return name.removesuffix(suffix) + _RENAMED[suffix.lower()]
    return name.removesuffix(suffix) if suffix.lower() in _OWN else name


class _Unpacker(Protocol):
    """One member of compressed data, as bz2 and lzma take it apart."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class _Gzip:
    """zlib with the manners of bz2 and lzma: it keeps what it has not come to."""

    def __init__(self) -> None:
        self._zlib = zlib.decompressobj(31)
        self._error: zlib.error | None = None

    @property
    def eof(self) -> bool:
        return self._zlib.eof

    @property
    def needs_input(self) -> bool:
        return not self._zlib.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._zlib.unused_data

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        if self._error:
            raise self._error
        data = self._zlib.unconsumed_tail + data
        before = self._zlib.copy()
        try:
            return self._zlib.decompress(data, max_length)
        except zlib.error as error:
            # What comes before the fault is given first; zlib drops it.
            self._error = error
            return b"".join(_up_to_fault(before, data, max_length))


def _up_to_fault(unpacker: zlib._Decompress, data: bytes, most: int) -> Iterator[bytes]:
    try:
        for place in range(len(data)):
            got = unpacker.decompress(data[place : place + 1], most)
            most -= len(got)
            yield got
            if most <= 0:
                return
    except zlib.error:
        return


def _unpacker(method: str) -> _Unpacker:
    if method == "gzip":
        return _Gzip()
    return bz2.BZ2Decompressor() if method == "bzip2" else lzma.LZMADecompressor(memlimit=_MEMORY)


class _Unpacking:
    """One layer of compression, member after member."""

    def __init__(self, data: bytes, method: str, depth: int) -> None:
        self._data = data
        self._method = method
        self._free = max(_ALWAYS_ALLOWED >> (4 * depth), MAX_RATIO * len(data))
        self._out: list[bytes] = []
        self._size = 0

    def run(self) -> tuple[bytes, str]:
        """All that could be unpacked, and what is wrong with the rest, '' where nothing is."""
        position, problem = 0, ""
        try:
            for _ in range(_MAX_MEMBERS):
                position = self._member(position)
                padding = _PADDING.match(self._data, position)
                position = padding.end() if padding else position
                # What follows and is no member is no part of the file, as for the tools that made it.
                if _method(self._data[position : position + 16]) != self._method:
                    break
            else:
                problem = f"has more than {_MAX_MEMBERS:,} members"
        except EOFError:
            problem = "is cut off"
        except _ERRORS:
            problem = "is damaged"
        return b"".join(self._out), problem

    def _member(self, position: int) -> int:
        """Unpacks the member at `position`; where it ends."""
        unpacker = _unpacker(self._method)
        piece = _FIRST
        while not unpacker.eof:
            given = b""
            if unpacker.needs_input:
                given = self._data[position : position + piece]
                position += len(given)
                piece = _PIECE
            got = unpacker.decompress(given, _STEP)
            self._add(got)
            if not got and not given and not unpacker.eof:
                raise EOFError
        return position - len(unpacker.unused_data)

    def _add(self, piece: bytes) -> None:
        self._size += len(piece)
        self._out.append(piece)
        if self._size > self._free:
            raise ReadError(
                f"unpacks to more than {MAX_RATIO} times its size: not read", status=DocumentStatus.UNSUPPORTED
            )
        if self._size > MAX_BYTES:
            raise ReadError(f"unpacks to more than {MAX_BYTES >> 20} MB", status=DocumentStatus.TOO_LARGE)
