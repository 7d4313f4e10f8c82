"""What a reader makes of a file and a chunker of a document: spans, blocks, sections, chunks, libraries."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

Fields = Mapping[str, tuple[str, ...]]
"""Metadata of a document: a lower-case field name to its values, in the order they were read."""


class Sensitivity(StrEnum):
    """How far a document may travel; RESTRICTED text is neither stored, indexed nor shown."""

    PUBLIC = "public"
    INTERNAL = "internal"
    RESTRICTED = "restricted"


class DocumentStatus(StrEnum):
    """How a file ended after the last attempt to read it."""

    INDEXED = "indexed"
    EMPTY = "empty"
    NO_TEXT = "no_text"
    ENCRYPTED = "encrypted"
    DAMAGED = "damaged"
    UNSUPPORTED = "unsupported"
    TOO_LARGE = "too_large"
    TIMED_OUT = "timed_out"
    UNREADABLE = "unreadable"
    RESTRICTED = "restricted"

    @property
    def not_read(self) -> bool:
        """Whether the file's text is missing though it may well hold some: what may be tried again."""
        return self not in (DocumentStatus.INDEXED, DocumentStatus.EMPTY, DocumentStatus.RESTRICTED)


class BlockKind(StrEnum):
    """What an extracted unit is; only HEADING opens a section."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    CODE = "code"
    LIST = "list"
    TABLE = "table"
    QUOTE = "quote"
    FRONT_MATTER = "front_matter"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of characters of a document's text: 0 <= start <= end."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a span: {self.start}..{self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        """The characters this span covers."""
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Block:
    """One extracted unit of a document, in reading order; blocks never overlap.

    `heading` is the clean text of a HEADING (no `#`, no markup) and `level` its depth from 1; `line` counts from 1 in
    the file itself; `page` counts from 1; `part` names a slide, sheet, chapter file or mail part, whose headings end
    with it; `place` names where in the part the block stands (a row, a cell), where that is finer and headings go on.
    """

    span: Span
    kind: BlockKind = BlockKind.PARAGRAPH
    level: int = 0
    heading: str = ""
    line: int | None = None
    page: int | None = None
    part: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """What a reader makes of one file.

    `path` is relative to the library's root, `/`-separated, undecodable bytes as surrogate escapes. `verbatim` says
    that `text` is the decoded file itself, so that line breaks inside a block count as lines of the file. `notes` are
    one-line remarks for a person (a broken front matter, a guessed encoding), not failures.
    """

    path: str
    text: str
    blocks: tuple[Block, ...] = ()
    title: str = ""
    kind: str = "txt"
    fields: Fields = field(default_factory=dict)
    encoding: str = ""
    verbatim: bool = True
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Locator:
    """Where a passage stands: paragraphs count from 1 over the whole document; prints as `path#para12-14`."""

    document: str
    first: int
    last: int

    def __str__(self) -> str:
        tail = f"{self.first}" if self.first == self.last else f"{self.first}-{self.last}"
        return f"{self.document}#para{tail}"


@dataclass(frozen=True, slots=True)
class Section:
    """A parent: sections cover their document without gap or overlap; `index` counts from 0."""

    index: int
    span: Span
    heading_path: tuple[str, ...]
    locator: Locator
    page: int | None = None
    part: str = ""

    @property
    def heading(self) -> str:
        """The innermost heading, or '' before the first one."""
        return self.heading_path[-1] if self.heading_path else ""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A child: a span inside one section. `source` is a reference to the document's text, never a copy.

    `index` counts from 1 over the document; `part` is its place, or its section's part; `parent_id` is
    `{document}#s{section index}`; `parent_locator` and `window` are set only by chunkers that expand a hit into its
    parent.
    """

    document: str
    index: int
    section: int
    span: Span
    locator: Locator
    parent_id: str
    line: int | None = None
    page: int | None = None
    part: str = ""
    parent_locator: str = ""
    window: Span | None = None
    source: str = field(default="", repr=False, compare=False)

    @property
    def text(self) -> str:
        """The literal characters of the document that this chunk covers."""
        return self.span.of(self.source)

    @property
    def window_text(self) -> str:
        """The parent section's text where the chunker attaches one, else ''."""
        return self.window.of(self.source) if self.window else ""


@dataclass(frozen=True, slots=True)
class Library:
    """A folder (or one file) a person pointed at, and how to read it. `root` is absolute, surrogate-escaped.

    `ignoring` says that what `.gitignore` and `.ignore` files name is left out.
    """

    library_id: str
    root: str
    title: str = ""
    description: str = ""
    chunker: str = "parent_child"
    language: str = "auto"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    restrict: tuple[str, ...] = ()
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    ignoring: bool = True

    def __post_init__(self) -> None:
        # An id is read back from `library:document#c1` up to the first colon.
        if not self.library_id or ":" in self.library_id:
            raise ValueError(f"not a library id: {self.library_id!r} (not empty, no colon)")


_ESCAPED: Final = re.compile(r"\\(\\|x[89a-f][0-9a-f])")


def shown_path(path: str) -> str:
    """A path as JSON and people see it: bytes that are not UTF-8 become U+FFFD."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def chunk_id(library_id: str, path: str, index: int) -> str:
    """The public id of a chunk. An undecodable byte of the path is written `\\xNN` and a backslash doubled.

    Two names never share one; `path_of_id` reads it back.
    """
    name = path.replace("\\", "\\\\").encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return f"{library_id}:{name}#c{index}"


def path_of_id(name: str) -> str:
    """The path behind the one written in a chunk's id."""
    return _ESCAPED.sub(_unescaped, name)


def _unescaped(found: re.Match[str]) -> str:
    code = found.group(1)
    return code if code == "\\" else chr(0xDC00 + int(code[1:], 16))
