"""The configuration: defaults < config.toml < environment < arguments, validated at load."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import pytest

from ragspine_tui.config import VARIABLES, ServiceConfig
from ragspine_tui.errors import UsageError
from tests.packages import install


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home without a configuration."""
    return tmp_path


def write(home: Path, text: str) -> None:
    """Give the home a config.toml."""
    (home / "config.toml").write_text(text, encoding="utf-8")


def test_without_anything_the_defaults_are_economy_mode_and_no_routing(home: Path) -> None:
    config = ServiceConfig.load(home, environ={})
    assert config == ServiceConfig(home=home)
    assert (config.retrieval_mode, config.library_router, config.fusion) == ("economy", "none", "score")
    assert (config.filter_extractor, config.chunker, config.limit) == ("none", "parent_child", 20)
    assert config.database_path == home / "ragspine.db"


def test_arguments_beat_the_environment_which_beats_the_file(home: Path) -> None:
    write(home, 'fusion = "rrf"\nlimit = 5\nlibrary_router = "keyword"\nascii = true\n')
    environ = {"RAGSPINE_LIMIT": "6", "RAGSPINE_LIBRARY_ROUTER": "none"}
    config = ServiceConfig.load(home, environ=environ, limit=7, library_router=None)
    assert (config.fusion, config.limit, config.library_router, config.ascii) == ("rrf", 7, "none", True)


def test_a_configuration_tells_where_each_setting_that_was_given_came_from(home: Path) -> None:
    write(home, 'fusion = "rrf"\nlimit = 5\n')
    config = ServiceConfig.load(home, environ={"RAGSPINE_LIMIT": "6", "RAGSPINE_ASCII": ""}, chunker="layout")
    assert config.given == {"fusion": "config.toml", "limit": "RAGSPINE_LIMIT", "chunker": "the argument chunker"}
    assert ServiceConfig(home).given == {}


def test_every_setting_but_the_home_has_a_variable(home: Path) -> None:
    assert {field.name for field in fields(ServiceConfig)} - {"home", "given"} == set(VARIABLES)
    environ = {
        "RAGSPINE_RETRIEVAL_MODE": "auto",
        "RAGSPINE_LIBRARY_ROUTER": "Lexical",
        "RAGSPINE_FUSION": "RRF",
        "RAGSPINE_FILTER_EXTRACTOR": "glossary",
        "RAGSPINE_CHUNKER": "layout",
        "RAGSPINE_LIMIT": " 50 ",
        "RAGSPINE_THEME": "ansi-light",
        "RAGSPINE_ASCII": "yes",
        "RAGSPINE_HISTORY": "OFF",
        "RAGSPINE_MATCH": "All",
        "RAGSPINE_WORKERS": " 3 ",
        "RAGSPINE_READ_SECONDS": "60",
        "RAGSPINE_READ_MEMORY_MB": "512",
        "RAGSPINE_MAX_FILE_MB": "10",
        "RAGSPINE_RECENCY_HALF_LIFE": " 30.5 ",
        "RAGSPINE_WATCH": "no",
    }
    assert set(environ) == set(VARIABLES.values())
    assert ServiceConfig.load(home, environ=environ) == ServiceConfig(
        home,
        "hybrid",
        "keyword",
        "rrf",
        "keyword",
        "layout",
        50,
        "ansi-light",
        True,
        False,
        "all",
        workers=3,
        read_seconds=60,
        read_memory_mb=512,
        max_file_mb=10,
        recency_half_life=30.5,
        watch=False,
    )


def test_an_empty_variable_is_off_where_there_is_an_off_and_not_set_elsewhere(home: Path) -> None:
    write(home, 'library_router = "keyword"\nlimit = 5\nfusion = "rrf"\n')
    environ = dict.fromkeys(VARIABLES.values(), "")
    config = ServiceConfig.load(home, environ=environ)
    assert (config.library_router, config.limit, config.fusion) == ("none", 5, "rrf")


@pytest.mark.parametrize(
    ("key", "value", "valid"),
    [
        ("retrieval_mode", "fast", "economy (bm25, lexical, keyword)"),
        ("library_router", " ", "keyword (description, lexical)"),
        ("filter_extractor", "llm", "controlled_vocab"),
        ("fusion", "none", "score, rrf"),
        ("chunker", "words", "parent_child (small_to_big)"),
        ("limit", "0", "a whole number from 1 to 10,000"),
        ("limit", "-5", "a whole number"),
        ("limit", "1e3", "a whole number"),
        ("limit", "99999999999999999999", "a whole number"),
        ("recency_half_life", "0.5", "days from 1 to 100,000, or 0 for off"),
        ("recency_half_life", "-3", "days from 1"),
        ("recency_half_life", "nan", "days from 1"),
        ("ascii", "maybe", "true or false"),
        ("history", "2", "true or false"),
        ("theme", "[bold]", "a name of letters"),
    ],
)
def test_a_bad_value_is_told_with_its_setting_origin_and_the_valid_ones(
    home: Path, key: str, value: str, valid: str
) -> None:
    write(home, f'{key} = "{value}"\n')
    with pytest.raises(UsageError) as from_file:
        ServiceConfig.load(home, environ={})
    with pytest.raises(UsageError) as from_environment:
        ServiceConfig.load(home / "other", environ={VARIABLES[key]: value})
    with pytest.raises(UsageError) as from_argument:
        ServiceConfig.load(home / "other", environ={}, **{key: value})
    origins = [str(home / "config.toml"), VARIABLES[key], "the argument"]
    for told, origin in zip((from_file, from_environment, from_argument), origins, strict=True):
        line = str(told.value)
        assert line.startswith(f"{key} from ")
        assert origin in line
        assert repr(value) in line
        assert valid in line
        assert "\n" not in line


@pytest.mark.parametrize(
    "text",
    [
        "limit = 2.5",
        "limit = true",
        "ascii = 1",
        "fusion = 3",
        "theme = []",
        "chunker = {}",
        f"limit = 0x{'f' * 9_000}",
        f"ascii = 0x{'f' * 9_000}",
        f"history = {'[' * 100}{']' * 100}",
        f"fusion = '{'x' * 100_000}'",
    ],
    ids=lambda text: text[:20],
)
def test_a_value_of_the_wrong_kind_is_refused_in_one_short_line(home: Path, text: str) -> None:
    write(home, text)
    with pytest.raises(UsageError, match="valid: ") as told:
        ServiceConfig.load(home, environ={})
    assert len(str(told.value)) < len(str(home)) + 500


def test_settings_nested_too_deeply_are_told(home: Path) -> None:
    write(home, "limit = " + "[" * 2_000)
    with pytest.raises(UsageError, match="nested too deeply"):
        ServiceConfig.load(home, environ={})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('retreival_mode = "economy"', "did you mean retrieval_mode?"),
        ('Library-Router = "none"', "did you mean library_router?"),
        ("zzz = 1", "valid settings: retrieval_mode, library_router"),
        ('home = "/elsewhere"', "unknown setting 'home'"),
        ("[retrieval]\nmode = 1", "unknown setting 'retrieval'"),
    ],
)
def test_an_unknown_setting_names_the_nearest(home: Path, text: str, told: str) -> None:
    write(home, text)
    with pytest.raises(UsageError) as error:
        ServiceConfig.load(home, environ={})
    assert told in str(error.value)
    assert "config.toml" in str(error.value)


def test_broken_toml_is_told_with_its_line(home: Path) -> None:
    write(home, 'limit = 5\nfusion = "rrf\n')
    with pytest.raises(UsageError, match="line 2"):
        ServiceConfig.load(home, environ={})


def test_a_configuration_in_another_encoding_is_told(home: Path) -> None:
    (home / "config.toml").write_bytes(b'theme = "\xff"')
    with pytest.raises(UsageError, match="not UTF-8"):
        ServiceConfig.load(home, environ={})


def test_a_byte_order_mark_is_no_fault(home: Path) -> None:
    (home / "config.toml").write_bytes(b"\xef\xbb\xbflimit = 5\r\n")
    assert ServiceConfig.load(home, environ={}).limit == 5


def test_a_directory_named_like_the_configuration_is_told(home: Path) -> None:
    (home / "config.toml").mkdir()
    with pytest.raises(UsageError, match="cannot read"):
        ServiceConfig.load(home, environ={})


def test_a_configuration_in_an_indexed_folder_is_data(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    write(folder, "limit = 1\nbroken\n")
    monkeypatch.chdir(folder)
    assert ServiceConfig.load(home, environ={}).limit == 20


def test_an_unknown_override_is_a_fault_of_the_caller(home: Path) -> None:
    with pytest.raises(TypeError, match="unknown setting 'limits'"):
        ServiceConfig.load(home, environ={}, limits=3)


def test_a_configuration_made_by_hand_is_validated_and_frozen(home: Path) -> None:
    config = ServiceConfig(home, retrieval_mode="BM25")
    assert config.retrieval_mode == "economy"
    with pytest.raises(UsageError, match="valid: "):
        ServiceConfig(home, fusion="best")
    with pytest.raises(FrozenInstanceError):
        config.limit = 3  # type: ignore[misc]


def test_a_chunker_of_an_installed_package_is_a_valid_setting(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = tmp_path / "packages"
    install(packages, "ragspine_tui.chunkers", **{"Rope-Walk": "rope_walk_that_is_never_imported:Chunker"})
    with pytest.raises(UsageError):
        ServiceConfig.load(home, environ={}, chunker="rope_walk")
    monkeypatch.syspath_prepend(str(packages))
    assert ServiceConfig.load(home, environ={"RAGSPINE_CHUNKER": " rope-walk"}).chunker == "rope_walk"
    write(home, 'chunker = "ROPE_WALK"\n')
    assert ServiceConfig.load(home, environ={}).chunker == "rope_walk"
    with pytest.raises(UsageError, match=r"valid: none, layout, .*, sentence_window, rope_walk"):
        ServiceConfig.load(home, environ={}, chunker="tar")
    with pytest.raises(UsageError) as told:
        ServiceConfig.load(home, environ={}, fusion="rope_walk")
    assert "rrf" in str(told.value) and "valid: score, rrf" in str(told.value)
