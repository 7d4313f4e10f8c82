"""The compression that Outlook puts around rich text: references into the last 4096 characters."""

from __future__ import annotations

import struct
from typing import Final

_COMMON: Final = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans Serif"
    rb"SymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)
_WINDOW: Final = 4_096
_PLAIN: Final = b"MELA"
_PACKED: Final = b"LZFu"


def unpacked_rtf(data: bytes) -> bytes:
    """The rich text in compressed bytes; what comes before a fault where there is one, b'' where nothing is."""
    if len(data) < 16:
        return b""
    _, size, kind = struct.unpack_from("<II4s", data)
    if kind == _PLAIN:
        return data[16 : 16 + size]
    return bytes(_unpack(data, 16)[len(_COMMON) :][:size]) if kind == _PACKED else b""


def _unpack(data: bytes, position: int) -> bytearray:
    """The common text and behind it what the data say; a reference gives at most 17 characters for two."""
    out = bytearray(_COMMON)
    while position < len(data):
        flags = data[position]
        position += 1
        for bit in range(8):
            if not flags >> bit & 1:
                out += data[position : position + 1]
                position += 1
                continue
            if position + 2 > len(data):
                return out
            reference = data[position] << 8 | data[position + 1]
            position += 2
            # Places count in a ring; the reference to where the next character goes is the end.
            back = (len(out) - (reference >> 4)) % _WINDOW
            if back == 0:
                return out
            for _ in range((reference & 15) + 2):
                out.append(out[-back] if back <= len(out) else 32)
    return out
