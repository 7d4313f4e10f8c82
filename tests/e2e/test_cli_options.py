"""Every option does what it says: each of these fails where the option is read and then dropped."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.program import Run, found, ragspine

POND = """---
year: 2010
author: Ines Marlock
---
# The pond

Toads walk to the pond at night, and the pond is cold.
"""
CODE = "def toad():\n\tif night:\n\t\treturn 'pond'" + " + 'far along the same long line'" * 6 + "\n"


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the libraries `notes` and `more`: read it, copy it, but do not change it."""
    place = tmp_path_factory.mktemp("options")
    for name, files in {
        "notes": {"pond.md": POND, "toad.py": CODE},
        "more": {"frogs.md": "# Frogs\n\nA pond.\n"},
    }.items():
        (place / name).mkdir()
        for file, text in files.items():
            (place / name / file).write_text(text, encoding="utf-8")
        assert ragspine("add", place / name, "--home", place / "home").returncode == 0
    return place


def search(place: Path, *arguments: str) -> Run:
    """A search in the place's home."""
    return ragspine("search", "--home", place / "home", *arguments)


def test_fusion_decides_how_scores_become_one(place: Path) -> None:
    by = {spec: found(search(place, "pond", "--json", "--explain", "--fusion", spec)) for spec in ("score", "rrf")}
    assert {spec: value["fusion"] for spec, value in by.items()} == {"score": "score", "rrf": "rrf"}
    assert by["rrf"]["hits"][0]["score"] != by["score"]["hits"][0]["score"]


def test_extract_takes_a_condition_out_of_the_query(place: Path) -> None:
    query = ("pond", "Ines Marlock", "--json")
    assert found(search(place, *query))["filter"]["source"] == "none"
    value = found(search(place, *query, "--extract", "keyword"))
    assert value["filter"]["source"] == "extractor"
    assert {hit["document"] for hit in value["hits"]} == {"pond.md"}


def test_k_is_how_many_hits_are_shown_of_all_that_match(place: Path) -> None:
    assert len(found(search(place, "pond", "--json"))["hits"]) == 3
    value = found(search(place, "pond", "--json", "-k", "2"))
    assert ([hit["rank"] for hit in value["hits"]], value["total"]) == ([1, 2], 3)
    assert "3 passages, 2 shown" in search(place, "pond", "-k", "2").stderr


def test_a_library_that_cannot_be_searched_is_named_and_the_exit_code_is_three(place: Path, tmp_path: Path) -> None:
    shutil.copytree(place / "home", tmp_path / "home")
    with closing(sqlite3.connect(tmp_path / "home" / "ragspine.db")) as connection:
        connection.execute("UPDATE segments SET documents = X'01' WHERE id = (SELECT max(id) FROM segments)")
        connection.commit()
    run = search(tmp_path, "pond")
    assert (run.returncode, "pond.md" in run.stdout) == (3, True)
    assert "ragspine-tui: more: " in run.stderr
    value = found(search(tmp_path, "pond", "--json"))
    assert [problem["library_id"] for problem in value["errors"]] == ["more"]
    assert search(tmp_path, "pond", "-l", "notes").returncode == 0


def added(tmp_path: Path, *options: str) -> dict[str, Any]:
    """A folder of three files added with the options, as `libraries --json` has it."""
    folder, home = tmp_path / "folder", tmp_path / "home"
    folder.mkdir()
    (folder / "a.md").write_text("# Eins\n\nDie Kröten wandern.\n\n" + "Ein langer Absatz. " * 40, encoding="utf-8")
    (folder / "b.txt").write_text("heron\n", encoding="utf-8")
    (folder / "secret.txt").write_text("bittern\n", encoding="utf-8")
    run = ragspine("add", folder, "--home", home, *options)
    assert run.returncode == 0, run
    (library,) = found(ragspine("libraries", "--json", "--home", home))
    assert isinstance(library, dict)
    return library


def documents(tmp_path: Path, word: str) -> list[str]:
    """The documents in which a word is found."""
    return [hit["document"] for hit in found(search(tmp_path, word, "--json"))["hits"]]


def test_include_leaves_every_other_file_out(tmp_path: Path) -> None:
    library = added(tmp_path, "--include", "*.md", "--include", "b.*")
    assert (library["include"], library["documents"]) == (["*.md", "b.*"], 2)
    assert (documents(tmp_path, "heron"), documents(tmp_path, "bittern")) == (["b.txt"], [])


def test_restrict_keeps_the_text_out(tmp_path: Path) -> None:
    library = added(tmp_path, "--restrict", "secret.*")
    assert (library["restrict"], library["restricted"], library["documents"]) == (["secret.*"], 1, 2)
    assert documents(tmp_path, "bittern") == []
    assert not any(b"bittern" in file.read_bytes() for file in (tmp_path / "home").iterdir() if file.is_file())


@pytest.mark.parametrize(("label", "held"), [("public", 3), ("internal", 3), ("restricted", 0)])
def test_sensitivity_is_the_label_of_the_whole_library(tmp_path: Path, label: str, held: int) -> None:
    library = added(tmp_path, "--sensitivity", label)
    assert (library["sensitivity"], library["documents"]) == (label, held)


def test_the_chunker_decides_how_documents_are_cut(tmp_path: Path) -> None:
    library = added(tmp_path, "--chunker", "none")
    assert library["chunker"] == "none"
    (tmp_path / "other").mkdir()
    assert added(tmp_path / "other", "--chunker", "sentence_window")["chunks"] > library["chunks"]


def test_the_language_decides_which_endings_are_the_same_word(tmp_path: Path) -> None:
    library = added(tmp_path, "--language", "de")
    assert (library["language"], library["indexed_language"]) == ("de", "de")
    assert documents(tmp_path, "Kröte") == ["a.md"]
    (tmp_path / "other").mkdir()
    assert added(tmp_path / "other", "--language", "none")["indexed_language"] == "none"
    assert documents(tmp_path / "other", "Kröte") == []


def remark(place: Path, *conditions: str) -> str:
    """The last line that a search with conditions says."""
    given = [word for condition in conditions for word in ("-f", condition)]
    return search(place, "pond", *given).stderr.splitlines()[-1]


def test_a_field_that_no_document_has_is_said_with_the_nearest_one(place: Path) -> None:
    lists = "('ragspine-tui fields' lists what there is)"
    assert remark(place, "yaer = 2010") == (
        f"yaer = 2010: no document has a field 'yaer'; did you mean 'year = 2010'? {lists}"
    )
    assert remark(place, "kind = md", "Yaer = 2010") == (
        f"yaer = 2010: no document has a field 'yaer'; did you mean 'year = 2010'? {lists}"
    )
    assert remark(place, "zzz = 1") == f"zzz = 1: no document has a field 'zzz' {lists}"
    assert search(place, "pond", "-f", "yaer = 2010").returncode == 1
    assert "did you mean" not in search(place, "pond", "-f", "year = 2010").stderr
    assert "no document has" not in search(place, "pond", "-l", "more", "-f", "kind = py", "-f", "year = 1").stderr


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("size > 9", "size > 9: values are compared as text; did you mean 'size > 000000000009'?"),
        ("size > 9k", "size > 9k: values are compared as text; did you mean 'size > 000000009216'?"),
        ("modified <= 2025-01", "did you mean 'modified <= 2025-01-31T23:59:59Z'?"),
        ("year 2020..2005", "the first value comes after the second; did you mean 'year 2005..2020'?"),
        ("modified 2025..2024", "did you mean 'modified 2024..2025-12-31T23:59:59Z'?"),
        ("size 9k..1k", "the first value comes after the second; did you mean 'size 000000001024..000000009216'?"),
        ("year 9..10", "year 9..10: nothing can match: as text, '9' comes after '10'"),
    ],
)
def test_a_condition_that_misleads_is_said_in_one_line(place: Path, condition: str, told: str) -> None:
    assert remark(place, condition).endswith(told)


@pytest.mark.parametrize("condition", ["size > 000000000009", "year 2005..2020", "modified >= 2020", "kind = md"])
def test_a_condition_that_says_what_it_means_has_no_remark(place: Path, condition: str) -> None:
    run = search(place, "pond", "-f", condition)
    assert (run.returncode, "did you mean" in run.stderr) == (0, False)


def test_json_is_not_narrated(place: Path) -> None:
    assert search(place, "pond", "-f", "yaer = 1", "--json").stderr == ""


def test_sizes_are_plain_for_people_and_as_stored_for_programs(place: Path) -> None:
    size = (place / "notes" / "pond.md").stat().st_size
    condition = f"size = {size:012}"
    run = search(place, "pond", "-f", condition)
    assert f"filter: size = {size}: documents 3 → 1" in run.stderr
    value = found(search(place, "pond", "-f", condition, "--json"))
    assert (value["filter"]["text"], value["hits"][0]["fields"]["size"]) == (condition, f"{size:012}")
    assert f" {size} 1" in next(
        line for line in ragspine("fields", "--home", place / "home").stdout.splitlines() if line.startswith("size ")
    )


@pytest.mark.parametrize("query", ["", "  ", "[", "* ?", "..."])
def test_a_query_without_a_word_is_said_to_be_empty(place: Path, query: str) -> None:
    run = search(place, "--", query)
    assert (run.returncode, run.stdout) == (1, "")
    assert "the query is empty" in run.stderr


@pytest.mark.parametrize("query", ["pond", "zzz", "🐸", "昆布"])
def test_a_query_with_a_word_is_not(place: Path, query: str) -> None:
    assert "the query is empty" not in search(place, query).stderr


def test_a_pipe_has_the_lines_of_the_document(place: Path) -> None:
    lines = CODE.rstrip("\n").split("\n")
    hit = found(search(place, "toad", "-l", "notes", "-f", "kind = code", "--json"))["hits"][0]
    assert hit["text"].split("\n") == lines
    home = place / "home"
    assert ragspine("show", hit["chunk_id"], "--home", home).stdout.split("\n")[3:-1] == lines
    of_a_section = ragspine("show", hit["chunk_id"], "--parent", "--home", home).stdout.split("\n")[3:-1]
    assert of_a_section == [f"┃ {line}" for line in lines]
    for parent in ((), ("--parent",)):
        printed = search(place, "toad", "-f", "kind = code", *parent).stdout.split("\n")
        mark = "    ┃ " if parent else "    "
        assert printed[1 : 1 + len(lines)] == [mark + line for line in lines]


def test_a_plain_hit_is_one_line_however_long(place: Path) -> None:
    (line,) = search(place, "toad", "-f", "kind = code", "--plain").stdout.splitlines()
    assert line.split("\t")[-1] == " ".join(CODE.split())


def test_sort_and_recency_put_the_newest_first_and_say_so(tmp_path: Path) -> None:
    text = "---\ndate: {}\n---\n{}\n"
    (tmp_path / "notes").mkdir()
    for name, date, words in (("old", "2020-01-01", "toad toad toad"), ("new", "2026-01-01", "a toad by a cold pond")):
        (tmp_path / "notes" / f"{name}.md").write_text(text.format(date, words), encoding="utf-8")
    assert ragspine("add", tmp_path / "notes", "--home", tmp_path / "home").returncode == 0
    assert [hit["document"] for hit in found(search(tmp_path, "toad", "--json"))["hits"]] == ["old.md", "new.md"]
    for option in (("--sort", "date"), ("--recency", "365", "--today", "2026-06-01")):
        value = found(search(tmp_path, "toad", "--json", "--explain", *option))
        assert [hit["document"] for hit in value["hits"]] == ["new.md", "old.md"]
        for hit in value["hits"]:
            parts = sum(part["score"] for part in hit["explain"]["terms"])
            parts += hit["explain"].get("recency", {"score": 0.0})["score"]
            assert parts == pytest.approx(hit["score"], abs=1e-9)
    assert "newest first" in search(tmp_path, "toad", "--sort", "date").stderr
    said = search(tmp_path, "toad", "--explain", *option)
    assert "half as much every 365 days" in said.stderr
    assert any("recency" in line and "2026-01-01" in line for line in said.stdout.splitlines())
    for wrong in (("--sort", "size"), ("--recency", "0.5"), ("--recency", "soon"), ("--today", "yesterday")):
        run = search(tmp_path, "toad", *wrong)
        assert (run.returncode, len(run.stderr.splitlines())) == (2, 1), run.stderr


def test_all_copies_shows_each_as_a_hit(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    for name in ("one", "two", "three"):
        (tmp_path / "notes" / f"{name}.md").write_text("The same toad at the same pond.", encoding="utf-8")
    assert ragspine("add", tmp_path / "notes", "--home", tmp_path / "home").returncode == 0
    run = search(tmp_path, "toad")
    assert "    ×3, also in three.md:1, two.md:1" in run.stdout.splitlines()
    assert "3 passages, 2 are copies · " in run.stderr
    assert len(found(search(tmp_path, "toad", "--json", "--all-copies"))["hits"]) == 3


def test_like_searches_for_more_like_a_passage_and_says_by_which_words(place: Path) -> None:
    run = ragspine("like", "--home", place / "home", "notes:pond.md#c1", "--json")
    value = found(run)
    assert value["like"] == "notes:pond.md#c1"
    assert {hit["document"] for hit in value["hits"]} == {"frogs.md", "toad.py"}
    said = ragspine("like", "--home", place / "home", "notes:pond.md#c1", "-l", "more", "--plain")
    assert [line.split("\t")[2] for line in said.stdout.splitlines()] == ["frogs.md"]
    assert f"its words: {value['query']}" in said.stderr.splitlines()
    assert "like notes:pond.md#c1" in said.stderr
    gone = ragspine("like", "--home", place / "home", "notes:pond.md#c99")
    assert (gone.returncode, len(gone.stderr.splitlines())) == (2, 1)
