"""The published list of queries that break search engines: none is an error here, and what is there is found."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from ragspine_tui.json_output import search_json, to_json
from ragspine_tui.session import Session
from ragspine_tui.types import SearchRequest
from tests.homes import indexed, paths

LIST: Final = Path(__file__).resolve().parents[2] / "torture_queries.jsonl"
CASES: Final[list[dict[str, Any]]] = [json.loads(line) for line in LIST.read_text(encoding="utf-8").splitlines()]

LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")

CORPUS: Final = {
    "snake.md": "call get_user_name here",
    "camel.md": "then parseHttpRequest runs",
    "decision.md": "the decision DEC-0054 stands",
    "version.md": "upgraded to v2026.4.10 today",
    "mail.md": "write to a@b.com please",
    "address.md": "look at https://x.y/z?q=1 for it",
    "cpp.md": "written in C++ by hand",
    "csharp.md": "written in C# by hand",
    "fsharp.md": "written in F# by hand",
    "dotnet.md": "runs on .NET as well",
    "handle.md": "follow @nasa for more",
    "tag.md": "marked #hashtag once",
    "machine.md": "built for x86_64 only",
    "library.md": "links libssl3.so.3 first",
    "network.md": "ping 192.168.0.1 twice",
    "vector.md": "use std::vector instead",
    "call.md": "the call foo(bar) fails",
    "flag.md": "run it with --error-on-warnings set",
    "hex.md": "the mark 0xDEADBEEF again",
    "encoding.md": "saved as ISO-8859-1 once",
    "collation.md": "sorted by utf8mb4_general_ci there",
    "keys.md": "press Ctrl+Alt+Del together",
    "company.md": "a line of AT&T was cut",
    "research.md": "money for R&D was cut",
    "apostrophe.md": "they don't mind",
    "french.md": "voici l'homme libre",
    "naive.md": "a naïve plan",
    "street.md": "die Straße am Fluss",
    "russian.md": "Это Тест текста",
    "kitchen.md": "私の台所の鍋",
    "katakana.md": "見出しは ｶﾀｶﾅ です",
    "korean.md": "데이터베이스를 검색한다",
    "thai.md": "ภาษาไทยไม่มีช่องว่าง",
    "hindi.md": "दस्तावेज़ की खोज",
    "party.md": "the party 🎉 begins",
    "time.md": "the train of 12:30 is late",
    "amount.md": "it cost 1,234.56 in all",
    "ratio.md": "about 3/4 of it",
    "country.md": "made in the U.S.A. then",
    "path.md": "delete node_modules/.bin first",
    "mixed.md": "重跑gen-itgc后50条悬空引用清零",
    "dog.md": "the unit K-9 came",
    "issue.md": "closed issue #5 at last",
    "variable.md": "add it to $PATH first",
    "heron.md": "# The heron\n\nA heron, an eel and a book.",
}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """A home with every identifier of the list in a document of its own."""
    with indexed(tmp_path_factory.mktemp("torture"), CORPUS) as session:
        yield session


def test_the_list_has_three_hundred_queries_and_none_twice() -> None:
    queries = [case["query"] for case in CASES]
    assert len(queries) >= 300
    assert len(set(queries)) == len(queries)
    assert {case["finds"] for case in CASES if "finds" in case} <= set(CORPUS)


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_a_query_is_no_error_and_finds_what_is_there(session: Session, case: dict[str, Any]) -> None:
    query = case["query"]
    for prefix in (False, True):
        result = session.search(SearchRequest(query, prefix=prefix, explain=True))
        assert result.query == LONE_SURROGATE.sub("\ufffd", query)
        assert result.total >= len(result.hits)
        assert all(span.end <= len(hit.text) for hit in result.hits for span in hit.highlights)
        assert all(part.text == result.query[part.start : part.end] for part in result.parse)
        written = json.loads(to_json(search_json(result, explain=True)).encode())
        assert (written["query"], written["total"]) == (result.query, result.total)
        if "finds" in case:
            assert paths(result)[:1] == [case["finds"]] or case["finds"] in paths(result)[:3]
