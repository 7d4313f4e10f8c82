"""The documents of a search, all of them, to count their fields: matched and narrowed as its hits are, never scored."""

from collections.abc import Mapping
from contextlib import suppress
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ragspine_tui.errors import RagspineError
from ragspine_tui.retrieval.filtering.metadata_filter import MetadataFilter
from ragspine_tui.retrieval.lexical.matching import matched_documents
from ragspine_tui.retrieval.pipeline import Parts, SearchableLibrary
from ragspine_tui.retrieval.querying.constraints import Constraints
from ragspine_tui.retrieval.querying.retrieving import QueryRetriever
from ragspine_tui.retrieval.routing.router import explain_route

Flags = NDArray[np.bool_]


def found_documents(metadata_filter: MetadataFilter, parts: Parts) -> Mapping[str, Flags]:
    """By library, a flag for each of its documents: whether the search has a hit in it, were there no limit.

    Libraries that cannot be read are left out; once cancelled, the next ones too.
    """
    found: dict[str, Flags] = {}
    by_id = {one.library.library_id: one for one in parts.libraries}
    if parts.query.only_excludes:
        return found
    route = explain_route(parts.router, parts.query.plain, [one.library for one in by_id.values()])
    for routed in route.libraries:
        if parts.cancelled():
            break
        with suppress(RagspineError):
            found[routed.library_id] = _in_library(by_id[routed.library_id], metadata_filter, parts)
    return found


def _in_library(one: SearchableLibrary, metadata_filter: MetadataFilter, parts: Parts) -> Flags:
    query, library_id = parts.query, one.library.library_id
    constraints = Constraints(one.index, one.analyzer, partial(parts.passages.passage, library_id))
    if query.only_narrows:
        limits, narrowed = constraints.limits(query), one.narrow(metadata_filter)
        return narrowed if limits.documents is None else narrowed & limits.documents
    retriever = QueryRetriever(library_id, one.index, one.analyzer, one.narrow, query, constraints)
    matched = matched_documents(retriever.match(query.plain, query.prefix))
    return matched & one.narrow(metadata_filter) if metadata_filter.conditions else matched
