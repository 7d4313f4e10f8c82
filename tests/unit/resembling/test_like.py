"""More like a passage: its telling words find what is about the same, outside its document and what is restricted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragspine_tui.errors import QueryError
from ragspine_tui.json_output import search_json, to_json
from ragspine_tui.retrieval.resembling.telling import MOST, telling_words
from ragspine_tui.session import Session
from ragspine_tui.types import SearchRequest, SearchResult
from tests.homes import indexed, open_session, paths, write_files
from tests.unit.chunking.documents import blocked
from tests.unit.retrieval.reference import memory_library

NOTES = {
    "heron.md": "# Herons at the weir\n\nThe grey heron takes eels below the weir, and the young wait in the nest.",
    "eels.md": "# Eels\n\nEels pass the weir at night. A heron waits for them.",
    "nest.md": "# Nests\n\nThe nest of a heron is a platform of sticks; the young stay for weeks.",
    "frost.md": "# Frost\n\nThe frost lies in the hollow and the pond is frozen.",
    "bread.md": "# Bread\n\nFlour, water, salt, and the patience of the baker.",
}
HERON = "lib:heron.md#c1"


def like(session: Session, chunk_id: str = HERON, **extra: Any) -> SearchResult:
    return session.search(replace(SearchRequest("", like=chunk_id), **extra))


def test_what_is_about_the_same_is_found_and_the_own_document_is_not(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        result = like(session)
    assert set(paths(result)) == {"eels.md", "nest.md"}
    assert result.like == HERON
    assert {"herons", "weir", "eels", "nest", "young"} <= set(result.query.casefold().split())
    assert "the" not in result.query.casefold().split()
    assert result.unknown_terms == ()


def test_every_passage_of_the_own_document_is_left_out(tmp_path: Path) -> None:
    files = NOTES | {"heron.md": NOTES["heron.md"] + "\n\n## Again\n\nThe heron and the eels, the weir and the nest."}
    with indexed(tmp_path, files) as session:
        result = like(session)
        assert session.show("lib:heron.md#c2")
    assert "heron.md" not in paths(result)
    assert result.total == len(result.hits) == 2


def test_filters_libraries_and_orders_hold_as_in_any_search(tmp_path: Path) -> None:
    with open_session(tmp_path / "home") as session:
        for library_id in ("one", "two"):
            session.add(write_files(tmp_path / library_id, NOTES), library_id=library_id)
        session.index()
        mine = "one:heron.md#c1"
        assert {hit.library_id for hit in like(session, mine).hits} == {"one", "two"}
        assert {hit.document for hit in like(session, mine).hits if hit.library_id == "two"} >= {"heron.md"}
        assert {hit.library_id for hit in like(session, mine, libraries=("two",)).hits} == {"two"}
        condition = session.parse_condition("name = nest.md")
        assert paths(like(session, mine, conditions=(condition,))) == ["nest.md"]
        assert set(paths(like(session, mine, sort="date"))) == set(paths(like(session, mine)))


def test_it_is_the_same_each_time_and_in_a_fresh_index(tmp_path: Path) -> None:
    with indexed(tmp_path / "a", NOTES) as session:
        first = to_json(search_json(like(session)))
        assert to_json(search_json(like(session))) == first
        words = like(session).query
    with indexed(tmp_path / "b", dict(reversed(NOTES.items()))) as session:
        assert like(session).query == words


def test_nothing_restricted_is_found_and_a_restricted_passage_has_nothing_like_it(tmp_path: Path) -> None:
    kept = {name: text for name, text in NOTES.items() if name != "eels.md"}
    with indexed(tmp_path / "with", NOTES) as session:
        session.restrict("lib", ["eels.md"])
        secret = like(session)
        with pytest.raises(QueryError, match="no passage"):
            like(session, "lib:eels.md#c1")
    with indexed(tmp_path / "without", kept) as session:
        plain = like(session)
    assert paths(secret) == ["nest.md"]
    assert (secret.query, [hit.score for hit in secret.hits]) == (plain.query, [hit.score for hit in plain.hits])
    assert "eels" not in secret.query.casefold()


def test_a_mark_made_behind_the_back_holds_too(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        session._store.add_marks("lib", ["=heron.md", "=eels.md"])
        with pytest.raises(QueryError, match="no passage"):
            like(session)
        assert "eels.md" not in paths(like(session, "lib:nest.md#c1"))


@pytest.mark.parametrize("chunk_id", ["lib:heron.md#c9", "lib:nowhere.md#c1", "heron", "\x00"])
def test_what_is_no_passage_is_refused(tmp_path: Path, chunk_id: str) -> None:
    with indexed(tmp_path, NOTES) as session, pytest.raises(QueryError, match="no passage"):
        like(session, chunk_id)


def test_a_passage_that_shares_no_word_finds_nothing(tmp_path: Path) -> None:
    with indexed(tmp_path, {"a.md": "zymurgy", "b.md": "quixotic"}) as session:
        result = like(session, "lib:a.md#c1")
    assert (result.query, result.hits, result.total) == ("", (), 0)


def test_signs_of_the_query_language_in_a_passage_mean_nothing(tmp_path: Path) -> None:
    files = {"a.md": 'kind:md -weir "heron eel" +nest NEAR/2 heron*', "b.md": "a heron at the weir", "c.md": "kind eel"}
    with indexed(tmp_path, files) as session:
        assert set(paths(like(session, "lib:a.md#c1"))) == {"b.md", "c.md"}


def test_passages_without_spaces_find_their_like(tmp_path: Path) -> None:
    files = {"a.md": "昆布と鰹節で出汁をとる。", "b.md": "出汁は昆布だけでもよい。", "c.md": "梅干しの塩は何割か。"}
    with indexed(tmp_path, files) as session:
        assert paths(like(session, "lib:a.md#c1"))[0] == "b.md"


def test_the_fields_of_what_is_like_a_passage_are_counted_without_its_own_document(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        names = {one.field: one.values for one in session.facets(SearchRequest("", like=HERON))}["name"]
    assert {value for value, _ in names} == {"eels.md", "nest.md"}


def test_the_rarest_and_the_most_repeated_words_are_taken_first() -> None:
    letters = "bcdfghjklmnpqrstvwxz"
    common, rare = ["".join(("o", one, "umu")) for one in letters], ["".join(("a", one, "ugu")) for one in letters[1:]]
    assert len(rare) == MOST - 1
    text = " ".join([*common, *rare, f"{common[7]} " * 40])
    others = [blocked(" ".join(common), name=f"{number}.md") for number in range(9)]
    library = memory_library([blocked(text, name="a.md"), *others, blocked(" ".join(rare), name="z.md")])
    words = telling_words("", text, library.analyzer, library.index, 1).split()
    assert words == [common[7], *rare]
