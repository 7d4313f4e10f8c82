"""Building a segment: documents' terms are collected in memory and become arrays and posting rows."""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Final

import numpy as np
from numpy.typing import NDArray

from storage.encoding import Blob
from storage.occurrences import Occurrences, Occurring, RunTerms, TermNumbers, by_number
from storage.postings import (
    FIELDS,
    MAX_CHUNKS,
    UNIT_OF_FIELD,
    PostingRow,
    SegmentArrays,
    named_term,
    presence_term,
    value_term,
)
from storage.rows import Lists, changes, lists_of, places_of, posting_rows

MAX_FREQUENCY: Final = 65_535
"""How many occurrences of a term in one unit are kept; further ones change neither a score nor what is found."""

_COUNTED_FIELDS: Final = tuple(name for name in FIELDS if name not in ("body", "exact"))

ChunkTerms = tuple[Sequence[RunTerms], str, int]
"""A chunk's runs in order, the characters that are terms without a place, and its length in terms."""


@dataclass(frozen=True, slots=True)
class IndexedSection:
    """What a section adds to the index: its heading path's terms, and the terms of each of its chunks."""

    heading: Mapping[str, int]
    chunks: Sequence[ChunkTerms]


@dataclass(frozen=True, slots=True)
class IndexedDocument:
    """What a document adds to the index: terms of its title, name and front matter, its sections, fields, names."""

    hash: int
    title: Mapping[str, int]
    name: Mapping[str, int]
    metadata: Mapping[str, int]
    sections: Sequence[IndexedSection]
    fields: Mapping[str, Sequence[str]] = field(default_factory=dict)
    named: Sequence[str] = ()

    @property
    def chunks(self) -> int:
        """How many chunks the document has."""
        return sum(len(section.chunks) for section in self.sections)


class SegmentBuilder:
    """Collects documents in memory and turns them into one segment's arrays and posting rows."""

    def __init__(self) -> None:
        self._ids = TermNumbers()
        self._occurrences = Occurrences(self._ids)
        # Arrays of C integers: lists of Python's would hold eight times the memory.
        self._terms = {name: array("i") for name in _COUNTED_FIELDS}
        self._frequencies = {name: array("i") for name in _COUNTED_FIELDS}
        self._ordinals = {name: array("i") for name in _COUNTED_FIELDS}
        self._hashes: list[int] = []
        self._first_chunk = [0]
        self._first_section = [0]
        self._section_first_chunk = [0]
        self._lengths: dict[str, list[int]] = {name: [] for name in FIELDS}

    def __getstate__(self) -> dict[str, object]:
        # Before anything is copied: it numbers the last terms.
        self._occurrences.pack()
        return self.__dict__

    @property
    def chunks(self) -> int:
        """How many chunks have been added."""
        return self._first_chunk[-1]

    def fits(self, more: "IndexedDocument | SegmentBuilder") -> bool:
        """Whether a document, or all of another segment, may join this one: the first always may."""
        return not self._hashes or self.chunks + more.chunks <= MAX_CHUNKS

    def add(self, document: IndexedDocument) -> None:
        """Append a document; the caller starts another segment where `fits` says no."""
        position = len(self._hashes)
        self._hashes.append(document.hash)
        self._count("title", position, document.title)
        self._count("name", position, document.name)
        self._count("metadata", position, document.metadata)
        self._append("value", position, _field_terms(document.fields))
        # Beside the name's words and not among them: a whole name adds nothing to its length.
        self._append("name", position, {named_term(key): 1 for key in document.named if key})
        chunk = self.chunks
        for section in document.sections:
            self._count("heading", len(self._section_first_chunk) - 1, section.heading)
            for runs, loose, length in section.chunks:
                self._occurrences.add(runs, loose, length)
                self._lengths["body"].append(length)
                chunk += 1
            self._section_first_chunk.append(chunk)
        self._first_chunk.append(chunk)
        self._first_section.append(len(self._section_first_chunk) - 1)

    def extend(self, other: "SegmentBuilder") -> None:
        """Append the documents of another builder; as with `add`, `fits` is asked first."""
        chunks, sections, documents = self.chunks, len(self._section_first_chunk) - 1, len(self._hashes)
        offsets = {"chunk": chunks, "section": sections, "document": documents}
        other._occurrences.pack()
        numbers = self._ids.all_of(other._ids)
        self._occurrences.extend(other._occurrences, numbers)
        for name in _COUNTED_FIELDS:
            self._terms[name].frombytes(numbers[np.asarray(other._terms[name], dtype=np.int32)].tobytes())
            self._frequencies[name].extend(other._frequencies[name])
            moved = np.asarray(other._ordinals[name], dtype=np.int32) + np.int32(offsets[UNIT_OF_FIELD[name]])
            self._ordinals[name].frombytes(moved.tobytes())
        self._hashes += other._hashes
        self._first_chunk += [chunks + first for first in other._first_chunk[1:]]
        self._first_section += [sections + first for first in other._first_section[1:]]
        self._section_first_chunk += [chunks + first for first in other._section_first_chunk[1:]]
        for name, lengths in self._lengths.items():
            lengths += other._lengths[name]

    def _count(self, name: str, ordinal: int, counts: Mapping[str, int]) -> None:
        self._append(name, ordinal, counts)
        self._lengths[name].append(sum(counts.values()))

    def _append(self, name: str, ordinal: int, counts: Mapping[str, int]) -> None:
        self._terms[name].extend(map(self._ids.__getitem__, counts))
        self._frequencies[name].extend(counts.values())
        self._ordinals[name].extend(repeat(ordinal, len(counts)))

    def arrays(self, documents: Sequence[int]) -> SegmentArrays:
        """The segment's arrays, with the row ids of its documents in the order they were added; none of them dead."""
        return SegmentArrays(
            documents=np.array(documents, dtype="<i8"),
            hashes=np.array(self._hashes, dtype="<u8"),
            dead=np.zeros(len(documents), dtype="u1"),
            first_chunk=np.array(self._first_chunk, dtype="<u4"),
            first_section=np.array(self._first_section, dtype="<u4"),
            section_first_chunk=np.array(self._section_first_chunk, dtype="<u4"),
            body_lengths=np.array(self._lengths["body"], dtype="<u4"),
            title_lengths=np.array(self._lengths["title"], dtype="<u4"),
            name_lengths=np.array(self._lengths["name"], dtype="<u4"),
            metadata_lengths=np.array(self._lengths["metadata"], dtype="<u4"),
            heading_lengths=np.array(self._lengths["heading"], dtype="<u4"),
        )

    def rows(self) -> Iterator[PostingRow]:
        """Posting rows, ordered by term. `doc_freq` adds the lengths of the `COUNTED` lists."""
        units = {
            "chunk": self.chunks,
            "document": len(self._hashes),
            "section": len(self._section_first_chunk) - 1,
        }
        body = _sorted(self._occurrences.body())
        lists = {name: self._sorted(name).lists() for name in _COUNTED_FIELDS}
        lists |= {"body": body.lists(), "exact": _sorted(self._occurrences.exact()).lists()}
        return posting_rows(self._ids, lists, body.places(), units)

    def _sorted(self, name: str) -> "_Sorted":
        terms, ordinals, weights = (
            np.asarray(one[name], dtype=np.int32) for one in (self._terms, self._ordinals, self._frequencies)
        )
        order = by_number(terms)
        return _Sorted(terms[order], ordinals[order], weights=weights[order])


def _sorted(occurring: Occurring) -> "_Sorted":
    terms, units, places = occurring
    order = by_number(terms)
    return _Sorted(terms[order], units[order], places[order] if len(places) else None)


class _Sorted:
    """Occurrences by term and unit; each counts as one, or as its weight."""

    def __init__(
        self,
        terms: NDArray[np.int32],
        units: NDArray[np.int32],
        places: NDArray[np.int32] | None = None,
        weights: NDArray[np.int32] | None = None,
    ) -> None:
        first = np.flatnonzero(changes(terms) | changes(units))
        sizes = np.diff(first, append=len(terms))
        if len(sizes) and int(sizes.max()) > MAX_FREQUENCY:
            kept = np.arange(len(terms)) - np.repeat(first, sizes) < MAX_FREQUENCY
            terms, units = terms[kept], units[kept]
            places = places[kept] if places is not None else None
            sizes = np.minimum(sizes, MAX_FREQUENCY)
            first = np.cumsum(sizes) - sizes
        self._first, self._sizes = first, sizes
        self._terms, self._units, self._places, self._weights = terms, units, places, weights

    def lists(self) -> Lists:
        """The posting lists."""
        frequencies = self._sizes if self._weights is None else np.minimum(self._weights[self._first], MAX_FREQUENCY)
        return lists_of(self._terms[self._first], self._units[self._first], frequencies)

    def places(self) -> dict[int, Blob]:
        """The places of every term that has some, a blob a term."""
        if self._places is None:
            return {}
        gaps = np.diff(self._places, prepend=0)
        gaps[self._first] = self._places[self._first]
        placed = self._places >= 0
        return places_of(self._terms[placed], gaps[placed])


def _field_terms(fields: Mapping[str, Sequence[str]]) -> dict[str, int]:
    terms = {presence_term(name): 1 for name, values in fields.items() if values}
    terms.update((value_term(name, value), 1) for name, values in fields.items() for value in values)
    return terms
