"""The ways out of the terminal interface: a restricted document leaves screen, clipboard, suggestions and settings."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragspine_tui.retrieval.link.exit import LinkExit
from ragspine_tui.tui.context import ContextView
from ragspine_tui.tui.dialogs import Picker
from tests.conformance.secret_home import NAME, QUERY, Exploding, make, said_in
from tests.homes import open_session
from tests.tui.driving import Driver, drive
from tests.tui.test_filter_flow import filter_line


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("made") / "home")


@pytest.fixture
def home(made: Path, tmp_path: Path) -> Path:
    """A home of the test's own."""
    shutil.copytree(made, tmp_path / "home")
    return tmp_path / "home"


@pytest.fixture
def exploding(monkeypatch: pytest.MonkeyPatch) -> Exploding:
    planted = Exploding()
    monkeypatch.setattr(LinkExit, "link", planted)
    return planted


def test_a_fault_that_quotes_a_document_is_a_toast_without_it(home: Path, exploding: Exploding) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type(QUERY)
        assert any("KeyError" in toast for toast in driver.toasts)
        assert said_in(driver.text + repr(driver.toasts)) == set()

    app = drive(home, flow)
    assert said_in(exploding.carried)
    assert said_in(app.last_line) == set()


async def choose_secret(driver: Driver) -> None:
    """Put the cursor of the hit list on the document."""
    index = next(at for at, hit in enumerate(driver.main.hit_list.hits) if hit.document == NAME)
    driver.main.hit_list.cursor = index
    await driver.settle()


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
def test_the_screen_the_clipboard_and_the_state_lose_the_document_at_once(home: Path, size: tuple[int, int]) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type(QUERY)
        await driver.press("enter")
        await choose_secret(driver)
        await driver.press("y")
        assert said_in(driver.app.clipboard)
        assert said_in(driver.text)
        context = driver.main.query_one(ContextView)
        assert said_in(repr(context.passage))
        await driver.press("exclamation_mark", "y")
        assert NAME not in driver.hits()
        assert driver.hits()
        shown = [driver.text, repr(driver.toasts), repr(driver.main.state), repr(context.passage)]
        for key in ("y", "Y"):
            await driver.press(key)
            shown += [driver.app.clipboard, driver.text]
        assert [said_in(text) for text in shown] == [set()] * len(shown)

    drive(home, flow, size=size)


def test_a_document_that_is_being_restricted_is_off_the_screen_before_the_database_has_forgotten_it(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type(QUERY)
        await driver.press("enter")
        await choose_secret(driver)
        assert said_in(driver.text) >= {"quadrille", "heptagon"}
        hit = driver.main.hit
        assert hit is not None
        driver.main.hide_document(hit)
        await driver.settle()
        assert driver.hits()
        assert said_in(driver.text) == set()

    drive(home, flow, size=(200, 50))


def test_what_the_filter_pane_suggests_loses_the_documents_values(home: Path) -> None:
    async def suggested(driver: Driver) -> str:
        line = filter_line(driver)
        line.value = "tags eq qua"
        line.cursor_position = len(line.value)
        await driver.settle()
        await driver.press("right")
        return line.value

    async def flow(driver: Driver) -> None:
        await driver.type(QUERY)
        await driver.press("ctrl+f")
        assert said_in(await suggested(driver)) == {"quadrille"}
        filter_line(driver).value = ""
        await driver.press("escape", "enter")
        await choose_secret(driver)
        await driver.press("exclamation_mark", "y", "ctrl+f")
        assert said_in(await suggested(driver)) == set()

    drive(home, flow)


def kept_settings(home: Path) -> Iterator[str]:
    """Every setting in the home's database."""
    with open_session(home) as session, session._store._database.read() as connection:
        yield from (f"{key}={value}" for key, value in connection.execute("SELECT key, value FROM settings"))


def test_searching_and_reading_leave_no_word_of_any_document_in_the_settings(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type(f"{QUERY} heptagon")
        await driver.press("enter", "y", "space", "z", "escape", "ctrl+t", "ctrl+t")
        await driver.press("plus")
        assert isinstance(driver.app.screen, Picker)
        assert said_in(driver.text)
        await driver.press("escape")

    drive(home, flow)
    kept = list(kept_settings(home))
    assert any(setting.startswith("tui.") for setting in kept)
    assert said_in("".join(kept)) == set()


def test_a_condition_picked_from_the_document_goes_with_it(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        line = filter_line(driver)
        line.value = "tags = quadrille"
        await driver.press("ctrl+f", "enter")
        line.value = "kind = md"
        await driver.press("enter", "escape")
        await driver.type(QUERY)
        assert said_in(driver.text) >= {"quadrille"}
        assert any(said_in(setting) for setting in kept_settings(home))
        await driver.press("enter")
        await choose_secret(driver)
        await driver.press("exclamation_mark", "y")
        assert said_in(driver.text) == set()

    drive(home, flow)
    assert not any(said_in(setting) for setting in kept_settings(home))
    raw = b"".join(path.read_bytes() for path in sorted(home.iterdir()) if path.is_file())
    assert b"quadrille" not in raw
