"""The whole way, files to scores, against rank_bm25 over the same chunks: after updates, deletions and merges too."""

from pathlib import Path

import pytest
from rank_bm25 import BM25Plus

from ragspine_tui.retrieval.lexical.analyzer import Analyzer
from ragspine_tui.retrieval.lexical.gains import WEIGHTS
from ragspine_tui.types import SearchRequest
from tests.homes import indexed, open_session, write_files

NOTES = {
    "one.md": "# Herons\n\nThe heron waits at the weir.\n\n## Nests\n\nNine nests in the heronry; nine, not ten.",
    "two.md": "# Weirs\n\nA weir holds back the mill pond. Eels pass the weir at night.",
    "three.txt": "eel trap at the weir\n\nheron heron heron",
    "four.txt": "nothing of the kind",
}


def body_scores(tmp_path: Path, query: str) -> dict[str, float]:
    """What the passages' own words gave each hit, by chunk id."""
    with open_session(tmp_path / "home") as session:
        result = session.search(SearchRequest(query, explain=True, limit=1_000, copies=True))
    return {
        hit.chunk_id: sum(term.score for term in hit.explain.terms if term.field == "body")
        for hit in result.hits
        if hit.explain is not None
    }


def expected(tmp_path: Path, query: str) -> dict[str, float]:
    """rank_bm25's scores of every chunk in the home that shares a term with the query, without the constant."""
    with open_session(tmp_path / "home") as session:
        language = session.libraries()[0].indexed_language
        chunks = all_chunks(tmp_path)
    analyzer = Analyzer(language)
    corpus = {name: [token.term for token in analyzer.tokens(text)] for name, text in chunks.items()}
    terms = [term.term for term in analyzer.query(query)]
    model = BM25Plus(list(corpus.values()), k1=WEIGHTS.k1, b=WEIGHTS.b)
    constant = sum(model.idf.get(term, 0.0) * model.delta for term in terms)
    scores = zip(corpus, model.get_scores(terms), strict=True)
    return {name: score - constant for name, score in scores if set(corpus[name]) & set(terms)}


def all_chunks(tmp_path: Path) -> dict[str, str]:
    """Every stored chunk's text by its id."""
    found = {}
    with open_session(tmp_path / "home") as session:
        for document in session._store.known_documents("lib").values():
            for index in range(1, document.chunks + 1):
                chunk_id = f"lib:{document.source.path}#c{index}"
                found[chunk_id] = session.show(chunk_id).text
    return found


@pytest.mark.parametrize("query", ["heron weir", "nests nine", "weir weir eels"])
def test_a_fresh_index_scores_like_rank_bm25(tmp_path: Path, query: str) -> None:
    indexed(tmp_path, NOTES).close()
    found = body_scores(tmp_path, query)
    assert found
    assert found == pytest.approx(expected(tmp_path, query), abs=1e-9)


def test_an_index_that_was_updated_scores_like_rank_bm25_too(tmp_path: Path) -> None:
    indexed(tmp_path, NOTES).close()
    folder = tmp_path / "lib"
    for number in range(20):
        write_files(folder, {"two.md": f"# Weirs\n\nWeir number {number}, heron number {number}."})
        (folder / "four.txt").unlink(missing_ok=True)
        write_files(folder, {f"extra{number}.txt": "a heron at a weir"})
        with open_session(tmp_path / "home") as session:
            session.index()
    found = body_scores(tmp_path, "heron weir")
    assert len(found) > 15
    assert found == pytest.approx(expected(tmp_path, "heron weir"), abs=1e-9)
