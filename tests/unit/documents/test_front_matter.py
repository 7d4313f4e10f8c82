"""Front matter: the written strings, and no file lost to a slip in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragspine_tui.types import Document
from tests.unit.documents.files import headings, read


def fielded(folder: Path, inner: str, fence: str = "---") -> Document:
    return read(folder, "a.md", f"{fence}\n{inner}\n{fence}\n\nThe body is here.\n")


@pytest.mark.parametrize(
    ("inner", "field", "values"),
    [
        ("version: 1.10", "version", ("1.10",)),
        ("answer: no", "answer", ("no",)),
        ("when: 2020-02-30", "when", ("2020-02-30",)),
        ("year: 007", "year", ("007",)),
        ("created: {{date}}", "created", ("{{date}}",)),
        ("loc: [[Kyoto]]", "loc", ("[[Kyoto]]",)),
        ("loc:\n  - '[[Kyoto]]'\n  - [[Nara]]", "loc", ("[[Kyoto]]", "[[Nara]]")),
        ("Author: Mirela", "author", ("Mirela",)),
        ("authors: [A, B]", "author", ("A", "B")),
        ("lang: ja", "language", ("ja",)),
        ("place:\n  city: Nara\n  zip: 010", "place.zip", ("010",)),
        ("status: draft\nstatus: final", "status", ("draft", "final")),
        ("date: 2021-04-17", "year", ("2021",)),
        ("tags: rope, tar", "tags", ("rope", "tar")),
        ("tag: '#rope #tar'", "tags", ("rope", "tar")),
        ("empty:", "empty", ("",)),
    ],
)
def test_yaml_keeps_what_was_written(tmp_path: Path, inner: str, field: str, values: tuple[str, ...]) -> None:
    assert fielded(tmp_path, inner).fields[field] == values


def test_toml_gives_the_same_kind_of_strings(tmp_path: Path) -> None:
    inner = ['title = "Lamp"', "date = 2021-04-17", 'tags = ["brass", "night"]', "draft = false", "rating = 8.5"]
    fields = fielded(tmp_path, "\n".join([*inner, "[place]", 'city = "Nara"']), "+++").fields
    assert (fields["date"], fields["draft"], fields["rating"]) == (("2021-04-17",), ("false",), ("8.5",))
    assert (fields["tags"], fields["place.city"], fields["year"]) == (("brass", "night"), ("Nara",), ("2021",))


def test_a_colon_in_a_plain_title_costs_a_note_and_nothing_else(tmp_path: Path) -> None:
    document = fielded(tmp_path, "author: Pell\ntitle: a: b\nlist: [open")
    assert document.title == "a: b"
    assert document.fields["author"] == ("Pell",)
    assert "list" not in document.fields
    assert document.notes[0].startswith("line 3: front matter is not valid YAML")
    assert "The body is here." in document.text


def test_a_letterhead_between_rules_is_body(tmp_path: Path) -> None:
    document = read(tmp_path, "a.md", "---\n**LETTERHEAD**\n---\n\nDear all.\n")
    assert headings(document) == [(2, "LETTERHEAD")]
    assert document.notes[0].startswith("line 2:")


@pytest.mark.parametrize(
    "text", ["---\ntitle: Open\n\n# Body\n", "---\n", "---\njust words\n---\nmore\n", "+++\nnot toml\n+++\n"]
)
def test_what_is_no_front_matter_invents_no_field(tmp_path: Path, text: str) -> None:
    document = read(tmp_path, "a.md", text)
    assert set(document.fields) == {"kind", "name", "ext", "size", "modified"}
    assert document.text == text


@pytest.mark.parametrize(
    "inner",
    [
        "key: " + "[" * 50_000,
        "key: " + "- " * 50_000 + "x",
        "key: &a [*a]",
        "? " * 30_000 + "x",
        "a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c]",
        "l0: &l0 []\n" + "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 30)}]\n" for n in range(1, 7)),
        "l0: &l0 {}\n" + "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 30)}]\n" for n in range(1, 7)),
        "a: &a [[" + "x" * 200_000 + "]]\nb: [" + ", ".join(["*a"] * 9_000) + "]",
        "k:\n  " + "-  " * 60_000 + "x",
        "k:\n  " + "- ? " * 60_000 + "x",
        "k: !!python/object/apply:os.system ['true']",
        "k: \x07",
        "- a\n- b",
    ],
)
def test_hostile_front_matter_costs_no_body(tmp_path: Path, inner: str) -> None:
    assert "The body is here." in fielded(tmp_path, inner).text


@pytest.mark.parametrize("inner", [".".join("a" * 60_000) + " = 1", "[" + ".".join("a" * 60_000) + "]"])
def test_a_long_row_of_dotted_keys_costs_no_body(tmp_path: Path, inner: str) -> None:
    assert "The body is here." in fielded(tmp_path, inner, "+++").text


def test_what_aliases_stand_for_is_read_where_it_is_little(tmp_path: Path) -> None:
    fields = fielded(tmp_path, "base: &b {city: Nara, tags: [rope]}\nplace: *b\nother: *b").fields
    assert (fields["place.city"], fields["other.tags"]) == (("Nara",), ("rope",))


def test_a_huge_value_does_not_become_a_field(tmp_path: Path) -> None:
    document = fielded(tmp_path, "big: " + "x" * 100_000 + "\nsmall: y")
    assert "big" not in document.fields
    assert document.fields["small"] == ("y",)
    assert any("big" in note for note in document.notes)


def test_fields_are_bounded_in_number(tmp_path: Path) -> None:
    fields = fielded(tmp_path, "\n".join(f"key{n}: v" for n in range(1_000)) + "\nmany: [" + "a," * 20 + "b]").fields
    assert len(fields) <= 130
