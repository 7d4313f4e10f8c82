"""What can be done with a hit: copy, cite, edit, open; and the layout keys, help and palette."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from ragspine_tui.errors import UsageError
from ragspine_tui.tui.dialogs import Reading
from ragspine_tui.tui.main import MainScreen
from ragspine_tui.tui.opening import editor_command, line_to_edit, open_with_system, run_editor
from ragspine_tui.types import Hit, Span
from tests.tui.driving import Driver, drive, write


def program(folder: Path, name: str, log: Path) -> Path:
    """A program that writes down the arguments it was given."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f'#!{sys.executable}\nimport sys\nopen({str(log)!r}, "w").write("\\n".join(sys.argv[1:]))\n')
    path.chmod(path.stat().st_mode | stat.S_IEXEC)
    return path


def test_copying_hands_the_passage_and_the_citation_to_the_terminal(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("softened")
        await driver.press("enter", "y")
        hit = driver.main.hit_list.hits[0]
        assert driver.app.clipboard == hit.text
        await driver.press("Y")
        assert driver.app.clipboard.startswith("Okapi at TREC-3. papers: okapi.md#para")
        assert any(driver.app.clipboard in toast for toast in driver.toasts)
        driver.app.copy_to_clipboard("")
        await driver.press("escape", "ctrl+y")
        assert driver.app.clipboard.startswith("Okapi")

    drive(home, flow)


def test_keys_for_a_hit_say_why_they_do_nothing_without_one(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        for key in ("ctrl+y", "ctrl+o", "enter"):
            await driver.press(key)
        assert len(driver.toasts) == 3
        assert driver.place == "search"

    drive(home, flow)


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in editor is a script with a shebang line")
def test_the_editor_is_run_with_the_path_and_the_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log"
    editor = program(tmp_path / "bin", "vim", log)
    command = editor_command(tmp_path / "a b.md", 7, {"VISUAL": f"{editor} --clean"})
    run_editor(command, {"NO_COLOR": "1"})
    assert log.read_text().splitlines() == ["--clean", "+7", str(tmp_path / "a b.md")]


@pytest.mark.parametrize(
    ("editor", "expected"),
    [
        ("vim", ["+7", "/a b.md"]),
        ("nano", ["+7", "/a b.md"]),
        ("code", ["--goto", "/a b.md:7"]),
        ("hx", ["/a b.md:7"]),
        ("gedit", ["/a b.md"]),
    ],
)
def test_each_editor_is_told_the_line_in_its_own_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, editor: str, expected: list[str]
) -> None:
    program(tmp_path / "bin", editor, tmp_path / "log")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert editor_command(Path("/a b.md"), 7, {"EDITOR": f"{editor} -x"}) == [editor, "-x", *expected]
    assert editor_command(Path("/a b.md"), None, {"VISUAL": editor, "EDITOR": "other"}) == [editor, "/a b.md"]


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in editor is a script with a shebang line")
def test_the_editor_opens_at_the_first_matched_word_while_the_citation_keeps_the_passage(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    monkeypatch.setenv("VISUAL", str(program(tmp_path / "bin", "vim", log)))
    monkeypatch.setattr(MainScreen, "run_in_terminal", lambda _, command, environ: run_editor(command, environ))

    async def flow(driver: Driver) -> None:
        await driver.type("softened")
        await driver.press("ctrl+o")
        file = Path(log.read_text().splitlines()[1])
        line = int(log.read_text().splitlines()[0].removeprefix("+"))
        assert file.read_text().splitlines()[line - 1].startswith("softened by b")
        assert driver.main.hit is not None
        assert driver.main.hit.line is not None
        assert driver.main.hit.line < line
        assert f"okapi.md:{driver.main.hit.line}" in driver.text

    drive(home, flow)


@pytest.mark.parametrize(
    ("kind", "line", "highlights", "expected"),
    [
        ("md", 10, (Span(7, 9), Span(0, 1)), 10),
        ("md", 10, (Span(8, 9),), 12),
        ("txt", 10, (Span(4, 5),), 11),
        ("code", 10, (), 10),
        ("html", 10, (Span(8, 9),), 10),
        ("pdf", None, (Span(8, 9),), None),
    ],
)
def test_the_line_to_edit_is_that_of_the_first_matched_word_where_the_text_is_the_file(
    kind: str, line: int | None, highlights: tuple[Span, ...], expected: int | None
) -> None:
    text = "one\ntwo\nthree"
    hit = Hit(
        1, "papers", "a", "", "", "papers:a#c1", 1.0, text, Span(0, len(text)), "a#para1", line,
        highlights=highlights, fields={"kind": (kind,)},
    )  # fmt: skip
    assert line_to_edit(hit) == expected


@pytest.mark.skipif(sys.platform != "linux", reason="the stand-in opener is named as on Linux")
@pytest.mark.parametrize(("code", "told"), [(0, "opened okapi.md"), (3, "xdg-open could not open it (exit 3)")])
def test_what_the_opener_says_is_waited_for_and_told(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, told: str
) -> None:
    opener = program(tmp_path / "bin", "xdg-open", tmp_path / "log")
    opener.write_text(opener.read_text() + f"sys.exit({code})\n")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))

    async def flow(driver: Driver) -> None:
        await driver.type("softened")
        await driver.press("enter", "o")
        assert len(driver.toasts) == 1
        assert driver.toasts[0].startswith(told)
        assert ("press e for the editor" in driver.toasts[0]) == bool(code)

    drive(home, flow)


def test_a_missing_editor_is_a_toast(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "no-such-editor-anywhere")

    async def flow(driver: Driver) -> None:
        await driver.type("softened")
        await driver.press("ctrl+o")
        assert any("no-such-editor-anywhere" in toast for toast in driver.toasts)
        await driver.press("enter", "e")
        assert driver.app.is_running

    drive(home, flow)


def test_editors_and_openers_that_cannot_be_run_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="cannot understand"):
        editor_command(tmp_path, 1, {"EDITOR": "vim 'unclosed"})
    with pytest.raises(UsageError, match="cannot run"):
        run_editor([str(tmp_path / "missing")], {})
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="is not there"):
        open_with_system(tmp_path)


def test_a_file_that_is_gone_is_said(own_home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("softened")
        (own_home.parent / "papers" / "okapi.md").unlink()
        await driver.press("enter", "o")
        assert any("is gone from the disk" in toast for toast in driver.toasts)

    drive(own_home, flow)


def test_a_file_that_is_gone_is_called_gone(own_home: Path) -> None:
    (own_home.parent / "papers" / "okapi.md").unlink()

    async def flow(driver: Driver) -> None:
        await driver.type("normalisation tf")
        assert driver.main.hit is not None
        assert driver.main.hit.document == "okapi.md"
        assert "gone from the disk" in driver.text
        assert any("okapi.md" in line and "  gone" in line for line in driver.text.splitlines())
        assert "changed" not in driver.text

    drive(own_home, flow, size=(160, 40))


def test_a_changed_file_is_marked(own_home: Path) -> None:
    write(own_home.parent / "papers", okapi="# Okapi\n\nanother text altogether")

    async def flow(driver: Driver) -> None:
        await driver.type("softened")
        assert "changed" in driver.text

    drive(own_home, flow)


def test_zoom_shows_one_pane_and_esc_shows_all_again(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("softened")
        await driver.press("enter", "z")
        assert not driver.main.query_one("#side").display
        assert not driver.main.query_one("#context-pane").display
        await driver.press("enter")
        assert driver.place == "context"
        assert driver.main.query_one("#context-pane").display
        assert not driver.main.query_one("#hits-pane").display
        await driver.press("escape")
        assert driver.main.query_one("#side").display
        assert driver.place == "context"

    drive(home, flow)


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
def test_the_hits_get_more_and_less_room(home: Path, size: tuple[int, int]) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length")
        await driver.press("enter")
        rooms = []
        for key in ("greater_than_sign", "less_than_sign", "less_than_sign"):
            await driver.press(key)
            rooms.append(driver.main.query_one("#hits-pane").size.area)
        assert rooms[0] > rooms[1] > rooms[2]

    drive(home, flow, size=size)


def test_tab_goes_round_the_panes(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length")
        places = []
        for _ in range(6):
            await driver.press("tab")
            places.append(driver.place)
        assert set(places) == {"libraries", "filter", "fields", "hits", "context", "search"}
        await driver.press("shift+tab")
        assert driver.place == places[-2]

    drive(home, flow)


@pytest.mark.parametrize("keys", [("f1",), ("enter", "question_mark"), ("ctrl+l", "question_mark")])
def test_help_opens_for_the_place_and_closes(home: Path, keys: tuple[str, ...]) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length")
        await driver.press(*keys)
        assert isinstance(driver.app.screen, Reading)
        assert "(here)" in driver.text
        await driver.press("G")
        assert "tmux" in driver.text
        await driver.press("escape")
        assert driver.app.screen_stack == [driver.main]

    drive(home, flow)


def test_slash_returns_to_the_line(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length")
        for keys in (("enter", "slash"), ("enter", "enter", "slash"), ("ctrl+l", "slash")):
            await driver.press(*keys)
            assert driver.place == "search"
        assert driver.main.search_input.value == "length"

    drive(home, flow)


def test_the_palette_does_what_the_keys_do(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.press("ctrl+p")
        await driver.type("keyword routing")
        await driver.pilot.pause()
        await driver.press("enter", "enter")
        assert driver.main.state.routing

    drive(home, flow)


def test_the_palette_names_every_command_once_wherever_the_focus_is(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        offered = []
        for keys in ((), ("ctrl+l",), ("ctrl+f",)):
            await driver.press(*keys)
            offered.append([command.title for command in driver.app.get_system_commands(driver.app.screen)])
        assert offered[0] == offered[1] == offered[2]
        assert len(offered[0]) == len(set(offered[0]))
        for name in ("Libraries: bring it up to date", "Copy the hit's citation", "Filter list: delete the condition"):
            assert name in offered[0]
        assert not any("a page" in name for name in offered[0])

    drive(home, flow)


def test_a_command_of_another_pane_acts_on_that_pane(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length")
        await driver.press("ctrl+p")
        await driver.type("in or out of the search")
        await driver.pilot.pause()
        await driver.press("enter", "enter")
        assert "by hand: papers" in driver.text
        assert driver.place == "libraries"

    drive(home, flow, size=(80, 24))


@pytest.mark.parametrize(
    "text", ["a short one", "a rather long one that says what went wrong and what to do about it " * 3]
)
def test_toasts_never_cover_the_passage_on_a_small_screen(home: Path, text: str) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length normalisation")
        before = driver.text.splitlines()
        driver.main.say("another")
        driver.main.fail(text)
        await driver.settle()
        after = driver.text.splitlines()
        assert text[:11] in "".join(after[-2:])
        assert after[:-2] == before[:-2]

    drive(home, flow, size=(80, 24), toasts=True)


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
def test_a_toast_stands_once_when_a_dialog_comes_up(home: Path, size: tuple[int, int]) -> None:
    async def flow(driver: Driver) -> None:
        driver.main.say("a short one")
        await driver.press("f1")
        assert driver.text.count("a short one") == 1

    drive(home, flow, size=size, toasts=True)


def test_ctrl_q_quits_with_code_0(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        driver.send("ctrl+q")

    assert drive(home, flow).return_code in (0, None)


def test_a_theme_is_kept_for_the_next_run(home: Path) -> None:
    async def choose(driver: Driver) -> None:
        driver.app.theme = "ragspine-light"
        await driver.settle()

    async def look(driver: Driver) -> None:
        assert driver.app.theme == "ragspine-light"

    drive(home, choose)
    drive(home, look)
    assert drive(home, _nothing, theme="ragspine-dark").theme == "ragspine-dark"


async def _nothing(_: Driver) -> None:
    """A run in which nothing is done."""


@pytest.mark.parametrize(
    "theme", ["ragspine-dark", "ragspine-light", "textual-light", "nord", "ansi-dark", "ansi-light"]
)
def test_every_kind_of_theme_draws_the_same_signs(home: Path, theme: str) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("softened")
        assert "▌ papers › okapi.md" in driver.text
        assert " ┃ " in driver.text

    drive(home, flow, theme=theme)


def test_the_mouse_chooses_hits_enters_the_context_and_switches_libraries(home: Path) -> None:
    async def flow(driver: Driver) -> None:
        await driver.type("length")
        await driver.pilot.click("#hits", offset=(8, 2))
        await driver.settle()
        assert (driver.place, driver.main.hit_list.cursor) == ("hits", 1)
        await driver.pilot.click("#hits", offset=(8, 3))
        await driver.settle()
        assert driver.place == "context"
        await driver.pilot.click("#libraries", offset=(8, 0))
        await driver.settle()
        assert "by hand: papers" in driver.text
        await driver.pilot.click("#fields", offset=(3, 0))
        await driver.settle()
        assert driver.place == "filter"

    drive(home, flow)
