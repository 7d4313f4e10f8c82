"""Which documents are restricted and why, and which marks restrict nothing: what a person is told of both."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from ragspine_tui.documents.sensitivity import PathRestriction, path_is_restricted
from ragspine_tui.entries import UNREAD
from ragspine_tui.types import DocumentStatus, Library, RestrictedDocument, Sensitivity, UnmatchedMark
from storage.documents import KnownDocument

OWN_LABEL: Final = "its own label: change it in the file"


def restricted_documents(
    restriction: PathRestriction, known: Mapping[str, KnownDocument], among: Sequence[str] = ()
) -> tuple[RestrictedDocument, ...]:
    """The restricted documents by path, each with all that restricts it; only those that `among` matches, if given."""
    return tuple(
        RestrictedDocument(restriction.given[0].library_id, path, tuple(_reasons(restriction, path, one)))
        for path, one in sorted(known.items())
        if one.status == DocumentStatus.RESTRICTED and (not among or _matches(among, path))
    )


def unmatched_marks(marks: Iterable[str], known: Iterable[str]) -> tuple[UnmatchedMark, ...]:
    """The marks that match none of the documents' paths, and whether one would if case did not count."""
    paths = list(known)
    lower = [path.lower() for path in paths]
    return tuple(
        UnmatchedMark(
            shown_mark(mark),
            case_counts=any(_matches([mark.lower()], path) for path in lower),
        )
        for mark in dict.fromkeys(marks)
        if not any(_matches([mark], path) for path in paths)
    )


def lost_marks(library: Library, marks: Iterable[str], known: Iterable[str]) -> tuple[UnmatchedMark, ...]:
    """The marks of very paths where nothing is any more, neither on the disk nor in the index."""
    root = Path(library.root)
    folder = root.parent if root.is_file() else root
    paths = [path for path in dict.fromkeys(marks) if path.startswith("=") and not os.path.lexists(folder / path[1:])]
    return tuple(UnmatchedMark(one.mark, lost=True) for one in unmatched_marks(paths, known))


def shown_mark(mark: str) -> str:
    """A mark as a person wrote it."""
    return mark.removeprefix("=")


def _reasons(restriction: PathRestriction, path: str, known: KnownDocument) -> Iterator[str]:
    library, marks, _ = restriction.given
    if library.sensitivity == Sensitivity.RESTRICTED:
        yield "the label of the whole library: remove it and add it anew to change that"
    for mark in library.restrict:
        if _matches([mark], path):
            yield f"'add --restrict {shown_mark(mark)}': remove the library and add it anew to change that"
    for mark in marks:
        if _matches([mark], path):
            yield f"the mark {shown_mark(mark)!r}: 'ragspine-tui unrestrict' takes it away"
    for other in restriction.others(path):
        yield f"library {other}, which has it too: 'ragspine-tui restrict {other}' lists what restricts it there"
    if known.source.hash != UNREAD:
        yield OWN_LABEL


def _matches(marks: Sequence[str], path: str) -> bool:
    return path_is_restricted(Library("any", "/"), marks, path)
