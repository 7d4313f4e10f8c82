"""Reading what a hit shows: a chunk's span, its section and its document, without the rest of the document."""

import os
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from ragspine_tui.types import Locator, Sensitivity, Span
from storage.documents import KEY_BITS, MAX_PARTS, unpack, unpack_fields


@dataclass(frozen=True, slots=True)
class PassageRow:
    """A chunk with everything the link exit needs. `window` is its section's text, or the part of it
    that the chunker chose to show around the chunk; it starts at `window_start`.
    """

    library_id: str
    document: str
    title: str
    sensitivity: Sensitivity
    index: int
    span: Span
    text: str
    locator: Locator
    parent_locator: Locator
    expands: bool
    heading_path: tuple[str, ...]
    window: str
    window_start: int
    line: int | None
    page: int | None
    part: str
    size: int
    mtime_ns: int


def read_passage(connection: sqlite3.Connection, library_id: str, document_id: int, index: int) -> PassageRow | None:
    """The chunk counted `index` (from 1) of a document, or None where it is not there."""
    if not 0 < index < MAX_PARTS:
        return None
    document = connection.execute(
        "SELECT path, title, sensitivity, size, mtime_ns FROM documents WHERE id = ?", (document_id,)
    ).fetchone()
    chunk = connection.execute(
        "SELECT section, start, length, first, last, expands, line, page, part, window_start, window_length"
        " FROM chunks WHERE key = ?",
        (document_id << KEY_BITS | index,),
    ).fetchone()
    if document is None or chunk is None:
        return None
    key = document_id << KEY_BITS
    block, number, offset, start, length, first, last = connection.execute(
        "SELECT block, number, offset, start, length, first, last FROM sections WHERE key = ?", (key | chunk[0],)
    ).fetchone()
    content = connection.execute("SELECT content FROM blocks WHERE key = ?", (key | block,)).fetchone()[0]
    heading_paths, text = unpack(content)
    whole = text[offset : offset + length]
    window = Span(start, start + length) if chunk[9] is None else Span(chunk[9], chunk[9] + chunk[10])
    path = os.fsdecode(document[0])
    span = Span(chunk[1], chunk[1] + chunk[2])
    return PassageRow(
        library_id=library_id,
        document=path,
        title=_text(document[1]),
        sensitivity=Sensitivity(document[2]),
        index=index,
        span=span,
        text=whole[span.start - start : span.end - start],
        locator=Locator(path, chunk[3], chunk[4]),
        parent_locator=Locator(path, first, last),
        expands=bool(chunk[5]),
        heading_path=tuple(heading_paths[number]),
        window=whole[window.start - start : window.end - start],
        window_start=window.start,
        line=chunk[6],
        page=chunk[7],
        part=_text(chunk[8] or ""),
        size=document[3],
        mtime_ns=document[4],
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a name that is no text")
    return value


def read_fields(connection: sqlite3.Connection, document_id: int) -> Mapping[str, tuple[str, ...]]:
    """A document's metadata, fields and values in the order they were read."""
    row = connection.execute("SELECT fields FROM documents WHERE id = ?", (document_id,)).fetchone()
    return unpack_fields(row[0]) if row else {}


def read_text(connection: sqlite3.Connection, document_id: int) -> str:
    """A document's whole text, joined from its blocks in order."""
    rows = connection.execute(
        "SELECT content FROM blocks WHERE key BETWEEN ? AND ? ORDER BY key",
        (document_id << KEY_BITS, (document_id + 1 << KEY_BITS) - 1),
    )
    return "".join(unpack(row[0])[1] for row in rows)
