"""Whether a document may be kept: the library's flag, path patterns, a person's marks, and its own front matter."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from ragspine_tui.documents.discover import matches
from ragspine_tui.documents.labels import FIELD, folded
from ragspine_tui.documents.overlaps import Overlap
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


@dataclass(frozen=True, slots=True)
class ForeignRestriction:
    """What another library over some of the same files restricts there, by its flag, its patterns and its marks."""

    library: Library
    marks: tuple[str, ...]
    overlap: Overlap


class PathRestriction:
    """What a library's flag, its patterns and a person's marks restrict by paths alone, unread.

    Each pattern counts alone: none can lift what another one restricts, be it another library's.
    """

    def __init__(self, library: Library, marks: Sequence[str] = (), foreign: Sequence[ForeignRestriction] = ()) -> None:
        every = (*library.restrict, *marks)
        literal = [mark[1:] for mark in every if mark.startswith("=")]
        self.given = (library, tuple(marks), tuple(foreign))
        """What it was made of: two that were made of the same are the same."""
        self._all = library.sensitivity == Sensitivity.RESTRICTED
        self._paths = frozenset(literal)
        self._folders = tuple(path for path in literal if path.endswith("/"))
        self._globs = tuple((mark,) for mark in every if not mark.startswith(("=", "!")))
        self._foreign = [(one, PathRestriction(one.library, one.marks)) for one in foreign]

    @property
    def is_empty(self) -> bool:
        """Whether it can restrict nothing at all."""
        return not (self._all or self._paths or self._globs or self._foreign)

    def covers(self, relative: str) -> bool:
        """Whether the document at this path is restricted."""
        return (
            self._all
            or relative in self._paths
            or (bool(self._folders) and relative.startswith(self._folders))
            or any(matches(relative, glob) for glob in self._globs)
            or any(True for _ in self._others(relative))
        )

    def others(self, relative: str) -> list[str]:
        """The ids of the other libraries that restrict the document at this path."""
        return list(dict.fromkeys(self._others(relative)))

    def _others(self, relative: str) -> Iterator[str]:
        for one, restriction in self._foreign:
            path = one.overlap.other(relative)
            if path is not None and restriction.covers(path) and (not restriction._all or _has(one, path)):
                yield one.library.library_id


def path_is_restricted(library: Library, marks: Sequence[str], relative: str) -> bool:
    """Whether the library itself restricts the document at this path, unread."""
    return _restriction(library, tuple(marks)).covers(relative)


@lru_cache(maxsize=64)
def _restriction(library: Library, marks: tuple[str, ...]) -> PathRestriction:
    return PathRestriction(library, marks)


def _has(one: ForeignRestriction, path: str) -> bool:
    """Whether a library that is restricted as a whole takes the file, or restricts it by a pattern all the same."""
    library = one.library
    taken = (not library.include or matches(path, library.include)) and not matches(path, library.exclude)
    return taken or path_is_restricted(replace(library, sensitivity=Sensitivity.INTERNAL), one.marks, path)


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
