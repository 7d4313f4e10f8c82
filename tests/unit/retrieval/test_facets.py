"""The fields of a search are those of all the documents it finds, as reading every hit would count them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.retrieval.lexical.matching import matched_documents
from ragspine_tui.retrieval.lexical.scorer import Scorer
from ragspine_tui.session import Session
from ragspine_tui.types import Condition, Document, FieldValues, SearchRequest
from tests.homes import open_session, write_files
from tests.unit.retrieval.conftest import QUESTIONS, Samples
from tests.unit.retrieval.reference import LAW, QUERIES, libraries_of_documents
from tests.unit.retrieval.test_bounds import matches_of

FEW = 7
"""As many hits are shown, less than most of these searches find."""


@LAW
@given(libraries_of_documents(), QUERIES, st.data())
def test_the_documents_found_are_those_of_scoring_everything(
    documents: list[Document], query: str, data: st.DataObject
) -> None:
    matches = matches_of(documents, query, data)
    run = Scorer(matches, matches.statistics).run(matches.limits)
    expected = np.unique(matches.index.document_of_chunk[run.chunks]).tolist()
    assert np.flatnonzero(matched_documents(matches)).tolist() == expected


def counted(documents: Iterable[Mapping[str, tuple[str, ...]]]) -> tuple[FieldValues, ...]:
    """The fields of documents, counted one by one."""
    having: Counter[str] = Counter()
    values: dict[str, Counter[str]] = {}
    for fields in documents:
        having.update(list(fields))
        for name, some in fields.items():
            values.setdefault(name, Counter()).update(set(some))
    return tuple(
        FieldValues(name, having[name], tuple(sorted(values[name].items(), key=lambda pair: (-pair[1], pair[0]))[:50]))
        for name in sorted(having)
    )


def by_hand(session: Session, **asked: Any) -> tuple[tuple[FieldValues, ...], int]:
    """The fields of every document that has a hit, and how many documents these are."""
    hits = session.search(SearchRequest(**{**asked, "limit": 10_000})).hits
    documents = {(hit.library_id, hit.document): hit.fields for hit in hits}
    return counted(documents.values()), len(documents)


ASKED: tuple[dict[str, Any], ...] = (
    *({"query": query} for query in QUESTIONS),
    {"query": "the", "prefix": True},
    {"query": "fr", "prefix": True},
    {"query": '"frost hollow"'},
    {"query": "frost -hollow"},
    {"query": "+frost hollow road"},
    {"query": "-frost"},
    {"query": "frost NEAR/9 hollow"},
    {"query": "kind:md"},
    {"query": "kind:md -the"},
    {"query": "the kind:md"},
    {"query": "the", "match": "all"},
    {"query": "cold frost night", "match": "all"},
    {"query": "the -frost", "literal": True},
    {"query": "the", "conditions": (Condition("size", "gt", "000000001000"),)},
    {
        "query": "the",
        "conditions": (Condition("size", "lt", "000000001000"), Condition("kind", "ne", "md")),
        "combine": "or",
    },
    {
        "query": "the size>000000001500",
        "conditions": (Condition("kind", "eq", "md"), Condition("kind", "eq", "html")),
        "combine": "or",
    },
    {"query": "", "conditions": (Condition("kind", "eq", "md"),)},
    {"query": "in 2024", "extract": "keyword"},
    {"query": "frost road ink", "route": "keyword"},
    {"query": "frost road ink", "fusion": "rrf"},
    {"query": "nothing of the kindxyz"},
    {"query": "the \ud800 road"},
    {"query": "kindxyz"},
    {"query": ""},
)


def test_every_way_to_search_counts_all_that_it_finds(samples: Samples) -> None:
    session = samples.session
    ids = [one.library.library_id for one in session.libraries()]
    beyond = 0
    for asked in (*ASKED, {"query": f"the lib:{ids[0]}"}, {"query": "the", "libraries": (ids[1], ids[0])}):
        expected, documents = by_hand(session, **asked)
        assert session.facets(SearchRequest(**{**asked, "limit": FEW})) == expected, asked
        beyond += documents > FEW
    assert beyond > len(ASKED) // 3, "most of these show all that they find: this proves little"


def test_a_search_for_more_like_a_passage_counts_what_it_finds(samples: Samples) -> None:
    hit = samples.session.search(SearchRequest("frost hollow")).hits[0]
    expected, documents = by_hand(samples.session, query="", like=hit.chunk_id)
    assert samples.session.facets(SearchRequest("", limit=FEW, like=hit.chunk_id)) == expected
    assert documents > FEW


def test_fields_that_are_asked_for_bare_have_no_values(samples: Samples) -> None:
    every = samples.session.facets(SearchRequest("the"))
    bare = samples.session.facets(SearchRequest("the"), bare={"size", "path"})
    assert bare == tuple(
        FieldValues(one.field, one.documents, () if one.field in ("size", "path") else one.values) for one in every
    )


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Session]:
    """Two libraries of three documents each."""
    with open_session(tmp_path / "home") as session:
        for name in ("one", "two"):
            texts = {f"{n}.md": f"---\ntags: [{name}{n}]\n---\nA heron, number {n} of {name}." for n in range(3)}
            session.add(write_files(tmp_path / name, texts), library_id=name)
        session.index()
        yield session


def tags(session: Session, query: str = "heron") -> list[str]:
    return [value for one in session.facets(SearchRequest(query)) if one.field == "tags" for value, _ in one.values]


def test_restricted_documents_and_those_that_are_gone_never_count(home: Session) -> None:
    assert tags(home) == ["one0", "one1", "one2", "two0", "two1", "two2"]
    home.restrict("one", ["0.md"])
    assert tags(home) == tags(home, "kind:md") == ["one1", "one2", "two0", "two1", "two2"]
    Path(home.library("two").root, "1.md").unlink()
    home.index()
    assert tags(home) == tags(home, "kind:md") == ["one1", "one2", "two0", "two2"]


@pytest.mark.parametrize("mark", ["=1.md", "1.*", "[1]*"])
def test_a_mark_counts_even_where_the_text_could_not_be_removed_yet(home: Session, mark: str) -> None:
    assert "one1" in tags(home)
    home._store.add_marks("one", [mark])
    assert tags(home) == tags(home, "kind:md") == ["one0", "one2", "two0", "two1", "two2"]
    assert [one.documents for one in home.facets(SearchRequest("heron")) if one.field == "tags"] == [5]


def test_a_damaged_library_leaves_the_others_counted(home: Session, tmp_path: Path) -> None:
    with home._store._database.write() as connection:
        connection.execute(
            "UPDATE postings SET value = X'00ffff01' WHERE value IS NOT NULL AND segment IN"
            " (SELECT id FROM segments WHERE library = (SELECT id FROM libraries WHERE slug = 'one'))"
        )
    with open_session(tmp_path / "home") as session:
        assert tags(session) == ["two0", "two1", "two2"]


def test_a_cancelled_count_reads_no_further_library(home: Session) -> None:
    assert home.facets(SearchRequest("heron"), cancelled=lambda: True) == ()
