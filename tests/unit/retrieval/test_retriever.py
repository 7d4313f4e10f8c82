"""Laws of searching one library: narrowing, cutting, matching, and an order that nothing accidental decides."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.retrieval.filtering.metadata_filter import MetadataFilter, make_filter
from ragspine_tui.types import Document
from tests.unit.chunking.documents import blocked
from tests.unit.retrieval.reference import FILTERS, LAW, QUERIES, libraries_of_documents, memory_library

DOCUMENTS = libraries_of_documents()
ALIKE = [blocked("the heron waits", name=f"{name}.md") for name in "qwertyuiopasdf"]


@LAW
@given(DOCUMENTS, QUERIES, FILTERS)
def test_a_filtered_ranking_is_a_subsequence_with_the_same_scores(
    documents: list[Document], query: str, metadata_filter: MetadataFilter
) -> None:
    library = memory_library(documents)
    full = [one for one in library.everything(query) if metadata_filter.matches(library.document(one))]
    narrowed = library.everything(query, metadata_filter)
    assert [(one.key, one.score) for one in narrowed] == [(one.key, one.score) for one in full]
    assert [one.library_rank for one in narrowed] == list(range(1, len(full) + 1))


@LAW
@given(DOCUMENTS, QUERIES)
def test_no_condition_is_no_filter(documents: list[Document], query: str) -> None:
    library = memory_library(documents)
    assert library.everything(query, MetadataFilter(combine="or")) == library.everything(query)


@LAW
@given(DOCUMENTS, QUERIES, st.integers(0, 12))
def test_the_best_few_are_the_beginning_of_the_whole_ranking(documents: list[Document], query: str, few: int) -> None:
    library = memory_library(documents)
    ranking = library.retriever.rank(library.retriever.match(query), top_k=few)
    full = library.everything(query)
    assert ranking.candidates == tuple(full[:few])
    assert ranking.total == len(full)


@LAW
@given(DOCUMENTS, QUERIES, FILTERS, st.integers(0, 6))
def test_a_filter_comes_before_the_cut(
    documents: list[Document], query: str, metadata_filter: MetadataFilter, few: int
) -> None:
    library = memory_library(documents)
    narrowed = library.everything(query, metadata_filter)
    ranking = library.retriever.rank(library.retriever.match(query), metadata_filter=metadata_filter, top_k=few)
    assert ranking.candidates == tuple(narrowed[:few])
    assert ranking.total == len(narrowed)


def test_many_better_passages_that_a_filter_denies_starve_no_result() -> None:
    loud = [blocked("heron heron heron", name=f"{number}.md") for number in range(60)]
    quiet = replace(blocked("one heron among many other words", name="quiet.md"), fields={"place": ("weir",)})
    library = memory_library([*loud, quiet])
    found = library.retriever.retrieve("heron", metadata_filter=make_filter([("place", "eq", "weir")]), top_k=1)
    assert [path for path, _ in library.places(found)] == ["quiet.md"]
    assert [path for path, _ in library.places(library.everything("heron")[-1:])] == ["quiet.md"]


@pytest.mark.parametrize("few", range(len(ALIKE) + 2))
def test_a_cut_through_equal_scores_takes_the_beginning_too(few: int) -> None:
    library = memory_library(ALIKE)
    full = library.everything("heron")
    assert len({one.score for one in full}) == 1
    assert library.retriever.retrieve("heron", top_k=few) == full[:few]


@LAW
@given(st.permutations(ALIKE))
def test_equal_scores_stand_in_one_order_whatever_was_indexed_first(documents: list[Document]) -> None:
    one, other = memory_library(ALIKE), memory_library(documents)
    order = one.places(one.everything("heron"))
    assert other.places(other.everything("heron")) == order
    assert [path for path, _ in order] != sorted(path for path, _ in order)


@LAW
@given(DOCUMENTS.flatmap(lambda documents: st.tuples(st.just(documents), st.permutations(documents))), QUERIES)
def test_the_order_of_indexing_changes_no_score_and_no_place(
    both: tuple[list[Document], list[Document]], query: str
) -> None:
    one, other = map(memory_library, both)
    assert list(one.scores(one.everything(query)).items()) == list(other.scores(other.everything(query)).items())


@LAW
@given(DOCUMENTS, QUERIES)
def test_every_hit_has_a_positive_score_and_shares_a_term(documents: list[Document], query: str) -> None:
    library = memory_library(documents)
    asked = {form for term in library.analyzer.query(query) for form in (term.term, term.exact) if form}
    found = library.everything(query)
    assert all(one.score > 0 for one in found)
    assert all(asked & library.index.words_of(one.chunk) for one in found)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


@LAW
@given(DOCUMENTS, QUERIES)
def test_every_passage_that_says_a_word_of_the_query_is_found(documents: list[Document], query: str) -> None:
    library = memory_library(documents)
    asked = {term.term for term in library.analyzer.query(query)}
    saying = {int(chunk) for term in asked for chunk in library.index.postings(term).get("body", ([],))[0]}
    found = {one.chunk for one in library.everything(query)}
    assert saying <= found
    naming = {
        int(document)
        for term in asked
        for name in ("title", "name", "metadata")
        for document in library.index.postings(term).get(name, ([],))[0]
    }
    assert naming <= {int(library.index.document_of_chunk[chunk]) for chunk in found}


@LAW
@given(DOCUMENTS, QUERIES, st.data())
def test_a_prefix_finds_all_that_the_whole_last_word_finds(
    documents: list[Document], query: str, data: st.DataObject
) -> None:
    library = memory_library(documents)
    last = query.split()[-1]
    typed = last[: data.draw(st.integers(1, len(last)))]
    before = query[: len(query) - len(last)]
    retriever = library.retriever
    plain = retriever.rank(retriever.match(typed), top_k=10_000).candidates
    prefix = retriever.rank(retriever.match(before + typed, prefix=True), top_k=10_000).candidates
    assert {one.document_id for one in plain} <= {one.document_id for one in prefix}
    said = {form for term in library.analyzer.query(typed) for form in (term.term, term.exact)}
    saying = {one.key for one in plain if said & library.index.own_words_of(one.chunk)}
    assert saying <= {one.key for one in prefix}


@LAW
@given(DOCUMENTS, QUERIES)
def test_a_negative_number_of_hits_is_refused_and_none_is_nothing(documents: list[Document], query: str) -> None:
    library = memory_library(documents)
    assert library.retriever.retrieve(query, top_k=0) == ()
    with pytest.raises(ValueError, match="must not be negative"):
        library.retriever.retrieve(query, top_k=-1)


@LAW
@given(DOCUMENTS)
def test_words_asked_for_twice_count_twice(documents: list[Document]) -> None:
    library = memory_library(documents)
    once, twice = (library.scores(library.everything(query)) for query in ("heron", "heron heron"))
    assert twice == {place: pytest.approx(2 * score) for place, score in once.items()}
