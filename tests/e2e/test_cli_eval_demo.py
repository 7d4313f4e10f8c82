"""Measuring and trying: both in a throw-away home that is gone afterwards."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.program import found, ragspine, refused

COLLECTIONS = os.environ.get("RAGSPINE_COLLECTIONS", "")
KEYS = ["collection", "documents", "queries", "ndcg@10", "mrr@10", "recall@100", "map", "success@1", "success@5"]
CORPUS = (
    {"id": "weir/1", "title": "Weirs", "text": "A weir holds the river back."},
    {"id": "2", "title": "", "text": "# Toads\n\nToads walk at night to the pond."},
    {"id": "3", "title": "The river in winter", "text": ""},
    {"id": "4 5", "title": "Nothing", "text": "Quite another thing."},
)
QUERIES = (
    {"id": "q1", "text": "river weir"},
    {"id": "q2", "text": "winter"},
    {"id": "q3", "text": "4"},
    {"id": "q4", "text": "unjudged"},
)


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    folder = tmp_path / "brook"
    folder.mkdir()
    for name, rows in (("corpus.jsonl", CORPUS), ("queries.jsonl", QUERIES)):
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    judged = "query-id\tcorpus-id\tscore\nq1\tweir/1\t2\nq1\t3\t1\nq2\t3\t1\nq3\t4 5\t1\nq4\t2\t0\n"
    (folder / "qrels.tsv").write_text(judged, encoding="utf-8")
    return folder


def test_a_collection_is_measured_through_the_whole_app(collection: Path, tmp_path: Path) -> None:
    throw_away = tmp_path / "tmp"
    throw_away.mkdir()
    value = found(ragspine("eval", collection, "--json", env={"TMPDIR": str(throw_away)}))
    assert list(value) == [*KEYS, "queries_per_second"]
    assert (value["collection"], value["documents"], value["queries"]) == ("brook", 4, 3)
    # q1 is ranked perfectly, q2 finds a title without text, and q3 asks for an id, which nobody wrote anywhere.
    assert value["success@1"] == pytest.approx(2 / 3, abs=1e-6)
    assert value["ndcg@10"] == pytest.approx(2 / 3, abs=1e-6)
    assert list(throw_away.iterdir()) == []


def test_a_run_holds_the_ranking(collection: Path, tmp_path: Path) -> None:
    run = ragspine("eval", collection, "--run", tmp_path / "out.run", "--chunker", "layout", "--language", "en")
    assert run.returncode == 0, run
    assert run.stdout.splitlines()[0].split() == ["collection", "brook"]
    lines = [line.split() for line in (tmp_path / "out.run").read_text(encoding="utf-8").splitlines()]
    assert [line[0] for line in lines] == ["q1", "q1", "q2"]
    assert [line[2:5] for line in lines] == [["weir/1", "1", "2"], ["3", "2", "1"], ["3", "1", "1"]]


def test_a_run_that_cannot_be_written_is_one_line(collection: Path, tmp_path: Path) -> None:
    run = ragspine("eval", collection, "--run", tmp_path / "absent" / "out.run")
    assert (run.returncode, run.stdout) == (2, "")
    assert "cannot write" in run.stderr.splitlines()[-1]


def test_what_is_no_collection_is_one_line(tmp_path: Path) -> None:
    assert "corpus.jsonl" in refused(ragspine("eval", tmp_path), 2)
    assert "no folder" in refused(ragspine("eval", tmp_path / "absent"), 2)


@pytest.mark.skipif(not COLLECTIONS, reason="RAGSPINE_COLLECTIONS names no judged collections")
def test_an_independent_scorer_finds_the_same_numbers(tmp_path: Path) -> None:
    folder = Path(COLLECTIONS) / "medline"
    value = found(ragspine("eval", folder, "--json", "--run", tmp_path / "medline.run"))
    scorer = [sys.executable, str(Path(COLLECTIONS) / "evaluate.py"), str(folder), str(tmp_path / "medline.run")]
    judged = json.loads(subprocess.run([*scorer, "--json"], capture_output=True, check=True, text=True).stdout)
    assert judged["queries"] == value["queries"] == 30
    assert {key: value[key] for key in KEYS[3:]} == pytest.approx({key: judged[key] for key in KEYS[3:]}, abs=1e-4)


def test_the_demo_prints_three_searches_and_leaves_nothing(tmp_path: Path) -> None:
    run = ragspine("demo", env={"TMPDIR": str(tmp_path), "RAGSPINE_HOME": str(tmp_path / "home")})
    assert run.returncode == 0, run
    searches = [line for line in run.stdout.splitlines() if line.startswith("$ ragspine-tui search ")]
    assert len(searches) == 3
    english, japanese, filtered = run.stdout.split("$ ragspine-tui search ")[1:]
    assert "field-notes › dipper-weir.md" in english
    assert "daidokoro › 梅仕事.md" in japanese
    assert "┃ " in filtered
    assert "routed: " in run.stderr
    assert "filter: " in run.stderr
    assert list(tmp_path.iterdir()) == []
