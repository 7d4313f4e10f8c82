"""A library that cannot be read fails no search of the others, whatever the search is asked for beside its words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ragspine_tui.session import Session
from ragspine_tui.types import Condition, SearchRequest
from tests.homes import open_session, write_files

OF_B = "(SELECT id FROM libraries WHERE slug = 'b')"
SEGMENTS_OF_B = f"(SELECT id FROM segments WHERE library = {OF_B})"
DAMAGES = {
    "cut array": f"UPDATE segments SET documents = X'01' WHERE library = {OF_B}",
    "empty value lists": f"UPDATE postings SET value = X'' WHERE value IS NOT NULL AND segment IN {SEGMENTS_OF_B}",
    "value lists beyond the segment": "UPDATE postings SET value = X'00ffff01' WHERE value IS NOT NULL"
    f" AND segment IN {SEGMENTS_OF_B}",
    "index in a language of a newer program": f"UPDATE index_states SET language = 'tlh' WHERE library = {OF_B}",
}
ASKED: dict[str, dict[str, Any]] = {
    "a filter": {"conditions": (Condition("tags", "eq", "water"),)},
    "a filter by order": {"conditions": (Condition("tags", "gte", "w"),)},
    "a filter that denies": {"conditions": (Condition("tags", "ne", "fire"),)},
    "any of two conditions": {
        "conditions": (Condition("tags", "in", ["water"]), Condition("no", "eq", "")),
        "combine": "or",
    },
    "filters out of the query": {"extract": "keyword"},
    "routing": {"route": "keyword"},
    "rank fusion": {"fusion": "rrf"},
}


def damaged(tmp_path: Path, damage: str) -> Session:
    """A home with the libraries a, b and c, of which b is damaged."""
    with open_session(tmp_path / "home") as session:
        for name in "abc":
            text = f"---\ntags: [water]\n---\n# Heron\n\nA heron at the weir of {name}."
            session.add(write_files(tmp_path / name, {"x.md": text}), library_id=name, description="a heron")
        session.index()
        with session._store._database.write() as connection:
            assert connection.execute(DAMAGES[damage]).rowcount
    return open_session(tmp_path / "home")


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("damage", DAMAGES)
def test_the_others_are_searched(tmp_path: Path, damage: str, asked: str) -> None:
    with damaged(tmp_path, damage) as session:
        result = session.search(SearchRequest("heron by the water", **ASKED[asked]))
        found = {hit.library_id for hit in result.hits}
        assert {"a", "c"} <= found
        assert [error.library_id for error in result.errors] == ["b"] or "b" in found
        assert all("index --rebuild" in error.message for error in result.errors)
        if result.filter.steps:
            # Two documents can be read; the third counts where its fields can.
            assert result.filter.steps[-1].documents == 2 + ("b" in found)


@pytest.mark.parametrize("damage", DAMAGES)
def test_making_its_index_anew_mends_it(tmp_path: Path, damage: str) -> None:
    with damaged(tmp_path, damage) as session:
        session.index(["b"], rebuild=True)
        result = session.search(SearchRequest("heron", conditions=(Condition("tags", "gte", "w"),), extract="keyword"))
        assert ({hit.library_id for hit in result.hits}, result.errors) == ({"a", "b", "c"}, ())


def test_a_language_that_is_not_known_routes_like_none(tmp_path: Path) -> None:
    with damaged(tmp_path, "cut array") as session:
        with session._store._database.write() as connection:
            connection.execute("UPDATE libraries SET language = 'tlh'")
        result = session.search(SearchRequest("heron", route="keyword"))
        assert [(one.library_id, one.matched_terms) for one in result.route.libraries] == [
            ("a", ("heron",)),
            ("c", ("heron",)),
        ]
