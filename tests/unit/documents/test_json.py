"""JSON: values as they are meant, at their lines, however deep; what is no JSON is the text it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.reader import read_loaded
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.errors import ReadError
from ragspine_tui.types import DocumentStatus
from tests.unit.documents.files import read, texts

SCALARS = st.one_of(st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=8), st.integers())
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc"), inner, max_size=3)
)


def made(name: str, data: bytes) -> str:
    return read_loaded(SourceFile(Path(name), name, data, len(data), 0.0)).text


def test_the_values_of_an_object_stand_together_below_its_path(tmp_path: Path) -> None:
    text = '{"shelf": {\n "books": [\n\n  {"title": "Rope", "pages": 12},\n  {"title": "Tar"}\n ]\n},\n"open": true}'
    document = read(tmp_path, "a.json", text)
    assert texts(document) == ["shelf.books\ntitle: Rope\npages: 12", "title: Tar", "open: true"]
    assert [block.line for block in document.blocks] == [4, 5, 8]
    assert (document.kind, document.title, document.verbatim) == ("json", "a.json", False)


def test_a_list_of_values_is_one_line(tmp_path: Path) -> None:
    document = read(tmp_path, "a.json", '{"town": "Murrisk", "at": [[53.8, -9.6], [1, 2]], "tags": ["salt", "wind"]}')
    assert document.text == "town: Murrisk\nat: 53.8, -9.6, 1, 2\ntags: salt, wind"
    assert document.fields["tags"] == ("salt", "wind")


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (r'"\u9ed2\u6f6e\tand \"more\" \\n"', '黒潮\tand "more" \\n'),
        (r'"\ud83d\ude00"', "\U0001f600"),
        (r'"half \ud83d, nul \u0000"', "half \ufffd, nul \ufffd"),
        (r'"one\r\ntwo\/"', "one\ntwo/"),
        ('"a\ttab as it is"', "a\ttab as it is"),
        ("-1.5e+3", "-1.5e+3"),
    ],
)
def test_escapes_say_what_they_mean(tmp_path: Path, written: str, shown: str) -> None:
    assert read(tmp_path, "a.json", f'{{"note": {written}}}').text == f"note: {shown}"


def test_comments_and_commas_too_many_are_no_fault(tmp_path: Path) -> None:
    document = read(tmp_path, "a.json", '// settings\n{\n  /* the colour */ "colour": "red",\n  "sizes": [1, 2,],\n}\n')
    assert document.text == "settings\n\nthe colour\ncolour: red\nsizes: 1, 2"
    assert document.notes == ()


@pytest.mark.parametrize(
    "text", ['{"a": 1', '{"a" 1}', "[1, 2}", '{"a": "open\n}', "{a: 1}", "[1 2]", "words", '"a" : 1']
)
def test_what_is_no_json_is_read_as_text_and_told(tmp_path: Path, text: str) -> None:
    document = read(tmp_path, "a.json", text)
    assert (document.text, document.verbatim, document.kind) == (text, True, "json")
    assert len(document.notes) == 1
    assert document.notes[0].endswith("is not valid JSON; read as text")


@pytest.mark.parametrize("text", ["[]", "{}", "[" * 20_000 + "]" * 20_000, '{"a":' * 5_000 + "{}" + "}" * 5_000])
def test_brackets_without_values_are_empty(tmp_path: Path, text: str) -> None:
    with pytest.raises(ReadError) as error:
        read(tmp_path, "a.json", text)
    assert error.value.status is DocumentStatus.EMPTY


def test_a_value_is_found_however_deep_it_lies(tmp_path: Path) -> None:
    document = read(tmp_path, "a.json", '{"deep":[' * 5_000 + '"heron"' + "]}" * 5_000)
    assert document.text.endswith("deep: heron")
    assert len(document.text) < 200


def test_lines_of_json_are_records_and_a_broken_one_is_kept(tmp_path: Path) -> None:
    text = '{"n": 1, "note": "caf\\u00e9"}\n\n{"n": 2, "bad\n{"n": 3, "in": {"x": "y"}}\n'
    document = read(tmp_path, "a.jsonl", text)
    assert texts(document) == ["n: 1\nnote: café", '{"n": 2, "bad', "n: 3", "in\nx: y"]
    assert [block.line for block in document.blocks] == [1, 3, 4, 4]
    assert document.notes == ("line 3: is not valid JSON; read as text",)


def test_what_names_the_document_becomes_fields(tmp_path: Path) -> None:
    text = '{"title": "Salt", "authors": ["Ines Marlock"], "date": "2024-03-05", "in": {"title": "no"}}'
    document = read(tmp_path, "a.json", text)
    assert document.title == "Salt"
    assert (document.fields["author"], document.fields["date"]) == (("Ines Marlock",), ("2024-03-05",))


def test_a_label_of_the_whole_object_counts_wherever_it_stands(tmp_path: Path) -> None:
    text = '{"notes": [' + '"word", ' * 9_000 + '""], "sensitivity": "restricted"}'
    assert read(tmp_path, "a.json", text).fields["sensitivity"] == ("restricted",)


@given(VALUES)
def test_every_string_of_any_json_is_in_the_text(value: object) -> None:
    text = made("a.json", json.dumps([value, "end"]).encode())
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
        else:
            assert str(one) in text


@given(st.text('{}[],:"\\u0 1tn/*', max_size=30), st.sampled_from(["a.json", "a.jsonl"]))
def test_no_signs_whatever_break_the_reader(signs: str, name: str) -> None:
    assert "word" in made(name, f'{{"a": "word"}}\n{signs}'.encode())
