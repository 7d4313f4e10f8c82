"""Restricted text leaves every file of the home, whoever reads it meanwhile and whenever the program is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ragspine_tui.cli.app import run
from ragspine_tui.errors import UnfinishedError
from ragspine_tui.session import Session
from ragspine_tui.types import DocumentStatus
from tests.conformance.test_restricted_noninterference import raw_bytes
from tests.homes import find, indexed, open_session, write_files

Say = Callable[..., tuple[int, str, str]]

SECRET = "The quarrelsome heptagon opens the vault."
FILES = {"a.md": f"# Heptagon\n\n{SECRET}", "b.md": "# Heron\n\nThe heron waits.", "c.md": "An eel passes."}
REMARK = "restricted or removed text stays in its files: end it, then run `ragspine-tui index`"

READER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN")
connection.execute("SELECT count(*) FROM documents").fetchone()
print("reading", flush=True)
sys.stdin.read()
"""

RESTRICTING = """
import sys
from pathlib import Path
from ragspine_tui.config import ServiceConfig
from ragspine_tui.session import Session
home, at = Path(sys.argv[1]), int(sys.argv[2])
seen = 0
def traced(statement):
    global seen
    if statement.startswith(("COMMIT", "PRAGMA wal_checkpoint", "DELETE FROM purges")):
        seen += 1
        if seen == at:
            print("there", flush=True)
            sys.stdin.read()
with Session.open(ServiceConfig.load(home=home, environ={})) as session:
    session._store._database.connection.set_trace_callback(traced)
    session.restrict("lib", ["a.md"])
"""


@contextmanager
def a_reader(home: Path) -> Iterator[None]:
    """Another process in the middle of reading the database."""
    with started(READER, home / "ragspine.db") as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"reading\n"
        yield


@contextmanager
def started(script: str, *arguments: object) -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        yield child
    finally:
        child.communicate()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("storage.database.BUSY_TIMEOUT_MS", 50)
    indexed(tmp_path, FILES).close()
    return tmp_path / "home"


@pytest.fixture
def say(home: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    """One command line in that home: its exit code and both streams."""

    def said(*arguments: str | Path) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run([*map(str, arguments), "--home", str(home)])
        return (code, *capsys.readouterr())

    return said


def holds_the_secret(home: Path) -> bool:
    raw = raw_bytes(home).lower()
    return any(word in raw for word in (b"heptagon", b"quarrelsome"))


def test_text_that_a_reader_keeps_is_told_by_every_run_until_it_is_gone(home: Path, say: Say) -> None:
    with a_reader(home):
        code, out, err = say("restrict", "lib", "a.md")
        assert (code, out) == (3, "")
        assert err.startswith("ragspine-tui: done, but another program is reading ")
        assert err.endswith(f"{REMARK}\n")
        assert say("search", "heptagon")[0] == 1
        for command in (("index",), ("index",), ("problems",), ("problems", "lib"), ("restrict", "lib", "a.md")):
            code, out, err = say(*command)
            assert (code, (out + err).count(REMARK)) == (3, 1), command
        found = json.loads(say("problems", "--json")[1])
        assert [(one["library_id"], one["document"], one["status"]) for one in found] == [("lib", "", "restricted")]
        assert holds_the_secret(home)
    assert say("index")[::2] == (0, "")
    assert say("problems") == (0, "", "no problems\n")
    assert not holds_the_secret(home)


@pytest.mark.parametrize(
    "later", [("index",), ("problems",), ("describe", "lib", "--title", "Notes"), ("restrict", "lib", "c.md")]
)
def test_whatever_is_done_next_erases_what_a_reader_kept(home: Path, say: Say, later: tuple[str, ...]) -> None:
    with open_session(home):
        # It keeps the log from being emptied by whoever closes the database last.
        with a_reader(home):
            assert say("restrict", "lib", "a.md")[0] == 3
        assert holds_the_secret(home)
        assert say(*later)[0] == 0
        assert not holds_the_secret(home)


def test_a_label_found_while_indexing_is_purged_later_too(home: Path, say: Say) -> None:
    write_files(home.parent / "lib", {"a.md": f"---\nsensitivity: restricted\n---\n{SECRET}", "d.md": "A weir."})
    with a_reader(home):
        code, out, _ = say("index")
        assert (code, out.count(REMARK)) == (3, 1)
        assert "1 new, 1 changed" in out
    assert say("index")[0] == 0
    assert not holds_the_secret(home)


def test_a_removed_library_is_purged_later_too(home: Path, say: Say) -> None:
    with a_reader(home):
        assert say("remove", "lib")[0] == 3
        assert say("libraries")[1] == ""
        code, out, err = say("index")
        assert (code, out) == (3, "")
        assert REMARK in err
        assert say("problems")[0] == 3
    assert say("index")[0] == 0
    assert not holds_the_secret(home)


def test_an_index_without_readers_owes_nothing(home: Path) -> None:
    with open_session(home) as session:
        session.restrict("lib", ["a.md"])
        session.remove("lib")
        assert session._store._database.connection.execute("SELECT count(*) FROM purges").fetchone() == (0,)


def test_a_purge_settles_nothing_that_was_noted_after_it_began(home: Path) -> None:
    with open_session(home) as one, open_session(home) as other:
        with a_reader(home), pytest.raises(UnfinishedError):
            one.restrict("lib", ["a.md"])
        database = other._store._database

        def note(statement: str) -> None:
            if statement.startswith("DELETE FROM purges"):
                one._store._database.connection.execute("INSERT INTO purges (library) VALUES (1)")

        database.connection.set_trace_callback(note)
        assert database.purge()
        database.connection.set_trace_callback(None)
        assert database.connection.execute("SELECT count(*) FROM purges").fetchone() == (1,)


def state(session: Session) -> tuple[bool, bool, bool]:
    """Whether the document is marked, whether it is restricted, and whether a search finds it."""
    marked = session.marks("lib") == ("=a.md",)
    known = session._store.known_documents("lib")["a.md"]
    return marked, known.status == DocumentStatus.RESTRICTED, bool(find(session, "heptagon").total)


def test_restricting_is_all_or_nothing_wherever_it_is_killed(home: Path, tmp_path: Path) -> None:
    untouched = raw_bytes(home)
    original = (home / "ragspine.db").read_bytes()
    seen = set()
    for at in range(1, 30):
        for file in home.glob("ragspine.db*"):
            file.unlink()
        (home / "ragspine.db").write_bytes(original)
        with started(RESTRICTING, home, at) as child:
            assert child.stdout is not None
            stopped = child.stdout.readline() == b"there\n"
            if stopped:
                os.kill(child.pid, signal.SIGKILL)
        with open_session(home) as session:
            seen.add(state(session))
            marked = session.marks("lib") != ()
            session.set_setting("any", "change")
            assert holds_the_secret(home) != marked
        if not stopped:
            break
    else:
        pytest.fail("the program never came to its end")
    assert at > 3
    assert seen == {(False, False, True), (True, True, False)}
    assert b"heptagon" in untouched
