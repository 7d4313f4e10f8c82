"""YAML and TOML: the file as it is, cut where entries begin, named by its own title."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragspine_tui.types import BlockKind
from tests.unit.documents.files import headings, read, texts

YAML = """# notes for the mill
title: The mill   # for now
tags: [salt, "wind"]
services:
  sluice:
    about: >-
      Folded text of the paddle
      gate: oak and iron

      and more
    port: 4
---
- name: second
  list:
    - one
"""


def test_a_yaml_value_of_many_lines_stays_with_its_key(tmp_path: Path) -> None:
    document = read(tmp_path, "a.yaml", YAML)
    assert (document.text, document.kind, document.verbatim) == (YAML, "yaml", True)
    assert "    about: >-\n      Folded text of the paddle\n      gate: oak and iron\n\n      and more" in texts(
        document
    )
    assert [block.line for block in document.blocks] == [1, 2, 3, 4, 5, 6, 11, 13, 14, 15]
    assert {block.kind for block in document.blocks} == {BlockKind.CODE}


def test_what_names_a_yaml_file_becomes_fields(tmp_path: Path) -> None:
    document = read(tmp_path, "a.yml", YAML)
    assert (document.title, document.fields["tags"]) == ("The mill", ("salt", "wind"))
    assert read(tmp_path, "b.yaml", "services:\n  title: no\n").title == "b.yaml"


def test_a_first_yaml_document_is_text_not_front_matter(tmp_path: Path) -> None:
    document = read(tmp_path, "a.yaml", "---\nname: one\nbody: words\n---\nname: two\n")
    assert texts(document) == ["name: one", "body: words", "name: two"]
    assert "body" not in document.fields


def test_the_tables_of_toml_are_sections(tmp_path: Path) -> None:
    text = 'title = "Salt"\nauthor = "Ines"\n\n[a]\nx = """\n[no table]\n"""\n[a."b c"]\ny = [\n  1,\n]\n[[list]]\n'
    document = read(tmp_path, "a.toml", text)
    assert headings(document) == [(1, "a"), (2, "a.b c"), (1, "list")]
    assert (document.title, document.fields["author"]) == ("Salt", ("Ines",))
    assert (document.text, document.kind) == (text, "toml")


@pytest.mark.parametrize("name", ["a.yaml", "a.toml"])
def test_a_file_without_entries_is_text(tmp_path: Path, name: str) -> None:
    document = read(tmp_path, name, "just words\n\nand more: of them = here\n")
    assert texts(document) == ["just words", "and more: of them = here"]
