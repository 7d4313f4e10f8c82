"""What Outlook packs into `winmail.dat` (TNEF): the body where it is in there alone, and the files."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ragspine_tui.documents.compressed_rtf import unpacked_rtf
from ragspine_tui.documents.mail_words import plain

MAGIC: Final = b"\x78\x9f\x3e\x22"
_MAX_FILES: Final = 1_000
_MAX_PROPERTIES: Final = 5_000
_NEW_FILE, _TITLE, _DATA, _FILE_PROPERTIES, _PROPERTIES = 0x9002, 0x8010, 0x800F, 0x9005, 0x9003
_BODY, _HTML, _RTF, _LONG_NAME, _CONTENT = 0x1000, 0x1013, 0x1009, 0x3707, 0x3701
_SIZES: Final = {2: 4, 3: 4, 4: 4, 5: 8, 6: 8, 7: 8, 0x0A: 4, 0x0B: 4, 0x14: 8, 0x40: 8, 0x48: 16}
_VARIABLE: Final = frozenset({0x0D, 0x1E, 0x1F, 0x102})
_UNICODE: Final = 0x1F


@dataclass(slots=True)
class TnefFile:
    """A file in the packet."""

    name: str = ""
    data: bytes = b""


@dataclass(slots=True)
class Tnef:
    """The body in its forms (type and bytes) and the files, as far as the packet can be read."""

    bodies: list[tuple[str, bytes]]
    files: list[TnefFile]


def read_tnef(data: bytes) -> Tnef:
    """What a packet holds; nothing where it is none."""
    found = Tnef([], [])
    for number, content in _attributes(data) if data.startswith(MAGIC) else ():
        if number == _PROPERTIES:
            _take_bodies(content, found)
        elif number == _NEW_FILE:
            if len(found.files) >= _MAX_FILES:
                break
            found.files.append(TnefFile())
        elif found.files and number == _TITLE:
            found.files[-1].name = found.files[-1].name or plain(content.rstrip(b"\0"))
        elif found.files and number == _DATA:
            found.files[-1].data = content
        elif found.files and number == _FILE_PROPERTIES:
            properties = dict(_properties(content))
            found.files[-1].name = _text(properties.get(_LONG_NAME)) or found.files[-1].name
            _, inner = properties.get(_CONTENT, (0, b""))
            found.files[-1].data = found.files[-1].data or inner
    return found


def _take_bodies(content: bytes, found: Tnef) -> None:
    properties = dict(_properties(content))
    if text := _text(properties.get(_BODY)):
        found.bodies.append(("text/plain", text.encode("utf-8", "replace")))
    if html := properties.get(_HTML, (0, b""))[1]:
        found.bodies.append(("text/html", html))
    if not found.bodies and (rtf := unpacked_rtf(properties.get(_RTF, (0, b""))[1])):
        found.bodies.append(("text/rtf", rtf))


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Number and bytes of each attribute; the last one of a packet that is cut off is left out."""
    position = len(MAGIC) + 2
    while position + 9 <= len(data):
        number, size = struct.unpack_from("<II", data, position + 1)
        start = position + 9
        if start + size > len(data):
            return
        yield number & 0xFFFF, data[start : start + size]
        position = start + size + 2


def _properties(data: bytes) -> Iterator[tuple[int, tuple[int, bytes]]]:
    """Number, type and bytes of each property of one value."""
    try:
        (count,) = struct.unpack_from("<I", data)
        position = 4
        for _ in range(min(count, _MAX_PROPERTIES)):
            kind, number = struct.unpack_from("<HH", data, position)
            position = _past_name(data, position + 4) if number >= 0x8000 else position + 4
            base, several = kind & 0x0FFF, bool(kind & 0x1000)
            values = 1
            if several or base in _VARIABLE:
                (values,) = struct.unpack_from("<I", data, position)
                position += 4
            for _ in range(min(values, _MAX_PROPERTIES)):
                size = _SIZES.get(base, 4)
                if base in _VARIABLE:
                    (size,) = struct.unpack_from("<I", data, position)
                    position += 4
                if not several:
                    yield number, (base, data[position : position + size])
                position += (size + 3) // 4 * 4
                if position > len(data):
                    return
    except struct.error:
        return


def _past_name(data: bytes, position: int) -> int:
    """Where the value of a named property begins."""
    kind, size = struct.unpack_from("<II", data, position + 16)
    if not kind:
        return position + 24
    return position + 24 + (int(size) + 3) // 4 * 4


def _text(value: tuple[int, bytes] | None) -> str:
    if value is None:
        return ""
    kind, data = value
    if kind == _UNICODE:
        return data[: len(data) // 2 * 2].decode("utf-16-le", "replace").rstrip("\0")
    data = data.rstrip(b"\0")
    return data.decode("cp1252", "replace") if not data.isascii() else data.decode("ascii")
