"""Files in groups, the unit of reading: what one process reads at a time, and hands over as one small batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from ragspine_tui.documents.discover import Source
from ragspine_tui.documents.limits import ReadLimits
from ragspine_tui.documents.sensitivity import PathRestriction
from ragspine_tui.entries import CRASHED, UNREAD, EntryMaker, NotPlainError, analyzer_of
from ragspine_tui.types import DocumentStatus, Library
from storage.documents import DocumentBatch, DocumentEntry, KnownDocument, SourceRow, stored_time

GROUP_BYTES: Final = 1_000_000
"""Small enough that several on their way weigh little, large enough that handing one over costs little."""

GROUP_FILES: Final = 500


@dataclass(frozen=True, slots=True)
class Group:
    """Files that follow one another, what is known of each, and what holds while they are read.

    Without a restriction the library's own patterns hold. With a `head`, no more is wanted than so many characters from
    the beginning of each text.
    """

    sources: Sequence[Source]
    known: Sequence[KnownDocument | None]
    restriction: PathRestriction | None = None
    language: str = "none"
    head: int = 0

    @property
    def size(self) -> int:
        """How many bytes its files have."""
        return sum(source.size for source in self.sources)

    def part(self, start: int, end: int | None = None) -> Group:
        """The group of some of the files."""
        return replace(self, sources=self.sources[start:end], known=self.known[start:end])


@dataclass(slots=True)
class ReadGroup:
    """What was read of a group: `ends` has each file's status in order, None where its bytes are the known ones.

    `heads` are the beginnings of the texts where no more was wanted; `plain` is False where the next file is not for
    the process that read so far.
    """

    batch: DocumentBatch = field(default_factory=DocumentBatch)
    ends: list[DocumentStatus | None] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    plain: bool = True

    @property
    def count(self) -> int:
        """How many files this is of."""
        return len(self.ends) + len(self.heads)

    def add(self, entry: DocumentEntry | None) -> None:
        """The next file."""
        self.ends.append(entry.status if entry else None)
        if entry:
            self.batch.add(entry)

    def extend(self, other: ReadGroup) -> None:
        """The next files."""
        self.ends += other.ends
        self.batch.extend(other.batch)
        self.heads += other.heads


class GroupReader:
    """Reads the files of groups; one for each process. `allow` and `plain_only` are EntryMaker's."""

    def __init__(
        self,
        library: Library,
        limits: ReadLimits,
        *,
        allow: Callable[[float], None] = lambda _: None,
        plain_only: bool = False,
    ) -> None:
        self._own = self._restriction = PathRestriction(library)
        self._make = partial(EntryMaker, library, self._restricts, limits=limits, allow=allow, plain_only=plain_only)
        self._language = ""
        self._maker: EntryMaker | None = None

    def read(self, group: Group, goes_on: Callable[[int], bool] = lambda _: True) -> ReadGroup:
        """What the files hold, as far as `goes_on`, asked before each file with its place, says.

        ReadError where the library's chunker or language is not known here.
        """
        self._restriction = group.restriction or self._own
        maker = self._maker_for(group.language)
        found = ReadGroup()
        for place, (source, known) in enumerate(zip(group.sources, group.known, strict=True)):
            if not goes_on(place):
                break
            try:
                # A file that is for another process has not begun here.
                if group.head:
                    found.heads.append(maker.text(source)[: group.head])
                else:
                    found.add(maker.make(source, known))
            except NotPlainError:
                found.plain = False
                break
        return found

    def _maker_for(self, language: str) -> EntryMaker:
        if self._maker is None or self._language != language:
            self._maker, self._language = self._make(analyzer_of(language)), language
        return self._maker

    def _restricts(self, relative: str) -> bool:
        return self._restriction.covers(relative)


def crashed(source: Source) -> ReadGroup:
    """What is kept of a file that ended the process which read it."""
    return _given_up(source, CRASHED, DocumentStatus.DAMAGED, "the reader crashed on it")


def timed_out(source: Source, seconds: float) -> ReadGroup:
    """What is kept of a file that was not read in the time it had."""
    return _given_up(source, CRASHED, DocumentStatus.TIMED_OUT, f"took longer than {seconds:.0f} s to read")


def unread(source: Source) -> ReadGroup:
    """What is kept of a file for which no process could be started: the next run tries it again."""
    return _given_up(source, UNREAD, DocumentStatus.UNREADABLE, "no process could be started to read it")


def _given_up(source: Source, evidence: bytes, status: DocumentStatus, reason: str) -> ReadGroup:
    row = SourceRow(source.relative, source.size, stored_time(source.mtime_ns), evidence)
    found = ReadGroup()
    found.add(DocumentEntry(row, status, reason))
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
