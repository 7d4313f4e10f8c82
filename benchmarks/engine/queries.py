"""Fifty queries of each class, drawn from a corpus by how frequent its words are: the same each time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from benchmarks.engine.corpus import Corpus, folder_of
from benchmarks.engine.vocabulary import Vocabulary
from ragspine_tui.retrieval.lexical.language import function_words

EACH: Final = 50
COMMON: Final = 0.20
"""A common word is in more than this share of the chunks."""
MIDDLING: Final = (0.005, 0.02)
RARE: Final = (2, 20)
"""A rare word is in so many chunks, whatever their number."""
_TYPED: Final = 3
LANGUAGE: Final = "en"
"""What the app takes the made-up words for, so that it stems them as it would stem English."""
_MAY_STOP: Final = 10_000

CLASSES: Final[Mapping[str, str]] = {
    "rare": "1 rare",
    "rare+middling": "2 rare + 1 middling",
    "middling": "3 middling",
    "common": "3 common",
    "mixed": "5 mixed",
    "prefix": "prefix as typed",
    "phrase": "phrase",
    "filtered": "filtered to 1 %",
    "fused": "5 libraries fused",
}
PLAIN: Final = ("rare", "rare+middling", "middling", "common", "mixed")
TWIN: Final[Mapping[str, str]] = {"prefix": "middling", "filtered": "mixed"}
"""The class whose queries these are, but for the prefix and the filter."""


@dataclass(frozen=True, slots=True)
class Query:
    """A query of one class; `postings` is the sum of its words' document frequencies."""

    kind: str
    words: tuple[str, ...]
    postings: int
    folder: str = ""

    @property
    def text(self) -> str:
        """As a person types it."""
        joined = " ".join(self.words)
        return f'"{joined}"' if self.kind == "phrase" else joined


def draw(corpus: Corpus, kind: str, vocabulary: Vocabulary, each: int = EACH) -> list[Query]:
    """The queries of a class. A prefixed or filtered query has the words of its twin of the plain class."""
    bands = Bands.of(corpus, vocabulary)
    plain = TWIN.get(kind, "middling" if kind == "fused" else kind)
    random = Random(f"{corpus.seed} {plain}")
    ids = [_DRAWN[plain](bands, random) for _ in range(each)]
    queries = []
    for number, ranks in enumerate(ids):
        words = tuple(vocabulary.words[rank] for rank in ranks)
        if kind == "prefix":
            words = (*words[:-1], words[-1][:_TYPED])
        folder = folder_of(Random(f"{corpus.seed} folder {number}").randrange(100)) if kind == "filtered" else ""
        queries.append(Query(kind, words, sum(int(bands.freqs[rank]) for rank in ranks), folder))
    return queries


@dataclass(frozen=True, slots=True)
class Bands:
    """Word ids by frequency."""

    freqs: Sequence[int]
    rare: Sequence[int]
    middling: Sequence[int]
    common: Sequence[int]
    followers: Sequence[Sequence[int]]

    @classmethod
    def of(cls, corpus: Corpus, vocabulary: Vocabulary) -> Bands:
        """The bands of a corpus. Raises ValueError where one of them is too small."""
        freqs = corpus.doc_freqs()
        # A made-up word may happen to be a function word of English, which a search of ours leaves out.
        stops = function_words(LANGUAGE)
        freqs[[rank for rank, word in enumerate(vocabulary.words[:_MAY_STOP]) if word in stops]] = 0
        shares = freqs / corpus.chunks
        rare = ((freqs >= RARE[0]) & (freqs <= RARE[1])).nonzero()[0].tolist()
        middling = ((shares >= MIDDLING[0]) & (shares <= MIDDLING[1])).nonzero()[0].tolist()
        common = (shares > COMMON).nonzero()[0].tolist()
        if min(len(rare), len(middling), len(common)) < 5:
            raise ValueError(f"a corpus of {corpus.chunks:,} chunks has too few words of some frequency")
        return cls(freqs.tolist(), rare, middling, common, vocabulary.followers[middling].tolist())


def _phrase(bands: Bands, random: Random) -> list[int]:
    """A middling word and one that likes to follow it, so that both are in many chunks and the pair in some."""
    while True:
        at = random.randrange(len(bands.middling))
        follower = bands.followers[at][random.randrange(len(bands.followers[at]))]
        if follower != bands.middling[at] and bands.freqs[follower] >= bands.freqs[bands.middling[-1]] // 4:
            return [bands.middling[at], follower]


_DRAWN: Final[Mapping[str, Callable[[Bands, Random], list[int]]]] = {
    "rare": lambda bands, random: random.sample(bands.rare, 1),
    "rare+middling": lambda bands, random: [*random.sample(bands.rare, 2), *random.sample(bands.middling, 1)],
    "middling": lambda bands, random: random.sample(bands.middling, 3),
    "common": lambda bands, random: random.sample(bands.common, 3),
    "mixed": lambda bands, random: [
        *random.sample(bands.rare, 1),
        *random.sample(bands.middling, 2),
        *random.sample(bands.common, 2),
    ],
    "phrase": _phrase,
}
