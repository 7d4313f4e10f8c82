"""The one table of keys is complete, clashes nowhere, and is what bindings and help are made of."""

from __future__ import annotations

import pytest
from textual.binding import Binding
from textual.dom import DOMNode

from ragspine_tui.tui import keymap
from ragspine_tui.tui.add_dialog import FolderInput, Switch
from ragspine_tui.tui.context import ContextView
from ragspine_tui.tui.dialogs import Confirm, Dialog, Lines, Offer, Problems
from ragspine_tui.tui.filters import FieldsView, FilterInput, FilterList
from ragspine_tui.tui.glyphs import ASCII, UNICODE, Glyphs
from ragspine_tui.tui.help import help_lines
from ragspine_tui.tui.hits import HitList
from ragspine_tui.tui.inputs import SearchInput
from ragspine_tui.tui.libraries import LibraryList
from ragspine_tui.tui.lines import key_hints
from ragspine_tui.tui.main import MainScreen
from ragspine_tui.tui.notices import Choices
from ragspine_tui.tui.text import width_of

BOUND_BY: dict[str, type[DOMNode]] = {
    keymap.ANYWHERE: MainScreen,
    keymap.SEARCH: SearchInput,
    keymap.HITS: HitList,
    keymap.PASSAGE: HitList,
    keymap.LISTS: HitList,
    keymap.MOVES: Lines,
    keymap.CONTEXT: ContextView,
    keymap.LIBRARIES: LibraryList,
    keymap.FILTER: FilterInput,
    keymap.FILTERS: FilterList,
    keymap.FIELDS: FieldsView,
    keymap.FIRST_RUN: Choices,
    keymap.DIALOG: Dialog,
    keymap.FOLDER: FolderInput,
    keymap.SWITCH: Switch,
    keymap.PROBLEMS: Problems,
    keymap.CONFIRM: Confirm,
    keymap.OFFER: Offer,
}


def test_every_key_has_an_id_of_its_own_and_a_description() -> None:
    ids = [key.id for key in keymap.KEYMAP]
    assert len(ids) == len(set(ids))
    assert all(key.id and key.description and key.keys and key.action for key in keymap.KEYMAP)


def test_no_key_is_one_that_terminals_swallow_or_send_as_another() -> None:
    bound = {key for row in keymap.KEYMAP for key in row.keys.split(",")}
    assert bound.isdisjoint(keymap.NEVER_BIND)
    assert {"ctrl+h", "ctrl+i", "ctrl+m", "ctrl+j", "ctrl+z", "ctrl+s"} <= keymap.NEVER_BIND


@pytest.mark.parametrize("chain", keymap.CHAINS)
def test_no_key_means_two_things_where_the_focus_is(chain: str) -> None:
    keys = [key for row in keymap.of(*keymap.CHAINS[chain]) for key in row.keys.split(",")]
    assert sorted(keys) == sorted(set(keys))


def test_every_context_of_the_table_is_bound_by_a_widget() -> None:
    for context, owner in BOUND_BY.items():
        bound = {binding.id for binding in owner.BINDINGS if isinstance(binding, Binding)}
        wanted = {key.id for key in keymap.of(context) if not key.builtin}
        assert wanted <= bound, context
    assert {key.context for key in keymap.KEYMAP} == set(BOUND_BY)


@pytest.mark.parametrize("chain", keymap.CHAINS)
def test_help_names_every_key_and_begins_with_those_of_the_place(chain: str) -> None:
    lines = ["".join(run.text for run in line.left) for line in help_lines(chain)]
    for key in keymap.KEYMAP:
        assert any(keymap.shown(key.keys) in line and key.description in line for line in lines)
    assert lines[0].strip().casefold().startswith(keymap.CHAINS[chain][0])


def test_the_readme_table_has_a_row_for_every_key() -> None:
    rows = keymap.markdown().splitlines()[2:]
    assert len(rows) == len(keymap.KEYMAP)
    assert all(row.count("|") == 4 for row in rows)


@pytest.mark.parametrize("chain", keymap.CHAINS)
def test_hints_are_drawn_with_ascii_where_that_is_asked_for(chain: str) -> None:
    plain, drawn = ([pair for part in keymap.hints(chain, signs) for pair in part] for signs in (ASCII, UNICODE))
    assert all(key.isascii() for key, _ in plain)
    assert [word for _, word in plain] == [word for _, word in drawn]


@pytest.mark.parametrize("place", keymap.CHAINS)
@pytest.mark.parametrize("width", [30, 80, 120])
@pytest.mark.parametrize("signs", [ASCII, UNICODE])
def test_the_hint_line_always_names_help_and_fits(place: str, width: int, signs: Glyphs) -> None:
    left, right = key_hints(place, width, signs)
    assert "f1 help" in "".join(run.text for run in right)
    assert width_of([*left, *right]) <= width


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("hits", ["context", "parent", "edit", "copy", "open", "cite", "narrow"]),
        ("libraries", ["in/out", "add", "reindex", "problems", "remove"]),
        ("search", ["hits", "libraries", "filter", "routing"]),
    ],
)
def test_a_place_s_most_useful_keys_fit_into_80_columns(place: str, words: list[str]) -> None:
    left, _ = key_hints(place, 80, UNICODE)
    shown = [run.text.strip() for run in left if run.role == "dim"]
    assert shown[: len(words)] == words


def test_quitting_is_named_where_there_is_room() -> None:
    assert all("^q" in [run.text for run in key_hints(place, 120, UNICODE)[1]] for place in ("search", "libraries"))
