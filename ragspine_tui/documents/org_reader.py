"""Org: the decoded file, its headlines without keywords and tags, its blocks, tables and drawers."""

from __future__ import annotations

import re
from typing import Final

from ragspine_tui.documents.fields import FieldsBuilder, split_tags
from ragspine_tui.documents.line_blocks import LineBlocks, add_field, line_document
from ragspine_tui.documents.lines import Lines
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.types import Block, BlockKind, Document

_HEADLINE: Final = re.compile(r"(\*+)[ \t]+(.*)\Z")
_KEYWORD: Final = re.compile(r"#\+([\w-]{1,40}):[ \t]*(.*)\Z")
_BEGIN: Final = re.compile(r"#\+begin(?:_(\w{1,40})|:)", re.IGNORECASE)
_END: Final = re.compile(r"[ \t]*#\+end(?:_\w{1,40}|:)", re.IGNORECASE)
_DRAWER: Final = re.compile(r":([\w-]{1,60}):[ \t]*\Z")
_DRAWER_END: Final = re.compile(r":end:[ \t]*\Z", re.IGNORECASE)
_PROPERTY: Final = re.compile(r":([\w+-]{1,60}):[ \t]+(.+)\Z")
_LIST: Final = re.compile(r"(?:[-+]|\d{1,4}[.)]|[a-zA-Z][.)])(?:[ \t]|\Z)")
_TODO: Final = frozenset(
    {"TODO", "DONE", "NEXT", "WAITING", "WAIT", "HOLD", "CANCELLED", "CANCELED", "STARTED", "SOMEDAY", "KILL", "STRT"}
)
_TAGS: Final = re.compile(r"[ \t]+:([\w@#%:]{1,300}):[ \t]*\Z")
_TAGS_CHARS: Final = 400
_PRIORITY: Final = re.compile(r"\[#\w{1,2}\][ \t]*")
_COOKIE: Final = re.compile(r"[ \t]*\[(?:\d{0,4}/\d{0,4}|\d{0,3}%)\]")
_LINK: Final = re.compile(r"\[\[([^\[\]]*)\](?:\[([^\[\]]*)\])?\]")
_EMPHASIS: Final = re.compile(r"""(?<![\w*/_=~+])([*/_=~+])(?=\S)([^\n]{1,300}?)(?<=\S)\1(?![\w*/_=~+])""")
_TIMESTAMP: Final = re.compile(r"\A[<\[](\d{4}-\d\d-\d\d)[^<>\[\]]{0,40}[>\]]\Z")
_QUOTES: Final = frozenset({"quote", "verse"})
_PROSE: Final = frozenset({"center", "note", "warning", "tip", "abstract", "important", "details", "special"})
_NAMES: Final = frozenset(
    {"title", "subtitle", "author", "date", "email", "language", "description", "keywords", "category", "sensitivity"}
)


class OrgReader:
    """Org mode's files; `text` is the decoded file."""

    kind = "org"
    suffixes: frozenset[str] = frozenset({".org", ".org_archive"})

    def claims(self, _head: bytes, _suffix: str, /) -> bool:
        """Never: the suffix alone tells it from text."""
        return False

    def read(self, source: SourceFile) -> Document:
        """The decoded file with its headlines; keywords, and the properties at its top, become fields."""
        return line_document(source, self.kind, _scan)


def _scan(lines: Lines, first: int, fields: FieldsBuilder) -> list[Block]:
    scanner = _Scanner(lines, fields)
    for number in range(first, len(lines)):
        scanner.take(number)
    scanner.found.close()
    return scanner.found.blocks


class _Scanner:
    """One pass over the lines: what is open, and whether a headline has come."""

    def __init__(self, lines: Lines, fields: FieldsBuilder) -> None:
        self.found = LineBlocks(lines)
        self._lines = lines
        self._fields = fields
        self._todo = set(_TODO)
        self._raw: re.Pattern[str] | None = None
        self._top = True
        self._listing = False
        self._last_end = self._last(_END)
        self._last_drawer = self._last(_DRAWER_END)

    def _last(self, pattern: re.Pattern[str]) -> int:
        """The last line that could end a block: one that opens behind it is never closed, and only looks like one."""
        lines = self._lines
        return next((n for n in range(len(lines) - 1, -1, -1) if pattern.match(lines.line(n).lstrip())), -1)

    def take(self, number: int) -> None:
        """One more line."""
        line = self._lines.line(number)
        bare = line.strip()
        if self._raw is not None:
            # A headline ends whatever was never closed: inside a block it is written with a comma before it.
            if line[:1] != "*" or not _HEADLINE.match(line):
                self._inside(number, bare, self._raw)
                return
            self._raw = None
        if not bare:
            self.found.close()
        elif line[0] == "*" and (match := _HEADLINE.match(line.rstrip())):
            self._headline(number, match)
        elif bare[0] in "#:" and self._marked(number, bare):
            self._listing = False
        else:
            self._text(number, line, bare)

    def _inside(self, number: int, bare: str, ends: re.Pattern[str]) -> None:
        self.found.last = number
        if ends is _DRAWER_END and self._top and (match := _PROPERTY.match(bare)):
            add_field(self._fields, match[1], _TIMESTAMP.sub(r"\1", match[2]))
        if ends.match(bare):
            self.found.close()
            self._raw = None

    def _headline(self, number: int, match: re.Match[str]) -> None:
        title, tags = _headline(match[2], self._todo)
        self._fields.add("tags", *tags)
        self.found.heading(number, number, len(match[1]), title)
        self._top = self._listing = False

    def _marked(self, number: int, bare: str) -> bool:
        """Takes a keyword, the beginning of a block or drawer, a comment or fixed text; False for any other line."""
        if bare.startswith("#+"):
            return self._keyword(number, bare)
        if bare[0] == "#":
            if bare != "#" and bare[1] not in " \t":
                return False
            self.found.extend(number, BlockKind.PARAGRAPH)
            return True
        if bare == ":" or bare.startswith(": "):
            self.found.extend(number, BlockKind.CODE)
            return True
        if not _DRAWER.match(bare) or _DRAWER_END.match(bare) or number >= self._last_drawer:
            return False
        self.found.close()
        # Properties name a document at its top and a section below it.
        self.found.extend(number, BlockKind.FRONT_MATTER if self._top else BlockKind.LIST)
        self._raw = _DRAWER_END
        return True

    def _keyword(self, number: int, bare: str) -> bool:
        if match := _BEGIN.match(bare):
            name = (match[1] or "").lower()
            self.found.close()
            if number >= self._last_end or name in _PROSE or not name:
                return self._alone(number)
            self.found.extend(number, BlockKind.QUOTE if name in _QUOTES else BlockKind.CODE)
            self._raw = _END
            return True
        if not (match := _KEYWORD.match(bare)):
            return bool(_END.match(bare)) and self._alone(number)
        name, value = match[1].lower(), match[2]
        if name == "filetags":
            self._fields.add("tags", *(tag for tag in re.split(r"[:\s]+", value) if tag))
        elif name in ("todo", "seq_todo", "typ_todo"):
            self._todo.update(word.partition("(")[0] for word in value.split() if word != "|")
        elif name in _NAMES:
            add_field(self._fields, name, _TIMESTAMP.sub(r"\1", value))
        self.found.extend(number, BlockKind.FRONT_MATTER if self._top else BlockKind.PARAGRAPH)
        return True

    def _alone(self, number: int) -> bool:
        """A mark around text that is read like any other."""
        self.found.close()
        self.found.extend(number, BlockKind.PARAGRAPH)
        self.found.close()
        return True

    def _text(self, number: int, line: str, bare: str) -> None:
        found = self.found
        if bare[0] == "|":
            found.extend(number, BlockKind.TABLE)
            self._listing = False
        elif _LIST.match(bare) or (bare.startswith("* ") and line[0] != "*"):
            found.extend(number, BlockKind.LIST)
            self._listing = True
        elif found.kind in (BlockKind.LIST, BlockKind.PARAGRAPH):
            found.last = number
        else:
            self._listing = self._listing and line[0].isspace()
            found.extend(number, BlockKind.LIST if self._listing else BlockKind.PARAGRAPH)


def _headline(written: str, todo: set[str]) -> tuple[str, list[str]]:
    """A headline's own words, and its tags."""
    tags: list[str] = []
    # A headline of tags alone has no space before them.
    end = f" {written[-_TAGS_CHARS:]}"
    if match := _TAGS.search(end):
        tags = split_tags(match[1].strip(":").split(":"))
        written = written[: len(written) - len(end) + match.start()] if match.start() else ""
    word, _, rest = written.partition(" ")
    if word in todo:
        written = rest.lstrip()
    written = _PRIORITY.sub("", written, count=1) if written.startswith("[#") else written
    if written.startswith("COMMENT "):
        written = written[8:]
    return plain_org(_COOKIE.sub("", written[:2_000])), tags


def plain_org(title: str) -> str:
    """A headline without links and emphasis."""
    if title.isalnum():
        return title
    title = _LINK.sub(lambda match: match[2] or match[1], title)
    return _EMPHASIS.sub(r"\2", title).strip()
