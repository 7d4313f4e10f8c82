"""JSON: the values as they are meant, escapes decoded, one `key: value` line each below the path of their object.

No parser of trees stands between: nesting may be as deep as it likes, comments and commas too many are no fault, and
every value knows its line. What is not JSON after all is read as the text it is.
"""

from __future__ import annotations

import re
from typing import Final

from ragspine_tui.documents.code_reader import code_blocks
from ragspine_tui.documents.encoding import Decoded, decode
from ragspine_tui.documents.extracted import ExtractedText, extracted_document, head_fields
from ragspine_tui.documents.fields import FieldsBuilder
from ragspine_tui.documents.json_values import JsonError, JsonWalk
from ragspine_tui.documents.lines import line_ends
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.errors import ReadError
from ragspine_tui.types import Document, DocumentStatus

_BY_LINES: Final = frozenset({".jsonl", ".ndjson", ".geojsonl"})
_LINE: Final = re.compile(r"[^\r\n]+")
_MOST_TOLD: Final = 3


class JsonReader:
    """JSON, and files of one JSON value a line; `text` is the decoded values with their keys."""

    kind = "json"
    suffixes: frozenset[str] = frozenset({".json", ".geojson", ".jsonld", ".webmanifest", *_BY_LINES})

    def claims(self, _head: bytes, _suffix: str, /) -> bool:
        """Never: a bracket begins other texts too."""
        return False

    def read(self, source: SourceFile) -> Document:
        """A block an object; strings that name the document at the top of its first object become fields."""
        decoded = decode(source.data)
        fields, start, notes = head_fields(decoded.text)
        written = ExtractedText()
        by_lines = source.suffix in _BY_LINES
        walk = JsonWalk(decoded.text, written, fields, by_lines=by_lines)
        if by_lines:
            notes += _read_lines(decoded.text, start, walk)
        else:
            try:
                walk.read(start, len(decoded.text))
                walk.end()
            except JsonError as error:
                return self._as_text(source, decoded, fields, (*notes, _told(decoded.text, error)))
        if not written.blocks:
            raise ReadError("holds no values", status=DocumentStatus.EMPTY)
        return extracted_document(source, self.kind, decoded, written, fields, notes, named=source.name)

    def _as_text(self, source: SourceFile, decoded: Decoded, fields: FieldsBuilder, notes: tuple[str, ...]) -> Document:
        return Document(
            path=source.relative,
            text=decoded.text,
            blocks=code_blocks(decoded.text, ""),
            title=source.name,
            kind=self.kind,
            fields=fields.build(),
            encoding=decoded.encoding,
            notes=decoded.notes + tuple(note for note in notes if "JSON" in note),
        )


def _read_lines(text: str, start: int, walk: JsonWalk) -> tuple[str, ...]:
    """Reads each line by itself; one that is no JSON is kept as it stands, and the first of them are told."""
    told: list[str] = []
    for match in _LINE.finditer(text, start):
        try:
            walk.read(match.start(), match.end())
        except JsonError as error:
            walk.keep(match.start(), match.end())
            if len(told) < _MOST_TOLD:
                told.append(_told(text, error))
    walk.end()
    return tuple(told)


def _told(text: str, error: JsonError) -> str:
    line = 1 + line_ends(text, 0, min(error.place, len(text)))
    return f"line {line}: is not valid JSON; read as text"
