"""What a message says of itself: subject, people, date, labels; and how a file is known to begin with a message."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ragspine_tui.documents.fields import FieldsBuilder, split_tags
from ragspine_tui.documents.labels import FIELD, UNKNOWN, folded, label_named
from ragspine_tui.documents.mail_parts import Headers, split_message
from ragspine_tui.documents.mail_words import addresses, codec_name, header_text, iso_moment, parameters
from ragspine_tui.types import Sensitivity

PEOPLE: Final = ("from", "to", "cc", "bcc")
_KNOWN_NAMES: Final = """
from to cc subject date message-id received return-path mime-version delivered-to reply-to sender in-reply-to references
content-type content-transfer-encoding dkim-signature list-id x-original-to newsgroups resent-from x-mailer user-agent
"""
_KNOWN: Final = frozenset(_KNOWN_NAMES.split())
_SENT: Final = frozenset("from received return-path delivered-to message-id".split())  # noqa: SIM905
_TRANSPORT: Final = frozenset(
    "message-id received return-path delivered-to mime-version dkim-signature x-mailer x-original-to".split()  # noqa: SIM905
)
_MAIL_SUFFIXES: Final = frozenset({"", ".eml", ".emlx", ".mht", ".mhtml", ".mail", ".email", ".msg", ".mbox", ".mbx"})
# A patch with its mail's head is read by its lines, like the Markdown that quotes a message.
_NEVER: Final = frozenset(
    {".patch", ".diff", ".md", ".markdown", ".rst", ".adoc", ".html", ".htm", ".py", ".json", ".yaml", ".yml"}
)
_SECRET: Final = frozenset({"personal", "private", "company-confidential", "company confidential", "confidential"})
_PATCH: Final = re.compile(rb"From [0-9a-f]{40} ")


@dataclass(frozen=True, slots=True)
class Envelope:
    """The headers of one message as people read them; `people` by header, each a name and an address."""

    subject: str
    people: dict[str, list[tuple[str, str]]]
    date: str
    written: str
    headers: Headers
    charset: str

    @property
    def sender(self) -> str:
        """Who wrote it: a name, or an address without one."""
        return next((name or address for name, address in self.people["from"]), "")

    def labels(self) -> tuple[str, ...]:
        """The labels of sensitivity in the headers and keywords; private and confidential mail is restricted."""
        values = [header_text(raw) for raw in self.headers.all("sensitivity")]
        labels = [_label(value) for value in values if value and folded(value) != "normal"]
        # Programs write all sorts of things into headers of their own: only what is a label counts there.
        others = (_label(header_text(raw)) for raw in self.headers.all("x-sensitivity"))
        labels += [label for label in others if label != UNKNOWN]
        for keyword in split_tags(header_text(raw) for raw in self.headers.all("keywords")):
            named, sign, value = keyword.rpartition(":")
            if sign and folded(named) == FIELD:
                labels.append(_label(value))
            elif folded(keyword) == Sensitivity.RESTRICTED:
                labels.append(keyword)
        return tuple(labels)


def _label(value: str) -> str:
    return Sensitivity.RESTRICTED.value if folded(value) in _SECRET else label_named(value) or UNKNOWN


def envelope_of(headers: Headers) -> Envelope:
    """What the headers of a message say."""
    charset = parameters(headers.raw("content-type"))[1].get("charset", "")
    charset = charset if codec_name(charset) else ""
    return Envelope(
        header_text(headers.raw("subject"), charset),
        {name: [one for raw in headers.all(name)[:20] for one in addresses(raw, charset)] for name in PEOPLE},
        iso_moment(headers.raw("date")),
        header_text(headers.raw("date")),
        headers,
        charset,
    )


def shown_person(person: tuple[str, str]) -> str:
    """`Name <address>`, or what there is of it."""
    name, address = person
    return f"{name} <{address}>" if name and address else name or address


def add_envelope(fields: FieldsBuilder, envelope: Envelope) -> None:
    """The fields of a message; people by name and by address too, in lower case: addresses are written in many ways."""
    headers, charset = envelope.headers, envelope.charset
    for name in PEOPLE:
        for person in envelope.people[name]:
            known, address = person
            fields.add(name, *(one for one in (shown_person(person), known, address.lower()) if one))
    values = {
        "author": envelope.sender,
        "date": envelope.date,
        "subject": envelope.subject,
        "message-id": header_text(headers.raw("message-id")),
        "list-id": header_text(headers.raw("list-id"), charset),
        "language": header_text(headers.raw("content-language")).partition(",")[0],
    }
    for name, value in values.items():
        if value:
            fields.add(name, value)
    if keywords := header_text(headers.raw("keywords"), charset):
        fields.add("tags", *split_tags([keywords]))


def begins_message(head: bytes, suffix: str) -> bool:
    """Whether a file begins with the headers of a message; under a suffix of other files only where it must be one."""
    if suffix in _NEVER or _PATCH.match(head):
        return False
    headers, rest = split_message(head)
    names = {name for name, _ in headers.fields} & _KNOWN
    if suffix in _MAIL_SUFFIXES:
        return len(names) >= 2 and not names.isdisjoint(_SENT)
    ended = bool(rest) or len(head) >= 4_096
    return ended and len(names) >= 4 and "from" in names and not names.isdisjoint(_TRANSPORT)


def begins_mailbox(head: bytes, suffix: str) -> bool:
    """Whether a file begins with the line that opens a message in a mailbox file."""
    return head.startswith(b"From ") and begins_message(head, suffix)
