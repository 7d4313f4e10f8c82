"""What bringing libraries up to date came to, as people read it: counts first, then the files that need them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

from ragspine_tui.cli.text import table
from ragspine_tui.types import DocumentStatus, FileProblem, IndexReport, LibrarySummary, UnmatchedMark

MOST_ROWS: Final = 10
"""As many files are named one by one after a run; `problems` names them all."""

_MOST_KINDS: Final = 8


def wants_a_person(problem: FileProblem) -> bool:
    """Whether somebody could do something about the file; that a format is not read is no news of any one file."""
    return problem.is_about_restriction or (problem.not_read and problem.status != DocumentStatus.UNSUPPORTED)


def is_damaged(report: IndexReport) -> bool:
    """Whether the library itself cannot be read, beside any of its files."""
    return any(problem.status == DocumentStatus.DAMAGED and not problem.document for problem in report.problems)


def told(report: IndexReport, held: LibrarySummary | None) -> Iterator[str]:
    """The printable lines of a library: what its index holds and what was done, then the files not read by kind."""
    missing = [problem for problem in report.problems if problem.not_read and problem.document]
    counts = [_count(held.documents if held else 0, "document"), _count(held.chunks if held else 0, "chunk")]
    counts += [f"{report.empty:,} empty"] if report.empty else []
    counts += [f"{report.restricted:,} restricted"] if report.restricted else []
    yield f"{report.library_id}: {', '.join(counts)} (files: {', '.join(_done(report, len(missing))) or 'none'})"
    for other, count in report.restricted_by:
        yield f"{_count(count, 'document')} inside library {other}, which restricts {'it' if count == 1 else 'them'}"
    if missing:
        kinds = sorted(Counter(map(_kind, missing)).items(), key=lambda one: (-one[1], one[0]))
        named = [f"{count:,} {kind}" for kind, count in kinds[:_MOST_KINDS]]
        others = sum(count for _, count in kinds[_MOST_KINDS:])
        named += [f"{others:,} others"] if others else []
        lists = f"'ragspine-tui problems {report.library_id}' lists {'it' if len(missing) == 1 else 'them'}"
        yield f"{_count(len(missing), 'file')} not read: {', '.join(named)}; {lists}"


def update_line(report: IndexReport) -> str:
    """What an update of a watched library did, in a line."""
    missing = sum(problem.not_read and bool(problem.document) for problem in report.problems)
    done = f"{report.added:,} new, {report.changed:,} changed, {report.removed:,} removed"
    done += f", {report.renamed:,} renamed" if report.renamed else ""
    return f"{report.library_id}: {done}{f', {missing:,} not read' if missing else ''}"


def trouble_of(report: IndexReport) -> Iterator[str]:
    """What a person should hear of at once: trouble with the library itself, and doubts about what is restricted."""
    for problem in report.problems:
        if not problem.document:
            yield problem.reason
        elif problem.is_about_restriction:
            yield f"{problem.document}: {problem.reason}"


def problem_table(found: Sequence[FileProblem]) -> list[str]:
    """The files one by one, each with its reason."""
    rows = [(p.library_id, p.document, p.status.replace("_", " "), p.reason) for p in found]
    return table(("library", "document", "status", "reason"), rows)


def left_out_line(report: IndexReport) -> str:
    """How much a walk passed over without looking at it."""
    return (
        f"{report.library_id}: {report.left_out:,} left out (hidden, ignored or by a pattern; a folder counts as one)"
    )


def purged_line(library_id: str, other: str, count: int) -> str:
    """What a library lost because another one over the same files restricts it."""
    which = "it" if count == 1 else "them"
    return f"{other}: {_count(count, 'document')} restricted, inside library {library_id}, which restricts {which}"


def unmatched_line(one: UnmatchedMark) -> str:
    """What is wrong with a mark that restricts nothing."""
    if one.lost:
        return (
            f"nothing is at {one.mark!r} now, which is marked: if the file has another name that is not listed here,"
            " restrict that; 'ragspine-tui unrestrict' drops the mark"
        )
    case = " (case counts)" if one.case_counts else ""
    return f"no document matches {one.mark!r}{case}, so it restricts nothing now; it is kept for files that come later"


def _done(report: IndexReport, missing: int) -> list[str]:
    words = (
        (report.added, "new"),
        (report.changed, "changed"),
        (report.removed, "removed"),
        (report.renamed, "renamed"),
        (report.unchanged, "unchanged"),
        (missing, "not read"),
    )
    return [f"{count:,} {word}" for count, word in words if count]


def _kind(problem: FileProblem) -> str:
    """Files of formats that are not read go by suffix, others by what is wrong with them."""
    if problem.status != DocumentStatus.UNSUPPORTED:
        return problem.status.replace("_", " ")
    if problem.reason.startswith("is a link"):
        return "link"
    suffix = PurePosixPath(problem.document).suffix.lstrip(".").lower()
    return suffix if suffix.isascii() and suffix.isalnum() and len(suffix) <= 12 else "of other kinds"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
