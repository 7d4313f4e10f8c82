"""What holds for every format whose text is the decoded file: nothing is lost, and blocks are whole lines in order."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.reader import read_loaded
from ragspine_tui.documents.source_file import SourceFile

PIECES = st.sampled_from(
    [
        *("====", "----", "~~~~\n", "==", "= T", "* T", "** TODO x", "#+BEGIN_SRC", "#+END_SRC", "#+TITLE: x", ":a: b"),
        *(".. code::", ".. meta::", ":PROPERTIES:", ":END:", "|===", "| a | b |", "====  ===", "+---+", "::", "- x"),
        *(
            "\n",
            "\n\n",
            "\r\n",
            "\r",
            "   ",
            "words",
            "漢字",
            "```",
            "////",
            "\x0c",
            "[section]",
            "key: value",
            "---\n",
        ),
        *("key = 'value'", "'''", '"""', "|", ">-\n", "{", "["),
    ]
)


@pytest.mark.parametrize("name", ["a.rst", "a.org", "a.adoc", "a.yaml", "a.toml"])
@given(pieces=st.lists(PIECES, max_size=40))
def test_any_lines_whatever_are_read_whole(name: str, pieces: list[str]) -> None:
    text = "words\n" + "".join(pieces)
    data = text.encode()
    document = read_loaded(SourceFile(Path(name), name, data, len(data), 0.0))
    assert document.text == text
    ends = [0]
    for block in document.blocks:
        assert ends[-1] <= block.span.start < block.span.end
        ends.append(block.span.end)
        before = text[: block.span.start].replace("\r\n", "\n").replace("\r", "\n")
        assert block.line == before.count("\n") + 1
    gaps = [text[end : block.span.start] for end, block in zip(ends, document.blocks, strict=False)]
    # Only rules, delimiters and white space stand outside of blocks.
    assert not any(map(str.isalnum, "".join(gaps)))
    assert all(first.line < second.line for first, second in pairwise(document.blocks) if first.line and second.line)


@pytest.mark.parametrize(
    ("name", "top"),
    [
        ("a.rst", ".. -*- coding: iso-8859-2 -*-"),
        ("a.org", "# -*- coding: iso-8859-2 -*-"),
        ("a.adoc", "// -*- coding: iso-8859-2 -*-"),
        ("a.yaml", "# coding: iso-8859-2"),
        ("a.tex", "% -*- coding: iso-8859-2 -*-\n\\section{x}"),
        ("a.tex", "\\usepackage[latin2]{inputenc}\n\\section{x}"),
        ("a.1", "'\\\" -*- coding: iso-8859-2 -*-\n.TH A 1"),
    ],
)
def test_the_encoding_that_a_comment_names_counts(name: str, top: str) -> None:
    data = f"{top}\n\nżyrandol\n".encode("iso8859_2")
    document = read_loaded(SourceFile(Path(name), name, data, len(data), 0.0))
    assert "żyrandol" in document.text
    assert document.notes == ()
