"""The container of Office files and EPUB: a ZIP file in memory, parts unpacked within bounds, XML without DTD.

Names of parts are keys, never paths of the file system. What is unpacked is counted as it comes, over all parts, so
that a forged size helps nobody; a reader sees a ReadError and no other exception.
"""

from __future__ import annotations

import codecs
import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree
from xml.etree.ElementTree import Element
from xml.parsers import expat

from ragspine_tui.errors import ReadError
from ragspine_tui.types import DocumentStatus

ZIP_MAGIC: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08PK\x03\x04")
MAX_UNPACKED: Final = 512 << 20
MAX_RATIO: Final = 200
MAX_ENTRIES: Final = 50_000
_ALWAYS_ALLOWED: Final = 16 << 20
_STEP: Final = 1 << 16
_PROLOG: Final = 1 << 20
_ENCRYPTED: Final = 1
_CONTROLS: Final = bytes(code for code in range(32) if code not in b"\t\n\r")
_ZIP_ERRORS: Final = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    KeyError,
    IndexError,
    OverflowError,
    MemoryError,
)


class PartError(ReadError):
    """One part that cannot be read; the others may be."""


class Package:
    """The parts of a ZIP file by name, without regard to case, `\\` or a leading `/`.

    `notes` are one-line remarks on parts that were left out as damaged.
    """

    def __init__(self, data: bytes) -> None:
        """ReadError `damaged` where the bytes are no whole ZIP file."""
        self.notes: list[str] = []
        self._left = min(MAX_UNPACKED, max(_ALWAYS_ALLOWED, MAX_RATIO * len(data)))
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            entries = self._zip.infolist()
        except NotImplementedError as error:
            raise _damaged("is packed in a way that is not read") from error
        except _ZIP_ERRORS as error:
            raise ReadError(
                "is cut off or damaged: its table of contents cannot be read",
                "get a whole copy of it",
                status=DocumentStatus.DAMAGED,
            ) from error
        if len(entries) > MAX_ENTRIES:
            raise ReadError(f"has more than {MAX_ENTRIES:,} parts", status=DocumentStatus.TOO_LARGE)
        # Of two entries with one name the last counts, as for every program that looks names up in the table.
        self._entries = {part_key(entry.filename): entry for entry in entries if not entry.is_dir()}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all parts as they are written in the file, in its order."""
        return tuple(entry.filename for entry in self._entries.values())

    def __contains__(self, name: str) -> bool:
        return part_key(name) in self._entries

    def read(self, name: str, most: int = MAX_UNPACKED) -> bytes:
        """The bytes of a part; PartError where it is missing, damaged or has more than `most` bytes."""
        return b"".join(self.stream(name, most))

    def stream(self, name: str, most: int = MAX_UNPACKED) -> Iterator[bytes]:
        """The bytes of a part, piece by piece; errors as from `read`, after the pieces that could be had."""
        entry = self._entries.get(part_key(name))
        if entry is None:
            raise PartError(f"has no part {shown(name)}", status=DocumentStatus.DAMAGED)
        if entry.flag_bits & _ENCRYPTED:
            raise ReadError("needs a password", status=DocumentStatus.ENCRYPTED)
        try:
            with self._zip.open(entry) as file:
                while piece := file.read(_STEP):
                    most -= len(piece)
                    self._left -= len(piece)
                    if self._left < 0:
                        raise _damaged("unpacks to far more than its size: not read")
                    if most < 0:
                        raise PartError(f"has too large a part {shown(name)}", status=DocumentStatus.DAMAGED)
                    yield piece
        except ReadError:
            raise
        except NotImplementedError as error:
            raise PartError(f"packs {shown(name)} in a way that is not read", status=DocumentStatus.DAMAGED) from error
        except _ZIP_ERRORS as error:
            raise PartError(f"has a damaged part {shown(name)}", status=DocumentStatus.DAMAGED) from error

    def events(self, name: str) -> Iterator[tuple[str, Element]]:
        """`start` and `end` of each element of an XML part, in order; tags as `{namespace}name`.

        Errors as from `read`, after the events that could be had; a DTD is refused with a ReadError `damaged`.
        """
        return xml_events(self.stream(name), name)


def part_key(name: str) -> str:
    """The name by which parts are looked up."""
    return name.replace("\\", "/").lstrip("/").lower()


def shown(name: str) -> str:
    """A part's name as it may stand in a message: short and in one line."""
    return "".join(c if c.isprintable() else "?" for c in name[:80])


def is_zip(head: bytes) -> bool:
    """Whether the first bytes are those of a ZIP file."""
    return head.startswith(ZIP_MAGIC)


def xml_events(pieces: Iterator[bytes], name: str) -> Iterator[tuple[str, Element]]:
    """`start` and `end` of each element of the XML in `pieces`; PartError where it is not well-formed.

    ReadError `damaged` for a DTD: what it could declare is expansion and foreign files, and no Office format has one.
    """
    parser: ElementTree.XMLPullParser[Element] = ElementTree.XMLPullParser(("start", "end"))
    prolog: _Prolog | None = _Prolog()
    try:
        for piece in _lenient(pieces):
            if prolog is not None and prolog.ends_in(piece):
                prolog = None
            parser.feed(piece)
            yield from parser.read_events()  # type: ignore[misc]
        parser.close()
        yield from parser.read_events()  # type: ignore[misc]
    except (ElementTree.ParseError, expat.ExpatError, ValueError, LookupError) as error:
        raise PartError(f"has damaged XML in {shown(name)}", status=DocumentStatus.DAMAGED) from error


def _lenient(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """What careless programs write around and into XML is left out: space before it, control characters in it."""
    started = wide = False
    for piece in pieces:
        if not started:
            wide = b"\0" in piece[:4] or piece[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
            piece = piece if wide else piece.removeprefix(codecs.BOM_UTF8).lstrip()
            started = bool(piece)
        yield piece if wide else piece.translate(None, _CONTROLS)


class _Prolog:
    """What stands before the first element, through a parser of its own: ElementTree's does not tell of a DTD."""

    def __init__(self) -> None:
        self._parser = expat.ParserCreate()
        self._parser.StartDoctypeDeclHandler = lambda *_: self._refuse()
        self._parser.StartElementHandler = lambda *_: self._end()
        self._over = False
        self._read = 0

    def ends_in(self, piece: bytes) -> bool:
        """Whether the first element begins in this piece or before."""
        self._read += len(piece)
        if self._read > _PROLOG:
            raise _damaged("has XML that does not begin")
        try:
            self._parser.Parse(piece, False)
        except expat.ExpatError:
            # What comes after is the other parser's, and so is its breaking off.
            if not self._over:
                raise
        return self._over

    def _end(self) -> None:
        self._over = True
        self._parser.StartElementHandler = None

    def _refuse(self) -> None:
        raise _damaged("declares entities (a DTD), which no such file needs: not read")


def _damaged(reason: str) -> ReadError:
    return ReadError(reason, status=DocumentStatus.DAMAGED)
