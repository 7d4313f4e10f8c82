"""What a session tells of its libraries: what they hold, how far indexing has come, what needs attention."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from ragspine_tui.types.documents import DocumentStatus, Library

NOT_RESTRICTED: Final = "so nothing is restricted"
"""Stands in every remark on what looks like a label of sensitivity and is none."""


@dataclass(frozen=True, slots=True)
class LibrarySummary:
    """A library with what its index holds; `offline` where its root is not there now, `offline_since` when that was
    first seen (ISO, UTC; '' where it was not).

    `complete` is false from the start of an indexing run to its end: what a stopped run left is there to be continued.
    """

    library: Library
    documents: int = 0
    chunks: int = 0
    problems: int = 0
    restricted: int = 0
    text_bytes: int = 0
    offline: bool = False
    indexed_language: str = ""
    complete: bool = True
    offline_since: str = ""


def shown_time(time: str) -> str:
    """A time (ISO) as the clocks here show it, to the minute; '' of ''."""
    return datetime.fromisoformat(time).astimezone().strftime("%Y-%m-%d %H:%M") if time else ""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far bringing one library up to date has come: files, and their bytes; `path` is the file it is at.

    `total` is 0 while the folder is still being walked, and `done` then the files found.
    """

    library_id: str
    done: int
    total: int
    path: str = ""
    bytes_done: int = 0
    bytes_total: int = 0


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A file that needs a person's attention; indexed files appear with their reader's note."""

    library_id: str
    document: str
    status: DocumentStatus
    reason: str

    @property
    def not_read(self) -> bool:
        """Whether the file's text is missing; a remark on a file that was read is no such problem."""
        return self.status.not_read

    @property
    def is_about_restriction(self) -> bool:
        """Whether it may be restricted against a person's belief, or open against it."""
        return NOT_RESTRICTED in self.reason or (self.status == DocumentStatus.RESTRICTED and bool(self.reason))


@dataclass(frozen=True, slots=True)
class RestrictedDocument:
    """A document that is not kept, and all that restricts it, each with what to do about it."""

    library_id: str
    document: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnmatchedMark:
    """A path or pattern that restricts no document; `case_counts` where one would match if case did not.

    `lost` where it is the very path of a file or folder that is not there any more.
    """

    mark: str
    case_counts: bool = False
    lost: bool = False


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What bringing one library up to date did; counts are documents unless named otherwise.

    A file that has another path and the same bytes as one that went is `renamed`, neither added nor removed.
    `left_out` counts hidden and ignored files and folders, a folder as one; `restricted_by` are other libraries that
    restrict some of these files, each with how many.
    """

    library_id: str
    added: int = 0
    changed: int = 0
    removed: int = 0
    renamed: int = 0
    unchanged: int = 0
    empty: int = 0
    restricted: int = 0
    chunks: int = 0
    cancelled: bool = False
    problems: tuple[FileProblem, ...] = ()
    restricted_by: tuple[tuple[str, int], ...] = ()
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class FieldValues:
    """One metadata field and its most frequent values with how many documents carry each."""

    field: str
    documents: int
    values: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class FolderPreview:
    """What adding a folder would read: files by suffix (most first) and how many are skipped."""

    files: int
    by_suffix: tuple[tuple[str, int], ...]
    skipped: int
