"""Conditions as people type them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ragspine_tui.errors import FilterError
from ragspine_tui.retrieval.filtering.textual import format_condition, parse_condition
from ragspine_tui.types import OPERATORS, Condition

# Dots, quotes, backslashes, signs and spaces of every kind come up far more often than in plain st.text().
TEXTS = st.text(
    st.one_of(st.sampled_from(" .,=<>!\"'\\()u{}\n\t\u3000日＝≥≤≠，、“”‘’＂（）…．"), st.characters()), max_size=12
)


@st.composite
def conditions(draw: st.DrawFn) -> Condition:
    """Any condition there can be."""
    op = draw(st.sampled_from(OPERATORS))
    value: Any = draw(TEXTS)
    if op in ("in", "nin"):
        value = draw(st.lists(TEXTS, max_size=3))
    elif op == "between":
        value = (draw(TEXTS), draw(TEXTS))
    return Condition(draw(TEXTS), op, value)


@given(conditions())
def test_every_condition_is_read_back_from_its_text(condition: Condition) -> None:
    text = format_condition(condition)
    assert parse_condition(text) == condition
    assert len(text.splitlines()) == 1


@given(TEXTS)
@example("author eq Ada\nByron x")
@example("author eq 'Ada\u2028 x")
def test_any_text_is_a_condition_or_a_filter_error_in_one_line(text: str) -> None:
    try:
        assert parse_condition(format_condition(parse_condition(text))) == parse_condition(text)
    except FilterError as error:
        assert len(str(error).splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("year eq 2009", Condition("year", "eq", "2009")),
        ("year = 2009", Condition("year", "eq", "2009")),
        ("year>=2009", Condition("year", "gte", "2009")),
        ("year<2009", Condition("year", "lt", "2009")),
        ("  year   !=   2009  ", Condition("year", "ne", "2009")),
        ("年　>=　２００９", Condition("年", "gte", "2009")),
        ('年 >= "２００９"', Condition("年", "gte", "２００９")),
        ("ｙｅａｒ＞＝２００９", Condition("year", "gte", "2009")),
        ("date ２０２４－０６..２０２４／０７", Condition("date", "between", ("2024-06", "2024/07"))),
        ("date = ２０２４", Condition("date", "eq", "2024")),
        ("tags = ２０２４", Condition("tags", "eq", "２０２４")),
        ("name >= Ａ", Condition("name", "gte", "Ａ")),
        ("Author = bo", Condition("author", "eq", "bo")),
        ('"Author" = bo', Condition("Author", "eq", "bo")),
        ("year 2009..2011", Condition("year", "between", ("2009", "2011"))),
        ("year .. 2009", None),
        ("year between 2009..2011", Condition("year", "between", ("2009", "2011"))),
        ("year between 2009,2011", Condition("year", "between", ("2009", "2011"))),
        ("year between 2009 2011", Condition("year", "between", ("2009", "2011"))),
        ('date "a b".."c d"', Condition("date", "between", ("a b", "c d"))),
        ("tag in a,b", Condition("tag", "in", ("a", "b"))),
        ("tag nin a , 'two words', b", Condition("tag", "nin", ("a", "two words", "b"))),
        ("tag in (a, b)", Condition("tag", "in", ("a", "b"))),
        ("tag in ()", Condition("tag", "in", ())),
        ('author eq "Ada Byron"', Condition("author", "eq", "Ada Byron")),
        ("author eq 'Ada Byron'", Condition("author", "eq", "Ada Byron")),
        ("author eq Byron,Ada", Condition("author", "eq", "Byron,Ada")),
        ("name eq don't", Condition("name", "eq", "don't")),
        ('"two words" eq 1', Condition("two words", "eq", "1")),
        (r'path eq "C:\notes"', Condition("path", "eq", r"C:\notes")),
        (r"path eq C:\notes", Condition("path", "eq", r"C:\notes")),
        (r'say eq "\"so\" \\ \u{1f600}"', Condition("say", "eq", '"so" \\ 😀')),
        ('lang eq ""', Condition("lang", "eq", "")),
        ("季節　＝　冬", Condition("季節", "eq", "冬")),
        ("year≥2009", Condition("year", "gte", "2009")),
        ("year ≤ 2009", Condition("year", "lte", "2009")),
        ("year ≠ 2009", Condition("year", "ne", "2009")),
        ("year ＞＝ 2009", Condition("year", "gte", "2009")),
        ("year！＝2009", Condition("year", "ne", "2009")),
        ("tag in 冬、夏，秋", Condition("tag", "in", ("冬", "夏", "秋"))),
        ("tag in（冬、夏）", Condition("tag", "in", ("冬", "夏"))),
        ("author = “Ines Marlock”", Condition("author", "eq", "Ines Marlock")),
        ("author = ‘Ines Marlock’", Condition("author", "eq", "Ines Marlock")),
        ("author = „Ines Marlock“", Condition("author", "eq", "Ines Marlock")),
        ("author = ＂佐藤　健＂", Condition("author", "eq", "佐藤　健")),
        ("tag in “a b”, ‘c d’", Condition("tag", "in", ("a b", "c d"))),
        ("date 2024...2025", Condition("date", "between", ("2024", "2025"))),
        ("date 2024…2025", Condition("date", "between", ("2024", "2025"))),
        ("date “2024”..“2025”", Condition("date", "between", ("2024", "2025"))),
        ("name = ’90s", Condition("name", "eq", "’90s")),
        ("name = 冬、夏", Condition("name", "eq", "冬、夏")),
        ("eq eq eq", Condition("eq", "eq", "eq")),
        ("-tag in -x", Condition("-tag", "in", ("-x",))),
        ("modified > 2025-01-15T09:30:00Z", Condition("modified", "gt", "2025-01-15T09:30:00Z")),
    ],
)
def test_words_signs_quotes_and_lists_are_understood(text: str, condition: Condition | None) -> None:
    if condition is None:
        with pytest.raises(FilterError):
            parse_condition(text)
    else:
        assert parse_condition(text) == condition


@pytest.mark.parametrize(
    ("text", "expected", "hint"),
    [
        ("", "expected a condition", "like: year >= 2009"),
        ("  ", "expected a condition", "like: year >= 2009"),
        ("> 5", "expected a field name at character 1", ""),
        ("year", "expected an operator after 'year' at character 5", "low..high"),
        ("year 2009", "expected an operator after 'year', found '2009' at character 6", "operators: eq ne in"),
        ("year EQ 2009", "found 'EQ' at character 6", "operators are lower-case: write eq"),
        ("year is 2009", "found 'is'", "write eq"),
        ("year ge 2009", "found 'ge'", "write gte"),
        ("year == 2009", "found '=='", "write ="),
        ("year => 2009", "found '=>'", "write >="),
        ("tag not in a", "found 'not'", "write nin"),
        ("year ~ 2009", "found '~'", "operators: eq"),
        ("year =", "expected a value after = at character 7", ""),
        ("author eq Ada Byron", "expected the end, found 'Byron' at character 15", 'author = "Ada Byron"'),
        ("tag = winter and rating = 9", "expected the end, found 'and rating = 9'", "give each condition by itself"),
        ("tag = a || rating = 9", "expected the end, found '|| rating = 9'", "give each condition by itself"),
        ("季節　＝　冬　春", "found '春' at character 8 of '季節　＝　冬　春'", '季節 = "冬　春"'),
        ("tag in a b", "expected the end, found 'b'", "separate values with commas"),
        ("tag in", "expected values, separated by commas", ""),
        ("tag in a,", "expected a value after the comma at character 10", ""),
        ("tag in (a", "expected a closing )", "commas"),
        ("year between 2009", "expected two values at character 18", "low..high"),
        ("year 2009..", "expected two values", "low..high"),
        ("year ..2009", "expected the low value of between", ""),
        ("year between 1 2 3", "expected the end, found '3'", "low..high"),
        ('a eq "x', 'expected a closing " at character 6', "close the quotes"),
    ],
)
def test_what_is_not_understood_says_what_was_expected_and_where(text: str, expected: str, hint: str) -> None:
    with pytest.raises(FilterError) as told:
        parse_condition(text)
    assert expected in str(told.value)
    assert hint in str(told.value)


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (Condition("year", "gte", "2009"), "year >= 2009"),
        (Condition("lang", "eq", "de"), "lang = de"),
        (Condition("Lang", "eq", "de"), '"Lang" = de'),
        (Condition("year", "gte", "２００９"), 'year >= "２００９"'),
        (Condition("tag", "in", ("a", "two words")), 'tag in a,"two words"'),
        (Condition("tag", "nin", ()), "tag nin ()"),
        (Condition("year", "between", ("2009", "2011")), "year 2009..2011"),
        (Condition("v", "between", ("1.0", "a..b")), 'v 1.0.."a..b"'),
        (Condition("author", "ne", "東京 太郎"), 'author != "東京 太郎"'),
        (Condition("x", "eq", "a\nb\x1b\udcff"), 'x = "a\\u{a}b\\u{1b}\\u{dcff}"'),
    ],
)
def test_a_condition_is_shown_with_signs_and_quotes_only_where_needed(condition: Condition, text: str) -> None:
    assert format_condition(condition) == text
