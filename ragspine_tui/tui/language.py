"""The query language in a few lines, for help."""

from __future__ import annotations

from typing import Final

LANGUAGE: Final = (
    ('"two words"', "side by side, in this order"),
    ("+word  -word", "must be in the document; must not"),
    ("begin*", "words that begin so"),
    ("a NEAR/5 b", "at most five words apart"),
    ("title:word", "in the title"),
    ("tags:winter", "a condition, also != > >= < <= (fields: the filter pane lists them)"),
    ("lib:notes", "only this library"),
    ("anything else", "words, the best passages first; no text is an error"),
)
"""What may be typed, and what it finds."""
