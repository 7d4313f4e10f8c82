"""Whether a document may be kept: the library's flag, path patterns, a person's marks, and its own front matter."""

from collections.abc import Sequence
from typing import Final

from ragspine_tui.documents.discover import matches
from ragspine_tui.documents.labels import FIELD, folded
from ragspine_tui.types import Document, Library, Sensitivity

_STRICTNESS: Final = (Sensitivity.PUBLIC, Sensitivity.INTERNAL, Sensitivity.RESTRICTED)


def parse_label(label: str) -> Sensitivity:
    """The sensitivity a label names, whatever its case, width and spaces. Raises ValueError on an unknown one."""
    return Sensitivity(folded(label))


def literal_mark(relative: str) -> str:
    """The mark of exactly one path, or of all in one folder (a final `/`), whatever characters it has.

    Every other mark is a glob.
    """
    return f"={relative}"


def path_is_restricted(library: Library, marks: Sequence[str], relative: str) -> bool:
    """Whether the library's flag, its patterns or a person's marks restrict the document at this path, unread.

    Each pattern counts alone: none can lift what another one restricts.
    """
    if library.sensitivity == Sensitivity.RESTRICTED:
        return True
    for mark in (*library.restrict, *marks):
        if mark.startswith("="):
            if relative == mark[1:] or (mark.endswith("/") and relative.startswith(mark[1:])):
                return True
        elif not mark.startswith("!") and matches(relative, (mark,)):
            return True
    return False


def label_of(document: Document, library: Library) -> tuple[Sensitivity, str]:
    """A read document's sensitivity, the strictest of its labels, and a one-line note.

    An unknown label counts as restricted, and is told. A library that is restricted stays so.
    """
    labels: list[Sensitivity] = []
    note = ""
    for value in document.fields.get(FIELD, ()):
        try:
            labels.append(parse_label(value))
        except ValueError:
            labels.append(Sensitivity.RESTRICTED)
            note = f"unknown sensitivity label, kept out: write one of {', '.join(Sensitivity)}"
    if not labels or library.sensitivity == Sensitivity.RESTRICTED:
        return library.sensitivity, note
    return max(labels, key=_STRICTNESS.index), note
