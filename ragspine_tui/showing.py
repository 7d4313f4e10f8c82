"""One passage by its public id, through both exits: to show it, and to search for more like it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from ragspine_tui.errors import QueryError
from ragspine_tui.retrieval.link.exit import LinkExit
from ragspine_tui.retrieval.pipeline import Named
from ragspine_tui.retrieval.rerank.exit import RerankExit
from ragspine_tui.retrieval.resembling.telling import telling_words
from ragspine_tui.types import Hit, SearchRequest, path_of_id
from ragspine_tui.wiring import Wiring
from storage.store import Store

_CHUNK_ID: Final = re.compile(r"([^:]+):(.*)#c([1-9][0-9]{0,8})", re.DOTALL)


def find_passage(store: Store, wiring: Wiring, chunk_id: str) -> tuple[Hit, int]:
    """The passage of this id with its section, and its document's row. Raises QueryError where it is not there."""
    found = _CHUNK_ID.fullmatch(chunk_id)
    missing = QueryError(f"there is no passage {chunk_id!r}", "search again: its file may have changed")
    if found is None:
        raise missing
    library_id, shown, index = found[1], found[2], int(found[3])
    document = store.find_document(library_id, (path_of_id(shown),))
    if document is None:
        raise missing
    wiring.forget_marks()
    link = LinkExit(store, lambda _library, _text: (), wiring.is_stale, parents=True)
    hits = RerankExit(wiring.is_restricted).rerank(link.link([(Named(library_id, document, index), 0.0)], 1))
    if not hits:
        raise missing
    return hits[0], document


def resembling(store: Store, wiring: Wiring, request: SearchRequest) -> tuple[SearchRequest, int]:
    """A request for more like a passage as one for its most telling words, and the row of its document (0: none).

    Raises QueryError where the passage is not there.
    """
    if not request.like:
        return request, 0
    hit, document = find_passage(store, wiring, request.like)
    words = telling_words(
        hit.title, hit.text, wiring.analyzer_of(hit.library_id), store.snapshot(hit.library_id), document
    )
    return replace(request, query=words, literal=True, prefix=False, match="any", extract="none"), document
