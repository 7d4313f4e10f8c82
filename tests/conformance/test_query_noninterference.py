"""No query of the language tells of a restricted document: the same bytes with it and without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragspine_tui.json_output import search_json, to_json
from ragspine_tui.types import SearchRequest
from tests.conformance.test_restricted_noninterference import make, same_times

QUERIES = (
    '"quarrelsome heptagon"', "+heptagon", "+wall -heptagon", "wall -vault", "hept*", "+hept* wall", "quarrelsmoe",
    "heptagno", "valt", "title:vault", 'title:"vault of the heptagon"', "vault NEAR/5 wall", "wall NEAR/3 vault",
    "tags:hidden-tag", "tags:garden", "sensitivity:restricted", "sensitivity:restricted wall", "lib:lib",
    "lib:lib -wall", '"garden wall vault"', "-heptagon", "diray", "garden mortr",
)  # fmt: skip


@pytest.mark.parametrize("match", ["any", "all"])
@pytest.mark.parametrize("prefix", [False, True])
def test_every_kind_of_query_says_the_same_with_and_without_restricted_documents(
    tmp_path: Path, match: str, prefix: bool
) -> None:
    with make(tmp_path, "with", True) as secret, make(tmp_path, "without", False) as plain:
        same_times(tmp_path / "with" / "lib", tmp_path / "without" / "lib")
        secret.index(rebuild=True)
        plain.index(rebuild=True)
        for query in QUERIES:
            request = SearchRequest(query, limit=50, explain=True, parent=True, prefix=prefix, match=match)
            one, two = (
                to_json(search_json(session.search(request), parent=True, explain=True)) for session in (secret, plain)
            )
            assert one == two, query
            assert "quarrelsome" in query or "quarrelsome" not in one
