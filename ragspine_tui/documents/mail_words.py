"""The words of messages: charsets that are declared wrongly or not at all, encoded words, parameters, addresses, dates.

Python's own header parsers raise on or drop some of what real messages hold, so that here the bytes are read as they
are and nothing raises.
"""

from __future__ import annotations

import binascii
import codecs
import re
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from typing import Final
from urllib.parse import unquote_to_bytes

from ragspine_tui.documents.encoding import Decoded, decode
from ragspine_tui.errors import ReadError

_ENCODED: Final = re.compile(rb"=\?([^?*\s]{1,60})(?:\*[^?\s]{0,40})?\?([bBqQ])\?(.{0,1000}?)\?=", re.DOTALL)
_FOLD: Final = re.compile(rb"(?:\r\n|\r|\n)(?=[ \t])")
_BASE64_RUN: Final = re.compile(rb"[A-Za-z0-9+/]+")
_NOT_BASE64: Final = re.compile(rb"[^A-Za-z0-9+/=]+")
_PARAMETER: Final = re.compile(rb""";\s*+([^\s=;"]{1,100})\s*+=\s*+("(?:[^"\\]|\\.)*+"?|[^;"]*+)""", re.DOTALL)
_PIECE: Final = re.compile(r"([^*]+)(?:\*(\d{1,4}))?(\*)?\Z")
_QUOTED: Final = re.compile(rb'\\(["\\])')
_CHARSET: Final = re.compile(rb"charset\s{0,8}=[\s\"']{0,8}([\w.:-]{1,60})", re.IGNORECASE)
_ADDRESS: Final = re.compile(rb'(?:"(?:[^"\\]|\\.){0,300}+"|[^,;"]|")++', re.DOTALL)
_ANGLE: Final = re.compile(r"<([^<>]*)>")
_BARE: Final = re.compile(r"[^\s<>(),;:\"]+@[^\s<>(),;:\"]+")
# Neither `+` nor `~`, which are more than signs in the charsets of seven bits.
_PLAIN: Final = re.compile(rb"[\t\n\r -*,-}]*+\Z")
_TWO_BYTES: Final = re.compile(r"[\x00-\u07ff]*\Z")
_NAMES: Final = {
    "unicode-1-1-utf-7": "utf-7",
    "iso-8859-8-i": "iso8859-8",
    "iso-8859-8-e": "iso8859-8",
    "windows-31j": "cp932",
    "x-sjis": "cp932",
    "x-euc-jp": "euc_jp",
}
_SEVEN_BIT: Final = frozenset({"utf-7", "hz"})
_WIDE: Final = frozenset({"utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"})
_ASIAN: Final = frozenset(
    "big5 big5hkscs cp932 cp949 euc_jp euc_jis_2004 euc_kr gb18030 gb2312 gbk johab shift_jis shift_jis_2004".split()  # noqa: SIM905
)
_WIDER: Final = {"gb2312": "gb18030", "gbk": "gb18030", "euc_kr": "cp949", "shift_jis": "cp932", "big5": "big5hkscs"}
_MAX_HEADER: Final = 200_000


def part_text(data: bytes, charset: str = "") -> Decoded:
    """The text of a part; ReadError `unsupported` where it is none.

    UTF-8 wins over a false declaration, except where few bytes are UTF-8 by chance and fit the declared charset.
    """
    name = codec_name(charset)
    if name in _SEVEN_BIT or name in _WIDE:
        try:
            return Decoded(data.decode(name).removeprefix("\ufeff"), name)
        except UnicodeError:
            pass
    if name in _ASIAN and not data.isascii() and (text := _strict(data, _WIDER.get(name, name))) is not None:
        by_chance = _strict(data, "utf-8")
        if by_chance is None or _TWO_BYTES.match(by_chance):
            return Decoded(text, name)
    if name.startswith("iso2022_jp") and _strict(data, "iso2022_jp_2") is None:
        # Numbers in circles and the like stand in rows that only the later standard names.
        text = _strict(data.replace(b"\x1b$B", b"\x1b$(Q"), "iso2022_jp_2004")
        if text is not None:
            return Decoded(text, name)
    return decode(data, name or charset)


def codec_name(charset: str) -> str:
    """Python's name for a charset as messages write it, '' for none that is known."""
    written = charset.strip().strip("\"'").lower()
    for name in (_NAMES.get(written, written), written.removeprefix("x-")):
        try:
            return codecs.lookup(name).name if name and name.isascii() else ""
        except (LookupError, ValueError):
            continue
    return ""


def _strict(data: bytes, codec: str) -> str | None:
    try:
        return data.decode(codec)
    except (UnicodeError, LookupError):
        return None


def plain(data: bytes, charset: str = "") -> str:
    """The text of a piece of a header, in one line."""
    if _PLAIN.match(data):
        return " ".join(data.decode("ascii").split()) or " " * bool(data)
    try:
        text = part_text(data, charset).text
    except ReadError:
        text = data.decode("cp1252", "replace").replace("\0", "\ufffd")
    return " ".join(text.split()) if not text.isspace() else " "


def header_text(raw: bytes, charset: str = "") -> str:
    """The value of a header for people: unfolded, its encoded words decoded, raw bytes by `charset` or a guess."""
    raw = _FOLD.sub(b"", raw[:_MAX_HEADER])
    if b"=?" not in raw:
        return plain(raw, charset).strip()
    pieces: list[str] = []
    pending, pending_charset, end = b"", "", 0
    for match in _ENCODED.finditer(raw):
        between = raw[end : match.start()]
        name = match[1].decode("ascii", "replace")
        word = _decoded_word(match[2], match[3])
        if between.strip() or end == 0:
            pieces += [_spaced(pending, pending_charset), _kept(between, charset)]
            pending, pending_charset = word, name
        elif name.lower() == pending_charset.lower():
            # A character may be cut in two between words.
            pending += word
        else:
            pieces.append(_spaced(pending, pending_charset))
            pending, pending_charset = word, name
        end = match.end()
    pieces += [_spaced(pending, pending_charset), _kept(raw[end:], charset)]
    return " ".join("".join(pieces).split())


def _kept(raw: bytes, charset: str) -> str:
    """Raw bytes between encoded words, with the white space at their ends."""
    text = plain(raw, charset) if raw else ""
    before = " " if raw[:1].isspace() else ""
    return f"{before}{text} " if raw[-1:].isspace() else before + text


def _spaced(word: bytes, charset: str) -> str:
    """A decoded word; the spaces at its ends are its own."""
    if not word:
        return ""
    try:
        return part_text(word, charset).text
    except ReadError:
        return word.decode("cp1252", "replace").replace("\0", "\ufffd")


def _decoded_word(encoding: bytes, word: bytes) -> bytes:
    return loose_base64(word) if encoding in b"bB" else binascii.a2b_qp(word, header=True)


def loose_base64(data: bytes) -> bytes:
    """What base64 holds, whatever stands between its characters; each padded run begins anew."""
    bare = _NOT_BASE64.sub(b"", data)
    if b"=" not in bare[:-2] and len(bare) % 4 == 0:
        return binascii.a2b_base64(bare)
    return b"".join(_run(match[0]) for match in _BASE64_RUN.finditer(bare))


def _run(run: bytes) -> bytes:
    run = run[:-1] if len(run) % 4 == 1 else run
    return binascii.a2b_base64(run + b"=" * (-len(run) % 4))


def parameters(raw: bytes) -> tuple[str, dict[str, str]]:
    """The value of a header like Content-Type in lower case, and its parameters by name, RFC 2231 put together."""
    raw = _FOLD.sub(b"", raw[:_MAX_HEADER])
    value = plain(raw.partition(b";")[0]).strip().lower()
    found: dict[str, dict[int, tuple[bytes, bool]]] = {}
    for match in _PARAMETER.finditer(raw):
        piece = _PIECE.match(match[1].decode("ascii", "replace").lower())
        if piece:
            content = match[2].strip()
            if content[:1] == b'"':
                content = _QUOTED.sub(rb"\1", content[1:].removesuffix(b'"'))
            # The first of two wins, as in most programs.
            found.setdefault(piece[1], {}).setdefault(int(piece[2] or 0), (content, bool(piece[3])))
    named = {name: _joined([pieces[key] for key in sorted(pieces)]) for name, pieces in found.items()}
    if "charset" not in named and (charset := _CHARSET.search(raw)):
        named["charset"] = charset[1].decode("ascii", "replace")
    return value, named


def _joined(pieces: list[tuple[bytes, bool]]) -> str:
    if not any(extended for _, extended in pieces):
        return header_text(b"".join(content for content, _ in pieces))
    charset = ""
    first, extended = pieces[0]
    if extended and first.count(b"'") >= 2:
        name, _, rest = first.split(b"'", 2)
        charset = name.decode("ascii", "replace")
        pieces = [(rest, True), *pieces[1:]]
    data = b"".join(unquote_to_bytes(content) if escaped else content for content, escaped in pieces)
    return plain(data, charset).strip()


def addresses(raw: bytes, charset: str = "") -> Iterator[tuple[str, str]]:
    """The people in a header like To: the name as it is shown ('' without one) and the address."""
    for match in _ADDRESS.finditer(_FOLD.sub(b"", raw[:_MAX_HEADER])):
        text = header_text(match[0], charset)
        angle = _ANGLE.search(text)
        bare = None if angle else _BARE.search(text)
        address = angle[1].strip() if angle else bare[0] if bare else ""
        name = text[: angle.start()] if angle else text.replace(address, "", 1) if address else text
        # A group's name ends with a colon.
        name = name.rpartition(":")[2] if ":" in name and '"' not in name else name
        name = name.replace('\\"', '"').strip().strip('"')
        name = name.strip("() \t") if bare else name.strip()
        if name or address:
            yield name, address


def iso_moment(raw: bytes) -> str:
    """A header's date in ISO 8601 with its zone where it names one; as it is written where it is no date; '' for ''."""
    written = header_text(raw)[:200]
    try:
        moment = parsedate_to_datetime(written)
    except (ValueError, TypeError, IndexError, OverflowError, AttributeError):
        return written
    return moment.isoformat().replace("+00:00", "Z")
