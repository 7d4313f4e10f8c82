"""Helper: a real file, read and cut as the program does it."""

from __future__ import annotations

from pathlib import Path

from ragspine_tui.documents.reader import read_document
from ragspine_tui.retrieval.chunking.chunker import Chunking, make_chunker
from ragspine_tui.types import Document


def cut(tmp_path: Path, spec: str, text: str, name: str = "a.txt") -> tuple[Document, Chunking]:
    """The document made of `text` in a file `name`, and what the chunker `spec` makes of it."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    document = read_document(path, name)
    return document, make_chunker(spec).chunk(document)
