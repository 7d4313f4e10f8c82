"""Every chunker keeps lineage: each chunk leads back to its document, its section and its literal text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ragspine_tui.retrieval.chunking.chunker import CHUNKER_IMPLS, Chunker, Chunking
from ragspine_tui.retrieval.chunking.layout_chunker import LayoutAwareChunker
from ragspine_tui.types import Block, BlockKind, Document, Locator, Span

UNITS = ("# Quay", "Rope and tar. " * 60, "## Tides", "潮が満ちる。" * 120, "The ebb leaves the boats.", "# End")


def document() -> Document:
    """Two sections with more text than one chunk holds, in two scripts, and a heading at the end."""
    text, blocks = "", []
    for unit in UNITS:
        level = len(unit) - len(unit.lstrip("#"))
        kind = BlockKind.HEADING if level else BlockKind.PARAGRAPH
        blocks.append(Block(Span(len(text), len(text) + len(unit)), kind, level, unit.strip("# ") if level else ""))
        text += unit + "\n\n"
    return Document("harbour/quay.md", text, tuple(blocks))


def prove_provenance(chunker: Chunker) -> None:
    """Fails where a chunk is not traceable, a text is not literal, or two runs differ."""
    source = document()
    result = chunker.chunk(source)
    assert result == chunker.chunk(source)
    assert result.chunks
    assert "".join(section.span.of(source.text) for section in result.sections) == source.text
    assert [chunk.index for chunk in result.chunks] == list(range(1, len(result.chunks) + 1))
    for chunk in result.chunks:
        section = result.sections[chunk.section]
        assert chunk.document == chunk.locator.document == source.path
        assert chunk.parent_id == f"{source.path}#s{section.index}"
        assert section.span.start <= chunk.span.start < chunk.span.end <= section.span.end
        assert chunk.text and chunk.text == source.text[chunk.span.start : chunk.span.end]
        assert section.locator.first <= chunk.locator.first <= chunk.locator.last <= section.locator.last
        assert chunk.line == 1 + source.text.count("\n", 0, chunk.span.start)
        assert chunk.parent_locator in ("", str(section.locator))
        if chunk.window is not None:
            assert section.span.start <= chunk.window.start <= chunk.span.start
            assert chunk.span.end <= chunk.window.end <= section.span.end
            assert chunk.window_text == source.text[chunk.window.start : chunk.window.end]


@pytest.mark.parametrize("name", sorted(CHUNKER_IMPLS))
def test_every_chunker_keeps_provenance(name: str) -> None:
    prove_provenance(CHUNKER_IMPLS[name]())


@pytest.mark.parametrize("name", sorted(CHUNKER_IMPLS))
def test_overlapping_chunks_keep_provenance(name: str) -> None:
    prove_provenance(CHUNKER_IMPLS[name](overlap=80))


class LosesParent(LayoutAwareChunker):
    """Broken on purpose: forgets the section of each chunk."""

    def chunk(self, document: Document) -> Chunking:
        result = super().chunk(document)
        return Chunking(result.sections, tuple(replace(chunk, parent_id="") for chunk in result.chunks))


class Rewrites(LayoutAwareChunker):
    """Broken on purpose: its text is not the document's."""

    def chunk(self, document: Document) -> Chunking:
        result = super().chunk(document)
        return Chunking(result.sections, tuple(replace(c, source=c.source.upper()) for c in result.chunks))


class Misplaces(LayoutAwareChunker):
    """Broken on purpose: every locator says the first paragraph."""

    def chunk(self, document: Document) -> Chunking:
        result = super().chunk(document)
        first = Locator(document.path, 1, 1)
        return Chunking(result.sections, tuple(replace(chunk, locator=first) for chunk in result.chunks))


class LooksPastItsSection(LayoutAwareChunker):
    """Broken on purpose: its windows are the whole document."""

    def chunk(self, document: Document) -> Chunking:
        result = super().chunk(document)
        everything = Span(0, len(document.text))
        return Chunking(result.sections, tuple(replace(chunk, window=everything) for chunk in result.chunks))


@pytest.mark.parametrize("broken", [LosesParent, Rewrites, Misplaces, LooksPastItsSection])
def test_a_chunker_that_loses_lineage_fails(broken: type[LayoutAwareChunker]) -> None:
    with pytest.raises(AssertionError):
        prove_provenance(broken())
