"""How much of real files is read: judged phrases searched in an index of the files themselves, by the kind of file.

FOLDER holds `cases.tsv`, `negatives.tsv` and the files below `files/`. Every phrase is searched for as a phrase, and as
plain words beside it, in a throw-away home that is indexed as the app does it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Final

from benchmarks.format_cases import (
    ODD,
    Case,
    Negative,
    Place,
    document_path,
    folded,
    is_right_place,
    percent,
    read_cases,
    read_negatives,
)
from benchmarks.machine import revision, table, this_machine
from ragspine_tui.config import ServiceConfig
from ragspine_tui.errors import RagspineError
from ragspine_tui.session import Session
from ragspine_tui.types import Hit, SearchRequest, chunk_id
from storage.store import Store

FILES: Final = "files"
DEPTH: Final = 100
"""How many hits of a phrase are looked through."""
WORDS_DEPTH: Final = 20
ABSENT: Final = "not looked at"
"""The status of a file that the index does not know."""

_EXTRACTED: Final = frozenset({"html"})


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one case came to; None where a check does not apply. `shown` says what was found instead."""

    case: Case
    status: str
    status_right: bool
    found: bool | None = None
    by_words: bool | None = None
    placed: bool | None = None
    shown: str = ""

    @property
    def right(self) -> bool:
        """Whether nothing about it is wrong."""
        return self.status_right and self.found is not False and self.placed is not False


class Judge:
    """Asks one open session. `statuses` are those of each library's documents."""

    def __init__(self, session: Session, statuses: Mapping[str, Mapping[str, str]]) -> None:
        self._session = session
        self._statuses = statuses

    def case(self, case: Case) -> Outcome:
        """What the index gives for one case."""
        library, path = _library(case.kind), document_path(case.kind, case.path)
        status = self._statuses[library].get(path, ABSENT)
        right = status in case.statuses or (status == ABSENT and case.may_be_skipped)
        if case.field:
            values = self._fields(library, path).get(case.field[0], ())
            found = any(folded(case.field[1]) == folded(value) for value in values)
            return Outcome(case, status, right, found, found, shown=f"{case.field[0]} is {', '.join(values) or '-'}")
        if not case.phrase or (right and status != "indexed"):
            return Outcome(case, status, right)
        hits = self._hits(quoted(case.phrase), library, path, DEPTH)
        words = self._hits(case.phrase, library, path, WORDS_DEPTH, literal=True)
        placed = None
        if hits and (case.places or case.section):
            placed = any(is_right_place(case, self._place(hit)) for hit in hits)
        shown = "; ".join(_said(self._place(hit)) for hit in hits[:3])
        return Outcome(case, status, right, bool(hits), bool(words), placed, shown)

    def negative(self, negative: Negative) -> bool:
        """Whether the phrase is found although it must not be."""
        path = document_path(negative.kind, negative.path)
        return bool(self._hits(quoted(negative.phrase), _library(negative.kind), path, DEPTH))

    def _hits(self, query: str, library: str, path: str, limit: int, *, literal: bool = False) -> list[Hit]:
        request = SearchRequest(
            query, libraries=(library,), limit=limit, copies=True, recency=0, literal=literal, extract="none"
        )
        return [hit for hit in self._session.search(request).hits if hit.document == path]

    def _fields(self, library: str, path: str) -> Mapping[str, tuple[str, ...]]:
        try:
            return self._session.show(chunk_id(library, path, 1)).fields
        except RagspineError:
            return {}

    def _place(self, hit: Hit) -> Place:
        line = hit.line or 0
        last = line + hit.text.count("\n")
        if "".join(hit.fields.get("kind", ())[:1]) in _EXTRACTED:
            # Lines of the text are none of the file: up to where the next passage begins.
            last = max(last, self._next_line(hit))
        return Place(hit.line, last, hit.page, hit.part, hit.heading)

    def _next_line(self, hit: Hit) -> int:
        name, _, number = hit.chunk_id.rpartition("#c")
        try:
            return self._session.show(f"{name}#c{int(number) + 1}").line or 0
        except RagspineError:
            return sys.maxsize


def main() -> None:
    """The command: prints Markdown tables, then a line for each case that failed."""
    arguments = _arguments()
    try:
        cases = read_cases(arguments.cases or arguments.folder / "cases.tsv")
        negatives = [] if arguments.cases else read_negatives(arguments.folder / "negatives.tsv")
    except (OSError, ValueError) as error:
        sys.exit(str(error))
    with tempfile.TemporaryDirectory(prefix="ragspine-formats-") as home:
        outcomes, found, seconds = run(arguments.folder, arguments.odd, Path(home), cases, negatives)
    print(table(("what", "figure"), [*this_machine().rows(), ("revision", revision()), ("indexing", seconds)]))
    print(f"\n{table(HEAD, summary(outcomes))}\n")
    counted = [one for one in negatives if not one.optional]
    wrong = [one for one in found if not one.optional]
    print(f"Phrases that must not be found: {len(wrong)} of {len(counted)} are.\n")
    for line in [*failures(outcomes), *(f"{one.case_id} {one.path}: found {one.phrase!r}: {one.why}" for one in found)]:
        print(line)


HEAD: Final = ("kind", "cases", "all right", "status", "phrase", "or by words", "place")


def run(
    folder: Path, odd: Path | None, home: Path, cases: Sequence[Case], negatives: Sequence[Negative]
) -> tuple[list[Outcome], list[Negative], str]:
    """What every case came to, the negatives that were found, and the processor time that indexing took."""
    roots = {FILES: folder / FILES} | ({ODD: odd} if odd else {})
    start = process_time()
    with Session.open(ServiceConfig.load(home=home / "home", environ={})) as session:
        for library, root in roots.items():
            session.add(root, library_id=library)
        session.index()
        seconds = f"{process_time() - start:.1f} s of processor time"
        judge = Judge(session, {library: _statuses(session, library) for library in roots})
        outcomes = [judge.case(case) for case in cases if _library(case.kind) in roots]
        found = [one for one in negatives if _library(one.kind) in roots and judge.negative(one)]
    return outcomes, found, seconds


def summary(outcomes: Sequence[Outcome]) -> list[tuple[str, ...]]:
    """A row for each kind and one for all; what is optional does not count."""
    counted = [one for one in outcomes if not one.case.optional]
    kinds = sorted({one.case.kind for one in counted})
    rows = [_row(kind, [one for one in counted if one.case.kind == kind]) for kind in kinds]
    return [*rows, _row("all", counted)]


def failures(outcomes: Iterable[Outcome]) -> list[str]:
    """One line for each case that is not right."""
    return [_failure(one) for one in outcomes if not one.right]


def quoted(phrase: str) -> str:
    """The query for a phrase."""
    return f'"{phrase.replace(chr(34), " ")}"'


def _row(name: str, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    phrases = [one for one in outcomes if one.found is not None]
    placed = [one for one in outcomes if one.placed is not None]
    return (
        name,
        str(len(outcomes)),
        percent(sum(one.right for one in outcomes), len(outcomes)),
        percent(sum(one.status_right for one in outcomes), len(outcomes)),
        percent(sum(bool(one.found) for one in phrases), len(phrases)),
        percent(sum(bool(one.found or one.by_words) for one in phrases), len(phrases)),
        percent(sum(bool(one.placed) for one in placed), len(placed)),
    )


def _failure(one: Outcome) -> str:
    case = one.case
    said = []
    if not one.status_right:
        said.append(f"status {one.status} instead of {' or '.join(sorted(case.statuses))}")
    if one.found is False and case.field:
        said.append(f"field {case.field[0]} is not {case.field[1]!r}: {one.shown}")
    elif one.found is False:
        said.append(f"phrase {case.phrase!r} not found{', its words are' if one.by_words else ''}")
    if one.placed is False:
        wanted = " or ".join([*case.places, *([f"section {case.section!r}"] if case.section else [])])
        said.append(f"at {one.shown} instead of {wanted}")
    return f"{case.case_id} {case.path}: {'; '.join(said)}{' (optional)' if case.optional else ''}"


def _said(place: Place) -> str:
    named = [f"page {place.page}"] if place.page else []
    named += [f"line {place.line}"] if place.line else []
    named += [one for one in (place.part, f"under {place.heading!r}" if place.heading else "") if one]
    return " ".join(named) or "no place"


def _library(kind: str) -> str:
    return ODD if kind == ODD else FILES


def _statuses(session: Session, library: str) -> dict[str, str]:
    """The status of every file that the index knows, or tells of."""
    store = Store(session.database_path)
    try:
        known = {path: str(document.status) for path, document in store.known_documents(library).items()}
    finally:
        store.close()
    told = {one.document: str(one.status) for one in session.problems([library]) if one.document}
    return {**told, **known}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.formats", description=__doc__)
    parser.add_argument("folder", type=Path, help="holds cases.tsv, negatives.tsv and files/")
    parser.add_argument("--cases", type=Path, metavar="FILE", help="another table of cases, without negatives")
    parser.add_argument("--odd", type=Path, metavar="DIR", help="the files with odd names, for cases of the kind odd")
    arguments = parser.parse_args()
    if not (arguments.folder / FILES).is_dir():
        parser.error(f"there is no folder {arguments.folder / FILES}")
    return arguments


if __name__ == "__main__":
    main()
