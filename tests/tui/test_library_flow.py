"""Libraries: first run, adding, scope by hand, routing, restricting, forgetting, problems."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from ragspine_tui.config import ServiceConfig
from ragspine_tui.session import Session
from ragspine_tui.tui.add_dialog import AddLibrary, complete_folder, preview_text
from ragspine_tui.tui.dialogs import Confirm, Offer, Picker, Reading
from ragspine_tui.tui.inputs import LineInput
from ragspine_tui.types import FolderPreview
from tests.tui.driving import Driver, drive, write


def test_the_first_run_offers_two_choices_and_promises_that_nothing_leaves(tmp_path: Path) -> None:
    async def flow(driver: Driver) -> None:
        for text in ("No libraries yet", "Add a folder", "The samples", "Nothing leaves this computer", "Database:"):
            assert text in driver.text
        assert "nothing to search yet" in driver.text
        assert driver.place == "first_run"

    drive(tmp_path / "home", flow, size=(160, 30))


@pytest.mark.parametrize("keys", [("s", "enter"), ("down", "enter", "y")])
def test_the_samples_can_be_searched_at_once(tmp_path: Path, keys: tuple[str, ...]) -> None:
    async def flow(driver: Driver) -> None:
        await driver.press(*keys)
        assert len(driver.main.state.libraries) == 3
        assert driver.place == "search"
        await driver.type("worms")
        assert driver.hits()

    drive(tmp_path / "home", flow)


@pytest.mark.parametrize("word", ["soup", "pasta", "apple", "as", "just", "soup\n"])
def test_a_word_typed_on_the_first_run_does_nothing_but_show_the_keys(tmp_path: Path, word: str) -> None:
    async def flow(driver: Driver) -> None:
        for char in word:
            driver.send("enter" if char == "\n" else char)
        await driver.settle()
        assert driver.app.screen_stack == [driver.main]
        assert driver.main.state.libraries == ()
        assert "press a to add a folder, s for the samples" in driver.text

    drive(tmp_path / "home", flow, size=(80, 24))


@pytest.mark.parametrize("key", ["escape", "n", "o"])
def test_the_samples_are_added_only_after_a_yes(tmp_path: Path, key: str) -> None:
    async def flow(driver: Driver) -> None:
        await driver.press("s")
        assert isinstance(driver.app.screen, Offer)
        assert "Add the three sample libraries?" in driver.text
        await driver.press(key)
        assert driver.app.screen_stack == [driver.main]
        assert driver.main.state.libraries == ()
        assert ("press a to add a folder" in driver.text) == (key == "o")

    drive(tmp_path / "home", flow)


def test_dialogs_name_their_own_keys_and_help_in_the_last_line(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        async def last_line(*keys: str) -> str:
            await driver.press(*keys)
            return driver.text.splitlines()[-1]

        assert "↵ add" in await last_line("ctrl+n")
        assert "Tab complete" in driver.text.splitlines()[-1]
        assert "f1 help" in driver.text.splitlines()[-1]
        assert "Folder line  (here)" in (await last_line("f1"), driver.text)[1]
        assert "Esc close" in await last_line()
        await driver.press("f1", "escape", "ctrl+l")
        question = await last_line("d")
        assert "y yes  n no" in question
        assert "f1 help" in question
        assert "reindex" not in question

    drive(home, flow, size=(80, 24))


def test_a_folder_is_added_with_its_name_and_description_and_indexed(tmp_path: Path) -> None:
    folder = write(tmp_path / "My notes", one="# One\n\nA heron.", two="# Two\n\nAn egret.")

    async def flow(driver: Driver) -> None:
        await driver.press("a")
        dialog = driver.app.screen
        assert isinstance(dialog, AddLibrary)
        driver.app.screen.query_one("#folder").insert_text_at_cursor(str(folder))  # type: ignore[attr-defined]
        await driver.settle()
        assert "2 files: 2 md" in driver.text
        assert "My notes" in driver.text
        await driver.press("tab", "tab")
        await driver.type("birds")
        await driver.press("enter")
        library = driver.main.state.libraries[0].library
        assert (library.title, library.description, library.root) == ("My notes", "birds", str(folder))
        assert any("2 documents" in toast for toast in driver.toasts)
        await driver.type("egret")
        assert driver.hits() == ["two.md"]

    drive(tmp_path / "home", flow)


def test_a_folder_that_is_not_there_is_said_and_not_added(tmp_path: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.press("a")
        await driver.type("/no-such-folder-anywhere")
        await driver.press("enter")
        assert isinstance(driver.app.screen, AddLibrary)
        assert "there is no folder" in driver.text
        await driver.press("escape")
        assert driver.main.state.libraries == ()

    drive(tmp_path / "home", flow)


def test_a_folder_that_is_a_library_already_is_said_before_enter_with_the_way_out(own_home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.press("ctrl+n")
        line = driver.app.screen.query_one("#folder", LineInput)
        for path in (own_home.parent / "notes", own_home.parent / "papers" / ".." / "notes"):
            line.value = f"{path}/"
            await driver.settle()
            told = " ".join(driver.text.split())
            assert "this is the library notes already: Esc, then r" in told
        await driver.press("enter")
        assert isinstance(driver.app.screen, AddLibrary)
        line.value = str(own_home.parent)
        await driver.settle()
        assert "this is the library" not in driver.text

    drive(own_home, flow)


def test_a_library_added_as_restricted_shows_so_and_is_never_found(tmp_path: Path) -> None:
    folder = write(tmp_path / "private", one="# One\n\nThe salary of the heron.")

    async def flow(driver: Driver) -> None:
        await driver.press("a")
        driver.app.screen.query_one("#folder").insert_text_at_cursor(str(folder))  # type: ignore[attr-defined]
        await driver.press("tab", "tab", "tab", "space", "enter")
        assert "[!]" in driver.text
        assert "RESTRICTED" in driver.text
        await driver.type("heron")
        assert driver.hits() == []

    drive(tmp_path / "home", flow)


def test_tab_completes_the_folder(tmp_path: Path) -> None:
    (tmp_path / "alpha" / "beta").mkdir(parents=True)
    (tmp_path / ".hidden").mkdir()

    async def flow(driver: Driver) -> None:
        await driver.press("a")
        line = driver.app.screen.query_one("#folder")
        line.insert_text_at_cursor(f"{tmp_path}/al")  # type: ignore[attr-defined]
        await driver.settle()
        await driver.press("tab")
        assert line.value == f"{tmp_path}/alpha/"  # type: ignore[attr-defined]
        assert line.has_focus

    assert complete_folder(f"{tmp_path}/al") == f"{tmp_path}/alpha/"
    assert complete_folder(f"{tmp_path}/") == f"{tmp_path}/alpha/"
    assert complete_folder(f"{tmp_path}/.h") == f"{tmp_path}/.hidden/"
    assert complete_folder(f"{tmp_path}/zz") is None
    assert complete_folder("") is None
    drive(tmp_path / "home", flow)


def test_a_preview_counts_by_kind() -> None:
    preview = FolderPreview(214, ((".md", 120), (".pdf", 60), (".html", 34)), 3)
    assert preview_text(preview) == "214 files: 120 md, 60 pdf, 34 html; 3 skipped"
    assert preview_text(FolderPreview(0, (), 0)) == "0 files"


def test_space_takes_a_library_out_of_the_search_and_the_scope_line_says_so(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length")
        assert {hit.library_id for hit in driver.main.hit_list.hits} == {"notes", "papers"}
        await driver.press("ctrl+l", "space")
        assert {hit.library_id for hit in driver.main.hit_list.hits} == {"papers"}
        assert "by hand: papers" in driver.text
        assert "1 of 2 libraries" in driver.text
        assert "[ ]   notes" in driver.text
        await driver.press("space")
        assert "all 2 libraries" in driver.text

    drive(home, flow)


def test_routing_shows_what_it_chose_and_why_and_is_kept(home: Path) -> None:
    async def on(driver: Driver) -> None:
        await driver.type("normalisation length")
        await driver.press("ctrl+t")
        assert "routed: papers (normalisation)" in driver.text
        assert {hit.library_id for hit in driver.main.hit_list.hits} == {"papers"}
        assert "routed 1 of 2" in driver.text
        assert "▸ papers" in driver.text

    async def again(driver: Driver) -> None:
        assert driver.main.state.routing
        await driver.type("length")
        assert "no description has these words: all 2 libraries searched" in driver.text
        await driver.press("ctrl+t")
        assert "all 2 libraries" in driver.text

    async def off(driver: Driver) -> None:
        assert not driver.main.state.routing

    drive(home, on)
    drive(home, again)
    drive(home, off)


def test_space_on_a_library_takes_over_what_routing_chose(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("normalisation length")
        await driver.press("ctrl+t", "ctrl+l", "space")
        assert driver.main.state.chosen is None
        assert not driver.main.state.routing
        await driver.press("space")
        assert "by hand: papers" in driver.text

    drive(home, flow)


def test_restricting_a_hit_asks_names_what_disappears_and_acts_at_once(own_home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("softened")
        await driver.press("enter", "exclamation_mark")
        assert isinstance(driver.app.screen, Confirm)
        assert "Restrict the document okapi.md?" in driver.text
        assert "not the whole library" in driver.text
        await driver.press("n")
        assert driver.hits() == ["okapi.md"]
        await driver.press("exclamation_mark", "y")
        assert driver.hits() == []
        assert "softened by b" not in driver.text
        await driver.press("ctrl+l", "j", "i")
        assert isinstance(driver.app.screen, Reading)
        assert "papers: 1 document restricted" in driver.text
        assert "okapi.md" in driver.text
        assert "! in the libraries pane lifts it" in driver.text
        await driver.press("escape", "exclamation_mark")
        assert isinstance(driver.app.screen, Picker)
        assert "lift okapi.md" in driver.text
        await driver.press("enter")
        assert isinstance(driver.app.screen, Confirm)
        await driver.press("y")
        assert driver.hits() == ["okapi.md"]

    drive(own_home, flow)
    with Session.open(ServiceConfig(home=own_home)) as session:
        assert session.marks("papers") == ()


def test_a_whole_library_is_restricted_and_lifted_after_asking(own_home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length")
        await driver.press("ctrl+l", "exclamation_mark")
        assert "Restrict the library notes?" in driver.text
        await driver.press("y")
        assert {hit.library_id for hit in driver.main.hit_list.hits} == {"papers"}
        assert "[!]   notes" in driver.text
        await driver.press("space")
        assert any("is restricted" in toast for toast in driver.toasts)
        await driver.press("exclamation_mark", "enter", "y")
        assert {hit.library_id for hit in driver.main.hit_list.hits} == {"papers", "notes"}

    drive(own_home, flow)


def test_forgetting_a_library_asks_and_leaves_the_files(own_home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.press("ctrl+l", "d")
        assert "Forget the library notes?" in driver.text
        await driver.press("enter", "escape")
        assert len(driver.main.state.libraries) == 2
        await driver.press("d", "y")
        assert [summary.library.library_id for summary in driver.main.state.libraries] == ["papers"]

    drive(own_home, flow)
    assert (own_home.parent / "notes" / "garden.md").exists()


def test_reindexing_finds_what_is_new(own_home: Path) -> None:
    write(own_home.parent / "notes", pond="# Pond\n\nNewts in the pond.")

    async def flow(driver: Driver) -> None:
        await driver.type("newts")
        assert driver.hits() == []
        await driver.press("ctrl+l", "r")
        assert driver.hits() == ["pond.md"]

    drive(own_home, flow)


def test_problems_are_listed_with_their_reasons(own_home: Path) -> None:
    (own_home.parent / "notes" / "broken.md").write_bytes(b"---\ntitle: a: b\n---\n# Body\n\ntext\n")

    async def flow(driver: Driver) -> None:
        await driver.press("ctrl+l", "i")
        assert any("every file of notes was read" in toast for toast in driver.toasts)
        await driver.press("r", "i")
        assert isinstance(driver.app.screen, Reading)
        assert "broken.md" in driver.text
        await driver.press("escape")
        assert driver.place == "libraries"

    drive(own_home, flow)


def test_r_on_the_list_of_problems_tries_the_files_again(own_home: Path) -> None:
    (own_home.parent / "notes" / "long.md").write_text("a heron\n" * 150_000, encoding="utf-8")
    with Session.open(ServiceConfig(home=own_home, max_file_mb=1)) as session:
        session.index()

    async def flow(driver: Driver) -> None:
        await driver.press("ctrl+l", "r", "i")
        assert "long.md" in driver.text
        assert "try again" in driver.text
        await driver.press("r")
        assert driver.place == "libraries"
        await driver.press("i")
        assert any("every file of notes was read" in toast for toast in driver.toasts)

    drive(own_home, flow)


def test_esc_in_the_libraries_pane_stops_indexing_cleanly_while_searching_works(tmp_path: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(400):
        (folder / f"n{number:03}.md").write_text(f"# Note {number}\n\n" + f"heron {number} egret. " * 400)
    home = tmp_path / "home"
    with Session.open(ServiceConfig(home=home)) as session:
        session.add(folder)

    async def flow(driver: Driver) -> None:
        main = driver.main
        await driver.press("ctrl+l")
        driver.send("r")
        async with asyncio.timeout(60):
            await driver.until_indexing()
        assert "indexing many" in driver.text
        await driver.press("escape")
        assert driver.place == "libraries"
        assert any("stopped" in toast for toast in driver.toasts)
        assert not driver.indexing
        assert "partial · r continues" in driver.text
        await driver.press("i")
        assert any("read only in part" in toast for toast in driver.toasts)
        await driver.press("escape")
        assert driver.place == "search"
        await driver.press("ctrl+l", "r")
        assert main.state.libraries[0].documents == 400
        assert "partial" not in driver.text

    drive(home, flow)
