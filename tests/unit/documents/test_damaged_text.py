"""Damaged files of every text format: whatever the bytes, there is a document or one honest reason for none."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.reader import read_loaded
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.errors import ReadError

FILES = {
    "a.rst": b"Rope\n====\n\n:Author: Ines\n\nLaid by::\n\n    hand\n\n====  ====\na     b\n====  ====\n",
    "a.org": b"#+TITLE: Rope\n* TODO Laid :x:\n:PROPERTIES:\n:A: b\n:END:\n#+BEGIN_SRC\nx\n#+END_SRC\n| a |\n",
    "a.adoc": b"= Rope\nInes <i@x.invalid>\n\n== Laid\n\n----\nby hand\n----\n|===\n| a\n|===\n",
    "a.tex": b"\\title{Rope}\n\\begin{document}\n\\section{Laid}\\'e $x$\\footnote{hand}\\end{document}",
    "a.csv": 'id,note\n1,"ca\u00f1amo, two\nlines"\n2,"half ""said"""\n'.encode(),
    "a.tsv": "id\tnote\n1\tK\u00f6ln\n".encode("utf-16"),
    "a.json": b'{"title": "Rope", "in": [{"a": "\\u00e9\\ud83d"}, [1, -2.5e3]], "b": null}',
    "a.jsonl": b'{"title": "Rope"}\n{"a": [1, {"b": "c"}]}\n',
    "a.yaml": b"title: Rope\nabout: >-\n  laid\n  by hand\nlist:\n  - a: b\n---\nmore: x\n",
    "a.toml": b'title = \'Rope\'\n[laid]\nby = """\nhand\n"""\n',
    "a.ipynb": b'{"cells": [{"cell_type": "code", "source": ["x"], "outputs": [{"text": "y"}]}], "metadata": {}}',
    "a.1": b".TH ROPE 1 2024-03-05\n.SH NAME\nrope \\- \\fBlaid\\fP\n.TS\nl l.\na\tb\n.TE\n.if n \\{\\\nx\n.\\}\n",
    "a.xml": b"<?xml version='1.0' encoding='latin-1'?><!DOCTYPE r [<!ENTITY a 'b'>]><r x='1'><t>\xe9 &a;</t></r>",
    "a.svg": b"<svg><title>Rope</title><text>laid <tspan x='1'>by hand</tspan></text></svg>",
}
DAMAGE = st.lists(
    st.tuples(st.sampled_from(["cut", "flip", "insert"]), st.integers(0, 200), st.binary(min_size=1, max_size=3)),
    min_size=1,
    max_size=4,
)


def damaged(data: bytes, damage: list[tuple[str, int, bytes]]) -> bytes:
    for way, place, piece in damage:
        place %= len(data) + 1
        if way == "cut":
            data = data[:place]
        elif way == "flip":
            data = data[:place] + piece + data[place + len(piece) :]
        else:
            data = data[:place] + piece + data[place:]
    return data


GROUPS = {
    "lines": ["a.rst", "a.org", "a.adoc", "a.yaml", "a.toml"],
    "values": ["a.csv", "a.tsv", "a.json", "a.jsonl", "a.ipynb"],
    "markup": ["a.tex", "a.1", "a.xml", "a.svg"],
}


@pytest.mark.parametrize("group", GROUPS)
@given(choice=st.data(), damage=DAMAGE)
def test_damage_of_any_kind_gives_a_document_or_a_reason(
    group: str, choice: st.DataObject, damage: list[tuple[str, int, bytes]]
) -> None:
    name = choice.draw(st.sampled_from(GROUPS[group]))
    data = damaged(FILES[name], damage)
    source = SourceFile(Path(name), name, data, len(data), 0.0)
    try:
        document = read_loaded(source)
    except ReadError as error:
        assert error.status
        return
    end = 0
    for block in document.blocks:
        assert end <= block.span.start < block.span.end <= len(document.text)
        end = block.span.end
    # Neither half a character nor NUL may reach the database.
    assert b"\0" not in document.text.encode()
