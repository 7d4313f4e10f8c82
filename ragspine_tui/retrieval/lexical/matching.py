"""Which documents a query finds, whatever their scores: from the posting lists alone."""

import numpy as np
from numpy.typing import NDArray

from ragspine_tui.retrieval.lexical.gains import CALLED_FIELDS, CHUNK_FIELDS
from ragspine_tui.retrieval.lexical.index import Ordinals
from ragspine_tui.retrieval.lexical.postings import union
from ragspine_tui.retrieval.lexical.statistics import Matches


def matched_documents(matches: Matches) -> NDArray[np.bool_]:
    """A flag for each document: whether a search without a limit has a passage of it among its hits."""
    index, limits = matches.index, matches.limits
    chunks = union(matches.lists(CHUNK_FIELDS), len(index.document_of_chunk))
    parents = index.document_of_chunk[chunks]
    found = _flags(parents, len(index.documents))
    # A whole name gives what its words can give: nothing where the index has none of them.
    named = matches.named if any(term.postings for term in matches.terms) else matches.named[:0]
    called = union([*matches.lists(CALLED_FIELDS), (named, named)], len(index.documents))
    # Their opening passages stand for them, but only where no other passage does.
    alone = called[~found[called]]
    if limits.passages is not None:
        found = _flags(parents[limits.passages[chunks]], len(index.documents))
        alone = alone[limits.passages[index.opening_chunk[alone]]]
    found[alone] = True
    return found if limits.documents is None else found & limits.documents


def _flags(ordinals: Ordinals, count: int) -> NDArray[np.bool_]:
    flags = np.zeros(count, dtype=np.bool_)
    flags[ordinals] = True
    return flags
