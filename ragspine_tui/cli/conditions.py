"""Conditions as people wrote them: what is odd about them, and how their values are shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from ragspine_tui.cli.text import cut
from ragspine_tui.types import Condition, FilterReport, SearchRequest, SearchResult

if TYPE_CHECKING:
    from ragspine_tui.session import Session

_FEW: Final = 5
"""Remarks on more conditions than this would be read by nobody."""


def remarks(session: Session, request: SearchRequest, result: SearchResult) -> Iterator[str]:
    """A line for each condition that cannot mean what it says, or asks for a field that no document has."""
    lacking = _lacking(session, request, result.filter)
    searched = [chosen.library_id for chosen in result.route.libraries]
    fields = [one.field for one in session.fields(searched, limit=1)] if lacking else []
    for condition in _conditions(session, result.filter)[:_FEW]:
        if condition.field in lacking and condition.field not in fields:
            yield _unknown(condition.field, fields)
        elif told := _odd(session, condition):
            yield told


def shown_plainly(session: Session, report: FilterReport) -> FilterReport:
    """The report with its values as people read them; a filter itself is never changed."""
    if report.source == "none":
        return report
    text, steps = report.text, []
    for step in report.steps:
        if step.condition is not None:
            plain = _plain(session, step.condition)
            text = text.replace(step.condition, plain)
            step = replace(step, condition=plain)
        steps.append(step)
    return replace(report, text=text, steps=tuple(steps))


def _plain(session: Session, text: str) -> str:
    from ragspine_tui.session import shown_value

    condition = session.parse_condition(text)
    shown = tuple(shown_value(condition.field, value) for value in condition.values)
    if shown == condition.values:
        return text
    return session.format_condition(replace(condition, value=shown if isinstance(condition.value, tuple) else shown[0]))


def _conditions(session: Session, report: FilterReport) -> list[Condition]:
    """The conditions that a person wrote, in options and in the query itself."""
    if report.source != "user":
        return []
    return [session.parse_condition(step.condition) for step in report.steps if step.condition is not None]


def _lacking(session: Session, request: SearchRequest, report: FilterReport) -> set[str]:
    """The fields of conditions before which there were documents, but none with the field."""
    lacking = set()
    for number, condition in enumerate(_conditions(session, report), start=1):
        narrows = request.combine == "and" or number > len(request.conditions)
        before = report.steps[number - 1 if narrows else 0].documents
        if 0 < before == report.steps[number].missing_field:
            lacking.add(condition.field)
    return lacking


def _unknown(field: str, fields: list[str]) -> str:
    near = get_close_matches(field.lower(), fields, n=1)
    meant = f"; did you mean {near[0]!r}?" if near else ""
    return f"no document has a field {cut(field)!r}{meant} ('ragspine-tui fields' lists what there is)"


def _odd(session: Session, condition: Condition) -> str:
    """What a condition says that a person hardly means; '' where nothing is odd."""
    better = session.completed(condition) or condition
    said, why = cut(session.format_condition(condition)), "values are compared as text"
    if condition.op == "between" and better.values[0] > better.values[1]:
        low, high = better.values
        if _is_ordered(low, high):
            return f"{said}: nothing can match: as text, {cut(low)!r} comes after {cut(high)!r}"
        why = "nothing can match, as the first value comes after the second"
        swapped = replace(condition, value=condition.values[::-1])
        better = session.completed(swapped) or swapped
    return "" if better == condition else f"{said}: {why}; did you mean {session.format_condition(better)!r}?"


def _is_ordered(low: str, high: str) -> bool:
    """Whether two texts are numbers in order, so that the other way round would mean something else."""
    try:
        return float(low) <= float(high)
    except ValueError:
        return False
