"""Whether a document may be kept: the library's flag, path patterns, a person's marks, and its own front matter."""

import unicodedata
from collections.abc import Sequence
from typing import Final

from ragspine_tui.documents.discover import matches
from ragspine_tui.types import Document, Library, Sensitivity

FIELD: Final = "sensitivity"
"""The front-matter key that labels a document."""


def parse_label(label: str) -> Sensitivity:
    """The sensitivity a label names, whatever its case, width and spaces. Raises ValueError on an unknown one."""
    return Sensitivity(unicodedata.normalize("NFKC", label).strip().casefold())


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
    """A read document's sensitivity and a one-line note: an unknown label counts as restricted, and is told."""
    label, note = library.sensitivity, ""
    for value in document.fields.get(FIELD, ()):
        try:
            parsed = parse_label(value)
        except ValueError:
            parsed = Sensitivity.RESTRICTED
            note = f"unknown sensitivity label, kept out: write one of {', '.join(Sensitivity)}"
        label = parsed if label != Sensitivity.RESTRICTED else label
    return label, note
