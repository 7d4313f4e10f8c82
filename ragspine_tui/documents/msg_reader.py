"""Outlook messages (MSG): subject and people with place `Subject`, the text with place `body`, files in the message
as `attachment 2 report.pdf`, messages in it likewise with their own `Subject` and `body` behind a colon."""

from __future__ import annotations

from typing import Final

from ragspine_tui.documents.compressed_rtf import unpacked_rtf
from ragspine_tui.documents.gathered import GatheredText
from ragspine_tui.documents.mail_envelope import Envelope, envelope_of
from ragspine_tui.documents.mail_message import MessageText, message_document
from ragspine_tui.documents.mail_parts import Headers, Part, clean_name, split_message
from ragspine_tui.documents.msg_properties import OleStreams, Properties
from ragspine_tui.documents.source_file import ReadInner, SourceFile
from ragspine_tui.errors import ReadError
from ragspine_tui.types import Document, DocumentStatus

_MAGIC: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MARKS: Final = tuple(name.encode("utf-16-le") for name in ("__substg1.0_", "__properties_version1", "__nameid_ver"))
_MAX_LEVELS: Final = 10
_MAX_FILES: Final = 1_000
_MAX_PEOPLE: Final = 2_000
_PEOPLE: Final = {1: "to", 2: "cc", 3: "bcc"}
_SECRET: Final = {1: "personal", 2: "private", 3: "company-confidential"}
_SUBJECT, _MESSAGE_ID, _TRANSPORT, _SENSITIVITY = 0x0037, 0x1035, 0x007D, 0x0036
_SENDER, _SENDER_ADDRESSES = (0x0C1A, 0x0042), (0x5D01, 0x5D02, 0x0C1F, 0x0065)
_SENT, _DELIVERED, _CREATED = 0x0039, 0x0E06, 0x3007
_BODY, _RTF = 0x1000, 0x1009
_NAME, _ADDRESSES, _RECIPIENT = 0x3001, (0x39FE, 0x3003), 0x0C15
_FILE_NAMES, _MIME, _DATA = (0x3707, 0x3704, 0x3001), 0x370E, 0x3701


class MsgReader:
    """One Outlook message a file. `read_inner` reads the files in it."""

    kind = "msg"
    suffixes: frozenset[str] = frozenset({".msg", ".oft"})

    def __init__(self, read_inner: ReadInner) -> None:
        self._read_inner = read_inner

    def claims(self, head: bytes, suffix: str, /) -> bool:
        """An OLE file under a message's suffix, or with the names of a message's streams at the start."""
        return head.startswith(_MAGIC) and (suffix in self.suffixes or any(mark in head for mark in _MARKS))

    def read(self, source: SourceFile) -> Document:
        """The message with its parts; `damaged` where nothing of it can be read."""
        if not source.data.startswith(_MAGIC):
            raise ReadError("holds no Outlook message", status=DocumentStatus.DAMAGED)
        message = Properties(OleStreams(source.data), (), "root")
        if not message.is_there:
            raise ReadError("is an OLE file without a message", status=DocumentStatus.UNSUPPORTED)
        out = GatheredText()
        envelope = _envelope(message)
        parts = _parts(message, "", 0)
        text = MessageText(source, self._read_inner, out)
        names = text.add_parts(envelope, parts, subject="Subject")
        if not out.blocks:
            raise ReadError("is a message without text", status=DocumentStatus.EMPTY)
        return message_document(source, self.kind, envelope, names, out)


def _envelope(message: Properties) -> Envelope:
    """The properties as the headers they came from."""
    sent, _ = split_message(message.text(_TRANSPORT).replace("\0", "").encode("utf-8", "replace"))
    fields = {
        "from": _person(message.text(*_SENDER), [message.text(number) for number in _SENDER_ADDRESSES]),
        "subject": message.text(_SUBJECT),
        "date": message.moment(_SENT) or message.moment(_DELIVERED) or message.moment(_CREATED),
        "message-id": message.text(_MESSAGE_ID),
        "sensitivity": _SECRET.get(message.number(_SENSITIVITY), ""),
    }
    people: dict[str, list[str]] = {}
    for recipient in message.below("__recip_version1.0_#", _MAX_PEOPLE):
        addresses = [recipient.text(number) for number in _ADDRESSES]
        if person := _person(recipient.text(_NAME), addresses):
            people.setdefault(_PEOPLE.get(recipient.number(_RECIPIENT), "to"), []).append(person)
    fields |= {name: ", ".join(found) for name, found in people.items()}
    own = [(name, value.encode("utf-8", "replace")) for name, value in fields.items() if value]
    known = {name for name, _ in own}
    # Headers say what properties do not; a label counts wherever it stands.
    rest = [(name, value) for name, value in sent.fields if name not in known or name == "sensitivity"]
    return envelope_of(Headers([*own, *rest]))


def _person(name: str, addresses: list[str]) -> str:
    """`"Name" <address>`; names of an Exchange directory are no addresses."""
    address = next((one for one in addresses if "@" in one), "")
    name = " ".join(name.replace('"', "").split()).strip("'")
    if not name or name == address:
        return address
    return f'"{name}" <{address}>' if address else f'"{name}"'


def _parts(message: Properties, owner: str, level: int) -> list[Part]:
    body = f"{owner}: body" if owner else "body"
    parts = [
        Part(body, kind, Headers([]), data, charset=charset, choice=body, owner=owner, shown=body)
        for kind, data, charset in _bodies(message)
    ]
    for count, file in enumerate(message.below("__attach_version1.0_#", _MAX_FILES), 1):
        name = clean_name(file.text(*_FILE_NAMES))
        place = f"{owner}: attachment {count}" if owner else f"attachment {count}"
        label = f"{place} {name}".rstrip()
        if inner := file.embedded(_DATA):
            parts += _embedded(message, file, inner, label, level)
            continue
        kind = file.text(_MIME).strip().lower() or "application/octet-stream"
        parts.append(Part(place, kind, Headers([]), file.binary(_DATA), name, attached=True, owner=owner, shown=label))
    return parts


def _embedded(outer: Properties, file: Properties, storage: tuple[str, ...], label: str, level: int) -> list[Part]:
    """A message in a message; nothing where the storage holds something else, or lies too deep."""
    message = file.message(storage, outer.code_page)
    if not message.is_there or level >= _MAX_LEVELS:
        return []
    head = Part(label, "message/rfc822", _envelope(message).headers, opens=True, shown=label)
    return [head, *_parts(message, label, level + 1)]


def _bodies(message: Properties) -> list[tuple[str, bytes, str]]:
    """The forms of the body: plain text, HTML; rich text only where neither is."""
    plain = message.text(_BODY)
    bodies = [("text/plain", plain.encode("utf-8", "replace"), "utf-8")] if plain else []
    if html := message.html():
        bodies.append(("text/html", html, ""))
    if not bodies and (rtf := unpacked_rtf(message.binary(_RTF))):
        bodies.append(("text/rtf", rtf, ""))
    return bodies
