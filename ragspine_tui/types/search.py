"""What a search is asked and what it answers, from the door that asks to the door that shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from ragspine_tui.types.documents import Fields, Sensitivity, Span

SORTS: Final = ("relevance", "date")
"""What hits can be ordered by."""

OPERATORS: Final = ("eq", "ne", "in", "nin", "gt", "gte", "lt", "lte", "between")


@dataclass(frozen=True, slots=True)
class Condition:
    """`field op value` over strings. `value` is one string, or a tuple of strings for `in`, `nin` and `between`.

    Construction raises ValueError on an unknown operator, on a str, bytes or non-iterable for `in`/`nin`, and on
    anything but exactly two values for `between`. Values are frozen to str here (None becomes ''), so that a
    generator answers alike for every object.
    """

    field: str
    op: str
    value: Any

    def __post_init__(self) -> None:
        if self.op not in OPERATORS:
            raise ValueError(f"unknown operator {self.op!r}; valid: {', '.join(OPERATORS)}")
        if self.op in ("in", "nin", "between"):
            if isinstance(self.value, (str, bytes)) or not isinstance(self.value, Iterable):
                raise ValueError(f"{self.op} needs a sequence of values, not {self.value!r}")
            values = tuple(_as_text(v) for v in self.value)
            if self.op == "between" and len(values) != 2:
                raise ValueError(f"between needs exactly two values (low, high), not {len(values)}")
            object.__setattr__(self, "value", values)
        else:
            object.__setattr__(self, "value", _as_text(self.value))

    @property
    def values(self) -> tuple[str, ...]:
        """The value or values as a tuple."""
        return self.value if isinstance(self.value, tuple) else (self.value,)


def _as_text(value: object) -> str:
    return "" if value is None else str(value)


@dataclass(frozen=True, slots=True)
class RoutedLibrary:
    """A library the router chose, with the query's terms that chose it."""

    library_id: str
    matched_terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Route:
    """Where a search went: `fallback` is true where the router matched nothing and every library was searched."""

    spec: str
    libraries: tuple[RoutedLibrary, ...]
    fallback: bool = False


@dataclass(frozen=True, slots=True)
class FilterStep:
    """How many documents were left after a condition, and how many of those before it lack its field.

    `condition` is the condition's text, None for the count before any.
    """

    condition: str | None
    documents: int
    missing_field: int = 0


@dataclass(frozen=True, slots=True)
class FilterReport:
    """The filter of a search: its text, who set it (`user`, `extractor`, `none`), and what each step left."""

    text: str = ""
    source: str = "none"
    steps: tuple[FilterStep, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One search. `libraries` empty means all; `prefix` takes the last word as a prefix (search as you type).

    Specs that are None come from the configuration, and so does `match`: `any` word is enough, or `all` must be there.
    `literal` takes every sign of the query as text. `copies` gives the same passage of several documents as so many
    hits. `sort` is `relevance` or `date` (newest first). A score halves with every `recency` days of its document's age
    at `today`, an ISO date; 0 leaves scores alone, None asks the configuration where `today` is given.
    `like` is the id of a passage: its most telling words are searched for then, outside its own document.
    """

    query: str
    libraries: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    combine: str = "and"
    mode: str | None = None
    route: str | None = None
    fusion: str | None = None
    extract: str | None = None
    limit: int = 20
    prefix: bool = False
    parent: bool = False
    explain: bool = False
    match: str | None = None
    literal: bool = False
    copies: bool = False
    sort: str = "relevance"
    recency: float | None = None
    today: str = ""
    like: str = ""


@dataclass(frozen=True, slots=True)
class QueryPart:
    """What a stretch of a query, `query[start:end]`, was taken for.

    `kind` is one of `word` (ranked), `prefix`, `phrase`, `near`, `title`, `condition`, `library`, and `required` or
    `excluded` where a sign stands before it.
    """

    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A word of the query that was found nowhere, and words of the libraries that are spelled much like it."""

    word: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Narrowing:
    """How many passages a search without hits would have found: without the filter, without the query's exclusions,
    and in the libraries that routing left out.
    """

    without_filter: int = 0
    without_excluded: int = 0
    elsewhere: int = 0


@dataclass(frozen=True, slots=True)
class TermScore:
    """What one query term gave a hit in one field.

    `body`, `exact` and `heading` are the passage's own; `document`, `title`, `name`, `metadata` and `named` (called as
    the query says) are its document's, of which the hit has its share.
    """

    term: str
    field: str
    tf: int
    df: int
    idf: float
    score: float


@dataclass(frozen=True, slots=True)
class Recency:
    """What a document's age took of a hit's score: `factor` is what is left of 1, `score` (0 or less) what is added."""

    date: str
    factor: float
    score: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a hit stands where it does: its rank in its own library, each term's part, and what fusion made of it.

    The terms' parts, and `recency` with them, add up to `fusion["score"]`. `share`, from 0 to 1, is what the passage
    takes of its document's parts, and is in them already: its own part beside the best own part of the document.
    """

    library_rank: int
    terms: tuple[TermScore, ...]
    fusion: Mapping[str, float]
    share: float = 1.0
    recency: Recency | None = None


@dataclass(frozen=True, slots=True)
class Parent:
    """A hit's section: its literal text and where the child stands in it. `start` is its offset in the document."""

    text: str
    child: Span
    start: int
    locator: str
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that passed the exits: `text` is the literal span of the document, `highlights` are spans in `text`.

    `also` are the same passage in other places of its library, which are no hits of their own.
    """

    rank: int
    library_id: str
    document: str
    title: str
    heading: str
    chunk_id: str
    score: float
    text: str
    span: Span
    locator: str
    line: int | None = None
    page: int | None = None
    part: str = ""
    parent_locator: str = ""
    highlights: tuple[Span, ...] = ()
    fields: Fields = field(default_factory=dict)
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    stale: bool = False
    parent: Parent | None = None
    explain: Explanation | None = None
    also: tuple[Hit, ...] = ()


@dataclass(frozen=True, slots=True)
class LibraryProblem:
    """A library that could not be searched or brought up to date, in one line."""

    library_id: str
    message: str


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Everything a door shows of one search; `total` counts the passages that matched before the cut to `limit`.

    `left_out` names libraries that routing left out although their best hit would have stood in the first five.
    `parse` says what each part of the query was taken for (empty where all of it is ranked words), `notes` what was not
    understood or emptied the result. `did_you_mean` is the whole query with the words found nowhere respelled, '' where
    there is no better spelling; `narrowed` is given only where there is no hit. `recency` is the half-life in days, 0
    where age did not count. `like` is the passage that more was searched of, `query` then its most telling words.
    """

    query: str
    mode: str
    fusion: str
    route: Route
    filter: FilterReport
    total: int
    hits: tuple[Hit, ...]
    unknown_terms: tuple[str, ...] = ()
    errors: tuple[LibraryProblem, ...] = ()
    left_out: tuple[str, ...] = ()
    parse: tuple[QueryPart, ...] = ()
    notes: tuple[str, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    did_you_mean: str = ""
    narrowed: Narrowing | None = None
    match: str = "any"
    sort: str = "relevance"
    recency: float = 0.0
    like: str = ""

    @property
    def places(self) -> tuple[Hit, ...]:
        """The hits with their copies behind them."""
        return tuple(one for hit in self.hits for one in (hit, *hit.also))

    @property
    def folded(self) -> int:
        """How many of the passages that matched are no hits of their own, but copies of those shown."""
        return sum(len(hit.also) for hit in self.hits)
