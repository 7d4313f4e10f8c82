"""How far a run has come: files and bytes, how fast, what is left, and a walk that can be stopped."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui import ingest
from ragspine_tui.cli.console import progress_line
from ragspine_tui.cli.text import cells, fitted
from ragspine_tui.pace import Pace, Pacing, progress_parts
from ragspine_tui.tui.glyphs import glyphs
from ragspine_tui.tui.lines import progress
from ragspine_tui.tui.text import width_of
from ragspine_tui.types import Progress
from tests.homes import find, indexed, open_session, paths, write_files

FILES: dict[str, str | bytes] = {f"n{number}.md": "heron " * (number + 1) for number in range(5)}
AT = Progress("mail", 132, 214, "letters/may.md", 12_340_000, 80_100_000)
PACE = Pace(3_400_000, 19.9)


def test_bytes_count_up_to_those_of_all_files_to_read(tmp_path: Path) -> None:
    seen: list[Progress] = []
    with open_session(tmp_path / "home") as session:
        session.add(write_files(tmp_path / "lib", FILES), library_id="lib")
        session.index(progress=seen.append)
    told = [(one.done, one.bytes_done, one.bytes_total) for one in seen if one.total]
    assert told == [(0, 0, 90), (1, 6, 90), (2, 18, 90), (3, 36, 90), (4, 60, 90), (5, 90, 90)]


def test_a_walk_tells_how_many_files_it_has_found_and_can_be_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingest, "WALK_TOLD", 2)
    with indexed(tmp_path, FILES) as session:
        seen: list[Progress] = []
        session.index(progress=seen.append)
        assert [(one.done, one.total, one.path) for one in seen[1:3]] == [(2, 0, "n1.md"), (4, 0, "n3.md")]
        (tmp_path / "lib" / "n4.md").unlink()
        report = session.index(cancelled=lambda: True)[0]
        assert (report.cancelled, report.removed) == (True, 0)
        assert paths(find(session, "heron"))
        assert session.index()[0].removed == 1


def test_what_is_told_is_the_files_the_bytes_the_pace_and_what_is_left() -> None:
    assert progress_parts(AT, PACE) == ["12.3 of 80.1 MB", "3.4 MB/s", "20 s left"]
    assert progress_parts(AT, Pace(100, 300)) == ["12.3 of 80.1 MB", "0.0 MB/s", "5 min left"]
    assert progress_parts(AT, Pace(100, 3 * 3600)) == ["12.3 of 80.1 MB", "0.0 MB/s", "3 h left"]
    assert progress_parts(AT, None) == ["12.3 of 80.1 MB"]
    assert progress_parts(Progress("mail", 1, 2), None) == []


def test_the_command_line_names_the_file_and_nothing_in_its_name_is_obeyed() -> None:
    told = "indexing mail 132/214 ▕███░░▏ 12.3 of 80.1 MB · 3.4 MB/s · 20 s left · letters/may.md"
    assert progress_line(AT, PACE, 5) == told
    assert "\x1b" not in progress_line(Progress("mail", 1, 2, "\x1b]0;x\x07.md", 1, 2), None, 5)
    assert progress_line(Progress("mail", 3_000, 0), None, 5) == "indexing mail 3,000 files found"


@given(st.integers(0, 130))
def test_the_status_line_tells_as_much_as_there_is_room_for(room: int) -> None:
    runs = progress(AT, glyphs(False), PACE, room)
    text = "".join(run.text for run in runs)
    assert text.startswith("indexing mail 132/214 ▕██████░░░░▏ ")
    assert width_of(runs) <= max(room, len("indexing mail 132/214 ▕██████░░░░▏ "))
    assert ("20 s left" in text) == (room >= 46)
    assert room < 91 or "12.3 of 80.1 MB · 3.4 MB/s · 20 s left · letters/may.md" in text


@given(st.text(), st.integers(1, 40))
def test_a_line_that_is_cut_fits(text: str, width: int) -> None:
    assert cells(fitted(text, width)) <= width


@given(st.lists(st.tuples(st.integers(1, 100), st.integers(0, 1_000)), min_size=2, max_size=30))
def test_the_pace_is_what_was_read_since_the_beginning(steps: list[tuple[int, int]]) -> None:
    pacing, now, done, total = Pacing(), 0, 0, sum(size for _, size in steps)
    for seconds, size in steps:
        pace = pacing.at(Progress("mail", 1, 2, "", done, total), now)
        assert (pace is None) == (now < 1 or done == 0)
        if pace is not None:
            assert pace.rate == pytest.approx(done / now)
            assert pace.left == pytest.approx((total - done) * now / done)
        now, done = now + seconds, done + size


def test_each_run_has_a_pace_of_its_own() -> None:
    pacing = Pacing()
    first = [pacing.at(Progress("a", 1, 9, "", done, 90), now) for done, now in ((0, 0.0), (10, 5.0))]
    second = [pacing.at(Progress("b", 1, 9, "", done, 80), now) for done, now in ((0, 5.0), (40, 7.0))]
    assert [one and one.rate for one in (*first, *second)] == [None, 2.0, None, 20.0]
