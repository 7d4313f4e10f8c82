"""The parts of a message, flat and numbered as MIME numbers them, with their bytes decoded.

Python's own parser goes line by line through a generator a level, which deep or large messages break; it gives nothing
for some old encodings. Here each level is cut once at its boundary, and what is broken is read as far as it goes.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ragspine_tui.documents.labels import FIELD
from ragspine_tui.documents.mail_words import header_text, loose_base64, parameters
from ragspine_tui.documents.tnef import MAGIC, read_tnef

MAX_PARTS: Final = 2_000
MAX_LEVELS: Final = 30
_MAX_FIELDS: Final = 2_000
_HEADER: Final = re.compile(
    rb"([!-9;-~]{1,200}+)[ \t]*+:([^\r\n]*+(?:(?:\r\n|\r|\n)[ \t][^\r\n]*+)*+)(?:\r\n|\r|\n|\Z)"
)
_KIND: Final = re.compile(r"[\w.+-]+/[\w.+-]+")
_ENVELOPE: Final = re.compile(rb">?From [^\r\n]*+(?:\r\n|\r|\n|\Z)")
_JUNK: Final = re.compile(
    rb"[^\r\n]{1,1000}+(?:\r\n|\r|\n)(?:[ \t][^\r\n]{0,1000}+(?:\r\n|\r|\n)){0,10}+"
    rb"(?=(?:content-type|content-transfer-encoding|mime-version|message-id)[ \t]*:)",
    re.IGNORECASE,
)
_LEADING: Final = re.compile(rb"(?:\xef\xbb\xbf)?[\r\n]*+")
_LINE_END: Final = re.compile(rb"\r\n|\r|\n")
_GUESS: Final = re.compile(rb"(?<![^\r\n])--([^\s-][^\r\n]{0,100}?)[ \t]*(?=[\r\n])")
_UU: Final = re.compile(rb"(?<![^\r\n])begin [0-7]{3,4} ([^\r\n]{1,400})\r?\n(?=[!-`][^\r\n]{0,90}\r?\n)")
_UU_END: Final = re.compile(rb"(?<![^\r\n])end[ \t]*+(?:\r\n|\r|\n|\Z)")
# Words stand apart on a line, base64 never does.
_BASE64_BODY: Final = re.compile(rb"\s*+(?:[A-Za-z0-9+/]++={0,2}+[ \t]*+(?:[\r\n]\s*+|\Z))*+")
_MESSAGES: Final = frozenset({"message/rfc822", "message/global", "message/news"})
_UUENCODED: Final = frozenset({"x-uuencode", "uuencode", "x-uue", "uue"})
_WORDS: Final = re.compile(rb"[A-Za-z]{2}[ \t]+[A-Za-z]{2}")


class Headers:
    """The headers of a message or a part; names without regard to case, the first of two counts."""

    def __init__(self, fields: list[tuple[str, bytes]]) -> None:
        self.fields = fields
        self._first: dict[str, bytes] = {}
        for name, value in fields:
            self._first.setdefault(name, value)

    def raw(self, name: str) -> bytes:
        """The bytes of a header's value, b'' without one."""
        return self._first.get(name, b"")

    def all(self, name: str) -> list[bytes]:
        """The bytes of each header of this name."""
        return [value for each, value in self.fields if each == name]


@dataclass(frozen=True, slots=True)
class Part:
    """A leaf of a message, or a message in it (`opens` is true: its own parts follow, `headers` are its own).

    `number` counts as MIME does: `2.1` is the first part of the second. `owner` is the label of the message in the
    message that the part belongs to, `choice` its `multipart/alternative`; '' without one.
    """

    number: str
    kind: str
    headers: Headers
    body: bytes = b""
    name: str = ""
    charset: str = ""
    flowed: bool = False
    joined_lines: bool = False
    attached: bool = False
    choice: str = ""
    owner: str = ""
    opens: bool = False
    shown: str = ""

    @property
    def label(self) -> str:
        """The part's place: its number, type and name, or how it is `shown`."""
        return self.shown or f"{self.number} {self.kind} {self.name}".rstrip()


def split_headers(data: bytes) -> tuple[Headers, bytes]:
    """The headers that a message or part begins with, and what follows them."""
    fields: list[tuple[str, bytes]] = []
    position = 0
    while True:
        match = _HEADER.match(data, position)
        if match:
            name = match[1].decode("ascii").lower()
            # However many there are, none may hide a label.
            if len(fields) < _MAX_FIELDS or name == FIELD:
                fields.append((name, match[2].strip()))
            position = match.end()
        elif envelope := _ENVELOPE.match(data, position):
            position = envelope.end()
        elif fields and (junk := _JUNK.match(data, position)):
            # More headers follow: to end them here would make text of a whole message's parts.
            position = junk.end()
        else:
            break
    blank = _LINE_END.match(data, position)
    return Headers(fields), data[blank.end() if blank else position :]


def split_message(data: bytes) -> tuple[Headers, bytes]:
    """As `split_headers`, for a whole message: a byte order mark and blank lines before it count for nothing."""
    leading = _LEADING.match(data)
    return split_headers(data[leading.end() if leading else 0 :])


class Parts:
    """The parts of one message in order; `notes` are one-line remarks on what is broken."""

    def __init__(self, headers: Headers, body: bytes) -> None:
        self.parts: list[Part] = []
        self.notes: list[str] = []
        self._owner = ""
        self._entity(headers, body, "", 0, "", "text/plain")

    def _entity(self, headers: Headers, body: bytes, number: str, level: int, choice: str, default: str) -> None:
        kind, options = parameters(headers.raw("content-type"))
        found = _KIND.match(kind)
        kind = found[0] if found else "text/plain" if kind else default
        if level >= MAX_LEVELS and (kind.startswith("multipart/") or kind in _MESSAGES):
            # As mere text they could hide a label.
            self._note("parts lie too deep in one another: the innermost are not read")
            return
        if kind.startswith("multipart/") and self._multipart(kind, options, body, number, level, choice):
            return
        if kind in _MESSAGES:
            self._message(headers, kind, body, number or "1", level, _name(headers, options))
            return
        if kind.startswith("multipart/"):
            kind = "text/plain"
        self._leaf(headers, kind, options, body, number or "1", choice)

    def _multipart(self, kind: str, options: dict[str, str], body: bytes, number: str, level: int, choice: str) -> bool:
        """Takes the children; False where there are none."""
        boundary = options.get("boundary", "").encode("utf-8", "replace")
        children, closed = split_multipart(body, boundary) if boundary else ([], False)
        if not children and (guess := _GUESS.search(body[:65_536])):
            children, closed = split_multipart(body, guess[1])
        if not children:
            if body.strip():
                self._note(f"part {number or '1'}: the boundary between its parts is not found; read as text")
            return False
        if not closed and not number:
            self._note("the message is cut off: its last part has no end")
        if kind == "multipart/alternative":
            choice = number or "all"
        elif kind == "multipart/encrypted":
            self._note(f"part {number or '1'} is encrypted")
        default = "message/rfc822" if kind == "multipart/digest" else "text/plain"
        for count, child in enumerate(children, 1):
            if len(self.parts) >= MAX_PARTS:
                self._note(f"only the first {MAX_PARTS:,} parts of a message are read")
                break
            headers, rest = split_headers(child)
            self._entity(headers, rest, f"{number}.{count}" if number else str(count), level + 1, choice, default)
        return True

    def _message(self, headers: Headers, kind: str, body: bytes, number: str, level: int, name: str) -> None:
        inner, rest = split_message(decoded_body(headers, body, kind))
        part = Part(number, kind, inner, name=name, opens=True)
        self.parts.append(part)
        before, self._owner = self._owner, part.label
        self._entity(inner, rest, f"{number}.1", level + 1, "", "text/plain")
        self._owner = before

    def _leaf(
        self, headers: Headers, kind: str, options: dict[str, str], body: bytes, number: str, choice: str
    ) -> None:
        disposition, more = parameters(headers.raw("content-disposition"))
        name = clean_name(more.get("filename", "") or options.get("name", ""))
        if not name and not kind.startswith("text/"):
            name = clean_name(header_text(headers.raw("content-location")))
        bytes_ = decoded_body(headers, body, kind)
        if bytes_.startswith(MAGIC) and self._packet(bytes_, number):
            return
        uuencoded: list[tuple[str, bytes]] = []
        if kind == "text/plain" and not name and b"begin " in bytes_:
            bytes_, uuencoded = without_uuencoded(bytes_)
        part = Part(
            number,
            kind,
            headers,
            bytes_,
            name,
            options.get("charset", ""),
            options.get("format", "").lower() == "flowed",
            options.get("delsp", "").lower() == "yes",
            disposition == "attachment",
            choice,
            self._owner,
        )
        self.parts.append(part)
        for count, (inner, data) in enumerate(uuencoded, 1):
            self.parts.append(
                Part(
                    f"{number}.{count}",
                    "application/octet-stream",
                    Headers([]),
                    data,
                    inner,
                    attached=True,
                    owner=self._owner,
                )
            )

    def _packet(self, data: bytes, number: str) -> bool:
        """Takes what Outlook has packed into one part: the files, and the body where no part has any words."""
        packet = read_tnef(data)
        bodies = (
            [] if any(part.kind.startswith("text/") and part.body.strip() for part in self.parts) else packet.bodies
        )
        found = [(kind, body, "") for kind, body in bodies]
        found += [("application/octet-stream", file.data, clean_name(file.name)) for file in packet.files if file.data]
        for count, (kind, body, name) in enumerate(found, 1):
            place = f"{number}.{count}"
            charset = "utf-8" if kind == "text/plain" else ""
            choice = f"{number} in a packet" if not name and kind.startswith("text/") else ""
            self.parts.append(
                Part(
                    place, kind, Headers([]), body, name, charset, attached=not choice, choice=choice, owner=self._owner
                )
            )
        return bool(packet.files or packet.bodies)

    def _note(self, note: str) -> None:
        if note not in self.notes and len(self.notes) < 5:
            self.notes.append(note)


def _name(headers: Headers, options: dict[str, str]) -> str:
    _, more = parameters(headers.raw("content-disposition"))
    return clean_name(more.get("filename", "") or options.get("name", ""))


def clean_name(name: str) -> str:
    """A file's name alone, in one line, whatever path it claims."""
    bare = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return "".join(c for c in " ".join(bare.split()) if c.isprintable())[:200]


def split_multipart(body: bytes, boundary: bytes) -> tuple[list[bytes], bool]:
    """The parts between boundary lines, and whether the last one is closed; one never closed goes to the end."""
    mark = b"--" + boundary.strip()
    children: list[bytes] = []
    start, closed = -1, False
    for place, after, closes in _boundaries(body, mark):
        if start >= 0:
            children.append(_without_end(body[start:place]))
        start = after
        if closes:
            start, closed = -1, True
            break
        if len(children) > MAX_PARTS:
            break
    if start >= 0 and body[start:].strip():
        children.append(body[start:])
    return children, closed


def _boundaries(body: bytes, mark: bytes) -> Iterator[tuple[int, int, bool]]:
    place = body.find(mark)
    while place >= 0:
        after = place + len(mark)
        if place == 0 or body[place - 1] in b"\r\n":
            line = _LINE_END.search(body, after)
            stop = line.start() if line else len(body)
            rest = body[after : min(stop, after + 200)].strip(b" \t")
            if rest in (b"", b"--"):
                yield place, line.end() if line else len(body), rest == b"--"
        place = body.find(mark, after)


def _without_end(child: bytes) -> bytes:
    """A part without the line end that belongs to the boundary below it."""
    return child.removesuffix(b"\n").removesuffix(b"\r")


def decoded_body(headers: Headers, body: bytes, kind: str) -> bytes:
    """The bytes of a part as they were before they were encoded for transport."""
    encoding = header_text(headers.raw("content-transfer-encoding")).lower().strip(" \t.;\"'")
    if encoding.startswith("base64"):
        return _base64(body, kind)
    if re.match(r"quoted[ -]{0,3}printable", encoding):
        return binascii.a2b_qp(body)
    if encoding in _UUENCODED:
        found = _UU.search(body)
        return uudecoded(body[found.end() :]) if found else uudecoded(body)
    return body


def _base64(body: bytes, kind: str) -> bytes:
    """base64, and in a text the plain words that a mailing list has put below it."""
    if kind.startswith("text/") and (match := _BASE64_BODY.match(body)) and match.end() < len(body):
        rest = body[match.end() :]
        if _WORDS.search(rest, 0, 1_000):
            return loose_base64(match[0]) + b"\n\n" + rest
    return loose_base64(body)


def without_uuencoded(body: bytes) -> tuple[bytes, list[tuple[str, bytes]]]:
    """A text without the files that stand uuencoded in it, and these by name."""
    kept: list[bytes] = []
    files: list[tuple[str, bytes]] = []
    position = 0
    while len(files) < 100 and (begin := _UU.search(body, position)):
        end = _UU_END.search(body, begin.end())
        if not end:
            break
        kept.append(body[position : begin.start()])
        files.append((clean_name(header_text(begin[1])), uudecoded(body[begin.end() : end.start()])))
        position = end.end()
    return b"".join([*kept, body[position:]]), files


def uudecoded(body: bytes) -> bytes:
    """The bytes of uuencoded lines up to `end`; lines that are damaged give what they can."""
    out: list[bytes] = []
    for line in body.splitlines():
        if line.strip() == b"end":
            break
        if not line or not 32 <= line[0] <= 96:
            continue
        size = (line[0] - 32) & 63
        try:
            out.append(binascii.a2b_uu(line))
        except binascii.Error:
            # Spaces at the end get lost on the way, and some programs write more than the line says.
            whole = (size * 4 + 2) // 3 + 1
            try:
                out.append(binascii.a2b_uu(line[:whole].ljust(whole)))
            except binascii.Error:
                continue
    return b"".join(out)
