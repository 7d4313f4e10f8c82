"""A document's own label of sensitivity: no slip, length or odd form in the head of a file hides it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragspine_tui.documents.sensitivity import label_of
from ragspine_tui.types import Library, Sensitivity
from tests.unit.documents.files import read

PUBLIC = Library("lib", "/lib", sensitivity=Sensitivity.PUBLIC)
MANY = "\n".join(f"key{n}: v" for n in range(150))
TAGS = "tags: [" + ", ".join(f"t{n}" for n in range(5_001)) + "]"
BROKEN = "title: a: b"
LABEL = "sensitivity: restricted"


def label(folder: Path, content: str | bytes, name: str = "a.md") -> str:
    document = read(folder, name, content)
    return label_of(document, PUBLIC)[0].value


def note(folder: Path, content: str) -> str:
    return label_of(read(folder, "a.md", content), PUBLIC)[1]


def fenced(inner: str, fence: str = "---") -> str:
    return f"{fence}\n{inner}\n{fence}\n\nThe body is here.\n"


@pytest.mark.parametrize(
    "inner",
    [
        f"{MANY}\n{LABEL}",
        f"{TAGS}\n{LABEL}",
        f"{BROKEN}\n" + "x: y\n" * 600 + LABEL,
        "x: y\n" * 2_500 + LABEL,
        "sensitivity: [restricted",
        "sensitivity: {a: restricted}",
        "sensitivity: [restricted]",
        "sensitivity: []",
        "sensitivity: [public]",
        "sensitivity:",
        "sensitivity: ''",
        "sensitivity:\n  - restricted",
        "sensitivity:\n  restricted",
        "sensitivity: >\n  restricted",
        "sensitivity: public\n  restricted",
        f"{BROKEN}\nsensitivity: public\n  restricted",
        "sensitivity: public, restricted",
        "sensitivity: " + "restricted" * 150,
        f"{BROKEN}\n  {LABEL}",
        f"{BROKEN}\nsensitivity: [restricted]",
        f"\t{LABEL}",
        f"meta:\n  {LABEL}",
        f"meta: {{a: 1, {LABEL}}}",
        f"- {LABEL}",
        f"base: &b\n  {LABEL}\n<<: *b",
        f"<<: {{{LABEL}}}",
        "? sensitivity\n: restricted",
        "word: &k sensitivity\n*k : restricted",
        '"sens\\x69tivity": restricted',
        f'{BROKEN}\n"sens\\u0069tivity": restricted',
        "!!str sensitivity: restricted",
        "'sensitivity' : \"restricted\"",
        "Sensitivity: Restricted",
        "SENSITIVITY:restricted",
        "ＳＥＮＳＩＴＩＶＩＴＹ：ＲＥＳＴＲＩＣＴＥＤ",
        "sensi\u00adtivity\u200b: restricted",
        "sensitivity = restricted",
        "sensitivity.level: restricted",
        "sensitivity: public\nsensitivity: restricted",
        "sensitivity: restricted # for now",
        "sensitivity: top secret",
        "a: 1\vsensitivity: restricted",
        "a: " + "[" * 300 + f"\n{LABEL}",
    ],
)
def test_a_label_that_is_not_plainly_open_restricts(tmp_path: Path, inner: str) -> None:
    assert label(tmp_path, fenced(inner)) == "restricted"


@pytest.mark.parametrize(
    "inner",
    [
        'sensitivity = "restricted"',
        "sensitivity = ['restricted']",
        'title = "x"\n[sensitivity]\nlevel = "public"',
        '[[sensitivity]]\nlevel = "public"',
        '[meta.sensitivity]\nlevel = "public"',
        'meta.sensitivity = "restricted"',
        'sensitivity.level = "public"',
        'meta = {a = 1, sensitivity = "restricted"}',
        '"sens\\u0069tivity" = "restricted"',
        'not toml at all\nsensitivity = "restricted"',
    ],
)
def test_a_label_in_toml_that_is_not_plainly_open_restricts(tmp_path: Path, inner: str) -> None:
    assert label(tmp_path, fenced(inner, "+++")) == "restricted"


@pytest.mark.parametrize(
    "text",
    [
        f"---\ntitle: x\n{LABEL}\n\nnever closed\n",
        f"---\njust words\n{LABEL}\nnever closed\n",
        "---\n" + "words\n" * 5_000 + f"{LABEL}\n",
        f"\n \n{fenced(LABEL)}",
        f"\ufeff\n\ufeff{fenced(LABEL)}",
        f"--- \n{LABEL}\n---\nbody",
        f"---yaml\n{LABEL}\n---\nbody",
        f"--- # head\n{LABEL}\n---\nbody",
        f"--- {{{LABEL}}}\n---\nbody",
        f"%YAML 1.2\n---\n{LABEL}\n---\nbody",
        fenced(LABEL).replace("\n", "\r\n"),
        fenced(LABEL).replace("\n", "\r"),
        f"---\n**LETTERHEAD**\n{LABEL}\n---\nDear all\n",
    ],
)
def test_a_head_of_any_form_is_looked_through(tmp_path: Path, text: str) -> None:
    assert label(tmp_path, text) == "restricted"


@pytest.mark.parametrize("name", ["a.txt", "a.org", "a.rst", "a.tex", "a.yaml", "a.py", "NOTES", "a.html", "a.log"])
def test_every_text_file_may_carry_such_a_head(tmp_path: Path, name: str) -> None:
    assert label(tmp_path, fenced(LABEL), name) == "restricted"
    assert label(tmp_path, fenced("sensitivity: internal"), name) == "internal"
    assert label(tmp_path, fenced("title: x"), name) == "public"


def test_the_encoding_of_a_file_hides_no_label(tmp_path: Path) -> None:
    assert label(tmp_path, b"\xff\xfe" + fenced(LABEL).encode("utf-16-le")) == "restricted"
    assert label(tmp_path, fenced(f"title: caf\u00e9\n{LABEL}").encode("latin-1")) == "restricted"


@pytest.mark.parametrize(
    "meta",
    [
        '<meta name="sensitivity" content="restricted">',
        "<META CONTENT=Restricted NAME=Sensitivity />",
        "<meta name='sensitivity' content='top secret'>",
        "<meta name=sensitivity>",
        '<meta property="sensitivity" content="restricted">',
        '<meta name="sensitivity" content="public" content="restricted">',
        '<meta name="description" content="a > b"><meta content="x>" name="sensitivity">',
        "<meta name=sensitivity content=restricted",
        '<title>open<meta name="sensitivity" content="&#114;estricted">',
    ],
)
def test_a_meta_element_labels_a_page(tmp_path: Path, meta: str) -> None:
    assert label(tmp_path, f"<html><head>{meta}\n<body><p>words</p>", "a.html") == "restricted"


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("sensitivity: public", "public"),
        ("sensitivity: Internal  # for all of us", "internal"),
        ("sensitivity: ' INTERNAL '", "internal"),
        ("{title: x, sensitivity: internal, b: c}", "internal"),
        ("meta:\n  sensitivity: internal\n  other: x", "internal"),
        ("sensitivity: public\nsensitivity: internal", "internal"),
        ("sensitivity: internal\n\n# words\n  # words\ntitle: x", "internal"),
        (f"{MANY}\nsensitivity: internal", "internal"),
        ("title: On sensitivity: a study", "public"),
        ("# sensitivity: restricted", "public"),
        ("tags: [sensitivity, light]", "public"),
        ("tags:\n  - sensitivity", "public"),
        ("insensitivity: restricted\nsensitivity-test: restricted", "public"),
    ],
)
def test_a_plain_label_is_what_it_says(tmp_path: Path, inner: str, expected: str) -> None:
    assert label(tmp_path, fenced(inner)) == expected


@pytest.mark.parametrize(
    "text",
    [
        f"# Notes\n\n{fenced(LABEL)}",
        fenced("title: x") + f"\n{LABEL}\n",
        "Words first, and more of them than a title has, which end the head of this file at once, as words do.\n"
        + LABEL,
        f"A title\n\n{LABEL}\n",
        "insensitivity: restricted\n",
        "The sensitivity: restricted\n",
    ],
)
def test_the_body_of_a_file_labels_nothing(tmp_path: Path, text: str) -> None:
    assert label(tmp_path, text) == "public"


def test_a_page_without_a_label_has_none(tmp_path: Path) -> None:
    page = "<!-- <meta name=sensitivity content=restricted> --><meta name=author content=sensitivity><p>words"
    assert label(tmp_path, page, "a.html") == "public"
    assert label(tmp_path, '<meta name="sensitivity" content="internal"><p>words', "a.html") == "internal"


def test_an_unknown_label_is_told_without_its_value(tmp_path: Path) -> None:
    told = note(tmp_path, fenced("sensitivity: sekret-42"))
    assert "unknown sensitivity label" in told
    assert "sekret" not in told
    document = read(tmp_path, "a.md", fenced("sensitivity: sekret-42"))
    assert document.fields["sensitivity"] == ("unknown",)
    assert not any("sekret" in remark for remark in document.notes)


def test_a_restricted_library_stays_so_whatever_a_file_says(tmp_path: Path) -> None:
    document = read(tmp_path, "a.md", fenced("sensitivity: public"))
    library = Library("lib", "/lib", sensitivity=Sensitivity.RESTRICTED)
    assert label_of(document, library)[0] is Sensitivity.RESTRICTED
