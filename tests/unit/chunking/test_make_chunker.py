"""Choosing a chunker by its spec."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragspine_tui.retrieval.chunking import chunker
from ragspine_tui.retrieval.chunking.chunker import CHUNKER_IMPLS, group_children_by_parent, make_chunker
from ragspine_tui.retrieval.chunking.domain_presets import ParagraphChunker, ParentChildChunker
from ragspine_tui.retrieval.chunking.layout_chunker import LayoutAwareChunker
from ragspine_tui.specs import SEAMS
from tests.packages import install
from tests.unit.chunking.documents import blocked


@pytest.mark.parametrize(
    ("spec", "made"),
    [
        ("layout", LayoutAwareChunker),
        (" Parent-Child ", ParentChildChunker),
        ("small_to_big", ParentChildChunker),
        ("none", ParagraphChunker),
        ("", ParagraphChunker),
    ],
)
def test_specs_are_forgiving_in_spelling(spec: str, made: type) -> None:
    assert type(make_chunker(spec)) is made


@pytest.mark.parametrize("spec", ["  ", "nonsense", "layout2"])
def test_an_unknown_spec_lists_the_valid_ones(spec: str) -> None:
    with pytest.raises(ValueError, match="none, layout, parent_child"):
        make_chunker(spec)


def test_an_unknown_option_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        make_chunker("layout", size=3)


def test_none_reads_the_environment_then_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAGSPINE_CHUNKER", raising=False)
    assert type(make_chunker()) is ParentChildChunker
    monkeypatch.setenv("RAGSPINE_CHUNKER", "layout")
    assert type(make_chunker()) is LayoutAwareChunker
    monkeypatch.setenv("RAGSPINE_CHUNKER", "nonsense")
    with pytest.raises(ValueError, match="nonsense"):
        make_chunker()


def test_every_spec_that_settings_allow_can_be_made() -> None:
    assert set(SEAMS["chunker"].names) == set(CHUNKER_IMPLS)


def test_installed_packages_add_names_but_take_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    point = "ragspine_tui.retrieval.chunking.domain_presets:ParagraphChunker"
    install(tmp_path, chunker.ENTRY_POINTS, **{"extra-one": point, "layout": point, "small_to_big": point})
    monkeypatch.syspath_prepend(str(tmp_path))
    assert type(make_chunker(" Extra-One ")) is ParagraphChunker
    assert type(make_chunker("layout")) is LayoutAwareChunker
    assert type(make_chunker("small_to_big")) is ParentChildChunker
    with pytest.raises(ValueError, match=r"sentence_window, extra_one$"):
        make_chunker("other")


def test_children_are_grouped_by_parent_in_order() -> None:
    document = blocked("# One", "a" * 300, "b" * 300, "# Two", "c")
    chunks = make_chunker("parent_child").chunk(document).chunks
    groups = group_children_by_parent(reversed(chunks))
    assert [(parent, len(children)) for parent, children in groups.items()] == [("a.md#s1", 1), ("a.md#s0", 2)]
