"""Judged files: the tables that say what a search must find in which file, and how its answers are checked."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

CASE_COLUMNS: Final = ("id", "kind", "path", "phrase", "locator", "status", "oracle", "note")
NEGATIVE_COLUMNS: Final = ("id", "kind", "path", "phrase", "why", "oracle")
ODD: Final = "odd"
"""The kind of files whose names are the test: paths below a folder of this name, with backslash escapes."""

_FIELD: Final = re.compile(r"\bFIELD ([\w-]+)=(.+?)(?:; |\Z)")
_OR: Final = re.compile(r"(?:\A|; )or=([\w,]+)")
_OR_LOCATOR: Final = re.compile(r"\bor_locator=([^;]+)")
_SECTION: Final = re.compile(r"(?:\A|; )section=(.+?)(?:; |\Z)")
_ESCAPE: Final = re.compile(rb"\\(?:x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_LETTERS: Final = {b"n": b"\n", b"t": b"\t", b"r": b"\r"}
_CELL: Final = re.compile(r"([A-Z]{1,3})(\d+)")
_SPACE_IN_PARTS: Final = re.compile(r"\s*[/:]\s+")


@dataclass(frozen=True, slots=True)
class Case:
    """What a file must give: a phrase at a place, or a field's value, or only a status."""

    case_id: str
    kind: str
    path: str
    phrase: str
    locator: str
    status: str
    note: str

    @property
    def statuses(self) -> frozenset[str]:
        """Every status that is honest."""
        also = _OR.search(self.note)
        return frozenset({self.status, *(also[1].split(",") if also else ())})

    @property
    def field(self) -> tuple[str, str] | None:
        """The field asked for, and its value."""
        match = _FIELD.search(self.note)
        return (match[1].lower(), match[2].strip()) if match else None

    @property
    def places(self) -> tuple[str, ...]:
        """The places where the phrase may stand; none where any is right."""
        also = _OR_LOCATOR.search(self.note)
        found = [self.locator, *(also[1].split(",") if also else ())]
        return tuple(place.strip() for place in found if self.locator and place.strip())

    @property
    def section(self) -> str:
        """The innermost heading above the phrase, '' where it does not matter."""
        match = _SECTION.search(self.note)
        return match[1].split(" > ")[-1].strip() if match else ""

    @property
    def optional(self) -> bool:
        """Whether honest programs may differ."""
        return "optional" in self.note

    @property
    def may_be_skipped(self) -> bool:
        """Whether it is right not to look at the file at all, as with links and pipes."""
        return "or skipped" in self.note or "must be skipped" in self.note


@dataclass(frozen=True, slots=True)
class Negative:
    """A phrase that must not be found in a file."""

    case_id: str
    kind: str
    path: str
    phrase: str
    why: str

    @property
    def optional(self) -> bool:
        """Whether honest programs may differ."""
        return "policy: optional" in self.why


@dataclass(frozen=True, slots=True)
class Place:
    """Where a hit says it is: its lines are from `line` to `last_line`, both included."""

    line: int | None
    last_line: int
    page: int | None
    part: str
    heading: str


def read_cases(table: Path) -> list[Case]:
    """The cases of a table. ValueError where its columns are others."""
    return [Case(*row[:6], *row[7:]) for row in _rows(table, CASE_COLUMNS)]


def read_negatives(table: Path) -> list[Negative]:
    """The phrases of a table that must not be found. ValueError where its columns are others."""
    return [Negative(*row[:5]) for row in _rows(table, NEGATIVE_COLUMNS)]


def document_path(kind: str, path: str) -> str:
    """The path of a file below its library, as the index has it."""
    inside = path.partition("/")[2]
    if kind != ODD:
        return inside
    return os.fsdecode(_ESCAPE.sub(_unescaped, inside.encode("utf-8")))


def is_right_place(case: Case, place: Place) -> bool:
    """Whether a hit stands where the case says, and under its heading."""
    if case.section and folded(case.section) != folded(place.heading):
        return False
    return not case.places or any(_is_at(case.kind, wanted, place) for wanted in case.places)


def folded(text: str) -> str:
    """Text without regard to case, compatibility forms, white space and soft hyphens."""
    text = unicodedata.normalize("NFKC", text).replace("\u00ad", "").replace("\u200b", "")
    return " ".join(text.casefold().split())


def percent(part: int, whole: int) -> str:
    """A share as it stands in tables, `-` where there is nothing."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _rows(table: Path, columns: tuple[str, ...]) -> Iterable[list[str]]:
    lines = table.read_text("utf-8").split("\n")
    if tuple(lines[0].split("\t")) != columns:
        raise ValueError(f"{table}: the columns must be {' '.join(columns)}")
    for number, line in enumerate(lines[1:], 2):
        if not line:
            continue
        row = line.split("\t")
        if len(row) != len(columns):
            raise ValueError(f"{table}:{number}: {len(row)} columns instead of {len(columns)}")
        yield row


def _unescaped(match: re.Match[bytes]) -> bytes:
    return bytes([int(match[1], 16)]) if match[1] else _LETTERS.get(match[2], match[2])


def _is_at(kind: str, wanted: str, place: Place) -> bool:
    if not wanted.isdigit():
        return _is_part(wanted, place.part)
    if kind == "pdf":
        return place.page == int(wanted)
    return place.line is not None and place.line <= int(wanted) <= place.last_line


def _is_part(wanted: str, part: str) -> bool:
    """Whether a part is the one wanted: by its name, as the file of a path, as a cell in a range, or around it."""
    name, sought = (_SPACE_IN_PARTS.sub(" / ", text).strip().casefold() for text in (part, wanted))
    if sought in (name, name.rpartition("/")[2], name.partition("!")[0]) or name.startswith(f"{sought} /"):
        return True
    sheet, _, cells = part.partition("!")
    wanted_sheet, _, cell = wanted.partition("!")
    return bool(cell) and sheet.casefold() == wanted_sheet.casefold() and _is_within(cell, cells)


def _is_within(cell: str, cells: str) -> bool:
    corners = [_CELL.fullmatch(corner) for corner in (cell, *cells.split(":"))]
    places = [(corner[1].rjust(3), int(corner[2])) for corner in corners if corner]
    if len(places) != len(corners):
        return False
    (column, row), first, last = places[0], places[1], places[-1]
    return first[0] <= column <= last[0] and first[1] <= row <= last[1]
