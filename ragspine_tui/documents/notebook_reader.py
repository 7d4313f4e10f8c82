"""Jupyter notebooks: cells in order, each with its number as place; headings of Markdown cells open sections.

Outputs are read as text up to a bound and begin with `Output:`; pictures and widgets are no text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from ragspine_tui.documents.encoding import decode
from ragspine_tui.documents.extracted import ExtractedText, extracted_document, head_fields
from ragspine_tui.documents.fields import FieldsBuilder
from ragspine_tui.documents.labels import FIELD
from ragspine_tui.documents.line_blocks import add_field
from ragspine_tui.documents.lines import numbered_lines, paragraphs
from ragspine_tui.documents.markdown_blocks import markdown_blocks
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.documents.text_reader import TextReader
from ragspine_tui.errors import ReadError
from ragspine_tui.types import BlockKind, Document, DocumentStatus

_OUTPUT_CHARS: Final = 4_000
_CONTROL: Final = re.compile(r"\x1b\[[0-9;]{0,20}m")
_UNFIT: Final = re.compile(r"[\ud800-\udfff\x00]")
_CLAIM: Final = re.compile(rb"""\s*\{\s*"(?:cells|worksheets|metadata|nbformat)"\s*:""")
_NAMES: Final = frozenset({"title", "date", "description", "language", "tags", "keywords", FIELD})


class NotebookReader:
    """Notebooks of Jupyter, of its formats 3 and 4; `text` is what stands in their cells."""

    kind = "ipynb"
    suffixes: frozenset[str] = frozenset({".ipynb"})

    def claims(self, _head: bytes, _suffix: str, /) -> bool:
        """Never: a notebook is known by its name, and is text where it does not hold one."""
        return False

    def read(self, source: SourceFile) -> Document:
        """A place a cell, `cell 1` being the first; metadata of the notebook becomes fields.

        What is no notebook is read as the text it is, and told.
        """
        decoded = decode(source.data)
        fields = FieldsBuilder()
        try:
            notebook = json.loads(decoded.text)
            cells = list(_cells(notebook))
        except (ValueError, RecursionError, TypeError) as error:
            line = f"line {error.lineno}: " if isinstance(error, json.JSONDecodeError) else ""
            document = TextReader().read(source)
            told = f"{line}is no notebook that can be read; read as text"
            return replace(document, kind=self.kind, notes=(*document.notes, told))
        metadata = notebook.get("metadata")
        _declare(metadata if isinstance(metadata, dict) else {}, fields)
        notes = _label(cells, fields)
        written = ExtractedText()
        for number, cell in enumerate(cells, 1):
            _write(cell, f"cell {number}", written)
        if not written.blocks:
            raise ReadError("has no cell with text", status=DocumentStatus.EMPTY)
        return extracted_document(
            source, self.kind, decoded, written, fields, notes, named=written.first_heading or source.stem
        )


def _cells(notebook: Any) -> Iterator[Mapping[str, Any]]:
    """The cells of either format; TypeError where it is no notebook."""
    sheets = notebook.get("worksheets") if isinstance(notebook, dict) else None
    holders = sheets if isinstance(sheets, list) else [notebook]
    for holder in holders:
        cells = holder.get("cells") if isinstance(holder, dict) else None
        if not isinstance(cells, list):
            raise TypeError("no cells")
        yield from (cell if isinstance(cell, dict) else {} for cell in cells)


def _label(cells: Iterable[Mapping[str, Any]], fields: FieldsBuilder) -> tuple[str, ...]:
    """The fields and labels that the first cell declares, as the top of a text would; remarks on what only looks so."""
    texts = (_joined(cell.get("source", cell.get("input"))) for cell in cells)
    declared, _, notes = head_fields(next((text for text in texts if text.strip()), ""))
    fields.add_all(declared.build())
    return notes


def _joined(value: Any) -> str:
    """A text that may be written as a list of its lines; what no text holds is replaced."""
    text = "".join(line for line in value if isinstance(line, str)) if isinstance(value, list) else value
    return _UNFIT.sub("\ufffd", text.replace("\r\n", "\n")) if isinstance(text, str) else ""


def _write(cell: Mapping[str, Any], place: str, written: ExtractedText) -> None:
    kind = cell.get("cell_type")
    source = _joined(cell.get("source", cell.get("input")))
    if kind == "markdown":
        lines = numbered_lines(source)
        for block in markdown_blocks(lines):
            text = block.span.of(source)
            if block.kind is BlockKind.HEADING:
                written.add(block.heading or text, block.kind, level=block.level, place=place)
            else:
                written.add(text, block.kind, place=place)
        return
    if kind == "heading":
        level = cell.get("level")
        written.add(
            source, BlockKind.HEADING, level=level if isinstance(level, int) and 0 < level < 7 else 1, place=place
        )
        return
    code = BlockKind.PARAGRAPH if kind == "raw" else BlockKind.CODE
    for start, end in paragraphs(source):
        written.add(source[start:end], code, place=place)
    outputs = cell.get("outputs")
    if isinstance(outputs, list):
        _write_outputs(outputs, place, written)


def _write_outputs(outputs: list[Any], place: str, written: ExtractedText) -> None:
    left = _OUTPUT_CHARS
    for output in outputs:
        text = _CONTROL.sub("", _shown(output)[: left + 1]).strip("\n")
        if not text.strip():
            continue
        if len(text) > left:
            text = text[:left].rstrip() + " …"
        written.add(f"Output: {text}", BlockKind.CODE, place=place)
        left -= len(text)
        if left <= 0:
            return


def _shown(output: Any) -> str:
    """The text of one output: what was printed, a value's plain form, or what went wrong."""
    if not isinstance(output, dict):
        return ""
    data = output.get("data")
    plain = _joined(data.get("text/plain") or data.get("text/markdown")) if isinstance(data, dict) else ""
    if error := output.get("ename"):
        plain = f"{error}: {output.get('evalue', '')}"
    return _joined(plain) or _joined(output.get("text"))


def _declare(metadata: Mapping[str, Any], fields: FieldsBuilder) -> None:
    for name, value in metadata.items():
        if name.lower() in _NAMES:
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, str):
                    add_field(fields, name, _joined(one))
    authors = metadata.get("authors")
    for author in authors if isinstance(authors, list) else []:
        person = author.get("name") if isinstance(author, dict) else author
        if isinstance(person, str):
            fields.add("author", _joined(person))
    for holder, key in (("language_info", "name"), ("kernelspec", "language")):
        found = metadata.get(holder)
        language = found.get(key) if isinstance(found, dict) else None
        if isinstance(language, str) and language:
            fields.add("kernel", _joined(language))
            return
