"""Spelling suggestions: from the libraries' own words, never from what is restricted, never a stem."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ragspine_tui.retrieval.filtering.metadata_filter import MetadataFilter
from ragspine_tui.types import SearchRequest, Suggestion
from tests.homes import find, indexed, open_session, write_files

FILES = {
    "a.md": "# Herons\n\nThe herons stood in universities, café and Straßen. parseHttpRequest DEC-0054 NASA 12345.",
    "b.md": "# Weirs\n\nA weir of PostgreSQL, and zebras. Organisations organise. Herons again.",
    "c.md": "# ウェブ\n\n台所の鍋 кухня",
}


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("hernos", "herons"),
        ("ehrons", "herons"),
        ("Hernos", "herons"),
        ("zebars at the weir", "zebras at the weir"),
        ("univresities", "universities"),
        ("cafés caffé", "cafés café"),
        ("straßn", "straßen"),
        ("кухнф", "кухня"),
        ("postgressql at the weir", "postgresql at the weir"),
        ("+hernos -owls", "+herons -owls"),
        ('"hernos stood" tags:x', '"herons stood" tags:x'),
        ("title:hernos", "title:herons"),
        ("hernos hernos", "herons herons"),
        ("HERNOS", "herons"),
    ],
)
def test_a_word_found_nowhere_is_respelled_in_its_place(tmp_path: Path, query: str, meant: str) -> None:
    with indexed(tmp_path, FILES) as session:
        assert find(session, query).did_you_mean == meant


@pytest.mark.parametrize(
    "query",
    [
        "herons",
        "12354",
        "DEC-0053",
        "parseHttpRequets",
        "the NSAA herons",
        "hro",
        "台鍋",
        "a@b.com",
        "qqqqqqq",
        "",
        "-hernos",
    ],
)
def test_numbers_identifiers_acronyms_short_words_and_characters_are_left_as_they_are(
    tmp_path: Path, query: str
) -> None:
    with indexed(tmp_path, FILES) as session:
        result = find(session, query)
    assert (result.suggestions, result.did_you_mean) == ((), "")


def test_a_stem_is_no_word_and_is_never_suggested(tmp_path: Path) -> None:
    with indexed(tmp_path, FILES) as session:
        # `univers` and `organis` are the stems that the index has.
        for typed in ("univres", "univrs", "orgnais"):
            for suggestion in find(session, typed).suggestions:
                assert not {"univers", "organis"} & set(suggestion.words)


def test_the_nearest_word_comes_first_then_the_more_frequent_one(tmp_path: Path) -> None:
    files = {"a.md": "beech", "b.md": "bench", "c.md": "bench again", "d.md": "benches belch"}
    with indexed(tmp_path, files) as session:
        assert find(session, "bemch").suggestions == (Suggestion("bemch", ("bench", "beech", "belch")),)


def test_words_of_a_restricted_document_are_never_suggested(tmp_path: Path) -> None:
    secret = {"secret.md": "---\nsensitivity: restricted\n---\nThe zanzibar dossier"}
    with indexed(tmp_path, {**FILES, **secret}) as session:
        assert find(session, "zanzibat").suggestions == ()
    with indexed(tmp_path / "open", {**FILES, "open.md": "The zanzibar dossier"}) as session:
        assert find(session, "zanzibat").did_you_mean == "zanzibar"
        session.restrict("lib", ["open.md"])
        assert find(session, "zanzibat").suggestions == ()


def test_suggestions_do_not_depend_on_how_the_index_grew(tmp_path: Path) -> None:
    with indexed(tmp_path, FILES) as session:
        fresh = [find(session, query).suggestions for query in ("hernos", "zebars", "univresities")]
    with open_session(tmp_path / "grown") as session:
        folder = tmp_path / "lib2"
        session.add(write_files(folder, {"b.md": FILES["b.md"], "gone.md": "hernis"}), library_id="lib")
        session.index()
        write_files(folder, FILES)
        (folder / "gone.md").unlink()
        session.index()
        assert [find(session, query).suggestions for query in ("hernos", "zebars", "univresities")] == fresh


def test_a_search_that_finds_all_its_words_loads_no_fuzzy_matching(tmp_path: Path) -> None:
    loaded = [name for name in sys.modules if name.partition(".")[0] == "rapidfuzz"]
    for name in loaded:
        del sys.modules[name]
    with indexed(tmp_path, FILES) as session:
        find(session, "herons")
        assert "rapidfuzz" not in sys.modules
        find(session, "hernos")
        assert "rapidfuzz" in sys.modules


def test_a_suggestion_is_made_where_other_words_hit(tmp_path: Path) -> None:
    with indexed(tmp_path, FILES) as session:
        result = find(session, "hernos weir")
    assert result.hits
    assert result.suggestions == (Suggestion("hernos", ("herons",)),)
    assert result.did_you_mean == "herons weir"


def test_a_query_of_conditions_lists_the_documents_newest_first(tmp_path: Path) -> None:
    dated = {
        "z.md": "---\ntags: bird\ndate: 2024-05-01\n---\nOne",
        "b/old.md": "---\ntags: bird\ndate: 2021-05-01\n---\nTwo heron",
        "a.md": "---\ntags: bird\n---\nThree",
        "a2.md": "---\ntags: bird\ndate: 2021-05-01\n---\nFour",
        "other.md": "---\ntags: fish\ndate: 2025-05-01\n---\nFive",
    }
    with indexed(tmp_path, dated) as session:
        result = find(session, "tags:bird")
        assert [hit.document for hit in result.hits] == ["z.md", "a2.md", "b/old.md", "a.md"]
        assert {hit.score for hit in result.hits} == {0.0}
        assert result.total == 4
        assert [hit.document for hit in find(session, "tags:bird", limit=2).hits] == ["z.md", "a2.md"]
        assert [hit.document for hit in find(session, "tags:bird -heron").hits] == ["z.md", "a2.md", "a.md"]
        assert [step.documents for step in result.filter.steps] == [5, 4]
        assert find(session, "lib:lib").total == 5
        explained = session.search(SearchRequest("tags:bird", explain=True))
        assert explained.hits[0].explain is not None
        assert explained.hits[0].explain.terms == ()


def test_several_libraries_are_listed_together_by_date(tmp_path: Path) -> None:
    with open_session(tmp_path / "home") as session:
        for name, years in (("one", (2020, 2022)), ("two", (2021, 2023))):
            files = {f"{year}.md": f"---\nkindred: yes\ndate: {year}-01-01\n---\nText" for year in years}
            session.add(write_files(tmp_path / name, files), library_id=name)
        session.index()
        for fusion in ("score", "rrf"):
            hits = session.search(SearchRequest("date>2000", fusion=fusion)).hits
            assert [hit.document for hit in hits] == ["2023.md", "2022.md", "2021.md", "2020.md"]
        chosen = find(session, "lib:two date>2000")
        assert {hit.library_id for hit in chosen.hits} == {"two"}
        assert [one.library_id for one in chosen.route.libraries] == ["two"]
        assert {hit.library_id for hit in find(session, "lib:two lib:one text").hits} == {"one", "two"}


def test_conditions_of_the_query_narrow_a_filter_of_alternatives(tmp_path: Path) -> None:
    files = {
        f"{number}.md": f"---\ntag: {tag}\nyear: {year}\n---\nheron"
        for number, (tag, year) in enumerate([("a", 1), ("b", 1), ("b", 2), ("c", 2)])
    }
    with indexed(tmp_path, files) as session:
        conditions = (session.parse_condition("tag = a"), session.parse_condition("tag = b"))
        result = session.search(SearchRequest("heron year:2", conditions=conditions, combine="or"))
        expected = MetadataFilter(conditions, "or", (session.parse_condition("year = 2"),))
    assert [hit.document for hit in result.hits] == ["2.md"]
    assert result.filter.text == "(tag = a or tag = b) and year = 2" == str(expected)
    assert [step.documents for step in result.filter.steps] == [4, 1, 3, 1]
    assert result.filter.source == "user"
