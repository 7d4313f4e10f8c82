"""Org: headlines without keywords and tags, blocks that open no section, keywords as fields."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragspine_tui.types import BlockKind
from tests.unit.documents.files import headings, read, texts

TOP = ":PROPERTIES:\n:ID: 1234\n:CREATED: [2024-01-02 Tue]\n:END:\n#+TITLE: On salt\n#+AUTHOR: Ines Marlock\n"


@pytest.mark.parametrize(
    ("line", "level", "clean"),
    [
        ("* Mooring chains", 1, "Mooring chains"),
        ("** TODO [#A] Mooring chains [1/3]   :kelp:weir:", 2, "Mooring chains"),
        ("*** DONE *Mooring* =chains= [50%]", 3, "Mooring chains"),
        ("* COMMENT See [[https://x.invalid][the chains]] and [[walk]]", 1, "See the chains and walk"),
        ("* TODOS of the week", 1, "TODOS of the week"),
        ("* a*b and 2*3*4", 1, "a*b and 2*3*4"),
    ],
)
def test_a_headline_is_named_by_its_own_words(tmp_path: Path, line: str, level: int, clean: str) -> None:
    assert headings(read(tmp_path, "a.org", f"words\n{line}\nwords\n")) == [(level, clean)]


def test_the_files_own_keywords_are_known(tmp_path: Path) -> None:
    document = read(tmp_path, "a.org", "#+TODO: DRAFT(d) | PRINTED\n* DRAFT One\nwords\n* PRINTED Two\nwords\n")
    assert headings(document) == [(1, "One"), (1, "Two")]


@pytest.mark.parametrize(
    "text",
    ["*bold* words\n", "  * an item\n", "#+BEGIN_SRC sh\n # * words\n,* words\n#+END_SRC\n", "words\n  ** item\n"],
)
def test_other_lines_open_no_section(tmp_path: Path, text: str) -> None:
    assert headings(read(tmp_path, "a.org", text)) == []


def test_a_block_never_closed_ends_at_the_next_headline(tmp_path: Path) -> None:
    document = read(tmp_path, "a.org", "#+BEGIN_SRC\nx = 1\n* Real\n#+BEGIN_SRC\ny = 2\n#+END_SRC\nwords\n")
    assert headings(document) == [(1, "Real")]
    assert texts(document, BlockKind.CODE) == ["#+BEGIN_SRC\nx = 1", "#+BEGIN_SRC\ny = 2\n#+END_SRC"]


def test_keywords_properties_and_tags_become_fields(tmp_path: Path) -> None:
    text = (
        f"{TOP}#+DATE: <2024-03-05 Tue>\n#+FILETAGS: :winter:birds:\n\n* One :kelp:\n:PROPERTIES:\n:COST: 5\n:END:\nx\n"
    )
    document = read(tmp_path, "a.org", text)
    assert (document.kind, document.title, document.verbatim) == ("org", "On salt", True)
    assert {name: document.fields[name] for name in ("author", "date", "created", "id", "tags")} == {
        "author": ("Ines Marlock",),
        "date": ("2024-03-05",),
        "created": ("2024-01-02",),
        "id": ("1234",),
        "tags": ("winter", "birds", "kelp"),
    }
    assert "cost" not in document.fields
    assert document.blocks[0].kind is BlockKind.FRONT_MATTER


def test_lists_tables_quotes_and_fixed_text_are_told(tmp_path: Path) -> None:
    text = "- one\n\n  more\n| a | b |\n| 1 | 2 |\n#+begin_quote\nsaid\n#+end_quote\n: fixed\nwords\n"
    document = read(tmp_path, "a.org", text)
    assert [(block.kind, block.line) for block in document.blocks] == [
        (BlockKind.LIST, 1),
        (BlockKind.LIST, 3),
        (BlockKind.TABLE, 4),
        (BlockKind.QUOTE, 6),
        (BlockKind.CODE, 9),
        (BlockKind.PARAGRAPH, 10),
    ]
