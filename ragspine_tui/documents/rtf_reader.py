"""Rich text (RTF): what Word or any other program shows of it, in the code pages of its fonts.

The body comes first, text boxes behind their paragraph (place `text box`); then what is not main text, each as a part
of its own: `footnote`, `endnote`, `comment` (begun with its author), `header`, `footer` (each text once). Tables are
read row by row. Of fields the result counts, of pictures the description; hidden and deleted text is left out.
"""

from __future__ import annotations

from typing import Final

from ragspine_tui.documents.gathered import GatheredText
from ragspine_tui.documents.office_fields import add_head_labels, title_of
from ragspine_tui.documents.rtf_parser import RtfParser
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.errors import ReadError
from ragspine_tui.types import Document, DocumentStatus

_MAGIC: Final = b"{\\rtf"


class RtfReader:
    """Rich text by its first bytes, also where it is named .doc."""

    kind = "rtf"
    suffixes: frozenset[str] = frozenset({".rtf"})

    def claims(self, head: bytes, _suffix: str, /) -> bool:
        """`{\\rtf` at the start."""
        return head[:64].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(_MAGIC)

    def read(self, source: SourceFile) -> Document:
        """The text and what `\\info` says."""
        if not self.claims(source.data[:64], source.suffix):
            raise ReadError("is no RTF file inside", status=DocumentStatus.DAMAGED)
        out = GatheredText()
        parser = RtfParser(out)
        parser.read(source.data)
        if not out.blocks:
            if parser.pictures:
                raise ReadError("holds only pictures: no text to find", status=DocumentStatus.NO_TEXT)
            raise ReadError("holds no text", status=DocumentStatus.EMPTY)
        margins = [text for part, text in parser.apart if part in {"header", "footer"}]
        doubts = add_head_labels(parser.fields, out, margins)
        return Document(
            path=source.relative,
            text=out.text,
            blocks=tuple(out.blocks),
            title=title_of(parser.fields, parser.title, out.first_heading, source.stem),
            kind=self.kind,
            fields=parser.fields.build(),
            encoding=parser.head.codec,
            verbatim=False,
            notes=(("is cut off: read up to there",) if parser.is_cut_off else ()) + doubts,
        )
