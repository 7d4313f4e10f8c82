"""The chunking seam: a document becomes sections (parents) and chunks (children), all of them spans."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import entry_points
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
from ragspine_tui.specs import SEAMS, normalise_spec, resolve_spec
from ragspine_tui.types import Chunk, Document

__all__ = [
    "CHUNKER_IMPLS",
    "ENTRY_POINTS",
    "Chunker",
    "Chunking",
    "group_children_by_parent",
    "make_chunker",
]

ENTRY_POINTS: Final = "ragspine_tui.chunkers"


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
    lists the valid specs, TypeError names an unknown option.
    """
    given = os.environ.get(SEAMS["chunker"].variable, SEAMS["chunker"].default) if spec is None else spec
    try:
        factory = CHUNKER_IMPLS[resolve_spec("chunker", given)]
    except ValueError as error:
        factory = _plugin(given, str(error))
    return factory(**options)


def _plugin(spec: str, unknown: str) -> Callable[..., Chunker]:
    found = {normalise_spec(point.name): point for point in entry_points(group=ENTRY_POINTS)}
    point = found.get(normalise_spec(spec))
    if point is None:
        also = "".join(f", {name}" for name in sorted(found))
        raise ValueError(unknown + also)
    factory: Callable[..., Chunker] = point.load()
    return factory


def group_children_by_parent(chunks: Iterable[Chunk]) -> dict[str, tuple[Chunk, ...]]:
    """Chunks by `parent_id`, parents in the order they first come; a chunk without a parent is its own group."""
    groups: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        groups.setdefault(chunk.parent_id or f"{chunk.document}#c{chunk.index}", []).append(chunk)
    return {parent: tuple(children) for parent, children in groups.items()}
