"""The JSON contract: keys in their order, spans that stay true, and nothing a stream or a terminal chokes on."""

from __future__ import annotations

import base64
import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.json_output import chunk_json, hit_json, problem_json, search_json, to_json
from ragspine_tui.types import (
    DocumentStatus,
    Explanation,
    FileProblem,
    FilterReport,
    FilterStep,
    Hit,
    LibraryProblem,
    Parent,
    Route,
    RoutedLibrary,
    SearchResult,
    Span,
    TermScore,
)


def a_hit(document: str = "bm25/okapi.md", text: str = "Length normalisation divides tf") -> Hit:
    return Hit(
        rank=1,
        library_id="papers",
        document=document,
        title="Okapi at TREC-3",
        heading="Length normalisation",
        chunk_id=f"papers:{document}#c12",
        score=9.41,
        text=text,
        span=Span(120, 120 + len(text)),
        locator=f"{document}#para12",
        line=88,
        parent_locator=f"{document}#para10-19",
        highlights=(Span(0, 6),),
        fields={"kind": ("md",), "tag": ("bm25", "trec")},
        parent=Parent("## Length\n\nLength normalisation", Span(11, 31), 109, f"{document}#para10-19"),
        explain=Explanation(1, (TermScore("length", "body", 2, 31, 3.2, 4.1),), {"score": 9.41}, 0.5),
    )


def a_result(*hits: Hit, left_out: tuple[str, ...] = ()) -> SearchResult:
    return SearchResult(
        query="length normalisation",
        mode="economy",
        fusion="score",
        route=Route("keyword", (RoutedLibrary("papers", ("normalis",)),)),
        filter=FilterReport("year >= 2009", "user", (FilterStep(None, 412), FilterStep("year >= 2009", 31, 7))),
        total=44,
        hits=hits,
        unknown_terms=("qqq",),
        errors=(LibraryProblem("mail", "its folder is away"),),
        left_out=left_out,
    )


HIT_KEYS = [
    *("rank", "library_id", "document", "title", "heading", "chunk_id", "score", "text", "locator", "line", "page"),
    *("parent_locator", "highlights", "fields", "stale"),
]


def test_a_part_stands_behind_the_page_where_there_is_one() -> None:
    (hit,) = search_json(a_result(replace(a_hit(), part="Costs!A4:F4")))["hits"]
    assert list(hit) == [*HIT_KEYS[:11], "part", *HIT_KEYS[11:]]
    assert hit["part"] == "Costs!A4:F4"


def test_a_search_has_the_documented_keys_in_their_order() -> None:
    value = search_json(a_result(a_hit()))
    assert list(value) == ["query", "mode", "fusion", "route", "filter", "unknown_terms", "errors", "total", "hits"]
    assert list(value["hits"][0]) == HIT_KEYS
    assert value["route"] == {
        "spec": "keyword",
        "fallback": False,
        "libraries": [{"library_id": "papers", "matched_terms": ["normalis"]}],
    }
    assert value["filter"] == {
        "text": "year >= 2009",
        "source": "user",
        "steps": [
            {"condition": None, "documents": 412},
            {"condition": "year >= 2009", "documents": 31, "missing_field": 7},
        ],
    }
    assert value["errors"] == [{"library_id": "mail", "message": "its folder is away"}]


def test_parent_and_explain_come_only_when_asked_for() -> None:
    value = hit_json(a_hit(), parent=True, explain=True)
    assert list(value) == [*HIT_KEYS, "parent", "explain"]
    assert value["parent"] == {"text": "## Length\n\nLength normalisation", "child": [11, 31]}
    assert value["explain"] == {
        "library_rank": 1,
        "terms": [{"term": "length", "field": "body", "tf": 2, "df": 31, "idf": 3.2, "score": 4.1}],
        "share": 0.5,
        "fusion": {"score": 9.41},
    }


def test_a_search_without_hits_is_the_same_object() -> None:
    assert list(search_json(a_result())) == list(search_json(a_result(a_hit())))
    assert search_json(a_result())["hits"] == []


def test_a_library_that_routing_left_out_is_named() -> None:
    assert search_json(a_result(left_out=("mail",)))["route"]["left_out"] == ["mail"]


def test_one_value_of_a_field_is_a_string_and_several_are_a_list() -> None:
    assert hit_json(a_hit())["fields"] == {"kind": "md", "tag": ["bm25", "trec"]}


def test_a_name_that_is_not_utf8_is_shown_replaced_and_carried_exactly() -> None:
    raw = b"notes/\xff\xe3\x81.md"
    name = raw.decode("utf-8", "surrogateescape")
    value = json.loads(to_json(hit_json(a_hit(name))))
    assert "\ufffd" in value["document"]
    assert base64.b64decode(value["document_bytes"]) == raw
    assert value["locator"].startswith(value["document"] + "#para")
    assert "document_bytes" not in hit_json(a_hit())


def test_a_problem_carries_its_name_exactly_too() -> None:
    value = problem_json(FileProblem("notes", "\udcff.md", DocumentStatus.DAMAGED, "cut off"))
    assert value == {
        "library_id": "notes",
        "document": "\ufffd.md",
        "document_bytes": "/y5tZA==",
        "status": "damaged",
        "reason": "cut off",
    }


def test_a_shown_passage_has_a_file_and_nothing_of_a_search() -> None:
    value = chunk_json(a_hit(), "/home/me/papers/bm25/okapi.md", parent=True)
    assert not {"rank", "score", "highlights"} & set(value)
    assert value["file"] == "/home/me/papers/bm25/okapi.md"
    assert value["parent"]["child"] == [11, 31]


@given(st.text(st.characters(), max_size=60))
def test_any_text_survives_and_spans_in_it_stay_true(text: str) -> None:
    line = to_json(hit_json(a_hit(text=text)))
    line.encode("utf-8")
    assert not any(ord(character) < 32 or 127 <= ord(character) < 160 for character in line)
    back = json.loads(line)["text"]
    assert len(back) == len(text)
    assert all(a == b or 0xD800 <= ord(b) <= 0xDFFF for a, b in zip(back, text, strict=True))


def test_lone_surrogates_never_reach_the_stream() -> None:
    line = to_json({"query": "\ud800\udcff", "\udcff": ["\udfff"]})
    assert json.loads(line) == {"query": "\ufffd\ufffd", "\ufffd": ["\ufffd"]}
