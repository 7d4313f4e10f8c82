"""Several libraries searched as one, and which of them a query is about."""

from ragspine_tui.retrieval.lexical.rrf import rrf_fuse
from ragspine_tui.retrieval.routing.multi_index import LibraryIndex, MultiIndexRetriever
from ragspine_tui.retrieval.routing.router import KeywordLibraryRouter, LibraryRouter, make_library_router

__all__ = [
    "KeywordLibraryRouter",
    "LibraryIndex",
    "LibraryRouter",
    "MultiIndexRetriever",
    "make_library_router",
    "rrf_fuse",
]
