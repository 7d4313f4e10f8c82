"""Choosing the form of each part of a search that has several, and keeping the choices from one run to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ragspine_tui.config import MATCHES
from ragspine_tui.errors import UsageError
from ragspine_tui.specs import SEAMS, resolve_spec
from ragspine_tui.tui.desk import Cancelled
from ragspine_tui.tui.dialogs import Picker
from ragspine_tui.tui.text import Line, Run, rows_of
from ragspine_tui.tui.watching import Watching
from ragspine_tui.types import SearchRequest

if TYPE_CHECKING:
    from ragspine_tui.config import ServiceConfig
    from ragspine_tui.session import Session
    from ragspine_tui.tui.state import State

CHOICES: Final = {
    "mode": ("mode", "retrieval_mode"),
    "fusion": ("fusion", "fusion"),
    "router": ("routing", "library_router"),
    "filter_extractor": ("extracting", "filter_extractor"),
}
"""The seams that are chosen here: the name each choice is kept by, and its setting."""

_TOLD: Final = {
    ("mode", "economy"): "by words alone",
    ("mode", "hybrid"): "by words and the configured embedding; without one it is economy",
    ("mode", "vector"): "by the configured embedding alone",
    ("fusion", "score"): "the best passages first, wherever they are",
    ("fusion", "rrf"): "the first of each library, then the second of each",
    ("router", "none"): "every library is searched, or those chosen by hand",
    ("router", "keyword"): "those whose description has words of the query (Ctrl+T)",
    ("filter_extractor", "none"): "the query's words only search",
    ("filter_extractor", "keyword"): "words that are values of fields filter too (Ctrl+G)",
}


_TOLD_CELLS: Final = 62
_LEAST_CELLS: Final = 16


class Choosing(Watching):
    """One list for each part of a search that has several forms; a form that cannot be searched with is not taken."""

    def action_choose(self, seam: str) -> None:
        """Choose from a list that says what is on now, and of each form what it does or why it cannot run here."""
        names = list(SEAMS[seam].names)

        def call(session: Session, _: Cancelled) -> list[str]:
            return [_why_not(session, seam, name) for name in names]

        def done(reasons: list[str]) -> None:
            self.app.push_screen(
                Picker(self.choice_title(seam), self.choices(seam, reasons), self.glyphs, "Enter chooses, Esc closes"),
                picked,
            )

        def picked(index: int | None) -> None:
            if index is not None:
                self.try_spec(seam, names[index])

        self.search_desk.submit(call, done, self.fail)

    def choice_title(self, seam: str) -> str:
        """The seam's name, and who set it where that was neither the default nor a person here."""
        given = self.config.given.get(CHOICES[seam][1], "")
        origin = f" (set by {given} at each start)" if given else ""
        return SEAMS[seam].label.capitalize() + origin

    def choices(self, seam: str, reasons: list[str]) -> list[list[Line]]:
        """A form with what it does, or with why it cannot run here, in as many rows as that takes."""
        items, room = [], max(_LEAST_CELLS, min(_TOLD_CELLS, self.app.size.width - 16))
        for name, reason in zip(SEAMS[seam].names, reasons, strict=True):
            mark = Run(" [x] " if name == self.state.spec(seam) else " [ ] ")
            told = Run(reason or _TOLD.get((seam, name), ""), "warn" if reason else "dim")
            rows = [Line((Run("      "), *row)) for row in rows_of([told], room)]
            items.append([Line((mark, Run(name, "accent"))), *rows])
        return items

    def try_spec(self, seam: str, name: str) -> None:
        """Search for nothing with it first: what this home cannot do is refused, and what was chosen stays."""

        def call(session: Session, _: Cancelled) -> str:
            return session.search(_trial(seam, name)).mode

        def done(mode: str) -> None:
            self.state.set_spec(seam, name)
            self.keep(CHOICES[seam][0], name)
            falls_back = seam == "mode" and mode != name
            self.say(f"{SEAMS[seam].label}: {name}" + (f", which is {mode} here" if falls_back else ""))
            self.show_scope()
            self.search_again(keep_hit=True)

        self.search_desk.submit(call, done, self.fail)


def _trial(seam: str, name: str) -> SearchRequest:
    """A search for nothing in which only one seam is not as usual, so that no other can be why it fails."""
    specs = {one: SEAMS[one].default for one in CHOICES} | {seam: name}
    return SearchRequest(
        "",
        limit=0,
        mode=specs["mode"],
        fusion=specs["fusion"],
        route=specs["router"],
        extract=specs["filter_extractor"],
    )


def _why_not(session: Session, seam: str, name: str) -> str:
    try:
        session.search(_trial(seam, name))
    except UsageError as error:
        return str(error)
    return ""


def command_name(state: State, seam: str) -> str:
    """The palette's line for a seam, every form in it so that each can be found by its name."""
    return f"{SEAMS[seam].label.capitalize()}: {state.spec(seam)} now (of {', '.join(SEAMS[seam].names)})"


def take_choices(state: State, config: ServiceConfig, kept: dict[str, str]) -> list[str]:
    """Set what is chosen here as it was kept, unless the file or the environment sets it; a line where that differs."""
    told = []
    match = "all" if state.every else "any"
    if kept["match"] in MATCHES and "match" not in config.given:
        state.every = kept["match"] == "all"
    elif kept["match"] in MATCHES and kept["match"] != match:
        told.append(f"words of a query: {match} by {config.given['match']}, not {kept['match']} as last time")
    for seam, (key, setting) in CHOICES.items():
        choice = kept_spec(seam, kept[key])
        if choice is None:
            continue
        if setting not in config.given:
            state.set_spec(seam, choice)
        elif choice != state.spec(seam):
            told.append(
                f"{SEAMS[seam].label}: {state.spec(seam)} by {config.given[setting]}, not {choice} as last time"
            )
    return told


def kept_spec(seam: str, kept: str) -> str | None:
    """A kept choice, None where there is none or it is no longer one."""
    try:
        return resolve_spec(seam, kept) if kept else None
    except ValueError:
        return None
