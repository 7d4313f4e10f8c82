"""Source code: every definition opens a section, with what stands directly above it, and nothing else does."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.code_reader import code_blocks
from ragspine_tui.documents.languages import FAMILIES
from ragspine_tui.retrieval.chunking.chunker import make_chunker
from ragspine_tui.types import BlockKind
from tests.unit.documents.files import headings, read, texts

PYTHON = '''"""Ropes.

def no_definition():
"""
import os

LENGTH = 3


# How long it is.
@cached(
    size=3,
)
async def measure(
    rope,
    *,
    wet=False,
):
    """Its length.

class NotOne:
    """

    def inner():
        return "def quoted():"
    return inner


class Rope(Thing):
    """A rope."""

    @property
    def strands(self) -> int:
        return 3

    class Meta:
        pass


def short(): return 1
def shorter(): return 2
if os.name:
    def hidden():
        pass
'''


def test_python_definitions_and_methods_are_headings(tmp_path: Path) -> None:
    assert headings(read(tmp_path, "a.py", PYTHON)) == [
        (1, "async def measure(rope, *, wet=False)"),
        (1, "class Rope(Thing)"),
        (2, "def strands(self) -> int"),
        (2, "class Meta"),
        (1, "def short()"),
        (1, "def shorter()"),
    ]


def test_decorators_and_comments_belong_to_the_definition_below(tmp_path: Path) -> None:
    found = texts(read(tmp_path, "a.py", PYTHON), BlockKind.HEADING)
    assert found[0].startswith("# How long it is.\n@cached(")
    assert found[0].endswith("):")
    assert found[2].lstrip() == "@property\n    def strands(self) -> int:"


def test_each_definition_is_a_section_and_what_stands_before_is_the_first(tmp_path: Path) -> None:
    document = read(tmp_path, "a.py", PYTHON)
    sections = make_chunker().chunk(document).sections
    assert [section.heading_path[-1:] for section in sections] == [
        (),
        ("async def measure(rope, *, wet=False)",),
        ("class Rope(Thing)",),
        ("def strands(self) -> int",),
        ("class Meta",),
        ("def short()",),
        ("def shorter()",),
    ]
    assert "".join(section.span.of(document.text) for section in sections) == PYTHON


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "a.c",
            "#include <x.h>\n/*\nint no(void) {\n*/\nint later(void);\nstatic int\nhaul(int a,\n     char *b)\n{\n"
            "  if (a) {\n  }\n}\nstruct rope {\n  int n;\n};\nstruct rope *next;\nMODULE(x);\n",
            [(1, "haul(int a, char *b)"), (1, "struct rope")],
        ),
        (
            "a.cpp",
            "namespace sea {\nclass Rope : public Thing {\n  int n() const {\n    while (x) {\n    }\n  }\n};\n}\n"
            "int Rope::haul(int a) {\n}\n",
            [
                (1, "namespace sea"),
                (1, "class Rope : public Thing"),
                (2, "int n() const"),
                (1, "int Rope::haul(int a)"),
            ],
        ),
        (
            "a.java",
            "import a.B;\n\n/** Says. */\npublic final class Rope {\n    private int n = of(3);\n    @Override\n"
            "    public int haul(int a) throws X {\n        for (int i : b) {\n        }\n    }\n}\n",
            [(1, "public final class Rope"), (2, "public int haul(int a) throws X")],
        ),
        (
            "a.cs",
            "namespace Sea\n{\n    public class Rope\n    {\n        int Haul(int a)\n        {\n        }\n    }\n}\n",
            [(1, "namespace Sea"), (2, "public class Rope"), (3, "int Haul(int a)")],
        ),
        (
            "a.go",
            "package sea\n\n// Rope is one.\ntype Rope struct {\n\tn int\n}\n\nfunc (r *Rope) Haul(a int) error {\n}\n",
            [(1, "type Rope struct"), (1, "func (r *Rope) Haul(a int) error")],
        ),
        (
            "a.rs",
            "use x;\n\n#[derive(Debug)]\npub struct Rope<'a> {\n}\n\nimpl<'a> Rope<'a> {\n"
            "    pub fn haul(&self) -> u8 {\n        fn inner() {}\n    }\n}\npub(crate) async fn go() {}\n",
            [
                (1, "pub struct Rope<'a>"),
                (1, "impl<'a> Rope<'a>"),
                (2, "pub fn haul(&self) -> u8"),
                (1, "pub(crate) async fn go()"),
            ],
        ),
        (
            "a.ts",
            'const g = "src/**/x";\nexport interface Rope {\n  n: number;\n}\nexport type Id = string;\n'
            "export default class Sea {\n  async haul(a: number): Promise<void> {\n    if (a) {\n    }\n  }\n}\n"
            "export const tie = async (a) => {\n};\nfunction go({ a }) {\n}\nrun(1, () => {\n});\n",
            [
                (1, "export interface Rope"),
                (1, "export type Id = string"),
                (1, "export default class Sea"),
                (2, "async haul(a: number): Promise<void>"),
                (1, "export const tie = async (a) =>"),
                (1, "function go({ a })"),
            ],
        ),
        (
            "a.rb",
            "module Sea\n  class Rope < Thing\n    # Hauls.\n    def haul(a)\n    end\n  end\nend\n",
            [(1, "module Sea"), (2, "class Rope < Thing"), (3, "def haul(a)")],
        ),
        (
            "a.sh",
            "#!/bin/sh\nrm /tmp/*\nhaul() {\n  x\n}\nfunction tie {\n  y\n}\n",
            [(1, "haul()"), (1, "function tie")],
        ),
        ("rope", "#!/usr/bin/env python3\ndef haul():\n    pass\n", [(1, "def haul()")]),
        ("a.lua", "local function haul(a)\nend\n", [(1, "local function haul(a)")]),
        ("a.yaml", "def x():\n  class: y\n", []),
    ],
)
def test_definitions_of_each_family(tmp_path: Path, name: str, text: str, expected: list[tuple[int, str]]) -> None:
    assert headings(read(tmp_path, name, text)) == expected


def test_a_comment_above_belongs_to_its_definition_in_braces_too(tmp_path: Path) -> None:
    text = "int x;\n\n/*\n  Hauls.\n */\n[[nodiscard]]\nstatic int\nhaul(int a)\n{\n}\n"
    assert texts(read(tmp_path, "a.c", text), BlockKind.HEADING) == [text[8 : text.index("\n{")]]


def test_a_long_definition_has_a_short_heading(tmp_path: Path) -> None:
    (found,) = headings(read(tmp_path, "a.py", f"def haul({'rope, ' * 100}):\n    pass\n"))
    assert len(found[1]) <= 120


def test_code_without_a_definition_is_cut_at_blank_lines(tmp_path: Path) -> None:
    document = read(tmp_path, "a.py", "import os\n\n\nprint(os)\n")
    assert texts(document) == ["import os", "print(os)\n"]
    assert headings(document) == []


PIECES = st.sampled_from(
    ["def a():", "class B:", "    def c(self):", "int d(int a)", "{", "}", "@e", "# f", "/* g", "*/", '"""', "'", "",
     "func h() {", "pub fn i() {", "struct J;", "(", ")", "    x = 1", "k() {", "const l = () => {", "\t", "// m"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=25), st.sampled_from(["\n", "\r\n", "\r"]), st.sampled_from(sorted(FAMILIES)))
def test_blocks_are_in_order_and_hold_all_that_is_no_white_space(lines: list[str], end: str, suffix: str) -> None:
    text = end.join(lines)
    place = 0
    for block in code_blocks(text, suffix):
        assert place <= block.span.start < block.span.end <= len(text)
        assert not text[place : block.span.start].strip()
        assert block.kind is BlockKind.CODE or block.heading
        place = block.span.end
    assert not text[place:].strip()
