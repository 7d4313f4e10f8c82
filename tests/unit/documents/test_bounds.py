"""What a file costs: no small file becomes a large document, and what is left out of a heading stays in the text."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.bounds import HEADING_CHARS, MAX_BLOCKS
from ragspine_tui.documents.lines import first_lines, line_ends, numbered_lines
from ragspine_tui.errors import ReadError
from tests.unit.documents.files import block_with, headings, read

LINES = st.lists(st.sampled_from(["a", "", "", " ", "\t ", "b c"]), max_size=20)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


@given(LINES, st.lists(ENDS, min_size=20, max_size=20))
def test_kept_lines_are_those_of_the_text_with_their_numbers(parts: list[str], ends: list[str]) -> None:
    text = "".join(part + end for part, end in zip(parts, ends, strict=False))
    lines = numbered_lines(text)
    kept = [(lines.numbers[n], lines.starts[n], lines.line(n)) for n in range(len(lines))]
    every = first_lines(text, 100)
    assert all(every[number - 1] == line for number, _, line in kept)
    assert all(line_ends(text, 0, start) == number - 1 for number, start, _ in kept)
    numbers = {number for number, _, _ in kept}
    assert {1, len(every)} <= numbers
    left_out = [number for number in range(1, len(every) + 1) if number not in numbers]
    assert not any("".join(every[number - 2 : number + 1]).strip() for number in left_out)


@pytest.mark.parametrize("blank", ["\n", " \t\n", "\r\n", "\r"])
@pytest.mark.parametrize("name", ["a.md", "a.txt", "a.py"])
def test_blank_lines_cost_nothing_and_are_counted(tmp_path: Path, name: str, blank: str) -> None:
    content = "first" + "\n" + blank * 200_000 + "second"
    tracemalloc.start()
    try:
        document = read(tmp_path, name, content)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 12 * len(content) + 500_000
    assert len(document.blocks) == 2
    second = block_with(document, "second")
    assert second.line in (None, 200_002)


def test_an_open_fence_reaches_over_blank_lines(tmp_path: Path) -> None:
    document = read(tmp_path, "a.md", "```\n" + "\n" * 50 + "inner\n" + "\n" * 50)
    assert [block.span.of(document.text) for block in document.blocks] == [document.text]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.md", "# " + "long " * 10_000 + "end\n\nbody\n"),
        ("a.md", "# " + "*long* " * 10_000 + "end\n\nbody\n"),
        ("a.md", "long line\n" * 10_000 + "end\n===\n\nbody\n"),
        ("a.html", "<h1>" + "long " * 10_000 + "end</h1><p>body"),
    ],
)
def test_a_heading_without_end_names_with_its_beginning(tmp_path: Path, name: str, content: str) -> None:
    document = read(tmp_path, name, content)
    ((level, heading),) = headings(document)
    assert (level, heading[:10]) in ((1, "long long "), (1, "long line "))
    assert len(heading) <= HEADING_CHARS
    assert len(document.title) <= HEADING_CHARS
    assert document.text.count("long") == 10_000
    assert "end" in document.blocks[0].span.of(document.text)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.md", "# a\n" * (MAX_BLOCKS + 1)),
        ("a.txt", "a\n\n" * (MAX_BLOCKS + 1)),
        ("a.py", "a\n\n" * (MAX_BLOCKS + 1)),
    ],
)
def test_too_many_paragraphs_are_told(tmp_path: Path, name: str, content: str) -> None:
    with pytest.raises(ReadError, match="split it") as caught:
        read(tmp_path, name, content)
    assert caught.value.status == "too_large"


def test_a_rule_below_a_table_ends_it(tmp_path: Path) -> None:
    assert headings(read(tmp_path, "a.md", "| a | b |\n| - | - |\n---\nwords\n===\n")) == [(1, "words")]


def test_signs_of_a_table_in_a_vast_line_are_read_once(tmp_path: Path) -> None:
    assert "end" in read(tmp_path, "a.md", "|a\n-" + " " * 100_000 + "|x\n\nend").text
    assert "end" in read(tmp_path, "a.md", "|" + "a" * 200_000 + "|\n|-|\n" + "===\n" * 50_000 + "\nend").text
