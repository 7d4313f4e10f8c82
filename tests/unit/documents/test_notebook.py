"""Notebooks: what stands in their cells, at its cell; their JSON is no text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.reader import read_loaded
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.errors import ReadError
from ragspine_tui.retrieval.chunking.chunker import make_chunker
from ragspine_tui.types import BlockKind, DocumentStatus
from tests.unit.documents.files import block_with, headings, read

CELLS: list[dict[str, Any]] = [
    {"cell_type": "markdown", "source": ["# Tides\n", "\n", "Words of the *quay*.\n", "\n", "- an item"]},
    {
        "cell_type": "code",
        "source": "import salt\n\nsalt.weigh()",
        "outputs": [
            {"output_type": "stream", "text": ["seven \u001b[31mjars\u001b[0m\n"]},
            {"output_type": "display_data", "data": {"image/png": "aGVyb24=", "text/plain": ["<Figure>"]}},
            {"output_type": "error", "ename": "ValueError", "evalue": "too wet", "traceback": ["no"]},
        ],
    },
    {"cell_type": "raw", "source": "left as it is"},
    {"cell_type": "code", "source": [], "outputs": []},
    {"cell_type": "markdown", "source": "## Neaps\n"},
    {"cell_type": "code", "source": "x = 1"},
]
METADATA = {
    "title": "On tides",
    "authors": [{"name": "Ines Marlock"}, "Rufus"],
    "kernelspec": {"language": "julia"},
    "tags": ["salt"],
}


def notebook(cells: list[dict[str, Any]] = CELLS, **more: object) -> str:
    return json.dumps({"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5, **more})


def test_every_cell_is_read_at_its_place(tmp_path: Path) -> None:
    document = read(tmp_path, "a.ipynb", notebook())
    assert [(block.place, block.kind, block.span.of(document.text)) for block in document.blocks] == [
        ("cell 1", BlockKind.HEADING, "Tides"),
        ("cell 1", BlockKind.PARAGRAPH, "Words of the *quay*."),
        ("cell 1", BlockKind.LIST, "- an item"),
        ("cell 2", BlockKind.CODE, "import salt"),
        ("cell 2", BlockKind.CODE, "salt.weigh()"),
        ("cell 2", BlockKind.CODE, "Output: seven jars"),
        ("cell 2", BlockKind.CODE, "Output: <Figure>"),
        ("cell 2", BlockKind.CODE, "Output: ValueError: too wet"),
        ("cell 3", BlockKind.PARAGRAPH, "left as it is"),
        ("cell 5", BlockKind.HEADING, "Neaps"),
        ("cell 6", BlockKind.CODE, "x = 1"),
    ]
    assert (document.kind, document.title, document.verbatim) == ("ipynb", "On tides", False)


def test_metadata_becomes_fields(tmp_path: Path) -> None:
    fields = read(tmp_path, "a.ipynb", notebook()).fields
    assert fields["author"] == ("Ines Marlock", "Rufus")
    assert (fields["kernel"], fields["tags"]) == (("julia",), ("salt",))


def test_a_heading_leads_the_cells_below_it(tmp_path: Path) -> None:
    document = read(tmp_path, "a.ipynb", notebook())
    cut = make_chunker("parent_child").chunk(document)
    found = next(chunk for chunk in cut.chunks if "salt.weigh" in chunk.text)
    assert found.part == "cell 2"
    assert cut.sections[found.section].heading_path == ("Tides",)


def test_the_third_format_is_read_too(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["Tides"]},
        {"cell_type": "code", "input": ["x = 1"], "outputs": [{"output_type": "pyout", "text": ["one"]}]},
    ]
    text = json.dumps({"worksheets": [{"cells": cells}], "metadata": {"name": ""}, "nbformat": 3})
    document = read(tmp_path, "a.ipynb", text)
    assert headings(document) == [(2, "Tides")]
    assert document.text == "Tides\n\nx = 1\n\nOutput: one"


def test_a_long_output_is_cut(tmp_path: Path) -> None:
    outputs = [{"text": "word " * 10_000}, {"text": "more"}]
    document = read(tmp_path, "a.ipynb", notebook([{"cell_type": "code", "source": "x", "outputs": outputs}]))
    assert len(document.text) < 4_100
    assert document.text.endswith("word …")


@pytest.mark.parametrize("text", ['{"cells": [', "[]", '{"cells": 1}', '"words"', "[" * 20_000, "just words"])
def test_what_is_no_notebook_is_the_text_it_is(tmp_path: Path, text: str) -> None:
    document = read(tmp_path, "a.ipynb", text)
    assert (document.text, document.verbatim, document.kind) == (text, True, "ipynb")
    assert document.notes[-1].endswith("is no notebook that can be read; read as text")


def test_a_notebook_without_text_is_empty(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="no cell with text") as error:
        read(tmp_path, "a.ipynb", notebook([{"cell_type": "code", "source": []}]))
    assert error.value.status is DocumentStatus.EMPTY


def test_a_label_in_the_metadata_counts_wherever_it_stands(tmp_path: Path) -> None:
    cells = [{"cell_type": "markdown", "source": "word " * 9_000}]
    text = json.dumps({"cells": cells, "metadata": {"sensitivity": "restricted"}})
    assert read(tmp_path, "a.ipynb", text).fields["sensitivity"] == ("restricted",)


def test_half_a_character_is_no_text(tmp_path: Path) -> None:
    document = read(tmp_path, "a.ipynb", '{"cells": [{"cell_type": "code", "source": "a \\ud83d \\u0000 b"}]}')
    assert block_with(document, "a \ufffd \ufffd b").kind is BlockKind.CODE


ODD = st.recursive(
    st.none() | st.integers() | st.text("a#\n\u00e9", max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["cells", "source", "cell_type", "outputs", "data", "text/plain", "text", "metadata", "ename", "level"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(ODD, st.sampled_from(["markdown", "code", "heading", "raw"]))
def test_cells_of_any_shape_break_nothing(value: object, kind: str) -> None:
    cells = [
        {"cell_type": kind, "source": value, "outputs": value, "level": value},
        value,
        {"cell_type": "raw", "source": "x"},
    ]
    data = json.dumps({"cells": cells, "metadata": value}).encode()
    assert "x" in read_loaded(SourceFile(Path("a.ipynb"), "a.ipynb", data, len(data), 0.0)).text


@pytest.mark.parametrize("cell_type", ["raw", "markdown", "code"])
@pytest.mark.parametrize(
    "source",
    [
        "---\nsensitivity: restricted\n---\nwords",
        ["---\n", "sensitivity: restricted\n", "---\n", "words"],
        "sensitivity: restricted\n\nwords",
        ["# sensitivity: restricted\n", "words = 1"],
    ],
    ids=["front matter", "lines of front matter", "first line", "comment"],
)
def test_a_label_at_the_top_of_the_first_cell_with_text_counts(
    tmp_path: Path, cell_type: str, source: str | list[str]
) -> None:
    cells: list[dict[str, Any]] = [
        {"cell_type": "code", "source": []},
        {"cell_type": cell_type, "source": source},
    ]
    document = read(tmp_path, "a.ipynb", notebook(cells))
    assert document.fields["sensitivity"] == ("restricted",)
