"""A row that cannot be read is one library's failure: named, told beside what was done to the others, never a fault."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from ragspine_tui.cli.app import run
from ragspine_tui.errors import DamageError
from ragspine_tui.types import Condition, SearchRequest
from storage.libraries import library_of, row_of
from tests.homes import find, open_session, write_files

Say = Callable[..., tuple[int, str, str]]

NO_TEXT = "CAST(X'ff' AS TEXT)"
LIBRARIES = {
    "no label of sensitivity": "sensitivity = 'zz'",
    "globs that are no JSON": "include = 'zz'",
    "globs that are no list": "exclude = '5'",
    "globs that are no texts": "restrict_globs = '[1]'",
    "a title of bytes": "title = X'ff'",
    "a description that is not UTF-8": f"description = {NO_TEXT}",
    "a root that is a number": "root = 5",
}
DOCUMENTS = {
    "no status": "status = 'zz'",
    "a status that is not UTF-8": f"status = {NO_TEXT}",
    "a path that is a number": "path = 5",
    "a count that is a text": "chunks = 'zz'",
}
MENDING_THEMSELVES = {
    "a language of a newer program": "language = 'tlh'",
    "a language that is not UTF-8": f"language = {NO_TEXT}",
    "a recipe of bytes": "recipe = X'00'",
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with open_session(tmp_path / "home") as session:
        for name in "abc":
            text = f"---\ntags: [water]\n---\n# Heron\n\nA heron at the weir of {name}."
            session.add(write_files(tmp_path / name, {"x.md": text}), library_id=name)
        session.index()
    return tmp_path / "home"


@pytest.fixture
def say(home: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    """One command line in that home: its exit code and both streams."""

    def said(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run([*arguments, "--home", str(home)])
        return (code, *capsys.readouterr())

    return said


def damage(home: Path, table: str, what: str) -> None:
    """Change what is kept of the library b."""
    column = "id" if table == "libraries" else "library"
    with closing(sqlite3.connect(home / "ragspine.db")) as connection, connection:
        done = connection.execute(
            f"UPDATE {table} SET {what} WHERE {column} = (SELECT id FROM libraries WHERE slug = 'b')"
        )
        assert done.rowcount == 1


@pytest.mark.parametrize("what", LIBRARIES)
def test_a_damaged_library_stops_no_other(home: Path, say: Say, what: str) -> None:
    damage(home, "libraries", LIBRARIES[what])
    told = "what is kept of the library 'b' is damaged: run `ragspine-tui remove b`, then add its folder anew"
    searches = (("search", "heron"), ("fields", "-q", "heron"), ("fields", "-q", "toad"))
    for command in (("libraries",), ("index",), ("fields",), *searches, ("problems",)):
        code, out, err = say(*command)
        assert (code, (out + err).count(told)) == (3, 1), command
    write_files(home.parent / "c", {"y.md": "A second heron."})
    assert "c: 2 documents" in say("index")[1]
    with open_session(home) as session:
        assert {hit.library_id for hit in find(session, "heron").hits} == {"a", "c"}
        assert [one.library.library_id for one in session.libraries()] == ["a", "c"]


@pytest.mark.parametrize("what", LIBRARIES)
def test_a_damaged_library_is_the_error_of_what_is_done_to_it_alone(home: Path, say: Say, what: str) -> None:
    damage(home, "libraries", LIBRARIES[what])
    alone = [("index", "b"), ("fields", "-l", "b"), ("search", "heron", "-l", "b"), ("problems", "b")]
    alone += [("describe", "b"), ("restrict", "b", "x.md"), ("unrestrict", "b", "x.md"), ("index", "--rebuild", "b")]
    for command in alone:
        code, out, err = say(*command)
        assert (code, out, err.count("\n")) == (4, "", 1), command
        assert "what is kept of the library 'b' is damaged" in err
    assert say("add", str(home.parent / "a" / "x.md"), "--id", "b")[0] == 2
    assert say("remove", "b")[0] == 0
    assert say("add", str(home.parent / "b"))[0] == 0
    assert say("search", "heron", "-l", "b")[0] == 0


@pytest.mark.parametrize("what", DOCUMENTS)
def test_a_damaged_document_is_mended_by_making_its_index_anew(home: Path, say: Say, what: str) -> None:
    damage(home, "documents", DOCUMENTS[what])
    code, out, err = say("index")
    assert code == 3
    assert "the index of 'b'" in out + err
    assert "`ragspine-tui index --rebuild b`" in out + err
    assert "c: 1 document" in out
    code, _, err = say("index", "b")
    assert (code, err.count("\n")) == (4, 1)
    assert "the index of 'b'" in err
    assert say("fields")[0] in (0, 3)
    assert say("problems")[0] in (0, 3)
    assert say("libraries")[0] == 0
    assert say("index", "--rebuild", "b")[0] == 0
    assert say("index")[::2] == (0, "")
    assert say("search", "heron", "-l", "b")[0] == 0


def test_fields_are_those_of_the_libraries_that_can_be_read(home: Path, say: Say) -> None:
    with closing(sqlite3.connect(home / "ragspine.db")) as connection, connection:
        connection.execute("UPDATE segments SET documents = X'01' WHERE library = 2")
    code, out, err = say("fields")
    assert (code, "water 2" in out) == (3, True)
    assert err == "b: its index is damaged: run `ragspine-tui index --rebuild` on that library\n"
    code, out, err = say("fields", "-l", "b")
    assert (code, out) == (4, "")
    assert err.startswith("ragspine-tui: b: its index is damaged: run")


@pytest.mark.parametrize("what", MENDING_THEMSELVES)
def test_an_index_that_is_made_with_what_nobody_knows_is_made_anew(home: Path, say: Say, what: str) -> None:
    damage(home, "index_states", MENDING_THEMSELVES[what])
    assert say("index")[::2] == (0, "")
    code, _, err = say("search", "heron", "-l", "b")
    assert (code, "tlh" in err) == (0, False)


def test_a_library_in_a_language_that_is_not_known_is_told_and_keeps_its_index(home: Path, say: Say) -> None:
    damage(home, "libraries", "language = 'tlh'")
    for command in (("index",), ("index", "--rebuild")):
        code, out, _ = say(*command)
        assert code == 3
        assert "its language 'tlh' is not known here: remove it and add its folder anew with another" in out
        assert "c: 1 document" in out
    assert say("search", "heron", "-l", "b")[0] == 0


def test_a_mark_that_cannot_be_read_opens_nothing(home: Path, say: Say) -> None:
    assert say("restrict", "b", "x.md")[0] == 0
    with closing(sqlite3.connect(home / "ragspine.db")) as connection, connection:
        connection.execute("UPDATE marks SET pattern = 5")
    assert say("index")[0] == 3
    assert say("index", "--rebuild", "b")[0] == 4
    assert say("search", "weir", "-l", "b")[0] in (1, 4)


def test_what_can_not_be_restricted_for_damage_is_shown_by_no_search(home: Path) -> None:
    with closing(sqlite3.connect(home / "ragspine.db")) as connection, connection:
        connection.execute("UPDATE segments SET dead = X'' WHERE library = 2")
    with open_session(home) as session:
        with pytest.raises(DamageError, match="the index of 'b' is damaged: run `ragspine-tui index --rebuild b`"):
            session.restrict("b", ["x.md"])
        assert session.marks("b") == ("=x.md",)
        request = SearchRequest("heron", conditions=(Condition("tags", "eq", "water"),))
        assert {hit.library_id for hit in session.search(request).hits} == {"a", "c"}


def test_a_library_comes_back_from_its_row_as_it_was(home: Path) -> None:
    with open_session(home) as session:
        for library in (one.library for one in session.libraries()):
            assert library_of(row_of(library)) == library
