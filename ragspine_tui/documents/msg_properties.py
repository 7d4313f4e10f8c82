"""The properties of an Outlook message: values by number out of the streams of an OLE file, within bounds.

A message, a recipient and an attachment are storages of one form; a message in a message is a storage in an attachment.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

import olefile

from ragspine_tui.documents.mail_words import codec_name, part_text
from ragspine_tui.errors import ReadError
from ragspine_tui.types import DocumentStatus

Path = tuple[str, ...]

OLE_ERRORS: Final = (
    OSError,
    EOFError,
    ValueError,
    IndexError,
    KeyError,
    TypeError,
    AttributeError,
    OverflowError,
    RecursionError,
    MemoryError,
    struct.error,
)
_FIXED: Final = "__properties_version1.0"
_STREAM: Final = "__substg1.0_"
_HEADERS: Final = {"root": 32, "message": 24, "other": 8}
_UNICODE, _STRING, _BINARY, _OBJECT = 0x1F, 0x1E, 0x102, 0x0D
_CODE_PAGE: Final = 0x3FFD
_INTERNET_CODE_PAGE: Final = 0x3FDE
_MAX_FIXED: Final = 16 * 5_000
_EPOCH: Final = datetime(1601, 1, 1, tzinfo=UTC)
_CODE_PAGES: Final = {
    20127: "ascii",
    20866: "koi8-r",
    21866: "koi8-u",
    50220: "iso2022_jp",
    50221: "iso2022_jp",
    50222: "iso2022_jp",
    50225: "iso2022_kr",
    51932: "euc_jp",
    51936: "gb2312",
    51949: "euc_kr",
    52936: "hz",
    54936: "gb18030",
    65000: "utf-7",
    65001: "utf-8",
    **{28590 + number: f"iso8859-{number}" for number in range(1, 17)},
}


class OleStreams:
    """The streams of an OLE file by path; ReadError `damaged` where it is none, or gives more than it can hold."""

    def __init__(self, data: bytes) -> None:
        self._largest = len(data)
        self._left = 2 * len(data) + (1 << 20)
        try:
            self._ole = olefile.OleFileIO(io.BytesIO(data))
            # Sectors in a ring under a forged size would be read again and again.
            self._ole.root.size = min(self._ole.root.size, self._largest)
            paths = [tuple(path) for path in self._ole.listdir()]
        except OLE_ERRORS as error:
            raise ReadError("is cut off or damaged", status=DocumentStatus.DAMAGED) from error
        self._inside: dict[Path, dict[str, Path]] = {}
        for path in paths:
            for level in range(len(path)):
                self._inside.setdefault(path[:level], {}).setdefault(path[level].lower(), path[: level + 1])

    def names(self, storage: Path) -> list[str]:
        """What lies in a storage, in the order of its names."""
        return sorted(self._inside.get(storage, {}))

    def inside(self, storage: Path, name: str) -> Path | None:
        """The path of what lies in a storage under a name."""
        return self._inside.get(storage, {}).get(name.lower())

    def read(self, storage: Path, name: str) -> bytes:
        """The bytes of a stream; b'' where there is none or it cannot be read."""
        path = self.inside(storage, name)
        if path is None or path in self._inside:
            return b""
        try:
            if self._ole.get_size(list(path)) > self._largest:
                return b""
            data: bytes = self._ole.openstream(list(path)).read()
        except OLE_ERRORS:
            return b""
        self._left -= len(data)
        if self._left <= 0:
            raise ReadError("unpacks to more than it can hold", status=DocumentStatus.DAMAGED)
        return data


class Properties:
    """The properties of one storage."""

    def __init__(self, streams: OleStreams, storage: Path, form: str, code_page: int = 0) -> None:
        self._streams = streams
        self.storage = storage
        self._fixed: dict[int, bytes] = {}
        table = streams.read(storage, _FIXED)[_HEADERS[form] :][:_MAX_FIXED]
        for _, number, value in struct.iter_unpack("<HH4x8s", table[: len(table) // 16 * 16]):
            self._fixed.setdefault(number, value)
        self.code_page = self.number(_CODE_PAGE) or code_page or self.number(_INTERNET_CODE_PAGE)

    @property
    def is_there(self) -> bool:
        """Whether the storage has any property at all."""
        return bool(self._fixed) or any(name.startswith(_STREAM) for name in self._streams.names(self.storage))

    def number(self, number: int) -> int:
        """An integer or a truth value, 0 without one."""
        return int.from_bytes(self._fixed.get(number, b"")[:4], "little")

    def moment(self, number: int) -> str:
        """A moment in ISO 8601, '' without one."""
        ticks = int.from_bytes(self._fixed.get(number, b""), "little")
        try:
            return (_EPOCH + timedelta(microseconds=ticks // 10)).strftime("%Y-%m-%dT%H:%M:%SZ") if ticks else ""
        except OverflowError:
            return ""

    def text(self, *numbers: int) -> str:
        """The first of these properties that holds words."""
        return next((text for number in numbers if (text := self._text(number)).strip()), "")

    def _text(self, number: int) -> str:
        if data := self._stream(number, _UNICODE):
            return data[: len(data) // 2 * 2].decode("utf-16-le", "replace").rstrip("\0")
        data = self._stream(number, _STRING).rstrip(b"\0")
        try:
            return part_text(data, codec_of(self.code_page)).text if data else ""
        except ReadError:
            return data.decode("cp1252", "replace")

    def binary(self, number: int) -> bytes:
        """The bytes of a property, b'' without one."""
        return self._stream(number, _BINARY)

    def html(self) -> bytes:
        """The body as a web page in UTF-8, b'' without one."""
        data = self.binary(0x1013) or self._stream(0x1013, _STRING)
        if not data:
            return self._text(0x1013).encode("utf-8", "replace")
        code_page = self.number(_INTERNET_CODE_PAGE)
        if code_page and codec_name(codec_of(code_page)):
            try:
                return b"\xef\xbb\xbf" + part_text(data, codec_of(code_page)).text.encode("utf-8", "replace")
            except ReadError:
                return data
        return data

    def embedded(self, number: int) -> Path | None:
        """The storage that a property is, None without one."""
        return self._streams.inside(self.storage, f"{_STREAM}{number:04X}{_OBJECT:04X}")

    def message(self, storage: Path, code_page: int) -> Properties:
        """The properties of a message that lies in this one."""
        return Properties(self._streams, storage, "message", code_page)

    def below(self, prefix: str, most: int) -> Iterator[Properties]:
        """The properties of the storages whose names begin with `prefix`."""
        names = [name for name in self._streams.names(self.storage) if name.startswith(prefix)]
        for name in names[:most]:
            if path := self._streams.inside(self.storage, name):
                yield Properties(self._streams, path, "other", self.code_page)

    def _stream(self, number: int, kind: int) -> bytes:
        return self._streams.read(self.storage, f"{_STREAM}{number:04X}{kind:04X}")


def codec_of(code_page: int) -> str:
    """The charset of a Windows code page."""
    return _CODE_PAGES.get(code_page, f"cp{code_page}" if code_page else "")
