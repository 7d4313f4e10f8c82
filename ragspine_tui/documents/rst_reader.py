"""reStructuredText: the decoded file, its sections by the file's own order of underlines, literal blocks, tables."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from ragspine_tui.documents.fields import FieldsBuilder
from ragspine_tui.documents.line_blocks import LineBlocks, add_field, line_document
from ragspine_tui.documents.lines import Lines
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.types import Block, BlockKind, Document

_ADORNED: Final = re.compile(r"([!-/:-@\[-`{-~])\1*\Z")
_LIST: Final = re.compile(r"[-*+•‣⁃]\s|\(?(?:\d{1,3}|[a-zA-Z]|#|[ivxlcIVXLC]{1,6})[.)]\s")
_FIELD: Final = re.compile(r":((?:[^:\\\s]|\\.)(?:[^:\\]|\\.|:(?!\s|\Z)){0,80}):(?:\s+(.*)|\Z)")
_DIRECTIVE: Final = re.compile(r"\.\.\s+(?:\|[^|]{1,100}\|\s+)?([\w.:+-]{1,60}?)\s?::(?:\s+(.*)|\Z)")
_SIMPLE_TABLE: Final = re.compile(r"=+(?: +=+)+\Z")
_GRID_TABLE: Final = re.compile(r"\+(?:[-=]+\+)+\Z")
_LITERAL: Final = frozenset(
    """
    code code-block sourcecode parsed-literal math raw productionlist prompt doctest testcode testsetup testoutput
    ipython graphviz digraph graph uml mermaid jupyter-execute plot command-output highlight literalinclude
    """.split()  # noqa: SIM905
)
_TABULAR: Final = frozenset({"csv-table", "list-table", "table"})
_LONGEST: Final = 200
_RCS: Final = re.compile(r"\$\w+:\s*(.*?)\s*\$\Z")
_INLINE: Final = (
    (re.compile(r"``([^`]+)``"), r"\1"),
    (re.compile(r"(?::[\w.:+-]{1,60}:)?`([^`<]+?)\s*(?:<[^`<>]*>)?`_{0,2}"), r"\1"),
    (re.compile(r"(?<![\w*\\])(\*{1,2})(?=\S)([^*]+?)(?<=[^\s\\])\1(?![\w*])"), r"\2"),
    (re.compile(r"(?<![\w|\\])\|(?=\S)([^|]+?)\|_{0,2}(?!\w)"), r"\1"),
    (re.compile(r"(?<=\w)_{1,2}(?=\s|\Z)"), ""),
    (re.compile(r"\\(.)"), r"\1"),
)


class RstReader:
    """reStructuredText; `text` is the decoded file."""

    kind = "rst"
    suffixes: frozenset[str] = frozenset({".rst", ".rest"})

    def claims(self, _head: bytes, _suffix: str, /) -> bool:
        """Never: the suffix alone tells it from text."""
        return False

    def read(self, source: SourceFile) -> Document:
        """The decoded file with its sections; the fields at its top and its `meta` become fields."""
        return line_document(source, self.kind, _scan)


def _scan(lines: Lines, first: int, fields: FieldsBuilder) -> list[Block]:
    scanner = _Scanner(lines, fields)
    number = first
    while number < len(lines):
        number = scanner.take(number)
    scanner.end()
    return scanner.found.blocks


class _Scanner:
    """One pass over the lines; what is indented deeper than `_inside` belongs to the literal text or table above."""

    def __init__(self, lines: Lines, fields: FieldsBuilder) -> None:
        self.found = LineBlocks(lines)
        self._lines = lines
        self._fields = fields
        self._styles: dict[str, int] = {}
        self._inside = -1
        self._inside_kind = BlockKind.CODE
        self._listing = self._in_meta = False
        self._top = True
        self._field: list[str] = []
        self._table_end = -1
        self._searched = 0

    def take(self, number: int) -> int:
        """One more line or heading; the number of the next one."""
        line = self._line(number)
        bare = line.strip()
        if not bare:
            self._blank()
            return number + 1
        indent = len(line) - len(line.lstrip())
        if self._inside >= 0:
            if indent > self._inside:
                self.found.extend(number, self._inside_kind)
                return number + 1
            self.found.close()
            self._inside = -1
        if self.found.kind is None:
            return self._opening(number, line, bare, indent)
        self._continue(number, line, indent)
        return number + 1

    def end(self) -> None:
        """Ends what is open."""
        self._end_field()
        self.found.close()

    def _line(self, number: int) -> str:
        return self._lines.line(number) if number < len(self._lines) else ""

    def _blank(self) -> None:
        self._end_field()
        if self._inside >= 0:
            return
        found = self.found
        if found.kind in (BlockKind.PARAGRAPH, BlockKind.LIST) and self._line(found.last).rstrip().endswith("::"):
            last = self._line(found.last)
            self._inside, self._inside_kind = len(last) - len(last.lstrip()), BlockKind.CODE
        found.close()

    def _opening(self, number: int, line: str, bare: str, indent: int) -> int:
        """A line behind a blank one or a heading: whatever it is, it begins here."""
        heading = self._heading(number, line, bare)
        if heading:
            return heading
        if not indent and len(bare) >= 4 and _ADORNED.match(bare) and bare not in ("....", "::::"):
            return number + 1
        if end := self._table(number, bare):
            return end
        top, self._top = self._top, False
        self._in_meta = self._in_meta and indent > 0
        if bare.startswith(".."):
            self._top = top
            self._explicit(number, bare, indent)
        elif (match := _FIELD.match(bare)) and not (indent and not self._in_meta):
            self._top = top
            self._end_field()
            declared = top or (self._in_meta and indent > 0)
            self.found.extend(number, BlockKind.FRONT_MATTER if top else BlockKind.LIST)
            self._field = [match[1], match[2] or ""] if declared else []
        elif bare.startswith(">>>"):
            self.found.extend(number, BlockKind.CODE)
        elif _LIST.match(bare) or (indent and self._listing):
            self.found.extend(number, BlockKind.LIST)
        else:
            self.found.extend(number, BlockKind.PARAGRAPH)
        self._listing = self.found.kind is BlockKind.LIST
        return number + 1

    def _continue(self, number: int, line: str, indent: int) -> None:
        """A line right below another one."""
        if self._field or self.found.kind is BlockKind.FRONT_MATTER or self._in_meta:
            match = _FIELD.match(line.strip())
            if match and (not indent or self._in_meta):
                self._end_field()
                self._field = [match[1], match[2] or ""]
            elif self._field and len(self._field) < 50:
                self._field.append(line.strip())
        self.found.last = number

    def _end_field(self) -> None:
        if not self._field:
            return
        name, values = self._field[0], [value for value in self._field[1:] if value]
        if name.lower() in {"authors", "tags", "keywords"} and len(values) > 1:
            values = [", ".join(value.removeprefix("- ").removeprefix("* ").strip(" ,;") for value in values)]
        value = _RCS.sub(r"\1", " ".join(values))
        # `meta` may name what its fields are: `description lang=en`.
        add_field(self._fields, name.split()[0] if self._in_meta else name, value)
        self._field = []

    def _heading(self, number: int, line: str, bare: str) -> int:
        """The number of the line behind the heading that begins here; 0 where none does."""
        below = self._line(number + 1).rstrip()
        if line[0].isspace() or not below:
            return 0
        over = _ADORNED.match(bare)
        if over and not _ADORNED.match(below.strip()):
            under = self._line(number + 2).rstrip()
            if under and under[0] == bare[0] and _ADORNED.match(under) and _fits(below.strip(), under):
                return self._section(number, number + 2, f"{bare[0]}over", below.strip())
        if over or not _ADORNED.match(below) or not _fits(bare, below) or _LIST.match(bare):
            return 0
        return self._section(number, number + 1, below[0], bare)

    def _section(self, first: int, last: int, style: str, title: str) -> int:
        level = self._styles.setdefault(style, len(self._styles) + 1)
        self.found.heading(first, last, level, plain_rst(title))
        self._top = self._top and len(self._styles) <= 2
        self._listing = self._in_meta = False
        return last + 1

    def _table(self, number: int, bare: str) -> int:
        """The number of the line behind the table that begins here; 0 where none does."""
        if _GRID_TABLE.match(bare):
            self.found.extend(number, BlockKind.TABLE)
            return number + 1
        if not _SIMPLE_TABLE.match(bare):
            return 0
        last = self._last_border(number + 1)
        if last < 0:
            return 0
        self.found.extend(number, BlockKind.TABLE)
        self.found.last = last
        self.found.close()
        return last + 1

    def _last_border(self, number: int) -> int:
        """The next border with a blank line below it; -1 where there is none. No line is looked at twice."""
        if self._table_end >= number:
            return self._table_end
        place = max(number, self._searched)
        while place < len(self._lines):
            if _SIMPLE_TABLE.match(self._line(place).strip()) and not self._line(place + 1).strip():
                self._table_end, self._searched = place, place + 1
                return place
            place += 1
        self._searched = place
        return -1

    def _explicit(self, number: int, bare: str, indent: int) -> None:
        """A directive, a comment, a footnote or a target."""
        self._listing = self._in_meta = False
        match = _DIRECTIVE.match(bare)
        name = match[1].lower() if match else ""
        if name in _LITERAL or name in _TABULAR:
            self._inside = indent
            self._inside_kind = BlockKind.CODE if name in _LITERAL else BlockKind.TABLE
            self.found.extend(number, self._inside_kind)
            return
        self.found.extend(number, BlockKind.PARAGRAPH)
        self._in_meta = name == "meta"
        if name == "title" and match and match[2]:
            add_field(self._fields, "title", match[2])


def _fits(title: str, under: str) -> bool:
    """Whether a line of signs is long enough for the title above it; a slip of length is forgiven as docutils does."""
    if len(title) > _LONGEST:
        return False
    width = len(title) if title.isascii() else sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in title)
    return len(under) >= min(width, 4)


def plain_rst(title: str) -> str:
    """A title without inline markup."""
    if title.isalnum():
        return title
    for pattern, kept in _INLINE:
        title = pattern.sub(kept, title)
    return title.strip()
