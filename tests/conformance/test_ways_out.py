"""Every way out of the program: what a restricted document says appears in none, and did in each before.

A word of the document is looked for where it stood before: a way that shows nothing at all would pass no test. The ways
of the terminal interface are in test_ways_out_of_the_screen.py.
"""

from __future__ import annotations

import hashlib
import io
import json
import shutil
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Final

import pytest

from ragspine_tui.cli.app import run
from ragspine_tui.cli.failures import ExitCode
from ragspine_tui.errors import QueryError, RagspineError
from ragspine_tui.json_output import search_json, to_json
from ragspine_tui.retrieval.link.exit import LinkExit
from ragspine_tui.session import Session
from ragspine_tui.tui.desk import one_line_of
from ragspine_tui.tui.text import citation
from ragspine_tui.types import Hit, SearchRequest
from tests.conformance.secret_home import NAME, OPEN, QUERY, SECRET, WORDS, Exploding, make, restrict, said_in
from tests.homes import open_session, write_files

Way = Callable[[Path], str]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("made") / "home")


@pytest.fixture
def home(made: Path, tmp_path: Path) -> Path:
    """A home of the test's own."""
    shutil.copytree(made, tmp_path / "home")
    return tmp_path / "home"


def program(*arguments: str) -> Callable[[Path], str]:
    """What a command says on both streams."""

    def way(home: Path) -> str:
        said = io.StringIO()
        with redirect_stdout(said), redirect_stderr(said):
            run([*arguments, "--home", str(home)])
        return said.getvalue()

    return way


def asked(ask: Callable[[Session], object]) -> Callable[[Path], str]:
    """What a session answers, or how it refuses, with everything that hangs on the error."""

    def way(home: Path) -> str:
        with open_session(home) as session:
            try:
                return repr(ask(session))
            except RagspineError as error:
                return told_by(error)

    return way


def told_by(error: BaseException) -> str:
    """Everything an error carries: its words and arguments, and those of what it came from."""
    parts: list[object] = []
    chain: BaseException | None = error
    while chain is not None:
        notes = getattr(chain, "__notes__", ())
        parts += [str(chain), chain.args, notes, getattr(chain, "hint", ""), one_line_of(chain)]
        chain = chain.__cause__ or chain.__context__
    return repr(parts)


def secret_hit(session: Session) -> Hit:
    """The document's first passage, as a search finds it."""
    hits = session.search(SearchRequest(QUERY, limit=50)).hits
    return next(hit for hit in hits if hit.document == NAME)


def chunk_ids(home: Path) -> list[str]:
    """The public ids of the document's passages."""
    with open_session(home) as session:
        hits = session.search(SearchRequest(QUERY, limit=50)).hits
        return [hit.chunk_id for hit in hits if hit.document == NAME]


def clipboard(session: Session) -> list[str]:
    """What copying every hit hands to the terminal."""
    hits = session.search(SearchRequest(QUERY, limit=50)).hits
    return [text for hit in hits for text in (hit.text, citation(hit))]


def prefix_terms(session: Session) -> list[object]:
    """What the beginnings of the document's words become, and what they find."""
    beginnings = ("hepta", "palimps", "quadr")
    expanded = [session._store.snapshot("lib").expansions(beginning, 50) for beginning in beginnings]
    found = [session.search(SearchRequest(word, prefix=True, explain=True)).hits for word in beginnings]
    return [*expanded, *found]


WAYS: Final[dict[str, Way]] = {
    "search": program("search", QUERY),
    "search --plain": program("search", QUERY, "--plain"),
    "search --json": program("search", QUERY, "--json"),
    "search --json, everything": program("search", QUERY, "--json", "--parent", "--explain"),
    "search --explain": program("search", QUERY, "--explain"),
    "search --parent": program("search", QUERY, "--parent"),
    "search by a field": program("search", QUERY, "--json", "-f", "name = vault.md"),
    "search by rrf": program("search", QUERY, "--json", "--fusion", "rrf"),
    "search, hybrid": program("search", QUERY, "--json", "--mode", "hybrid"),
    "show": program("show", "lib:vault.md#c2"),
    "show --parent": program("show", "lib:vault.md#c2", "--parent"),
    "show --json --parent": program("show", "lib:vault.md#c2", "--json", "--parent"),
    "fields": program("fields"),
    "fields --json": program("fields", "--json"),
    "problems": program("problems"),
    "problems --json": program("problems", "--json"),
    "facets of a session": asked(lambda session: session.fields(limit=10_000)),
    "problems of a session": asked(lambda session: session.problems()),
    "a shown passage": asked(lambda session: session.show("lib:vault.md#c2")),
    "clipboard": asked(clipboard),
    "prefix expansion": asked(prefix_terms),
    "search as you type": asked(lambda session: session.search(SearchRequest("garden wal", prefix=True, explain=True))),
    "the whole result": asked(lambda session: session.search(SearchRequest(QUERY, parent=True, explain=True))),
}


@pytest.mark.parametrize("name", WAYS)
def test_a_way_that_showed_the_document_shows_no_word_of_it_once_it_is_restricted(name: str, home: Path) -> None:
    way = WAYS[name]
    assert said_in(way(home)), "this way would show nothing anyhow"
    restrict(home)
    assert said_in(way(home)) == set()


def test_every_passage_of_the_document_has_gone_by_its_id(home: Path) -> None:
    ids = chunk_ids(home)
    ways = [program("show", chunk_id, "--json", "--parent") for chunk_id in ids]
    assert set().union(*(said_in(way(home)) for way in ways)) > {"heptagon", "palimpsest"}
    restrict(home)
    assert [said_in(way(home)) for way in ways] == [set()] * len(ids)


def test_a_hit_of_before_opens_no_parent_and_its_refusal_carries_nothing(home: Path) -> None:
    with open_session(home) as session:
        hit = secret_hit(session)
        assert said_in(session.parent(hit).text)
        session.restrict("lib", [NAME])
        with pytest.raises(QueryError) as refused:
            session.parent(hit)
    assert said_in(told_by(refused.value)) == set()


def test_an_error_that_carried_a_word_would_be_found() -> None:
    hidden = QueryError("there is nothing")
    hidden.__cause__ = KeyError("the heptagon")
    assert said_in(told_by(hidden)) == {"heptagon"}


def test_unknown_words_are_those_of_a_home_that_never_had_the_document(home: Path, tmp_path: Path) -> None:
    query = SearchRequest(f"garden {' '.join(WORDS)} nowhere-at-all", prefix=True)
    folder = write_files(tmp_path / "other" / "lib", OPEN)
    with open_session(tmp_path / "other" / "home") as never:
        never.add(folder, library_id="lib", description="the garden")
        never.index()
        expected = never.search(query).unknown_terms
    with open_session(home) as session:
        before = session.search(query).unknown_terms
        session.restrict("lib", [NAME])
        assert session.search(query).unknown_terms == expected
    assert set(expected) - set(before) >= {"heptagon", "4711081514", "palimpsest"}


def test_the_extractor_forgets_the_documents_values(home: Path) -> None:
    request = SearchRequest("garden wall by Zebulon Quist, quadrille", extract="keyword")
    with open_session(home) as session:
        assert said_in(session.search(request).filter.text) == {"zebulon", "quist", "quadrille"}
        session.restrict("lib", [NAME])
        left = session.search(request).filter.text
        assert left == "tags = garden"
        assert said_in(left) == set()


PLAIN_WAYS: Final = {
    "libraries": program("libraries"),
    "libraries --json": program("libraries", "--json"),
    "describe": program("describe", "lib"),
    "describe --json": program("describe", "lib", "--json"),
    "unrestrict": program("unrestrict", "lib", "bees.md"),
    "restrict": program("restrict", "lib", NAME),
}


@pytest.mark.parametrize("name", PLAIN_WAYS)
def test_what_tells_of_libraries_quotes_no_document_before_or_after(name: str, home: Path) -> None:
    way = PLAIN_WAYS[name]
    for _ in range(2):
        said = way(home)
        assert "lib" in said or "bees.md" in said
        assert said_in(said) == set()
        with open_session(home) as session:
            session.restrict("lib", [NAME])


@pytest.mark.parametrize("name", [name for name in PLAIN_WAYS if name.startswith(("libraries", "describe --"))])
def test_what_tells_of_libraries_would_show_a_word_that_got_into_it(name: str, home: Path) -> None:
    with open_session(home) as session:
        session.describe("lib", title="The heptagon")
    assert said_in(PLAIN_WAYS[name](home)) == {"heptagon"}


def bytes_of(home: Path) -> dict[str, str]:
    """A hash of every file of the home."""
    files = sorted(path for path in home.rglob("*") if path.is_file())
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_measuring_a_collection_neither_reads_nor_touches_the_home(home: Path, tmp_path: Path) -> None:
    collection = write_files(
        tmp_path / "judged",
        {
            "corpus.jsonl": json.dumps({"id": "d1", "title": "Gate", "text": "A garden gate."}) + "\n",
            "queries.jsonl": json.dumps({"id": "q1", "text": f"{QUERY} heptagon"}) + "\n",
            "qrels.tsv": "q1\td1\t1\n",
        },
    )
    out = tmp_path / "out.run"
    before = bytes_of(home)
    said = program("eval", str(collection), "--json", "--run", str(out))(home)
    assert '"documents": 1' in said
    assert said_in(said + out.read_text(encoding="utf-8")) == set()
    assert out.read_text(encoding="utf-8").split()[:3] == ["q1", "Q0", "d1"]
    assert bytes_of(home) == before


@pytest.fixture
def exploding(monkeypatch: pytest.MonkeyPatch) -> Exploding:
    planted = Exploding()
    monkeypatch.setattr(LinkExit, "link", planted)
    return planted


@pytest.mark.parametrize("arguments", [("search", QUERY), ("search", QUERY, "--json"), ("show", "lib:vault.md#c2")])
def test_a_fault_that_quotes_a_document_is_told_and_logged_without_it(
    home: Path, exploding: Exploding, arguments: tuple[str, ...]
) -> None:
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        code = run([*arguments, "--home", str(home)])
    assert code == ExitCode.FAULT
    assert said_in(exploding.carried)
    log = (home / "logs" / "faults.log").read_text(encoding="utf-8")
    assert "KeyError" in said.getvalue()
    assert "secret_home.py" in log
    assert said_in(said.getvalue() + log) == set()


def test_files_that_cannot_be_read_are_told_without_what_they_hold(tmp_path: Path) -> None:
    text = SECRET.encode()
    files: dict[str, str | bytes] = {
        "open/broken.md": b"---\n{[heptagon: quadrille\n---\n" + text,
        "open/binary.txt": text + b"\x00\x01\x02" * 400,
        "open/label.md": SECRET.replace("---\n", "---\nsensitivity: palimpsest\n", 1),
        "kept/broken.md": b"---\n{[heptagon: quadrille\n---\n" + text,
    }
    folder = write_files(tmp_path / "lib", files)
    home = tmp_path / "home"
    said = program("add", str(folder), "--id", "lib", "--restrict", "kept/")(home)
    for way in (program("problems"), program("problems", "--json"), program("index"), program("index", "--rebuild")):
        said += way(home)
    assert "label.md" in said
    assert "unknown sensitivity label" in said
    assert said_in(said) == set()
    with open_session(home) as session:
        session.restrict("lib", ["open/"])
    assert said_in(program("problems")(home) + program("index", "--rebuild")(home)) == set()


def test_json_is_looked_through_whole(home: Path) -> None:
    with open_session(home) as session:
        result = session.search(SearchRequest(QUERY, limit=50, parent=True, explain=True))
    assert said_in(to_json(search_json(result, parent=True, explain=True))) >= {"heptagon", "quadrille", "obsidian"}
