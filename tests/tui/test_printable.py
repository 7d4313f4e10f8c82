"""Nothing a document says is obeyed by a terminal, and no span moves."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.printable import escaped, one_line, printable

ANY_TEXT = st.text(st.characters(), max_size=60)
HOSTILE = st.text(
    st.sampled_from("\x00\x07\x08\x1b\x7f\x80\x9b\x9d\xad\u061c\u200b\u200e\u202e\u2066\u2028\ufeff\udcff\r\n\ta[é日"),
    max_size=60,
)


def is_obeyed(char: str) -> bool:
    """Whether a terminal may act on the character rather than draw it."""
    return (
        unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") or char in "\u061c\u200b\u200e\u200f\u202a\u202e\u2066"
    )


@given(ANY_TEXT | HOSTILE)
def test_printable_text_is_as_long_and_holds_nothing_a_terminal_obeys(text: str) -> None:
    shown = printable(text)
    assert len(shown) == len(text)
    assert not any(is_obeyed(char) for char in shown if char not in "\n\t")


@given(ANY_TEXT | HOSTILE)
def test_one_line_is_as_long_and_has_no_line_break(text: str) -> None:
    shown = one_line(text)
    assert len(shown) == len(text)
    assert not any(is_obeyed(char) for char in shown)
    assert len(shown.splitlines()) <= 1


@given(ANY_TEXT | HOSTILE)
def test_escaped_text_is_one_line_that_can_be_encoded(text: str) -> None:
    shown = escaped(text)
    assert not any(is_obeyed(char) for char in shown)
    shown.encode("utf-8")


@pytest.mark.parametrize(
    "text", ["", "plain", "日本語 ｶﾀｶﾅ", "é e\u0301 नमस्ते", "a\u200db\u200c", "👩\u200d🔬", "[b]x[/]"]
)
def test_honest_text_stays_as_it_is(text: str) -> None:
    assert printable(text) == text == one_line(text) == escaped(text)


def test_escapes_name_what_was_there() -> None:
    assert escaped("a\x1b]52;c;x\x07\n\u202e\udcff\U000e0041") == "a\\x1b]52;c;x\\x07\\n\\u202e\\xff\\U000e0041"
    assert printable("\x1b[2J\x00\x7f") == "␛[2J␀␡"
