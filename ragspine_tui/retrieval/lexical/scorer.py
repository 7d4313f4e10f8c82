"""A hit's score: BM25 at two grains (the passage, its whole document) and in the fields that name it.

A document's title, file name and whole text lift its passages in proportion to what each passage has itself, so that
the best passage carries its document's full weight and a stray word in a good document does not. A document that is
called exactly as the query says comes first.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ragspine_tui.retrieval.lexical.bounds import Bounds
from ragspine_tui.retrieval.lexical.gains import (
    CALLED_FIELDS,
    CHUNK_FIELDS,
    DOCUMENT_FIELDS,
    FIELDS,
    WEIGHTS,
    Gains,
    Weights,
)
from ragspine_tui.retrieval.lexical.index import LexicalIndex, Ordinals, Scores
from ragspine_tui.retrieval.lexical.postings import count, meet, ranges, run_starts, union
from ragspine_tui.retrieval.lexical.statistics import NO_LIMITS, Limits, Matches, Statistics
from ragspine_tui.types import TermScore

FEW: Final = 20_000
"""Postings up to which every match is scored; from there on bounds say which documents can be among the best."""

_MANY: Final = 8
"""Chunks for each of FEW postings, up to which all chunks of the documents that are left are scored."""

_RARER: Final = 4
"""Headings are looked up by their own lists where these are so many times shorter than the matches."""

LEAST: Final = 48
"""How many documents are scored at least, where bounds choose them."""


@dataclass(frozen=True, slots=True)
class Run:
    """Matched chunks, their scores, and how many match in all; the chunks are those asked for, in no order."""

    chunks: Ordinals
    scores: Scores
    total: int


@dataclass(frozen=True, slots=True)
class Account:
    """A chunk's score to the last term. `share` is what it takes of what its document's names and text gave."""

    terms: tuple[TermScore, ...]
    share: float


class Scorer:
    """Scores one library's matches with given statistics: its own, or those of several libraries together."""

    def __init__(self, matches: Matches, statistics: Statistics, weights: Weights = WEIGHTS, *, few: int = FEW) -> None:
        self._few = few
        self._matches = matches
        self._statistics = statistics
        self._gains = Gains(matches.index, statistics, weights)

    def run(self, limits: Limits = NO_LIMITS, limit: int | None = None) -> Run:
        """The chunks that share a term with the query and that `limits` let through: the best `limit` and all that
        score like the last of them, or (None) all.

        A document that only its title or name matches is there with its opening chunk.
        """
        documents = self._few_documents(limits)
        if documents is not None:
            return _limited(self._score(self._chunks_of(documents), documents), limits, limit)
        if limit is None or self._postings() < self._few:
            return _limited(self._score(self._touched(), None), limits, limit)
        bounds = Bounds(self._matches, self._gains, limits)
        documents = bounds.best(max(LEAST, 2 * limit))
        while True:
            scored = self._score(self._chunks_of(documents), documents)
            run = _limited(scored, limits, limit)
            worst = float(run.scores.min()) if 0 < limit <= len(run.scores) else 0.0
            wanted = bounds.at_least(worst) if limit else documents[:0]
            if np.isin(wanted, documents, assume_unique=True).all():
                return Run(run.chunks, run.scores, bounds.total)
            documents = np.union1d(documents, wanted)

    def _few_documents(self, limits: Limits) -> Ordinals | None:
        """The documents that the limits let through, where they are so few that all their chunks can be scored."""
        index = self._matches.index
        flags = limits.documents
        if limits.passages is not None and (flags is None or np.count_nonzero(flags) > self._few):
            passages = np.flatnonzero(limits.passages)
            if len(passages) > self._few:
                return None
            documents = np.unique(index.document_of_chunk[passages])
            documents = documents if flags is None else documents[flags[documents]]
        elif flags is not None and np.count_nonzero(flags) <= self._few:
            documents = np.flatnonzero(flags)
        else:
            return None
        chunks = int((index.first_chunk[documents + 1] - index.first_chunk[documents]).sum())
        return documents if chunks <= _MANY * self._few else None

    def _postings(self) -> int:
        """How many postings the query's terms have in chunks."""
        doc_freqs = (self._matches.statistics.doc_freqs[term.key] for term in self._matches.terms)
        return sum(freqs.get(name, 0) for freqs in doc_freqs for name in CHUNK_FIELDS)

    def _chunks_of(self, documents: Ordinals) -> Ordinals:
        return ranges(self._matches.index.first_chunk, documents)[0]

    def _touched(self) -> Ordinals:
        """The chunks that share a term with the query in their bodies."""
        return union(self._matches.lists(CHUNK_FIELDS), len(self._matches.index.document_of_chunk))

    def _score(self, chunks: Ordinals, documents: Ordinals | None) -> tuple[Ordinals, Scores, Ordinals]:
        """(chunks, their scores, their documents): those of `chunks` that match, and of `documents` that titles match.

        Both rise; `documents` holds those of `chunks`, and `chunks` all the matching ones of `documents`. Where it is
        None, `chunks` are all that match, and the documents are found here.
        """
        index = self._matches.index
        sums = self._sums if documents is not None else self._sums_of_all
        scores = sums(CHUNK_FIELDS, chunks)
        touched = np.flatnonzero(scores)
        if len(touched) < len(chunks):
            chunks, scores = chunks[touched], scores[touched]
        self._add_headings(chunks, scores)
        parents = index.document_of_chunk[chunks]
        starts = run_starts(parents)
        own = parents[starts]
        if documents is None:
            documents = self._with_called(own)
        lift = sums(DOCUMENT_FIELDS, documents)
        if len(self._matches.named):
            at, _ = meet((self._matches.named, self._matches.named), documents)
            lift[at] += self._gains.whole_name(self._matches.terms)
        alone = own[:0]
        if len(starts):
            sizes = np.append(starts[1:], len(parents)) - starts
            best = np.maximum.reduceat(scores, starts)
            owners = documents.searchsorted(own) if len(own) < len(documents) else slice(None)
            scores += np.repeat(lift[owners], sizes) * (scores / np.repeat(best, sizes))
            lift[owners] = 0.0
        if len(own) < len(documents):
            alone = np.flatnonzero(lift)
        return (
            np.concatenate([chunks, index.opening_chunk[documents[alone]]]),
            np.concatenate([scores, lift[alone]]),
            np.concatenate([parents, documents[alone]]),
        )

    def _with_called(self, own: Ordinals) -> Ordinals:
        """`own`, and the documents that only what they are called matches."""
        lists = self._matches.lists(CALLED_FIELDS)
        named = self._matches.named
        if not lists and not len(named):
            return own
        return union([(own, own), *lists, (named, named)], len(self._matches.index.documents))

    def _add_headings(self, chunks: Ordinals, scores: Scores) -> None:
        """Add to the scores of `chunks` what the headings of their sections give."""
        index = self._matches.index
        lists = self._matches.lists(("heading",))
        if not lists:
            return
        if _RARER * sum(map(count, lists)) < len(chunks):
            sections = union(lists, len(index.document_of_section))
            given = self._sums(("heading",), sections)
            under, sizes = ranges(index.section_first_chunk, sections)
            at = chunks.searchsorted(under)
            at[at == len(chunks)] = 0
            hits = chunks[at] == under
            scores[at[hits]] += np.repeat(given, sizes)[hits]
            return
        sections = index.section_of_chunk[chunks]
        starts = run_starts(sections)
        given = self._sums(("heading",), sections[starts])
        scores += np.repeat(given, np.append(starts[1:], len(sections)) - starts)

    def explain(self, chunk: int) -> Account:
        """What each term gave a chunk in each field: the rows add up to its score."""
        index = self._matches.index
        share = self._share(chunk)
        unit = {
            **dict.fromkeys(CHUNK_FIELDS, chunk),
            **dict.fromkeys(DOCUMENT_FIELDS, int(index.document_of_chunk[chunk])),
            "heading": int(index.section_of_chunk[chunk]),
        }
        rows = []
        for term in self._matches.terms:
            for name in FIELDS:
                if name not in term.postings:
                    continue
                units = np.array([unit[name]])
                _, frequencies = meet(term.postings[name], units)
                if len(frequencies):
                    gained = self._gains.of(term, name, units, frequencies)
                    doc_freq = self._statistics.doc_freqs[term.key][name]
                    idf = self._gains.idf(term, name)
                    score = float(gained[0]) * (share if name in DOCUMENT_FIELDS else 1.0)
                    rows.append(TermScore(term.term, name, int(frequencies[0]), doc_freq, idf, score))
        named = self._matches.named
        if unit["document"] in named:
            terms = self._matches.terms
            whole = " ".join(term.term for term in terms)
            rows.append(TermScore(whole, "named", 1, len(named), 0.0, share * self._gains.whole_name(terms)))
        return Account(tuple(rows), share)

    def _share(self, chunk: int) -> float:
        """A chunk's own part beside the best one of its document; 1 where only what the document is called matches."""
        index = self._matches.index
        first = int(index.first_chunk[index.document_of_chunk[chunk]])
        chunks = self._chunks_of(index.document_of_chunk[chunk : chunk + 1])
        scores = self._sums(CHUNK_FIELDS, chunks)
        touched = np.flatnonzero(scores)
        own = scores[touched]
        self._add_headings(chunks[touched], own)
        scores[touched] = own
        best = scores.max(initial=0.0)
        return float(scores[chunk - first] / best) if best else 1.0

    def _sums(self, fields: tuple[str, ...], units: Ordinals) -> Scores:
        """What the terms give each of `units` (rising), in the same order of terms and fields whichever they are."""
        sums = np.zeros(len(units))
        for term in self._matches.terms:
            for name in fields:
                if name in term.postings:
                    at, frequencies = meet(term.postings[name], units)
                    sums[at] += self._gains.of(term, name, units[at], frequencies)
        return sums

    def _sums_of_all(self, fields: tuple[str, ...], units: Ordinals) -> Scores:
        """The same where `units` are all that the terms have in these fields: no list needs to be searched."""
        index = self._matches.index
        every = len(index.document_of_chunk) if fields is CHUNK_FIELDS else len(index.documents)
        scratch = index.memo.get(("scratch", every), lambda: (np.zeros(every), 8 * every))
        try:
            for term in self._matches.terms:
                for name in fields:
                    one = term.postings.get(name)
                    if one is None:
                        continue
                    if isinstance(one, tuple):
                        scratch[one[0]] += self._gains.of_list(term, name, one)
                    else:
                        at, frequencies = meet(one, units)
                        scratch[units[at]] += self._gains.of(term, name, units[at], frequencies)
            return scratch[units]
        finally:
            scratch[units] = 0.0


def _limited(scored: tuple[Ordinals, Scores, Ordinals], limits: Limits, limit: int | None) -> Run:
    chunks, scores, parents = scored
    if limits.documents is not None:
        keep = limits.documents[parents]
        chunks, scores = chunks[keep], scores[keep]
    if limits.passages is not None:
        keep = limits.passages[chunks]
        chunks, scores = chunks[keep], scores[keep]
    total = len(chunks)
    if limit is not None and limit < total:
        cut = np.partition(scores, total - limit)[total - limit] if limit else np.inf
        keep = scores >= cut
        chunks, scores = chunks[keep], scores[keep]
    return Run(chunks, scores, total)


def top(run: Run, index: LexicalIndex, limit: int) -> Ordinals:
    """Positions in `run` of its `limit` best chunks, best first; equal scores are ordered by `tie_keys`."""
    scores = run.scores
    if limit < len(scores):
        cut = np.partition(scores, len(scores) - limit)[len(scores) - limit] if limit else np.inf
        positions = np.flatnonzero(scores >= cut)
    else:
        positions = np.arange(len(scores))
    order = np.lexsort((tie_keys(index, run.chunks[positions]), -scores[positions]))
    return positions[order][:limit]


def tie_keys(index: LexicalIndex, chunks: Ordinals) -> NDArray[np.uint64]:
    """A 64-bit key of each chunk that depends on its library, path and number alone (splitmix64's mixing)."""
    documents = index.document_of_chunk[chunks]
    numbers = (chunks - index.first_chunk[documents]).astype(np.uint64)
    mixed: NDArray[np.uint64] = index.hashes[documents] + numbers * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
