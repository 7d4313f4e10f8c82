"""Where a document is cut, case by case."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from ragspine_tui.retrieval.chunking.chunker import make_chunker
from ragspine_tui.retrieval.chunking.layout_chunker import LayoutAwareChunker
from ragspine_tui.types import Block, BlockKind, Document, Span
from tests.unit.chunking.documents import blocked


def cut(document: Document, **options: int) -> list[str]:
    return [chunk.text for chunk in LayoutAwareChunker(**options).chunk(document).chunks]


def paths(document: Document) -> list[tuple[str, ...]]:
    return [section.heading_path for section in LayoutAwareChunker().chunk(document).sections]


def test_a_heading_opens_a_section_and_joins_its_first_paragraph() -> None:
    document = blocked("intro", "# One", "first", "## Two", "second", "# Three", "third")
    assert cut(document) == ["intro", "# One\n\nfirst", "## Two\n\nsecond", "# Three\n\nthird"]
    assert paths(document) == [(), ("One",), ("One", "Two"), ("Three",)]


def test_headings_with_nothing_between_make_one_section() -> None:
    document = blocked("# One", "## Two", "### Three", "text", "## Four", "more")
    assert cut(document) == ["# One\n\n## Two\n\n### Three\n\ntext", "## Four\n\nmore"]
    assert paths(document) == [("One", "Two", "Three"), ("One", "Four")]


def test_a_heading_at_the_end_joins_the_chunk_before() -> None:
    assert cut(blocked("# One", "text", "## Empty")) == ["# One\n\ntext\n\n## Empty"]
    assert cut(blocked("a" * 475, "## Empty"), max_chars=480)[-1].endswith("a\n\n## Empty")


def test_a_document_of_headings_is_one_chunk() -> None:
    document = blocked("# One", "## Two")
    assert cut(document) == ["# One\n\n## Two"]
    assert str(LayoutAwareChunker().chunk(document).chunks[0].locator) == "a.md#para1-2"


def test_paragraph_numbers_count_what_is_no_heading() -> None:
    document = blocked("# One", "first", "second", "# Two", "third", "# End")
    chunks = LayoutAwareChunker(max_chars=15).chunk(document).chunks
    assert [str(chunk.locator) for chunk in chunks] == ["a.md#para1", "a.md#para2", "a.md#para3", "a.md#para3"][
        : len(chunks)
    ]
    assert str(LayoutAwareChunker().chunk(document).sections[0].locator) == "a.md#para1-2"


def test_paragraphs_are_packed_greedily() -> None:
    assert cut(blocked("a" * 20, "b" * 20, "c" * 20), max_chars=45) == ["a" * 20 + "\n\n" + "b" * 20, "c" * 20]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("One two three. Four five six. Seven eight.", ["One two three.", "Four five six.", "Seven eight."]),
        ("潮が満ちる。船が出る。縄を解く。帆を上げる。", ["潮が満ちる。船が出る。縄を解く。", "帆を上げる。"]),
        ("one two three four five six", ["one two three four", "five six"]),
        ("x" * 45, ["x" * 20, "x" * 20, "x" * 5]),
        ("版本 3.14 的说明在此处，没有句号也要切开才行", ["版本 3.14 的说明在此处，没有句号也", "要切开才行"]),
    ],
)
def test_a_long_paragraph_is_cut_at_sentences_then_spaces_then_hard(text: str, pieces: list[str]) -> None:
    assert cut(blocked(text), max_chars=20) == pieces


@pytest.mark.parametrize("spec", ["parent_child", "sentence_window"])
@pytest.mark.parametrize("overlap", [0, 60])
@pytest.mark.parametrize(
    "text",
    [
        "".join(f'"k{n}":{{"id":{n},"n":"kValue"}},' for n in range(400)),
        "".join(f"https://example.org/a{n}/some_name-{n}?q=v{n}&r=3.5;" for n in range(200)),
        "".join(f"foo.bar{n}=baz_{n}+qux{n}(1,037.25);" for n in range(300)),
        "[" + ",".join(str(n * 1234567) for n in range(900)) + "]",
        "設定値".join(f"max_connections_{n}" for n in range(300)),
        "".join(f"приве\u0301т{n},नमस्ते{n}/" for n in range(300)),
    ],
)
def test_no_word_is_torn_where_there_are_no_spaces(text: str, spec: str, overlap: int) -> None:
    chunks = make_chunker(spec, max_chars=480, overlap=overlap).chunk(Document("a.txt", text)).chunks
    assert len(chunks) > 10
    inside = {
        at
        for word in re.finditer(r"(?:[^\W設定値]|[\u0300-\u036f\u0900-\u0963])+", text)
        for at in range(*word.span())[1:]
    }
    assert not inside & {place for chunk in chunks for place in (chunk.span.start, chunk.span.end)}


def test_text_without_spaces_is_cut_behind_a_clause_and_names_stay_whole() -> None:
    assert cut(blocked('"ab":{"id":1},"cd":{"id":2},'), max_chars=18) == ['"ab":{"id":1},', '"cd":{"id":2},']
    assert cut(blocked("abcdef=gh.ij-kl_mn+op"), max_chars=18) == ["abcdef=", "gh.ij-kl_mn+op"]
    assert cut(blocked("sum(99)=1,037.25"), max_chars=13) == ["sum(99)=", "1,037.25"]


def test_a_word_that_is_too_long_by_itself_is_torn_alone() -> None:
    assert cut(blocked("ab|" + "x" * 45), max_chars=20) == ["ab|" + "x" * 17, "x" * 20, "x" * 8]
    assert cut(blocked("ab|" + "x" * 19 + "|c"), max_chars=20) == ["ab|", "x" * 19 + "|", "c"]


def test_a_hard_cut_tears_no_character_from_its_marks() -> None:
    for text in ("e\u0301" * 40, "👩\u200d🔬" * 20, "ที่" * 20):
        for piece in cut(blocked(text), max_chars=20):
            assert len(piece) % len(text[: {"e": 2, "👩": 3, "ท": 3}[text[0]]]) == 0


def test_code_tables_and_lists_are_cut_at_lines() -> None:
    text = "\n".join(f"row {n}. and more" for n in range(6))
    document = Document("a.py", text, (Block(Span(0, len(text)), BlockKind.CODE),))
    assert all(piece.startswith("row") and piece.endswith("more") for piece in cut(document, max_chars=40))


def test_long_sections_are_cut_at_paragraphs_with_the_same_path() -> None:
    document = blocked("# One", *["word " * 400] * 100)
    sections = LayoutAwareChunker().chunk(document).sections
    assert len(sections) > 2
    assert all(len(section.span) < 70_000 and section.heading_path == ("One",) for section in sections)
    assert all(document.text[section.span.start :].startswith("word") for section in sections[1:])


def test_one_endless_line_is_cut_into_sections_too() -> None:
    sections = LayoutAwareChunker().chunk(Document("a.txt", "x" * 300_000)).sections
    assert all(len(section.span) <= 70_000 for section in sections)


def test_overlap_reaches_back_to_a_word_in_the_same_section() -> None:
    document = blocked("# One", "alpha beta gamma delta epsilon zeta eta theta", "# Two", "iota")
    pieces = cut(document, max_chars=40, overlap=12)
    assert pieces[1].split()[0] in pieces[0].split()
    assert pieces[-1] == "# Two\n\niota"


def test_text_between_blocks_is_never_lost() -> None:
    text = "lead\n\npara\n\n***\n\nend\n"
    document = Document("a.md", text, (Block(Span(6, 10)), Block(Span(17, 20))))
    assert cut(document) == ["lead\n\npara\n\n***\n\nend"]


def test_lines_are_the_files_for_all_line_ends() -> None:
    document = Document("a.txt", "one\r\n\r\ntwo\r\rthree\n\nfour")
    lines = [chunk.line for chunk in LayoutAwareChunker(max_chars=5).chunk(document).chunks]
    assert lines == [1, 3, 5, 7]


def test_extracted_text_takes_lines_pages_and_parts_from_its_blocks() -> None:
    blocks = (
        Block(Span(0, 3), BlockKind.HEADING, 1, "One", line=7, page=1, part="a"),
        Block(Span(5, 9), line=9, page=2, part="a"),
        Block(Span(11, 15), line=30, page=3, part="b"),
    )
    result = LayoutAwareChunker().chunk(Document("x", "One\n\ntext\n\nmore", blocks, verbatim=False))
    assert [(c.line, c.page, c.part) for c in result.chunks] == [(7, 1, "a"), (30, 3, "b")]
    assert [(s.page, s.part, s.heading_path) for s in result.sections] == [(1, "a", ("One",)), (3, "b", ())]


def test_rows_are_places_of_their_own_in_the_section_of_their_sheet() -> None:
    blocks = (
        Block(Span(0, 5), BlockKind.HEADING, 1, "Costs", part="Costs"),
        Block(Span(7, 11), BlockKind.TABLE, part="Costs", place="Costs!A1:B1"),
        Block(Span(12, 16), BlockKind.TABLE, part="Costs", place="Costs!A2:B2"),
    )
    result = LayoutAwareChunker().chunk(Document("x", "Costs\n\nrope\nsail", blocks, verbatim=False))
    assert [(c.text, c.part) for c in result.chunks] == [("Costs\n\nrope", "Costs!A1:B1"), ("sail", "Costs!A2:B2")]
    assert [(s.part, s.heading_path) for s in result.sections] == [("Costs", ("Costs",))]


def test_the_hit_of_the_third_section_is_the_third_sections() -> None:
    document = blocked("# 甲", "山の話。", "# 乙", "川の話。", "# 丙", "縄の話。")
    chunk = next(c for c in make_chunker("parent_child").chunk(document).chunks if "縄の" in c.text)
    assert (chunk.section, chunk.line, chunk.text) == (2, 9, "# 丙\n\n縄の話。")


def test_none_ignores_headings() -> None:
    document = blocked("# One", "first", "# Two", "second")
    result = make_chunker("none").chunk(document)
    assert [section.heading_path for section in result.sections] == [()]
    assert [chunk.text for chunk in result.chunks] == [document.text.strip()]


@pytest.mark.parametrize("text", ["", " \n\n "])
def test_no_words_no_chunks(text: str) -> None:
    result = LayoutAwareChunker().chunk(replace(blocked("x"), text=text, blocks=()))
    assert result.chunks == ()
    assert "".join(section.span.of(text) for section in result.sections) == text


@pytest.mark.parametrize(
    "options",
    [
        {"max_chars": 0},
        {"max_chars": -1},
        {"max_chars": 20_001},
        {"max_chars": True},
        {"overlap": -1},
        {"overlap": False},
        {"max_chars": 10, "overlap": 10},
    ],
)
def test_numbers_that_make_no_sense_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="whole number"):
        LayoutAwareChunker(**options)
