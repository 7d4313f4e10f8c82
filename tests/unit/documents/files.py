"""Helpers: real files in a temporary folder, read as the program reads them."""

from __future__ import annotations

from pathlib import Path

from ragspine_tui.documents.reader import read_document
from ragspine_tui.types import Block, BlockKind, Document


def read(folder: Path, name: str, content: str | bytes) -> Document:
    """The document made of `content` in a file `name` below `folder`."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return read_document(path, name)


def headings(document: Document) -> list[tuple[int, str]]:
    """Level and text of each heading."""
    return [(block.level, block.heading) for block in document.blocks if block.kind is BlockKind.HEADING]


def texts(document: Document, kind: BlockKind | None = None) -> list[str]:
    """The text of each block, of one kind where given."""
    return [block.span.of(document.text) for block in document.blocks if kind is None or block.kind is kind]


def block_with(document: Document, phrase: str) -> Block:
    """The block that holds `phrase`."""
    return next(block for block in document.blocks if phrase in block.span.of(document.text))
