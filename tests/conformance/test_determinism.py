"""The same folder gives the same bytes: in two processes, with other hash seeds, locales, time zones and histories."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ragspine_tui.session import sample_libraries_path
from tests.homes import open_session, write_files

SCRIPT = """
import json, sys
from pathlib import Path
from ragspine_tui.config import ServiceConfig
from ragspine_tui.json_output import search_json
from ragspine_tui.session import Session
from ragspine_tui.types import SearchRequest
home, folder = map(Path, sys.argv[1:3])
with Session.open(ServiceConfig.load(home=home, environ={})) as session:
    if not session.libraries():
        for name in sorted(path.name for path in folder.iterdir() if path.is_dir()):
            session.add(folder / name, library_id=name, description=f"about {name}: lane, toads, ink, day; 味噌と塩")
        session.index()
    for query in ("toads on the lane", "味噌 塩 梅干し", "ink the", "a", "day day lane", "owl pel", "zzz 眠る", ""):
        for extra in ({}, {"route": "keyword"}, {"fusion": "rrf"}, {"prefix": True},
                      {"conditions": (session.parse_condition("kind in md,txt"),), "extract": "keyword"}):
            result = session.search(SearchRequest(query, limit=40, explain=True, parent=True, **extra))
            shown = search_json(result, parent=True, explain=True)
            sys.stdout.buffer.write(json.dumps(shown, ensure_ascii=False).encode() + b"\\n")
    sys.stdout.buffer.write(repr(session.fields()).encode())
"""


def outputs(home: Path, folder: Path, **environment: str) -> bytes:
    """Every search's whole output, from a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(home), str(folder)],
        capture_output=True,
        check=False,
        timeout=240,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **environment},
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    samples = sample_libraries_path()
    assert samples is not None
    shutil.copytree(samples, tmp_path / "folder")
    return tmp_path / "folder"


def test_two_processes_with_other_environments_print_the_same_bytes(tmp_path: Path, folder: Path) -> None:
    one = outputs(tmp_path / "one", folder, PYTHONHASHSEED="1", LC_ALL="C", TZ="Asia/Tokyo")
    two = outputs(tmp_path / "two", folder, PYTHONHASHSEED="77", LC_ALL="C.UTF-8", TZ="America/New_York")
    assert min(one.count(key) for key in (b'"chunk_id"', b'"parent": {', b'"explain": {')) > 500
    assert one.count(b'"matched_terms": ["toads", "lane"]') > 1, "routing chose nothing by several words"
    assert one == two


def test_a_second_search_of_the_same_home_prints_the_same_bytes(tmp_path: Path, folder: Path) -> None:
    one = outputs(tmp_path / "home", folder, PYTHONHASHSEED="5")
    assert one == outputs(tmp_path / "home", folder, PYTHONHASHSEED="6")


def test_an_index_that_grew_and_shrank_prints_what_a_fresh_one_does(tmp_path: Path, folder: Path) -> None:
    fresh = outputs(tmp_path / "fresh", folder)
    kept = {path: path.read_bytes() for path in sorted((folder / "field-notes").iterdir())[:6]}
    times = {path: path.stat().st_mtime_ns for path in kept}
    for path in kept:
        path.unlink()
    write_files(folder / "daidokoro", {f"extra{number}.md": f"# 味噌 {number}\n\n塩と lane。" for number in range(12)})
    outputs(tmp_path / "grown", folder)
    for path, content in kept.items():
        path.write_bytes(content)
        os.utime(path, ns=(times[path], times[path]))
        with open_session(tmp_path / "grown") as session:
            session.index()
    for number in range(12):
        (folder / "daidokoro" / f"extra{number}.md").unlink()
    with open_session(tmp_path / "grown") as session:
        session.index()
    assert outputs(tmp_path / "grown", folder) == fresh
