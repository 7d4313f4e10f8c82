"""Random documents in a real home, and what a query should find of them by reading every one."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from ragspine_tui.session import Session
from ragspine_tui.types import SearchRequest
from tests.homes import indexed

LATIN: Final = ("heron", "eel", "weir", "otter", "marsh")
CJK: Final = "猫犬鳥山川"
FEW = settings(suppress_health_check=list(HealthCheck))

Texts = Mapping[str, str]


def latin_texts(most: int = 5) -> st.SearchStrategy[dict[str, str]]:
    """Documents of a few words with punctuation of all sorts between them."""
    word = st.sampled_from(LATIN)
    between = st.sampled_from([" ", ", ", ". ", " - ", "; ", "\n"])
    text = st.lists(st.tuples(word, between), min_size=1, max_size=8).map(lambda pairs: "".join(map("".join, pairs)))
    return st.lists(text, min_size=1, max_size=most).map(_named)


def cjk_texts(most: int = 5) -> st.SearchStrategy[dict[str, str]]:
    """Documents of runs of characters."""
    run = st.text(st.sampled_from(CJK), min_size=1, max_size=4)
    return st.lists(st.lists(run, min_size=1, max_size=3).map("、".join), min_size=1, max_size=most).map(_named)


def _named(texts: list[str]) -> dict[str, str]:
    return {f"{number}.txt": text for number, text in enumerate(texts)}


@contextmanager
def home(texts: Texts) -> Iterator[Session]:
    """A session on these documents."""
    with tempfile.TemporaryDirectory() as folder, indexed(Path(folder), dict(texts)) as session:
        yield session


def documents(session: Session, query: str, *, every: bool = False) -> set[str]:
    """The documents that a query finds."""
    found = session.search(SearchRequest(query, limit=1000, match="all" if every else "any"))
    return {hit.document for hit in found.places}


def those(texts: Texts, test: Callable[[str], bool]) -> set[str]:
    """The documents whose text passes."""
    return {name for name, text in texts.items() if test(text)}
