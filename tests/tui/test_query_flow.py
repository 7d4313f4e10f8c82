"""The query language in the interface: what is said of it under the search line, and the keys that change it."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events

from ragspine_tui.session import Session
from ragspine_tui.tui.glyphs import UNICODE
from ragspine_tui.tui.querying import read_as
from ragspine_tui.types import SearchRequest
from tests.homes import indexed
from tests.tui.driving import Driver, drive


def said(session: Session, query: str) -> str:
    """The line under the search line."""
    return "".join(run.text for run in read_as(session.search(SearchRequest(query)), UNICODE)).strip()


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("grey heron", ""),
        ('"grey heron" stands', 'phrase "grey heron" · words stands'),
        ("+heron -owl tag:bird", "must +heron · not -owl · condition tag:bird"),
        ("her* title:heron lib:lib", "beginning her* · title title:heron · library lib:lib"),
        ("grey NEAR/2 heron", "words grey · near NEAR/2 · words heron"),
        ("hernos grey", "did you mean heron grey (f3)"),
        ('heron "open', 'a quote is not closed: what follows " is searched as text'),
    ],
)
def test_one_line_says_what_is_no_plain_word(tmp_path: Path, query: str, line: str) -> None:
    files = {"a.md": "---\ntag: bird\n---\n# The grey heron\n\nThe grey heron stands. Open."}
    with indexed(tmp_path, files) as session:
        assert said(session, query) == line


def test_the_line_is_there_while_it_has_something_to_say(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("normalisation ")
        assert not driver.main.has_class("-read-as")
        await driver.type("+length")
        assert driver.main.has_class("-read-as")
        assert "must +length" in driver.text.splitlines()[1]
        await driver.press("escape")
        assert not driver.main.has_class("-read-as")

    drive(home, flow)


def test_a_japanese_keyboard_types_its_own_blank(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("normalisation\u3000＋length\u3000می\u200cخواهم")
        assert driver.main.search_input.value == "normalisation\u3000＋length\u3000می\u200cخواهم"
        assert "must ＋length" in driver.text.splitlines()[1]

    drive(home, flow)


def test_all_lines_of_a_pasted_paragraph_are_the_query(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        assert driver.app._driver is not None
        driver.app._driver.send_message(events.Paste("normalisation of\nthe lengths\r\nof documents\n"))
        await driver.settle()
        assert driver.main.search_input.value == "normalisation of the lengths of documents"
        assert driver.hits()

    drive(home, flow)


def test_libraries_that_the_query_names_are_counted_as_the_searched_ones(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("normalisation ")
        assert "1 of 2 libraries" not in driver.text
        await driver.type("lib:papers")
        assert "1 of 2 libraries" in driver.text
        assert {hit.library_id for hit in driver.main.hit_list.hits} == {"papers"}

    drive(home, flow)


def test_one_key_asks_for_every_word_and_is_said_and_kept(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("normalisation zzzz ")
        some = driver.hits()
        assert some
        await driver.press("f2")
        assert driver.hits() == []
        assert "every word" in driver.text
        assert "no document has zzzz" in driver.text
        await driver.press("f2")
        assert driver.hits() == some
        assert "every word" not in driver.text.splitlines()[1]
        await driver.press("f2")

    async def later(driver: Driver) -> None:
        assert driver.main.state.every
        assert "every word" in driver.text

    drive(home, flow)
    drive(home, later)


def test_one_key_takes_the_suggested_spelling(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.press("f3")
        assert "there is no other spelling to take" in driver.toasts
        await driver.type("nromalisation ")
        assert driver.hits() == []
        assert "did you mean: normalisation" in driver.text
        await driver.press("f3")
        assert driver.main.search_input.value.strip() == "normalisation"
        assert driver.hits()

    drive(home, flow)


def test_help_has_the_query_language(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.press("f1")
        await driver.press("end")
        assert "The search line" in driver.text
        assert "a NEAR/5 b" in driver.text

    drive(home, flow)
