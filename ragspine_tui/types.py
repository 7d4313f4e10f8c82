"""The values that pass between the stages: frozen, and of the standard library alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

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
    the file itself; `page` counts from 1; `part` names a slide, sheet, chapter, cell or mail part.
    """

    span: Span
    kind: BlockKind = BlockKind.PARAGRAPH
    level: int = 0
    heading: str = ""
    line: int | None = None
    page: int | None = None
    part: str = ""


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

    `index` counts from 1 over the document; `parent_id` is `{document}#s{section index}`; `parent_locator` and `window`
    are set only by chunkers that expand a hit into its parent.
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


_ID = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?\Z")


@dataclass(frozen=True, slots=True)
class Library:
    """A folder (or one file) a person pointed at, and how to read it. `root` is absolute, surrogate-escaped."""

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

    def __post_init__(self) -> None:
        if not _ID.match(self.library_id):
            raise ValueError(
                f"not a library id: {self.library_id!r} (1-64 of a-z 0-9 . _ -, first and last a letter or digit)"
            )


OPERATORS: Final = ("eq", "ne", "in", "nin", "gt", "gte", "lt", "lte", "between")


@dataclass(frozen=True, slots=True)
class Condition:
    """`field op value` over strings. `value` is one string, or a tuple of strings for `in`, `nin` and `between`.

    Construction raises ValueError on an unknown operator, on a str, bytes or non-iterable for `in`/`nin`, and on
    anything but exactly two values for `between`. Values are frozen to str here (None becomes ''), so that a
    generator answers alike for every object.
    """

    field: str
    op: str
    value: Any

    def __post_init__(self) -> None:
        if self.op not in OPERATORS:
            raise ValueError(f"unknown operator {self.op!r}; valid: {', '.join(OPERATORS)}")
        if self.op in ("in", "nin", "between"):
            if isinstance(self.value, (str, bytes)) or not isinstance(self.value, Iterable):
                raise ValueError(f"{self.op} needs a sequence of values, not {self.value!r}")
            values = tuple(_as_text(v) for v in self.value)
            if self.op == "between" and len(values) != 2:
                raise ValueError(f"between needs exactly two values (low, high), not {len(values)}")
            object.__setattr__(self, "value", values)
        else:
            object.__setattr__(self, "value", _as_text(self.value))

    @property
    def values(self) -> tuple[str, ...]:
        """The value or values as a tuple."""
        return self.value if isinstance(self.value, tuple) else (self.value,)


def _as_text(value: object) -> str:
    return "" if value is None else str(value)


@dataclass(frozen=True, slots=True)
class RoutedLibrary:
    """A library the router chose, with the query's terms that chose it."""

    library_id: str
    matched_terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Route:
    """Where a search went: `fallback` is true where the router matched nothing and every library was searched."""

    spec: str
    libraries: tuple[RoutedLibrary, ...]
    fallback: bool = False


@dataclass(frozen=True, slots=True)
class FilterStep:
    """How many documents were left after a condition, and how many of those before it lack its field.

    `condition` is the condition's text, None for the count before any.
    """

    condition: str | None
    documents: int
    missing_field: int = 0


@dataclass(frozen=True, slots=True)
class FilterReport:
    """The filter of a search: its text, who set it (`user`, `extractor`, `none`), and what each step left."""

    text: str = ""
    source: str = "none"
    steps: tuple[FilterStep, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One search. `libraries` empty means all; `prefix` takes the last word as a prefix (search as you type).

    Specs that are None come from the configuration.
    """

    query: str
    libraries: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    combine: str = "and"
    mode: str | None = None
    route: str | None = None
    fusion: str | None = None
    extract: str | None = None
    limit: int = 20
    prefix: bool = False
    parent: bool = False
    explain: bool = False


@dataclass(frozen=True, slots=True)
class TermScore:
    """What one query term gave a hit in one field (`body`, `exact`, `document`, `title`, `name`, `heading`)."""

    term: str
    field: str
    tf: int
    df: int
    idf: float
    score: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a hit stands where it does: its rank in its own library, each term's part, and what fusion made of it."""

    library_rank: int
    terms: tuple[TermScore, ...]
    fusion: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Parent:
    """A hit's section: its literal text and where the child stands in it. `start` is its offset in the document."""

    text: str
    child: Span
    start: int
    locator: str
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that passed the exits: `text` is the literal span of the document, `highlights` are spans in `text`."""

    rank: int
    library_id: str
    document: str
    title: str
    heading: str
    chunk_id: str
    score: float
    text: str
    span: Span
    locator: str
    line: int | None = None
    page: int | None = None
    part: str = ""
    parent_locator: str = ""
    highlights: tuple[Span, ...] = ()
    fields: Fields = field(default_factory=dict)
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    stale: bool = False
    parent: Parent | None = None
    explain: Explanation | None = None


@dataclass(frozen=True, slots=True)
class LibraryProblem:
    """A library that could not be searched or brought up to date, in one line."""

    library_id: str
    message: str


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Everything a door shows of one search; `total` counts the passages that matched before the cut to `limit`.

    `left_out` names libraries that routing left out although their best hit would have stood in the first five.
    """

    query: str
    mode: str
    fusion: str
    route: Route
    filter: FilterReport
    total: int
    hits: tuple[Hit, ...]
    unknown_terms: tuple[str, ...] = ()
    errors: tuple[LibraryProblem, ...] = ()
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LibrarySummary:
    """A library with what its index holds; `offline` where its root is not there now."""

    library: Library
    documents: int = 0
    chunks: int = 0
    problems: int = 0
    restricted: int = 0
    text_bytes: int = 0
    offline: bool = False
    indexed_language: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far bringing one library up to date has come; `total` is 0 while the folder is still being walked."""

    library_id: str
    done: int
    total: int
    path: str = ""


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A file that needs a person's attention; indexed files appear with their reader's note."""

    library_id: str
    document: str
    status: DocumentStatus
    reason: str


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What bringing one library up to date did; counts are documents unless named otherwise."""

    library_id: str
    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    empty: int = 0
    restricted: int = 0
    chunks: int = 0
    cancelled: bool = False
    problems: tuple[FileProblem, ...] = ()


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


def shown_path(path: str) -> str:
    """A path as JSON and people see it: bytes that are not UTF-8 become U+FFFD."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def chunk_id(library_id: str, path: str, index: int) -> str:
    """The public id of a chunk; undecodable bytes of the path are written `\\xNN`: two names never share one."""
    name = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return f"{library_id}:{name}#c{index}"
