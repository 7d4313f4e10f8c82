"""Newest first, and relevance that fades with age: exact over all that matches, explained, and absent when off."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragspine_tui.config import ServiceConfig
from ragspine_tui.errors import UsageError
from ragspine_tui.json_output import search_json, to_json
from ragspine_tui.retrieval.dating.order import Dates, Order, day_of
from ragspine_tui.retrieval.lexical.scorer import Scorer
from ragspine_tui.session import Session
from ragspine_tui.types import Document, Hit, SearchRequest
from tests.homes import indexed, open_session, write_files
from tests.unit.retrieval.reference import QUERIES, libraries_of_documents, memory_library

TODAY = "2026-06-30"
DAYS = ("2026-06-30", "2026-06-20", "2026-05", "2025", "2024-02-29", "2031-01-01", "", "soon", "2026-06-20T09:30:00Z")


def dated(day: str, text: str) -> str:
    """A note of a day."""
    return f"---\ndate: {day}\n---\n{text}\n"


NOTES = {f"n{number}.md": dated(f"2026-0{number}-01", f"A heron {'and an eel ' * number}.") for number in range(1, 7)}


def hits(session: Session, query: str = "heron", **extra: Any) -> tuple[Hit, ...]:
    return session.search(replace(SearchRequest(query, explain=True), **extra)).hits


def test_the_newest_come_first_whatever_they_score(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        found = hits(session, sort="date")
        relevant = hits(session)
    assert [hit.document for hit in found] == [f"n{number}.md" for number in (6, 5, 4, 3, 2, 1)]
    assert {hit.chunk_id: hit.score for hit in found} == {hit.chunk_id: hit.score for hit in relevant}
    assert [hit.document for hit in relevant] != [hit.document for hit in found]


def test_all_that_matches_is_sorted_and_not_only_the_best(tmp_path: Path) -> None:
    many = {f"{number:03}.md": dated("2020-01-01", f"heron heron heron {number}") for number in range(120)}
    many["late.md"] = dated("2026-01-01", "filler " * 300 + "heron")
    with indexed(tmp_path, many) as session:
        assert hits(session)[0].document != "late.md"
        result = session.search(SearchRequest("heron", sort="date", limit=2))
    assert (result.hits[0].document, result.total) == ("late.md", 121)


def test_a_document_without_a_date_is_as_old_as_its_file(tmp_path: Path) -> None:
    with indexed(
        tmp_path,
        {"old.md": dated("2001-01-01", "heron"), "plain.md": "a heron", "odd.md": dated("soon", "heron heron")},
    ) as session:
        assert hits(session, sort="date")[-1].document == "old.md"


def test_one_day_s_hits_are_sorted_by_relevance_and_libraries_are_merged(tmp_path: Path) -> None:
    same = {"a.md": dated("2026-01-01", "heron and other birds"), "b.md": dated("2026-01-01", "heron heron heron")}
    with open_session(tmp_path / "home") as session:
        session.add(write_files(tmp_path / "one", NOTES), library_id="one")
        session.add(write_files(tmp_path / "two", same), library_id="two")
        session.index()
        for fusion in ("score", "rrf"):
            found = hits(session, sort="date", fusion=fusion)
            keys = [(hit.fields["date"][0][:10], hit.score) for hit in found]
            assert keys == sorted(keys, reverse=True)
            assert len(found) == 8


def test_a_filter_and_a_restriction_narrow_what_is_sorted(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        condition = session.parse_condition("date < 2026-05-01")
        session.restrict("lib", ["n4.md"])
        found = hits(session, sort="date", conditions=(condition,))
    assert [hit.document for hit in found] == ["n3.md", "n2.md", "n1.md"]


@pytest.mark.parametrize("half_life", [1.0, 30.0, 365.0])
@pytest.mark.parametrize("fusion", ["score", "rrf"])
def test_a_score_halves_with_every_half_life_and_its_parts_still_add_up(
    tmp_path: Path, half_life: float, fusion: str
) -> None:
    with indexed(tmp_path, NOTES) as session:
        plain = {hit.chunk_id: hit.explain.fusion["score"] for hit in hits(session, fusion=fusion) if hit.explain}
        found = hits(session, recency=half_life, today=TODAY, fusion=fusion)
    for hit in found:
        assert hit.explain is not None
        assert hit.explain.recency is not None
        age = date.fromisoformat(TODAY) - date.fromisoformat(hit.fields["date"][0][:10])
        aged = plain[hit.chunk_id] * 2 ** (-age.days / half_life)
        assert hit.explain.fusion["score"] == pytest.approx(aged, rel=1e-12)
        assert hit.explain.recency.factor == pytest.approx(2 ** (-age.days / half_life))
        parts = sum(term.score for term in hit.explain.terms) + hit.explain.recency.score
        assert parts == pytest.approx(hit.explain.fusion["score"], abs=1e-9)
    scores = [hit.score for hit in found]
    assert scores == sorted(scores, reverse=True)
    assert all(score > 0 for score in scores)


def test_the_best_of_all_are_first_and_not_the_best_of_those_that_were_best_without_age(tmp_path: Path) -> None:
    many = {f"{number:03}.md": dated("2020-01-01", f"heron heron heron {number}") for number in range(120)}
    many["late.md"] = dated("2026-06-01", "filler " * 300 + "heron")
    with indexed(tmp_path, many) as session:
        assert hits(session, limit=1)[0].document != "late.md"
        assert hits(session, limit=1, recency=30, today=TODAY)[0].document == "late.md"


def test_what_is_off_changes_no_byte(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        request = SearchRequest("heron eel", explain=True, parent=True)
        plain = to_json(search_json(session.search(request), explain=True, parent=True))
        for off in ({"recency": 0.0}, {"today": TODAY}, {"sort": "relevance"}, {"recency": 0.0, "today": "never"}):
            result = session.search(replace(request, **off))
            assert to_json(search_json(result, explain=True, parent=True)) == plain
    assert '"recency"' not in plain
    assert '"sort"' not in plain


def test_the_configuration_gives_a_half_life_and_a_request_may_switch_it_off(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        plain, aged = hits(session), hits(session, recency=10.0, today=TODAY)
    config = ServiceConfig.load(home=tmp_path / "home", environ={"RAGSPINE_RECENCY_HALF_LIFE": "10"})
    with Session.open(config) as session:
        assert hits(session, today=TODAY) == aged
        assert hits(session, recency=0.0) == plain


@pytest.mark.parametrize(
    ("extra", "said"), [({"sort": "size"}, "valid: relevance, date"), ({"recency": 3.0}, "2024-06-30")]
)
def test_what_cannot_be_ordered_by_is_refused(tmp_path: Path, extra: dict[str, Any], said: str) -> None:
    with indexed(tmp_path, NOTES) as session, pytest.raises(UsageError, match=said):
        hits(session, **extra)


@pytest.mark.parametrize(
    ("value", "day"),
    [
        ("2024-06-30", date(2024, 6, 30)),
        ("2024-06-30T23:59:59Z", date(2024, 6, 30)),
        ("2024-06", date(2024, 6, 1)),
        ("2024", date(2024, 1, 1)),
        ("2024-02-31", date(2024, 2, 1)),
        ("2024-19-01", date(2024, 1, 1)),
        ("0000-01-01", None),
        ("soon", None),
        ("", None),
        ("٢٠٢٤-٠١-٠١", None),
    ],
)
def test_a_day_is_read_from_what_a_date_begins_with(value: str, day: date | None) -> None:
    assert day_of(value) == (None if day is None else day.toordinal())


@settings(deadline=None)
@given(libraries_of_documents(), QUERIES, st.data())
def test_the_first_hits_of_an_order_are_those_of_ordering_everything(
    documents: list[Document], query: str, data: st.DataObject
) -> None:
    library = memory_library(documents)
    matches = library.retriever.match(query)
    run = Scorer(matches, matches.statistics).run()
    values = sorted({*DAYS})
    numbers = data.draw(st.lists(st.integers(0, len(values) - 1), min_size=len(documents), max_size=len(documents)))
    dates = Dates(values, np.array(numbers, dtype=np.int64))
    half_life = data.draw(st.sampled_from([0.0, 1.0, 400.0]))
    order = Order(data.draw(st.booleans()), half_life, date.fromisoformat(TODAY).toordinal())
    aged, everything = order.best(run, library.index, dates, len(run.chunks))
    keys = [(numbers[library.index.document_of_chunk[run.chunks[at]]], aged.scores[at]) for at in everything.tolist()]
    assert keys == sorted(keys, key=lambda key: key if order.newest_first else key[1:], reverse=True)
    for limit in range(len(run.chunks) + 1):
        assert order.best(run, library.index, dates, limit)[1].tolist() == everything[:limit].tolist()
    assert (aged.scores > 0).all()
    assert (aged.scores <= run.scores).all()
