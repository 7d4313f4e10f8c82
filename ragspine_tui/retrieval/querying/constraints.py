"""Which documents and passages of one library a query allows: flags, from postings and places.

What is required or excluded holds for whole documents: a word is there if it is in any field (body, title, file name,
heading, front matter) in any of its forms. Where phrases or NEARs are required, a passage must hold one itself, or
stand under a title or heading that does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from ragspine_tui.retrieval.lexical.analyzer import Analyzer
from ragspine_tui.retrieval.lexical.index import LexicalIndex, Ordinals, Postings
from ragspine_tui.retrieval.lexical.statistics import MAX_EXPANSIONS, Limits
from ragspine_tui.retrieval.lexical.tokens import RUN_END
from ragspine_tui.retrieval.querying import clauses as kinds
from ragspine_tui.retrieval.querying.clauses import Clause
from ragspine_tui.retrieval.querying.query import Query
from ragspine_tui.retrieval.querying.sequences import Form, Words, occurrences, words_of

Flags = NDArray[np.bool_]
_EVERY: Final = 1 << 30
"""As many words as a written prefix may stand for where it decides which documents there are: all of them."""

_CHUNK_BITS: Final = 32
_NAMES: Final = ("title", "name", "metadata")
_FRONT: Final = 20
"""Front matter is looked for in so many passages of a document, the first ones."""


class Named(Protocol):
    """What is read of a passage to see whether a title, a heading or front matter holds a phrase."""

    @property
    def document(self) -> str:
        """The document's path."""

    @property
    def title(self) -> str:
        """The document's title."""

    @property
    def heading_path(self) -> tuple[str, ...]:
        """The section's headings."""

    @property
    def text(self) -> str:
        """The passage."""


Read = Callable[[int, int], Named | None]
"""(document's row id, chunk's number from 1) -> the passage, None where it is gone."""


class Constraints:
    """A query's requirements met with one library's index."""

    def __init__(self, index: LexicalIndex, analyzer: Analyzer, read: Read) -> None:
        self._index = index
        self._analyzer = analyzer
        self._read = read
        self._known: dict[tuple[str, bool, bool], Words] = {}

    def limits(self, query: Query) -> Limits:
        """What the query allows here."""
        demanded = [*query.required, *query.demanded(self._analyzer)]
        if not (demanded or query.nears or query.excluded or query.without):
            return Limits()
        documents: Flags = self._index.documents != query.without
        told: list[Flags] = []
        for clause in demanded:
            words = self._words(query, clause)
            if not words.units:
                continue
            if clause.kind == kinds.TITLE:
                documents &= self._titled(words)
            else:
                found = self._holding(words)
                documents &= self._documents_of(found)
                told += [found] if clause.quoted else []
        for one, near, other in query.nears:
            found = self._near(self._words(query, one), self._words(query, other), near.distance)
            documents &= self._documents_of(found)
            told.append(found)
        for clause in query.excluded:
            words = self._words(query, clause)
            if words.units:
                documents &= ~self._with(clause, words)
        return Limits(documents, np.logical_or.reduce(told) if told else None)

    def documents_with(self, query: Query, clause: Clause) -> int:
        """How many documents hold what one clause requires; all of them where it requires nothing."""
        words = self._words(query, clause)
        return int(np.count_nonzero(self._with(clause, words))) if words.units else len(self._index.documents)

    def _with(self, clause: Clause, words: Words) -> Flags:
        """The documents that hold the words of a clause."""
        return self._titled(words) if clause.kind == kinds.TITLE else self._documents_of(self._holding(words))

    def _words(self, query: Query, clause: Clause) -> Words:
        said = (query.words(clause), clause.begins, clause.open)
        if said not in self._known:
            self._known[said] = words_of(self._analyzer, said[0], begins=clause.begins, few=clause.open)
        return self._known[said]

    def _documents_of(self, chunks: Flags) -> Flags:
        flags = np.zeros(len(self._index.documents), dtype=np.bool_)
        flags[self._index.document_of_chunk[chunks]] = True
        return flags

    def _titled(self, words: Words) -> Flags:
        """The documents whose title holds the words."""
        spread = _Spread(self._index)
        for form in _alternatives(words):
            for term in self._terms(form):
                spread.add({name: lists for name, lists in self._index.postings(term).items() if name == "title"})
        if _is_sequence(words):
            self._add_named(spread, [words], "title", lambda text: _holds(words, text, self._analyzer))
        return spread.documents

    def _holding(self, words: Words) -> Flags:
        """The passages that hold the words themselves or by their document's names or their section's heading."""
        spread = _Spread(self._index)
        for form in _alternatives(words):
            for term in self._terms(form):
                spread.add(self._index.postings(term))
        if _is_sequence(words):
            spread.chunks[_chunks_of(self._starts(words))] = True
            for name in (*_NAMES, "heading"):
                self._add_named(spread, [words], name, lambda text: _holds(words, text, self._analyzer))
        return spread.spread()

    def _near(self, one: Words, other: Words, distance: int) -> Flags:
        """The passages that hold both, at most `distance` words from the end of one to the beginning of the other."""
        spread = _Spread(self._index)
        ones, others = self._starts(one), self._starts(other)
        if len(ones) and len(others):
            after = _any_within(others, ones + one.length, ones + one.length + distance - 1)
            before = _any_within(others, ones - other.length - distance + 1, ones - other.length)
            spread.chunks[_chunks_of(ones[after | before])] = True
        for name in (*_NAMES, "heading"):
            self._add_named(spread, [one, other], name, lambda text: _close(one, other, text, self._analyzer, distance))
        return spread.spread()

    def _terms(self, form: Form) -> Iterable[str]:
        """Every indexed term that a form stands for."""
        if not form.prefix:
            return form.terms
        most = MAX_EXPANSIONS if form.few else _EVERY
        return dict.fromkeys((*form.terms, *self._index.expansions(form.prefix, most)))

    def _keys(self, form: Form) -> Ordinals:
        """Where a form stands in bodies: chunk and position in one number, rising."""
        terms = self._terms(form)
        if form.single:
            (char,) = form.terms
            terms = (RUN_END + char, *(term for term in self._index.expansions(char, _EVERY) if len(term) == 2))
        keys = [(chunks << _CHUNK_BITS) + places for chunks, places in map(self._index.places, terms)]
        return keys[0] if len(keys) == 1 else np.unique(np.concatenate(keys))

    def _starts(self, words: Words) -> Ordinals:
        """Where a sequence begins in bodies, as keys."""
        of = {form: self._keys(form) for form in dict.fromkeys(unit.form for unit in words.units)}
        keys = [of[unit.form] - unit.at for unit in words.units]
        keys.sort(key=len)
        found = keys[0] if keys else np.empty(0, dtype=np.int64)
        for more in keys[1:]:
            found = found[_within(more, found)]
        return found if words.whole is None else np.union1d(found, self._keys(words.whole))

    def _add_named(self, spread: _Spread, several: Sequence[Words], name: str, test: Callable[[str], bool]) -> None:
        """Flag the titles, names, front matter or headings whose text passes; only what has all the words is read."""
        units = len(spread.sections if name == "heading" else spread.documents)
        left = np.ones(units, dtype=np.bool_)
        for words in several:
            for unit in words.units:
                flags = np.zeros(units, dtype=np.bool_)
                for term in self._terms(unit.form):
                    if name in (lists := self._index.postings(term)):
                        flags[lists[name][0]] = True
                left &= flags
                if not left.any():
                    return
        flags = spread.sections if name == "heading" else spread.documents
        # The sections of a document share their outer headings.
        test = cache(test)
        for ordinal in np.flatnonzero(left & ~flags).tolist():
            flags[ordinal] = any(map(test, self._texts(name, ordinal)))

    def _texts(self, name: str, ordinal: int) -> Iterator[str]:
        """The title, the name, the front matter of a document; the headings of a section."""
        index = self._index
        if name == "heading":
            chunk = int(np.searchsorted(index.section_of_chunk, ordinal))
            found = self._passage(chunk) if chunk < len(index.section_of_chunk) else None
            yield from found.heading_path if found and index.section_of_chunk[chunk] == ordinal else ()
            return
        first, end = index.first_chunk[ordinal : ordinal + 2].tolist()
        if name == "metadata":
            lengths = index.lengths["body"]
            silent = [chunk for chunk in range(first, min(end, first + _FRONT)) if not lengths[chunk]]
            yield from (found.text for found in map(self._passage, silent) if found)
        elif found := self._passage(first):
            yield found.title if name == "title" else found.document.rsplit("/", 1)[-1]

    def _passage(self, chunk: int) -> Named | None:
        document = int(self._index.document_of_chunk[chunk])
        return self._read(int(self._index.documents[document]), chunk - int(self._index.first_chunk[document]) + 1)


class _Spread:
    """Flags of chunks, sections and documents, which in the end count for all the chunks in them."""

    def __init__(self, index: LexicalIndex) -> None:
        self._index = index
        self.chunks: Flags = np.zeros(len(index.document_of_chunk), dtype=np.bool_)
        self.sections: Flags = np.zeros(len(index.lengths["heading"]), dtype=np.bool_)
        self.documents: Flags = np.zeros(len(index.documents), dtype=np.bool_)

    def add(self, lists: Mapping[str, Postings]) -> None:
        """Flag everything that has a term, whatever the field."""
        for name, (ordinals, _) in lists.items():
            if name in ("body", "exact"):
                self.chunks[ordinals] = True
            elif name == "heading":
                self.sections[ordinals] = True
            elif name in _NAMES:
                self.documents[ordinals] = True

    def spread(self) -> Flags:
        """The chunks that are flagged, or stand in a section or document that is."""
        if self.sections.any():
            self.chunks |= self.sections[self._index.section_of_chunk]
        if self.documents.any():
            self.chunks |= self.documents[self._index.document_of_chunk]
        return self.chunks


def _is_sequence(words: Words) -> bool:
    """Whether places decide, and not the mere presence of one term."""
    return len(words.units) > 1


def _alternatives(words: Words) -> Iterator[Form]:
    """The forms of which any one is enough by itself."""
    if words.whole is not None:
        yield words.whole
    elif len(words.units) == 1:
        yield words.units[0].form


def _holds(words: Words, text: str, analyzer: Analyzer) -> bool:
    return next(occurrences(words, text, analyzer), None) is not None


def _close(one: Words, other: Words, text: str, analyzer: Analyzer, distance: int) -> bool:
    others = list(occurrences(other, text, analyzer))
    return any(
        1 <= second.first - first.last <= distance or 1 <= first.first - second.last <= distance
        for first in occurrences(one, text, analyzer)
        for second in others
    )


def _chunks_of(keys: Ordinals) -> Ordinals:
    return keys >> _CHUNK_BITS


def _within(rising: Ordinals, keys: Ordinals) -> Flags:
    """Which keys are among the rising ones."""
    if not len(rising):
        return np.zeros(len(keys), dtype=np.bool_)
    at = np.searchsorted(rising, keys)
    at[at == len(rising)] = 0
    found: Flags = rising[at] == keys
    return found


def _any_within(rising: Ordinals, low: Ordinals, high: Ordinals) -> Flags:
    """Whether some of the rising keys lies between, both ends included."""
    found: Flags = np.searchsorted(rising, low) < np.searchsorted(rising, high, side="right")
    return found
