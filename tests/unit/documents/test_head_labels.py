"""A label at the very top of any text file restricts it without front matter, and what only looks like one is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.head_labels import head_labels
from ragspine_tui.documents.sensitivity import label_of
from ragspine_tui.types import NOT_RESTRICTED, Library, Sensitivity
from tests.unit.documents.files import read

PUBLIC = Library("lib", "/lib", sensitivity=Sensitivity.PUBLIC)


def label(folder: Path, name: str, content: str) -> str:
    return label_of(read(folder, name, content), PUBLIC)[0].value


def doubts(folder: Path, name: str, content: str) -> list[str]:
    document = read(folder, name, content)
    assert label_of(document, PUBLIC)[0] is not Sensitivity.RESTRICTED
    return [note for note in document.notes if NOT_RESTRICTED in note]


@pytest.mark.parametrize(
    ("name", "top"),
    [
        ("h.txt", "sensitivity: restricted"),
        ("h.txt", "\n\n\ufeffSensitivity : RESTRICTED"),
        ("h.txt", "ＳＥＮＳＩＴＩＶＩＴＹ：ＲＥＳＴＲＩＣＴＥＤ"),
        ("h.txt", "Sensitivity = restricted"),
        ("h.txt", "sensitivity - restricted"),
        ("h.txt", "sensitivity restricted"),
        ("h.txt", "[sensitivity: restricted]"),
        ("h.txt", "From: Ines\nTo: all\nSensitivity: restricted"),
        ("h.txt", "The letter to the board\nsensitivity: restricted"),
        ("h.txt", "sensitivity: top secret"),
        ("h.txt", "sensitivity:\n  restricted"),
        ("h.txt", "sensitivity: public, restricted"),
        ("h.txt", "sensitivity: restricted to those who sat on the board that year and no one else"),
        ("h.log", "# sensitivity: restricted"),
        ("h.md", "sensitivity: restricted"),
        ("h.md", "**Sensitivity:** restricted"),
        ("h.md", "# Sensitivity: restricted"),
        ("h.md", "> sensitivity: restricted"),
        ("h.md", "- sensitivity: restricted"),
        ("h.md", "<!-- sensitivity: restricted -->"),
        ("h.md", "<!--\nsensitivity: restricted\n-->"),
        ("h.md", "```\nsensitivity: restricted\n```"),
        ("h.org", "#+SENSITIVITY: restricted"),
        ("h.org", "#+TITLE: On salt\n#+sensitivity: Restricted"),
        ("h.org", ":PROPERTIES:\n:SENSITIVITY: restricted\n:END:"),
        ("h.rst", ".. sensitivity: restricted"),
        ("h.rst", "On salt\n=======\n\n:sensitivity: restricted"),
        ("h.adoc", "= On salt\n:sensitivity: restricted"),
        ("h.tex", "% sensitivity: restricted"),
        ("h.py", "# sensitivity: restricted"),
        ("h.py", "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n# sensitivity: restricted"),
        ("h.py", '"""\nsensitivity: restricted\n"""'),
        ("h.py", '__sensitivity__ = "restricted"'),
        ("h.js", "// sensitivity: restricted"),
        ("h.c", "/* sensitivity: restricted */"),
        ("h.c", "/*\n * sensitivity: restricted\n */"),
        ("h.sql", "-- sensitivity: restricted"),
        ("h.hs", "{- sensitivity: restricted -}"),
        ("h.bat", "REM sensitivity: restricted"),
        ("h.lisp", ";; sensitivity: restricted"),
        ("h.sh", "#!/bin/sh\nexport SENSITIVITY=restricted"),
        ("h.yaml", "sensitivity: restricted"),
        ("h.yaml", "title: x\ntags:\n  - a\nsensitivity: 'restricted' # for now"),
        ("h.yaml", "meta:\n  sensitivity: restricted"),
        ("h.yaml", "sensitivity: secret"),
        ("h.toml", 'sensitivity = "restricted"'),
        ("h.ini", "[document]\nsensitivity=restricted"),
        ("h.properties", "document.sensitivity=restricted"),
        ("h.json", '{"sensitivity": "restricted", "a": 1}'),
        ("h.json", '{\n  "a": 1,\n  "sensitivity": "restricted"\n}'),
        ("h.json", '{"a": 1, "sensitivity":"secret"}'),
        ("h.json", '{"sens\\u0069tivity": "restricted"}'),
        ("h.json", '{"meta": {"sensitivity": "restricted"}}'),
        ("h.json", '{"sensitivity": ["restricted"]}'),
        ("h.xml", '<?xml version="1.0"?>\n<doc sensitivity="restricted">\n<p>words</p></doc>'),
        ("h.xml", "<doc>\n<sensitivity>restricted</sensitivity>\n</doc>"),
        ("h.html", "<!-- sensitivity: restricted --><html><body><p>words"),
        ("h.html", "<!doctype html>\n<!--\nsensitivity: restricted\n-->\n<html><body><p>words"),
        ("h.html", "sensitivity: restricted\n<p>words"),
    ],
)
def test_a_label_at_the_top_of_any_text_file_restricts_it(tmp_path: Path, name: str, top: str) -> None:
    assert label(tmp_path, name, f"{top}\n\nThe words of the file are here.\n") == "restricted"


@pytest.mark.parametrize(
    ("name", "top", "expected"),
    [
        ("h.txt", "sensitivity: internal", "internal"),
        ("h.org", "#+SENSITIVITY: internal", "internal"),
        ("h.json", '{"sensitivity": "internal"}', "internal"),
        ("h.yaml", "title: x\nsensitivity: public", "public"),
        ("h.txt", "Sensitivity and restricted diets", "public"),
        ("h.txt", "Notes\n\nsensitivity: restricted", "public"),
        ("h.csv", "sensitivity,restricted", "public"),
        ("h.md", "# Sensitivity: an introduction", "public"),
        ("h.txt", "Urine culture\nSensitivity: nitrofurantoin", "public"),
        ("h.yaml", "camera:\n  sensitivity: high", "public"),
        ("h.json", '[{"drug": "x", "sensitivity": "high"}]', "public"),
        ("h.py", "import os\n\nsensitivity = 'restricted'", "public"),
        ("h.md", "Words.\n\n```yaml\nsensitivity: restricted\n```", "public"),
    ],
)
def test_other_words_at_the_top_restrict_nothing(tmp_path: Path, name: str, top: str, expected: str) -> None:
    assert label(tmp_path, name, f"{top}\n\nThe words of the file are here.\n") == expected


@pytest.mark.parametrize(
    ("name", "top", "said"),
    [
        ("h.md", "---\nsensitivty: restricted\n---", "line 2: 'sensitivty'"),
        ("h.md", "+++\nsensivity = 'Restricted'\n+++", "line 2: 'sensivity'"),
        ("h.md", "---\ntitle: x\nsensitivity level: confidential\n---", "line 3: 'sensitivity level'"),
        ("h.md", "---\nclassification: secret\n---", "line 2: 'classification'"),
        ("h.md", "---\naccess: restricted\n---", "line 2: 'access'"),
        ("h.txt", "sensitivty: restricted", "line 1: 'sensitivty'"),
        ("h.txt", "sensitvity: restrcted", "line 1: 'sensitvity'"),
        ("h.yaml", "title: x\nsensitive: restricted", "line 2: 'sensitive'"),
        ("h.json", '{\n"sensitivityLabel": "restricted"}', "line 2: 'sensitivitylabel'"),
        ("h.yaml", "sensitivity: 0.8", "line 1: sensitivity names no label"),
        ("h.txt", "Urine culture\nSensitivity: nitrofurantoin", "line 2: sensitivity names no label"),
        ("h.html", '<meta name="sensitivty" content="restricted"><p>x', "'sensitivty'"),
    ],
)
def test_what_only_looks_like_a_label_is_told_with_its_line(tmp_path: Path, name: str, top: str, said: str) -> None:
    told = doubts(tmp_path, name, f"{top}\n\nThe words of the file are here.\n")
    assert len(told) == 1
    assert told[0].startswith(said)
    assert "write sensitivity: restricted" in told[0]


@pytest.mark.parametrize(
    "top",
    [
        "---\ntitle: x\naccess: open\n---",
        "sensitivity_threshold: 0.5",
        "Note: a secret garden",
        "---\nmood: private\n---",
    ],
)
def test_ordinary_heads_are_not_remarked_on(tmp_path: Path, top: str) -> None:
    assert not doubts(tmp_path, "h.md", f"{top}\n\nwords\n")


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=200))
def test_any_text_below_a_label_leaves_it(rest: str) -> None:
    assert head_labels(f"sensitivity: restricted\n{rest}").labels[:1] == ("restricted",)


def test_the_head_costs_little_however_long_the_file_or_its_lines_are() -> None:
    for text in ('{"a' + '": 1, "b' * 1_000_000, "# " * 1_000_000, "sensitivity " * 100_000, "a.b" * 500_000 + ": x"):
        head_labels(text)
