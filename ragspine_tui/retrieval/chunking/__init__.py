"""Chunkers: a document becomes sections and, inside them, the chunks that are searched."""

from ragspine_tui.retrieval.chunking.chunker import (
    CHUNKER_IMPLS,
    Chunker,
    group_children_by_parent,
    make_chunker,
)
from ragspine_tui.retrieval.chunking.domain_presets import ParentChildChunker
from ragspine_tui.retrieval.chunking.layout_chunker import LayoutAwareChunker

__all__ = [
    "CHUNKER_IMPLS",
    "Chunker",
    "LayoutAwareChunker",
    "ParentChildChunker",
    "group_children_by_parent",
    "make_chunker",
]
