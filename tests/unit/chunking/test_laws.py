"""What holds for every document and every chunker."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.retrieval.chunking.chunker import CHUNKER_IMPLS, Chunking, make_chunker
from ragspine_tui.types import BlockKind, Document
from tests.unit.chunking.documents import documents

SPECS = sorted(CHUNKER_IMPLS)
SIZES = st.sampled_from([(480, 0), (480, 80), (60, 0), (60, 20), (7, 0), (7, 6), (1, 0)])


@pytest.mark.parametrize("spec", SPECS)
@given(document=documents(), size=SIZES)
def test_sections_partition_the_text_and_chunks_are_slices_of_them(
    spec: str, document: Document, size: tuple[int, int]
) -> None:
    result = make_chunker(spec, max_chars=size[0], overlap=size[1]).chunk(document)
    assert "".join(section.span.of(document.text) for section in result.sections) == document.text
    assert [section.index for section in result.sections] == list(range(len(result.sections)))
    for chunk in result.chunks:
        section = result.sections[chunk.section]
        assert section.span.start <= chunk.span.start < chunk.span.end <= section.span.end
        assert chunk.text == document.text[chunk.span.start : chunk.span.end] == chunk.text.strip()
        assert len(chunk.text) <= size[0]
        assert chunk.parent_id == f"{document.path}#s{chunk.section}"
        if chunk.window is not None:
            assert section.span.start <= chunk.window.start <= chunk.span.start
            assert chunk.span.end <= chunk.window.end <= section.span.end


@pytest.mark.parametrize("spec", SPECS)
@given(document=documents(), size=SIZES)
def test_all_words_are_covered_in_order(spec: str, document: Document, size: tuple[int, int]) -> None:
    chunks = make_chunker(spec, max_chars=size[0], overlap=size[1]).chunk(document).chunks
    end = 0
    for chunk in chunks:
        assert not document.text[end : chunk.span.start].strip()
        assert size[1] or chunk.span.start >= end
        end = chunk.span.end
    assert not document.text[end:].strip()
    assert [chunk.index for chunk in chunks] == list(range(1, len(chunks) + 1))
    assert all(a.span.start < b.span.start for a, b in pairwise(chunks))


@pytest.mark.parametrize("spec", SPECS)
@given(document=documents(), size=SIZES)
def test_locators_lines_and_places_only_rise(spec: str, document: Document, size: tuple[int, int]) -> None:
    result = make_chunker(spec, max_chars=size[0], overlap=size[1]).chunk(document)
    for values in (
        [chunk.locator.first for chunk in result.chunks],
        [chunk.locator.last for chunk in result.chunks],
        [section.locator.first for section in result.sections],
        [chunk.line or 0 for chunk in result.chunks],
        [chunk.page or 0 for chunk in result.chunks],
    ):
        assert values == sorted(values)
    for chunk in result.chunks:
        parent = result.sections[chunk.section].locator
        assert 1 <= parent.first <= chunk.locator.first <= chunk.locator.last <= parent.last
        assert chunk.part.startswith("row ") or chunk.part == result.sections[chunk.section].part


# The others find headings in the text, which a passage begins with wherever they stand.
@pytest.mark.parametrize("spec", [spec for spec in SPECS if spec not in {"book", "laws", "qa"}])
@given(document=documents(), size=SIZES)
def test_no_passage_runs_over_the_end_of_a_page_or_a_place(
    spec: str, document: Document, size: tuple[int, int]
) -> None:
    for chunk in make_chunker(spec, max_chars=size[0], overlap=size[1]).chunk(document).chunks:
        span = chunk.span
        held = [b for b in document.blocks if b.span.start < span.end and span.start < b.span.end]
        bodies = [b for b in held if b.kind is not BlockKind.HEADING and b.span.of(document.text).strip()]
        assert len({(block.page, block.place) for block in bodies}) <= 1
        assert chunk.part in {block.place or block.part for block in held} or not bodies or size[1]


@pytest.mark.parametrize("spec", SPECS)
@given(document=documents())
def test_the_same_document_is_cut_the_same(spec: str, document: Document) -> None:
    assert make_chunker(spec).chunk(document) == make_chunker(spec).chunk(document)


@given(document=documents())
def test_parent_child_differs_from_layout_in_its_extras_only(document: Document) -> None:
    plain, expanded = make_chunker("layout").chunk(document), make_chunker("parent_child").chunk(document)
    assert plain.sections == expanded.sections
    assert _bare(plain) == _bare(expanded)
    for chunk in expanded.chunks:
        section = expanded.sections[chunk.section]
        assert chunk.window_text == section.span.of(document.text)
        assert chunk.parent_locator == str(section.locator)
    assert all(chunk.window is None and not chunk.parent_locator for chunk in plain.chunks)


def _bare(result: Chunking) -> list[tuple[object, ...]]:
    return [(c.index, c.section, c.span, c.locator, c.parent_id, c.line, c.page, c.part) for c in result.chunks]
