"""Searching from the keyboard: type, move, enter, expand, step back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ragspine_tui.config import ServiceConfig
from ragspine_tui.session import Session
from ragspine_tui.tui.glyphs import UNICODE
from ragspine_tui.tui.hits import path_and_heading
from ragspine_tui.tui.text import cut_middle
from ragspine_tui.types import Hit, Span
from tests.tui.driving import Driver, drive, library, write


def test_hits_come_while_typing_with_the_last_word_as_a_prefix(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length normali")
        assert driver.hits()[0] in ("okapi.md", "pivoted.md")
        assert driver.place == "search"
        await driver.type(" ")
        assert "Found nowhere" not in driver.text

    drive(home, flow)


def test_the_list_moves_while_the_input_keeps_the_focus(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length")
        first = driver.main.hit
        await driver.press("down")
        assert driver.main.hit != first
        assert driver.place == "search"
        await driver.press("up")
        assert driver.main.hit == first
        await driver.press("pagedown")
        assert driver.main.hit == driver.main.hit_list.hits[-1]
        await driver.press("pageup")
        assert driver.main.hit == first

    drive(home, flow)


def test_enter_goes_into_the_hits_then_the_context_and_esc_comes_back_and_never_quits(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("normalisation")
        places = []
        for key in ("enter", "enter", "escape", "escape", "escape"):
            await driver.press(key)
            places.append(driver.place)
        assert places == ["hits", "context", "hits", "search", "search"]
        assert driver.main.search_input.value == ""
        await driver.press("escape")
        assert driver.app.is_running
        assert "Ctrl+Q quits" in driver.toasts

    drive(home, flow)


def test_the_context_shows_the_child_inside_its_parent_marked_by_a_bar(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("softened")
        shown = driver.main.context_view.passage
        assert shown is not None
        assert shown.child.of(shown.text) == driver.main.hit_list.hits[0].text
        assert {shown.text[mark.start : mark.end].casefold() for mark in shown.highlights} == {"softened"}
        lines = [line for line in driver.text.splitlines() if "softened" in line]
        assert any("┃" in line for line in lines)

    drive(home, flow)


def test_space_switches_between_the_child_alone_and_its_parent(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("saturation repeats")
        hit = driver.main.hit_list.hits[0]
        await driver.press("enter")
        whole = driver.main.context_view.passage
        await driver.press("space")
        alone = driver.main.context_view.passage
        assert alone is not None and whole is not None
        assert alone.text == hit.text
        assert hit.text in whole.text
        await driver.press("space")
        assert driver.main.context_view.passage == whole

    drive(home, flow)


def test_n_goes_to_the_next_hit_of_the_same_document_only(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length document average system repeats")
        await driver.press("enter", "g")
        first = driver.main.hit
        assert first is not None
        same = [h for h in driver.main.hit_list.hits if h.document == first.document]
        await driver.press("n")
        assert len(same) > 1
        assert driver.main.hit == same[1]
        await driver.press("N")
        assert driver.main.hit == same[0]
        await driver.press("N")
        assert any(toast.startswith("no earlier hit") for toast in driver.toasts)

    drive(home, flow)


def test_moving_keys_of_the_lists_move(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length")
        await driver.press("enter")
        cursors = []
        for key in ("G", "g", "j", "k", "end", "home", "ctrl+d", "ctrl+u"):
            await driver.press(key)
            cursors.append(driver.main.hit_list.cursor)
        last = driver.main.hit_list.count - 1
        assert cursors == [last, 0, 1, 0, last, 0, last, 0]

    drive(home, flow, size=(120, 40))


def test_nothing_found_names_the_words_where_it_looked_and_the_ways_out(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("xyzzyq")
        for text in ("Nothing found", "Found nowhere: xyzzyq", "Searched: notes, papers", "Ctrl+W", "Esc"):
            assert text in driver.text
        assert "Ctrl+T" not in driver.text
        await driver.press("enter")
        assert driver.place == "search"
        await driver.press("ctrl+w")
        assert driver.main.search_input.value == ""
        assert "Type to search" in driver.text

    drive(home, flow)


def test_a_query_of_any_text_is_only_a_query(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        for query in ("[/]", '"unclosed', "foo(bar", "-x", "*", "a AND", "\\", "[b", "　"):
            driver.main.search_input.value = query
            await driver.settle()
            assert driver.app.is_running

    drive(home, flow)


def test_pasted_control_characters_do_not_reach_the_terminal(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        driver.main.search_input.insert_text_at_cursor("le\x1b]52;c;x\x07ngth\x00")
        await driver.settle()
        assert "\x1b" not in driver.text
        assert driver.main.search_input.value == "le␛]52;c;x␇ngth␀"

    drive(home, flow)


def test_a_shown_hit_is_what_the_session_finds(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("味噌")
        with Session.open(ServiceConfig(home=home)) as session:
            found = session.search(driver.main.state.request())
        assert driver.main.hit_list.hits == found.hits
        assert found.hits[0].document == "kitchen.md"

    drive(home, flow)


def test_a_stale_result_is_dropped_when_the_line_has_changed(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        for query in ("length", "stemmer", "rain", "味噌", "saturation"):
            driver.main.search_input.value = query
        await driver.settle()
        assert driver.main.state.result is not None
        assert driver.main.state.result.query == "saturation"
        driver.main.search_input.value = "length"
        driver.main.search_input.value = ""
        await driver.settle()
        assert driver.hits() == []

    drive(home, flow)


def test_a_routed_search_without_hits_offers_to_search_everywhere(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("soup saturation")
        await driver.press("ctrl+t")
        await driver.press("ctrl+f")
        await driver.type("kind eq pdf")
        await driver.press("enter")
        for text in ("Ctrl+T  routing off", "Ctrl+F  filter off", "Ctrl+W", "0 after kind"):
            assert text in driver.text

    drive(home, flow)


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 50)])
def test_hits_of_one_document_are_told_apart_by_their_headings(tmp_path: Path, size: tuple[int, int]) -> None:
    names = ["Locks", "Watching a folder", "Paths on Windows", "Temporary files", "Permissions of new files"]
    reeds = "Water stands in the reeds. " * 60
    text = "# fs\n\n" + "\n\n".join(f"## {name}\n\nThe heron of {name}. {reeds}" for name in names)
    library(tmp_path / "home", write(tmp_path / "reference" / "programming-interfaces", fs=text).parent)

    async def flow(driver: Driver) -> None:
        await driver.type("heron")
        rows = [line.split("│")[1 if "│" in line else 0] for line in driver.text.splitlines()]
        places = [row for row in rows if "reference ›" in row and "#" in row][: len(names)]
        assert len(places) == len(names)
        assert all(any(f"› {name[:5]}" in row for row in places) for name in names)
        assert all("fs.md" in row and "¶" in row for row in places)

    drive(tmp_path / "home", flow, size=size)


def test_a_heading_that_repeats_the_title_or_the_name_is_left_out() -> None:
    def heading(document: str, title: str, heading: str) -> str:
        hit = Hit(1, "notes", document, title, heading, "", 1.0, "", Span(0, 0), "")
        return "".join(run.text for run in path_and_heading(hit, 40, UNICODE))

    assert heading("a/pond.md", "Ponds", "Ponds") == "a/pond.md"
    assert heading("a/pond.md", "", "Pond") == "a/pond.md"
    assert heading("a/pond.md", "Ponds", "Newts") == "a/pond.md › Newts"
    assert heading("far/away/and/deep/down/pond.md", "", "Newts and frogs").endswith("pond.md › Newts and frogs")


@given(st.text(), st.integers(0, 40))
def test_a_text_cut_in_its_middle_fits_and_keeps_its_ends(text: str, width: int) -> None:
    cut = cut_middle(text, width, "…")
    assert cell_len(cut) <= width
    assert cut == text or "…" in cut or not width


def test_a_filter_found_in_the_query_is_shown_and_one_key_drops_it(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length ranking")
        plain = driver.hits()
        assert "filter found in the query" not in driver.text
        await driver.press("ctrl+g")
        assert "filter found in the query: tags = ranking" in driver.text
        assert set(driver.hits()) < set(plain)
        await driver.press("ctrl+g")
        assert "filter found in the query" not in driver.text
        assert driver.hits() == plain

    drive(home, flow)
