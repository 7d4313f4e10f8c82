"""Markdown: what is a heading, what is code, and where things stand."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from ragspine_tui.documents.lines import numbered_lines
from ragspine_tui.documents.markdown_blocks import markdown_blocks, plain_inline
from ragspine_tui.types import BlockKind
from tests.unit.documents.files import block_with, headings, read, texts


def test_the_text_is_the_file_with_its_line_ends(tmp_path: Path) -> None:
    text = "# Quay\r\n\r\nRope and tar.\rOld Mac line.\nUnix line.\n"
    document = read(tmp_path, "a.md", b"\xef\xbb\xbf" + text.encode())
    assert document.text == text
    assert document.verbatim
    assert block_with(document, "Rope").line == 3


def test_atx_and_setext_headings_open_with_their_levels(tmp_path: Path) -> None:
    document = read(
        tmp_path, "a.md", "Harbour\n=======\n\ntext\n\nTides\n---\n\n### Ebb ###\n\n####### seven\n\n#tag\n"
    )
    assert headings(document) == [(1, "Harbour"), (2, "Tides"), (3, "Ebb")]
    assert document.title == "Harbour"


@pytest.mark.parametrize(
    "code",
    [
        "```sh\n# no heading\n```",
        "~~~\n# no heading\n```\n# nor this\n~~~",
        "````\n```\n# no heading\n````",
        "    # no heading",
        "```\n# never closed",
        "- item\n  ```\n  # no heading\n  ```",
        "<!--\n# no heading\n-->",
        "<pre>\n# no heading\n</pre>",
    ],
)
def test_a_hash_in_code_is_no_heading(tmp_path: Path, code: str) -> None:
    assert headings(read(tmp_path, "a.md", f"# Real\n\ntext\n\n{code}\n")) == [(1, "Real")]


def test_blocks_have_their_kinds(tmp_path: Path) -> None:
    document = read(
        tmp_path, "a.md", "para\n\n- one\n- two\n\n> said\n\n| a | b |\n|---|---|\n| c | d |\n\n```\nx = 1\n```\n"
    )
    kinds = [block.kind for block in document.blocks]
    assert kinds == [BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.QUOTE, BlockKind.TABLE, BlockKind.CODE]


def test_tags_and_links_come_from_text_but_not_from_code(tmp_path: Path) -> None:
    body = (
        "See [[Rope Walk|the walk]], [[Tar#Making]] #craft/rope `#code` [x](#anchor) #12\n\n```\n#fenced [[no]]\n```\n"
    )
    fields = read(tmp_path, "a.md", f"---\ntags: [harbour, '#sea']\n---\n{body}").fields
    assert fields["tags"] == ("harbour", "sea", "craft/rope")
    assert fields["links"] == ("Rope Walk", "Tar")


@pytest.mark.parametrize(
    "text",
    [
        "#include <rope.h>",
        "words\n  #endif",
        "#[derive(Debug)]",
        "[x](#anchor) and [y]( #anchor )",
        "[x][1]\n\n[1]: #anchor",
        "a #fff or #a1b2c3 or #A1B2C3D4 colour",
        "fixed in #123 and #1-2",
        "`a #tag b` and ``c ` #tag``",
        "    #indented",
        "~~~\n#fenced\n~~~",
        '<a href=" #home" title="a #home">x</a>',
        "<!-- a #note -->",
        "https://rope.example/a#part and http://x.example/#part",
        "word#tag and &#x20; and C#",
    ],
)
def test_what_only_looks_like_a_tag_is_none(tmp_path: Path, text: str) -> None:
    assert "tags" not in read(tmp_path, "a.md", f"Some words.\n\n{text}\n").fields


def test_a_tag_begins_a_line_or_a_word_and_has_a_letter(tmp_path: Path) -> None:
    text = "#harbour and #error-budget, a #define #2024-plan #縄 a < b #facade\n#line-up\n"
    tags = read(tmp_path, "a.md", text).fields["tags"]
    assert tags == ("harbour", "error-budget", "define", "2024-plan", "縄", "facade", "line-up")


def test_front_matter_is_searchable_and_counts_as_a_block(tmp_path: Path) -> None:
    document = read(tmp_path, "a.md", "---\ntitle: Quay\n---\n\nBody.\n")
    assert [block.kind for block in document.blocks] == [BlockKind.FRONT_MATTER, BlockKind.PARAGRAPH]
    assert texts(document)[0] == "---\ntitle: Quay\n---"
    assert document.title == "Quay"


def test_the_title_is_the_first_top_heading_then_any_heading_then_the_name(tmp_path: Path) -> None:
    assert read(tmp_path, "a.md", "## Early\n\n# Top\n\nx").title == "Top"
    assert read(tmp_path, "b.md", "## Early\n\nx").title == "Early"
    assert read(tmp_path, "Rope walk.md", "just words").title == "Rope walk"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("**Bold** and _soft_", "Bold and soft"),
        ("`code_span` here", "code_span here"),
        ("[Link](http://x.y/z) text", "Link text"),
        ("[[Page|shown]]", "shown"),
        ("Set up {#setup}", "Set up"),
        ("snake_case_name", "snake_case_name"),
        ("1 \\* 2 &amp; 3", "1 * 2 & 3"),
        ("<b>x</b> 茶", "x 茶"),
    ],
)
def test_heading_texts_lose_their_markup(written: str, shown: str) -> None:
    assert plain_inline(written) == shown


LINES = st.sampled_from(
    [
        "",
        "words",
        "# One",
        "## Two ##",
        "   ### Three",
        "    # code",
        "Title",
        "===",
        "---",
        "```",
        "~~~",
        "```py",
        "    ```",
        "| a | b |",
        "| - | - |",
        "***",
        "#nospace",
        "\t# tab",
        "<!-- c",
        "-->",
        "<div>",
        "-----",
        "# x #y",
    ]
)


@given(st.lists(LINES, max_size=8))
@example(["| a | b |", "| - | - |", "\t# tab", "words", "==="])
def test_headings_are_commonmarks(lines: list[str]) -> None:
    text = "\n".join(lines)
    parsed = MarkdownIt("commonmark").enable("table").parse(text)
    expected = [(t.map[0] + 1, int(t.tag[1])) for t in parsed if t.type == "heading_open" and t.map and not t.level]
    blocks = markdown_blocks(numbered_lines(text))
    assert [(block.line, block.level) for block in blocks if block.kind is BlockKind.HEADING] == expected


@given(st.text(alphabet="ab#`~-=>|*[] \t\n\r1.<!/"))
def test_blocks_never_overlap_and_lie_in_the_text(text: str) -> None:
    end = 0
    for block in markdown_blocks(numbered_lines(text)):
        assert end <= block.span.start <= block.span.end <= len(text)
        end = block.span.end
