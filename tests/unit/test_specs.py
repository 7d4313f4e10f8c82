"""The closed tables of spec names."""

from __future__ import annotations

import pytest

from ragspine_tui.retrieval.chunking.chunker import CHUNKER_IMPLS
from ragspine_tui.specs import SEAMS, choose_spec, normalise_spec, resolve_spec


@pytest.mark.parametrize(
    ("seam", "spec", "name"),
    [
        ("mode", "BM25", "economy"),
        ("mode", "auto", "hybrid"),
        ("mode", "none", "hybrid"),
        ("mode", "", "hybrid"),
        ("mode", "dense", "vector"),
        ("router", "", "none"),
        ("router", "none", "none"),
        ("router", "Description", "keyword"),
        ("filter_extractor", " controlled-vocab ", "keyword"),
        ("filter_extractor", "", "none"),
        ("fusion", "RRF", "rrf"),
        ("chunker", "small-to-big", "parent_child"),
        ("chunker", "", "none"),
    ],
)
def test_every_spelling_means_one_canonical_name(seam: str, spec: str, name: str) -> None:
    assert resolve_spec(seam, spec) == name


@pytest.mark.parametrize("seam", SEAMS)
@pytest.mark.parametrize("spec", [" ", "\t\n", "nonsense", "keyword keyword", "-"])
def test_blank_and_unknown_specs_list_the_valid_ones(seam: str, spec: str) -> None:
    with pytest.raises(ValueError, match="valid: ") as told:
        resolve_spec(seam, spec)
    for name, aliases in SEAMS[seam].names.items():
        assert all(word in str(told.value) for word in (name, *aliases))


@pytest.mark.parametrize("spec", ["", "none"])
def test_a_part_that_cannot_be_off_refuses_to_be_off(spec: str) -> None:
    with pytest.raises(ValueError, match="score, rrf"):
        resolve_spec("fusion", spec)


@pytest.mark.parametrize("seam", SEAMS)
def test_no_spec_reads_the_environment_and_then_the_default(seam: str) -> None:
    table = SEAMS[seam]
    last = list(table.names)[-1]
    assert choose_spec(seam, None, {table.variable: last.upper()}) == last
    assert choose_spec(seam, None, {}) == table.default
    assert choose_spec(seam, table.default, {table.variable: "nonsense"}) == table.default


@pytest.mark.parametrize("seam", SEAMS)
def test_no_spelling_means_two_names(seam: str) -> None:
    spellings = [word for name, also in SEAMS[seam].names.items() for word in (name, *also)]
    assert len(spellings) == len(set(spellings))
    assert [normalise_spec(word) for word in spellings] == spellings
    assert SEAMS[seam].default in SEAMS[seam].names


def test_the_table_of_chunkers_names_what_is_built_in() -> None:
    assert set(CHUNKER_IMPLS) == set(SEAMS["chunker"].names)
