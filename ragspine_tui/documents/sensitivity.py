"""Whether a document may be kept: the library's flag, path patterns, a person's marks, and its own front matter."""

from collections.abc import Sequence
from functools import lru_cache
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


class PathRestriction:
    """What a library's flag, its patterns and a person's marks restrict by paths alone, unread.

    Each pattern counts alone: none can lift what another one restricts.
    """

    def __init__(self, library: Library, marks: Sequence[str]) -> None:
        every = (*library.restrict, *marks)
        literal = [mark[1:] for mark in every if mark.startswith("=")]
        self._all = library.sensitivity == Sensitivity.RESTRICTED
        self._paths = frozenset(literal)
        self._folders = tuple(path for path in literal if path.endswith("/"))
        self._globs = tuple((mark,) for mark in every if not mark.startswith(("=", "!")))

    def covers(self, relative: str) -> bool:
        """Whether the document at this path is restricted."""
        return (
            self._all
            or relative in self._paths
            or (bool(self._folders) and relative.startswith(self._folders))
            or any(matches(relative, glob) for glob in self._globs)
        )


def path_is_restricted(library: Library, marks: Sequence[str], relative: str) -> bool:
    """Whether the document at this path is restricted, unread."""
    return _restriction(library, tuple(marks)).covers(relative)


@lru_cache(maxsize=64)
def _restriction(library: Library, marks: tuple[str, ...]) -> PathRestriction:
    return PathRestriction(library, marks)


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
