"""The sample libraries, indexed and searched the way a person's own folders are."""

import csv
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from ragspine_tui.config import ServiceConfig
from ragspine_tui.session import Session
from ragspine_tui.types import SearchRequest

SAMPLES: Final = Path(__file__).parents[2] / "sample_libraries"
RESTRICTED: Final = "eyrie.md"
RESTRICTED_PHRASE: Final = "thistledown quarrel ninepence"
HANDBOOK_NOISE: Final = ("signposting", "ribbonfold", "zigzagpennant", "addEventListener", "classList")
SUBJECTS_OF_FACTS: Final = (
    ("two hands higher than last year", "crest"),
    ("poured a bootful over him", "lumpsucker"),
    ("bit off every new shoot", "primroses"),
    ("平成八年に漆で繕ったひび", "甕"),
)


class Question(NamedTuple):
    """One line of questions.tsv."""

    text: str
    library: str
    document: str


def read_questions() -> list[Question]:
    with (SAMPLES / "questions.tsv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert rows[0] == ["question", "library", "document"]
    return [Question(*row) for row in rows[1:]]


def read_folders() -> dict[str, Path]:
    tables = tomllib.loads((SAMPLES / "libraries.toml").read_text(encoding="utf-8"))["library"]
    return {table["id"]: SAMPLES / table["folder"] for table in tables}


def files_of(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    home = tmp_path_factory.mktemp("home")
    with Session.open(ServiceConfig.load(home=home, environ={})) as opened:
        opened.add_samples()
        opened.index()
        yield opened


def documents_found(session: Session, query: str) -> list[tuple[str, str]]:
    """The documents of the hits, each once, best first."""
    hits = session.search(SearchRequest(query=query, limit=50)).hits
    return list(dict.fromkeys((hit.library_id, hit.document) for hit in hits))


def test_there_are_forty_different_questions_and_each_names_an_existing_document() -> None:
    questions = read_questions()
    folders = read_folders()
    assert len(questions) == 40
    assert len({question.text for question in questions}) == 40
    assert {question.library for question in questions} == set(folders)
    missing = [q for q in questions if not (folders[q.library] / q.document).is_file()]
    assert not missing


def test_every_wikilink_of_the_notes_leads_to_a_note_of_the_same_library() -> None:
    links = 0
    for folder in read_folders().values():
        names = {path.stem for path in files_of(folder)}
        for note in folder.rglob("*.md"):
            targets = re.findall(r"\[\[([^\]]*)\]\]", note.read_text(encoding="utf-8"))
            assert set(targets) <= names, note
            links += len(targets)
    assert links >= 40


def test_every_library_is_read_whole_and_without_a_problem(session: Session) -> None:
    summaries = {summary.library.library_id: summary for summary in session.libraries()}
    assert set(summaries) == set(read_folders())
    for library_id, folder in read_folders().items():
        summary = summaries[library_id]
        assert summary.documents >= 12
        assert summary.documents + summary.restricted == len(files_of(folder))
        assert summary.library.title
        assert summary.library.description
    assert [problem for problem in session.problems() if problem.document != RESTRICTED] == []


def test_at_least_95_of_100_questions_find_their_document_among_the_first_three(session: Session) -> None:
    questions = read_questions()
    misses = []
    for question in questions:
        found = documents_found(session, question.text)[:3]
        if (question.library, question.document) not in found:
            misses.append(f"{question.text!r} wants {question.document}, found {found}")
    success = 1 - len(misses) / len(questions)
    assert success >= 0.95, f"success@3 {success:.3f}\n" + "\n".join(misses)


def test_keyword_routing_by_the_descriptions_never_sends_a_question_past_its_library(session: Session) -> None:
    chosen = 0
    for question in read_questions():
        route = session.search(SearchRequest(query=question.text, route="keyword")).route
        assert question.library in {library.library_id for library in route.libraries}, question.text
        chosen += not route.fallback
    assert chosen >= 30


@pytest.mark.parametrize(("query", "subject"), SUBJECTS_OF_FACTS)
def test_a_fact_whose_subject_stands_earlier_in_its_section_is_made_clear_by_the_parent(
    session: Session, query: str, subject: str
) -> None:
    first = session.search(SearchRequest(query=query, limit=1)).hits[0]
    parent = session.parent(first)
    assert subject not in first.text
    assert subject in parent.text
    assert parent.child.of(parent.text) == first.text


@pytest.mark.parametrize("query", [RESTRICTED_PHRASE, f'"{RESTRICTED_PHRASE}"', *RESTRICTED_PHRASE.split(), "eyrie"])
def test_no_search_gives_a_passage_of_the_restricted_note(session: Session, query: str) -> None:
    result = session.search(SearchRequest(query=query, limit=200))
    assert all(hit.document != RESTRICTED for hit in result.hits)
    assert not any("thistledown" in hit.text or "ninepence" in hit.text for hit in result.hits)


def test_the_restricted_phrase_stands_in_the_note_and_in_no_byte_of_the_home(session: Session) -> None:
    note = read_folders()["field-notes"] / RESTRICTED
    assert RESTRICTED_PHRASE in note.read_text(encoding="utf-8")
    stored = b"".join(path.read_bytes() for path in files_of(session.config.home))
    assert b"rookery" in stored
    for word in ("thistledown", "ninepence"):
        assert word.encode() not in stored.lower()


@pytest.mark.parametrize("word", HANDBOOK_NOISE)
def test_navigation_scripts_and_styles_of_the_handbook_are_not_found(session: Session, word: str) -> None:
    pages = list(read_folders()["handbook"].rglob("*.html"))
    assert all(word.lower() in page.read_bytes().decode("latin-1").lower() for page in pages)
    hits = session.search(SearchRequest(query=word, libraries=("handbook",), limit=200)).hits
    assert not any(word.lower() in hit.text.lower() for hit in hits)


def test_the_words_of_a_page_in_an_older_encoding_are_found_as_written(session: Session) -> None:
    page = read_folders()["handbook"] / "guest-printers.html"
    with pytest.raises(UnicodeDecodeError):
        page.read_text(encoding="utf-8")
    assert documents_found(session, "Maître Théophile Garance")[0] == ("handbook", "guest-printers.html")
