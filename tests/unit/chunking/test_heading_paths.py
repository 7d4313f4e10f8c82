"""The headings that every section repeats: whole as people write them, bounded where they are long or many."""

from __future__ import annotations

from ragspine_tui.retrieval.chunking.chunker import make_chunker
from ragspine_tui.retrieval.chunking.units import HEADING_CHARS, PATH_CHARS, PATH_HEADINGS
from ragspine_tui.types import Block, BlockKind, Document, Span
from tests.unit.chunking.documents import blocked


def test_headings_as_people_write_them_are_kept_whole() -> None:
    names = [f"The name of level {level}, which says a good deal of what is below it" for level in range(1, 7)]
    document = blocked(*(f"{'#' * level} {name}" for level, name in enumerate(names, 1)), "body")
    assert make_chunker("parent_child").chunk(document).sections[0].heading_path == tuple(names)


def test_long_headings_cost_each_section_a_bounded_path() -> None:
    outer = [f"{'#' * level} {'x' * 3_000}" for level in range(1, 6)]
    document = blocked(*outer, *(part for n in range(50) for part in (f"###### part {n}", "body")))
    sections = make_chunker("parent_child").chunk(document).sections
    assert len(sections) == 50
    for number, section in enumerate(sections):
        assert section.heading == f"part {number}"
        assert len(section.heading_path) == 6
        assert sum(map(len, section.heading_path)) <= PATH_CHARS
    assert "".join(section.span.of(document.text) for section in sections) == document.text


def test_the_innermost_heading_keeps_its_beginning() -> None:
    section = make_chunker("layout").chunk(blocked("# " + "word " * 1_000, "body")).sections[0]
    assert section.heading.startswith("word word")
    assert len(section.heading) <= HEADING_CHARS


def test_headings_nested_without_end_leave_the_innermost_ones() -> None:
    text = "\n".join(f"h{n:04d}" for n in range(2_000)) + "\nbody"
    blocks = [Block(Span(6 * n, 6 * n + 5), BlockKind.HEADING, n + 1, f"h{n:04d}") for n in range(2_000)]
    document = Document("a.md", text, (*blocks, Block(Span(12_000, 12_004))))
    path = make_chunker("layout").chunk(document).sections[0].heading_path
    assert path == tuple(f"h{n:04d}" for n in range(2_000 - PATH_HEADINGS, 2_000))
