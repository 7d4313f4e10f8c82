"""AsciiDoc: titles of either form, blocks between delimiters that open no section, the header as fields."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragspine_tui.types import BlockKind
from tests.unit.documents.files import headings, read, texts

HEADER = "= On *salt*\nInes Marlock <ines@x.invalid>\nv1.0, 2024-03-05\n:keywords: winter, birds\n:lang: en\n:toc:\n\n"


def test_titles_of_both_forms_open_sections(tmp_path: Path) -> None:
    text = f"{HEADER}words\n\n== Chains\nwords\n\nFouling by kelp\n~~~~~~~~~~~~~~~\n\nwords\n\n=== Deep ===\n\nwords\n"
    document = read(tmp_path, "a.adoc", text)
    assert headings(document) == [(1, "On salt"), (2, "Chains"), (3, "Fouling by kelp"), (3, "Deep")]
    assert (document.kind, document.title, document.verbatim) == ("adoc", "On salt", True)


def test_the_header_becomes_fields(tmp_path: Path) -> None:
    fields = read(tmp_path, "a.adoc", f"{HEADER}words\n").fields
    assert {name: fields[name] for name in ("author", "email", "date", "tags", "language")} == {
        "author": ("Ines Marlock",),
        "email": ("ines@x.invalid",),
        "date": ("2024-03-05",),
        "tags": ("winter", "birds"),
        "language": ("en",),
    }


@pytest.mark.parametrize("fence", ["----", "....", "////", "++++", "|===", "```"])
def test_nothing_between_delimiters_opens_a_section(tmp_path: Path, fence: str) -> None:
    document = read(tmp_path, "a.adoc", f"words\n\n{fence}\n\n== not a title\n\n{fence}\n\n== A title\n\nwords\n")
    assert headings(document) == [(2, "A title")]


def test_a_delimiter_that_is_never_closed_swallows_nothing(tmp_path: Path) -> None:
    assert headings(read(tmp_path, "a.adoc", "words\n\n----\n\n== A title\n\nwords\n")) == [(2, "A title")]


def test_lists_tables_and_quotes_are_told(tmp_path: Path) -> None:
    document = read(
        tmp_path, "a.adoc", "* one\n** two\n\nterm:: its meaning\n\n|===\n| a | b\n|===\n\n____\nsaid\n____\n"
    )
    assert texts(document, BlockKind.LIST) == ["* one\n** two", "term:: its meaning"]
    assert texts(document, BlockKind.TABLE) == ["|===\n| a | b\n|==="]
    assert texts(document, BlockKind.QUOTE) == ["____\nsaid\n____"]
