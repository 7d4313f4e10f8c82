"""The names that other programs may import, where the settings page and the seams have them."""

from __future__ import annotations

from importlib import import_module

import pytest

PUBLIC = {
    "ragspine_tui.retrieval.filtering": {"FilterCondition", "MetadataFilter", "make_filter"},
    "ragspine_tui.retrieval.filtering.automatic": {
        "FilterExtractor",
        "ControlledVocabFilterExtractor",
        "make_filter_extractor",
    },
    "ragspine_tui.retrieval.routing": {
        "LibraryIndex",
        "MultiIndexRetriever",
        "rrf_fuse",
        "LibraryRouter",
        "KeywordLibraryRouter",
        "make_library_router",
    },
    "ragspine_tui.retrieval.chunking": {
        "Chunker",
        "CHUNKER_IMPLS",
        "make_chunker",
        "LayoutAwareChunker",
        "ParentChildChunker",
        "group_children_by_parent",
    },
    "ragspine_tui.retrieval.mode": {"RetrievalMode", "make_retrieval_mode"},
    "ragspine_tui.config": {"ServiceConfig"},
}


@pytest.mark.parametrize("module", PUBLIC)
def test_every_seam_has_its_public_names(module: str) -> None:
    found = import_module(module)
    assert [name for name in sorted(PUBLIC[module]) if not hasattr(found, name)] == []
    assert set(getattr(found, "__all__", PUBLIC[module])) == PUBLIC[module]
