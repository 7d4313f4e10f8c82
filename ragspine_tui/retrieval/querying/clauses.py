"""What a query is made of: clauses, each with its place in the text as it was typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ragspine_tui.types import Condition, Span

WORD: Final = "word"
"""Text without white space, ranked; with a sign, required or excluded."""
PHRASE: Final = "phrase"
"""Words in quotes: adjacent, in this order."""
PREFIX: Final = "prefix"
"""The beginning of words: `analy*`."""
NEAR: Final = "near"
"""`NEAR/5` between two words or phrases; the clauses beside it are its operands."""
CONDITION: Final = "condition"
"""`field:value` and the like."""
TITLE: Final = "title"
"""`title:word` or `title:"a phrase"`."""
LIBRARY: Final = "library"
"""`lib:id`."""

REQUIRED: Final = "+"
EXCLUDED: Final = "-"


@dataclass(frozen=True, slots=True)
class Clause:
    """One part of a query: `span` is all of it, `inner` the words in it that are searched for.

    `sign` is REQUIRED, EXCLUDED or ''; `open` says that the last word is still being typed, so that its beginning is
    enough; `stem` that a `*` follows. `condition`, `library` and `distance` belong to their kinds.
    """

    kind: str
    span: Span
    inner: Span
    sign: str = ""
    quoted: bool = False
    stem: bool = False
    open: bool = False
    condition: Condition | None = None
    library: str = ""
    distance: int = 0

    @property
    def begins(self) -> bool:
        """Whether the last word stands for all words that begin with it."""
        return self.stem or self.open


def shortened(text: str) -> str:
    """A stretch of a query as a line about it says it: without line breaks, the beginning of a long one."""
    said = text if text.isprintable() else " ".join(text.split())
    return said if len(said) <= 40 else f"{said[:39]}…"
