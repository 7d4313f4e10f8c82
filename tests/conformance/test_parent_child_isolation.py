"""A hit opens into its section: the window is context, never the hit, and a RESTRICTED passage goes with its window.

Any way of searching runs through `check`; the doubles below break one invariant each and must fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ragspine_tui.retrieval.chunking.chunker import CHUNKER_IMPLS
from ragspine_tui.retrieval.link.exit import LinkExit, parent_of
from ragspine_tui.retrieval.rerank.exit import RerankExit
from ragspine_tui.session import Session
from ragspine_tui.specs import SEAMS
from ragspine_tui.types import Hit, SearchRequest, SearchResult, Sensitivity, Span
from tests.homes import open_session, write_files

LONG = "The mill pond is low, and the heron waits. " * 30
FILES = {
    "pond.md": f"# Pond\n\n{LONG}\n\nOne eel at dusk.\n\n## Weir\n\n{LONG}",
    "walk.md": "# Walk\n\nA heron by the pond.\n\n## Back\n\nNo heron on the way back, and then an eel.",
    "鍋.md": "# 鍋\n\n鍋と heron の絵。\n",
    "secret.md": f"# Vault\n\n{LONG}\n\nThe quarrelsome heron keeps the eel of the heptagon.",
}
QUERIES = ("heron", "eel pond", "鍋", "quarrelsome heron")
SECRET = "heptagon"
Searching = Callable[[SearchRequest], SearchResult]


def check(searching: Searching) -> None:
    """Fails unless a hit stays itself when it opens, lies in its section, is literal, and nothing restricted shows."""
    hits = 0
    for query in QUERIES:
        for fusion in SEAMS["fusion"].names:
            request = SearchRequest(query, limit=50, fusion=fusion, explain=True)
            plain, opened = searching(request), searching(replace(request, parent=True))
            hits += len(opened.hits)
            assert [(hit.chunk_id, hit.rank) for hit in opened.hits] == [
                (hit.chunk_id, hit.rank) for hit in plain.hits
            ], "opening made, dropped or moved a hit"
            shut = replace(opened, hits=tuple(replace(hit, parent=None) for hit in opened.hits))
            assert shut == plain, "opening changed a hit"
            assert searching(replace(request, parent=True)) == opened, "opening wavers"
            for hit in opened.hits:
                check_hit(hit)
    assert hits > 10, "nothing was found: this proves nothing"


def check_hit(hit: Hit) -> None:
    """One opened hit against its file."""
    assert hit.document != "secret.md", "a restricted document"
    text = FILES[hit.document]
    parent = hit.parent
    assert hit.text == hit.span.of(text), "the text is not the passage's span"
    assert parent is not None
    assert parent.text == text[parent.start : parent.start + len(parent.text)], "the window is not literal"
    assert parent.child.of(parent.text) == hit.text, "the passage is not where its window marks it"
    assert parent.start + parent.child.start == hit.span.start, "the passage is not in its window"
    assert SECRET not in hit.text + parent.text, "restricted text"
    assert hit.locator.startswith(f"{hit.document}#para")


def make(tmp_path: Path, chunker: str) -> Session:
    """A home with the files, none of them restricted yet."""
    session = open_session(tmp_path / "home")
    session.add(write_files(tmp_path / "lib", FILES), library_id="lib", chunker=chunker)
    session.index()
    return session


def restrict(session: Session) -> None:
    """As a person marks it: the text leaves the database."""
    assert session.restrict("lib", ["secret.md"]) == 1


def label_behind_the_back(session: Session) -> None:
    """The stored label says RESTRICTED, the text is still there: isolation at rest has failed."""
    with session._store._database.write() as connection:
        connection.execute("UPDATE documents SET sensitivity = 'restricted' WHERE path = ?", (b"secret.md",))


def mark_behind_the_back(session: Session) -> None:
    """A mark says so and the label does not, the text is still there: the first exit cannot know."""
    session._store.add_marks("lib", ["=secret.md"])


@pytest.mark.parametrize("chunker", sorted(CHUNKER_IMPLS))
@pytest.mark.parametrize("mark", [restrict, label_behind_the_back, mark_behind_the_back])
def test_every_chunker_s_hits_open_and_stay_themselves(
    tmp_path: Path, chunker: str, mark: Callable[[Session], None]
) -> None:
    with make(tmp_path, chunker) as session:
        assert "secret.md" in {hit.document for hit in session.search(SearchRequest("heptagon")).hits}
        mark(session)
        check(session.search)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """A home whose restricted document has left it, cut as the app cuts by default."""
    with make(tmp_path, SEAMS["chunker"].default) as opened:
        yield opened


def test_a_search_that_leaks_fails(session: Session) -> None:
    with pytest.raises(AssertionError, match="a restricted document"):
        check(session.search)


def opening(session: Session, change: Callable[[tuple[Hit, ...]], tuple[Hit, ...]]) -> Searching:
    """A search that spoils its hits when they are opened."""

    def searching(request: SearchRequest) -> SearchResult:
        result = session.search(request)
        return replace(result, hits=change(result.hits)) if request.parent else result

    return searching


def window_as_text(hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """Shows the section for the passage."""
    return tuple(replace(hit, text=hit.parent.text) if hit.parent else hit for hit in hits)


def best_section_first(hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """Orders by the size of the window."""
    return tuple(sorted(hits, key=lambda hit: -len(hit.parent.text if hit.parent else "")))


def one_hit_a_section(hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """Folds the passages of a section into one."""
    return tuple({hit.parent_locator: hit for hit in hits}.values())


def wider_locator(hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """Says the section's place for the passage's."""
    return tuple(replace(hit, locator=hit.parent_locator) for hit in hits)


def invented_window(hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """Adds an ellipsis to the window."""
    return tuple(
        replace(hit, parent=replace(hit.parent, text=f"{hit.parent.text}…")) if hit.parent else hit for hit in hits
    )


def misplaced_child(hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """Marks the beginning of the window, whatever the hit."""
    return tuple(
        replace(hit, parent=replace(hit.parent, child=Span(0, len(hit.text)))) if hit.parent else hit for hit in hits
    )


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (window_as_text, "opening changed a hit"),
        (best_section_first, "opening made, dropped or moved a hit"),
        (one_hit_a_section, "opening made, dropped or moved a hit"),
        (wider_locator, "opening changed a hit"),
        (invented_window, "the window is not literal"),
        (misplaced_child, "the passage is not"),
    ],
)
def test_a_search_that_spoils_what_it_opens_fails(
    session: Session, broken: Callable[[tuple[Hit, ...]], tuple[Hit, ...]], why: str
) -> None:
    restrict(session)
    with pytest.raises(AssertionError, match=why):
        check(opening(session, broken))


def test_window_text_as_the_hit_fails_even_where_nothing_was_opened(session: Session) -> None:
    restrict(session)

    def searching(request: SearchRequest) -> SearchResult:
        result = session.search(replace(request, parent=True))
        hits = window_as_text(result.hits)
        return replace(result, hits=hits if request.parent else tuple(replace(hit, parent=None) for hit in hits))

    with pytest.raises(AssertionError, match="not the passage's span"):
        check(searching)


class _Named:
    """A passage asked for by name."""

    def __init__(self, document_id: int) -> None:
        self.library_id, self.document_id, self.index = "lib", document_id, 1


def test_each_exit_alone_drops_a_restricted_passage_with_its_window(session: Session) -> None:
    known = session._store.known_documents("lib")["secret.md"]
    first = LinkExit(session._store, lambda _library, _text: (), lambda _library, _passage: False, parents=True)
    named = [(_Named(known.document_id), 1.0)]
    (hit,) = first.link(named, 10)
    assert hit.parent is not None
    second = RerankExit(lambda _library, _document: False)
    assert second.rerank([hit]) == (hit,)
    assert second.rerank([replace(hit, sensitivity=Sensitivity.RESTRICTED)]) == ()
    assert RerankExit(lambda _library, document: document == "secret.md").rerank([hit]) == ()
    label_behind_the_back(session)
    assert first.link(named, 10) == []


def test_the_window_of_a_passage_is_its_own_section_s(session: Session) -> None:
    known = session._store.known_documents("lib")["walk.md"]
    for index in range(1, known.chunks + 1):
        passage = session._store.passage("lib", known.document_id, index)
        assert passage is not None
        parent = parent_of(passage)
        assert parent.child.of(parent.text) == passage.text
        assert parent.locator == str(passage.parent_locator)


def test_a_restricted_passage_cannot_be_shown_by_name_either(session: Session) -> None:
    hit = session.search(SearchRequest("heptagon")).hits[0]
    restrict(session)
    for call in (lambda: session.show(hit.chunk_id), lambda: session.parent(hit)):
        with pytest.raises(Exception, match="there is no passage"):
            call()
