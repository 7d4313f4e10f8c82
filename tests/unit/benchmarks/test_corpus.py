"""The benchmark's corpora: the same from the same seed, and of the shape that its tables say."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from benchmarks.engine.corpus import (
    LARGEST_DOCUMENT,
    LONGEST,
    SHORTEST,
    Corpus,
    blocks,
    document_sizes,
    folder_of,
    open_or_make,
    part_of,
    write,
)
from benchmarks.engine.queries import Query, draw
from benchmarks.engine.vocabulary import Vocabulary, word
from ragspine_tui.config import ServiceConfig
from ragspine_tui.session import Session

SEED = 7
CHUNKS = 600


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.make(SEED, 20_000)


@pytest.fixture(scope="module")
def corpus(vocabulary: Vocabulary, tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return write(tmp_path_factory.mktemp("corpus"), CHUNKS, vocabulary, SEED)


def digest(folder: Path) -> str:
    sums = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            sums.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return sums.hexdigest()


def test_the_same_seed_gives_the_same_bytes(corpus: Corpus, vocabulary: Vocabulary, tmp_path: Path) -> None:
    write(tmp_path / "again", CHUNKS, Vocabulary.make(SEED, 20_000), SEED)
    assert digest(tmp_path / "again") == digest(corpus.folder)


def test_another_seed_gives_another_corpus(corpus: Corpus, tmp_path: Path) -> None:
    other = write(tmp_path / "other", CHUNKS, Vocabulary.make(SEED + 1, 20_000), SEED + 1)
    assert next(other.lines()) != next(corpus.lines())


def test_a_larger_corpus_begins_with_the_smaller(vocabulary: Vocabulary) -> None:
    small, large = next(blocks(100, vocabulary, SEED)), next(blocks(300, vocabulary, SEED))
    assert np.array_equal(small.terms, large.terms[:100])
    assert np.array_equal(small.lengths, large.lengths[:100])


def test_chunks_have_thirty_to_eighty_terms(corpus: Corpus) -> None:
    lengths = [len(line.split()) for line in corpus.lines()]
    assert len(lengths) == CHUNKS
    assert SHORTEST <= min(lengths) < 35
    assert 70 < max(lengths) <= LONGEST


def test_documents_have_one_to_forty_chunks() -> None:
    sizes = document_sizes(20_000, SEED)
    assert sum(sizes) == 20_000
    assert {min(sizes), max(sizes)} <= set(range(1, LARGEST_DOCUMENT + 1))
    assert sizes.count(1) > sizes.count(10) > 0


def test_words_are_all_different() -> None:
    assert len({word(rank) for rank in range(30_000)}) == 30_000


def test_document_frequencies_are_those_of_the_text(corpus: Corpus, vocabulary: Vocabulary) -> None:
    counted = Counter(text for line in corpus.lines() for text in set(line.split()))
    freqs = corpus.doc_freqs()
    assert {vocabulary.words[rank]: int(freqs[rank]) for rank in freqs.nonzero()[0]} == counted


def test_words_come_in_bursts(corpus: Corpus) -> None:
    repeated = sum(len(line.split()) - len(set(line.split())) for line in corpus.lines())
    shuffled = " ".join(corpus.lines()).split()
    np.random.default_rng(0).shuffle(shuffled)
    rows = np.array_split(np.array(shuffled), CHUNKS)
    assert repeated > 1.3 * sum(len(row) - len(set(row.tolist())) for row in rows)


def test_the_app_cuts_the_corpus_into_the_very_same_chunks(corpus: Corpus, tmp_path: Path) -> None:
    with Session.open(ServiceConfig.load(home=tmp_path / "home", environ={})) as session:
        session.add(corpus.markdown, library_id="whole")
        assert session.index()[0].chunks == CHUNKS
        bounds = corpus.bounds().tolist()
        lines = list(corpus.lines())
        for document in range(0, corpus.documents, 7):
            for number, line in enumerate(lines[bounds[document] : bounds[document + 1]], start=1):
                hit = session.show(f"whole:{folder_of(document)}/d{document:06}.md#c{number}")
                assert hit.text.replace("#", " ").replace(".", " ").split() == line.split()


def test_a_folder_holds_a_hundredth_and_a_part_a_fifth_of_the_documents() -> None:
    assert Counter(Counter(map(folder_of, range(1_000))).values()) == {10: 100}
    assert Counter(Counter(map(part_of, range(1_000))).values()) == {200: 5}


def test_what_is_kept_is_not_made_again(tmp_path: Path) -> None:
    first = open_or_make(tmp_path / "kept", 50, SEED, 5_000)
    marked = first.markdown / "kept.txt"
    marked.write_text("still here", encoding="utf-8")
    assert open_or_make(tmp_path / "kept", 50, SEED, 5_000) == first
    assert marked.exists()
    open_or_make(tmp_path / "kept", 60, SEED, 5_000)
    assert not marked.exists()


@pytest.fixture(scope="module")
def larger(vocabulary: Vocabulary, tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return write(tmp_path_factory.mktemp("larger"), 3_000, vocabulary, SEED)


def test_queries_are_the_same_each_time_and_of_their_frequency(larger: Corpus, vocabulary: Vocabulary) -> None:
    freqs = dict(zip(vocabulary.words, larger.doc_freqs().tolist(), strict=True))
    for kind in ("rare", "middling", "common", "mixed", "phrase", "prefix", "filtered", "fused"):
        queries = draw(larger, kind, vocabulary)
        assert queries == draw(larger, kind, vocabulary)
        assert len(queries) == 50
    for query in draw(larger, "common", vocabulary):
        assert len(query.words) == 3
        assert all(freqs[text] > 0.2 * larger.chunks for text in query.words)
        assert query.postings == sum(freqs[text] for text in query.words)
    for query in draw(larger, "rare", vocabulary):
        assert 2 <= freqs[query.words[0]] <= 20


def test_prefixed_and_filtered_queries_are_those_of_their_plain_class(larger: Corpus, vocabulary: Vocabulary) -> None:
    pairs = zip(draw(larger, "prefix", vocabulary), draw(larger, "middling", vocabulary), strict=True)
    assert all(typed.words == (*full.words[:-1], full.words[-1][:3]) for typed, full in pairs)
    pairs = zip(draw(larger, "filtered", vocabulary), draw(larger, "mixed", vocabulary), strict=True)
    assert all(narrowed.words == full.words and narrowed.folder for narrowed, full in pairs)


def test_phrases_stand_in_the_corpus(larger: Corpus, vocabulary: Vocabulary) -> None:
    text = "\n".join(larger.lines())
    found = [f" {' '.join(query.words)} " in text for query in draw(larger, "phrase", vocabulary)]
    assert sum(found) > 40


def test_a_phrase_is_asked_for_in_quotes() -> None:
    assert Query("phrase", ("one", "two"), 0).text == '"one two"'
    assert Query("middling", ("one", "two"), 0).text == "one two"
