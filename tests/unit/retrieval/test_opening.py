"""A document that only what it is called or its front matter matches is shown by what it says."""

from pathlib import Path

import pytest

from ragspine_tui.types import SearchRequest
from tests.homes import indexed

FILES = {
    "heron.md": "---\ntags: [weir, birds]\ndate: 2024-05-01\n---\n\n# Long legs\n\nThey stand in the shallows.",
    "eel.md": "# Eels\n\nThey pass at night.",
    "bare.md": "---\ntags: mink\n---\n",
}


@pytest.mark.parametrize("query", ["heron", "weir", "birds weir", "tags:weir"])
def test_the_first_passage_with_words_stands_for_the_document(tmp_path: Path, query: str) -> None:
    with indexed(tmp_path, FILES) as session:
        (hit,) = session.search(SearchRequest(query)).hits
    assert hit.document == "heron.md"
    assert "They stand in the shallows." in hit.text
    assert "tags" not in hit.text


def test_where_there_is_nothing_else_front_matter_stands_for_itself(tmp_path: Path) -> None:
    with indexed(tmp_path, FILES) as session:
        (hit,) = session.search(SearchRequest("mink")).hits
    assert hit.document == "bare.md"
    assert "mink" in hit.text


def test_after_another_document_is_gone_it_is_still_the_documents_own_passage(tmp_path: Path) -> None:
    with indexed(tmp_path, FILES) as session:
        (tmp_path / "lib" / "eel.md").unlink()
        session.index()
        (hit,) = session.search(SearchRequest("birds")).hits
    assert "They stand in the shallows." in hit.text
