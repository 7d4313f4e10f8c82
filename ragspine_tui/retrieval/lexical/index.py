"""What scoring asks of an inverted index; declared here so that retrieval knows no storage."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Ordinals = NDArray[np.int64]
Scores = NDArray[np.float64]
Postings = tuple[Ordinals, Ordinals]
"""(ordinals, term frequencies); ordinals rise."""


class LexicalIndex(Protocol):
    """One library's live chunks, numbered from 0: document by document, section by section."""

    @property
    def documents(self) -> NDArray[np.int64]:
        """The row id of each document."""

    @property
    def hashes(self) -> NDArray[np.uint64]:
        """A key of each document that depends on its library and path alone."""

    @property
    def first_chunk(self) -> Ordinals:
        """The first chunk of each document, and one entry more: the end of the last."""

    @property
    def document_of_chunk(self) -> Ordinals:
        """The document of each chunk."""

    @property
    def section_of_chunk(self) -> Ordinals:
        """The section of each chunk."""

    @property
    def lengths(self) -> Mapping[str, Scores]:
        """In terms: `body` by chunk; `document`, `title`, `name`, `metadata` by document; `heading` by section."""

    @property
    def unit_counts(self) -> Mapping[str, int]:
        """How many live units each field of `lengths` has."""

    def postings(self, term: str) -> Mapping[str, Postings]:
        """The postings of `term`, a field (the fields of `lengths`, and `exact`); those without any are absent."""

    def places(self, term: str) -> Postings:
        """(chunk, place in it) of every occurrence in bodies, in their order; a place is where terms begin.

        Characters of pairs have none: a pair has its first character's, and RUN_END tells the last one's.
        """

    def named(self, key: str) -> Ordinals:
        """The documents whose title or file name is `key` (see `naming.naming_key`), rising."""

    def expansions(self, prefix: str, limit: int) -> Sequence[str]:
        """At most `limit` terms that begin with `prefix`, most frequent first."""
