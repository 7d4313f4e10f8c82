"""What every reader gets, and what it must be."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Final, Protocol

from ragspine_tui.types import Document

# What follows the last dot in the name of a Maildir message is its host, or flags behind `:2,` or what stands for it.
_FLAGGED: Final = re.compile(r"[:;!_-]2,[A-Za-z]*\Z")
_DELIVERED: Final = re.compile(r"(?:1\d{9}|[89]\d{8})[._]")
_MAILDIR: Final = frozenset({"cur", "new"})


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file as it lies on disk: `relative` is its path in the library, `data` all of its bytes.

    `depth` says in how many other files it lies: an attachment of a message has 1.
    """

    path: Path
    relative: str
    data: bytes
    size: int
    mtime: float
    depth: int = 0

    @property
    def name(self) -> str:
        """The file's name, without its folders."""
        return _name(self.relative)

    @property
    def stem(self) -> str:
        """The name without its last suffix."""
        return PurePosixPath(self.name).stem

    @property
    def suffix(self) -> str:
        """The last suffix in lower case, with its dot; '' without one, as in the names of Maildir messages."""
        name = self.name.strip()
        return "" if not self.depth and self._is_delivered(name) else _suffix(name)

    def _is_delivered(self, name: str) -> bool:
        if not _DELIVERED.match(name):
            return bool(_FLAGGED.search(name))
        folders = (PurePosixPath(self.relative).parent.name, self.path.parent.name)
        return bool(_FLAGGED.search(name)) or not _MAILDIR.isdisjoint(folders)

    def inner(self, name: str, data: bytes) -> SourceFile:
        """A file that lies in this one; its name is a name alone, whatever path it claims."""
        bare = name.replace("\\", "/").rstrip("/").rpartition("/")[2].replace("\0", "")
        return SourceFile(self.path, bare or "part", data, len(data), self.mtime, self.depth + 1)


# A file is asked for its name several times.
@lru_cache(64)
def _name(relative: str) -> str:
    return PurePosixPath(relative).name


@lru_cache(64)
def _suffix(name: str) -> str:
    return PurePosixPath(name).suffix.lower()


ReadInner = Callable[[SourceFile], Document]
"""Reads a file that lies in another one, as `read_inner` of the seam does."""


class Reader(Protocol):
    """One format. `claims` looks at content only and must be cheap; `suffixes` decide where no reader claims.

    `read` returns the document with its text, blocks, title and the fields that the content itself declares
    (the seam adds those of the file); it raises ReadError with the status that is honest.
    """

    kind: str
    suffixes: frozenset[str]

    def claims(self, head: bytes, suffix: str, /) -> bool:
        """Whether the first bytes alone say that the file is this reader's."""
        ...

    def read(self, source: SourceFile) -> Document:
        """The document that `source` holds."""
        ...
