"""Files in groups, the unit of reading: what one process reads at a time, and hands over as one small batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from ragspine_tui.documents.discover import Source
from ragspine_tui.documents.sensitivity import path_is_restricted
from ragspine_tui.entries import CRASHED, UNREAD, EntryMaker, analyzer_of
from ragspine_tui.types import DocumentStatus, Library
from storage.documents import DocumentBatch, DocumentEntry, KnownDocument, SourceRow, stored_time

GROUP_BYTES: Final = 1_000_000
"""Small enough that several on their way weigh little, large enough that handing one over costs little."""

GROUP_FILES: Final = 500


@dataclass(frozen=True, slots=True)
class Group:
    """Files that follow one another, what is known of each, and the marks that hold while they are read."""

    sources: Sequence[Source]
    known: Sequence[KnownDocument | None]
    marks: Sequence[str] = ()

    @property
    def size(self) -> int:
        """How many bytes its files have."""
        return sum(source.size for source in self.sources)

    def single(self, place: int) -> Group:
        """The group of one of the files."""
        return Group(self.sources[place : place + 1], self.known[place : place + 1], self.marks)


@dataclass(slots=True)
class ReadGroup:
    """What was read of a group: `ends` has each file's status in order, None where its bytes are the known ones."""

    batch: DocumentBatch = field(default_factory=DocumentBatch)
    ends: list[DocumentStatus | None] = field(default_factory=list)

    def add(self, entry: DocumentEntry | None) -> None:
        """The next file."""
        self.ends.append(entry.status if entry else None)
        if entry:
            self.batch.add(entry)

    def extend(self, other: ReadGroup) -> None:
        """The next files."""
        self.ends += other.ends
        self.batch.extend(other.batch)


class GroupReader:
    """Reads the files of groups; one for each process."""

    def __init__(self, library: Library, language: str) -> None:
        self._library = library
        self._marks: Sequence[str] = ()
        self._maker = EntryMaker(library, self._restricts, analyzer_of(language))

    def read(self, group: Group, goes_on: Callable[[int], bool] = lambda _: True) -> ReadGroup:
        """What the files hold, as far as `goes_on`, asked before each file with its place, says."""
        self._marks = group.marks
        found = ReadGroup()
        for place, (source, known) in enumerate(zip(group.sources, group.known, strict=True)):
            if not goes_on(place):
                break
            found.add(self._maker.make(source, known))
        return found

    def _restricts(self, relative: str) -> bool:
        return path_is_restricted(self._library, self._marks, relative)


def crashed(source: Source) -> ReadGroup:
    """What is kept of a file that ended the process which read it."""
    row = SourceRow(source.relative, source.size, stored_time(source.mtime_ns), CRASHED)
    found = ReadGroup()
    found.add(DocumentEntry(row, DocumentStatus.DAMAGED, "the reader crashed on it"))
    return found


def unread(source: Source) -> ReadGroup:
    """What is kept of a file for which no process could be started: the next run tries it again."""
    row = SourceRow(source.relative, source.size, stored_time(source.mtime_ns), UNREAD)
    found = ReadGroup()
    found.add(DocumentEntry(row, DocumentStatus.UNREADABLE, "no process could be started to read it"))
    return found


def grouped(sources: Iterable[Source], first_bytes: int, most_bytes: int = GROUP_BYTES) -> Iterator[Sequence[Source]]:
    """The files in groups of about `first_bytes`, and then of about `most_bytes`."""
    group: list[Source] = []
    size, bound = 0, first_bytes
    for source in sources:
        group.append(source)
        size += source.size
        if size >= bound or len(group) == GROUP_FILES:
            yield group
            group, size, bound = [], 0, most_bytes
    if group:
        yield group
