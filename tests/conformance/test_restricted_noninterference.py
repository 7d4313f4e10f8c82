"""With and without the restricted documents, everything a search can say is the same to the byte."""

import json
import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragspine_tui.errors import QueryError, UsageError
from ragspine_tui.json_output import search_json
from ragspine_tui.retrieval.link.exit import LinkExit
from ragspine_tui.retrieval.rerank.exit import RerankExit
from ragspine_tui.session import Session
from ragspine_tui.specs import SEAMS
from ragspine_tui.types import Hit, SearchRequest, Sensitivity
from storage.documents import pack
from storage.store import Store
from tests.homes import open_session, write_files

OPEN = {
    "plans.md": "---\ntags: [garden]\n---\n# Plans\n\nThe garden wall is to be mended with lime mortar.",
    "bees.md": "# Bees\n\nTwo hives stand by the wall; the garden feeds them.",
    "notes/wall.txt": "Measured the wall: forty paces. The mortar was soft.",
}
# The number is longer than any the bookkeeping of times could hold by chance.
SECRET_TEXT = "The quarrelsome heptagon opens the garden wall vault with 4711081514, mortar and lime."
SECRET = {
    "vault.md": "---\ntitle: Vault of the heptagon\ntags: [hidden-tag]\nsensitivity: restricted\n---\n"
    f"# Vault\n\n{SECRET_TEXT}",
    "private/diary.md": f"# Diary\n\n{SECRET_TEXT} Wall wall wall.",
}
QUERIES = (
    "garden wall",
    "heptagon",
    "quarrelsome vault 4711081514",
    "mortar",
    "hidden-tag",
    "diary",
    "lime mor",
    "wall",
)


def everything(session: Session) -> str:
    """All that a person can see of a home by searching it."""
    lines = [repr(session.fields()), repr(session.problems())]
    for query in QUERIES:
        for extra in ({}, {"prefix": True}, {"route": "keyword"}, {"extract": "keyword"}):
            request = SearchRequest(query, limit=50, explain=True, parent=True, **extra)
            lines.append(
                json.dumps(search_json(session.search(request), parent=True, explain=True), ensure_ascii=False)
            )
    return "\n".join(lines)


def raw_bytes(home: Path) -> bytes:
    """Every byte the home's files hold, and all that is compressed in them, whether a row still points there or not."""
    raw = b"".join(path.read_bytes() for path in sorted(home.iterdir()) if path.is_file())
    return raw + b"".join(packed_texts(raw))


def packed_texts(raw: bytes) -> Iterator[bytes]:
    """Every compressed text that begins anywhere."""
    header = pack([], "")[:2]
    at = raw.find(header)
    while at >= 0:
        with suppress(zlib.error):
            yield zlib.decompressobj().decompress(raw[at:])
        at = raw.find(header, at + 1)


def make(tmp_path: Path, name: str, secret: bool, restrict: Sequence[str] = ("private/",)) -> Session:
    folder = write_files(tmp_path / name / "lib", {**OPEN, **(SECRET if secret else {})})
    session = open_session(tmp_path / name / "home")
    session.add(folder, library_id="lib", description="the garden", restrict=restrict)
    session.index()
    return session


def same_times(one: Path, two: Path) -> None:
    for name in OPEN:
        for path in (one / name, two / name):
            os.utime(path, ns=(10**18, 10**18))


def test_restricted_documents_change_nothing_that_a_search_says(tmp_path: Path) -> None:
    for name, secret in (("with", True), ("without", False)):
        write_files(tmp_path / name / "lib", {**OPEN, **(SECRET if secret else {})})
    same_times(tmp_path / "with" / "lib", tmp_path / "without" / "lib")
    said = {}
    for name in ("with", "without"):
        with open_session(tmp_path / name / "home") as session:
            session.add(tmp_path / name / "lib", library_id="lib", description="the garden", restrict=["private/"])
            session.index()
            said[name] = everything(session)
    assert said["with"].count("chunk_id") > 20
    assert said["with"] == said["without"]


def test_no_word_of_a_restricted_document_is_in_any_file_of_the_home(tmp_path: Path) -> None:
    with make(tmp_path, "home", secret=True):
        raw = raw_bytes(tmp_path / "home" / "home").lower()
    for word in (b"heptagon", b"quarrelsome", b"4711081514", b"hidden-tag"):
        assert word not in raw
    assert b"mortar" in raw


def by_person(session: Session) -> None:
    session.restrict("lib", ["vault.md", "private/"])


def by_front_matter(session: Session) -> None:
    root = Path(session.libraries()[0].library.root)
    text = f"---\nsensitivity:  ＲＥＳＴＲＩＣＴＥＤ \n---\n{SECRET_TEXT}"
    write_files(root, {"vault.md": text, "private/diary.md": text})
    session.index()


def by_unknown_label(session: Session) -> None:
    root = Path(session.libraries()[0].library.root)
    text = f"---\nsensitivity: top-secret\n---\n{SECRET_TEXT}"
    write_files(root, {"vault.md": text, "private/diary.md": text})
    session.index()


@pytest.mark.parametrize("mark", [by_person, by_front_matter, by_unknown_label])
def test_marking_a_document_removes_every_byte_of_it(tmp_path: Path, mark: Callable[[Session], None]) -> None:
    readable = {name: text.replace("sensitivity: restricted\n", "") for name, text in SECRET.items()}
    folder = write_files(tmp_path / "lib", {**OPEN, **readable})
    with open_session(tmp_path / "home") as session:
        session.add(folder, library_id="lib")
        session.index()
        assert session.search(SearchRequest("quarrelsome heptagon")).hits
        before = raw_bytes(tmp_path / "home").lower()
        assert b"quarrelsom" in before
        assert SECRET_TEXT.lower().encode() in before
        mark(session)
        assert session.search(SearchRequest("quarrelsome heptagon")).total == 0
        assert {hit.document for hit in session.search(SearchRequest("wall")).hits} == set(OPEN)
        raw = raw_bytes(tmp_path / "home").lower()
        for word in (b"heptagon", b"quarrelsom", b"4711081514", b"hidden-tag"):
            assert word not in raw
        assert b"lime mortar" in raw


@pytest.mark.parametrize(
    ("mark", "marked"),
    [("vault.md", "vault.md"), ("private/", "private/diary.md"), ("*/diary.md", "private/diary.md")],
)
@pytest.mark.parametrize("rebuild", [False, True])
def test_a_mark_holds_when_the_folder_is_read_again(tmp_path: Path, mark: str, marked: str, rebuild: bool) -> None:
    readable = {name: text.replace("sensitivity: restricted\n", "") for name, text in SECRET.items()}
    folder = write_files(tmp_path / "lib", {**OPEN, **readable})
    with open_session(tmp_path / "home") as session:
        session.add(folder, library_id="lib")
        session.index()
        assert session.restrict("lib", [mark]) == 1
        for name, text in readable.items():
            write_files(folder, {name: f"{text}\n\nA tesseract was added to it."})
        session.index(rebuild=rebuild)
        found = {hit.document for hit in session.search(SearchRequest("tesseract heptagon")).hits}
        assert found == set(SECRET) - {marked}
        session.restrict("lib", list(SECRET))
        session.index(rebuild=rebuild)
        raw = raw_bytes(tmp_path / "home").lower()
        assert b"lime mortar" in raw
        assert b"tesseract" not in raw


@pytest.mark.parametrize(
    ("label", "kept"),
    [
        ("public", True),
        ("Internal", True),
        ("  INTERNAL\t", True),
        ("ＰＵＢＬＩＣ", True),
        ("ｉｎｔｅｒｎａｌ", True),
        ("restricted", False),
        ("ReStricted", False),
        ("ｒｅｓｔｒｉｃｔｅｄ", False),
        ("public-ish", False),
        ("secret", False),
    ],
)
def test_a_label_counts_whatever_its_case_and_width_and_an_unknown_one_is_kept_out_and_told(
    tmp_path: Path, label: str, kept: bool
) -> None:
    files = {**OPEN, "vault.md": f"---\nsensitivity: {label}\n---\n{SECRET_TEXT}"}
    with open_session(tmp_path / "home") as session:
        session.add(write_files(tmp_path / "lib", files), library_id="lib")
        session.index()
        assert bool(session.search(SearchRequest("heptagon")).hits) is kept
        told = [problem.reason for problem in session.problems() if problem.document == "vault.md"]
    known = label.casefold() in ("restricted", "ｒｅｓｔｒｉｃｔｅｄ") or kept
    assert bool([reason for reason in told if "unknown sensitivity label" in reason]) is not known
    assert (b"heptagon" in raw_bytes(tmp_path / "home").lower()) is kept


def test_unmarking_reads_the_file_again(tmp_path: Path) -> None:
    with open_session(tmp_path / "home") as session:
        session.add(write_files(tmp_path / "lib", OPEN), library_id="lib")
        session.index()
        before = everything(session)
        assert session.restrict("lib", ["bees.md"]) == 1
        assert {hit.document for hit in session.search(SearchRequest("garden")).hits} == {"plans.md"}
        assert session.unrestrict("lib", ["bees.md"]) == 1
        assert everything(session) == before


def test_a_restricted_library_keeps_nothing_at_all(tmp_path: Path) -> None:
    with open_session(tmp_path / "home") as session:
        session.add(write_files(tmp_path / "lib", OPEN), library_id="lib", sensitivity=" Restricted ")
        session.index()
        assert session.search(SearchRequest("garden wall")).total == 0
        assert session.fields() == ()
    assert b"mortar" not in raw_bytes(tmp_path / "home")


def leak(store: Store) -> None:
    """Label a stored document RESTRICTED behind the program's back, its text still there: what an exit must stop."""
    with store._database.write() as connection:
        connection.execute("UPDATE documents SET sensitivity = 'restricted' WHERE path = ?", (b"bees.md",))


def test_the_first_exit_alone_drops_a_restricted_candidate(tmp_path: Path) -> None:
    with make(tmp_path, "home", secret=False) as session:
        leak(session._store)
        hits = session.search(SearchRequest("hives garden wall")).hits
        ids = session._store.known_documents("lib")
        link = LinkExit(session._store, lambda _library, _text: (), lambda _library, _passage: False)

        class Found:
            library_id, document_id, index = "lib", ids["bees.md"].document_id, 1

        assert link.link([(Found(), 1.0)], 10) == []
    assert hits
    assert "bees.md" not in {hit.document for hit in hits}


def only_a_mark(store: Store) -> None:
    """Mark a stored document behind the program's back, its label and its text still as they were."""
    store.add_marks("lib", ["=bees.md"])


EVERY_WAY: list[dict[str, Any]] = [
    {"mode": mode, "route": route, "fusion": fusion, "extract": extract}
    for mode in ("economy", "hybrid")
    for route in SEAMS["router"].names
    for fusion in SEAMS["fusion"].names
    for extract in SEAMS["filter_extractor"].names
]


@pytest.mark.parametrize("betray", [leak, only_a_mark])
def test_no_mode_filter_route_or_fusion_brings_back_what_either_exit_drops(
    tmp_path: Path, betray: Callable[[Store], None]
) -> None:
    asking = [(), ("name = bees.md",), ("name in bees.md,plans.md",), ("name != plans.md",)]
    with make(tmp_path, "home", secret=False) as session:
        filters = [tuple(session.parse_condition(text) for text in texts) for texts in asking]
        requests = [
            SearchRequest("hives wall mortar", conditions=conditions, parent=True, **way)
            for way in EVERY_WAY
            for conditions in filters
        ]
        assert all("bees.md" in {hit.document for hit in session.search(one).hits} for one in requests)
        betray(session._store)
        results = [session.search(request) for request in requests]
    assert len({len(result.hits) for result in results}) > 1
    for request, result in zip(requests, results, strict=True):
        assert "bees.md" not in {hit.document for hit in result.hits}
        assert "hives" not in json.dumps(search_json(result, parent=True, explain=True)["hits"])
        assert result.hits or request.conditions == filters[1]


def test_the_second_exit_alone_drops_a_restricted_hit_on_either_evidence(tmp_path: Path) -> None:
    with make(tmp_path, "home", secret=False) as session:
        hits = session.search(SearchRequest("garden wall")).hits
    labelled = [replace(hit, sensitivity=Sensitivity.RESTRICTED) for hit in hits]
    assert RerankExit(lambda _library, _document: False).rerank(labelled) == ()
    kept = RerankExit(lambda _library, document: document == "bees.md").rerank(hits)
    assert [hit.document for hit in kept] == [hit.document for hit in hits if hit.document != "bees.md"]
    assert [hit.rank for hit in kept] == list(range(1, len(kept) + 1))


def test_a_judge_sees_nothing_restricted_and_can_only_reorder(tmp_path: Path) -> None:
    with make(tmp_path, "home", secret=False) as session:
        hits = session.search(SearchRequest("garden wall")).hits
    seen: list[str] = []

    def backwards(shown: Sequence[Hit]) -> list[int]:
        seen.extend(hit.document for hit in shown)
        return list(reversed(range(len(shown))))

    def raises(_shown: Sequence[Hit]) -> list[int]:
        raise RuntimeError("no judgment")

    restricted = lambda _library, document: document == "bees.md"  # noqa: E731
    order = [hit.chunk_id for hit in RerankExit(restricted).rerank(hits)]
    assert [hit.chunk_id for hit in RerankExit(restricted, backwards).rerank(hits)] == order[::-1]
    assert "bees.md" not in seen
    for judge in (raises, lambda shown: [0] * len(shown), lambda _shown: [99], lambda _shown: []):
        assert [hit.chunk_id for hit in RerankExit(restricted, judge).rerank(hits)] == order


def test_sixty_restricted_documents_never_starve_a_result(tmp_path: Path) -> None:
    files = {f"secret{number:02}.md": "wall wall wall" for number in range(60)}
    with open_session(tmp_path / "home") as session:
        session.add(
            write_files(tmp_path / "lib", {**files, "open.md": "a long text with one wall in it"}), library_id="lib"
        )
        session.index()
        with session._store._database.write() as connection:
            connection.execute(
                "UPDATE documents SET sensitivity = 'restricted' WHERE CAST(path AS TEXT) LIKE 'secret%'"
            )
        assert [hit.document for hit in session.search(SearchRequest("wall", limit=5)).hits] == ["open.md"]


def test_a_pattern_with_a_slip_is_refused_rather_than_restricting_nothing(tmp_path: Path) -> None:
    with make(tmp_path, "home", secret=False) as session:
        with pytest.raises(UsageError, match="no path and no pattern"):
            session.restrict("lib", ["bees[1"])
        with pytest.raises(UsageError, match="no path and no pattern"):
            session.add(write_files(tmp_path / "other", OPEN), restrict=["private["])
        odd = write_files(tmp_path / "home" / "lib", {"odd[1.md": "an odd wall"})
        session.index()
        assert session.restrict("lib", ["odd[1.md"]) == 1
        assert odd.exists()
        assert session.search(SearchRequest("odd")).total == 0


def test_a_passage_is_not_shown_by_its_id_once_its_document_is_marked(tmp_path: Path) -> None:
    with make(tmp_path, "home", secret=False) as session:
        assert "hives" in session.show("lib:bees.md#c1").text
        # The mark alone, as if the text could not be removed: the second exit still stands.
        session._store.add_marks("lib", ["=bees.md"])
        with pytest.raises(QueryError, match="there is no passage"):
            session.show("lib:bees.md#c1")
        assert "bees.md" not in {hit.document for hit in session.search(SearchRequest("hives garden")).hits}
