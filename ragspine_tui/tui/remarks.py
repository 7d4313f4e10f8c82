"""What the screen says of libraries in words: restrictions, files with remarks, and how indexing ended."""

from __future__ import annotations

from collections.abc import Sequence

from ragspine_tui.printable import one_line
from ragspine_tui.tui.state import WHOLE, State
from ragspine_tui.tui.text import Line, Run, counted
from ragspine_tui.types import FileProblem, IndexReport, LibrarySummary, Sensitivity, shown_path


def mark_text(mark: str) -> str:
    """A restriction as people read it: one path, a glob, or the whole library."""
    if mark == WHOLE:
        return "the whole library"
    return one_line(shown_path(mark.removeprefix("=")))


def counts_of_problems(problems: Sequence[FileProblem]) -> str:
    """`5 files not read, 2 with remarks`; '' where there is none of either."""
    missing = sum(problem.not_read for problem in problems)
    rest = len(problems) - missing
    parts = [f"{counted(missing, 'file')} not read"] if missing else []
    parts += [f"{rest:,}" if missing else counted(rest, "file")] if rest else []
    return ", ".join(parts) + (" with remarks" if rest else "")


def remarks_title(library_id: str, problems: Sequence[FileProblem], restricted: int) -> str:
    """`papers: 5 files not read, 2 with remarks, 1 document restricted`."""
    parts = [counts_of_problems(problems)] if problems else []
    parts += [counted(restricted, "document") + " restricted"] if restricted else []
    return f"{library_id}: {', '.join(parts) or 'restricted'}"


def restricted_lines(summary: LibrarySummary, marks: Sequence[str]) -> list[Line]:
    """Two rows a restriction: what it names, and how it is lifted."""
    library = summary.library
    lines: list[Line] = []
    for mark in marks:
        lines += _restriction(mark_text(mark), "! in the libraries pane lifts it")
    added = ["the whole library"] if library.sensitivity is Sensitivity.RESTRICTED else []
    for name in [*added, *map(mark_text, library.restrict)]:
        lines += _restriction(name, "so since the library was added: forget it and add it again to open it")
    if summary.restricted and not lines:
        lines += _restriction(counted(summary.restricted, "document"), "their own sensitivity field says so")
    return lines


def _restriction(name: str, way_out: str) -> list[Line]:
    return [
        Line((Run(f" {name}", "strong"),), (Run("restricted ", "warn"),)),
        Line((Run(f"   no text of it is kept or found; {way_out}", "dim"),)),
    ]


def problem_lines(problems: Sequence[FileProblem]) -> list[Line]:
    """Two rows a file, those not read first: its path and status, and the reason."""
    lines: list[Line] = []
    for problem in sorted(problems, key=lambda problem: not problem.not_read):
        lines.append(
            Line(
                (Run(f" {one_line(shown_path(problem.document))}", "strong"),),
                (Run(f"{problem.status.value.replace('_', ' ')} ", "warn"),),
            )
        )
        lines.append(Line((Run(f"   {one_line(problem.reason)}", "dim"),)))
    return lines


def report_text(report: IndexReport, key: str) -> str:
    """`papers: 214 documents, 5,210 chunks; 5 files not read, 2 with remarks (i)`; `key` lists those."""
    documents = report.added + report.renamed + report.changed + report.unchanged - report.restricted
    text = f"{report.library_id}: {counted(documents, 'document')}, {counted(report.chunks, 'chunk')}"
    if report.removed:
        text += f", {report.removed:,} gone"
    if report.problems:
        text += f"; {counts_of_problems(report.problems)} ({key})"
    return text + ("; stopped, r goes on" if report.cancelled else "")


def routing_told(state: State) -> str:
    """What a switch of the routing did, and what became of a choice by hand."""
    by_hand = counted(len((state.chosen or frozenset()) & frozenset(state.ids)), "library", "libraries")
    if state.routing:
        return "keyword routing on" + (f"; off, the {by_hand} chosen by hand" if state.chosen is not None else "")
    return f"routing off: {'all libraries' if state.chosen is None else by_hand + ' chosen by hand'}"
