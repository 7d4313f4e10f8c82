"""R3: the same paragraph in several files is one hit that names the others; nothing is lost, and nothing leaks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragspine_tui.json_output import search_json, to_json
from ragspine_tui.retrieval.duplicates.collapse import REACH, collapse, plain_text
from ragspine_tui.session import Session
from ragspine_tui.types import Hit, SearchRequest, SearchResult, Span
from tests.homes import indexed, open_session, write_files

SAME = "The heron stands at the weir until the water clears."
FIVE = {f"{name}.md": SAME for name in ("delta", "alpha", "echo", "bravo", "charlie")}
OTHERS = {"weir.md": "A weir holds back the mill pond.", "eel.md": "Eels pass the weir at night, and no heron sees it."}


def found(session: Session, query: str = "heron", **extra: Any) -> SearchResult:
    return session.search(replace(SearchRequest(query), **extra))


def test_the_same_paragraph_in_five_files_is_one_hit_that_lists_the_others_by_path(tmp_path: Path) -> None:
    with indexed(tmp_path, FIVE | OTHERS) as session:
        result = found(session)
    first = result.hits[0]
    assert first.document == "alpha.md"
    assert [one.document for one in first.also] == ["bravo.md", "charlie.md", "delta.md", "echo.md"]
    assert [hit.document for hit in result.hits] == ["alpha.md", "eel.md"]
    assert [hit.rank for hit in result.hits] == [1, 2]
    assert (result.total, result.folded) == (6, 4)


def test_json_lists_them_all_with_where_each_stands(tmp_path: Path) -> None:
    with indexed(tmp_path, FIVE) as session:
        value = search_json(found(session))
        assert value["folded"] == 4
        also = value["hits"][0]["also"]
        assert [one["chunk_id"] for one in also] == [f"lib:{one['document']}#c1" for one in also]
        assert all(session.show(one["chunk_id"]).text == SAME for one in also)
    assert list(also[0]) == ["document", "title", "heading", "chunk_id", "score", "locator", "line", "page", "stale"]


def test_without_copies_nothing_is_said_of_them(tmp_path: Path) -> None:
    with indexed(tmp_path, OTHERS) as session:
        value = to_json(search_json(found(session)))
    assert "also" not in value
    assert "folded" not in value


def test_all_copies_are_shown_where_that_is_asked_for(tmp_path: Path) -> None:
    with indexed(tmp_path, FIVE | OTHERS) as session:
        result = found(session, copies=True)
    assert sorted(hit.document for hit in result.hits) == sorted([*FIVE, "eel.md"])
    assert (result.total, result.folded) == (6, 0)
    assert not any(hit.also for hit in result.hits)


@pytest.mark.parametrize("limit", [1, 2, 20, 200])
def test_copies_are_found_however_few_hits_are_asked_for_and_starve_none(tmp_path: Path, limit: int) -> None:
    many = {f"copy{number:03}.md": SAME for number in range(REACH + 30)}
    with indexed(tmp_path, many | OTHERS) as session:
        hits = found(session, limit=limit).hits
    assert [hit.document for hit in hits] == ["copy000.md", "eel.md"][:limit]
    assert len(hits[0].also) >= REACH - 1
    if limit > 1:
        assert len(hits[0].also) == REACH + 29


def test_the_best_of_unequal_copies_is_shown(tmp_path: Path) -> None:
    with indexed(tmp_path, FIVE | {"zz-heron.md": SAME}) as session:
        first = found(session).hits[0]
    assert first.document == "zz-heron.md"
    assert [one.document for one in first.also] == sorted(FIVE)
    assert all(one.score < first.score for one in first.also)


def test_blanks_case_and_width_make_no_other_passage(tmp_path: Path) -> None:
    other = SAME.upper().replace(" ", "\n").replace("HERON", "ＨＥＲＯＮ")
    with indexed(tmp_path, {"a.md": SAME, "b.md": other}) as session:
        hits = found(session).hits
    assert [(hit.text, [one.text for one in hit.also]) for hit in hits] == [(SAME, [other])]


def test_one_other_word_makes_another_passage(tmp_path: Path) -> None:
    with indexed(tmp_path, {"a.md": SAME, "b.md": SAME.replace("clears", "rises")}) as session:
        assert len(found(session).hits) == 2


def test_the_same_passage_in_two_libraries_stays_two_hits(tmp_path: Path) -> None:
    with open_session(tmp_path / "home") as session:
        for library_id in ("one", "two"):
            session.add(write_files(tmp_path / library_id, {"a.md": SAME, "b.md": SAME}), library_id=library_id)
        session.index()
        hits = found(session).hits
    assert sorted((hit.library_id, len(hit.also)) for hit in hits) == [("one", 1), ("two", 1)]
    assert all(one.library_id == hit.library_id for hit in hits for one in hit.also)


def test_a_restricted_copy_is_neither_shown_nor_named_nor_counted(tmp_path: Path) -> None:
    with indexed(tmp_path / "with", FIVE | OTHERS) as session:
        session.restrict("lib", ["alpha.md", "echo.md"])
        secret = to_json(search_json(found(session)))
    kept = {name: text for name, text in (FIVE | OTHERS).items() if name not in ("alpha.md", "echo.md")}
    with indexed(tmp_path / "without", kept) as session:
        plain = to_json(search_json(found(session)))
    assert "alpha" not in secret
    assert "echo" not in secret
    assert without_times(secret) == without_times(plain)


def without_times(line: str) -> str:
    """The line without the files' times, which differ from folder to folder."""
    return "".join(part for part in line.split('"') if not part.startswith("20"))


def test_a_copy_that_only_a_mark_forbids_is_dropped_by_the_second_exit(tmp_path: Path) -> None:
    with indexed(tmp_path, FIVE) as session:
        session._store.add_marks("lib", ["=alpha.md", "=echo.md"])
        result = found(session)
    assert [one.document for one in result.places] == ["bravo.md", "charlie.md", "delta.md"]


def test_a_copy_whose_file_changed_says_so(tmp_path: Path) -> None:
    with indexed(tmp_path, FIVE) as session:
        (tmp_path / "lib" / "echo.md").write_text("something else")
        result = found(session)
    assert [one.document for one in result.places if one.stale] == ["echo.md"]


WORDS = st.sampled_from(["heron", "weir", "eel"])
CANDIDATES = st.lists(st.tuples(st.integers(0, 3), WORDS, st.booleans()), max_size=12)


class One:
    """A candidate of some library."""

    def __init__(self, library_id: str, number: int, text: str, score: float) -> None:
        self.library_id = library_id
        self.score = score
        self.date = ""
        self.hit = Hit(
            0, library_id, f"{number % 3}.md", "", "", f"{number}", score, text, Span(number, number + 1), ""
        )


@settings(deadline=None)
@given(CANDIDATES, st.integers(0, 8))
def test_every_allowed_passage_is_a_hit_or_a_copy_once_and_hits_keep_their_order(
    drawn: list[tuple[int, str, bool]], limit: int
) -> None:
    ones = [One(f"lib{library}", number, text, 9.0 - number // 3) for number, (library, text, _) in enumerate(drawn)]
    allowed = {one.hit.chunk_id for one, (_, _, may) in zip(ones, drawn, strict=True) if may}

    def read(one: One) -> Hit | None:
        return one.hit if one.hit.chunk_id in allowed else None

    pairs = [(one, len(one.hit.text)) for one in ones]
    hits = collapse(pairs, limit, read, lambda one: one.hit.text)
    everything = collapse(pairs, len(pairs), read, lambda one: one.hit.text)
    assert hits == everything[:limit]
    places = [one.chunk_id for hit in everything for one in (hit, *hit.also)]
    assert sorted(places) == sorted(allowed)
    assert [hit.rank for hit in everything] == list(range(1, len(everything) + 1))
    assert [-hit.score for hit in everything] == sorted(-hit.score for hit in everything)
    for hit in everything:
        assert all((one.library_id, plain_text(one.text)) == (hit.library_id, plain_text(hit.text)) for one in hit.also)
    assert len({(hit.library_id, hit.text) for hit in everything}) == len(everything)


def test_a_text_that_stands_everywhere_is_read_so_often_and_no_oftener(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragspine_tui.retrieval.pipeline.MOST", 150)
    files = {f"{number}.txt": "the heron waits" for number in range(400)}
    with indexed(tmp_path, files) as session:
        result = session.search(SearchRequest("heron", limit=5))
        (hit,) = result.hits
        everything = session.search(SearchRequest("heron", limit=500, copies=True))
    assert result.total == 400
    assert 150 <= len(hit.also) + 1 < 400
    assert len(everything.hits) == 400
