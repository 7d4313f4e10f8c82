"""Messages: EML files, those of a Maildir without a suffix, saved web pages in mail form, Apple's EMLX.

The subject opens the text with part `header:Subject`; each part of the message follows in order with its number, type
and name as part (`2.1 text/plain`, `3 application/pdf report.pdf`), files among them read by their own readers.
"""

from __future__ import annotations

import re
from typing import Final

from ragspine_tui.documents.gathered import GatheredText
from ragspine_tui.documents.mail_envelope import begins_message
from ragspine_tui.documents.mail_message import MessageText, message_document
from ragspine_tui.documents.source_file import ReadInner, SourceFile
from ragspine_tui.errors import ReadError
from ragspine_tui.types import Document, DocumentStatus

_COUNT: Final = re.compile(rb"(\d{1,12})[ \t]*\r?\n(?=[!-9;-~]+:)")


class MailReader:
    """One message a file. `read_inner` reads the files in it."""

    kind = "eml"
    suffixes: frozenset[str] = frozenset({".eml", ".emlx", ".mht", ".mhtml", ".mail", ".email"})

    def __init__(self, read_inner: ReadInner) -> None:
        self._read_inner = read_inner

    def claims(self, head: bytes, suffix: str, /) -> bool:
        """Headers of a message at the start."""
        counted = _COUNT.match(head)
        return begins_message(head[counted.end() :] if counted else head, suffix)

    def read(self, source: SourceFile) -> Document:
        """The message with its parts; `damaged` where nothing of it can be read."""
        data = source.data
        if counted := _COUNT.match(data):
            # Apple writes the message's length before it and a property list behind it.
            data = data[counted.end() : counted.end() + int(counted[1])]
        out = GatheredText()
        message = MessageText(source, self._read_inner, out)
        envelope, names = message.add(data)
        if not out.blocks and envelope.headers.fields and not out.notes:
            raise ReadError("is a message without subject and text", status=DocumentStatus.EMPTY)
        if not out.blocks:
            raise ReadError("holds no message that can be read", status=DocumentStatus.DAMAGED)
        return message_document(source, self.kind, envelope, names, out, message.encoding)
