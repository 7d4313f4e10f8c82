"""reStructuredText: sections in the file's own order of underlines, literal text that opens none, fields at the top."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragspine_tui.types import BlockKind
from tests.unit.documents.files import block_with, headings, read, texts

LITERAL = "Opened by two colons::\n\n    Not a title\n    ===========\n\n    more of it\n\nAfter it.\n"


def test_levels_follow_the_order_in_which_underlines_come(tmp_path: Path) -> None:
    text = "####\nRope\n####\n\nStrands\n~~~~~~~\nwords\n\nTar\n---\n\nwords\n\nHemp\n~~~~\n\nwords\n"
    document = read(tmp_path, "a.rst", text)
    assert headings(document) == [(1, "Rope"), (2, "Strands"), (3, "Tar"), (2, "Hemp")]
    assert (document.kind, document.title, document.verbatim) == ("rst", "Rope", True)
    assert [block.line for block in document.blocks] == [1, 5, 7, 9, 12, 14, 17]


def test_an_overline_makes_another_level_than_the_same_underline_alone(tmp_path: Path) -> None:
    assert headings(read(tmp_path, "a.rst", "===\nOne\n===\n\nTwo\n===\n\nwords\n")) == [(1, "One"), (2, "Two")]


@pytest.mark.parametrize(
    ("title", "clean"),
    [
        ("The *long* **rope** of ``hemp``", "The long rope of hemp"),
        ("See :ref:`the walk <walk>` and `a page <http://x.invalid>`_", "See the walk and a page"),
        ("|release| of rope_ and snake_case_name", "release of rope and snake_case_name"),
        ("綱の作り方", "綱の作り方"),
    ],
)
def test_a_title_is_named_without_its_markup(tmp_path: Path, title: str, clean: str) -> None:
    assert headings(read(tmp_path, "a.rst", f"{title}\n{'=' * 70}\n\nwords\n")) == [(1, clean)]


@pytest.mark.parametrize(
    "text",
    [
        LITERAL,
        "words\n\n----------\n\nwords\n",
        "- an item\n---------\n\nwords\n",
        ".. code-block:: text\n\n   Not a title\n   ===========\n\nwords\n",
        "====  ====\n a     b\n====  ====\n 1     2\n\n 3     4\n====  ====\n\nwords\n",
        "A paragraph of\nmore than a line\n================\n",
        "Far too long for it\n==\n\nwords\n",
    ],
)
def test_what_only_looks_like_a_title_opens_no_section(tmp_path: Path, text: str) -> None:
    assert headings(read(tmp_path, "a.rst", text)) == []


def test_literal_text_is_code_and_ends_where_its_indent_does(tmp_path: Path) -> None:
    document = read(tmp_path, "a.rst", LITERAL)
    assert texts(document, BlockKind.CODE) == ["    Not a title\n    ===========\n\n    more of it"]
    assert block_with(document, "After it.").kind is BlockKind.PARAGRAPH


def test_lists_and_tables_are_told(tmp_path: Path) -> None:
    table = "====  ====\n a     b\n====  ====\n 1     2\n\n 3     4\n====  ===="
    document = read(tmp_path, "a.rst", f"{table}\n\n+---+\n| x |\n+---+\n\n- one\n\n  more\n\n1. two\n\nwords\n")
    assert texts(document, BlockKind.TABLE) == [table, "+---+\n| x |\n+---+"]
    assert texts(document, BlockKind.LIST) == ["- one", "  more", "1. two"]


def test_the_fields_at_the_top_are_the_documents(tmp_path: Path) -> None:
    text = (
        ".. meta::\n   :description lang=en: On rope\n   :keywords: hemp, tar\n\nRope\n====\n\n:Author: Ines Marlock\n"
        ":Date: $Date: 2024-03-05 $\n:Abstract: over\n   two lines\n\nwords\n\n:Author: no one\n"
    )
    fields = read(tmp_path, "a.rst", text).fields
    assert {name: fields[name] for name in ("description", "tags", "author", "date", "abstract")} == {
        "description": ("On rope",),
        "tags": ("hemp", "tar"),
        "author": ("Ines Marlock",),
        "date": ("2024-03-05",),
        "abstract": ("over two lines",),
    }
