"""Manual pages: what `man` would show of roff source, in both its macro packages, each block at its line."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from ragspine_tui.documents.code_reader import declared_encoding
from ragspine_tui.documents.encoding import decode
from ragspine_tui.documents.extracted import ExtractedText, extracted_document, head_fields
from ragspine_tui.documents.man_walk import ManWalk
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.documents.text_reader import TextReader
from ragspine_tui.errors import ReadError
from ragspine_tui.types import Document, DocumentStatus

_SUFFIX: Final = re.compile(r"\.(?:[1-9][a-z]{0,6}|[nl]|man|mdoc|roff|in)?\Z")
_OPENING: Final = re.compile(rb"""(?m)^[.'][ \t]*(?:TH|Dd|Dt)[ \t]+\S""")
_COMMENT: Final = re.compile(rb"""(?:\s*+[.'][ \t]*\\["#]|\s*+'\\" t|\.so[ \t]+[\w./+-]+\s*\Z)""")
_OTHER: Final = re.compile(r"\.so[ \t]+([\w./+:-]{1,200})\s*\Z")


class ManReader:
    """Pages for `man` in the man and mdoc macros; `text` is what they print, without columns and fonts."""

    kind = "man"
    suffixes: frozenset[str] = frozenset({".man", ".mdoc", ".roff"})

    def claims(self, head: bytes, suffix: str, /) -> bool:
        """A title macro, or a comment of roff at the very beginning, where the suffix is a section's or missing."""
        if suffix and not _SUFFIX.match(suffix):
            return False
        return bool(_OPENING.search(head) or (suffix not in ("", ".in") and _COMMENT.match(head)))

    def read(self, source: SourceFile) -> Document:
        """The page's sections; its name, section and date become fields."""
        decoded = decode(source.data, declared_encoding(source.data))
        fields, start, notes = head_fields(decoded.text)
        if other := _OTHER.match(decoded.text.lstrip()):
            raise ReadError(f"only refers to {other[1][:80]}", status=DocumentStatus.EMPTY)
        written = ExtractedText()
        ManWalk(decoded.text, written, fields).read(start)
        if not written.blocks:
            return replace(TextReader().read(source), kind=self.kind)
        return extracted_document(source, self.kind, decoded, written, fields, notes, named=source.stem)
