"""AsciiDoc: the decoded file, its titles of either form, its header, delimited blocks and tables."""

from __future__ import annotations

import re
from typing import Final

from ragspine_tui.documents.fields import FieldsBuilder
from ragspine_tui.documents.line_blocks import LineBlocks, add_field, line_document
from ragspine_tui.documents.lines import Lines
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.types import Block, BlockKind, Document

_TITLE: Final = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)\Z")
_UNDERLINE: Final = re.compile(r"([=\-~^+])\1{2,}\Z")
_LEVELS: Final = {"=": 1, "-": 2, "~": 3, "^": 4, "+": 5}
_ATTRIBUTE: Final = re.compile(r":!?([\w-]{1,60})!?:(?:[ \t]+(.*)|\Z)")
_AUTHOR: Final = re.compile(r"([^\W\d_][\w.'’-]*(?:[ \t]+[^\W\d_][\w.'’-]*){0,3})(?:[ \t]+<([^<>]{1,200})>)?\Z")
_REVISION: Final = re.compile(r"(?:v?[\d.]+,[ \t]*)?(\d{4}-\d\d-\d\d)\b")
_DELIMITER: Final = re.compile(r"(-{4,}|\.{4,}|\+{4,}|/{4,}|_{4,}|`{3,}\w*|[|,:!]===+)\Z")
_TRANSPARENT: Final = re.compile(r"(?:={4,}|\*{4,}|--)\Z")
_LIST: Final = re.compile(
    r"(?:\*{1,5}|-|\.{1,5}|\d{1,4}\.|[a-zA-Z]\.|<(?:\d{1,3}|\.)>)[ \t]+\S|\S[^\n]{0,200}?:{2,4}(?:[ \t]|\Z)"
)
_BLOCKS: Final = {
    "-": BlockKind.CODE,
    ".": BlockKind.CODE,
    "+": BlockKind.CODE,
    "`": BlockKind.CODE,
    "/": BlockKind.PARAGRAPH,
    "_": BlockKind.QUOTE,
}
_INLINE: Final = (
    (re.compile(r"(?:link:|https?:)[^\s\[\]]{1,300}\[([^\[\]]+)\]|<<[^<>,]{1,200},[ \t]*([^<>]+)>>"), r"\1\2"),
    (re.compile(r"(?<![\w\\*])(\*{1,2}|_{1,2}|`{1,2}|#{1,2})(?=\S)([^*_`#]+?)(?<=\S)\1(?!\w)"), r"\2"),
    (re.compile(r"\[\[[^\[\]]*\]\]|\{[a-z]+\}"), ""),
)
_FIELDS: Final = frozenset(
    "author authors email date revdate keywords tags description lang language sensitivity title".split()  # noqa: SIM905
)


class AsciiDocReader:
    """AsciiDoc; `text` is the decoded file."""

    kind = "adoc"
    suffixes: frozenset[str] = frozenset({".adoc", ".asciidoc"})

    def claims(self, _head: bytes, _suffix: str, /) -> bool:
        """Never: the suffix alone tells it from text."""
        return False

    def read(self, source: SourceFile) -> Document:
        """The decoded file with its sections; the author, the date and the attributes of its header become fields."""
        return line_document(source, self.kind, _scan)


def _scan(lines: Lines, first: int, fields: FieldsBuilder) -> list[Block]:
    scanner = _Scanner(lines, fields)
    number = first
    while number < len(lines):
        number = scanner.take(number)
    scanner.found.close()
    return scanner.found.blocks


class _Scanner:
    """One pass over the lines: the delimited block that is open, and whether the header is over."""

    def __init__(self, lines: Lines, fields: FieldsBuilder) -> None:
        self.found = LineBlocks(lines)
        self._lines = lines
        self._fields = fields
        self._delimiter = ""
        self._header = True
        self._titled = -1
        self._last_of: dict[str, int] = {}
        for number in range(len(lines)):
            bare = lines.line(number).strip()
            if bare and _DELIMITER.match(bare):
                self._last_of[bare] = number

    def take(self, number: int) -> int:
        """One more line or title; the number of the next one."""
        line = self._lines.line(number)
        bare = line.strip()
        if self._delimiter:
            self.found.last = number
            if bare == self._delimiter:
                self.found.close()
                self._delimiter = ""
        elif not bare:
            self.found.close()
            self._header = self._header and self._titled < 0
        elif self._header and self._titled >= 0 and not line[0].isspace():
            self._in_header(number, bare)
        elif title := self._title(number, line.rstrip()):
            return title
        elif not self._delimited(number, bare):
            self._text(number, line, bare)
        return number + 1

    def _title(self, number: int, line: str) -> int:
        """The number of the line behind the title that begins here; 0 where none does."""
        if self.found.kind not in (None, BlockKind.FRONT_MATTER):
            return 0
        if match := _TITLE.match(line):
            title = match[2].removesuffix(match[1])
            closed = title != match[2] and title[-1:].isspace()
            return self._section(number, number, len(match[1]), title if closed else match[2])
        under = self._lines.line(number + 1).rstrip() if number + 1 < len(self._lines) else ""
        match = _UNDERLINE.match(under)
        if not match or abs(len(under) - len(line)) > 2 or not any(map(str.isalnum, line)) or line[0] in ".[ \t|":
            return 0
        return self._section(number, number + 1, _LEVELS[match[1]], line)

    def _section(self, first: int, last: int, level: int, title: str) -> int:
        self.found.heading(first, last, level, _plain(title[:2_000]))
        self._header = self._header and level == 1
        self._titled = last
        return last + 1

    def _in_header(self, number: int, bare: str) -> None:
        """The lines below the document's title: its author, its revision, its attributes, comments."""
        if not self._attribute(bare) and not bare.startswith("//"):
            if number == self._titled + 1 and (match := _AUTHOR.match(bare.partition(";")[0].strip())):
                self._fields.add("author", *(one.partition("<")[0] for one in bare.split(";")))
                if match[2]:
                    self._fields.add("email", match[2])
            elif match := _REVISION.match(bare):
                self._fields.add("date", match[1])
        self.found.extend(number, BlockKind.FRONT_MATTER)

    def _attribute(self, bare: str) -> bool:
        match = _ATTRIBUTE.match(bare)
        if match and match[2] and match[1].lower() in _FIELDS:
            name = {"lang": "language", "revdate": "date"}.get(match[1].lower(), match[1])
            add_field(self._fields, name, match[2])
        return bool(match)

    def _delimited(self, number: int, bare: str) -> bool:
        """Takes a line that opens a block whose lines are no structure; False for any other line."""
        if _TRANSPARENT.match(bare):
            self.found.close()
            return True
        if not _DELIMITER.match(bare):
            return False
        ends = "```" if bare[0] == "`" else bare
        if self._last_of.get(ends, -1) <= number:
            return False
        self.found.close()
        self.found.extend(number, _BLOCKS.get(bare[0], BlockKind.TABLE))
        self._delimiter = ends
        return True

    def _text(self, number: int, line: str, bare: str) -> None:
        found = self.found
        if self._header and self._attribute(bare):
            found.extend(number, BlockKind.FRONT_MATTER)
        elif _LIST.match(bare):
            found.extend(number, BlockKind.LIST)
        elif found.kind in (None, BlockKind.FRONT_MATTER):
            self._header = self._header and bare.startswith("//")
            found.extend(number, BlockKind.CODE if line[0].isspace() else BlockKind.PARAGRAPH)
        else:
            found.last = number


def _plain(title: str) -> str:
    """A title without inline markup."""
    for pattern, kept in _INLINE:
        title = pattern.sub(kept, title)
    return title.strip()
