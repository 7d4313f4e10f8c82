"""The one table of keys: bindings, hints, help and the README's table all come from here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from textual.binding import Binding, BindingType

from ragspine_tui.tui.glyphs import Glyphs


@dataclass(frozen=True, slots=True)
class Key:
    """What some keys do in one place. `hint` is its word on the hint line; `builtin` keys are bound by Textual."""

    id: str
    keys: str
    description: str
    context: str
    action: str
    hint: str = ""
    builtin: bool = False


ANYWHERE: Final = "anywhere"
SEARCH: Final = "search line"
MOVES: Final = "any list"
LISTS: Final = "panes"
PASSAGE: Final = "hits and context"
HITS: Final = "hits"
CONTEXT: Final = "context"
LIBRARIES: Final = "libraries"
FILTER: Final = "filter line"
FILTERS: Final = "filter list"
FIELDS: Final = "fields"
FIRST_RUN: Final = "first run"
DIALOG: Final = "dialogs"
FOLDER: Final = "folder line"
SWITCH: Final = "restricted switch"
PROBLEMS: Final = "files not read"
CONFIRM: Final = "questions"
OFFER: Final = "offers"

KEYMAP: Final = (
    Key("go.back", "escape", "one step back; never quits", ANYWHERE, "screen.back"),
    Key("go.next", "tab", "next pane", ANYWHERE, "app.focus_next", builtin=True),
    Key("go.previous", "shift+tab", "previous pane", ANYWHERE, "app.focus_previous", builtin=True),
    Key("go.libraries", "ctrl+l", "libraries", ANYWHERE, "screen.focus_libraries", "libraries"),
    Key("go.filter", "ctrl+f", "filter line", ANYWHERE, "screen.focus_filter", "filter"),
    Key("route.switch", "ctrl+t", "keyword routing on or off", ANYWHERE, "screen.switch_routing", "routing"),
    Key("extract.switch", "ctrl+g", "filter found in the query on or off", ANYWHERE, "screen.switch_extracting"),
    Key("words.switch", "f2", "every word of the query, or any", ANYWHERE, "screen.switch_every_word"),
    Key("query.respell", "f3", "take the suggested spelling", ANYWHERE, "screen.take_spelling"),
    Key("sort.switch", "f4", "newest first, or best first", ANYWHERE, "screen.switch_sort"),
    Key("library.new", "ctrl+n", "add a library", ANYWHERE, "screen.add_library"),
    Key("hit.edit_anywhere", "ctrl+o", "open the hit in $VISUAL or $EDITOR at its line", ANYWHERE, "screen.edit_hit"),
    Key("hit.cite_anywhere", "ctrl+y", "copy the hit's citation", ANYWHERE, "screen.copy_citation"),
    Key("help.show", "f1", "help", ANYWHERE, "screen.show_help", "help"),
    Key("palette.show", "ctrl+p", "every command by name", ANYWHERE, "app.command_palette", builtin=True),
    Key("app.quit", "ctrl+q", "quit", ANYWHERE, "app.quit", builtin=True),
    Key("search.enter", "enter", "into the hits", SEARCH, "screen.enter_hits", "hits"),
    Key("search.up", "up", "previous hit", SEARCH, "screen.move_hits(-1)"),
    Key("search.down", "down", "next hit", SEARCH, "screen.move_hits(1)"),
    Key("search.page_up", "pageup", "a page of hits up", SEARCH, "screen.page_hits(-1)"),
    Key("search.page_down", "pagedown", "a page of hits down", SEARCH, "screen.page_hits(1)"),
    Key("list.up", "up,k", "up", MOVES, "up"),
    Key("list.down", "down,j", "down", MOVES, "down"),
    Key("list.page_up", "pageup", "a page up", MOVES, "page_up"),
    Key("list.page_down", "pagedown", "a page down", MOVES, "page_down"),
    Key("list.half_up", "ctrl+u", "half a page up", MOVES, "half_up"),
    Key("list.half_down", "ctrl+d", "half a page down", MOVES, "half_down"),
    Key("list.first", "home,g", "to the start", MOVES, "first"),
    Key("list.last", "end,G", "to the end", MOVES, "last"),
    Key("list.search", "slash", "back to the search line", LISTS, "screen.focus_search"),
    Key("list.help", "question_mark", "help", LISTS, "screen.show_help"),
    Key("hits.context", "enter", "into the context", HITS, "screen.enter_context", "context"),
    Key("context.return", "enter", "back to the hits", CONTEXT, "screen.leave_context", "hits"),
    Key("hit.expand", "space", "child or parent section", PASSAGE, "screen.switch_parent", "parent"),
    Key("hit.edit", "e", "open in $VISUAL or $EDITOR at the line", PASSAGE, "screen.edit_hit", "edit"),
    Key("hit.copy", "y", "copy the text", PASSAGE, "screen.copy_text_of_hit", "copy"),
    Key("hit.open", "o", "open with the system", PASSAGE, "screen.open_hit", "open"),
    Key("hit.cite", "Y", "copy the citation", PASSAGE, "screen.copy_citation", "cite"),
    Key("hit.narrow", "plus", "narrow to a field of this hit", PASSAGE, "screen.narrow_to_field", "narrow"),
    Key("hit.copies", "x", "copies of this passage one by one, and back", PASSAGE, "screen.switch_copies"),
    Key("hit.like", "equals_sign", "more like this passage", PASSAGE, "screen.search_like"),
    Key("mode.choose", "m", "retrieval mode", PASSAGE, "screen.choose('mode')"),
    Key("hit.next", "n", "next hit in this document", PASSAGE, "screen.same_document(1)"),
    Key("hit.previous", "N", "previous hit in this document", PASSAGE, "screen.same_document(-1)"),
    Key(
        "hit.restrict",
        "exclamation_mark",
        "restrict the document (asks first)",
        PASSAGE,
        "screen.restrict_hit",
        "restrict",
    ),
    Key("pane.zoom", "z", "this pane alone, and back", PASSAGE, "screen.zoom"),
    Key("pane.narrower", "less_than_sign", "less room for the hits", PASSAGE, "screen.resize(-4)"),
    Key("pane.wider", "greater_than_sign", "more room for the hits", PASSAGE, "screen.resize(4)"),
    Key("library.scope", "space", "in or out of the search", LIBRARIES, "screen.switch_library", "in/out"),
    Key("library.all", "asterisk", "all libraries in the search again", LIBRARIES, "screen.search_all"),
    Key("library.add", "a", "add a library", LIBRARIES, "screen.add_library", "add"),
    Key("library.reindex", "r", "bring it up to date", LIBRARIES, "screen.reindex", "reindex"),
    Key(
        "library.problems",
        "i",
        "files not read, and why",
        LIBRARIES,
        "screen.show_problems",
        "problems",
    ),
    Key("library.remove", "d", "forget it (asks first; your files stay)", LIBRARIES, "screen.remove_library", "remove"),
    Key(
        "library.restrict",
        "exclamation_mark",
        "restrict or lift (asks first)",
        LIBRARIES,
        "screen.restrict_library",
        "restrict",
    ),
    Key("filter.add", "enter", "add the condition", FILTER, "screen.add_filter", "add"),
    Key("filter.list", "down", "to the list of conditions", FILTER, "screen.focus_filters"),
    Key("filter.switch", "space", "condition on or off", FILTERS, "screen.switch_filter", "on/off"),
    Key("filter.delete", "x", "delete the condition", FILTERS, "screen.delete_filter", "delete"),
    Key("filter.edit", "enter", "edit the condition", FILTERS, "screen.edit_filter", "edit"),
    Key("field.pick", "enter", "begin a condition with the field", FIELDS, "screen.pick_field", "filter by it"),
    Key("first.add", "a", "add a folder", FIRST_RUN, "screen.add_library", "add a folder"),
    Key("first.samples", "s", "add the samples", FIRST_RUN, "screen.offer_samples", "samples"),
    Key("first.choose", "enter", "take the marked choice", FIRST_RUN, "screen.take_choice", "choose"),
    Key("first.search", "slash", "to the search line", FIRST_RUN, "screen.focus_search"),
    Key("first.help", "question_mark", "help", FIRST_RUN, "screen.show_help"),
    Key("dialog.accept", "enter", "do it", DIALOG, "screen.accept", "do it"),
    Key("dialog.cancel", "escape", "close without doing it", DIALOG, "screen.cancel", "close"),
    Key("dialog.help", "f1", "help", DIALOG, "screen.show_help", "help"),
    Key("dialog.complete", "tab", "complete the folder, else next field", FOLDER, "complete", "complete, next"),
    Key("dialog.switch", "space", "restricted or not", SWITCH, "switch", "on/off"),
    Key("problems.retry", "r", "try to read them again", PROBLEMS, "screen.retry", "try again"),
    Key("confirm.yes", "y", "yes", CONFIRM, "screen.accept", "yes"),
    Key("confirm.no", "n,escape", "no", CONFIRM, "screen.cancel", "no"),
    Key("confirm.help", "f1", "help", CONFIRM, "screen.show_help", "help"),
    Key("offer.yes", "enter,y", "yes", OFFER, "screen.accept", "yes"),
    Key("offer.no", "escape,n", "no", OFFER, "screen.cancel", "no"),
    Key("offer.help", "f1", "help", OFFER, "screen.show_help", "help"),
)

# Keys that terminals, multiplexers and input methods swallow, send as another key, or that edit an input.
NEVER_BIND: Final = frozenset(
    {"ctrl+h", "ctrl+i", "ctrl+m", "alt+enter", "ctrl+enter", "ctrl+slash", "ctrl+underscore", "ctrl+j", "ctrl+a"}
    | {"ctrl+b", "ctrl+s", "ctrl+z", "ctrl+up", "ctrl+down"}
)

# What has the focus together: a widget's own tables, innermost first.
CHAINS: Final = {
    "search": (SEARCH, ANYWHERE),
    "hits": (HITS, PASSAGE, LISTS, MOVES, ANYWHERE),
    "context": (CONTEXT, PASSAGE, LISTS, MOVES, ANYWHERE),
    "libraries": (LIBRARIES, LISTS, MOVES, ANYWHERE),
    "filter": (FILTER, ANYWHERE),
    "filters": (FILTERS, LISTS, MOVES, ANYWHERE),
    "fields": (FIELDS, LISTS, MOVES, ANYWHERE),
    "first_run": (FIRST_RUN, MOVES, ANYWHERE),
    "dialog": (DIALOG, MOVES),
    "folder": (FOLDER, DIALOG),
    "switch": (SWITCH, DIALOG),
    "problems": (PROBLEMS, DIALOG, MOVES),
    "confirm": (CONFIRM,),
    "offer": (OFFER,),
}


def of(*contexts: str) -> list[Key]:
    """The table's rows of these contexts, in the table's order."""
    return [key for key in KEYMAP if key.context in contexts]


_NO_COMMANDS: Final = frozenset({MOVES, DIALOG, FOLDER, SWITCH, PROBLEMS, CONFIRM, OFFER})
_NOT_BY_NAME: Final = frozenset(
    {"palette.show", "app.quit", "search.up", "search.down", "search.page_up", "search.page_down", "filter.list"}
    | {"mode.choose", "field.pick"}
)


def commands(*, first_run: bool) -> list[Key]:
    """Every command of the table once, for choosing by name; moving in a list and answering a dialog are none."""
    found: dict[str, Key] = {}
    for key in KEYMAP:
        here = key.context == FIRST_RUN if first_run else key.context != FIRST_RUN
        if (here or key.context == ANYWHERE) and key.context not in _NO_COMMANDS and key.id not in _NOT_BY_NAME:
            found.setdefault(key.action, key)
    return list(found.values())


def command_name(key: Key) -> str:
    """The command as the palette names it: `Libraries: bring it up to date`."""
    where = "" if key.context in (ANYWHERE, PASSAGE, FIRST_RUN, LISTS) else f"{key.context}: "
    name = f"{where}{key.description}"
    return name[0].upper() + name[1:]


def bindings(*contexts: str) -> list[BindingType]:
    """Textual bindings for the rows of these contexts."""
    return [Binding(key.keys, key.action, key.description, id=key.id, show=False) for key in of(*contexts)
            if not key.builtin]  # fmt: skip


_NAMES: Final = {
    "escape": "Esc",
    "tab": "Tab",
    "shift+tab": "Shift+Tab",
    "enter": "Enter",
    "space": "Space",
    "up": "Up",
    "down": "Down",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "slash": "/",
    "question_mark": "?",
    "exclamation_mark": "!",
    "plus": "+",
    "equals_sign": "=",
    "asterisk": "*",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "f1": "F1",
    "f2": "F2",
    "f3": "F3",
    "f4": "F4",
}


def shown(keys: str) -> str:
    """Keys as people write them: `Ctrl+L`, `Up / k`."""
    return " / ".join(_shown_one(key) for key in keys.split(","))


def _shown_one(key: str) -> str:
    if key.startswith("ctrl+"):
        return f"Ctrl+{key.removeprefix('ctrl+').upper()}"
    return _NAMES.get(key, key)


def hint(key: Key, glyphs: Glyphs) -> str:
    """The first key in a few cells: `^l`, `f1`, `↵`."""
    first = key.keys.split(",")[0]
    if first.startswith("ctrl+"):
        return f"^{first.removeprefix('ctrl+')}"
    if first in ("enter", "space"):
        return glyphs.enter if first == "enter" else glyphs.space
    return first if first == "f1" else _NAMES.get(first, first)


# A pane's own key says nothing in that pane, and before there is a library there is nothing to go to.
_POINTLESS: Final = {
    "libraries": {"go.libraries"},
    "filter": {"go.filter"},
    "first_run": {"go.libraries", "go.filter", "route.switch"},
}


def hints(place: str, glyphs: Glyphs) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """(key, word) pairs for the hint line: those of the place in the table's order, then those that work anywhere.

    Help is in neither: the line always has it.
    """
    left_out = _POINTLESS.get(place, set())
    keys = [key for key in of(*CHAINS[place]) if key.hint and key.id not in left_out and "f1" not in key.keys]
    order = CHAINS[place]
    keys.sort(key=lambda key: order.index(key.context))
    own = [(hint(key, glyphs), key.hint) for key in keys if key.context != ANYWHERE]
    return own, [(hint(key, glyphs), key.hint) for key in keys if key.context == ANYWHERE]


def markdown() -> str:
    """The table for the README, one row a key."""
    rows = [f"| {key.context} | {shown(key.keys).replace('|', chr(92) + '|')} | {key.description} |" for key in KEYMAP]
    return "\n".join(["| where | keys | what |", "|---|---|---|", *rows])
