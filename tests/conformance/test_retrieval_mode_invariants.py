"""Every retrieval mode through the whole search: isolated, literal, repeatable; economy builds no embedding at all."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest

from ragspine_tui.cli.app import run
from ragspine_tui.cli.failures import ExitCode
from ragspine_tui.config import ServiceConfig
from ragspine_tui.errors import UsageError
from ragspine_tui.json_output import search_json, to_json
from ragspine_tui.retrieval.mode import RetrievalMode, effective_mode, make_retrieval_mode
from ragspine_tui.session import Session
from ragspine_tui.specs import SEAMS
from ragspine_tui.types import Condition, Hit, SearchRequest, SearchResult, Sensitivity
from tests.homes import open_session, write_files

SPELLINGS: Final = [word for name, also in SEAMS["mode"].names.items() for word in (name, *also)]
NEEDS_EMBEDDING: Final = [
    word for word in SPELLINGS if effective_mode(make_retrieval_mode(word), embedding_configured=False).uses_embedding
]
RUNS: Final = [word for word in SPELLINGS if word not in NEEDS_EMBEDDING]
FALLS_BACK: Final = [word for word in RUNS if make_retrieval_mode(word).uses_embedding]

LIBRARIES: Final = {
    "garden": {
        "plans.md": "---\nyear: 2024\n---\n# Plans\n\nThe garden wall wants mortar.\n\n## Later\n\nA gate in the wall.",
        "bees.md": "# Bees\n\nTwo hives stand by the wall of the garden.",
        "vault.md": "# Vault\n\nGarden wall, garden wall: the heptagon opens it.",
    },
    "kitchen": {
        "壁.md": "# 台所の壁\n\n台所の wall は garden に面しています。",
        "soup.txt": "Soup for those who mend the garden wall.",
    },
}
SECRET: Final = "vault.md"
QUERY: Final = "garden wall 壁"
Factory = Callable[[str], RetrievalMode]
Search = Callable[[SearchRequest], SearchResult]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two libraries; one document became RESTRICTED behind the program's back, its text still there."""
    folder = tmp_path_factory.mktemp("modes")
    with open_session(folder / "home") as session:
        for library_id, files in LIBRARIES.items():
            session.add(write_files(folder / library_id, files), library_id=library_id)
        session.index()
        assert SECRET in documents(session.search(SearchRequest(QUERY)))
        with session._store._database.write() as connection:
            connection.execute("UPDATE documents SET sensitivity = 'restricted' WHERE path = ?", (SECRET.encode(),))
    return folder / "home"


@pytest.fixture
def session(home: Path) -> Iterator[Session]:
    with open_session(home) as opened:
        yield opened


def documents(result: SearchResult) -> set[str]:
    return {hit.document for hit in result.hits}


def as_bytes(result: SearchResult) -> bytes:
    """What a program is given of a search."""
    return to_json(search_json(result, parent=True, explain=True)).encode()


def check_search(search: Search, spec: str) -> None:
    """Fails unless a mode's hits are there, isolated, literal spans of their own library's files, and repeatable."""
    request = SearchRequest(QUERY, mode=spec, limit=50, parent=True, explain=True)
    result = search(request)
    assert {hit.library_id for hit in result.hits} == set(LIBRARIES), "a library without a hit"
    assert SECRET not in documents(result), "a restricted document"
    assert "heptagon" not in as_bytes(result).decode(), "words of a restricted document"
    assert all(hit.sensitivity != Sensitivity.RESTRICTED for hit in result.hits), "a restricted hit"
    for hit in result.hits:
        text = LIBRARIES[hit.library_id].get(hit.document, "")
        assert hit.text, "an empty hit"
        assert hit.span.of(text) == hit.text, "not a span of the file"
        assert hit.chunk_id.startswith(f"{hit.library_id}:{hit.document}#c"), "another library's id"
        assert hit.parent is not None
        assert hit.parent.child.of(hit.parent.text) == hit.text, "not a span of its section"
    assert as_bytes(search(request)) == as_bytes(result), "another answer to the same question"


@pytest.mark.parametrize("spec", RUNS)
def test_every_mode_that_runs_is_isolated_literal_and_repeatable(session: Session, spec: str) -> None:
    check_search(session.search, spec)


def changed(change: Callable[[tuple[Hit, ...]], tuple[Hit, ...]]) -> Callable[[Session], Search]:
    """A broken search: what `change` makes of the hits of a sound one."""

    def broken(session: Session) -> Search:
        def search(request: SearchRequest) -> SearchResult:
            result = session.search(request)
            return replace(result, hits=change(result.hits))

        return search

    return broken


def leaking(session: Session) -> Search:
    """A broken search: the wiring without either exit's evidence, over what the store still holds."""
    document_id = session._store.known_documents("garden")[SECRET].document_id

    def search(request: SearchRequest) -> SearchResult:
        result = session.search(request)
        passage = session._store.passage("garden", document_id, 1)
        assert passage is not None
        leaked = replace(result.hits[0], library_id="garden", document=SECRET, text=passage.text, span=passage.span)
        return replace(result, hits=(*result.hits, leaked))

    return search


def restless(session: Session) -> Search:
    """A broken search: another order each time."""
    turn = count()

    def search(request: SearchRequest) -> SearchResult:
        result = session.search(request)
        step = next(turn) % len(result.hits)
        return replace(result, hits=result.hits[step:] + result.hits[:step])

    return search


BROKEN: Final[dict[str, tuple[Callable[[Session], Search], str]]] = {
    "nothing found": (changed(lambda hits: hits[:0]), "a library without a hit"),
    "one library only": (
        changed(lambda hits: tuple(hit for hit in hits if hit.library_id == "garden")),
        "a library without a hit",
    ),
    "leaking": (leaking, "a restricted document"),
    "words in another hit": (
        changed(lambda hits: (replace(hits[0], title="the heptagon"), *hits[1:])),
        "words of a restricted document",
    ),
    "a label shown": (
        changed(lambda hits: (replace(hits[0], sensitivity=Sensitivity.RESTRICTED), *hits[1:])),
        "a restricted hit",
    ),
    "fabricated": (changed(lambda hits: (replace(hits[0], text=f"{hits[0].text}…"), *hits[1:])), "not a span"),
    "the section for the passage": (
        changed(lambda hits: tuple(replace(hit, text=hit.parent.text) if hit.parent else hit for hit in hits)),
        "not a span",
    ),
    "another library": (
        changed(lambda hits: tuple(replace(hit, chunk_id=f"other:{hit.chunk_id}") for hit in hits)),
        "another library's id",
    ),
    "restless": (restless, "another answer"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_mode_fails(session: Session, name: str) -> None:
    make, why = BROKEN[name]
    with pytest.raises(AssertionError, match=why):
        check_search(make(session), "economy")


REQUESTS: Final[list[dict[str, Any]]] = [
    {},
    {"prefix": True},
    {"route": "keyword", "fusion": "rrf"},
    {"conditions": (Condition("year", "gte", "2024"),)},
    {"libraries": ("garden",), "extract": "keyword"},
]


@pytest.mark.parametrize("extra", REQUESTS)
@pytest.mark.parametrize("spec", FALLS_BACK)
def test_hybrid_without_an_embedding_is_economy_to_the_byte_and_says_economy(
    session: Session, spec: str, extra: dict[str, Any]
) -> None:
    request = SearchRequest(QUERY, parent=True, explain=True, **extra)
    economy = session.search(replace(request, mode="economy"))
    hybrid = session.search(replace(request, mode=spec))
    assert economy.hits
    assert hybrid.mode == economy.mode == "economy"
    assert as_bytes(hybrid) == as_bytes(economy) == as_bytes(session.search(request))


def test_a_mode_that_is_configured_is_the_one_that_is_asked_for(home: Path) -> None:
    answers = []
    for spec in ("economy", "hybrid", "none"):
        with Session.open(ServiceConfig.load(home, environ={"RAGSPINE_RETRIEVAL_MODE": spec})) as session:
            answers.append(as_bytes(session.search(SearchRequest(QUERY))))
    assert len(set(answers)) == 1


def said(*arguments: str) -> tuple[int, str, str]:
    """A run of the command line: its exit code and both streams."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run(arguments)
    return code, out.getvalue(), err.getvalue()


@pytest.mark.parametrize("spec", NEEDS_EMBEDDING)
def test_a_mode_that_needs_an_embedding_is_refused_without_one_in_one_line(
    home: Path, monkeypatch: pytest.MonkeyPatch, spec: str
) -> None:
    with open_session(home) as session, pytest.raises(UsageError, match=r"needs an embedding.*use economy"):
        session.search(SearchRequest(QUERY, mode=spec))
    option = said("search", QUERY, "--mode", spec, "--home", str(home))
    monkeypatch.setenv("RAGSPINE_RETRIEVAL_MODE", spec)
    for code, out, err in (option, said("search", QUERY, "--json", "--home", str(home))):
        assert (code, out, err.count("\n")) == (ExitCode.USAGE, "", 1)
        assert "vector mode needs an embedding" in err


def test_the_modes_that_run_and_those_that_are_refused_are_known() -> None:
    assert {make_retrieval_mode(word).name for word in NEEDS_EMBEDDING} == {"vector"}
    assert {make_retrieval_mode(word).name for word in FALLS_BACK} == {"hybrid"}
    assert sorted(RUNS + NEEDS_EMBEDDING) == sorted(SPELLINGS)


EMBEDDINGS: Final = (
    *("torch", "tensorflow", "jax", "transformers", "sentence_transformers", "tokenizers", "tiktoken", "onnxruntime"),
    *("fastembed", "model2vec", "gensim", "sklearn", "spacy", "huggingface_hub", "openai", "llama_cpp", "gpt4all"),
    *("faiss", "hnswlib", "usearch", "annoy", "chromadb", "lancedb", "qdrant_client", "sqlite_vec", "sqlite_vss"),
)
VECTOR: Final = ("ragspine_tui.retrieval.vector", "ragspine_tui.retrieval.embedding", "storage.vectors")
GUARD: Final = f"""
import os, sys
class Exploding:
    # An embedding is installed and configured for all that this process can see; asking for it ends the process.
    def find_spec(self, name, path=None, target=None):
        if name in {VECTOR!r} or name.split(".")[0] in {EMBEDDINGS!r}:
            print("BUILT", name, flush=True)
            os._exit(9)
sys.meta_path.insert(0, Exploding())
"""
SEARCH: Final = """
from pathlib import Path
from ragspine_tui.config import ServiceConfig
from ragspine_tui.session import Session
from ragspine_tui.types import SearchRequest
config = ServiceConfig.load(Path(sys.argv[1]))
with Session.open(config) as session:
    session.add_samples()
    session.index()
    for extra in ({}, {"route": "keyword"}, {"extract": "keyword"}, {"fusion": "rrf"}):
        assert session.search(SearchRequest("toads 味噌 ink", parent=True, explain=True, **extra)).hits
"""
TERMINAL: Final = """
import asyncio
from ragspine_tui.tui.app import RagspineApp
async def main():
    app = RagspineApp(config)
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.press(*"toads")
        for _ in range(200):
            await pilot.pause()
            shown = "\\n".join(strip.text for strip in app.screen._compositor.render_strips(app.size))
            if "toad-lane" in shown:
                return
        raise AssertionError(shown)
asyncio.run(main())
"""
LOADED: Final = f"""
loaded = [name for name in sys.modules if name in {VECTOR!r} or name.split(".")[0] in {EMBEDDINGS!r}]
own = [name for name in sys.modules if name.startswith(("ragspine_tui", "storage"))]
loaded += [name for name in own if "vector" in name or "embed" in name]
print("LOADED", *loaded, "of", len(own))
"""


def fresh(script: str, home: Path, mode: str = "economy") -> subprocess.CompletedProcess[str]:
    """Run a script in an interpreter of its own."""
    environ = {**os.environ, "RAGSPINE_RETRIEVAL_MODE": mode, "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, "-c", script, str(home)], capture_output=True, encoding="utf-8", timeout=180, env=environ
    )


@pytest.mark.parametrize("mode", ["economy", "hybrid"])
def test_indexing_searching_and_the_interface_ask_for_no_embedding_and_no_vector_store(
    tmp_path: Path, mode: str
) -> None:
    done = fresh(GUARD + SEARCH + TERMINAL + LOADED, tmp_path, mode)
    assert done.returncode == 0, done.stdout + done.stderr
    names = done.stdout.split()
    assert names[:2] == ["LOADED", "of"], done.stdout
    assert int(names[2]) > 40


@pytest.mark.parametrize("name", ["ragspine_tui.retrieval.vector", "sentence_transformers.models"])
def test_an_assembly_that_asked_for_one_would_be_found_out(tmp_path: Path, name: str) -> None:
    asking = f"try:\n    import {name}\nexcept ImportError:\n    pass\n"
    done = fresh(GUARD + asking, tmp_path)
    assert (done.returncode, done.stdout.split()) == (9, ["BUILT", name.removesuffix(".models")])


class ExplodingEmbedding:
    """A configured embedding that must never be built."""

    def __init__(self) -> None:
        raise AssertionError("an embedding was built")


def assemble(mode: RetrievalMode) -> object | None:
    """What assembly does with a configured embedding: build it where the mode uses one."""
    return ExplodingEmbedding() if effective_mode(mode, embedding_configured=True).uses_embedding else None


def check_factory(factory: Factory) -> None:
    """Fails unless every spelling of economy builds no embedding and every spelling gives one mode, each time."""
    for spec in SPELLINGS:
        assert factory(spec) == factory(spec.upper()) == factory(f" {spec} "), spec
    for spec in ("economy", *SEAMS["mode"].names["economy"]):
        assert assemble(factory(spec)) is None


def test_the_mode_factory_keeps_the_invariants() -> None:
    check_factory(make_retrieval_mode)


@pytest.mark.parametrize("spec", [word for word in SPELLINGS if make_retrieval_mode(word).name != "economy"])
def test_a_mode_that_uses_an_embedding_builds_it_and_without_one_hybrid_does_not(spec: str) -> None:
    mode = make_retrieval_mode(spec)
    with pytest.raises(AssertionError, match="an embedding was built"):
        assemble(mode)
    assert effective_mode(mode, embedding_configured=False).uses_embedding is (mode.name == "vector")


def eager(spec: str) -> RetrievalMode:
    """A broken factory: economy in name, with an embedding."""
    return RetrievalMode(make_retrieval_mode(spec).name, uses_embedding=True)


def literal(spec: str) -> RetrievalMode:
    """A broken factory: it takes the spelling for the name."""
    return RetrievalMode(spec, uses_embedding=False)


@pytest.mark.parametrize("broken", [eager, literal])
def test_a_broken_factory_fails(broken: Factory) -> None:
    with pytest.raises(AssertionError):
        check_factory(broken)
