"""Who reads the files of a library: this process where they are few and plain, else processes that do nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Final

from ragspine_tui.documents.discover import Source
from ragspine_tui.documents.limits import ReadLimits
from ragspine_tui.documents.sensitivity import PathRestriction
from ragspine_tui.groups import Group, GroupReader, ReadGroup
from ragspine_tui.types import Library

if TYPE_CHECKING:
    from ragspine_tui.workers import Workers

WORTH_WORKERS: Final = 3_000_000
"""Bytes of files from which worker processes save more time than starting them takes."""


@dataclass(slots=True)
class Reading:
    """Reads groups of one library's files in their order; `close` ends the processes it started.

    `workers` says how many there may be; with 0 this process reads everything, without the limits of time and memory.
    `cancelled` is asked again and again; True ends it all.
    """

    library: Library
    limits: ReadLimits
    workers: int
    cancelled: Callable[[], bool]
    _pool: Workers | None = field(default=None, init=False)

    def read(
        self, groups: Iterable[Group], size: int, begun: Callable[[Source], None] = lambda _: None
    ) -> Iterator[tuple[Group, ReadGroup]]:
        """What the files hold, group by group; `size` is how many bytes they have together.

        `begun` hears of each file before what it holds is given, in their order. ReadError where the library's chunker
        or language is not known here.
        """
        source = iter(groups)
        if self.workers and (self._pool is not None or size >= WORTH_WORKERS):
            yield from self._beside(source, begun)
            return
        reader = GroupReader(self.library, self.limits, plain_only=bool(self.workers))
        for group in source:
            found = self._here(reader, group, begun)
            yield group.part(0, found.count), found
            if not found.plain:
                yield from self._beside(chain([group.part(found.count)], source), begun)
                return
            if found.count < len(group.sources):
                return

    def heads(self, sources: Sequence[Source], restriction: PathRestriction, length: int) -> list[str]:
        """The first `length` characters of each file's text, without those that hold none or may not be read."""
        group = Group(sources, [None] * len(sources), restriction, head=length)
        return [text for _, found in self.read([group], group.size) for text in found.heads if text]

    def close(self) -> None:
        """End the processes."""
        if self._pool is not None:
            self._pool.close()
            self._pool = None

    def _here(self, reader: GroupReader, group: Group, begun: Callable[[Source], None]) -> ReadGroup:
        def goes_on(place: int) -> bool:
            if self.cancelled():
                return False
            begun(group.sources[place])
            return True

        return reader.read(group, goes_on)

    def _beside(self, groups: Iterable[Group], begun: Callable[[Source], None]) -> Iterator[tuple[Group, ReadGroup]]:
        if self._pool is None:
            # Imported only where they are needed: a search has no use for them.
            from ragspine_tui.workers import Workers

            self._pool = Workers(self.library, self.workers, self.limits)
        for group, read in self._pool.read(groups, lambda: not self.cancelled()):
            # Where no process can be started, this one reads.
            found = read or self._here(GroupReader(self.library, self.limits), group, begun)
            for source in group.sources if read else ():
                begun(source)
            yield group, found
            if self.cancelled():
                return
