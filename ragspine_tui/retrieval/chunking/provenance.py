"""What every chunker owes: each passage leads back to its document, its section and its literal text."""

from __future__ import annotations

from itertools import pairwise

from ragspine_tui.retrieval.chunking.layout_chunker import Chunking
from ragspine_tui.types import Chunk, Document, Section, Span


def check_provenance(document: Document, chunking: Chunking) -> None:
    """ValueError that says what is wrong with a cut document: passages, text or sections that cannot be traced back."""
    if not isinstance(chunking.sections, tuple) or not isinstance(chunking.chunks, tuple):
        raise ValueError("sections and passages are no tuples")
    if not chunking.chunks and not chunking.sections:
        return
    _check_sections(document, chunking.sections)
    for position, chunk in enumerate(chunking.chunks, start=1):
        if chunk.index != position:
            raise ValueError(f"passage {position} is numbered {chunk.index}")
        if fault := _fault(document, chunking.sections, chunk):
            raise ValueError(f"passage {position} {fault}")
    # The index counts passages section by section, in reading order.
    if any((one.section, one.span.start) > (two.section, two.span.start) for one, two in pairwise(chunking.chunks)):
        raise ValueError("passages are not in reading order")


def _check_sections(document: Document, sections: tuple[Section, ...]) -> None:
    end = 0
    for position, section in enumerate(sections):
        if section.index != position:
            raise ValueError(f"section {position} is numbered {section.index}")
        if section.span.start != end:
            raise ValueError(f"section {position} leaves a gap or overlaps")
        end = section.span.end
    if end != len(document.text):
        raise ValueError("sections do not cover the text")


def _fault(document: Document, sections: tuple[Section, ...], chunk: Chunk) -> str:
    if not 0 <= chunk.section < len(sections):
        return "has no section"
    section = sections[chunk.section]
    if not len(chunk.span) or not _holds(section.span, chunk.span):
        return "is empty or goes beyond its section"
    if chunk.source != document.text:
        return "quotes another text"
    if chunk.parent_id != f"{document.path}#s{section.index}" or chunk.parent_locator not in ("", str(section.locator)):
        return "names another section"
    if chunk.document != document.path or chunk.locator.document != document.path:
        return "names another document"
    if not section.locator.first <= chunk.locator.first <= chunk.locator.last <= section.locator.last:
        return "stands in paragraphs outside its section"
    if chunk.window is not None and not (_holds(section.span, chunk.window) and _holds(chunk.window, chunk.span)):
        return "has a window that leaves its section"
    return ""


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
