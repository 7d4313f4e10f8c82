"""Twenty queries out of a folder's own words: the same for the same texts, whatever the folder is about."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

# Scripts without spaces have no words to count: two characters of them stand for one.
_WORD: Final = re.compile(r"[぀-ヿ㐀-鿿가-힯]{2}|[^\W\d_぀-ヿ㐀-鿿가-힯]{4,24}")
_EACH: Final = 5


class Drawn(NamedTuple):
    """A query and its kind: `rare`, `middling`, `common` or `mixed`."""

    kind: str
    text: str


class Bands(NamedTuple):
    """Words by how many documents hold them: at most two; a hundredth or so; most."""

    rare: Sequence[str]
    middling: Sequence[str]
    common: Sequence[str]


def draw_queries(texts: Iterable[str], stops: Container[str] = ()) -> list[Drawn]:
    """One rare word; three middling; three common; one rare, two middling and two common: five queries each.

    Words in `stops` are not drawn: a search leaves them out. Raises ValueError where the texts have no words.
    """
    bands = _bands(texts, stops)
    rare, middling, common = (_dealt(band) for band in bands)
    return [
        *(Drawn("rare", next(rare)) for _ in range(_EACH)),
        *(Drawn("middling", _joined(middling, 3)) for _ in range(_EACH)),
        *(Drawn("common", _joined(common, 3)) for _ in range(_EACH)),
        *(Drawn("mixed", f"{next(rare)} {_joined(middling, 2)} {_joined(common, 2)}") for _ in range(_EACH)),
    ]


def _bands(texts: Iterable[str], stops: Container[str]) -> Bands:
    counts: Counter[str] = Counter()
    documents = 0
    for text in texts:
        counts.update(set(_WORD.findall(text.casefold())))
        documents += 1
    ranked = sorted((word for word in counts if word not in stops), key=lambda word: (-counts[word], word))
    if not ranked:
        raise ValueError("the folder holds no words to search for")
    rare = [word for word in ranked if counts[word] <= 2] or ranked[-_EACH:]
    middling = sorted(ranked, key=lambda word: (abs(counts[word] - documents / 100), word))[:200]
    return Bands(rare, middling, ranked[:40])


def _dealt(words: Sequence[str]) -> Iterator[str]:
    """The words in an order that looks random and is always the same, over and over."""
    order = sorted(words, key=lambda word: hashlib.blake2b(word.encode(), digest_size=8).digest())
    while True:
        yield from order


def _joined(words: Iterator[str], count: int) -> str:
    return " ".join(next(words) for _ in range(count))
