"""Filters read from the query itself: they can only narrow, and never write a word of what is shown."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from ragspine_tui.retrieval.filtering.metadata_filter import MetadataFilter
from ragspine_tui.retrieval.lexical.scripts import SPACELESS_RUN
from ragspine_tui.specs import choose_spec
from ragspine_tui.types import Condition, FieldValues

VOCABULARY_FIELDS: Final = ("kind", "tag", "tags", "author", "language", "lang", "year")
"""The fields whose values make the vocabulary unless others are chosen."""

Fold = Callable[[str], str]
Vocabulary = Mapping[str, tuple[str, str]] | Iterable[tuple[str, str, str]]
"""Term to (field, value), or (term, field, value) triples where a term stands for several."""


class FilterExtractor(Protocol):
    """Reads a filter from a query; the same query and state give the same filter, and nothing but a filter."""

    def extract(self, query: str) -> MetadataFilter | None:
        """The filter the query asks for, None where it asks for none."""
        ...


def fold_text(text: str) -> str:
    """NFKC and case folding: what vocabulary and query are compared by unless another fold is given."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


@dataclass(frozen=True, slots=True)
class _Term:
    folded: str
    field: str
    value: str


class ControlledVocabFilterExtractor:
    """Finds the terms of a closed vocabulary in the query, offline and deterministically.

    A term of a script with spaces needs word boundaries (a change of script is one); Han, kana, Hangul and the other
    scripts without spaces match as substrings. Conditions stand in vocabulary order: `eq`, or one `in` where several
    values of a field were found. A term that several fields share stands for the first of them.
    """

    def __init__(self, vocabulary: Vocabulary, *, fold: Fold = fold_text) -> None:
        self._fold = fold
        self._terms = tuple(_terms(vocabulary, fold))

    def extract(self, query: str) -> MetadataFilter | None:
        """The filter of every vocabulary term in the query, None without one."""
        folded = _spaced(self._fold(query))
        found: dict[str, dict[str, None]] = {}
        field_of: dict[str, str] = {}
        for term in self._terms:
            if contains_term(folded, term.folded) and field_of.setdefault(term.folded, term.field) == term.field:
                found.setdefault(term.field, {})[term.value] = None
        if not found:
            return None
        return MetadataFilter(tuple(_condition(field, tuple(values)) for field, values in found.items()))


EXTRACTOR_IMPLS: Final[Mapping[str, Callable[..., FilterExtractor]]] = {"keyword": ControlledVocabFilterExtractor}
"""How each extractor is made of a vocabulary and a fold."""


def make_filter_extractor(
    spec: str | None = None, vocabulary: Vocabulary = (), *, fold: Fold = fold_text
) -> FilterExtractor | None:
    """The extractor a spec names, None for `none`; None reads RAGSPINE_FILTER_EXTRACTOR. ValueError lists the specs."""
    name = choose_spec("filter_extractor", spec)
    return None if name == "none" else EXTRACTOR_IMPLS[name](vocabulary, fold=fold)


def make_vocabulary(
    values: Iterable[FieldValues],
    synonyms: Mapping[str, tuple[str, str]] | None = None,
    fields: Iterable[str] = VOCABULARY_FIELDS,
) -> tuple[tuple[str, str, str], ...]:
    """The distinct values of the chosen fields, each its own term, then a person's synonyms."""
    chosen = frozenset(fields)
    own = ((value, each.field, value) for each in values if each.field in chosen for value, _ in each.values)
    return (*own, *((term, field, value) for term, (field, value) in (synonyms or {}).items()))


def choose_filter(
    explicit: MetadataFilter | None, extractor: FilterExtractor | None, query: str
) -> tuple[MetadataFilter | None, str]:
    """The filter of a search and who set it (`user`, `extractor`, `none`): an explicit one beats the extractor.

    Whatever an extractor returns that is no MetadataFilter counts as none.
    """
    if explicit is not None and explicit.conditions:
        return explicit, "user"
    extracted: object = extractor.extract(query) if extractor is not None else None
    if isinstance(extracted, MetadataFilter) and extracted.conditions:
        return extracted, "extractor"
    return explicit, "none"


def contains_term(text: str, term: str) -> bool:
    """Whether folded `text` holds folded `term`, at word boundaries on each side where its script has spaces."""
    at = text.find(term)
    while at >= 0:
        end = at + len(term)
        if _is_boundary(text[at - 1 : at], term[0]) and _is_boundary(term[-1], text[end : end + 1]):
            return True
        at = text.find(term, at + 1)
    return False


def _terms(vocabulary: Vocabulary, fold: Fold) -> Iterator[_Term]:
    triples: Iterable[tuple[str, str, str]]
    if isinstance(vocabulary, Mapping):
        triples = ((term, field, value) for term, (field, value) in vocabulary.items())
    else:
        triples = vocabulary
    for term, field, value in triples:
        if folded := _spaced(fold(term)):
            yield _Term(folded, field, value)


def _condition(field: str, values: tuple[str, ...]) -> Condition:
    return Condition(field, "eq", values[0]) if len(values) == 1 else Condition(field, "in", values)


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _is_boundary(before: str, after: str) -> bool:
    return not (_joins(before) and _joins(after))


def _joins(char: str) -> bool:
    """Whether a character makes words with its neighbours: letters, marks, digits of scripts that use spaces, and _."""
    if not char:
        return False
    return char == "_" or (unicodedata.category(char)[0] in "LMN" and not SPACELESS_RUN.match(char))
