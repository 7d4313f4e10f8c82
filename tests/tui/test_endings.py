"""How the interface ends: never with a traceback, never with document text, always with the right code."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from ragspine_tui.config import ServiceConfig
from ragspine_tui.errors import FilterError
from ragspine_tui.tui.app import RagspineApp, last_words
from ragspine_tui.tui.desk import Desk, one_line_of
from tests.tui.driving import Driver, drive

SECRET = "the salary of the heron"


def fail_with_secret() -> None:
    """An unexpected error with document text in its message and in a local variable."""
    text = SECRET
    raise KeyError(text)


def test_an_unexpected_error_ends_with_one_line_code_70_and_no_document_text(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = RagspineApp(ServiceConfig(home=home))

    async def main() -> None:
        async def crash() -> None:
            app.call_later(fail_with_secret)

        await app.run_async(headless=True, size=(80, 24), auto_pilot=lambda _pilot: crash())

    asyncio.run(main())
    told = capsys.readouterr()
    assert app.return_code == 70
    assert (told.out, told.err) == ("", "")
    assert SECRET not in app.last_line
    assert "KeyError" in app.last_line
    assert len(app.last_line.splitlines()) == 1


def test_errors_on_purpose_are_told_in_their_own_words_and_others_by_kind_and_place_only() -> None:
    assert one_line_of(FilterError("no such operator", "eq ne")) == "no such operator: eq ne"
    try:
        fail_with_secret()
    except KeyError as error:
        assert one_line_of(error).startswith("unexpected error: KeyError in test_endings.py:")
        assert SECRET not in one_line_of(error) + last_words(error)


def test_a_database_that_cannot_be_used_ends_with_code_4_and_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "ragspine.db").write_bytes(b"this is no database at all, but long enough to look like a file" * 100)
    app = RagspineApp(ServiceConfig(home=home))
    asyncio.run(app.run_async(headless=True, size=(80, 24)))
    assert app.return_code == 4
    assert capsys.readouterr().err == ""
    assert "ragspine.db is damaged or not a database" in app.last_line
    assert len(app.last_line.splitlines()) == 1


def test_an_error_in_a_search_is_a_toast_and_the_hits_stay(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length")
        hits = driver.hits()
        driver.main.search_desk.submit(_broken, lambda _: None, driver.main.fail)
        await driver.settle()
        assert any("unexpected error: ZeroDivisionError" in toast for toast in driver.toasts)
        assert driver.hits() == hits

    drive(home, flow)


def _broken(*_: object) -> None:
    raise ZeroDivisionError(SECRET)


def test_no_thread_is_left_after_the_end(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length")

    drive(home, flow)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("ragspine-")]


class Hands:
    """Takes what a desk delivers, in the order it comes."""

    def __init__(self) -> None:
        self.arrived = threading.Condition()
        self.taken: list[Any] = []

    def deliver(self, take: Any) -> None:
        """Take it at once; the desk's thread is the only one here."""
        with self.arrived:
            take()
            self.arrived.notify()

    def wait_for(self, count: int) -> list[Any]:
        """What was taken, once there are so many."""
        with self.arrived:
            assert self.arrived.wait_for(lambda: len(self.taken) >= count, timeout=30)
            return self.taken


def test_a_later_job_of_a_slot_replaces_the_earlier_ones(home: Path) -> None:
    hands, first_runs, go_on = Hands(), threading.Event(), threading.Event()
    desk = Desk(ServiceConfig(home=home), "test", hands.deliver)

    def first(_session: object, cancelled: Any) -> str:
        first_runs.set()
        go_on.wait(30)
        return f"first, cancelled: {cancelled()}"

    try:
        desk.submit(first, hands.taken.append, hands.taken.append, slot="search")
        first_runs.wait(30)
        desk.submit(lambda *_: "second", hands.taken.append, hands.taken.append, slot="search")
        desk.submit(lambda *_: "third", hands.taken.append, hands.taken.append, slot="search")
        desk.submit(lambda *_: "other", hands.taken.append, hands.taken.append)
        go_on.set()
        assert hands.wait_for(2) == ["third", "other"]
        assert not desk.busy
    finally:
        desk.close()


def test_a_stopped_job_still_reports_and_a_dropped_one_does_not(home: Path) -> None:
    hands, runs, go_on = Hands(), threading.Event(), threading.Event()
    desk = Desk(ServiceConfig(home=home), "test", hands.deliver)

    def job(_session: object, cancelled: Any) -> bool:
        runs.set()
        go_on.wait(30)
        return bool(cancelled())

    try:
        desk.submit(job, hands.taken.append, hands.taken.append)
        runs.wait(30)
        assert desk.stop()
        go_on.set()
        assert hands.wait_for(1) == [True]
        runs.clear()
        go_on.clear()
        desk.submit(job, hands.taken.append, hands.taken.append, slot="preview")
        runs.wait(30)
        desk.drop("preview")
        go_on.set()
        desk.submit(lambda *_: "after", hands.taken.append, hands.taken.append)
        assert hands.wait_for(2) == [True, "after"]
        assert not desk.stop()
    finally:
        desk.close()


def test_each_desk_keeps_one_session_of_its_own_thread(home: Path) -> None:
    hands = Hands()
    desk = Desk(ServiceConfig(home=home), "test", hands.deliver)

    def who(session: object, _: object) -> tuple[int, int]:
        return id(session), threading.get_ident()

    try:
        for _ in range(3):
            desk.submit(who, hands.taken.append, hands.taken.append)
        assert len(set(hands.wait_for(3))) == 1
        assert hands.taken[0][1] != threading.get_ident()
    finally:
        desk.close()
    with sqlite3.connect(home / "ragspine.db") as connection:
        assert connection.execute("pragma quick_check").fetchone() == ("ok",)
    connection.close()
