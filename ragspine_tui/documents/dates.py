"""Dates as people write them, in the one form whose order as text is their order in time."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Final

DATE_FIELDS: Final = frozenset({"date", "created", "modified"})
"""The fields that conditions take for dates."""

_LONGEST: Final = 60
_ISO: Final = re.compile(r"\d{4}(?:-(\d\d)(?:-(\d\d)(?:T\d\d(?::\d\d(?::\d\d)?)?Z?)?)?)?", re.ASCII)
_MOMENT: Final = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ]+(\d\d:\d\d)(:\d\d)?(?:\.\d{1,9})? ?(Z|UTC|[+-]\d\d:?\d\d)?", re.ASCII
)
_YEAR_FIRST: Final = re.compile(r"(\d{4}) ?[-/.年] ?(\d{1,2})(?: ?[-/.月] ?(\d{1,2}))? ?[日月]?", re.ASCII)
_COMPACT: Final = re.compile(r"(\d{4})(\d\d)(\d\d)", re.ASCII)
_DAY_FIRST: Final = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})", re.ASCII)
_ERA: Final = re.compile(r"(明治|大正|昭和|平成|令和) ?(\d{1,2}|元)年 ?(\d{1,2})月(?: ?(\d{1,2})日)?", re.ASCII)
_ERA_BEGINS: Final = {"明治": 1868, "大正": 1912, "昭和": 1926, "平成": 1989, "令和": 2019}
_DAY_AND_NAME: Final = re.compile(
    r"(?:[a-z]{3,9}\.?,? )?(\d{1,2})(?:st|nd|rd|th|\.)? (?:of )?([a-z]{3,9})\.?,? (\d{4})", re.ASCII
)
_NAME_AND_DAY: Final = re.compile(
    r"(?:[a-z]{3,9}\.?, )?([a-z]{3,9})\.? (?:(\d{1,2})(?:st|nd|rd|th)?,? )?(\d{4})", re.ASCII
)
_MONTHS: Final = (
    "january february march april may june july august september october november december".split()  # noqa: SIM905
)


def iso_date(written: str) -> str:
    """The date as ISO 8601, moments with a time zone in UTC; '' where it is none, or could be two."""
    if len(written) > _LONGEST:
        return ""
    text = " ".join(unicodedata.normalize("NFKC", written).lower().split()).upper().replace("年 ", "年")
    try:
        if match := _ISO.fullmatch(text):
            date(int(text[:4]), int(match[1] or 1), int(match[2] or 1))
            return text
        return _moment(text) or _numbered(text) or _named(text.lower())
    except (ValueError, OverflowError):
        return ""


def iso_dates(name: str, values: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The values of a field, dates in the form that conditions compare; and those that were not understood as dates."""
    written = tuple(values)
    if name not in DATE_FIELDS:
        return written, ()
    read = [iso_date(value) for value in written]
    odd = tuple(value for value, found in zip(written, read, strict=True) if not found and any(map(str.isdigit, value)))
    return tuple(found or value for value, found in zip(written, read, strict=True)), odd


def _moment(text: str) -> str:
    match = _MOMENT.fullmatch(text)
    if match is None:
        return ""
    day, minutes, seconds, zone = match.groups()
    moment = datetime.fromisoformat(f"{day}T{minutes}{seconds or ''}")
    if zone is None:
        return f"{day}T{minutes}{seconds or ''}"
    if zone[0] in "+-":
        offset = datetime.strptime(zone.replace(":", ""), "%z").tzinfo
        moment = moment.replace(tzinfo=offset).astimezone(UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")


def _numbered(text: str) -> str:
    if match := _YEAR_FIRST.fullmatch(text) or _COMPACT.fullmatch(text):
        return _iso(int(match[1]), int(match[2]), match[3])
    if match := _ERA.fullmatch(text):
        year = 1 if match[2] == "元" else int(match[2])
        return _iso(_ERA_BEGINS[match[1]] + year - 1, int(match[3]), match[4])
    if match := _DAY_FIRST.fullmatch(text):
        first, second = int(match[1]), int(match[2])
        # 03/04 is March or April; nobody but its writer can tell.
        if first > 12 or first == second:
            return _iso(int(match[3]), second, match[1])
        return _iso(int(match[3]), first, match[2]) if second > 12 else ""
    return ""


def _named(text: str) -> str:
    if match := _DAY_AND_NAME.fullmatch(text):
        return _iso(int(match[3]), _month(match[2]), match[1])
    if match := _NAME_AND_DAY.fullmatch(text):
        return _iso(int(match[3]), _month(match[1]), match[2])
    return ""


def _month(name: str) -> int:
    for number, month in enumerate(_MONTHS, 1):
        if name in (month, month[:3], "sept" if number == 9 else month):
            return number
    raise ValueError(name)


def _iso(year: int, month: int, day: str | None) -> str:
    found = date(year, month, int(day or 1)).isoformat()
    return found if day else found[:7]
