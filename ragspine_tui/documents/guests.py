"""Readers of installed packages: guests, whose content and suffixes are asked for after those of the program's own.

A package names them in the entry-point group `ragspine_tui.readers`: each is called without arguments and gives a
`Reader`. What it makes of a file is checked, and what it does to itself is that file's failure only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final

from ragspine_tui.documents.source_file import Reader, SourceFile
from ragspine_tui.errors import ReadError
from ragspine_tui.types import Block, Document, DocumentStatus

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS: Final = "ragspine_tui.readers"


class GuestReader:
    """A reader of an installed package; one that cannot be loaded claims nothing and fails on what its name claims."""

    def __init__(self, point: EntryPoint) -> None:
        self._name = point.name
        self._package = f" of {point.dist.name}" if point.dist else ""
        try:
            self._reader: Reader = point.load()()
            self.kind = str(self._reader.kind)
            self.suffixes: frozenset[str] = frozenset(map(str, self._reader.suffixes))
        except (Exception, SystemExit) as error:  # a guest may do anything
            raise self._failed(f"cannot be loaded ({type(error).__name__})") from error

    def claims(self, head: bytes, suffix: str, /) -> bool:
        """Whether the guest says so; one that fails does not."""
        try:
            return self._reader.claims(head, suffix) is True
        except Exception:  # its own files will tell
            return False

    def read(self, source: SourceFile) -> Document:
        """The guest's document. ReadError where it fails, or gives what is no document of this file."""
        try:
            document = self._reader.read(source)
            if not isinstance(document, Document):
                raise TypeError(f"gave no Document but {type(document).__name__}")
            _check(document)
        except (ReadError, MemoryError):
            raise
        except (Exception, SystemExit) as error:
            said = str(error) if type(error) in (TypeError, ValueError) else type(error).__name__
            raise self._failed(f"failed on it ({said})") from error
        return replace(document, path=source.relative)

    def _failed(self, what: str) -> ReadError:
        return ReadError(f"the reader {self._name!r}{self._package} {what}", status=DocumentStatus.DAMAGED)


@cache
def guest_readers() -> tuple[tuple[GuestReader, ...], tuple[str, ...]]:
    """The guests that can be used, by name, and what is wrong with the others."""
    from importlib.metadata import entry_points

    guests, broken = [], []
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: (point.name, point.value)):
        try:
            guests.append(GuestReader(point))
        except ReadError as error:
            broken.append(str(error))
    return tuple(guests), tuple(broken)


def _check(document: Document) -> None:
    """TypeError or ValueError where what a document consists of does not fit together."""
    if not isinstance(document.text, str) or not all(isinstance(block, Block) for block in document.blocks):
        raise TypeError("gave a Document that is not made of text and Blocks")
    document.text.encode("utf-8", "surrogatepass")
    end = 0
    for span in _spans(document):
        if span[0] < end or span[1] > len(document.text):
            raise ValueError("gave blocks that overlap or lie outside of the text")
        end = span[1]


def _spans(document: Document) -> Iterator[tuple[int, int]]:
    return ((block.span.start, block.span.end) for block in document.blocks)
