"""Sentences as chunks, read among their neighbours."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragspine_tui.retrieval.chunking.chunker import make_chunker
from tests.unit.chunking.files import cut

PROSE = """# The mill

The wheel turns at dawn. Mr. H. Otter opens the sluice, e.g. by hand. Is it cold? It is; the weir freezes.

水車は夜明けに回る。水門は手で開ける。冬は凍る！

- the wheel is greased. Twice.
- the weir is cleared

## The miller

He keeps the key. Nobody else does.

## Later
"""


def test_each_sentence_is_a_chunk_and_a_heading_goes_with_its_first(tmp_path: Path) -> None:
    _, result = cut(tmp_path, "sentence_window", PROSE, "a.md")
    assert [chunk.text for chunk in result.chunks] == [
        "# The mill\n\nThe wheel turns at dawn.",
        "Mr. H. Otter opens the sluice, e.g. by hand.",
        "Is it cold?",
        "It is; the weir freezes.",
        "水車は夜明けに回る。",
        "水門は手で開ける。",
        "冬は凍る！",
        "- the wheel is greased. Twice.",
        "- the weir is cleared",
        "## The miller\n\nHe keeps the key.",
        "Nobody else does.\n\n## Later",
    ]


def test_the_window_holds_the_neighbours_inside_the_section(tmp_path: Path) -> None:
    document, result = cut(tmp_path, "sentence_window", PROSE, "a.md")
    windows = {chunk.text.split("\n")[-1]: chunk.window_text for chunk in result.chunks}
    assert windows["Is it cold?"].startswith("# The mill") and windows["Is it cold?"].endswith("夜明けに回る。")
    assert windows["He keeps the key."] == "## The miller\n\nHe keeps the key. Nobody else does.\n\n## Later"
    assert windows["- the weir is cleared"].endswith("cleared")
    alone = make_chunker("sentence_window", neighbours=0).chunk(document)
    assert all(chunk.window_text == chunk.text for chunk in alone.chunks)


def test_code_is_no_prose_for_sentences(tmp_path: Path) -> None:
    text = "Run it. Then wait.\n\n```\na = 1. \nb = 2.\nc = f(a). g(b)\n```\n"
    _, result = cut(tmp_path, "sentence_window", text, "a.md")
    assert len(result.chunks) == 3


@pytest.mark.parametrize("neighbours", [-1, 101, True, 1.5])
def test_neighbours_that_make_no_sense_are_refused(neighbours: int) -> None:
    with pytest.raises(ValueError, match="whole number"):
        make_chunker("sentence_window", neighbours=neighbours)
