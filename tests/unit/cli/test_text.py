"""Text for terminals: nothing a terminal obeys, no line wider than it, nothing lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.cli.text import cells, marked, one_line, table, wrapped
from ragspine_tui.printable import printable
from ragspine_tui.types import Span

TEXTS = st.text(
    st.one_of(st.sampled_from(" \n\t\rab-。、漢字かなｶﾅ한글ก็é\u0301\x1b\u202e\x00"), st.characters()), max_size=200
)


def printed(text: str, width: int) -> list[str]:
    """The text as it would be printed, without marks."""
    return [marked(text, line, (), str) for line in wrapped(text, width)]


@given(TEXTS, st.integers(4, 40))
def test_no_line_is_wider_than_asked(text: str, width: int) -> None:
    assert all(cells(line) <= width for line in printed(text, width))


@given(TEXTS, st.integers(4, 40))
def test_wrapping_loses_nothing_but_white_space(text: str, width: int) -> None:
    lines = list(wrapped(text, width))
    assert "".join("".join(line.of(text).split()) for line in lines) == "".join(text.split())


@given(TEXTS)
def test_without_a_width_no_line_is_broken_and_tabs_stay(text: str) -> None:
    lines = [marked(text, line, (), str, tabs=True) for line in wrapped(text, None)]
    assert lines == [printable(line.rstrip()) for line in text.splitlines()]


@given(TEXTS, st.integers(4, 40))
def test_nothing_printed_is_obeyed_by_a_terminal(text: str, width: int) -> None:
    for line in [*printed(text, width), one_line(text), *table(("a", "b"), [(text, text)])]:
        assert not any(ord(character) < 32 or 127 <= ord(character) < 160 for character in line)
        assert not set(line) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
        line.encode()


def test_words_stay_whole_where_they_fit() -> None:
    assert printed("the dippers under the weir", 12) == ["the dippers", "under the", "weir"]


def test_japanese_breaks_between_characters_but_not_before_a_full_stop() -> None:
    assert printed("出汁を引く。椀に注ぐ", 10) == ["出汁を引", "く。椀に注", "ぐ"]


def test_a_line_never_begins_with_the_space_it_was_broken_at() -> None:
    assert printed("出汁を引く 椀", 10) == ["出汁を引く", "椀"]
    assert printed("出汁を引く  椀", 10) == ["出汁を引く", "椀"]


def test_line_breaks_and_indentation_of_the_text_are_kept() -> None:
    assert printed("def f():\n\treturn 1\r\n\r\nend", 40) == ["def f():", "    return 1", "", "end"]


def test_found_words_are_marked_across_a_line_break() -> None:
    text = "alpha beta gamma"
    found = (Span(6, 16),)
    assert [marked(text, line, found, lambda part: f"<{part}>") for line in wrapped(text, 11)] == [
        "alpha <beta >",
        "<gamma>",
    ]


def test_a_table_is_aligned_by_cells_and_numbers_to_the_right() -> None:
    rows = [("daidokoro", "17"), ("台所", "1,204")]
    assert table(("library", "documents"), rows, numbers=(1,)) == [
        "library    documents",
        "daidokoro         17",
        "台所           1,204",
    ]


def test_names_in_a_table_show_their_bytes_and_line_breaks() -> None:
    assert table(("document",), [("\udcff\n.md",)])[1] == "\\xff\\n.md"
