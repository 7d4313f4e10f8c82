"""Fields of many values are kept once more as sorted columns: these say what posting lists say, and go with them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ragspine_tui.errors import StorageError
from ragspine_tui.types import Condition, SearchRequest
from storage.columns import MANY_VALUES
from storage.encoding import decode
from storage.snapshot import Snapshot
from storage.store import Store
from storage.terms import value_term
from tests.conformance.test_restricted_noninterference import raw_bytes
from tests.homes import open_session, paths, write_files
from tests.unit.storage.test_store import LIBRARY, entry

COUNT = MANY_VALUES + 44


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "ragspine.db")
    opened.add_library(LIBRARY)
    yield opened
    opened.close()


def fill(store: Store, name: str, count: int = COUNT) -> None:
    """A segment of documents that have a value of their own, one they share with few, and one of two."""
    store.replace_documents(
        "lib",
        [
            entry(f"{name}{n}.md", {"own": (f"{name}{n}",), "some": (str(n // 4), str(n // 3)), "kind": (str(n % 2),)})
            for n in range(count)
        ],
    )


def written(store: Store) -> list[tuple[int, str]]:
    """(segment, field) of every column in the database."""
    return store._database.connection.execute("SELECT segment, field FROM columns ORDER BY 1, 2").fetchall()


def of_postings(snapshot: Snapshot, segment: int, name: str) -> list[tuple[str, list[int]]]:
    """A field's values with their documents, row by row."""
    prefix = value_term(name, "")
    rows = snapshot.connection.execute("SELECT term, value FROM postings WHERE segment = ?", (segment,)).fetchall()
    return sorted((term[len(prefix) :], decode(blob)[0].tolist()) for term, blob in rows if term.startswith(prefix))


def of_column(snapshot: Snapshot, segment: int, name: str) -> list[tuple[str, list[int]]]:
    column = snapshot.column(segment, name)
    return [
        (value.decode(), column.ordinals[column.starts[number] : column.starts[number + 1]].tolist())
        for number, value in enumerate(column.values())
    ]


def agree(store: Store) -> None:
    snapshot = store.snapshot("lib")
    for segment, _ in snapshot.segments():
        for name in ("own", "some", "kind", "nobody's"):
            assert of_column(snapshot, segment, name) == of_postings(snapshot, segment, name)


def test_only_fields_of_many_values_have_one_and_each_says_what_the_posting_lists_say(store: Store) -> None:
    fill(store, "a")
    assert [name for _, name in written(store)] == ["own"]
    agree(store)
    fill(store, "b", MANY_VALUES - 1)
    assert [name for _, name in written(store)] == ["own"]
    agree(store)


def test_a_merge_keeps_them_without_the_dead(store: Store) -> None:
    for name in "abcdefgh":
        fill(store, name)
    store.remove_documents("lib", [f"{name}{n}.md" for name in "abcdefgh" for n in range(40)])
    while store.merge_segments("lib"):
        pass
    ((segment, _),) = store.snapshot("lib").segments()
    assert written(store) == [(segment, "own")]
    assert len(store.snapshot("lib").column(segment, "own")) == 8 * (COUNT - 40)
    agree(store)


def test_they_go_with_their_segments(store: Store) -> None:
    fill(store, "a")
    store.clear_index("lib")
    assert written(store) == []
    fill(store, "b")
    store.remove_library("lib")
    assert written(store) == []


def test_a_segment_written_before_there_were_columns_is_narrowed_by_its_rows(store: Store) -> None:
    fill(store, "a")
    condition = Condition("own", "between", ("a1", "a2"))
    before = store.narrow("lib", [condition], "and")
    with store._database.write() as connection:
        assert connection.execute("DELETE FROM columns").rowcount == 1
    again = Store(store.path)
    after = again.narrow("lib", [condition], "and")
    again.close()
    assert before.steps[0][0] == len([n for n in range(COUNT) if "a1" <= f"a{n}" <= "a2"])
    assert (after.documents == before.documents).all()


DAMAGES = {
    "a column of nothing": "text = X'', begins = X'', starts = X'', ordinals = X''",
    "cut text": "text = substr(text, 2)",
    "text that is a number": "text = 7",
    "cut places": "begins = substr(begins, 2)",
    "fewer places": "starts = substr(starts, 5)",
    # What SQLite puts together of bytes is a text, unless it is told otherwise.
    "falling places": "starts = CAST(X'00000000ffffff00' || substr(starts, 9) AS BLOB)",
    "documents beyond the segment": "ordinals = CAST(X'ffffff00' || substr(ordinals, 5) AS BLOB)",
    "fewer documents": "ordinals = substr(ordinals, 5)",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_one_is_told_with_what_mends_it(store: Store, damage: str) -> None:
    fill(store, "a")
    with store._database.write() as connection:
        assert connection.execute(f"UPDATE columns SET {DAMAGES[damage]}").rowcount == 1
    again = Store(store.path)
    with pytest.raises(StorageError, match="its index is damaged: run `ragspine-tui index --rebuild`"):
        again.narrow("lib", [Condition("own", "gt", "a1")], "and")
    again.close()


def test_restricting_removes_every_byte_of_a_document_from_them(tmp_path: Path) -> None:
    texts = {f"{n:03}.md": f"---\nowner: person{n}\n---\nA heron." for n in range(COUNT)}
    texts["secret.md"] = "---\nowner: quarrelsome heptagon\n---\nA heron."
    with open_session(tmp_path / "home") as session:
        session.add(write_files(tmp_path / "lib", texts), library_id="lib")
        session.index()
        assert "owner" in [name for _, name in written(session._store)]
        before = session.search(SearchRequest("heron", conditions=(Condition("owner", "gte", "q"),)))
        assert paths(before) == ["secret.md"]
        assert b"heptagon" in raw_bytes(tmp_path / "home")
        session.restrict("lib", ["secret.md"])
        assert "owner" in [name for _, name in written(session._store)]
        assert session.search(SearchRequest("heron", conditions=(Condition("owner", "gte", "q"),))).hits == ()
        assert b"heptagon" not in raw_bytes(tmp_path / "home")
