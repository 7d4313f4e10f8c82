from pathlib import Path

import pytest

from ragspine_tui.errors import UsageError
from ragspine_tui.synonyms import load_synonyms
from ragspine_tui.types import SearchRequest
from tests.homes import indexed, paths, write_files

NOTES = {
    "a.md": "---\nlanguage: ja\n---\n# 鷺\n\nThe heron, 鷺.",
    "b.md": "---\nlanguage: en\n---\n# Heron\n\nThe heron.",
}


def test_a_home_without_the_file_has_no_synonyms(tmp_path: Path) -> None:
    assert load_synonyms(tmp_path) == {}


def test_each_word_stands_for_a_field_and_a_value(tmp_path: Path) -> None:
    write_files(tmp_path, {"synonyms.toml": '[language]\njapanese = "ja"\n"日本語" = "ja"\n[kind]\nnote = "md"\n'})
    assert load_synonyms(tmp_path) == {
        "japanese": ("language", "ja"),
        "日本語": ("language", "ja"),
        "note": ("kind", "md"),
    }


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[language", "not valid TOML"),
        (b"\xff\xfe", "not UTF-8"),
        (b'japanese = "ja"', "is no table"),
        (b"[year]\nnow = 2024", "must stand for one text"),
        (b"[year]\nnow = " + b"[" * 2_000, "nested too deeply"),
        (b"[year]\n" + b"n" * 100_000 + b" = 2024", "must stand for one text"),
    ],
    ids=lambda value: value[:20],
)
def test_a_wrong_file_is_told_in_one_line(tmp_path: Path, content: bytes, said: str) -> None:
    write_files(tmp_path, {"synonyms.toml": content})
    with pytest.raises(UsageError, match=said) as caught:
        load_synonyms(tmp_path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < len(str(tmp_path)) + 300


@pytest.mark.parametrize(
    ("line", "mending"),
    [
        ('冬 = "winter"', 'put the word in quotes: "冬" = ...'),
        ('  寒い日="winter"', 'put the word in quotes: "寒い日" = ...'),
        ('very cold = "winter"', 'put the word in quotes: "very cold" = ...'),
        ("[季節]", 'put the word in quotes: ["季節"]'),
        ("cold = winter", 'put the value in quotes: ... = "winter"'),
        ("cold = 冬 # as we say", 'put the value in quotes: ... = "冬"'),
        ('cold = "winter', "mend that line"),
        ("[tags", "mend that line"),
    ],
)
def test_a_word_without_quotes_is_told_to_be_put_in_quotes(tmp_path: Path, line: str, mending: str) -> None:
    write_files(tmp_path, {"synonyms.toml": f'[tags]\nwarm = "summer"\n{line}\nwet = "rain"\n'})
    with pytest.raises(UsageError) as caught:
        load_synonyms(tmp_path)
    assert "line 3" in str(caught.value)
    assert caught.value.hint == mending


@pytest.mark.parametrize("query", ["japanese heron", "日本語の heron", "HERON in Japanese"])
def test_a_typed_word_becomes_a_condition_that_is_shown(tmp_path: Path, query: str) -> None:
    write_files(tmp_path / "home", {"synonyms.toml": '[language]\njapanese = "ja"\n"日本語" = "ja"\n'})
    with indexed(tmp_path, NOTES) as session:
        result = session.search(SearchRequest(query, extract="keyword"))
        assert (result.filter.source, result.filter.text) == ("extractor", "language = ja")
        assert paths(result) == ["a.md"]
        assert result.filter.steps[-1].documents == 1
        dismissed = session.search(SearchRequest(query, extract="none"))
        assert (dismissed.filter.source, dismissed.filter.text) == ("none", "")
        assert sorted(paths(dismissed)) == ["a.md", "b.md"]


def test_a_persons_own_condition_beats_the_extracted_one(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        conditions = (session.parse_condition("language = en"),)
        result = session.search(SearchRequest("heron ja", extract="keyword", conditions=conditions))
    assert (result.filter.source, paths(result)) == ("user", ["b.md"])
