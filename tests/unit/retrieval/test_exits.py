"""The exits over the sample libraries: nothing shown that is not in a file, and a parent that only surrounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from ragspine_tui.types import Hit, SearchRequest
from tests.unit.retrieval.conftest import QUESTIONS, Samples

EVERYTHING = 10_000


def all_passages(samples: Samples) -> Iterator[Hit]:
    """Every passage of every document, with its section."""
    session = samples.session
    for summary in session.libraries():
        library_id = summary.library.library_id
        for path, known in session._store.known_documents(library_id).items():
            for index in range(1, known.chunks + 1):
                yield session.show(f"{library_id}:{path}#c{index}")


@pytest.mark.parametrize("query", QUESTIONS)
def test_every_hit_is_the_literal_span_of_its_file_s_text(samples: Samples, query: str) -> None:
    hits = samples.session.search(SearchRequest(query, limit=EVERYTHING)).hits
    assert hits
    for hit in hits:
        assert hit.text == hit.span.of(samples.texts[hit.library_id, hit.document])
        assert hit.text.strip()
        assert hit.chunk_id.startswith(f"{hit.library_id}:{hit.document}#c")
        assert hit.locator.startswith(f"{hit.document}#para")
        assert all(span.of(hit.text).strip() for span in hit.highlights)


def test_every_stored_passage_is_literal_and_every_section_too(samples: Samples) -> None:
    for hit in all_passages(samples):
        text = samples.texts[hit.library_id, hit.document]
        assert hit.text == hit.span.of(text)
        assert hit.parent is not None
        assert hit.parent.text == text[hit.parent.start : hit.parent.start + len(hit.parent.text)]
        assert hit.parent.child.of(hit.parent.text) == hit.text
        assert hit.parent.start + hit.parent.child.start == hit.span.start
        assert hit.parent_locator == hit.parent.locator


def test_the_sections_of_a_document_lie_side_by_side_and_nothing_but_blanks_is_outside(samples: Samples) -> None:
    sections: dict[tuple[str, str], dict[int, str]] = {}
    for hit in all_passages(samples):
        assert hit.parent is not None
        sections.setdefault((hit.library_id, hit.document), {})[hit.parent.start] = hit.parent.text
    assert len(sections) > 40
    for document, parts in sections.items():
        text, end = samples.texts[document], 0
        for start, part in sorted(parts.items()):
            assert start >= end
            assert not text[end:start].strip()
            end = start + len(part)
        assert not text[end:].strip()


@pytest.mark.parametrize("query", QUESTIONS)
def test_expanding_changes_nothing_but_that_the_parent_is_there(samples: Samples, query: str) -> None:
    request = SearchRequest(query, limit=50, explain=True)
    plain, expanded = (samples.session.search(replace(request, parent=parent)) for parent in (False, True))
    assert all(hit.parent is None for hit in plain.hits)
    assert all(hit.parent is not None for hit in expanded.hits)
    assert replace(expanded, hits=tuple(replace(hit, parent=None) for hit in expanded.hits)) == plain


def test_a_hit_expands_to_what_showing_it_shows(samples: Samples) -> None:
    for hit in samples.session.search(SearchRequest("rollers ink", parent=True)).hits:
        assert samples.session.parent(replace(hit, parent=None)) == hit.parent
