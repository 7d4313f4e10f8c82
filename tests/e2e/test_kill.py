"""Killed at any moment, an index is consistent, and the next run goes on."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.homes import find, open_session, paths, write_files

COUNT = 300

INDEXING = """
import os, sys
from pathlib import Path
from ragspine_tui import ingest
from ragspine_tui.config import ServiceConfig
from ragspine_tui.session import Session
ingest.FIRST_BATCH_CHARACTERS = ingest.BATCH_CHARACTERS = 2_000
home, folder, at = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
def progress(one):
    if one.total and one.done == at:
        print(one.done, flush=True)
        sys.stdin.read()
with Session.open(ServiceConfig.load(home=home, environ={})) as session:
    session.add(folder, library_id="lib")
    session.index(progress=progress)
"""


@pytest.mark.parametrize("at", [1, 77, 299])
def test_a_killed_run_loses_at_most_its_last_batch(tmp_path: Path, at: int) -> None:
    folder = write_files(
        tmp_path / "lib", {f"n{n:03}.md": f"# Note {n}\n\nheron {n} word{n} " + "x" * 60 for n in range(COUNT)}
    )
    home = tmp_path / "home"
    child = subprocess.Popen(
        [sys.executable, "-c", INDEXING, str(home), str(folder), str(at)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    assert child.stdout.readline() == f"{at}\n".encode()
    os.kill(child.pid, signal.SIGKILL)
    child.communicate()
    with open_session(home) as session:
        kept = session.libraries()[0].documents
        assert at - 30 < kept <= at
        assert len(find(session, "heron", limit=COUNT).hits) == kept
        report = session.index()[0]
        assert (report.added, report.unchanged) == (COUNT - kept, kept)
        assert len(find(session, "heron", limit=COUNT).hits) == COUNT
        assert paths(find(session, "word299"))[0] == "n299.md"
        check = session._store._database.connection.execute("PRAGMA integrity_check").fetchone()
    assert check == ("ok",)
