"""What narrows a search and what is wrong is said in full, at every size, where it matters."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.widgets import Input

from ragspine_tui.tui.glyphs import UNICODE
from ragspine_tui.tui.lines import Wrapped
from ragspine_tui.tui.text import Line, Run, rows_of, unfolded, width_of
from tests.homes import open_session
from tests.tui.driving import Driver, drive, library, write

SIZES = [(80, 24), (120, 36)]
runs = st.lists(st.builds(Run, st.text(st.characters(blacklist_categories=("Cc", "Cs")), max_size=30)), max_size=4)


def joined(driver: Driver) -> str:
    """The screen without what is only layout."""
    return " ".join(driver.text.split())


def remark(driver: Driver) -> str:
    """What is said under the filter line."""
    rows = driver.main.query_one("#filter-error", Wrapped).rows(28)
    return " ".join(" ".join("".join(run.text for run in row) for row in rows).split())


@pytest.fixture
def tagged(tmp_path: Path) -> Path:
    """A home whose documents have many tags, so that a query can name many of them."""
    tags = ["winter", "garden", "birds", "harvest", "weather", "kitchen"]
    text = f"---\ntags: [{', '.join(tags)}]\n---\n# Diary\n\nThe {' '.join(tags)} of the year.\n"
    library(tmp_path / "home", write(tmp_path / "diary", diary=text), description="winter")
    library(tmp_path / "home", write(tmp_path / "other", pond="# Pond\n\nwinter winter winter\n"), description="ponds")
    return tmp_path / "home"


@pytest.mark.parametrize("size", [*SIZES, (60, 20)])
def test_a_filter_found_in_the_query_is_shown_whole_with_its_key_however_long(
    tagged: Path, size: tuple[int, int]
) -> None:
    told = "tags in winter,garden,birds,harvest,weather,kitchen"

    async def flow(driver: Driver) -> None:
        await driver.type("winter garden birds harvest weather kitchen")
        scope = "\n".join(driver.text.splitlines()[: 1 + driver.main.query_one("#scope").size.height])
        state = driver.main.state
        assert state.found_filter is not None
        assert all(value in state.found_filter for value in told.partition(" in ")[2].split(","))
        assert state.found_filter.replace(" ", "") in "".join(scope.split())
        assert "(^g drops it)" in " ".join(scope.split())
        await driver.press("ctrl+f")
        pane = driver.main.query_one("#found-filter", Wrapped)
        rows = ["".join(run.text for run in row) for row in pane.rows(pane.size.width)]
        assert pane.size.height == len(rows)
        assert state.found_filter.replace(" ", "") in "".join("".join(rows).split())
        assert "found in the query" in driver.text
        await driver.press("ctrl+g")
        assert not pane.display

    drive(tagged, flow, size=size, filter_extractor="keyword")


@pytest.mark.parametrize("size", SIZES)
def test_libraries_left_out_are_named_whole_beside_a_long_filter(tagged: Path, size: tuple[int, int]) -> None:
    async def flow(driver: Driver) -> None:
        await driver.press("ctrl+f")
        await driver.type("size >= 000000000000")
        await driver.press("enter")
        await driver.type("modified >= 1999-01-01T00:00:00Z")
        await driver.press("enter", "escape", "ctrl+t")
        await driver.type("winter")
        assert driver.main.state.result is not None
        assert driver.main.state.result.left_out == ("other",)
        assert "left out, though strong: other (^t routing off)" in joined(driver)
        assert "modified >= 1999-01-01T00:00:00Z" in joined(driver)

    drive(tagged, flow, size=size)


@pytest.mark.parametrize("size", SIZES)
def test_a_filter_found_in_the_query_that_leaves_nothing_names_its_key_and_the_synonym_it_stands_on(
    home: Path, size: tuple[int, int]
) -> None:
    (home / "synonyms.toml").write_text('[tags]\nlength = "wintr"\n', encoding="utf-8")

    async def flow(driver: Driver) -> None:
        await driver.type("length")
        assert driver.hits() == []
        assert "Filter found in the query: tags = wintr" in joined(driver)
        assert "synonyms.toml makes it so: length: tags = wintr" in joined(driver)
        assert "Ctrl+G drops the filter found in the query" in joined(driver)
        await driver.press("ctrl+g")
        assert driver.hits()

    drive(home, flow, size=size, filter_extractor="keyword")


@pytest.mark.parametrize("size", SIZES)
def test_a_field_that_no_document_has_is_said_while_typing_in_the_list_and_where_nothing_is_found(
    home: Path, size: tuple[int, int]
) -> None:
    told = "no document has a field 'tagz'; did you mean 'tags = ranking'?"

    async def flow(driver: Driver) -> None:
        await driver.type("length")
        await driver.press("ctrl+f")
        await driver.type("tagz = ranking")
        assert driver.main.query_one("#filter-error", Wrapped).has_class("-problem")
        assert remark(driver) == told
        await driver.press("enter")
        assert driver.main.filter_list.doubts == (told,)
        assert driver.main.filter_list.virtual_size.height > 1
        await driver.press("escape")
        assert f"tagz = ranking: {told}" in joined(driver)

    async def again(driver: Driver) -> None:
        await driver.press("ctrl+f")
        assert driver.main.filter_list.doubts == (told,)

    drive(home, flow, size=size)
    drive(home, again, size=size)


@pytest.mark.parametrize("size", SIZES)
def test_a_long_condition_stands_in_the_list_to_its_last_word(home: Path, size: tuple[int, int]) -> None:
    async def flow(driver: Driver) -> None:
        await driver.press("ctrl+f")
        text = 'title in ("Pivoted normalisation", "Stemming and its discontents", Okapi)'
        driver.main.query_one("#filter", Input).value = text
        await driver.settle()
        await driver.press("enter", "down", "space")
        (line,) = driver.main.state.filters
        pane = driver.main.filter_list
        rows = [pane.render_line(y).text.strip("▌ ") for y in range(pane.size.height)]
        assert rows[0].startswith("[ ] ")
        assert line.shown.replace(" ", "") in "".join("".join(rows).split())

    drive(home, flow, size=size)


def test_a_value_taken_as_it_was_typed_keeps_its_doubt_in_the_list(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.press("ctrl+f")
        await driver.type("size gt 9")
        await driver.press("enter", "n")
        meant = "values are compared as text; did you mean 'size > 000000000009'?"
        assert list(driver.main.filter_list.doubts) == [meant]
        await driver.type("year between 2009 1994")
        await driver.press("enter")
        assert driver.main.filter_list.doubts[-1] == (
            "nothing can match, as the first value comes after the second; did you mean 'year 1994..2009'?"
        )

    drive(home, flow)


def test_numbers_that_do_not_compare_as_text_are_said_and_those_that_are_meant_offered(tmp_path: Path) -> None:
    notes = {f"n{rating}": f"---\nrating: {rating}\n---\n# Note\n\nheron {rating}\n" for rating in (7, 9, 10)}
    library(tmp_path / "home", write(tmp_path / "notes", **notes))

    async def flow(driver: Driver) -> None:
        await driver.type("heron")
        await driver.press("ctrl+f")
        await driver.type("rating > 8")
        assert "values are compared as text, so 10 stands before 8; Enter offers rating in 9,10" in remark(driver)
        await driver.press("enter", "enter")
        assert [line.text for line in driver.main.state.filters] == ["rating in 9,10"]
        assert set(driver.hits()) == {"n9.md", "n10.md"}

    drive(tmp_path / "home", flow, size=(200, 50))


def test_what_is_odd_about_a_kept_condition_goes_when_a_library_makes_it_right(home: Path, tmp_path: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.press("ctrl+f")
        await driver.type("mood = calm")
        await driver.press("enter")
        assert driver.main.filter_list.doubts == ("no document has a field 'mood'",)
        library(home, write(tmp_path / "more", one="---\nmood: calm\n---\nheron"))
        driver.main.refresh_libraries()
        await driver.settle()
        assert driver.main.filter_list.doubts == ("",)

    drive(home, flow)


@pytest.mark.parametrize("size", SIZES)
def test_an_error_under_the_filter_line_is_there_to_its_last_word(home: Path, size: tuple[int, int]) -> None:
    async def flow(driver: Driver) -> None:
        await driver.press("ctrl+f")
        await driver.type("year almost 2009")
        remark = driver.main.query_one("#filter-error", Wrapped)
        rows = ["".join(run.text for run in row).strip() for row in remark.rows(remark.size.width)]
        assert remark.size.height == len(rows) > 1
        shown = [line.split("│")[0].strip() for line in driver.text.splitlines()]
        at = next(i for i, line in enumerate(shown) if line.startswith("❯ year almost")) + 1
        assert shown[at : at + len(rows)] == rows
        assert not rows[-1].endswith("…")

    drive(home, flow, size=size)


def test_the_reason_of_a_problem_file_is_there_to_its_last_word(own_home: Path, tmp_path: Path) -> None:
    (tmp_path / "papers" / "broken.pdf").write_bytes(b"%PDF-1.4 nothing of a pdf")

    async def flow(driver: Driver) -> None:
        await driver.press("ctrl+l", "down", "r", "i")
        shown = " ".join(driver.text.replace("│", " ").split())
        with open_session(own_home) as session:
            (problem,) = session.problems(("papers",))
        assert " ".join(problem.reason.split()) in shown

    drive(own_home, flow, size=(80, 24))


@pytest.mark.parametrize("size", SIZES)
def test_what_is_amiss_with_a_library_stands_in_its_pane_to_the_last_word(home: Path, size: tuple[int, int]) -> None:
    with closing(sqlite3.connect(home / "ragspine.db")) as connection, connection:
        connection.execute("UPDATE index_states SET language = 'tlh' WHERE library = (SELECT min(id) FROM libraries)")

    async def flow(driver: Driver) -> None:
        await driver.type("length")
        assert driver.main.state.result is not None
        (problem,) = driver.main.state.result.errors
        await driver.press("ctrl+l")
        pane = driver.main.library_list
        rows = [pane.render_line(y).text.strip("▌ ") for y in range(pane.size.height)]
        assert problem.message.replace(" ", "") in "".join("".join(rows).split())
        assert driver.hits()

    drive(home, flow, size=size)


@given(runs, st.integers(1, 40))
def test_rows_of_runs_fit_and_keep_every_character_but_blanks(parts: list[Run], width: int) -> None:
    rows = rows_of(parts, width)
    assert all(width_of(row) <= max(width, 2) for row in rows)
    text = "".join(run.text for row in rows for run in row)
    assert "".join(text.split()) == "".join("".join(run.text for run in parts).split())


@given(runs, st.integers(8, 60))
def test_an_unfolded_line_loses_no_word(parts: list[Run], width: int) -> None:
    rows = unfolded(Line((Run("   "), *parts), (Run("new "),)), width)
    text = "".join(run.text for row in rows for run in row.left)
    assert "".join(text.split()) == "".join("".join(run.text for run in parts).split())
    assert [row.right for row in rows] == [(Run("new "),), *[()] * (len(rows) - 1)]


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
def test_a_long_query_keeps_a_gap_to_the_counter(home: Path, size: tuple[int, int]) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length " * 15)
        first = driver.text.splitlines()[0]
        counter = driver.main.query_one("#found").render().plain.strip()  # type: ignore[union-attr]
        assert first.rstrip().endswith(f"  {counter}")

    drive(home, flow, size=size)


@pytest.mark.parametrize("size", SIZES)
def test_own_fields_come_first_long_names_are_cut_with_a_mark_and_tab_reaches_the_list(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    text = "---\ndescription_of_the_place: pond\ntags: [frogs]\n---\n# Pond\n\nfrogs\n"
    library(tmp_path / "home", write(tmp_path / "pond", pond=text))

    async def flow(driver: Driver) -> None:
        await driver.press("ctrl+f")
        rows = [line.split("│")[0].rstrip() for line in driver.text.splitlines()]
        first = next(i for i, line in enumerate(rows) if line.startswith(" FIELDS")) + 1
        assert rows[first].lstrip("╎▌ ").startswith("descripti")
        assert UNICODE.ellipsis in rows[first].split()[0]
        assert rows[first + 1].split()[0] == "tags"
        assert all(name not in "".join(rows[: first + 2]) for name in ("encoding", "kind", "ext"))
        await driver.press("tab")
        assert driver.place == "fields"
        assert "filter by it" in driver.text
        await driver.press("down", "enter")
        assert driver.place == "filter"
        assert driver.main.query_one("#filter", Input).value == "tags eq "

    drive(tmp_path / "home", flow, size=size)


def test_a_completion_is_told_from_what_is_typed_without_colour_and_names_its_key(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.press("ctrl+f")
        await driver.type("ye")
        assert "❯ ye[ar] Right" in driver.text
        await driver.press("right")
        assert "❯ year" in driver.text
        assert "[ar]" not in driver.text
        await driver.press("escape")
        await driver.type("ye")
        await driver.press("left")
        assert "Right" not in driver.text

    drive(home, flow)


PLACES = {
    "search": (),
    "hits": ("enter",),
    "context": ("enter", "enter"),
    "libraries": ("ctrl+l",),
    "filter": ("ctrl+f",),
    "filters": ("ctrl+f", "down"),
    "fields": ("ctrl+f", "tab", "tab"),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("size", SIZES)
def test_one_bar_on_the_screen_shows_what_the_keys_move(home: Path, size: tuple[int, int], place: str) -> None:
    async def flow(driver: Driver) -> None:
        await driver.press("ctrl+f")
        await driver.type("year >= 1990")
        await driver.press("enter", "escape")
        await driver.type("length")
        await driver.press(*PLACES[place])
        assert driver.place == place
        rows = [line for line in driver.text.splitlines() if "▌" in line]
        columns = {line.index("▌") for line in rows}
        assert all(line.count("▌") == 1 for line in rows)
        assert len(columns) == (0 if place == "filter" else 1)
        await driver.press("ctrl+n")
        assert not any("▌" in line and "#" in line for line in driver.text.splitlines())
        await driver.press("escape")
        assert {line.index("▌") for line in driver.text.splitlines() if "▌" in line} == columns

    drive(home, flow, size=size)
