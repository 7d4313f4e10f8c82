"""What the search line was taken for, and what may be done about it: every word, another spelling."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ragspine_tui.printable import one_line
from ragspine_tui.tui.glyphs import Glyphs
from ragspine_tui.tui.lines import OneLine
from ragspine_tui.tui.searching import Searching
from ragspine_tui.tui.text import Run
from ragspine_tui.types import QueryPart, SearchResult

_NAMES: Final = {
    "word": "words",
    "prefix": "beginning",
    "phrase": "phrase",
    "required": "must",
    "excluded": "not",
    "near": "near",
    "title": "title",
    "condition": "condition",
    "library": "library",
}


def read_as(result: SearchResult | None, glyphs: Glyphs) -> list[Run]:
    """One line: what each part of the query was taken for, what was not understood, and a better spelling.

    Empty where all of it is words that there are.
    """
    if result is None:
        return []
    parts = [*map(_part, result.parse), *_remarks(result)]
    runs: list[Run] = [Run("   ")] if parts else []
    for number, part in enumerate(parts):
        runs += [Run(f" {glyphs.dot} ", "dim"), *part] if number else part
    return runs


def _part(part: QueryPart) -> list[Run]:
    return [Run(f"{_NAMES[part.kind]} ", "dim"), Run(one_line(part.text), "" if part.kind == "word" else "accent")]


def _remarks(result: SearchResult) -> Iterator[list[Run]]:
    if result.did_you_mean:
        yield [Run("did you mean ", "dim"), Run(one_line(result.did_you_mean), "accent"), Run(" (f3)", "dim")]
    for note in result.notes if result.total else ():
        yield [Run(one_line(note), "warn")]


class Querying(Searching):
    """The line under the search line, and the keys that change how the query is read."""

    def show_scope(self) -> None:
        """The line under the search line is there only when it has something to say."""
        super().show_scope()
        runs = read_as(self.state.result, self.glyphs) if self.state.query.strip() else []
        self.query_one("#read-as", OneLine).draw(runs)
        self.set_class(bool(runs), "-read-as")

    def action_switch_every_word(self) -> None:
        """Ask for every word of the query, or for any."""
        self.state.every = not self.state.every
        self.say("every word must be in a document" if self.state.every else "any word of the query is enough")
        self.keep("match", "all" if self.state.every else "any")
        self.show_scope()
        self.search_again()

    def action_switch_sort(self) -> None:
        """The newest hits first, or the best."""
        self.state.by_date = not self.state.by_date
        self.say("newest first" if self.state.by_date else "best first")
        self.keep("sort", "date" if self.state.by_date else "relevance")
        self.show_scope()
        self.search_again()

    def action_take_spelling(self) -> None:
        """Search for the words as they were suggested."""
        result = self.state.result
        if result is not None and result.did_you_mean:
            self.search_input.value = one_line(result.did_you_mean)
            self.search_input.cursor_position = len(self.search_input.value)
        else:
            self.say("there is no other spelling to take")
