"""Statistics add up: two halves scored together score like the one library that holds both."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.retrieval.routing.multi_index import LibraryIndex, MultiIndexRetriever
from ragspine_tui.types import Document, SearchRequest
from tests.homes import open_session, write_files
from tests.unit.retrieval.reference import LAW, QUERIES, MemoryLibrary, Place, libraries_of_documents, memory_library

NOTES = {
    "heron.md": "# Herons\n\nThe heron waits at the weir.\n\n## Nests\n\nNine nests in the heronry; nine, not ten.",
    "weir.md": "# Weirs\n\nA weir holds back the mill pond. Eels pass the weir at night.",
    "eel.txt": "eel trap at the weir\n\nheron heron heron",
    "walls.md": "---\ntags: [weir]\n---\nThe nesting wall, and the heron over it.",
    "daidokoro.md": "# 台所\n\n出汁の鍋と heron の絵。",
}


def together(halves: list[MemoryLibrary], query: str) -> dict[Place, float]:
    """The scores that score fusion gives every hit of the halves."""
    retriever = MultiIndexRetriever([LibraryIndex(one.library_id, "", one.retriever) for one in halves])
    found = retriever.retrieve(query, top_k=10_000)
    return {
        place: score
        for half in halves
        for place, score in half.scores([one for one in found if one.library_id == half.library_id]).items()
    }


@LAW
@given(libraries_of_documents(most=7), st.integers(0, 7), QUERIES)
def test_two_halves_have_the_statistics_and_the_scores_of_the_whole(
    documents: list[Document], cut: int, query: str
) -> None:
    whole = memory_library(documents)
    halves = [memory_library(documents[:cut], "one"), memory_library(documents[cut:], "two")]
    one, two = (half.retriever.match(query).statistics for half in halves)
    assert one + two == two + one == whole.retriever.match(query).statistics
    assert together(halves, query) == whole.scores(whole.everything(query))


@pytest.mark.parametrize("query", ["heron weir", "nests", "eels at night", "台所の鍋 weir", "wall"])
def test_two_real_libraries_score_like_one_that_holds_both(tmp_path: Path, query: str) -> None:
    names = sorted(NOTES)
    parts = {"whole": names, "one": names[:2], "two": names[2:]}
    with open_session(tmp_path / "home") as session:
        for library_id, files in parts.items():
            folder = write_files(tmp_path / library_id, {name: NOTES[name] for name in files})
            session.add(folder, library_id=library_id, language="en")
        session.index()
        found = {
            scope: session.search(SearchRequest(query, libraries=scope, limit=100, explain=True)).hits
            for scope in (("whole",), ("one", "two"))
        }
    whole, halves = (
        {(hit.document, hit.span): (hit.score, hit.explain.terms) for hit in hits if hit.explain}
        for hits in found.values()
    )
    assert whole
    assert halves == whole
