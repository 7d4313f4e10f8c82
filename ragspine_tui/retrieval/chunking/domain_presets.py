"""Chunkers for particular needs, each a small change of the layout chunker."""

from __future__ import annotations

from ragspine_tui.retrieval.chunking.layout_chunker import ChildExtra, LayoutAwareChunker
from ragspine_tui.types import Section


class ParentChildChunker(LayoutAwareChunker):
    """Small chunks to find, whole sections to read: each chunk knows its section's span and paragraphs."""

    def _child_extra(self, section: Section) -> ChildExtra:
        return ChildExtra(str(section.locator), section.span)


class ParagraphChunker(LayoutAwareChunker):
    """Packs paragraphs without regard to headings; sections are cut by size alone."""

    by_headings = False
