"""What every reader gets, and what it must be."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol

from ragspine_tui.types import Document


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file as it lies on disk: `relative` is its path in the library, `data` all of its bytes."""

    path: Path
    relative: str
    data: bytes
    size: int
    mtime: float

    @property
    def name(self) -> str:
        """The file's name, without its folders."""
        return PurePosixPath(self.relative).name

    @property
    def stem(self) -> str:
        """The name without its last suffix."""
        return PurePosixPath(self.name).stem

    @property
    def suffix(self) -> str:
        """The last suffix in lower case, with its dot; '' without one."""
        return PurePosixPath(self.name.strip()).suffix.lower()


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
