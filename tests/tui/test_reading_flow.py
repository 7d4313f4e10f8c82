"""While a library is read, and at the end of it: how far it is, what was not read, and where that is listed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from ragspine_tui.tui.remarks import problem_lines, remarks_title, report_text
from ragspine_tui.types import DocumentStatus, FileProblem, IndexReport, Progress
from tests.tui.driving import Driver, drive


def test_a_search_while_its_library_is_read_says_that_it_is_and_how_far(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        driver.main.show_progress(Progress("papers", 51, 90))
        await driver.settle()
        assert "papers is still being read: 51 of 90 files" in driver.text
        await driver.type("klaus")
        assert "Nothing found yet" in driver.text
        assert "papers is still being read: 51 of 90 files" in driver.text
        assert "Found nowhere" not in driver.text
        driver.main.show_progress(Progress("papers", 52, 90))
        await driver.settle()
        assert "52 of 90 files" in driver.text
        driver.main.not_indexed("no room on the disk")
        await driver.settle()
        assert "still being read" not in driver.text
        assert "Found nowhere: klaus" in driver.text

    drive(home, flow, size=(120, 36))


def test_a_library_that_is_read_now_shows_how_far_and_a_stopped_one_that_r_continues(own_home: Path) -> None:
    with closing(sqlite3.connect(own_home / "ragspine.db")) as connection, connection:
        connection.execute("UPDATE index_states SET complete = 0")

    async def flow(driver: Driver) -> None:
        await driver.press("ctrl+l")
        assert driver.text.count("partial · r continues") == 2
        driver.main.show_progress(Progress("papers", 51, 90))
        await driver.settle()
        assert "reading 51/90" in driver.text
        assert driver.text.count("partial · r continues") == 1
        driver.main.show_progress(Progress("papers", 52, 90))
        await driver.settle()
        assert "reading 52/90" in driver.text
        driver.main.nothing_read()
        await driver.settle()
        assert driver.text.count("partial · r continues") == 2

    drive(own_home, flow)


def problem(name: str, status: DocumentStatus) -> FileProblem:
    return FileProblem("papers", name, status, "has a reason")


def test_files_not_read_are_told_apart_from_remarks_and_stand_first() -> None:
    problems = (problem("a.md", DocumentStatus.INDEXED), problem("b.pdf", DocumentStatus.NO_TEXT))
    told = report_text(IndexReport("papers", added=3, chunks=9, problems=problems), "i")
    assert told == "papers: 3 documents, 9 chunks; 1 file not read, 1 with remarks (i)"
    assert report_text(IndexReport("papers", added=1, chunks=1, problems=problems[:1]), "i").endswith(
        "; 1 file with remarks (i)"
    )
    rows = [" ".join(run.text for run in (*line.left, *line.right)).split() for line in problem_lines(problems)[::2]]
    assert rows == [["b.pdf", "no", "text"], ["a.md", "indexed"]]
    assert remarks_title("papers", problems[1:], 0) == "papers: 1 file not read"


def test_the_end_of_indexing_names_the_keys_that_list_what_was_not_read_from_where_one_is(own_home: Path) -> None:
    (own_home.parent / "notes" / "broken.pdf").write_bytes(b"%PDF-1.4 nothing of a pdf")

    async def flow(driver: Driver) -> None:
        driver.main.index(["notes"])
        await driver.settle()
        assert driver.toasts[-1].endswith("; 1 file not read (^l i)")
        await driver.press("ctrl+l", "r")
        assert driver.toasts[-1].endswith("; 1 file not read (i)")
        await driver.press("down")
        driver.main.index(["notes"])
        await driver.settle()
        assert driver.toasts[-1].endswith("; 1 file not read (i on it)")

    drive(own_home, flow)


def test_a_toast_of_one_row_leaves_the_status_line_in_sight_on_a_small_screen(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        driver.main.show_progress(Progress("papers", 51, 90))
        await driver.settle()
        status = driver.text.splitlines()[-2]
        driver.main.say("papers: 170 documents, 2,300 chunks; 5 files not read, 2 with remarks (^l i)")
        await driver.settle()
        assert "5 files not read" in driver.text.splitlines()[-1]
        assert driver.text.splitlines()[-2] == status
        assert "51/90" in status

    drive(home, flow, size=(80, 24), toasts=True)
