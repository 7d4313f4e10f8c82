"""The chunking seam: a document becomes sections (parents) and chunks (children), all of them spans."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, Protocol

from ragspine_tui.retrieval.chunking.domain_presets import (
    BookChunker,
    LawsChunker,
    ParagraphChunker,
    ParentChildChunker,
    QuestionChunker,
)
from ragspine_tui.retrieval.chunking.layout_chunker import Chunking, LayoutAwareChunker
from ragspine_tui.retrieval.chunking.sentence_window import SentenceWindowChunker
from ragspine_tui.specs import SEAMS, choose_spec
from ragspine_tui.types import Chunk, Document

__all__ = [
    "CHUNKER_IMPLS",
    "ENTRY_POINTS",
    "Chunker",
    "Chunking",
    "group_children_by_parent",
    "make_chunker",
]

ENTRY_POINTS: Final = SEAMS["chunker"].entry_points


CHUNKER_VERSION: Final = 3
"""Rises whenever a chunker cuts the same document otherwise: an index is made anew."""


class Chunker(Protocol):
    """Cuts one document: sections cover its text without gap or overlap, each chunk is a span inside one section."""

    def chunk(self, document: Document) -> Chunking:
        """The sections and chunks of a document, the same for the same document always."""
        ...


CHUNKER_IMPLS: Final[Mapping[str, Callable[..., Chunker]]] = MappingProxyType(
    {
        "none": ParagraphChunker,
        "layout": LayoutAwareChunker,
        "parent_child": ParentChildChunker,
        "laws": LawsChunker,
        "book": BookChunker,
        "qa": QuestionChunker,
        "sentence_window": SentenceWindowChunker,
    }
)


def make_chunker(spec: str | None = None, **options: Any) -> Chunker:
    """The chunker that `spec` names, built with `options`; None reads RAGSPINE_CHUNKER, '' and 'none' ignore headings.

    Installed packages may add names in the entry-point group `ragspine_tui.chunkers`; built-in names win. ValueError
    lists the valid specs or names the package whose chunker cannot be loaded, TypeError names an unknown option.
    """
    name = choose_spec("chunker", spec)
    if name in CHUNKER_IMPLS:
        return CHUNKER_IMPLS[name](**options)
    point = SEAMS["chunker"].installed()[name]
    try:
        made: Chunker = point.load()(**options)
    except (Exception, SystemExit) as error:  # a guest may do anything
        if options and isinstance(error, TypeError):
            raise
        package = f" of {point.dist.name}" if point.dist else ""
        raise ValueError(f"the chunker {name!r}{package} cannot be loaded ({type(error).__name__})") from error
    return made


def group_children_by_parent(chunks: Iterable[Chunk]) -> dict[str, tuple[Chunk, ...]]:
    """Chunks by `parent_id`, parents in the order they first come; a chunk without a parent is its own group."""
    groups: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        groups.setdefault(chunk.parent_id or f"{chunk.document}#c{chunk.index}", []).append(chunk)
    return {parent: tuple(children) for parent, children in groups.items()}
