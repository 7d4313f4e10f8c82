"""The program as a person or a script runs it: real files, real processes, the documented exit codes."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.program import Run, found, ragspine, refused

RIVER = """---
title: The dippers under the weir
date: 2024-05-12
tags: [birds, river]
---
# The dippers under the weir

The nest is behind the curtain of water, on an iron bracket.

## Feeding

The pair came in with food every four minutes.
"""


@pytest.fixture(scope="session")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `home` and `notes` in it, indexed: read it, copy it, but do not change it."""
    place = tmp_path_factory.mktemp("indexed")
    notes = place / "notes"
    (notes / "kitchen").mkdir(parents=True)
    (notes / "weir.md").write_text(RIVER, encoding="utf-8")
    (notes / "toads.md").write_text("# Toads\n\nThe toads walk down to the mill pond at night.\n", encoding="utf-8")
    (notes / "kitchen" / "出汁.md").write_text("# 出汁\n\n昆布は沸く前に引き上げます。\n", encoding="utf-8")
    run = ragspine("add", notes, "--home", place / "home", "--description", "birds and toads on the river")
    assert run.returncode == 0, run
    assert re.fullmatch(r"notes: 3 documents, \d chunks \(files: 3 new\)\n", run.stdout)
    return place


@pytest.fixture
def own(indexed: Path, tmp_path: Path) -> Path:
    """The same, indexed where it may be changed."""
    shutil.copytree(indexed / "notes", tmp_path / "notes")
    assert ragspine("add", tmp_path / "notes", "--home", tmp_path / "home").returncode == 0
    return tmp_path


Search = Callable[..., Run]


@pytest.fixture
def search(indexed: Path) -> Search:
    """Searches the indexed notes."""

    def run(*arguments: str, **rest: Any) -> Run:
        return ragspine("search", "--home", indexed / "home", *arguments, **rest)

    return run


def test_a_search_prints_where_and_what_and_narrates_on_stderr(search: Search) -> None:
    run = search("dippers", "nest")
    assert run.returncode == 0
    lines = run.stdout.splitlines()
    assert lines[0].startswith(" 1  notes › weir.md:")
    assert "The dippers under the weir" in lines[0]
    assert "    The nest is behind the curtain of water, on an iron bracket." in lines
    assert "economy · in notes" in run.stderr
    assert "\x1b" not in run.stdout + run.stderr


def test_a_search_as_json_has_the_literal_text_and_spans(search: Search, indexed: Path) -> None:
    run = search("dippers", "--json")
    value = found(run)
    hit = value["hits"][0]
    assert (hit["rank"], hit["library_id"], hit["document"]) == (1, "notes", "weir.md")
    assert hit["text"] in (indexed / "notes" / "weir.md").read_text(encoding="utf-8")
    assert {hit["text"][start:end].lower() for start, end in hit["highlights"]} == {"dippers"}
    assert "parent" not in hit
    assert "explain" not in hit


def test_parent_and_explain_are_there_when_asked_for(search: Search) -> None:
    hit = found(search("food", "--json", "--parent", "--explain"))["hits"][0]
    start, end = hit["parent"]["child"]
    assert hit["parent"]["text"][start:end] == hit["text"]
    assert hit["explain"]["library_rank"] == 1
    assert any(part["term"] == "food" and part["tf"] == 1 for part in hit["explain"]["terms"])


def test_the_parent_marks_the_passage_and_explain_prints_a_table(search: Search) -> None:
    run = search("food", "--parent", "--explain")
    assert "    ┃ The pair came in with food every four minutes." in run.stdout.splitlines()
    assert any(line.split() == ["term", "field", "tf", "df", "idf", "score"] for line in run.stdout.splitlines())


def test_plain_output_is_one_line_a_hit(search: Search) -> None:
    rows = [line.split("\t") for line in search("the", "--plain").stdout.splitlines()]
    assert [row[0] for row in rows] == [str(rank) for rank in range(1, len(rows) + 1)]
    assert {row[1] for row in rows} == {"notes"}
    assert {row[2] for row in rows} == {"weir.md", "toads.md"}
    assert all(len(row) == 5 and row[3].isdigit() for row in rows)


def test_nothing_found_is_valid_json_and_exit_code_one(search: Search) -> None:
    run = search("zzz", "--json")
    value = found(run)
    assert (run.returncode, value["hits"], value["total"], value["unknown_terms"]) == (1, [], 0, ["zzz"])
    assert run.stderr == ""


@pytest.mark.parametrize(
    "query", ["[", "*", '"unclosed', "a AND", "NOT", "foo(bar", "\\", "", "🐸", "don't", "x" * 10_000]
)
def test_no_query_is_an_error(search: Search, query: str) -> None:
    run = search("--json", "--", query)
    assert run.returncode in (0, 1)
    assert found(run)["query"] == query


def test_counting_only_says_whether_anything_matches(search: Search) -> None:
    run = search("toads", "-k", "0", "--json")
    assert (run.returncode, found(run)["hits"], found(run)["total"]) == (0, [], 1)
    run = search("toads", "-k", "0")
    assert (run.returncode, run.stdout) == (0, "")
    assert "1 passage, 0 shown" in run.stderr
    assert search("zzz", "-k", "0").returncode == 1


def test_a_very_long_query_is_narrated_in_short_and_kept_in_json(search: Search) -> None:
    words = " ".join("unheard" + "x" * number for number in range(500))
    run = search("toads", words)
    assert run.returncode == 0
    assert "and 490 more" in run.stderr
    assert len(run.stderr) < 1_000
    value = found(search("toads", words, "--json"))
    assert (value["query"], len(value["unknown_terms"])) == (f"toads {words}", 500)


def test_the_same_search_gives_the_same_bytes(search: Search) -> None:
    runs = {
        search("river birds 昆布", "--json", "--explain", "--parent", env={"PYTHONHASHSEED": seed}).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1


def test_japanese_is_printed_whatever_the_locale_says(search: Search) -> None:
    for locale in ({"LC_ALL": "C"}, {"LC_ALL": "POSIX", "PYTHONIOENCODING": "ascii"}):
        run = search("昆布", env=locale)
        assert run.returncode == 0
        assert "kitchen/出汁.md" in run.stdout
        assert "昆布は沸く前に引き上げます。" in run.stdout


def test_a_filter_narrows_and_an_empty_one_says_why(search: Search) -> None:
    hits = found(search("the", "-f", "date >= 2024-05", "--json"))["hits"]
    assert {hit["document"] for hit in hits} == {"weir.md"}
    run = search("the", "-f", "colour = red")
    assert (run.returncode, run.stdout) == (1, "")
    assert "3 → 0" in run.stderr
    assert "3 have no colour" in run.stderr
    either = found(search("the", "-f", "colour = red", "-f", "kind = md", "--any-filter", "--json"))
    assert either["total"] > 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("river", "-f", "year >="), "year >="),
        (("river", "-k", "-1"), "-k"),
        (("river", "-k", "many"), "-k"),
        (("river", "-l", "nowhere"), "nowhere"),
        (("river", "--mode", "psychic"), "economy"),
        (("river", "--route", "psychic"), "keyword"),
        (("river", "--fusion", "psychic"), "rrf"),
        (("river", "--extract", "psychic"), "keyword"),
        (("river", "--colour"), "--colour"),
        ((), "QUERY"),
    ],
)
def test_wrong_usage_is_one_line_that_says_what_was_expected(
    search: Search, arguments: tuple[str, ...], told: str
) -> None:
    assert told in refused(search(*arguments), 2)


def test_routing_says_which_word_chose_the_library(search: Search) -> None:
    run = search("toads", "--route", "keyword")
    assert "routed: notes (toad" in run.stderr
    route = found(search("unheard", "--route", "keyword", "--json"))["route"]
    assert route["fallback"] is True


def test_show_prints_the_passage_by_its_id(search: Search, indexed: Path) -> None:
    home = indexed / "home"
    hit = found(search("food", "--json"))["hits"][0]
    value = found(ragspine("show", hit["chunk_id"], "--home", home, "--json", "--parent"))
    assert value["text"] == hit["text"]
    assert Path(value["file"]) == indexed / "notes" / "weir.md"
    start, end = value["parent"]["child"]
    assert value["parent"]["text"][start:end] == hit["text"]
    run = ragspine("show", hit["chunk_id"], "--home", home, "--parent")
    assert "┃ The pair came in with food every four minutes." in run.stdout
    assert "notes:absent.md#c1" in refused(ragspine("show", "notes:absent.md#c1", "--home", home), 2)


def test_fields_lists_values_with_counts(indexed: Path) -> None:
    home = indexed / "home"
    fields = {field["field"]: field for field in found(ragspine("fields", "--home", home, "--json"))}
    assert fields["kind"]["values"] == [{"value": "md", "documents": 3}]
    assert fields["date"]["documents"] == 1
    assert "md 3" in ragspine("fields", "-l", "notes", "--home", home).stdout


def test_libraries_lists_what_is_indexed(indexed: Path) -> None:
    home = indexed / "home"
    (library,) = found(ragspine("libraries", "--home", home, "--json"))
    assert (library["library_id"], library["documents"], library["problems"]) == ("notes", 3, 0)
    assert Path(library["root"]) == indexed / "notes"
    head, row = ragspine("libraries", "--home", home).stdout.splitlines()
    assert head.split()[:3] == ["library", "documents", "chunks"]
    assert row.split()[:2] == ["notes", "3"]


def test_a_home_may_have_spaces_and_stand_before_the_command(tmp_path: Path) -> None:
    home = tmp_path / "my own home"
    run = ragspine("--home", home, "libraries")
    assert (run.returncode, run.stdout) == (0, "")
    assert "no libraries yet" in run.stderr
    assert found(ragspine("libraries", "--json", env={"RAGSPINE_HOME": str(home)})) == []


def test_adding_without_indexing_and_then_indexing(tmp_path: Path) -> None:
    home, notes = tmp_path / "home", tmp_path / "Field Notes"
    notes.mkdir()
    (notes / "a.md").write_text("# One\n\nalpha\n", encoding="utf-8")
    (notes / "b.txt").write_text("beta\n", encoding="utf-8")
    run = ragspine("add", notes, "--home", home, "--id", "mine", "--title", "Mine", "--exclude", "*.txt", "--no-index")
    assert (run.returncode, run.stdout) == (0, "")
    assert ragspine("search", "alpha", "--home", home).returncode == 1
    assert ragspine("index", "mine", "--home", home).stdout == "mine: 1 document, 1 chunk (files: 1 new)\n"
    assert ragspine("index", "--home", home).stdout == "mine: 1 document, 1 chunk (files: 1 unchanged)\n"
    assert ragspine("index", "--rebuild", "--home", home).stdout.startswith("mine: 1 document, 1 chunk (files: 1 ")


def test_describing_and_removing_leaves_the_files(own: Path) -> None:
    home = own / "home"
    run = ragspine("describe", "notes", "--title", "River", "--description", "of birds", "--json", "--home", home)
    assert (found(run)["title"], found(run)["description"]) == ("River", "of birds")
    assert "River" in ragspine("describe", "notes", "--home", home).stdout
    assert ragspine("remove", "notes", "--home", home).returncode == 0
    assert found(ragspine("libraries", "--json", "--home", home)) == []
    assert (own / "notes" / "weir.md").read_text(encoding="utf-8") == RIVER


@pytest.mark.parametrize(
    "arguments",
    [
        ("index", "absent"),
        ("describe", "absent"),
        ("remove", "absent"),
        ("problems", "absent"),
        ("restrict", "absent", "a.md"),
        ("unrestrict", "absent", "a.md"),
        ("fields", "-l", "absent"),
    ],
)
def test_an_unknown_library_is_one_line(indexed: Path, arguments: tuple[str, ...]) -> None:
    assert "absent" in refused(ragspine(*arguments, "--home", indexed / "home"), 2)


def test_what_cannot_be_added_is_one_line(indexed: Path, tmp_path: Path) -> None:
    home, notes = indexed / "home", indexed / "notes"
    assert "absent" in refused(ragspine("add", tmp_path / "absent", "--home", home), 2)
    assert "notes" in refused(ragspine("add", notes, "--home", home), 2)
    assert "psychic" in refused(ragspine("add", tmp_path, "--chunker", "psychic", "--home", home), 2)
    assert "tlh" in refused(ragspine("add", tmp_path, "--language", "tlh", "--home", home), 2)
    assert "No Id" in refused(ragspine("add", tmp_path, "--id", "No Id", "--home", home), 2)
    assert [library["library_id"] for library in found(ragspine("libraries", "--json", "--home", home))] == ["notes"]


def test_a_file_that_cannot_be_read_is_listed_and_the_others_are_found(tmp_path: Path) -> None:
    home, notes = tmp_path / "home", tmp_path / "notes"
    notes.mkdir()
    (notes / "good.md").write_text("alpha\n", encoding="utf-8")
    (notes / "gone.md").symlink_to(tmp_path / "nowhere.md")
    (notes / "bad.txt").write_bytes(b"\x00\x01\x02\x03" * 300)
    run = ragspine("add", notes, "--home", home)
    assert run.returncode == 3
    assert run.stdout.splitlines() == [
        "notes: 1 document, 1 chunk (files: 2 new, 2 not read)",
        "2 files not read: 1 link, 1 txt; 'ragspine-tui problems notes' lists them",
    ]
    assert ragspine("search", "alpha", "--home", home).returncode == 0
    problems = {problem["document"]: problem for problem in found(ragspine("problems", "--home", home, "--json"))}
    assert problems["bad.txt"]["reason"]
    assert "bad.txt" in ragspine("problems", "notes", "--home", home).stdout


def test_what_was_not_read_is_tried_again_when_asked(tmp_path: Path) -> None:
    home, notes = tmp_path / "home", tmp_path / "notes"
    notes.mkdir()
    (notes / "long.txt").write_text("a heron\n" * 150_000, encoding="utf-8")
    small = {"RAGSPINE_MAX_FILE_MB": "1"}
    assert "too large" in ragspine("add", notes, "--home", home, env=small).stdout
    assert [one["status"] for one in found(ragspine("problems", "--home", home, "--json"))] == ["too_large"]
    assert found(ragspine("problems", "--retry", "--home", home, "--json")) == []
    assert ragspine("search", "heron", "--home", home).returncode == 0


def test_of_many_files_that_are_not_read_the_kinds_are_counted_and_a_few_are_named(tmp_path: Path) -> None:
    home, notes = tmp_path / "home", tmp_path / "notes"
    notes.mkdir()
    (notes / "good.md").write_text("alpha\n", encoding="utf-8")
    for number in range(30):
        (notes / f"old-{number}.7z").write_bytes(b"7z\xbc\xaf\x27\x1c" + bytes(60))
    for number in range(12):
        (notes / f"bare-{number:02}.html").write_text("<script>beta()</script>\n", encoding="utf-8")
    run = ragspine("add", notes, "--home", home)
    first, second, blank, head, *rows = run.stdout.splitlines()
    assert run.returncode == 3
    assert first == "notes: 1 document, 1 chunk (files: 43 new, 42 not read)"
    assert second == "42 files not read: 30 7z, 12 no text; 'ragspine-tui problems notes' lists them"
    assert (blank, head.split()) == ("", ["library", "document", "status", "reason"])
    assert [row.split()[1] for row in rows[:-1]] == [f"bare-{number:02}.html" for number in range(10)]
    assert rows[-1] == "and 2 more"
    assert len(found(ragspine("problems", "--home", home, "--json"))) == 42


def test_a_remark_on_a_file_that_was_read_is_kept_for_problems(tmp_path: Path) -> None:
    home, notes = tmp_path / "home", tmp_path / "notes"
    notes.mkdir()
    (notes / "latin.txt").write_bytes("Über die Fähre, für später, größer als früher: schön.\n".encode("cp1252") * 9)
    run = ragspine("add", notes, "--home", home)
    assert (run.returncode, run.stdout) == (0, "notes: 1 document, 2 chunks (files: 1 new)\n")
    assert "latin.txt  indexed" in ragspine("problems", "--home", home).stdout


def test_a_changed_file_is_said_to_be_stale_until_the_next_update(own: Path) -> None:
    home = own / "home"
    (own / "notes" / "toads.md").write_text("# Toads\n\nNo more toads at the pond; newts instead.\n", encoding="utf-8")
    (own / "notes" / "kitchen" / "出汁.md").unlink()
    for query in ("toads", "昆布"):
        run = ragspine("search", query, "--home", home, "--json")
        assert (run.returncode, found(run)["hits"][0]["stale"]) == (3, True)
    assert "[file changed or gone]" in ragspine("search", "toads", "--home", home).stdout
    assert ragspine("index", "--home", home).stdout.endswith("(files: 1 changed, 1 removed, 1 unchanged)\n")
    assert ragspine("search", "newts", "--home", home).returncode == 0
    assert ragspine("search", "昆布", "--home", home).returncode == 1


def test_a_folder_that_is_away_keeps_everything_and_says_so(own: Path) -> None:
    home, notes = own / "home", own / "notes"
    notes.rename(own / "away")
    run = ragspine("index", "--home", home)
    assert run.returncode == 3
    assert run.stdout.startswith("notes: 3 documents, ")
    assert "offline" in run.stdout
    assert found(ragspine("libraries", "--home", home, "--json"))[0]["offline"] is True
    assert ragspine("search", "toads", "--home", home).returncode == 3
    (own / "away").rename(notes)
    assert ragspine("index", "--home", home).returncode == 0
    assert ragspine("search", "toads", "--home", home).returncode == 0


def test_restricted_text_leaves_the_database_and_comes_back(own: Path) -> None:
    home = own / "home"
    run = ragspine("restrict", "notes", own / "notes" / "toads.md", "--home", home)
    assert (run.returncode, run.stderr) == (0, "notes: 1 document restricted\n")
    assert ragspine("search", "toads", "--home", home).returncode == 1
    assert not any(b"mill pond" in file.read_bytes() for file in home.iterdir() if file.is_file())
    assert ragspine("restrict", "notes", "absent/*", "--home", home).returncode == 3
    assert ragspine("unrestrict", "notes", own / "notes" / "toads.md", "--home", home).returncode == 0
    assert ragspine("search", "toads", "--home", home).returncode == 0
    assert "is not in the library" in refused(ragspine("restrict", "notes", own / "home", "--home", home), 2)


def test_a_damaged_database_is_one_line_and_exit_code_four(own: Path) -> None:
    (own / "home" / "ragspine.db").write_bytes(b"this is no database, whatever its name says" * 200)
    for extra in own.glob("home/ragspine.db-*"):
        extra.unlink()
    refused(ragspine("search", "toads", "--home", own / "home"), 4)


def test_a_database_of_a_newer_program_is_left_alone(own: Path) -> None:
    database = own / "home" / "ragspine.db"
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA user_version = 99")
    assert "newer" in refused(ragspine("search", "toads", "--home", own / "home"), 4)
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (99,)


def test_the_interface_needs_a_terminal(tmp_path: Path) -> None:
    assert "needs a terminal" in refused(ragspine("--home", tmp_path), 2)


def test_the_program_tells_its_version_and_its_commands() -> None:
    assert ragspine("--version").stdout.startswith("ragspine-tui ")
    assert "search" in ragspine("--help").stdout
    assert "no-such" in refused(ragspine("no-such"), 2)
