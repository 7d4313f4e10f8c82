"""The table of retrieval quality: what counts for a peer, means, differences, verdicts, and how peers are asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.peer_rankings import (
    Row,
    Writing,
    bm25s_ways,
    fts5_expression,
    fts5_ranker,
    fts5_ways,
    grains,
    grams,
    words,
    writing,
)
from benchmarks.quality import ENGLISH, Scores, collections_in, page, verdicts
from ragspine_tui.evaluation.collection import Collection, Entry


def scores(collection: str, ours: float, fts5: float, bm25s: float, queries: int = 10) -> Scores:
    return Scores(collection, queries, ours, {"FTS5": {"poor": fts5 / 2, "good": fts5}, "bm25s": {"only": bm25s}})


def four(*ours: float) -> list[Scores]:
    return [scores(name, value, 0.3, 0.4) for name, value in zip(ENGLISH, ours, strict=True)]


def cells(text: str, first: str) -> list[str]:
    line = next(line for line in text.splitlines() if line.startswith(f"| {first} |"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_a_peer_counts_by_the_way_that_suits_the_collection_best() -> None:
    one = scores("cacm", 0.5, 0.4, 0.3)
    assert one.best("FTS5") == ("good", 0.4)
    assert one.best_peer == "FTS5"
    assert one.ahead == pytest.approx(0.1)


def test_where_a_peer_is_ahead_the_difference_is_negative() -> None:
    assert scores("cacm", 0.5, 0.4, 0.53).ahead == pytest.approx(-0.03)


def test_a_row_has_our_figure_each_peers_best_and_the_difference_to_the_best_of_them() -> None:
    assert cells(page([scores("xquad_de", 0.95, 0.9, 0.93125, 1_190)]), "xquad_de") == [
        "xquad_de",
        "1,190",
        "0.9500",
        "0.9000",
        "0.9313",
        "bm25s",
        "+0.0187",
    ]


def test_means_weigh_collections_alike_and_meet_one_peer_for_all_of_them() -> None:
    found = [scores("one", 0.5, 0.6, 0.1, queries=1), scores("two", 0.7, 0.4, 0.7, queries=99)]
    assert cells(page(found), "mean of all") == ["mean of all", "100", "0.6000", "0.5000", "0.4000", "FTS5", "+0.1000"]


def test_the_mean_of_the_english_collections_leaves_others_out() -> None:
    found = [*four(0.4, 0.4, 0.7, 0.52), scores("xquad_de", 0.99, 0.1, 0.1)]
    row = cells(page(found), "mean of cranfield, cisi, medline, cacm")
    assert row[1:] == ["40", "0.5050", "0.3000", "0.4000", "bm25s", "+0.1050"]


def test_the_english_mean_is_given_only_where_all_four_were_measured() -> None:
    assert "mean of cranfield" not in page(four(0.4, 0.4, 0.7, 0.52)[:3])
    assert list(verdicts(four(0.4, 0.4, 0.7, 0.52)[:3])) == ["Behind the best peer on none."]


@pytest.mark.parametrize(("last", "said"), [(0.5201, "reached"), (0.5199, "**missed**")])
def test_the_aim_is_reached_or_missed_by_the_mean(last: float, said: str) -> None:
    sentence = next(verdicts(four(0.4, 0.4, 0.7, last)))
    assert sentence.endswith(f"the aim of 0.505 is {said}.")


def test_the_collections_where_a_peer_is_ahead_are_named_the_worst_first() -> None:
    found = [scores("a", 0.5, 0.4, 0.51), scores("b", 0.5, 0.4, 0.4), scores("c", 0.5, 0.6, 0.4)]
    assert list(verdicts(found)) == ["Behind the best peer on c (-0.1000, FTS5 good); a (-0.0100, bm25s only)."]


def test_the_english_collections_stand_first(tmp_path: Path) -> None:
    for name in ("jsquad_ja", "cacm", "cranfield", "ahead", "notes"):
        (tmp_path / name).mkdir()
        if name != "notes":
            (tmp_path / name / "corpus.jsonl").write_text("", encoding="utf-8")
    assert [folder.name for folder in collections_in(tmp_path)] == ["cranfield", "cacm", "ahead", "jsquad_ja"]


def test_words_keep_the_marks_that_belong_to_them() -> None:
    assert words("High-speed «Flügel», don't; पैंथर्स की") == ["high", "speed", "flügel", "don", "t", "पैंथर्स", "की"]


def test_unspaced_text_is_cut_into_grams_and_ascii_words_stay_whole() -> None:
    assert grams("梅雨はNASA1年、中", 2) == ["梅雨", "雨は", "nasa1", "年", "中"]
    assert grams("梅雨は", 1) == ["梅", "雨", "は"]


def test_fts5_is_asked_for_any_word_and_trigram_for_any_triple() -> None:
    assert fts5_expression('what is "lift"? (NEAR wing', "unicode61") == '"what" OR "is" OR "lift" OR "near" OR "wing"'
    assert fts5_expression("梅雨とは何", "trigram") == '"梅雨と" OR "雨とは" OR "とは何"'
    assert fts5_expression("梅雨", "trigram") == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The wing of the aircraft is in a flow that was not heated, and it is what we have to know.",
            ("english", True),
        ),
        (
            "Die Verteidigung der Panthers gab nur wenige Punkte ab und ist nicht die beste in der Liga.",
            ("german", True),
        ),
        ("Защита уступила всего несколько очков", ("russian", True)),
        ("梅雨は、日本、朝鮮半島南部、中国の南部", ("", False)),
        ("ทีมรับของแพนเธอร์ส", ("", False)),
    ],
)
def test_a_collections_writing_is_that_of_most_of_its_letters(text: str, expected: tuple[str, bool]) -> None:
    assert writing([text, "NASA"]) == Writing(expected[1], expected[0])


ENGLISH_TEXTS = {
    "1": "The wings of a glider. " + "Nothing is said here. " * 60,
    "2": "A wing, and another wing.",
    "3": "Engines of all kinds.",
}


def collection(texts: dict[str, str]) -> Collection:
    return Collection("small", tuple(Entry(key, "", text) for key, text in texts.items()), {}, {})


def test_a_long_document_has_several_passages_and_a_short_one_is_a_passage() -> None:
    rows = grains(collection(ENGLISH_TEXTS))
    assert [row.document for row in rows["documents"]] == [0, 1, 2]
    counts = [sum(row.document == number for row in rows["passages"]) for number in range(3)]
    assert counts[0] > 1
    assert counts[1:] == [1, 1]


def test_a_document_stands_once_where_its_best_passage_does() -> None:
    rows = [
        Row(0, "wing and much else that says nothing at all"),
        Row(0, "wing"),
        Row(1, "wing and engine"),
        Row(2, "-"),
    ]
    ranked = fts5_ranker(collection(ENGLISH_TEXTS), rows, "unicode61")
    assert ranked("wing") == ["1", "2"]
    assert ranked("?!") == []


def test_fts5_is_tried_with_stems_for_english_and_with_triples_where_no_spaces_are() -> None:
    small = collection(ENGLISH_TEXTS)
    english = dict(fts5_ways(small, Writing(True, "english")))
    assert english["porter unicode61, documents"]("wings") == ["2", "1"]
    assert english["unicode61, documents"]("wings") == ["1"]
    unspaced = dict(fts5_ways(collection({"x": "梅雨の時期が始まる", "y": "日本の夏"}), Writing(False, "")))
    assert unspaced["unicode61, documents"]("時期が") == []
    assert unspaced["trigram, passages"]("時期が") == ["x"]


def test_bm25s_is_tried_with_all_that_fits_the_language() -> None:
    pytest.importorskip("bm25s")
    english = dict(bm25s_ways(collection(ENGLISH_TEXTS), Writing(True, "english")))
    assert english["stems, no stop words, its defaults, documents"]("the wings") == ["2", "1"]
    unspaced = dict(bm25s_ways(collection({"x": "梅雨の時期", "y": "日本の夏"}), Writing(False, "")))
    assert {way.split(",")[0] for way in unspaced} == {"characters", "pairs", "triples"}
    assert unspaced["pairs, as Lucene, passages"]("雨の") == ["x"]
    spaced = dict(bm25s_ways(collection({"x": "очков мало"}), Writing(True, "russian")))
    assert spaced["plain, its defaults, documents"]("очко") == []
    assert spaced["stems, its defaults, documents"]("очко") == ["x"]


def test_a_collection_is_measured_with_every_peer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("bm25s")
    from benchmarks.quality import main

    folder = tmp_path / "small"
    folder.mkdir()
    lines = [json.dumps({"_id": key, "title": "", "text": text}) for key, text in ENGLISH_TEXTS.items()]
    (folder / "corpus.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (folder / "queries.jsonl").write_text('{"_id": "q", "text": "wing"}', encoding="utf-8")
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq\t2\t1\n", encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["quality", str(tmp_path)])
    main()
    assert cells(capsys.readouterr().out, "small")[:5] == ["small", "1", "1.0000", "1.0000", "1.0000"]
