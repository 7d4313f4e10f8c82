"""What the screen knows: the libraries, what narrows the search, and the latest result. Plain data, no widget."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from ragspine_tui.specs import SEAMS
from ragspine_tui.types import (
    Condition,
    FieldValues,
    FilterStep,
    Hit,
    LibrarySummary,
    Parent,
    Progress,
    SearchRequest,
    SearchResult,
    Sensitivity,
)

if TYPE_CHECKING:
    from ragspine_tui.session import Session

SHOWN_HITS: Final = 50


@dataclass(slots=True)
class FilterLine:
    """One condition of the filter, on or off: `text` reads back as it, `shown` is what a person is shown of it.

    `doubt` is why it hardly says what was meant, with what may have been; '' where nothing is odd.
    """

    condition: Condition
    text: str
    shown: str
    active: bool = True
    doubt: str = ""


def filter_line(session: Session, condition: Condition, active: bool = True) -> FilterLine:
    """A condition with both its texts, and what is odd about it."""
    odd = session.hint(condition)
    return _line(session, condition, odd.said if odd else "", active)


def _line(session: Session, condition: Condition, doubt: str, active: bool = True) -> FilterLine:
    values = [shown_value(condition.field, value) for value in condition.values]
    plain = replace(condition, value=tuple(values) if isinstance(condition.value, tuple) else values[0])
    texts = (session.format_condition(condition), session.format_condition(plain))
    return FilterLine(condition, *texts, active, doubt)


@dataclass(frozen=True, slots=True)
class TypedCondition:
    """A condition as it was typed; where it says something else than was meant, `why`, and `better` says it."""

    line: FilterLine
    better: FilterLine | None = None
    why: str = ""


def typed_condition(session: Session, text: str) -> TypedCondition:
    """What is typed in the filter line. Raises FilterError where it is no condition."""
    condition = session.parse_condition(text)
    odd = session.hint(condition)
    line = _line(session, condition, odd.said if odd else "")
    if odd is None or odd.better is None or odd.hopeless:
        return TypedCondition(line)
    return TypedCondition(line, filter_line(session, odd.better), odd.why)


def shown_value(field: str, value: str) -> str:
    """A stored value as people read it."""
    # The session is loaded after the first frame.
    from ragspine_tui import session

    return session.shown_value(field, value)


@dataclass(slots=True)
class State:
    """The screen's state. `chosen` is the scope by hand, None for every library; `parents` belongs to `result`.

    While routing is on the choice by hand rests. `refused` is why the latest search could not run, '' where it did.
    `like` is the passage that more is searched of, instead of `query`.
    `hidden` holds the (library, document) pairs that are being restricted right now; `watching`: folders are.
    `reading` is how far the library that is being read now has come; `gone` the chunk ids of hits without a file.
    `apart` are the chunk ids of copies that are shown as rows of their own, passage by passage.
    """

    limit: int = SHOWN_HITS
    libraries: tuple[LibrarySummary, ...] = ()
    loaded: bool = False
    chosen: frozenset[str] | None = None
    routing: bool = False
    extracting: bool = False
    every: bool = False
    by_date: bool = False
    like: Hit | None = None
    mode: str = SEAMS["mode"].default
    fusion: str = SEAMS["fusion"].default
    filters: list[FilterLine] = field(default_factory=list)
    fields: tuple[FieldValues, ...] = ()
    facets: tuple[FieldValues, ...] = ()
    marks: dict[str, tuple[str, ...]] = field(default_factory=dict)
    query: str = ""
    result: SearchResult | None = None
    refused: str = ""
    synonyms: tuple[str, ...] = ()
    parents: dict[str, Parent] = field(default_factory=dict)
    parent_shown: bool = True
    hidden: set[tuple[str, str]] = field(default_factory=set)
    watching: bool = False
    reading: Progress | None = None
    gone: frozenset[str] = frozenset()
    apart: list[frozenset[str]] = field(default_factory=list)

    @property
    def ids(self) -> tuple[str, ...]:
        """Every library's id."""
        return tuple(summary.library.library_id for summary in self.libraries)

    @property
    def in_scope(self) -> frozenset[str]:
        """The libraries the next search may use, before routing."""
        every = frozenset(self.ids)
        return every if self.chosen is None or self.routing else every & self.chosen

    @property
    def searched(self) -> frozenset[str]:
        """The libraries searched: those in scope, or of the latest result the routed ones or those the query names."""
        if self.result is not None and self._narrowed_by(self.result):
            return frozenset(routed.library_id for routed in self.result.route.libraries)
        return self.in_scope

    def _narrowed_by(self, result: SearchResult) -> bool:
        """Whether the query itself chose the libraries."""
        by_hand = any(part.kind == "library" for part in result.parse)
        return by_hand or (self.routing and not result.route.fallback)

    @property
    def active_filters(self) -> tuple[FilterLine, ...]:
        """The conditions that are on."""
        return tuple(line for line in self.filters if line.active)

    def routed_terms(self) -> dict[str, tuple[str, ...]]:
        """The libraries the router chose with the words that chose them; empty without routing or on a fallback."""
        if not self.routing or self.result is None or self.result.route.fallback:
            return {}
        return {routed.library_id: routed.matched_terms for routed in self.result.route.libraries}

    def request(self) -> SearchRequest:
        """The search as it stands, for when a library is in scope; the last word is a prefix until a blank ends it."""
        return SearchRequest(
            query=self.query,
            libraries=() if self.chosen is None or self.routing else tuple(i for i in self.ids if i in self.in_scope),
            conditions=tuple(line.condition for line in self.active_filters),
            route=self.spec("router"),
            extract=self.spec("filter_extractor"),
            mode=self.mode,
            fusion=self.fusion,
            limit=self.limit,
            prefix=not self.query.endswith((" ", "\u3000")),
            match="all" if self.every else "any",
            sort="date" if self.by_date else "relevance",
            like=self.like.chunk_id if self.like else "",
        )

    def spec(self, seam: str) -> str:
        """What the next search is asked for at a seam."""
        if seam in ("router", "filter_extractor"):
            return "keyword" if (self.routing if seam == "router" else self.extracting) else "none"
        return self.mode if seam == "mode" else self.fusion

    def set_spec(self, seam: str, name: str) -> None:
        """Ask the next search for another form of a seam."""
        if seam == "router":
            self.routing = name != "none"
        elif seam == "filter_extractor":
            self.extracting = name != "none"
        elif seam == "mode":
            self.mode = name
        else:
            self.fusion = name

    def without_hidden(self, result: SearchResult) -> SearchResult:
        """The result without documents that are being restricted: a search may have begun before."""
        if not self.hidden:
            return result
        hits = []
        for hit in result.hits:
            left = [one for one in (hit, *hit.also) if (one.library_id, one.document) not in self.hidden]
            if left:
                hits.append(hit if left[0] is hit and len(left) == 1 + len(hit.also) else _joined(left))
        return replace(result, hits=tuple(hits))

    def copies(self, hit: Hit) -> tuple[Hit, ...]:
        """The other places of a hit's passage, whether they are shown as one row with it or as rows of their own."""
        return hit.also or tuple(one for one in self._rows_apart(hit) if one.chunk_id != hit.chunk_id)

    def _rows_apart(self, hit: Hit) -> list[Hit]:
        own = next((group for group in self.apart if hit.chunk_id in group), frozenset())
        return [one for one in self.result.hits if one.chunk_id in own] if self.result else []

    def switch_copies(self, hit: Hit) -> Hit | None:
        """Show a hit's copies as rows of their own, or its rows as one again: the hit to stand on, if any.

        Every row has a rank of its own.
        """
        rows = [hit] if hit.also else self._rows_apart(hit)
        if self.result is None or not (hit.also or len(rows) > 1):
            return None
        if hit.also:
            shown = [replace(one, also=()) for one in (hit, *hit.also)]
            self.apart.append(frozenset(one.chunk_id for one in shown))
        else:
            shown = [_joined(rows)]
            self.apart = [group for group in self.apart if hit.chunk_id not in group]
        at = self.result.hits.index(rows[0])
        others = [one for one in self.result.hits if one not in rows]
        hits = [*others[:at], *shown, *others[at:]]
        self.result = replace(self.result, hits=tuple(replace(one, rank=n) for n, one in enumerate(hits, 1)))
        return self.result.hits[at]

    def switch_library(self, library_id: str) -> None:
        """Take the scope by hand, from what is searched now, with this library switched."""
        chosen = self.searched ^ {library_id}
        self.chosen = None if chosen == frozenset(self.ids) else chosen
        self.routing = False

    def restricted(self, summary: LibrarySummary) -> bool:
        """Whether the whole library is restricted, by its label or by a person's mark."""
        library = summary.library
        marks = (*library.restrict, *self.marks.get(library.library_id, ()))
        return library.sensitivity is Sensitivity.RESTRICTED or WHOLE in marks

    def steps(self) -> Mapping[str, FilterStep]:
        """What each condition left in the latest search, by the condition's text."""
        steps = self.result.filter.steps if self.result else ()
        return {step.condition: step for step in steps if step.condition is not None}

    def fields_found(self) -> tuple[FieldValues, ...]:
        """The fields of all documents that the search finds; of the shown ones while one is being restricted."""
        return self.facets or self.fields_of_hits()

    def fields_known(self) -> tuple[FieldValues, ...]:
        """The fields to complete a condition by: as they were found, then once more as all the libraries have them."""
        return (*self.fields_found(), *self.fields)

    def fields_of_hits(self) -> tuple[FieldValues, ...]:
        """The fields of the documents that the shown hits are from, each document counted once."""
        hits = self.without_hidden(self.result).hits if self.result else ()
        documents = {(hit.library_id, hit.document): hit.fields for hit in hits}
        counts: dict[str, Counter[str]] = {}
        for fields in documents.values():
            for name, values in fields.items():
                counts.setdefault(name, Counter()).update(set(values))
        return tuple(
            FieldValues(
                name,
                sum(name in fields for fields in documents.values()),
                tuple(sorted(counts[name].items(), key=lambda pair: (-pair[1], pair[0]))),
            )
            for name in sorted(counts)
        )

    @property
    def found_filter(self) -> str | None:
        """The filter that was found in the query's own words, None where there is none."""
        if self.result is None or self.result.filter.source != "extractor":
            return None
        return self.result.filter.text

    def doubts(self) -> tuple[str, ...]:
        """Of each condition what is odd about it, '' where nothing is."""
        return tuple(line.doubt for line in self.filters)

    def take_doubts(self, doubts: Mapping[str, str]) -> None:
        """What is odd about conditions now, by their texts."""
        self.filters = [replace(line, doubt=doubts.get(line.text, line.doubt)) for line in self.filters]

    def shown_condition(self, text: str) -> str:
        """What a person is shown of a condition of the filter."""
        return next((line.shown for line in self.filters if line.text == text), text)

    def library_rank(self, hit: Hit) -> int:
        """The hit's place among its own library's hits; fusion keeps a library's order."""
        hits = self.result.hits if self.result else ()
        return sum(other.library_id == hit.library_id and other.rank <= hit.rank for other in hits)

    def forget_values(self, hit: Hit) -> None:
        """Drop what names a value of this hit's document, conditions and doubts: it is about to be restricted."""
        own = {value for values in hit.fields.values() for value in values}
        kept = [line for line in self.filters if own.isdisjoint(line.condition.values)]
        self.filters = [replace(line, doubt="") for line in kept]

    def filters_kept(self) -> str:
        """The filter as it is kept between runs."""
        return json.dumps([[line.text, line.active] for line in self.filters])


def filters_of(kept: str) -> list[tuple[str, bool]]:
    """The texts and switches of a kept filter; nothing where it cannot be read."""
    try:
        rows = json.loads(kept or "[]")
        return [(text, bool(active)) for text, active in rows if isinstance(text, str)]
    except (ValueError, TypeError):
        return []


def _joined(hits: Sequence[Hit]) -> Hit:
    """The same passage in several places as one hit."""
    return replace(hits[0], also=tuple(hits[1:]))


WHOLE: Final = "**"

NONE_CHOSEN: Final = "-"
"""How a choice by hand of no library is kept; no library has that name."""
