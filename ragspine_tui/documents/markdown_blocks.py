"""The block structure of Markdown by one pass over its lines: CommonMark's headings, fences and code; GFM's tables.

Blocks are spans of the text as it is written. List items and quotes are kept whole between blank lines: what matters
for finding is where a section begins, and that `#` in code begins none.
"""

from __future__ import annotations

import html
import re
from typing import Final

from ragspine_tui.documents.bounds import MAX_BLOCKS, check_count, heading_text
from ragspine_tui.documents.lines import Lines
from ragspine_tui.types import Block, BlockKind, Span

_ATX: Final = re.compile(r"(#{1,6})(?=[ \t]|\Z)")
_SETEXT: Final = re.compile(r"(?:=+|-+)[ \t]*\Z")
_FENCE: Final = re.compile(r"(`{3,})[^`]*\Z|(~{3,})")
_RULE: Final = re.compile(r"([-*_])[ \t]*(?:\1[ \t]*){2,}\Z")
_LIST: Final = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|\Z)")
_TABLE_RULE: Final = re.compile(r"[ \t]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+\Z")
_HTML_OPEN: Final = (
    (
        re.compile(r"<(?:script|pre|style|textarea)(?:[\s>]|\Z)", re.I),
        re.compile(r"</(?:script|pre|style|textarea)>", re.I),
    ),
    (re.compile(r"<!--"), re.compile(r"-->")),
    (re.compile(r"<\?"), re.compile(r"\?>")),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>")),
    (re.compile(r"<![A-Za-z]"), re.compile(r">")),
)
_HTML_BLOCK: Final = re.compile(
    r"</?(?:address|article|aside|base|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset"
    r"|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav"
    r"|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)"
    r"(?:[\s>]|/>|\Z)",
    re.I,
)
_HTML_ALONE: Final = re.compile(r"</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>[ \t]*\Z")
_BLANK_END: Final = re.compile(r"[ \t]*\Z")
_SPECIAL: Final = frozenset("#`~-=<>*+_|0123456789")
_NOT_ALWAYS_TEXT: Final = _SPECIAL | frozenset(" \t")


def markdown_blocks(lines: Lines, first: int = 0) -> list[Block]:
    """The blocks of the lines from index `first` on; ReadError where they are too many."""
    scanner = _Scanner(lines)
    text, starts, ends = lines.text, lines.starts, lines.ends
    for number in range(first, len(lines)):
        # Most lines of a paragraph go on with it and need no closer look.
        if scanner.in_paragraph and starts[number] < ends[number] and text[starts[number]] not in _NOT_ALWAYS_TEXT:
            scanner.go_on(number)
        else:
            scanner.take(number)
    scanner.close()
    return scanner.blocks


class _Scanner:
    """Where the pass stands: the block that is open, and what would end it."""

    def __init__(self, lines: Lines) -> None:
        self.blocks: list[Block] = []
        self._lines = lines
        self._kind: BlockKind | None = None
        self._first = 0
        self._last = 0
        self._ends: re.Pattern[str] | None = None
        self._list_indent = 0
        self._blank_before = True
        self._known_table = (-1, False)

    @property
    def in_paragraph(self) -> bool:
        """Whether a paragraph is open that only a line's first sign could end."""
        return self._kind is BlockKind.PARAGRAPH and self._ends is None and not self._list_indent

    def go_on(self, number: int) -> None:
        """One more line of the open paragraph."""
        self._last = number
        self._blank_before = False

    def take(self, number: int) -> None:
        """One more line."""
        line = self._lines.line(number)
        if self._ends is not None and self._in_raw(number, line, self._ends):
            return
        bare = line.lstrip(" \t")
        if not bare:
            self.close()
            self._blank_before = True
            return
        indent = 0 if bare is line or line[0] not in " \t" else _width(line)
        if self._list_indent and indent < self._list_indent and self._blank_before and not _LIST.match(bare):
            self._list_indent = 0
        plain = indent < 4 + self._list_indent if self._list_indent else indent < 4
        if not plain and (self._kind in (None, BlockKind.CODE) or self._in_table()):
            self._extend(number, BlockKind.CODE)
        elif bare[0] not in _SPECIAL or not plain or not self._structure(number, bare, indent):
            self._text(number)
        self._blank_before = False

    def _in_table(self) -> bool:
        return self._kind is BlockKind.PARAGRAPH and self._last > self._first and self._is_table()

    def close(self) -> None:
        """Ends the open block."""
        if self._kind is None:
            return
        kind = BlockKind.TABLE if self._in_table() else self._kind
        self._kind, self._ends = None, None
        self._add(kind)

    def _add(self, kind: BlockKind, level: int = 0, heading: str = "") -> None:
        span = Span(self._lines.starts[self._first], self._lines.ends[self._last])
        self.blocks.append(Block(span, kind, level, heading, self._lines.numbers[self._first]))
        check_count(len(self.blocks), MAX_BLOCKS, "paragraphs")

    def _extend(self, number: int, kind: BlockKind) -> None:
        if self._kind is not kind:
            self.close()
            self._kind, self._first = kind, number
        self._last = number

    def _text(self, number: int) -> None:
        """A line without structure continues what is open (lazily in lists and quotes), or opens a paragraph."""
        if self._kind is None or self._kind is BlockKind.CODE:
            self._extend(number, BlockKind.LIST if self._list_indent else BlockKind.PARAGRAPH)
        else:
            self._last = number

    def _in_raw(self, number: int, line: str, ends: re.Pattern[str]) -> bool:
        """Whether the line belongs to an open fence or HTML block, which it may end."""
        bare = line.lstrip(" \t")
        if self._list_indent and self._kind is BlockKind.CODE and bare and _width(line) < self._list_indent:
            self.close()
            return False
        if ends is _BLANK_END and not bare:
            return False
        self._last = number
        if self._kind is BlockKind.CODE:
            closed = bool(ends.match(bare)) and _width(line) < 4 + self._list_indent
        else:
            closed = ends is not _BLANK_END and bool(ends.search(line))
        if closed:
            self.close()
        return True

    def _structure(self, number: int, bare: str, indent: int) -> bool:
        """Takes a line that begins like structure; False where it is text after all."""
        sign = bare[0]
        if sign in "|-" and self._kind is BlockKind.PARAGRAPH and self._opens_table(number, bare):
            return True
        if sign == "#":
            return self._atx(number, bare, indent)
        if sign in "`~":
            return self._fence(number, bare, indent)
        if sign in "=-" and self._kind is BlockKind.PARAGRAPH and _SETEXT.match(bare) and self._setext(number):
            return True
        if sign in "-*_" and _RULE.match(bare):
            self.close()
            self._list_indent = 0 if indent < self._list_indent else self._list_indent
            return True
        if sign == ">":
            self._extend(number, BlockKind.QUOTE)
            return True
        if sign == "<":
            return self._html(number, bare)
        return sign != "|" and self._list_item(number, bare, indent)

    def _atx(self, number: int, bare: str, indent: int) -> bool:
        match = _ATX.match(bare)
        # A heading inside a list item names the item, not a section.
        if not match or (self._list_indent and indent >= self._list_indent):
            return False
        self._list_indent = 0
        self.close()
        self._first = self._last = number
        self._add(BlockKind.HEADING, len(match.group(1)), plain_inline(_without_closing(bare[match.end() :])))
        return True

    def _setext(self, number: int) -> bool:
        if self._list_indent or self._is_table():
            return False
        level = 1 if self._lines.line(number).lstrip()[0] == "=" else 2
        start = self._lines.starts[self._first]
        written = self._lines.text[start : min(start + _INLINE_CHARS, self._lines.ends[number - 1])]
        title = " ".join(line.strip() for line in written.splitlines())
        self._kind, self._last = None, number
        self._add(BlockKind.HEADING, level, plain_inline(title))
        return True

    def _fence(self, number: int, bare: str, indent: int) -> bool:
        match = _FENCE.match(bare)
        if not match:
            return False
        if indent < self._list_indent:
            self._list_indent = 0
        self.close()
        fence = match.group(1) or match.group(2)
        self._kind, self._first, self._last = BlockKind.CODE, number, number
        self._ends = re.compile(rf"\A{re.escape(fence[0])}{{{len(fence)},}}[ \t]*\Z")
        return True

    def _html(self, number: int, bare: str) -> bool:
        for opens, ends in _HTML_OPEN:
            if match := opens.match(bare):
                self._extend(number, BlockKind.PARAGRAPH)
                if not ends.search(bare, match.end()):
                    self._ends = ends
                else:
                    self._blank_before = False
                return True
        alone = self._kind in (None, BlockKind.CODE) and _HTML_ALONE.match(bare)
        if not alone and not _HTML_BLOCK.match(bare):
            return False
        self.close()
        self._extend(number, BlockKind.PARAGRAPH)
        self._ends = _BLANK_END
        return True

    def _list_item(self, number: int, bare: str, indent: int) -> bool:
        match = _LIST.match(bare)
        if not match:
            return False
        # An ordered list may interrupt a paragraph only with 1, an empty item never: years and numbers begin lines.
        if self._kind is BlockKind.PARAGRAPH and (
            match.end() == len(bare) or (bare[0].isdigit() and bare[:2] not in ("1.", "1)"))
        ):
            return False
        if self._kind is not BlockKind.LIST:
            self.close()
        self._extend(number, BlockKind.LIST)
        rest = bare[match.end() :]
        self._list_indent = indent + (
            match.end() if match.end() <= 5 + len(match.group().strip()) - 1 else len(match.group().strip()) + 1
        )
        if rest[:3] in ("```", "~~~"):
            self._fence(number, rest, self._list_indent)
        return True

    def _opens_table(self, number: int, bare: str) -> bool:
        """Whether a rule of dashes and bars makes the line before it the head of a table, in a paragraph or alone."""
        head = self._lines.line(number - 1)
        if "|" not in bare or "|" not in head or not _TABLE_RULE.match(bare) or _columns(head) != _columns(bare):
            return False
        if self._first < number - 1:
            self._last = number - 2
            self.close()
            self._kind, self._first = BlockKind.PARAGRAPH, number - 1
        self._last = number
        return True

    def _is_table(self) -> bool:
        if self._last == self._first:
            return False
        # Its first two lines decide: many lines that ask must not cost as often as these are long.
        if self._known_table[0] != self._first:
            head, rule = self._lines.line(self._first), self._lines.line(self._first + 1)
            bars = "|" in head and "-" in rule and bool(_TABLE_RULE.match(rule))
            self._known_table = (self._first, bars and _columns(head) == _columns(rule))
        return self._known_table[1]


def _columns(row: str) -> int:
    return row.strip().strip("|").count("|")


def _without_closing(title: str) -> str:
    title = title.strip()
    bare = title.rstrip("#")
    return bare if not bare or bare[-1] in " \t" else title


def _width(line: str) -> int:
    """Columns of white space a line begins with, tabs to the next multiple of four."""
    width = 0
    for sign in line:
        if sign == " ":
            width += 1
        elif sign == "\t":
            width += 4 - width % 4
        else:
            break
    return width


_INLINE_CHARS: Final = 2_000
_MARKUP: Final = re.compile(r"[\\`*_\[\]<>&{~]")
_LINK: Final = re.compile(r"!?\[([^\[\]]*)\](?:\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+[^()]*)?\)|\[[^\[\]]*\])")
_WIKI: Final = re.compile(r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_ATTRIBUTES: Final = re.compile(r"[ \t]*\{[:#.][^{}]*\}[ \t]*\Z")
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]*>")
_EMPHASIS: Final = re.compile(
    r"(?<![\\\w])(_{1,3})(?=\S)(.+?)(?<=[^\s\\])\1(?!\w)|(?<!\\)(\*{1,3}|~~)(?=\S)(.+?)(?<=[^\s\\])\3"
)
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")


def plain_inline(text: str) -> str:
    """A heading's text without Markdown's inline signs: links, emphasis, code, escapes, attributes."""
    text = text[:_INLINE_CHARS]
    if not _MARKUP.search(text):
        return heading_text(text.strip())
    text = _ATTRIBUTES.sub("", text)
    kept = text.split("`")
    if len(kept) > 2:
        # Code between backticks is literal; only the parts outside are cleaned.
        text = "".join(part if n % 2 and n < len(kept) - 1 else _clean(part) for n, part in enumerate(kept))
    else:
        text = _clean(text)
    return heading_text(text.strip())


def _clean(text: str) -> str:
    text = _LINK.sub(r"\1", _WIKI.sub(r"\1", text))
    for _ in range(2):
        text = _EMPHASIS.sub(lambda match: match[2] or match[4], text)
    return html.unescape(_ESCAPE.sub(r"\1", _TAG.sub("", text)))
