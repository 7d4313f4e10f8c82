"""Choosing how a search ranks: the retrieval mode, and the fusion of several libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ragspine_tui.specs import SEAMS, resolve_spec
from ragspine_tui.tui.desk import Cancelled
from ragspine_tui.tui.dialogs import Picker
from ragspine_tui.tui.library_actions import LibraryActions
from ragspine_tui.tui.text import Line, Run
from ragspine_tui.types import SearchRequest, SearchResult

if TYPE_CHECKING:
    from ragspine_tui.session import Session

_TOLD: Final = {
    "economy": "by words alone",
    "hybrid": "by words and the configured embedding; without one it is economy",
    "vector": "by the configured embedding alone",
    "score": "the best passages first, wherever they are",
    "rrf": "the first of each library, then the second of each",
}


class Choosing(LibraryActions):
    """One list for each part of a search that has several forms; a choice that cannot be searched with is not taken."""

    def action_choose(self, seam: str) -> None:
        """Choose the mode or the fusion from a list."""
        names = list(SEAMS[seam].names)
        now = self.spec_now(seam)
        items = [
            [
                Line(
                    (
                        Run(" [x] " if name == now else " [ ] "),
                        Run(name, "accent"),
                        Run(f"  {_TOLD.get(name, '')}", "dim"),
                    )
                )
            ]
            for name in names
        ]

        def picked(index: int | None) -> None:
            if index is not None:
                self.try_spec(seam, names[index])

        title = SEAMS[seam].label.capitalize()
        self.app.push_screen(Picker(title, items, self.glyphs, "Enter chooses, Esc closes"), picked)

    def spec_now(self, seam: str) -> str:
        """What the next search is asked for."""
        if seam == "mode":
            return self.state.mode or self.config.retrieval_mode
        return self.state.fusion or self.config.fusion

    def try_spec(self, seam: str, name: str) -> None:
        """Search for nothing with it first: what this home cannot do is refused, and what was chosen stays."""
        mode, fusion = (name, self.state.fusion) if seam == "mode" else (self.state.mode, name)

        def call(session: Session, _: Cancelled) -> SearchResult:
            return session.search(SearchRequest("", limit=0, mode=mode, fusion=fusion))

        def done(result: SearchResult) -> None:
            self.state.mode, self.state.fusion = mode, fusion
            self.keep(seam, name)
            falls_back = seam == "mode" and result.mode != name
            self.say(f"{SEAMS[seam].label}: {name}" + (f", which is {result.mode} here" if falls_back else ""))
            self.search_again(keep_hit=True)

        self.search_desk.submit(call, done, self.fail)


def kept_spec(seam: str, kept: str) -> str | None:
    """A kept choice, None where there is none or it is no longer one."""
    try:
        return resolve_spec(seam, kept) if kept else None
    except ValueError:
        return None
