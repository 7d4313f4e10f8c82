"""What a search did, in lines for people: which libraries, which filter, which words nobody has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ragspine_tui.cli.console import Console
from ragspine_tui.cli.text import cut
from ragspine_tui.printable import escaped
from ragspine_tui.types import FilterReport, Narrowing, Route, SearchResult

_FEW: Final = 10
_LONGEST: Final = 200


def narrate(console: Console, result: SearchResult, remarks: Iterable[str] = ()) -> None:
    """Prints the scope, the filter's steps, unknown words, left out libraries and errors to stderr, then remarks."""
    for line in (*lines(result), *remarks):
        console.note(line)


def lines(result: SearchResult) -> Iterator[str]:
    """The same as printable lines, most important first."""
    shown = f", {len(result.hits):,} shown" if len(result.hits) + result.folded < result.total else ""
    folded = f", {result.folded:,} {'is a copy' if result.folded == 1 else 'are copies'}" if result.folded else ""
    passages = _passages(result.total) if result.total else "no passage"
    every = " · all words" if result.match == "all" else ""
    every += f" · like {escaped(result.like)}" if result.like else ""
    every += " · newest first" if result.sort == "date" else ""
    every += f" · half as much every {result.recency:g} days" if result.recency else ""
    yield f"{passages}{folded}{shown} · {result.mode}{every} · {_route(result.route)}"
    if result.like:
        yield f"its words: {result.query}" if result.query else "no other document has a word of it"
    yield from result.notes
    if _asks_nothing(result):
        yield "the query is empty: it has no word to search for"
    if result.filter.steps and result.filter.text:
        yield _filter(result.filter)
    if result.unknown_terms:
        yield f"nowhere in these libraries: {_some([*map(cut, result.unknown_terms)])}"
    if 0 < len(result.did_you_mean) <= _LONGEST:
        yield f"did you mean: {result.did_you_mean}"
    if result.narrowed:
        yield from _narrowed(result.narrowed)
    if result.left_out:
        yield (
            f"left out, though a hit there would be among the first five: {_some(result.left_out)}"
            " ('--route none' searches every library)"
        )
    stale = sum(hit.stale for hit in result.places)
    if stale:
        yield f"{stale:,} of these hits are of files that changed or went since: try 'ragspine-tui index'"
    for problem in result.errors:
        yield f"ragspine-tui: {problem.library_id}: {problem.message}"


def _narrowed(narrowed: Narrowing) -> Iterator[str]:
    """What took the hits away, where something did."""
    if narrowed.without_filter:
        yield f"without the filter: {_passages(narrowed.without_filter)}"
    if narrowed.without_excluded:
        yield f"without what - leaves out: {_passages(narrowed.without_excluded)}"
    if narrowed.elsewhere:
        yield f"in the libraries that routing left out: {_passages(narrowed.elsewhere)}"


def _passages(count: int) -> str:
    return f"{count:,} {'passage' if count == 1 else 'passages'}"


def _asks_nothing(result: SearchResult) -> bool:
    return not (result.like or result.total or result.unknown_terms or any(map(str.isalnum, result.query)))


def _some(words: Sequence[str]) -> str:
    """The first few of the words, and how many more there are: a query may have thousands."""
    shown = ", ".join(words[:_FEW])
    return f"{shown} and {len(words) - _FEW:,} more" if len(words) > _FEW else shown


def _route(route: Route) -> str:
    if not route.libraries:
        return "no libraries yet: try 'ragspine-tui add FOLDER'"
    if route.fallback:
        ids = [chosen.library_id for chosen in route.libraries]
        return f"no library's description matches: in {_some(ids)}"
    names = [
        f"{chosen.library_id} ({_some([*map(cut, chosen.matched_terms)])})"
        if chosen.matched_terms
        else chosen.library_id
        for chosen in route.libraries
    ]
    return ("routed: " if any(chosen.matched_terms for chosen in route.libraries) else "in ") + _some(names)


def _filter(report: FilterReport) -> str:
    counts = " → ".join(f"{step.documents:,}" for step in report.steps)
    missing = [
        f"{step.missing_field:,} {'has' if step.missing_field == 1 else 'have'} no {field}"
        for field, step in ((_field_of(step.condition), step) for step in report.steps if step.condition)
        if step.missing_field
    ]
    found = " (found in the query)" if report.source == "extractor" else ""
    return f"filter: {report.text}{found}: documents {counts}" + "".join(f"; {part}" for part in missing)


def _field_of(condition: str) -> str:
    """The field of a condition as it is written."""
    quoted = re.match(r'"(?:[^"\\]|\\.)*"', condition)
    return quoted[0] if quoted else condition.split(maxsplit=1)[0]
