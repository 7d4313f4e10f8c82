"""Chunkers for particular needs, each a small change of the layout chunker."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Final

from ragspine_tui.retrieval.chunking.books import book_marks, book_rank
from ragspine_tui.retrieval.chunking.laws import caption_alone, law_marks, law_rank
from ragspine_tui.retrieval.chunking.layout_chunker import ChildExtra, LayoutAwareChunker
from ragspine_tui.retrieval.chunking.marked import clean, is_text, lines_of, marked, repeated_level
from ragspine_tui.retrieval.chunking.questions import (
    bare_questions,
    has_marks,
    heads_answer,
    marked_questions,
    question_rank,
)
from ragspine_tui.retrieval.chunking.units import Unit, blocks_of, units_of
from ragspine_tui.types import Block, BlockKind, Document, Section

_BELOW_FORMAT: Final = 10
"""Levels of the format's own headings end before this one."""


class ParentChildChunker(LayoutAwareChunker):
    """Small chunks to find, whole sections to read: each chunk knows its section's span and paragraphs."""

    def _child_extra(self, section: Section) -> ChildExtra:
        return ChildExtra(str(section.locator), section.span)


class ParagraphChunker(LayoutAwareChunker):
    """Packs paragraphs without regard to headings; sections are cut by size alone."""

    by_headings = False


class LawsChunker(ParentChildChunker):
    """An article is a section (第N条, Article N, § N), under the parts and chapters that hold it."""

    def _units(self, document: Document) -> list[Unit]:
        text = document.text
        blocks, _ = marked(text, blocks_of(document), law_marks, law_rank, _BELOW_FORMAT)
        return units_of(replace(document, blocks=tuple(_captions_joined(text, blocks))))


class BookChunker(ParentChildChunker):
    """A chapter is a section, under its part; headings inside a chapter open none.

    Where no line names a chapter, the highest headings that come more than once are the chapters.
    """

    def _units(self, document: Document) -> list[Unit]:
        blocks, deepest = marked(document.text, blocks_of(document), book_marks, book_rank, 0)
        limit = deepest or repeated_level(blocks)
        return units_of(replace(document, blocks=tuple(blocks)), lambda block: block.level <= limit)


class QuestionChunker(ParentChildChunker):
    """A question with its answer is a section, headed by the question."""

    def _units(self, document: Document) -> list[Unit]:
        text, found = document.text, blocks_of(document)
        asked = any(has_marks(lines_of(text, block)) for block in found if is_text(block))
        find = marked_questions if asked else bare_questions
        blocks, _ = marked(text, found, find, question_rank, _BELOW_FORMAT)
        return units_of(replace(document, blocks=tuple(blocks)), lambda block: not heads_answer(clean(block.heading)))


def _captions_joined(text: str, blocks: list[Block]) -> list[Block]:
    """A caption that stands alone above an article becomes a heading, so that it goes with the article."""
    for number, (block, following) in enumerate(pairwise(blocks[:])):
        if following.kind is BlockKind.HEADING and law_rank(following.heading) and is_text(block):
            lines = lines_of(text, block)
            if len(lines) == 1 and caption_alone(lines[0]):
                blocks[number] = replace(
                    block, kind=BlockKind.HEADING, level=following.level, heading=clean(lines[0].bare)
                )
    return blocks
