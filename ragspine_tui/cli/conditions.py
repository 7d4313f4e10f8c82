"""Conditions as people wrote them: what is odd about them, and how their values are shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ragspine_tui.errors import FilterError
from ragspine_tui.types import Condition, FilterReport, SearchResult

if TYPE_CHECKING:
    from ragspine_tui.session import Session

_SEVERAL: Final = re.compile(r"\s(?:and|or|&&?|\|\|?)\s", re.IGNORECASE)
_FEW: Final = 5
"""Remarks on more conditions than this would be read by nobody."""


def parsed(session: Session, text: str) -> Condition:
    """A condition of the command line. Raises FilterError, which knows how several are given there."""
    try:
        return session.parse_condition(text)
    except FilterError as error:
        if _SEVERAL.search(text):
            error.hint = "each condition has a -f of its own; with --any-filter one of them is enough"
        raise


def remarks(session: Session, result: SearchResult) -> Iterator[str]:
    """A line for each condition that can hardly mean what it says, or asks for a field that no document has."""
    searched = [chosen.library_id for chosen in result.route.libraries]
    if result.filter.source != "user" or not searched:
        return
    for step in result.filter.steps[1 : _FEW + 1]:
        condition = session.parse_condition(step.condition or "")
        odd = session.hint(condition, searched)
        # Where no document was left to have the field, its absence is no news.
        if odd and (step.missing_field or not odd.unknown_field):
            lists = " ('ragspine-tui fields' lists what there is)" if odd.unknown_field else ""
            yield odd.said_of(condition) + lists


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
