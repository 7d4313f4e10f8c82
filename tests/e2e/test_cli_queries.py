"""The query language from a shell: what is printed, what stderr says, the exit code, the JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.program import Run, found, ragspine

FILES = {
    "heron.md": "---\ntags: [bird, winter]\ndate: 2024-01-05\n---\n# A grey heron\n\nThe grey heron stands. A weir.\n",
    "owl.md": "---\ntags: bird\ndate: 2023-11-01\n---\n# Owls\n\nThe heron is grey and the owl is not.\n",
    "code.md": "# Code\n\nRun tar -x and get_user_name() of C++.\n",
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with one library; read it, but do not change it."""
    place = tmp_path_factory.mktemp("queries")
    (place / "notes").mkdir()
    for name, text in FILES.items():
        (place / "notes" / name).write_text(text, encoding="utf-8")
    assert ragspine("add", place / "notes", "--home", place / "home").returncode == 0
    return place / "home"


def search(home: Path, *arguments: str) -> Run:
    """A search in the home."""
    return ragspine("search", "--home", home, *arguments)


def documents(run: Run) -> list[str]:
    """The documents of a plain search."""
    return [line.split("\t")[2] for line in run.stdout.splitlines()]


@pytest.mark.parametrize(
    ("query", "right"),
    [
        ('"grey heron"', ["heron.md"]),
        ("heron -owl", ["heron.md"]),
        ("+owl heron", ["owl.md"]),
        ("tags:bird", ["heron.md", "owl.md"]),
        ("date>=2024 heron", ["heron.md"]),
        ("title:owls", ["owl.md"]),
        ("grey NEAR/1 heron", ["heron.md"]),
        ("lib:notes owl", ["owl.md"]),
        ("get_us*", ["code.md"]),
        ("tar -x", ["code.md"]),
        ("C++", ["code.md"]),
    ],
)
def test_an_operator_narrows_what_is_printed(home: Path, query: str, right: list[str]) -> None:
    run = search(home, "--plain", "--", query)
    assert run.returncode == 0
    assert documents(run) == right


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("-heron", "the query only says what to leave out: add a word to search for"),
        ('"heron owl"', 'no document has "heron owl"'),
        ("owls -grey", "without what - leaves out: 1 passage"),
        ("owl tags:winter", "without the filter: 1 passage"),
        ("hreon", "did you mean: heron"),
        ("zzzz", "nowhere in these libraries: zzzz"),
    ],
)
def test_a_search_without_hits_says_why(home: Path, query: str, line: str) -> None:
    run = search(home, "--", query)
    assert (run.returncode, run.stdout) == (1, "")
    assert line in run.stderr.splitlines()


def test_what_was_not_understood_is_said_beside_the_hits(home: Path) -> None:
    run = search(home, 'heron colour:red "open')
    assert run.returncode == 0
    assert "no document has a field colour: colour:red is searched as text" in run.stderr
    assert 'a quote is not closed: what follows " is searched as text' in run.stderr


def test_json_tells_how_the_query_was_read_only_where_there_is_something_to_tell(home: Path) -> None:
    plain = found(search(home, "heron", "--json"))
    assert {"parse", "notes", "suggestions", "did_you_mean", "narrowed", "match"}.isdisjoint(plain)
    value = found(search(home, '"grey heron" +stands hreon', "--json"))
    assert value["parse"] == [
        {"kind": "phrase", "text": '"grey heron"', "start": 0, "end": 12},
        {"kind": "required", "text": "+stands", "start": 13, "end": 20},
        {"kind": "word", "text": "hreon", "start": 21, "end": 26},
    ]
    assert value["suggestions"] == [{"word": "hreon", "words": ["heron"]}]
    assert value["did_you_mean"] == '"grey heron" +stands heron'
    nothing = found(search(home, "owl tags:winter", "--json"))
    assert nothing["narrowed"] == {"without_filter": 1, "without_excluded": 0, "elsewhere": 0}


def test_all_words_asks_for_every_word_in_option_variable_and_file(home: Path, tmp_path: Path) -> None:
    words = ("weir", "owl", "heron")
    assert documents(search(home, "--plain", *words)) != []
    run = search(home, "--plain", "--all-words", *words)
    assert (run.returncode, run.stdout) == (1, "")
    assert "all words" in run.stderr
    assert ragspine("search", "--home", home, *words, env={"RAGSPINE_MATCH": "all"}).returncode == 1
    assert found(search(home, "--all-words", "--json", "grey", "weir"))["match"] == "all"


def test_literal_takes_every_sign_as_text(home: Path) -> None:
    query = '-heron "grey owl" tags:bird'
    assert search(home, "--plain", "--", query).returncode == 1
    run = search(home, "--plain", "--literal", "--", query)
    assert set(documents(run)) >= {"heron.md", "owl.md"}
    assert "parse" not in found(search(home, "--json", "--literal", "--", query))


def test_a_query_s_condition_is_remarked_on_like_an_option_s(home: Path) -> None:
    told = "no document has a field 'colour'"
    assert told in search(home, "heron", "-f", "colour = red").stderr
    assert "nothing can match" in search(home, "heron date:2025..2024").stderr


@pytest.mark.parametrize(
    ("query", "tags"),
    [
        ("heron", {"bird": 2, "winter": 1}),
        ("heron -owl", {"bird": 1, "winter": 1}),
        ("date<2024", {"bird": 1}),
        ("tar", {}),
    ],
)
def test_fields_of_a_query_count_the_documents_it_finds(home: Path, query: str, tags: dict[str, int]) -> None:
    run = ragspine("fields", "--home", home, "--json", f"--query={query}")
    fields = {field["field"]: field for field in found(run)}
    assert {one["value"]: one["documents"] for one in fields.get("tags", {"values": []})["values"]} == tags
    assert "md" in ragspine("fields", "--home", home, "-q", query).stdout


def test_fields_of_a_query_that_finds_nothing_say_so_as_a_search_does(home: Path) -> None:
    run = ragspine("fields", "--home", home, "-q", "herons NOWHEREX -weir +absentx")
    assert (run.returncode, run.stdout) == (1, "")
    assert "absentx" in run.stderr
    run = ragspine("fields", "--home", home, "-q", "absentx", "--json")
    assert (run.returncode, run.stdout) == (1, "[]\n")
