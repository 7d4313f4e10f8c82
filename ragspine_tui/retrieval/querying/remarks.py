"""What is said of a word or a phrase that looks like an operator and is none; '' where there is nothing to say."""

from __future__ import annotations

import re
from typing import Final
from unicodedata import normalize

from ragspine_tui.retrieval.querying.clauses import shortened

_NEAR: Final = re.compile(r"near/[0-9]+", re.IGNORECASE)
# Words with stars between or before them; what has other signs too is code or emphasis.
_STARS: Final = re.compile(r"\*?(?:\w+\*)*\w+\*?")
_PRODUCT: Final = re.compile(r"[\W\d_]+|\w\*\w")
_BEGINNING: Final = re.compile(r"\w[*＊](?!\w)")


def remark_on_near(word: str) -> str:
    """Of a `near/5` in small letters."""
    if not _NEAR.fullmatch(found := normalize("NFKC", word)) or found.startswith("NEAR"):
        return ""
    return f"{shortened(word)} is searched as text: the operator is written {shortened(found.upper())}"


def remark_on_beginning(word: str) -> str:
    """Of a star that is not at the end of a word."""
    plain = normalize("NFKC", word)
    if "*" not in plain[:-1] or not _STARS.fullmatch(plain) or _PRODUCT.fullmatch(plain):
        return ""
    return f"{shortened(word)} is searched as text: a * counts at the end of a word only"


def remark_on_phrase(phrase: str) -> str:
    """Of a star in quotes."""
    if not _BEGINNING.search(phrase):
        return ""
    return f"a * counts for nothing in quotes: {shortened(phrase)} is searched as whole words"
