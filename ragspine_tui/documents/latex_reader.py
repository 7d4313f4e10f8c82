"""LaTeX as readable text: what a person would read on the page, each block at its line.

Commands vanish and their arguments stay, mathematics is kept as it is written, comments and the preamble are left out.
A footnote is read behind the paragraph it stands in, and begins with the word that says so.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from ragspine_tui.documents.code_reader import declared_encoding
from ragspine_tui.documents.encoding import decode
from ragspine_tui.documents.extracted import ExtractedText, extracted_document, head_fields
from ragspine_tui.documents.latex_walk import LatexWalk
from ragspine_tui.documents.lines import line_ends
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.documents.text_reader import TextReader
from ragspine_tui.types import BlockKind, Document

_COMMAND: Final = re.compile(r"\\[a-zA-Z]")
_INPUT: Final = re.compile(rb"\\usepackage\[([\w-]{1,20})\]\{inputenc\}")
_CODECS: Final = {"ansinew": "cp1252", "applemac": "mac_roman", "latin10": "iso8859-16"}


class LatexReader:
    """LaTeX and plain TeX; `text` is what they print, as far as that can be told without running them."""

    kind = "tex"
    suffixes: frozenset[str] = frozenset({".tex", ".latex", ".ltx"})

    def claims(self, _head: bytes, _suffix: str, /) -> bool:
        """Never: a backslash begins other texts too."""
        return False

    def read(self, source: SourceFile) -> Document:
        """The text of the body with its sections; title, authors and date become fields.

        Where no command is, or nothing but commands, the file is the text it is.
        """
        decoded = decode(source.data, _declared(source.data))
        if not _COMMAND.search(decoded.text):
            return replace(TextReader().read(source), kind=self.kind)
        fields, start, notes = head_fields(decoded.text)
        written = ExtractedText()
        written.add(decoded.text[:start], BlockKind.FRONT_MATTER, line=1)
        walk = LatexWalk(decoded.text, written, fields)
        walk.read(start, line_ends(decoded.text, 0, start) + 1)
        if all(block.kind is BlockKind.FRONT_MATTER for block in written.blocks):
            return replace(TextReader().read(source), kind=self.kind)
        return extracted_document(
            source, self.kind, decoded, written, fields, notes, named=written.first_heading or source.stem
        )


def _declared(data: bytes) -> str:
    """The encoding that a comment at the top or the package `inputenc` names, '' where none does."""
    found = _INPUT.search(data[:8_192])
    name = found[1].decode("ascii") if found else ""
    return declared_encoding(data) or _CODECS.get(name, name)
