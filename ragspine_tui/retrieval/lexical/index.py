"""What scoring asks of an inverted index; declared here so that retrieval knows no storage."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

Ordinals = NDArray[np.int64]
Scores = NDArray[np.float64]
Postings = tuple[Ordinals, Ordinals]
"""(ordinals, term frequencies); ordinals rise."""

PostingList = Postings | NDArray[np.unsignedinteger[Any]]
"""The postings of a term in a field: ordinals and frequencies, or where they are many a column of all frequencies."""

Value = TypeVar("Value")


class Memo(Protocol):
    """What was made before, as long as it is not too much."""

    def get(self, key: Hashable, make: Callable[[], tuple[Value, int]]) -> Value:
        """The value under `key`, made at need: `make` says how many bytes it holds, too."""


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
    def opening_chunk(self) -> Ordinals:
        """The chunk that shows each document: its first with words in its body, not front matter, or else its first."""

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

    @property
    def total_lengths(self) -> Mapping[str, float]:
        """The sum of each field of `lengths`."""

    @property
    def section_first_chunk(self) -> Ordinals:
        """The first chunk of each section, and one entry more: the end of the last."""

    @property
    def document_of_section(self) -> Ordinals:
        """The document of each section."""

    @property
    def memo(self) -> Memo:
        """What searches have made of the posting lists so far."""

    def lists(self, term: str) -> Mapping[str, PostingList]:
        """The postings of `term`, a field (the fields of `lengths`, and `exact`); those without any are absent."""

    def postings(self, term: str) -> Mapping[str, Postings]:
        """The same as ordinals and frequencies, whatever their number."""

    def places(self, term: str) -> Postings:
        """(chunk, place in it) of every occurrence in bodies, in their order; a place is where terms begin.

        Characters of pairs have none: a pair has its first character's, and RUN_END tells the last one's.
        """

    def named(self, key: str) -> Ordinals:
        """The documents whose title or file name is `key` (see `naming.naming_key`), rising."""

    def expansions(self, prefix: str, limit: int) -> Sequence[str]:
        """At most `limit` terms that begin with `prefix`, most frequent first."""
