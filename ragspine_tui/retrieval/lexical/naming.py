"""When a query names a document: the form in which what was typed and a title or file name are the same."""

import re
from typing import Final

from ragspine_tui.retrieval.lexical.folding import fold, normalize

_JOINERS: Final = re.compile(r"[\s_\-–—]+")


def naming_key(text: str) -> str:
    """A name without case, accents and width, its words one space apart, however they were joined; '' for none."""
    return _JOINERS.sub(" ", fold(normalize(text))).strip()
