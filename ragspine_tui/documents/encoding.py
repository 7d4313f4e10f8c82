"""Bytes to text: what a file says of itself first, a guess last, and the guess is told."""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass
from typing import Final

import chardet

from ragspine_tui.errors import ReadError
from ragspine_tui.types import DocumentStatus

# UTF-32 first: its little-endian mark begins with UTF-16's.
_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# What people declare or detectors name is often the narrow relative of what the file really uses.
_WIDER: Final = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "shift_jis": "cp932",
    "shift_jis_2004": "cp932",
    "euc_jis_2004": "euc_jp",
    "euc_kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "tis_620": "cp874",
    "tis-620": "cp874",
    "iso8859-8": "cp1255",
}
_ESCAPED: Final = (
    (re.compile(rb"\x1b\$[@B]|\x1b\([JI]|\x1b\$\([DOPQ]"), "iso2022_jp_2"),
    (re.compile(rb"\x1b\$\)C"), "iso2022_kr"),
)
_CONTROL: Final = bytes(b for b in range(32) if b not in b"\t\n\v\f\r\b\x1b")
_SAMPLE: Final = 65_536
_DETECT: Final = 200_000
_SURE: Final = 0.3
_MULTIBYTE: Final = frozenset(
    "big5 big5hkscs cp932 cp949 euc_jp euc_jis_2004 euc_kr gb18030 gb2312 gbk hz johab shift_jis shift_jis_2004".split()  # noqa: SIM905
)
_FEW: Final = 8
_TYPOGRAPHY: Final = frozenset(
    "\u2018\u2019\u201c\u201d\u2013\u2014\u2026\u2022\u20ac\xa0\xa3\xa7\xa9\xab\xb0\xb7\xbb\xbd\xbf\xa1"
)
_HIGH: Final = re.compile(rb"[\x80-\xff]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text, the codec that gave it, and what a person should know of the decoding."""

    text: str
    encoding: str
    notes: tuple[str, ...] = ()


def decode(data: bytes, declared: str = "") -> Decoded:
    """The text of a file: byte order mark, UTF-16 without one, UTF-8, `declared`, then detection.

    ReadError with status `unsupported` where the bytes are not text.
    """
    for mark, codec in _MARKS:
        if data.startswith(mark) and (codec[:6] != "utf-32" or _strict(data[len(mark) :], codec) is not None):
            return _without_nul(_replacing(data[len(mark) :], codec))
    if b"\0" in data:
        return _with_nul(data)
    for escape, codec in _ESCAPED:
        if data.isascii() and escape.search(data) and (text := _strict(data, codec)) is not None:
            return Decoded(text, codec)
    if (text := _strict(data, "utf-8")) is not None:
        return _not_binary(data, Decoded(text, "utf-8"))
    codec = _codec(declared)
    if codec and (text := _strict(data, codec)) is not None:
        return Decoded(text, codec)
    return _damaged_utf8(data) or _detected(data, declared)


def _strict(data: bytes, codec: str) -> str | None:
    try:
        return data.decode(codec)
    except (UnicodeError, LookupError):
        return None


def _replacing(data: bytes, codec: str) -> Decoded:
    text = data.decode(codec, "replace")
    bad = text.count("\ufffd")
    if bad and _strict(data, codec) is None:
        line = text.count("\n", 0, text.index("\ufffd")) + 1
        return Decoded(text, codec, (f"{bad} characters are not valid {codec} (first in line {line})",))
    return Decoded(text, codec)


def _codec(label: str) -> str:
    """Python's name for a declared charset, widened to what such files really hold; '' where unknown or binary."""
    try:
        info = codecs.lookup(label.strip().lower()) if label.isascii() and label.strip() else None
    except (LookupError, ValueError):
        info = None
    if info is None or not getattr(info, "_is_text_encoding", True) or info.name.startswith(("utf-16", "utf-32")):
        return ""
    return _WIDER.get(info.name, info.name)


def _with_nul(data: bytes) -> Decoded:
    sample = data[:_SAMPLE]
    if sample.count(0) * 2 >= len(sample):
        for codec in ("utf-32-le", "utf-32-be"):
            text = _strict(data, codec)
            if text is not None and _reads_well(text[:4096]):
                return _without_nul(Decoded(text, codec))
    pairs = max(1, len(sample) // 2)
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    codec = "utf-16-le" if odd > even else "utf-16-be"
    if max(even, odd) * 50 > pairs and max(even, odd) > 3 * min(even, odd):
        text = _strict(data, codec)
        if text is not None and _reads_well(text[:4096]):
            return _without_nul(Decoded(text, codec))
    nul = data.count(0)
    text = _strict(data, "utf-8") if nul * 5 <= len(data) * 2 else None
    if text is None or _control_share(sample.replace(b"\0", b"")) > 0.02:
        raise _binary()
    return _without_nul(Decoded(text, "utf-8"))


def _without_nul(decoded: Decoded) -> Decoded:
    """A text of the same length and lines; a NUL would end it early in databases and terminals."""
    nul = decoded.text.count("\0")
    if not nul:
        return decoded
    notes = (*decoded.notes, f"{nul} NUL bytes are shown as U+FFFD")
    return Decoded(decoded.text.replace("\0", "\ufffd"), decoded.encoding, notes)


def _reads_well(text: str) -> bool:
    odd = sum(unicodedata.category(c) in {"Cc", "Cn", "Co", "Cs"} and c not in "\t\n\r\f\v" for c in text)
    return odd * 50 <= len(text)


def _control_share(data: bytes) -> float:
    return (len(data) - len(data.translate(None, _CONTROL))) / max(1, len(data))


def _not_binary(data: bytes, decoded: Decoded) -> Decoded:
    if _control_share(data[:_SAMPLE]) > 0.3:
        raise _binary()
    return decoded


def _binary() -> ReadError:
    return ReadError("holds binary data, not text", status=DocumentStatus.UNSUPPORTED)


def _damaged_utf8(data: bytes) -> Decoded | None:
    """UTF-8 with a few bad bytes: the valid sequences must outnumber them clearly, or it is another encoding."""
    text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    good = len(text) - bad - len(data.translate(None, bytes(range(128, 256))))
    return _replacing(data, "utf-8") if good >= 4 * bad else None


def _detected(data: bytes, declared: str) -> Decoded:
    if _control_share(data[:_SAMPLE]) > 0.1:
        raise _binary()
    found = chardet.detect(_telling(data), prefer_superset=False, compat_names=False)
    name, confidence = found["encoding"], found["confidence"] or 0.0
    if not name:
        raise _binary()
    codec = _codec("cp1252" if confidence < _SURE and name not in _MULTIBYTE and _few_in_latin(data) else name)
    if not codec or _strict(data, codec) is None:
        codec = name
    decoded = _replacing(data, codec)
    notes = list(decoded.notes)
    if declared:
        notes.insert(0, f"the declared charset {declared[:40]!r} does not fit; read as {codec}")
    if confidence < _SURE:
        notes.insert(0, f"encoding guessed: {codec} (confidence {confidence:.0%}); save as UTF-8 to be sure")
    return Decoded(decoded.text, codec, tuple(notes))


def _few_in_latin(data: bytes) -> bool:
    """A handful of high bytes among ASCII letters: too little for statistics, and Western text is the likeliest."""
    high = len(data) - len(data.translate(None, bytes(range(128, 256))))
    text = _strict(data, "cp1252") if high <= _FEW and high * 2 <= len(data) else None
    return text is not None and all(c.isascii() or c.isalpha() or c in _TYPOGRAPHY for c in text)


def _telling(data: bytes) -> bytes:
    """The part of a large file worth looking at: its lines with bytes above ASCII."""
    if len(data) <= _DETECT:
        return data
    parts: list[bytes] = []
    size = 0
    for line in data.split(b"\n"):
        if not line.isascii():
            # All before the first high byte is ASCII: a cut there tears no character.
            first = _HIGH.search(line)
            parts.append(line[max(0, first.start() - 1000 if first else 0) :][:_DETECT])
            size += len(parts[-1])
            if size >= _DETECT:
                break
    return b"\n".join(parts)[:_DETECT]
