"""Laws of a whole search over a real home."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragspine_tui.errors import UsageError
from ragspine_tui.json_output import search_json, to_json
from ragspine_tui.retrieval.filtering.metadata_filter import MetadataFilter
from ragspine_tui.specs import SEAMS
from ragspine_tui.types import OPERATORS, Condition, Hit, SearchRequest, SearchResult
from tests.unit.retrieval.conftest import QUESTIONS, Samples

EVERYTHING = 10_000
QUERIES = st.sampled_from(QUESTIONS)
NAMES = ("kind", "title", "year", "tags", "size", "modified", "path", "nowhere")
FEWER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def same(hit: Hit) -> Hit:
    """The hit without its place in this result."""
    return replace(hit, rank=0)


@st.composite
def conditions(draw: st.DrawFn, values: tuple[str, ...]) -> Condition:
    """A condition about fields and values of which some are there."""
    one = st.sampled_from(values)
    op = draw(st.sampled_from(OPERATORS))
    many = st.lists(one, max_size=4) if op in ("in", "nin") else st.tuples(one, one)
    return Condition(draw(st.sampled_from(NAMES)), op, draw(many if op in ("in", "nin", "between") else one))


@FEWER
@given(data=st.data(), query=QUERIES, combine=st.sampled_from(["and", "or"]))
def test_a_filtered_search_is_the_unfiltered_one_without_what_the_filter_denies(
    samples: Samples, data: st.DataObject, query: str, combine: str
) -> None:
    session = samples.session
    library_id = data.draw(st.sampled_from([one.library.library_id for one in session.libraries()]))
    values = ("", "9", *(value for one in session.fields([library_id]) for value, _ in one.values))
    chosen = data.draw(st.lists(conditions(values), min_size=1, max_size=3))
    request = SearchRequest(query, libraries=(library_id,), limit=EVERYTHING)
    full = session.search(request)
    narrowed = session.search(replace(request, conditions=tuple(chosen), combine=combine))
    kept = MetadataFilter(tuple(chosen), combine).apply(full.hits)
    assert [same(hit) for hit in narrowed.hits] == [same(hit) for hit in kept]
    assert narrowed.total == len(kept)
    assert [hit.rank for hit in narrowed.hits] == list(range(1, len(kept) + 1))


@pytest.mark.parametrize("fusion", ["score", "rrf"])
@pytest.mark.parametrize("query", QUESTIONS)
def test_the_first_hits_are_the_beginning_of_all_of_them(samples: Samples, query: str, fusion: str) -> None:
    request = SearchRequest(query, fusion=fusion, limit=EVERYTHING)
    full = samples.session.search(request)
    assert full.total == len(full.hits) > 0
    for limit in (0, 1, 2, 5, 20):
        few = samples.session.search(replace(request, limit=limit))
        assert few.hits == full.hits[:limit]
        assert few.total == full.total


def test_a_negative_limit_is_refused_and_none_still_counts(samples: Samples) -> None:
    with pytest.raises(UsageError, match="-1"):
        samples.session.search(SearchRequest("ink", limit=-1))
    none = samples.session.search(SearchRequest("ink", limit=0))
    assert none.hits == ()
    assert none.total > 0


@pytest.mark.parametrize("query", QUESTIONS)
def test_a_search_without_a_filter_says_what_one_with_no_conditions_says(samples: Samples, query: str) -> None:
    plain = samples.session.search(SearchRequest(query))
    assert samples.session.search(SearchRequest(query, conditions=(), combine="or")) == plain


def as_bytes(result: SearchResult) -> bytes:
    """What a program is given of a search."""
    return to_json(search_json(result, parent=True, explain=True)).encode()


@pytest.mark.parametrize("extra", [{}, {"route": "keyword"}, {"fusion": "rrf"}, {"prefix": True}])
@pytest.mark.parametrize("query", QUESTIONS)
def test_a_search_that_uses_no_setting_prints_the_same_bytes_whether_they_are_named_or_not(
    samples: Samples, query: str, extra: dict[str, Any]
) -> None:
    request = SearchRequest(query, parent=True, explain=True, **extra)
    plain = as_bytes(samples.session.search(request))
    assert plain.count(b'"chunk_id"') > 0
    unused: list[dict[str, Any]] = [
        {"conditions": ()},
        {"conditions": (), "combine": "or"},
        {"extract": "none"},
        {"mode": "economy"},
    ]
    for off in unused:
        assert as_bytes(samples.session.search(replace(request, **off))) == plain
    for name, seam in (("route", "router"), ("fusion", "fusion")):
        if name not in extra:
            default: dict[str, Any] = {name: SEAMS[seam].default}
            assert as_bytes(samples.session.search(replace(request, **default))) == plain


@pytest.mark.parametrize("word", ["herons", "ringed", "rollers", "glow-worms", "昆布", "糠床", "use", "2024", "the"])
def test_what_a_word_finds_its_beginning_finds_too(samples: Samples, word: str) -> None:
    for typed in (word[:length] for length in range(1, len(word) + 1)):
        found = samples.session.search(SearchRequest(typed, limit=EVERYTHING, explain=True)).hits
        begun = samples.session.search(SearchRequest(f"press {typed}", prefix=True, limit=EVERYTHING)).hits
        assert documents(found) <= documents(begun), typed
        assert {hit.chunk_id for hit in found if says_it(hit)} <= {hit.chunk_id for hit in begun}, typed


def documents(hits: Sequence[Hit]) -> set[tuple[str, str]]:
    """The documents of the hits."""
    return {(hit.library_id, hit.document) for hit in hits}


def says_it(hit: Hit) -> bool:
    """Whether a word of the passage itself, and not of its document's names alone, was found."""
    return hit.explain is not None and any(term.field in ("body", "exact") for term in hit.explain.terms)


@pytest.mark.parametrize("query", QUESTIONS)
def test_a_hit_s_terms_add_up_to_its_score(samples: Samples, query: str) -> None:
    hits = samples.session.search(SearchRequest(query, limit=EVERYTHING, explain=True)).hits
    assert hits
    assert len(samples.session.libraries()) > 1
    for hit in hits:
        assert hit.explain is not None
        assert dict(hit.explain.fusion) == {"score": hit.score}
        assert sum(term.score for term in hit.explain.terms) == pytest.approx(hit.score, abs=1e-9, rel=0)


@pytest.mark.parametrize("query", QUESTIONS)
def test_ranks_fused_add_up_to_the_score_and_the_terms_to_what_they_were_ranked_by(
    samples: Samples, query: str
) -> None:
    for hit in samples.session.search(SearchRequest(query, limit=EVERYTHING, explain=True, fusion="rrf")).hits:
        assert hit.explain is not None
        assert hit.explain.fusion["rrf"] == hit.score == pytest.approx(1 / (60 + hit.explain.library_rank), rel=1e-12)
        assert sum(term.score for term in hit.explain.terms) == pytest.approx(hit.explain.fusion["score"], abs=1e-9)
