"""One message as text: its headers in a block, then its parts in order, files in it read by their own readers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ragspine_tui.documents.extracted import ExtractedText
from ragspine_tui.documents.fields import FieldsBuilder
from ragspine_tui.documents.gathered import GatheredText
from ragspine_tui.documents.head_labels import head_labels
from ragspine_tui.documents.labels import FIELD, front_labels
from ragspine_tui.documents.mail_body import body_blocks, unflowed, unix_lines, without_armour
from ragspine_tui.documents.mail_choice import Said
from ragspine_tui.documents.mail_envelope import Envelope, add_envelope, envelope_of, shown_person
from ragspine_tui.documents.mail_parts import Part, Parts, split_message
from ragspine_tui.documents.mail_words import part_text
from ragspine_tui.documents.source_file import ReadInner, SourceFile
from ragspine_tui.documents.tnef import MAGIC
from ragspine_tui.errors import ReadError
from ragspine_tui.types import BlockKind, Document, DocumentStatus

_SUFFIXES: Final = {
    "text/html": ".html",
    "text/markdown": ".md",
    "text/csv": ".csv",
    "text/xml": ".xml",
    "text/rtf": ".rtf",
    "text/richtext": ".txt",
    "application/json": ".json",
    "application/xml": ".xml",
    "application/pdf": ".pdf",
    "application/rtf": ".rtf",
    "application/xhtml+xml": ".xhtml",
}
_MEDIA: Final = ("image/", "audio/", "video/", "font/")
_SILENT: Final = frozenset(
    {
        "application/pgp-signature",
        "application/pgp-encrypted",
        "application/pgp-keys",
        "application/pkcs7-signature",
        "application/x-pkcs7-signature",
        "application/applefile",
    }
)
# How a saved page looks and what it does, none of which is read in a page either.
_LOOKS: Final = frozenset({"text/css", "text/javascript", "application/javascript", "application/x-javascript"})
_SEALED: Final = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_ARMOUR: Final = b"-----BEGIN PGP "
_PEOPLE_CHARS: Final = 20_000
_NAMES_CHARS: Final = 10_000


class MessageText:
    """Adds messages to `out`. A file in them that cannot be read is named in a note, and the rest goes on."""

    def __init__(self, source: SourceFile, read_inner: ReadInner, out: GatheredText) -> None:
        self._source = source
        self._read_inner = read_inner
        self._out = out
        self._prefix = ""
        self._encoding = ""
        self._full = False

    @property
    def encoding(self) -> str:
        """The codec of the first text that was read."""
        return self._encoding

    def add(self, data: bytes, prefix: str = "") -> tuple[Envelope, tuple[str, ...]]:
        """Adds one message, which is the part `prefix` of the file: what its headers say, and the names of files in it.

        Its subject leads to all of it but the files and messages in it, which are parts of their own.
        """
        headers, body = split_message(data)
        found = Parts(headers, body)
        self._prefix = prefix
        self._note(*found.notes)
        envelope = envelope_of(headers)
        return envelope, self.add_parts(envelope, found.parts, prefix)

    def add_parts(
        self, envelope: Envelope, parts: list[Part], prefix: str = "", subject: str = "header:Subject"
    ) -> tuple[str, ...]:
        """Adds a message whose parts are known, as `add` does, its headers at the place `subject`; the files' names."""
        self._prefix = prefix
        self._out.label(*envelope.labels())
        names = [part.name for part in parts if part.name and not part.opens]
        self._head(envelope, prefix, self._place_of(subject), names)
        self._parts(parts)
        return tuple(dict.fromkeys(names))

    def _place_of(self, label: str) -> str:
        return f"{self._prefix}: {label}" if self._prefix and label else self._prefix or label

    def _head(self, envelope: Envelope, part: str, place: str, names: list[str]) -> None:
        """The subject as a heading and, below it, who wrote to whom, when, and what came with it."""
        if envelope.subject:
            self._out.add(envelope.subject, BlockKind.HEADING, level=1, part=part, place=place)
        lines = [
            f"{name.title()}: {', '.join(map(shown_person, people))[:_PEOPLE_CHARS]}"
            for name, people in envelope.people.items()
            if people
        ]
        if envelope.written:
            lines.append(f"Date: {envelope.written}")
        if names:
            lines.append(f"Attachments: {', '.join(names)[:_NAMES_CHARS]}")
        self._out.add("\n".join(lines), part=part, place=place)

    def _parts(self, parts: list[Part]) -> None:
        media: list[str] = []
        said: dict[str, Said] = {}
        read: dict[int, Document | None] = {}
        for index, part in enumerate(parts):
            # The plain form of a message comes first, wherever it stands: what the others add is told by it.
            if part.choice and _is_plain(part):
                read[index] = document = self._read(part)
                said.setdefault(part.choice, Said()).add(document.text if document else "")
        for index, part in enumerate(parts):
            if part.opens:
                inner = envelope_of(part.headers)
                self._out.label(*inner.labels())
                place = self._place_of(part.label)
                self._head(inner, place, place, [])
                continue
            if part.kind.startswith(_MEDIA):
                media.append(part.name or part.number)
                continue
            document = read[index] if index in read else self._read(part)
            if document is None:
                continue
            others = said.get(part.choice) if part.choice and index not in read and not part.attached else None
            self._place(part, document, others)
            if others:
                others.add(document.text)
        if media:
            self._note(f"pictures and recordings are not read: {', '.join(media)[:100]}")

    def _place(self, part: Part, document: Document, others: Said | None) -> None:
        try:
            place = self._place_of(part.label)
            file = part.name or part.attached
            self._out.add_document(
                document, place if file else self._place_of(part.owner), place, others.lacks if others else None
            )
        except ReadError as error:
            if not part.name:
                raise
            # Nothing more fits, and unpacking it all only to see so could take for ever.
            self._full = True
            self._note(f"{_shown(part)} and the files after it are left out: the text {error}")

    def _read(self, part: Part) -> Document | None:
        """The document in a part; None, with a note where it should have one."""
        if part.kind in _SILENT or not part.body.strip() or (self._full and not _is_plain(part)):
            return None
        if part.kind in _LOOKS and not part.attached:
            return None
        if part.kind in _SEALED or part.body.lstrip()[:64].startswith(_ARMOUR + b"MESSAGE"):
            self._note(f"{_shown(part)} is encrypted or sealed: not read")
            return None
        if part.body.startswith(MAGIC) or part.kind in ("application/ms-tnef", "application/vnd.ms-tnef"):
            self._note(f"{_shown(part)} holds no packet of Outlook's (TNEF) that can be read")
            return None
        try:
            document = self._plain(part) if _is_plain(part) else self._inner(part)
        except ReadError as error:
            if error.status != DocumentStatus.EMPTY:
                self._note(f"{_shown(part)} {error}")
            return None
        self._encoding = self._encoding or document.encoding
        return document

    def _plain(self, part: Part) -> Document:
        decoded = part_text(part.body, part.charset)
        text, encrypted = without_armour(unix_lines(decoded.text))
        if encrypted:
            self._note(f"{_shown(part)} holds text encrypted with PGP: not read")
        if part.flowed:
            text = unflowed(text, joined=part.joined_lines)
        blocks = ExtractedText()
        for kind, block in body_blocks(text.rstrip()):
            blocks.add(block, kind)
        self._note(*(f"{_shown(part)}: {note}" for note in decoded.notes))
        labels = front_labels(text) + head_labels(text).labels
        return Document(
            path=self._source.relative,
            text=blocks.text,
            blocks=tuple(blocks.blocks),
            fields={FIELD: labels} if labels else {},
            encoding=decoded.encoding,
            verbatim=False,
        )

    def _inner(self, part: Part) -> Document:
        data, encoding = part.body, ""
        if part.kind.startswith("text/") and part.charset:
            decoded = part_text(data, part.charset)
            data, encoding = b"\xef\xbb\xbf" + decoded.text.encode("utf-8", "replace"), decoded.encoding
        suffix = _SUFFIXES.get(part.kind, ".txt" if part.kind.startswith("text/") else "")
        name = part.name or f"part{suffix}"
        if "." not in name.strip("."):
            name += suffix
        document = self._read_inner(self._source.inner(name, data))
        self._note(*(f"{_shown(part)}: {note}" for note in document.notes))
        return replace(document, encoding=encoding) if encoding else document

    def _note(self, *notes: str) -> None:
        self._out.note(*map(self._place_of, notes))


def _is_plain(part: Part) -> bool:
    """Whether a part is words of the message itself."""
    if part.attached or part.name:
        return False
    return part.kind in ("text/plain", "text/rfc822-headers", "text/enriched") or part.kind.startswith("message/")


def _shown(part: Part) -> str:
    return part.shown[:80] or f"part {part.number} {part.name[:60]}".rstrip()


def message_document(
    source: SourceFile, kind: str, envelope: Envelope, names: Sequence[str], out: GatheredText, encoding: str = ""
) -> Document:
    """The document of one message: its text, and what its envelope and the names of the files in it say as fields."""
    fields = FieldsBuilder()
    if out.labels:
        fields.add(FIELD, *out.labels)
    add_envelope(fields, envelope)
    if names:
        fields.add("attachments", *names)
    dropped = (f"too long or too many for fields: {', '.join(fields.dropped)}",) if fields.dropped else ()
    return Document(
        path=source.relative,
        text=out.text,
        blocks=tuple(out.blocks),
        title=envelope.subject or envelope.sender or source.stem,
        kind=kind,
        fields=fields.build(),
        encoding=encoding,
        verbatim=False,
        notes=out.notes + dropped,
    )
