"""Files read by processes of their own: the same index, one file's crash is its own, and none outlives the program."""

from __future__ import annotations

import gzip
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragspine_tui import entries, ingest, reading
from ragspine_tui.documents import reader
from ragspine_tui.documents.discover import discover
from ragspine_tui.documents.limits import ReadLimits
from ragspine_tui.documents.source_file import Reader, SourceFile
from ragspine_tui.groups import Group, GroupReader, grouped
from ragspine_tui.ingest import Ingest
from ragspine_tui.retrieval.chunking.chunker import ENTRY_POINTS, Chunking
from ragspine_tui.retrieval.chunking.layout_chunker import LayoutAwareChunker
from ragspine_tui.session import Session
from ragspine_tui.types import Document, DocumentStatus, IndexReport, Library, Progress
from ragspine_tui.workers import Workers
from tests.homes import find, open_session, write_files
from tests.packages import install

COUNT = 60
FILES = {f"n{n:02}.md": f"# Note {n}\n\nA heron and word{n}.\n\n## 鷺{n}\n\n青鷺が川に立つ。 {n}" for n in range(COUNT)}


class Aborts(LayoutAwareChunker):
    """Ends its process at one file, as a fault in a library written in C does."""

    def chunk(self, document: Document) -> Chunking:
        if document.path == "n07.md":
            os.abort()
        print("a guest that talks")
        return super().chunk(document)


@pytest.fixture(autouse=True)
def small_groups(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Many groups and batches of few files, and workers for them all."""
    monkeypatch.setattr(ingest, "FIRST_BATCH_CHARACTERS", 300)
    monkeypatch.setattr(ingest, "BATCH_CHARACTERS", 1_000)
    monkeypatch.setattr(reading, "WORTH_WORKERS", 0)
    yield


@pytest.fixture
def guest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(
        tmp_path / "packages",
        ENTRY_POINTS,
        aborts=f"{__name__}:{Aborts.__name__}",
        hangs=f"{__name__}:{Hangs.__name__}",
    )
    monkeypatch.syspath_prepend(str(tmp_path / "packages"))


class Hangs(LayoutAwareChunker):
    """Never ends with one file, and takes all memory there is with another."""

    def chunk(self, document: Document) -> Chunking:
        while document.path == "n07.md":
            pass
        if document.path == "n09.md":
            bytearray(4 * 1024**3)
        return super().chunk(document)


def update(session: Session, workers: int, **more: object) -> IndexReport:
    return Ingest(session._store, session.library("lib"), workers=workers, **more).run()  # type: ignore[arg-type]


def kept(session: Session) -> dict[str, list[object]]:
    """Every row that is made of files."""
    tables = ("documents", "blocks", "sections", "chunks", "segments", "postings")
    connection = session._store._database.connection
    return {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables}


def test_any_number_of_workers_makes_the_same_index_to_the_byte(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "lib", {**FILES, "secret.md": "---\nsensitivity: restricted\n---\na secret"})
    kept_by: list[object] = []
    for workers in (0, 1, 3):
        with open_session(tmp_path / f"home{workers}") as session:
            session.add(folder, library_id="lib")
            report = update(session, workers)
            assert (report.added, report.restricted) == (COUNT + 1, 1)
            hits = [(hit.document, hit.score) for hit in find(session, "heron 青鷺 word7", limit=99).hits]
            kept_by.append((kept(session), hits))
    assert kept_by[1] == kept_by[0]
    assert kept_by[2] == kept_by[0]


def test_progress_names_every_file_in_order(tmp_path: Path) -> None:
    seen: list[Progress] = []
    with open_session(tmp_path / "home") as session:
        session.add(write_files(tmp_path / "lib", FILES), library_id="lib")
        update(session, 2, progress=seen.append)
    assert [one.path for one in seen[1:-1]] == sorted(FILES)
    assert [one.done for one in seen[1:]] == list(range(COUNT + 1))


def test_a_file_that_crashes_its_reader_is_damaged_and_all_else_is_indexed(
    tmp_path: Path, guest: None, capfd: pytest.CaptureFixture[str]
) -> None:
    with open_session(tmp_path / "home") as session:
        session.add(write_files(tmp_path / "lib", FILES), library_id="lib", chunker="aborts")
        report = update(session, 2)
        assert [(one.document, one.status, one.reason) for one in report.problems] == [
            ("n07.md", DocumentStatus.DAMAGED, "the reader crashed on it")
        ]
        assert session.libraries()[0].documents == COUNT - 1
        assert update(session, 2).unchanged == COUNT
    assert capfd.readouterr() == ("", "")


def test_a_file_that_takes_too_long_or_too_much_memory_is_given_up_and_all_else_is_indexed(
    tmp_path: Path, guest: None
) -> None:
    with open_session(tmp_path / "home") as session:
        session.add(write_files(tmp_path / "lib", FILES), library_id="lib", chunker="hangs")
        limits = ReadLimits(seconds=2, memory=1024**3)
        report = update(session, 2, limits=limits)
        assert [(one.document, one.status, one.reason) for one in report.problems] == [
            ("n07.md", DocumentStatus.TIMED_OUT, "took longer than 2 s to read"),
            ("n09.md", DocumentStatus.TOO_LARGE, "needs more memory to read than it may have"),
        ]
        assert session.libraries()[0].documents == COUNT - 2
        assert update(session, 2, limits=limits).unchanged == COUNT


def test_what_could_not_be_read_is_tried_again_when_asked(
    tmp_path: Path, guest: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_session(tmp_path / "home") as session:
        session.add(write_files(tmp_path / "lib", FILES), library_id="lib", chunker="aborts")
        update(session, 2)
        monkeypatch.setattr(Aborts, "chunk", LayoutAwareChunker.chunk)
        report = update(session, 0, retry=True)
        assert (report.changed, report.unchanged, report.problems) == (1, COUNT - 1, ())


def test_a_file_that_is_no_plain_text_is_read_by_another_process_however_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    files = {"a.md": "# A\n\nheron", "c.md": "# C\n\nheron", "d.md": "a heron"}
    folder = write_files(tmp_path / "lib", files)
    (folder / "b.txt.gz").write_bytes(gzip.compress(b"heron"))
    here: list[str] = []
    read = reader.read_loaded

    def watched(source: SourceFile, by: Reader) -> Document:
        here.append(source.relative)
        return read(source, by)

    monkeypatch.setattr(entries, "read_loaded", watched)
    with open_session(tmp_path / "home") as session:
        session.add(folder, library_id="lib")
        seen: list[Progress] = []
        assert update(session, 1, progress=seen.append).added == 4
        assert [one.path for one in seen[1:-1]] == ["a.md", "b.txt.gz", "c.md", "d.md"]
        assert len(find(session, "heron").hits) == 4
    assert "b.txt.gz" not in here


def test_a_cancelled_run_keeps_what_was_stored_and_leaves_no_process(tmp_path: Path) -> None:
    told: list[Progress] = []
    with open_session(tmp_path / "home") as session:
        session.add(write_files(tmp_path / "lib", FILES), library_id="lib")
        report = update(session, 2, progress=told.append, cancelled=lambda: len(told) > 20)
        assert report.cancelled
        assert 0 < report.added < COUNT
        assert session.libraries()[0].documents == report.added
        assert children() == []
        assert update(session, 2).added == COUNT - report.added
    assert children() == []


def test_what_is_restricted_meanwhile_is_not_kept_though_a_worker_has_read_it(tmp_path: Path) -> None:
    with open_session(tmp_path / "home") as session, open_session(tmp_path / "home") as other:
        session.add(write_files(tmp_path / "lib", FILES), library_id="lib")

        def mark(progress: Progress) -> None:
            if progress.path == "n01.md":
                other._store.add_marks("lib", ["n3*.md"])

        assert update(session, 2, progress=mark).restricted == 10
        hits = find(session, "word30 word39 heron", limit=99).hits
        assert {hit.document for hit in hits} == {name for name in FILES if not name.startswith("n3")}


def test_no_word_of_a_restricted_document_leaves_its_worker(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "lib", {"a.md": "---\nsensitivity: restricted\n---\nkingfisher", "b.md": "kestrel"})
    (sources,) = grouped(discover(folder), 10**6)
    reads = GroupReader(Library("lib", str(folder)), ReadLimits())
    read = pickle.dumps(reads.read(Group(sources, [None, None], language="en")))
    assert b"kestrel" in read
    assert b"kingfisher" not in read


NOWHERE = """
import multiprocessing.spawn, os, sys
from pathlib import Path
from ragspine_tui import ingest, reading
from ragspine_tui.config import ServiceConfig
from ragspine_tui.ingest import Ingest
from ragspine_tui.session import Session
if __name__ == "__main__":
    sys.executable = "/nowhere/python"
    multiprocessing.spawn._python_exe = os.fsencode(sys.executable)
    reading.WORTH_WORKERS = 0
    with Session.open(ServiceConfig(home=Path(sys.argv[1]))) as session:
        session.add(Path(sys.argv[2]), library_id="lib")
        print(Ingest(session._store, session.library("lib"), workers=2).run().added)
"""


def test_where_no_worker_can_start_the_program_reads_itself(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "lib", FILES)
    run = script(tmp_path, NOWHERE, tmp_path / "home", folder)
    assert run.communicate() == (f"{COUNT}\n".encode(), b"")


def script(place: Path, text: str, *arguments: Path) -> subprocess.Popen[bytes]:
    """A Python program of its own, which can start others: that needs a file."""
    (place / "script.py").write_text(text)
    return subprocess.Popen(
        [sys.executable, str(place / "script.py"), *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
    )


KILLED = """
import os, sys
from pathlib import Path
from ragspine_tui.documents.discover import discover
from ragspine_tui.documents.limits import ReadLimits
from ragspine_tui.groups import Group, grouped
from ragspine_tui.types import Library
from ragspine_tui.workers import Workers
from tests.unit.test_workers import children
if __name__ == "__main__":
    folder = Path(sys.argv[1])
    groups = [Group(sources, [None] * len(sources)) for sources in grouped(discover(folder), 100, 100)]
    with Workers(Library("lib", str(folder)), 2, ReadLimits()) as workers:
        for _ in workers.read(groups, lambda: True):
            print(*children(), flush=True)
            sys.stdin.read()
"""


def test_workers_end_with_a_program_that_is_killed(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "lib", FILES)
    program = script(tmp_path, KILLED, folder)
    assert program.stdout is not None
    pids = [int(pid) for pid in program.stdout.readline().split()]
    assert len(pids) >= 2
    # Its end of a pipe closes when the last process that holds it is gone: the workers hold none of the program's.
    waits = [os.pidfd_open(pid) for pid in pids]
    os.kill(program.pid, signal.SIGKILL)
    program.communicate()
    for wait in waits:
        assert ended(wait)
        os.close(wait)


def ended(process: int) -> bool:
    """Whether a process, by its descriptor, ends within half a minute."""
    import select

    return bool(select.select([process], [], [], 30)[0])


def children() -> list[int]:
    """The reading processes below this one."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                command = (entry / "cmdline").read_bytes()
            except (OSError, ValueError):
                continue
            if parent == os.getpid() and b"spawn_main" in command:
                found.append(int(entry.name))
    return found


def test_workers_read_groups_in_order_and_end_at_once(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "lib", FILES)
    groups = [Group(sources, [None] * len(sources)) for sources in grouped(discover(folder), 200, 200)]
    with Workers(Library("lib", str(folder)), 2, ReadLimits()) as workers:
        read = workers.read(groups, lambda: True)
        first, _ = next(read)
        assert first == groups[0]
        assert len(children()) >= 1
    assert children() == []
