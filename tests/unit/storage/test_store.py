import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.errors import LibraryError, StorageError
from ragspine_tui.retrieval.filtering.metadata_filter import MetadataFilter, step_reports
from ragspine_tui.types import OPERATORS, Chunk, Condition, DocumentStatus, Library, Locator, Section, Span
from storage.building import IndexedDocument, IndexedSection
from storage.documents import DocumentEntry, SourceRow
from storage.store import Store
from tests.accounts import as_somebody_else
from tests.homes import find, indexed, open_session, paths, write_files

LIBRARY = Library("lib", "/somewhere")


def entry(path: str, fields: dict[str, tuple[str, ...]]) -> DocumentEntry:
    """A document of one chunk, without a file behind it."""
    text = "words"
    section = Section(0, Span(0, 5), (), Locator(path, 1, 1))
    chunk = Chunk(path, 1, 0, Span(0, 5), Locator(path, 1, 1), f"{path}#s0", source=text)
    terms = IndexedDocument(1, {}, {}, {}, [IndexedSection({}, [([(("words",), (), (0,), 1)], "", 1)])])
    return DocumentEntry(
        SourceRow(path, 5, 0),
        DocumentStatus.INDEXED,
        text=text,
        fields=fields,
        sections=[section],
        chunks=[chunk],
        terms=terms,
    )


def test_the_home_and_the_database_are_its_owners_alone(tmp_path: Path) -> None:
    home = tmp_path / "new home"
    open_session(home).close()
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert stat.S_IMODE((home / "ragspine.db").stat().st_mode) == 0o600


def test_the_database_uses_a_write_ahead_log_and_overwrites_what_it_deletes(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    connection = session._store._database.connection
    pragmas = {name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "secure_delete")}
    assert pragmas == {"journal_mode": "wal", "secure_delete": 1}
    assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_a_database_of_a_newer_program_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    open_session(tmp_path).close()
    path = tmp_path / "ragspine.db"
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StorageError, match=r"newer ragspine-tui \(schema 99.*update the program"):
        Store(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"not a database at all, but text " * 40, b"SQLite format 3\0" + b"\xff" * 4_000])
def test_a_damaged_database_is_one_line_with_the_next_step(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "ragspine.db"
    path.write_bytes(content)
    with pytest.raises(StorageError, match=r"damaged or not a database.*index again"):
        Store(path)


def test_a_locked_database_is_told_and_nothing_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("storage.database.BUSY_TIMEOUT_MS", 50)
    with open_session(tmp_path) as session:
        other = sqlite3.connect(tmp_path / "ragspine.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError, match="in use by another process: wait"):
            session.set_setting("theme", "dark")
        other.execute("ROLLBACK")
        other.close()
        session.set_setting("theme", "dark")
        assert session.setting("theme") == "dark"


def look_at_a_read_only_home(place: Path) -> list[str]:
    """What a search, the session's notes and a change say of a home that may not be written to."""
    indexed(place, {"a.md": "alpha beta"}).close()
    home = place / "home"
    (home / "ragspine.db").chmod(0o444)
    home.chmod(0o555)
    with open_session(home) as session:
        said = [repr(paths(find(session, "alpha"))), *session.notes]
        try:
            session.set_setting("theme", "dark")
        except StorageError as error:
            said.append(str(error))
    home.chmod(0o755)
    return said


def test_a_read_only_home_can_be_searched_and_says_so() -> None:
    said = as_somebody_else(look_at_a_read_only_home)
    assert said[0] == "['a.md']"
    assert "cannot be written to: searching works" in said[1]
    assert "is read-only: nothing can be changed here" in said[2]


def test_an_unknown_library_is_named_with_the_command_that_lists_them(tmp_path: Path) -> None:
    with open_session(tmp_path) as session, pytest.raises(LibraryError, match=r"no library 'nope'.*lists them"):
        session.remove("nope")


def test_a_removed_library_leaves_no_word_of_its_text_behind(tmp_path: Path) -> None:
    with indexed(tmp_path, {"a.md": "# Quetzalcoatlus\n\nxylographer wrote it"}) as session:
        session.remove("lib")
        raw = b"".join(path.read_bytes() for path in (tmp_path / "home").iterdir())
    assert b"quetzalcoatlus" not in raw.lower()
    assert b"xylograph" not in raw.lower()


def test_a_reused_library_id_never_shows_the_old_librarys_hits(tmp_path: Path) -> None:
    with indexed(tmp_path, {"a.md": "alpha"}) as reader, open_session(tmp_path / "home") as writer:
        assert paths(find(reader, "alpha")) == ["a.md"]
        writer.remove("lib")
        writer.add(write_files(tmp_path / "other", {"b.md": "alpha"}), library_id="lib")
        writer.index()
        assert paths(find(reader, "alpha")) == ["b.md"]


names = st.sampled_from(["kind", "tags", "year", "ye\0ar"])
values = st.sampled_from(
    ["", "a", "b", "10", "9", "2024", "é", "\U0001f389", "\uffff", "a\0", "a\0b", "a\0c", "\0", "a\x1fb", "a\x1f"]
)
asked_values = values | st.sampled_from(["\ud800", "a\udfff"])
all_fields = st.dictionaries(names, st.lists(values, min_size=1, max_size=3).map(tuple), max_size=3)


@st.composite
def conditions(draw: st.DrawFn) -> Condition:
    op = draw(st.sampled_from(OPERATORS))
    if op == "between":
        return Condition(draw(names), op, (draw(asked_values), draw(asked_values)))
    if op in ("in", "nin"):
        return Condition(draw(names), op, draw(st.lists(asked_values, max_size=3)))
    return Condition(draw(names), op, draw(asked_values))


@given(
    st.lists(all_fields, min_size=1, max_size=8),
    st.lists(conditions(), max_size=3),
    st.sampled_from(["and", "or"]),
)
def test_a_filter_in_sql_agrees_with_the_same_filter_in_python(
    documents: list[dict[str, tuple[str, ...]]], wanted: list[Condition], combine: str
) -> None:
    with TemporaryDirectory() as folder, closing(Store(Path(folder) / "ragspine.db")) as store:
        store.add_library(LIBRARY)
        entries = [entry(f"{number}.md", fields) for number, fields in enumerate(documents)]
        store.replace_documents("lib", entries)
        ids = {path: one.document_id for path, one in store.known_documents("lib").items()}
        metadata_filter = MetadataFilter(tuple(wanted), combine)
        narrowed = store.narrow("lib", wanted, combine)
        assert sorted(store.snapshot("lib").documents[narrowed.documents].tolist()) == sorted(
            ids[one.source.path] for one in metadata_filter.apply(entries)
        )
        expected = step_reports(metadata_filter, entries)
        assert narrowed.total == expected[0].documents
        assert list(narrowed.steps) == [(step.documents, step.missing_field) for step in expected[1:]]


def test_another_writer_is_waited_for(tmp_path: Path) -> None:
    with open_session(tmp_path) as session:
        assert session._store._database.connection.execute("PRAGMA busy_timeout").fetchone()[0] >= 5_000


def test_a_run_over_many_small_files_is_few_transactions(tmp_path: Path) -> None:
    files = {f"n{number}.md": f"heron number {number}" for number in range(120)}
    with indexed(tmp_path, files) as session:
        connection = session._store._database.connection
        generation = connection.execute("SELECT generation FROM index_states").fetchone()[0]
        segments = connection.execute("SELECT count(*) FROM segments").fetchone()[0]
    assert (segments, generation <= 6) == (1, True)
