"""What the plain chunkers make of one document, word for word: presets beside them change nothing in them."""

from __future__ import annotations

import pytest

from ragspine_tui.retrieval.chunking.chunker import Chunking, make_chunker
from ragspine_tui.types import Block, BlockKind, Document, Span

PARTS = (
    (BlockKind.FRONT_MATTER, 0, "---\ntitle: The rope walk\n---"),
    (BlockKind.HEADING, 1, "# The rope walk"),
    (BlockKind.PARAGRAPH, 0, "Q: What is laid here? A: Rope, of three strands. " * 12),
    (BlockKind.HEADING, 2, "## Chapter 1"),
    (BlockKind.PARAGRAPH, 0, "Article 1. Nobody walks backwards without a bell."),
    (BlockKind.LIST, 0, "- hemp\n- tar\n- a bell"),
    (BlockKind.HEADING, 3, "### 第一条"),
    (BlockKind.PARAGRAPH, 0, "縄は三つ撚りとする。麻は前の年のものを使う。" * 30),
    (BlockKind.CODE, 0, "for strand in rope:\n    twist(strand)\n" * 20),
    (BlockKind.HEADING, 1, "# End"),
)


def _document() -> Document:
    text, blocks = "", []
    for kind, level, part in PARTS:
        span = Span(len(text), len(text) + len(part))
        blocks.append(Block(span, kind, level, part.strip("# ") if level else ""))
        text += part + "\n\n"
    return Document("walk.md", text, tuple(blocks))


DOCUMENT = _document()


def told(result: Chunking) -> list[tuple[object, ...]]:
    """Sections, then chunks, with all they carry."""
    sections = [(s.span.start, s.span.end, " > ".join(s.heading_path), str(s.locator)) for s in result.sections]
    chunks = [
        (c.section, c.span.start, c.span.end, str(c.locator), c.line, c.parent_locator, c.window) for c in result.chunks
    ]
    return [*sections, *chunks]


EXPECTED: dict[str, list[tuple[object, ...]]] = {
    "layout": [
        (0, 30, "", "walk.md#para1"),
        (30, 637, "The rope walk", "walk.md#para2"),
        (637, 725, "The rope walk > Chapter 1", "walk.md#para3-4"),
        (725, 2165, "The rope walk > Chapter 1 > 第一条", "walk.md#para5-6"),
        (0, 0, 28, "walk.md#para1", 1, "", None),
        (1, 30, 509, "walk.md#para2", 5, "", None),
        (1, 510, 634, "walk.md#para2", 7, "", None),
        (2, 637, 723, "walk.md#para3-4", 9, "", None),
        (3, 725, 1196, "walk.md#para5", 17, "", None),
        (3, 1196, 1394, "walk.md#para5", 19, "", None),
        (3, 1396, 1871, "walk.md#para6", 21, "", None),
        (3, 1876, 2163, "walk.md#para6", 46, "", None),
    ],
    "none": [
        (0, 2165, "", "walk.md#para1-6"),
        (0, 0, 28, "walk.md#para1", 1, "", None),
        (0, 30, 509, "walk.md#para2", 5, "", None),
        (0, 510, 723, "walk.md#para2-4", 7, "", None),
        (0, 725, 1196, "walk.md#para5", 17, "", None),
        (0, 1196, 1394, "walk.md#para5", 19, "", None),
        (0, 1396, 1871, "walk.md#para6", 21, "", None),
        (0, 1876, 2163, "walk.md#para6", 46, "", None),
    ],
}


@pytest.mark.parametrize("spec", EXPECTED)
def test_the_plain_chunkers_are_as_they_were(spec: str) -> None:
    assert told(make_chunker(spec).chunk(DOCUMENT)) == EXPECTED[spec]
