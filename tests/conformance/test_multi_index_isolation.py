"""Every fusion with every router: nothing restricted, every hit from the library it names, the same each time.

Any way of searching several libraries runs through `check`; the doubles below break one invariant each and must fail.
A library that fails is reported beside what the others found.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from ragspine_tui.errors import StorageError
from ragspine_tui.json_output import search_json
from ragspine_tui.retrieval.filtering.metadata_filter import MetadataFilter, make_filter
from ragspine_tui.retrieval.lexical.retriever import Candidate, LexicalRetriever, Ranking
from ragspine_tui.retrieval.lexical.statistics import Matches, Statistics
from ragspine_tui.retrieval.routing.multi_index import FUSION_IMPLS, LibraryIndex, MultiIndexRetriever, make_fusion
from ragspine_tui.retrieval.routing.router import ROUTER_IMPLS, Described, LibraryRouter, make_library_router
from ragspine_tui.session import Session
from ragspine_tui.specs import SEAMS
from ragspine_tui.types import Document, SearchRequest
from tests.homes import open_session, write_files
from tests.unit.chunking.documents import blocked
from tests.unit.retrieval.reference import MemoryLibrary, memory_library

FUSIONS = sorted(SEAMS["fusion"].names)
ROUTERS = sorted(SEAMS["router"].names)
EVERY = pytest.mark.parametrize(("fusion", "router"), [(one, two) for one in FUSIONS for two in ROUTERS])
QUERIES = ("heron", "weir heron eel", "quarrelsome heron", "鍋 heron")
DESCRIPTIONS = {"birds": "herons and egrets", "river": "weir, eel and heron", "kitchen": "台所の鍋"}
SECRET = "The quarrelsome heron guards the weir, eel and 鍋 heptagon."
NARROWINGS = (None, make_filter([("place", "ne", "marsh")]), make_filter([("sensitivity", "eq", "restricted")]))


def documents_of(library_id: str) -> list[Document]:
    """Three open documents and a RESTRICTED one that answers every query best."""
    secret = blocked(f"# {SECRET}", SECRET, name=f"secret-{library_id}.md")
    return [
        replace(blocked(f"# {library_id} heron", "The heron at the weir.", name="one.md"), fields={"place": ("weir",)}),
        blocked("An eel, a heron and a 鍋.", "# More", "heron " * 150, name="two.md"),
        replace(blocked("The heron at the weir.", name="three.md"), fields={"place": ("marsh",)}),
        replace(secret, fields={"sensitivity": ("restricted",), "place": ("weir",)}),
    ]


@dataclass(frozen=True, slots=True)
class Found:
    """A candidate as a person would meet it: its library, its document's path, its number."""

    library_id: str
    path: str
    index: int


Searching = Callable[[str, MetadataFilter | None, int], Sequence[Candidate]]
"""(query, filter, top_k) -> candidates, best first."""


def libraries(leaks: bool = False) -> list[MemoryLibrary]:
    """Three libraries; with `leaks`, the second one's index holds its restricted document."""
    return [memory_library(documents_of(name), name, leaks=leaks and name == "river") for name in DESCRIPTIONS]


def indexes(base: Sequence[MemoryLibrary]) -> list[LibraryIndex]:
    """The libraries as several are searched together."""
    return [LibraryIndex(one.library_id, DESCRIPTIONS[one.library_id], one.retriever) for one in base]


def check(searching: Searching, base: Sequence[MemoryLibrary]) -> None:
    """Fails unless what is found is open, stands in the library it names as that library gave it, and stays so."""
    by_id = {one.library_id: one for one in base}
    for query in QUERIES:
        for narrowing in NARROWINGS:
            found = searching(query, narrowing, 50)
            assert found or narrowing is NARROWINGS[2], "nothing was found: this proves nothing"
            named = [Found(one.library_id, by_id[one.library_id].document(one).path, one.index) for one in found]
            assert not [one for one in named if one.path.startswith("secret")], "isolation: a restricted document"
            own = {name: library.everything(query, narrowing) for name, library in by_id.items()}
            given = {one.key: (one.tie, one.chunk) for candidates in own.values() for one in candidates}
            assert all(given.get(one.key) == (one.tie, one.chunk) for one in found), "provenance: not the library's"
            assert len(set(named)) == len(named), "provenance: a passage twice"
            assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
            assert list(found) == list(searching(query, narrowing, 50)), "determinism: another answer"
            assert list(searching(query, narrowing, 3)) == list(found[:3]), "determinism: another beginning"
            assert list(searching(query, narrowing, 0)) == []


def searching_of(base: Sequence[MemoryLibrary], fusion: str, router: LibraryRouter | None) -> Searching:
    """The app's own way."""
    retriever = MultiIndexRetriever(indexes(base), router, fusion=fusion)
    return lambda query, narrowing, top_k: retriever.retrieve(query, metadata_filter=narrowing, top_k=top_k)


@EVERY
def test_every_fusion_and_router_isolates_names_the_origin_and_answers_alike(fusion: str, router: str) -> None:
    base = libraries()
    check(searching_of(base, fusion, make_library_router(router)), base)
    again = searching_of(libraries(), fusion, make_library_router(router))("heron eel", None, 50)
    assert list(searching_of(base, fusion, make_library_router(router))("heron eel", None, 50)) == list(again)


@EVERY
def test_a_base_that_leaks_fails(fusion: str, router: str) -> None:
    base = libraries(leaks=True)
    with pytest.raises(AssertionError, match="isolation"):
        check(searching_of(base, fusion, make_library_router(router)), base)


def test_a_search_that_breaks_provenance_or_wavers_fails() -> None:
    base = libraries()
    honest = searching_of(base, "score", None)
    calls: list[str] = []

    def relabelled(query: str, narrowing: MetadataFilter | None, top_k: int) -> list[Candidate]:
        return [replace(one, library_id="birds", chunk=99) for one in honest(query, narrowing, top_k)]

    def repeated(query: str, narrowing: MetadataFilter | None, top_k: int) -> list[Candidate]:
        return [one for one in honest(query, narrowing, top_k) for _ in range(2)]

    def wavering(query: str, narrowing: MetadataFilter | None, top_k: int) -> Sequence[Candidate]:
        calls.append(query)
        return honest(query, narrowing, top_k)[len(calls) % 2 :]

    for broken, why in ((relabelled, "provenance"), (repeated, "provenance"), (wavering, "determinism")):
        with pytest.raises(AssertionError, match=why):
            check(broken, base)


class Chooses:
    """A router that names libraries without looking."""

    def __init__(self, *ids: str) -> None:
        self._ids = list(ids)

    def route(self, query: str, libraries: Sequence[Described]) -> list[str]:
        """The same ids each time."""
        return self._ids


@pytest.mark.parametrize("fusion", FUSIONS)
def test_an_id_that_a_router_repeats_counts_once_and_an_unknown_one_not_at_all(fusion: str) -> None:
    base = libraries()
    plain = searching_of(base, fusion, Chooses("river", "birds"))("heron", None, 50)
    odd = searching_of(base, fusion, Chooses("river", "gone", "river", "birds", "river"))("heron", None, 50)
    assert plain
    assert list(odd) == list(plain)
    assert {one.library_id for one in plain} == {"river", "birds"}
    repeated = MultiIndexRetriever(indexes(base), fusion=fusion).search("heron", ["river", "river", "birds"])
    assert [replace(one.candidate, score=one.score) for one in repeated.fused] == list(plain)[:20]


@pytest.mark.parametrize("fusion", FUSIONS)
def test_other_libraries_change_nothing_in_the_order_of_one(fusion: str) -> None:
    base = libraries()
    for query in QUERIES:
        together = searching_of(base, fusion, None)(query, None, 1_000)
        for one in base:
            mine = [candidate.key for candidate in together if candidate.library_id == one.library_id]
            assert sorted(mine) == sorted(candidate.key for candidate in one.everything(query))
            if fusion == "rrf":
                assert mine == [candidate.key for candidate in one.everything(query)]


@pytest.mark.parametrize("fusion", FUSIONS)
def test_equal_scores_stand_in_one_order_whatever_was_indexed_first(fusion: str) -> None:
    alike = [blocked("the heron waits", name=f"{name}.md") for name in "qwertyuiop"]
    orders = []
    for documents in (alike, alike[::-1], alike[3:] + alike[:3]):
        base = {name: memory_library(documents, name) for name in ("birds", "river")}
        found = searching_of(list(base.values()), fusion, None)("heron", None, 50)
        orders.append([(one.library_id, base[one.library_id].document(one).path) for one in found])
    assert len(set(orders[0])) == 2 * len(alike)
    assert orders[0] == orders[1] == orders[2]


class Failing(LexicalRetriever):
    """A library whose database cannot be read, at once or only when it is scored."""

    late = False

    def match(self, query: str, prefix: bool = False) -> Matches:
        """Fails, or promises what `rank` will not keep."""
        if not self.late:
            raise StorageError("the drive is gone", "plug it in")
        return super().match(query, prefix)

    def rank(
        self,
        matches: Matches,
        statistics: Statistics | None = None,
        *,
        metadata_filter: MetadataFilter | None = None,
        top_k: int = 20,
    ) -> Ranking:
        """Fails."""
        raise StorageError("the drive is gone", "plug it in")


class FailingLate(Failing):
    """Matches, and cannot be scored."""

    late = True


@EVERY
@pytest.mark.parametrize("failing", [Failing, FailingLate])
def test_a_library_that_fails_is_reported_and_never_fails_the_rest(
    fusion: str, router: str, failing: type[Failing]
) -> None:
    base = libraries()
    river = base[1]
    broken = failing("river", river.index, river.analyzer, lambda _: (_ for _ in ()).throw(AssertionError))
    parts = [replace(one, retriever=broken) if one.library_id == "river" else one for one in indexes(base)]
    retriever = MultiIndexRetriever(parts, make_library_router(router), fusion=fusion)
    run = retriever.search("heron eel", list(DESCRIPTIONS), top_k=50)
    assert [(one.library_id, one.message) for one in run.errors] == [("river", "the drive is gone: plug it in")]
    assert {one.library_id for one in run.fused} == {"birds", "kitchen"}
    assert {one.library_id for one in retriever.retrieve("heron", top_k=50)} <= {"birds", "kitchen"}


class Plain:
    """A library that can retrieve and nothing else, its candidates named after nobody."""

    def __init__(self, library: MemoryLibrary) -> None:
        self.found = [replace(one, library_id="") for one in library.everything("heron")]
        self.asked: list[tuple[str, MetadataFilter | None, int]] = []

    def retrieve(
        self, query: str, *, metadata_filter: MetadataFilter | None = None, top_k: int = 20
    ) -> Sequence[Candidate]:
        """The same candidates for every query."""
        self.asked.append((query, metadata_filter, top_k))
        return self.found[:top_k]


@pytest.mark.parametrize("fusion", FUSIONS)
def test_a_library_needs_no_more_than_to_retrieve_and_its_own_candidates_stay_as_they_were(fusion: str) -> None:
    base = libraries()
    plain = Plain(base[1])
    before = list(plain.found)
    parts = [replace(one, retriever=plain) if one.library_id == "river" else one for one in indexes(base)]
    run = MultiIndexRetriever(parts, fusion=fusion).search(
        "heron", list(DESCRIPTIONS), metadata_filter=NARROWINGS[1], top_k=50
    )
    assert plain.asked == [("heron", NARROWINGS[1], 50)]
    assert plain.found == before
    assert {one.library_id for one in run.fused} == set(DESCRIPTIONS)
    mine = [one for one in run.fused if one.library_id == "river"]
    assert [(one.document_id, one.index) for one in mine] == [(one.document_id, one.index) for one in before]
    assert run.explain(mine[0].candidate).terms == ()
    assert run.explain(next(one.candidate for one in run.fused if one.library_id == "birds")).terms


def test_titles_route_as_descriptions_do() -> None:
    parts = [replace(one, title="The heptarchy") if one.library_id == "river" else one for one in indexes(libraries())]
    retriever = MultiIndexRetriever(parts, make_library_router("keyword"))
    assert {one.library_id for one in retriever.retrieve("heptarchy heron", top_k=50)} == {"birds", "river"}
    router = make_library_router("keyword")
    assert router is not None
    assert router.route("heptarchy", parts) == ["river"]


def test_what_settings_allow_is_what_there_is_and_every_one_of_it_runs_here(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(FUSIONS) == set(FUSION_IMPLS)
    assert set(ROUTERS) == {"none", *ROUTER_IMPLS}
    for name in FUSIONS:
        monkeypatch.setenv("RAGSPINE_FUSION", name)
        assert type(make_fusion()) is FUSION_IMPLS[name]
    monkeypatch.delenv("RAGSPINE_FUSION")
    assert type(make_fusion()) is FUSION_IMPLS[SEAMS["fusion"].default]
    for spec in ("", " ", "best"):
        with pytest.raises(ValueError, match="valid: score, rrf"):
            make_fusion(spec)


@pytest.mark.parametrize("ids", [["one", "one"], ["", "one"]])
def test_ids_that_are_empty_or_repeated_are_refused(ids: list[str]) -> None:
    part = indexes(libraries())[0]
    with pytest.raises(ValueError, match="unique and not empty"):
        MultiIndexRetriever([replace(part, library_id=one) for one in ids])


@pytest.mark.parametrize("fusion", FUSIONS)
def test_a_negative_number_is_refused_even_where_there_is_nothing_to_search(fusion: str) -> None:
    with pytest.raises(ValueError, match="must not be negative"):
        MultiIndexRetriever([], fusion=fusion).retrieve("heron", top_k=-1)
    assert MultiIndexRetriever([], fusion=fusion).retrieve("heron") == []


# The whole way, over a real home


def home(tmp_path: Path) -> Session:
    """The three libraries as files, restricted by front matter and by a pattern."""
    session = open_session(tmp_path / "home")
    for name, description in DESCRIPTIONS.items():
        files = {
            "one.md": f"# {name} heron\n\nThe heron at the weir of {name}.",
            "two.md": f"An eel, a heron and a 鍋.\n\n## {name}\n\n{'heron ' * 150}",
            "secret-label.md": f"---\nsensitivity: restricted\n---\n{SECRET}",
            "private/secret.md": SECRET,
        }
        folder = write_files(tmp_path / name, files)
        session.add(folder, library_id=name, description=description, restrict=["private/"])
    session.index()
    return session


@EVERY
def test_a_whole_search_isolates_names_the_origin_and_answers_alike(tmp_path: Path, fusion: str, router: str) -> None:
    said: list[list[str]] = []
    with home(tmp_path) as session:
        for query in QUERIES:
            result = session.search(SearchRequest(query, fusion=fusion, route=router, parent=True, limit=50))
            assert result.hits
            for hit in result.hits:
                text = session.file_of(hit.library_id, hit.document).read_text(encoding="utf-8")
                assert hit.text == hit.span.of(text)
                assert hit.chunk_id.split(":")[0] == hit.library_id
                assert "heptagon" not in text
    for _ in range(2):
        with open_session(tmp_path / "home") as session:
            requests = [SearchRequest(query, fusion=fusion, route=router, explain=True) for query in QUERIES]
            said.append([json.dumps(search_json(session.search(request))) for request in requests])
    assert said[0] == said[1]
    assert "heptagon" not in "".join(said[0])
