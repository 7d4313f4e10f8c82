"""XML of any vocabulary as readable text, and the words of SVG drawings.

An element that stands alone is a line `name: text`, with its attributes as `name=value`; elements inside of a sentence
vanish and their text stays. The titles of the usual vocabularies of documents and feeds open sections.
"""

from __future__ import annotations

import re
from typing import Final

from ragspine_tui.documents.code_reader import code_blocks, declared_encoding
from ragspine_tui.documents.encoding import decode
from ragspine_tui.documents.extracted import ExtractedText, extracted_document, head_fields
from ragspine_tui.documents.fields import MAX_VALUE, FieldsBuilder
from ragspine_tui.documents.lines import line_ends
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.documents.xml_lines import XmlLines
from ragspine_tui.documents.xml_tokens import tokens, unexplained, without_references
from ragspine_tui.errors import ReadError
from ragspine_tui.types import Document, DocumentStatus

_SVG: Final = re.compile(
    rb"\s*+(?:<\?[^>]*+>\s*+|<!--(?s:.{0,500}?)-->\s*+|<!DOCTYPE[^>\[]*+>\s*+){0,10}<(?:svg:)?svg[\s>]"
)
_SVG_TEXTS: Final = frozenset(
    {"title", "desc", "text", "flowRoot", "foreignObject", "creator", "description", "rights"}
)
_SVG_SILENT: Final = frozenset({"style", "script"})
_PLACED: Final = re.compile(r"""(?<![\w-])(?:x|y|dy)\s*=""")
_NOT_EXPANDED: Final = "entities that the file declares are not expanded"


class XmlReader:
    """XML files; `text` is what stands in their elements and attributes."""

    kind = "xml"
    suffixes: frozenset[str] = frozenset({".xml", ".rss", ".atom", ".opml", ".dbk", ".docbook", ".dita"})

    def claims(self, _head: bytes, _suffix: str, /) -> bool:
        """Never: many formats of their own are written in XML."""
        return False

    def read(self, source: SourceFile) -> Document:
        """A line an element; a file without text is kept as it is written."""
        decoded = decode(source.data, declared_encoding(source.data))
        fields, _, notes = head_fields(decoded.text)
        written = ExtractedText()
        walk = XmlLines(decoded.text, written, fields)
        walk.read()
        if not written.blocks:
            return Document(
                path=source.relative,
                text=decoded.text,
                blocks=code_blocks(decoded.text, ""),
                title=source.name,
                kind=self.kind,
                encoding=decoded.encoding,
                notes=decoded.notes,
            )
        notes += (_NOT_EXPANDED,) if walk.unexplained else ()
        named = written.first_heading or source.name
        return extracted_document(source, self.kind, decoded, written, fields, notes, named=named)


class SvgReader:
    """Drawings in SVG; `text` is what is written in them, their title and description."""

    kind = "svg"
    suffixes: frozenset[str] = frozenset({".svg"})

    def claims(self, head: bytes, suffix: str, /) -> bool:
        """An `svg` element at the root of a file whose suffix says no more than XML."""
        return suffix in {"", ".xml"} and bool(_SVG.match(head[:2_000]))

    def read(self, source: SourceFile) -> Document:
        """A block a text; ReadError where nothing is written in the drawing."""
        decoded = decode(source.data, declared_encoding(source.data))
        fields, _, notes = head_fields(decoded.text)
        written = ExtractedText()
        if _write_drawing(decoded.text, written, fields):
            if not written.blocks:
                raise ReadError("holds only entities, which are not expanded", status=DocumentStatus.UNSUPPORTED)
            notes += (_NOT_EXPANDED,)
        if not written.blocks:
            raise ReadError("holds only a drawing: no text to find", status=DocumentStatus.NO_TEXT)
        named = written.first_heading or source.name
        return extracted_document(source, self.kind, decoded, written, fields, notes, named=named)


def _write_drawing(text: str, written: ExtractedText, fields: FieldsBuilder) -> bool:
    """Writes every text of a drawing; whether one refers to an entity."""
    parts: list[str] = []
    name = ""
    depth = silent = first = counted = 0
    line, found = 1, False
    for token in tokens(text):
        if token.kind == "open" and token.name in _SVG_SILENT:
            silent += 1
        elif token.kind == "close" and token.name in _SVG_SILENT:
            silent = max(0, silent - 1)
        elif silent:
            continue
        elif not name:
            if token.kind == "open" and token.name in _SVG_TEXTS:
                name, depth, first, parts = token.name, 1, token.place, []
        elif token.kind == "text":
            found = found or unexplained(token.value)
            parts.append(without_references(token.value))
        elif token.kind == "open":
            depth += token.name == name
            # A span at a place of its own is another word.
            parts.append("" if token.name == "tspan" and not _PLACED.search(token.value) else " ")
        elif token.kind == "close" and token.name == name:
            depth -= 1
            if not depth:
                line, counted = line + line_ends(text, counted, first), first
                shown = " ".join("".join(parts).split())
                written.add(shown, line=line)
                if name in ("title", "creator") and shown and len(shown) <= MAX_VALUE:
                    field = "title" if name == "title" else "author"
                    fields.add(field, *([] if fields.first(field) else [shown]))
                name = ""
        elif token.kind == "close" and token.name != "tspan":
            parts.append(" ")
    return found
