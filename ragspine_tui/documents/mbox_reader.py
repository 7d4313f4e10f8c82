"""Mailboxes in one file: messages below lines that begin with `From `, each a section under its subject.

A part begins with the message's place: `message 4: header:Subject`, `message 4: 1 text/plain`. A message that its own
headers or files restrict is left out and told; the others stay.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator
from typing import Final

from ragspine_tui.documents.fields import MAX_VALUES, FieldsBuilder
from ragspine_tui.documents.gathered import GatheredText
from ragspine_tui.documents.labels import label_named
from ragspine_tui.documents.mail_envelope import Envelope, add_envelope, begins_mailbox
from ragspine_tui.documents.mail_message import MessageText
from ragspine_tui.documents.source_file import ReadInner, SourceFile
from ragspine_tui.errors import ReadError
from ragspine_tui.types import Document, DocumentStatus, Fields, Sensitivity

# A line of the text may begin so too: headers follow a postmark, and it ends with a date, or is one word behind `From `
# below a blank line.
_POSTMARK: Final = re.compile(rb"From [^\r\n]*+\r?\n(?=(?:>?From [^\r\n]*+\r?\n)?[!-9;-~]{1,200}+:)")
_DATE: Final = re.compile(rb"\d\d:\d\d[^\r\n]*\b(?:19|20)\d\d\b")
_WORD: Final = re.compile(rb"From \S*[ \t]*[\r\n]")
_OPEN: Final = frozenset({Sensitivity.PUBLIC.value, Sensitivity.INTERNAL.value})
_END: Final = MAX_VALUES // 2
_DATE_FIELD: Final = "date"
_DATES_HELD: Final = 10_000
_STUFFED: Final = re.compile(rb"^>(>*From )", re.MULTILINE)


class MboxReader:
    """Many messages in one file, as mail programs and list archives keep them."""

    kind = "mbox"
    suffixes: frozenset[str] = frozenset({".mbox", ".mbx"})

    def __init__(self, read_inner: ReadInner) -> None:
        self._read_inner = read_inner

    def claims(self, head: bytes, suffix: str, /) -> bool:
        """A postmark and the headers of a message at the start; one saved message (`.eml`) may have a postmark too."""
        return suffix not in {".eml", ".emlx"} and begins_mailbox(head, suffix)

    def read(self, source: SourceFile) -> Document:
        """All messages in their order; `damaged` where there is none."""
        out = GatheredText()
        fields = _MailboxFields()
        encoding = ""
        count = left_out = 0
        for count, data in enumerate(messages(source.data), 1):
            one = GatheredText()
            message = MessageText(source, self._read_inner, one)
            try:
                envelope, names = message.add(data, f"message {count}")
                if not _OPEN.issuperset(map(label_named, one.labels)):
                    left_out += 1
                    continue
                out.append(one)
            except ReadError as error:
                out.note(f"message {count} and what follows is left out: the file {error}")
                break
            fields.add(envelope, names)
            encoding = encoding or message.encoding
        if left_out:
            out.note(f"{left_out} of {count} messages are labelled restricted: left out")
        if not out.blocks:
            raise _nothing(left_out)
        built = fields.build()
        return Document(
            path=source.relative,
            text=out.text,
            blocks=tuple(out.blocks),
            title=source.stem,
            kind=self.kind,
            fields=built,
            encoding=encoding,
            verbatim=False,
            notes=out.notes + fields.notes,
        )


def _nothing(left_out: int) -> ReadError:
    if left_out:
        return ReadError("holds only restricted messages", status=DocumentStatus.RESTRICTED)
    return ReadError("holds no message that can be read", status=DocumentStatus.DAMAGED)


def messages(data: bytes) -> Iterator[bytes]:
    """The messages of a mailbox file, without postmarks, lines stuffed with `>` as they were written."""
    starts = list(_postmarks(data))
    first = starts[0][0] if starts else len(data)
    if data[:first].strip():
        starts.insert(0, (0, 0))
    if not starts:
        return
    for (_, start), (end, _) in zip(starts, [*starts[1:], (len(data), 0)], strict=True):
        message = data[start:end]
        yield _STUFFED.sub(rb"\1", message) if b">From " in message else message


def _postmarks(data: bytes) -> Iterator[tuple[int, int]]:
    """Where each postmark begins and ends."""
    place = 0 if data.startswith(b"From ") else data.find(b"\nFrom ") + 1
    if not place and not data.startswith(b"From "):
        return
    while True:
        match = _POSTMARK.match(data, place)
        if match and (_DATE.search(match[0]) or (_WORD.match(match[0]) and _follows_blank(data, place))):
            yield place, match.end()
        following = data.find(b"\nFrom ", place)
        if following < 0:
            return
        place = following + 1


def _follows_blank(data: bytes, place: int) -> bool:
    return place == 0 or data[max(0, place - 4) : place].replace(b"\r", b"").endswith(b"\n\n")


class _MailboxFields:
    """The fields of all messages; where they are too many, the first and the last, and of dates the oldest and newest.

    Conditions hold for the mailbox as a whole: what came last must not be lost behind what came first.
    """

    def __init__(self) -> None:
        self._first: dict[str, dict[str, None]] = {}
        self._last: dict[str, OrderedDict[str, None]] = {}
        self._dates: set[str] = set()
        self._cut: dict[str, None] = {}

    def add(self, envelope: Envelope, names: tuple[str, ...]) -> None:
        """What one more message says."""
        fields = FieldsBuilder()
        add_envelope(fields, envelope)
        if names:
            fields.add("attachments", *names)
        if envelope.date[:4].isdigit():
            fields.add("year", envelope.date[:4])
        for name, values in fields.build().items():
            if name == _DATE_FIELD:
                self._dates.update(values)
                if len(self._dates) > _DATES_HELD:
                    self._dates = set(self._ends())
            else:
                self._keep(name, values)

    def _keep(self, name: str, values: tuple[str, ...]) -> None:
        first, last = self._first.setdefault(name, {}), self._last.setdefault(name, OrderedDict())
        for value in values:
            if value in first:
                continue
            if len(first) < _END:
                first[value] = None
                continue
            last[value] = None
            last.move_to_end(value)
            if len(last) > _END:
                last.popitem(last=False)
                self._cut[name] = None

    def _ends(self) -> list[str]:
        dates = sorted(self._dates)
        if len(dates) > 2 * _END:
            self._cut[_DATE_FIELD] = None
            return [*dates[:_END], *dates[-_END:]]
        return dates

    def build(self) -> Fields:
        """What was collected."""
        fields = FieldsBuilder()
        fields.add_all({_DATE_FIELD: self._ends()} if self._dates else {})
        for name, first in self._first.items():
            fields.add(name, *first, *self._last[name])
        return fields.build()

    @property
    def notes(self) -> tuple[str, ...]:
        """A remark where not all is kept."""
        names = ", ".join(sorted(self._cut))
        return (f"only the first and the last {_END} values are kept of the fields {names}",) if names else ()
