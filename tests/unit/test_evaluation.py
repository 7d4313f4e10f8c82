"""Judged collections: what is read, what is refused in one line, and measures checked by hand."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.errors import UsageError
from ragspine_tui.evaluation.collection import Collection, Entry
from ragspine_tui.evaluation.measure import measure
from ragspine_tui.evaluation.metrics import mean_metrics, metrics, trec_lines

CORPUS: Sequence[Mapping[str, object]] = (
    {"id": "a", "title": "Weirs", "text": "A weir holds the river back."},
    {"_id": "b", "title": "", "text": "Toads walk at night."},
    {"id": 3, "title": "Only a title", "text": None},
)
QUERIES = ({"id": "q1", "text": "river weir"}, {"id": "q2", "text": "toads"})


def write_collection(folder: Path, qrels: str = "query-id\tcorpus-id\tscore\nq1\ta\t2\nq2\tb\t1\n") -> Path:
    folder.mkdir(exist_ok=True)
    for name, rows in (("corpus.jsonl", CORPUS), ("queries.jsonl", QUERIES)):
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "qrels.tsv").write_text(qrels, encoding="utf-8")
    return folder


def test_a_collection_is_read_with_either_spelling_of_the_id(tmp_path: Path) -> None:
    collection = Collection.load(write_collection(tmp_path / "river"))
    assert collection.name == "river"
    assert [entry.entry_id for entry in collection.entries] == ["a", "b", "3"]
    assert collection.queries == {"q1": "river weir", "q2": "toads"}
    assert collection.judgments == {"q1": {"a": 2}, "q2": {"b": 1}}


def test_judgments_are_found_in_a_folder_of_their_own_without_a_header(tmp_path: Path) -> None:
    folder = write_collection(tmp_path)
    (folder / "qrels").mkdir()
    (folder / "qrels.tsv").rename(folder / "qrels" / "test.tsv")
    (folder / "qrels" / "test.tsv").write_text("q1\tb\t1\n", encoding="utf-8")
    assert Collection.load(folder).judgments == {"q1": {"b": 1}}


def test_a_query_without_a_positive_judgment_is_left_out(tmp_path: Path) -> None:
    folder = write_collection(tmp_path, "q1\ta\t0\nq1\tb\t-1\nq2\tb\t1\n")
    assert list(Collection.load(folder).judged()) == ["q2"]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("corpus.jsonl", '{"id": "a"}\n{', "corpus.jsonl:2 is not JSON"),
        ("corpus.jsonl", '{"text": "x"}\n', "corpus.jsonl:1 has no id"),
        ("corpus.jsonl", "[1]\n", "corpus.jsonl:1 has no id"),
        ("queries.jsonl", '{"id": "q"}\n{"id": "q"}\n', "queries.jsonl:2 repeats the id 'q'"),
        ("qrels.tsv", "q1\ta\t1\nq1\ta\n", "qrels.tsv:2 is no judgment"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_line(tmp_path: Path, name: str, content: str, told: str) -> None:
    folder = write_collection(tmp_path)
    (folder / name).write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=told):
        Collection.load(folder)


def test_a_missing_file_and_a_missing_folder_are_told(tmp_path: Path) -> None:
    folder = write_collection(tmp_path)
    (folder / "queries.jsonl").unlink()
    with pytest.raises(UsageError, match=r"cannot read queries\.jsonl"):
        Collection.load(folder)
    with pytest.raises(UsageError, match="no folder"):
        Collection.load(tmp_path / "absent")


@pytest.mark.parametrize(
    ("entry", "whole"),
    [
        (Entry("1", "Weirs", "A weir."), "Weirs\n\nA weir."),
        (Entry("1", "a weir", "a weir holds"), "a weir holds"),
        (Entry("1", "Weirs", " "), "Weirs"),
        (Entry("1", "", "A weir."), "A weir."),
    ],
)
def test_a_title_stands_once_at_the_beginning_of_its_text(entry: Entry, whole: str) -> None:
    assert entry.whole_text == whole


def test_measures_agree_with_a_ranking_worked_by_hand() -> None:
    found = metrics({"a": 3, "b": 1, "c": 1, "d": 0}, ["x", "a", "d", "c"])
    assert found["ndcg@10"] == pytest.approx((3 / math.log2(3) + 1 / math.log2(5)) / (3 + 1 / math.log2(3) + 0.5))
    assert found["mrr@10"] == 0.5
    assert found["map"] == pytest.approx((1 / 2 + 2 / 4) / 3)
    assert found["recall@100"] == pytest.approx(2 / 3)
    assert (found["success@1"], found["success@5"]) == (0.0, 1.0)


def test_a_relevant_document_at_rank_eleven_counts_for_recall_only() -> None:
    found = metrics({"a": 1}, [*"0123456789", "a"])
    assert (found["ndcg@10"], found["mrr@10"], found["success@5"], found["recall@100"]) == (0, 0, 0, 1)


def test_a_judged_query_without_hits_scores_nothing_but_counts() -> None:
    assert mean_metrics({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a"]})["ndcg@10"] == 0.5
    assert mean_metrics({}, {})["map"] == 0


@given(st.lists(st.integers(0, 300), unique=True, max_size=120), st.sets(st.integers(0, 300), min_size=1, max_size=30))
def test_measures_stay_between_nothing_and_everything(ranked: list[int], relevant: set[int]) -> None:
    judged = {str(document): 1 for document in relevant}
    assert all(0 <= value <= 1 + 1e-12 for value in metrics(judged, [str(document) for document in ranked]).values())
    assert set(metrics(judged, sorted(judged)).values()) == {1.0} or len(judged) > 10


def test_a_run_keeps_its_order_under_a_scorer_that_sorts_by_score() -> None:
    lines = [line.split() for line in trec_lines({"q1": ["b", "c", "a"], "q2": []})]
    assert [line[:4] for line in lines] == [["q1", "Q0", "b", "1"], ["q1", "Q0", "c", "2"], ["q1", "Q0", "a", "3"]]
    scores = [float(line[4]) for line in lines]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == len(scores)


@pytest.mark.parametrize("depth", [1, 3, 10])
def test_a_shallower_ranking_is_the_beginning_of_a_deeper_one(depth: int) -> None:
    texts = ["wing " * (number % 4 + 1) + "flow " * (number % 3) + f"remark {number}" for number in range(20)]
    entries = tuple(Entry(f"d{number}", "", text) for number, text in enumerate(texts))
    queries = {"q1": "wing flow", "q2": "flow", "q3": "remark 7"}
    collection = Collection("small", entries, queries, {query: {"d1": 1} for query in queries})
    deep = measure(collection).run
    assert all(len(ranked) > 10 for ranked in deep.values())
    assert measure(collection, depth=depth).run == {query: ranked[:depth] for query, ranked in deep.items()}
