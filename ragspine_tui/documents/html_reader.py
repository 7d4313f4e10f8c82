"""HTML: the words a person sees on the page, in blocks that know their line in the file."""

from __future__ import annotations

import re
from typing import Final

from ragspine_tui.documents.bounds import MAX_BLOCKS, check_count, heading_text
from ragspine_tui.documents.code_reader import declared_encoding
from ragspine_tui.documents.encoding import decode
from ragspine_tui.documents.fields import FieldsBuilder, split_tags
from ragspine_tui.documents.front_matter import front_of
from ragspine_tui.documents.head_labels import head_labels, html_doubts
from ragspine_tui.documents.html_text import BREAK, CELL, clean, clean_code
from ragspine_tui.documents.html_tokens import CDATA, INLINE_NAMES, Token, Tokens
from ragspine_tui.documents.labels import FIELD, front_labels, html_labels
from ragspine_tui.documents.lines import line_ends, paragraphs
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.types import Block, BlockKind, Document, Span

_SKIPPED: Final = frozenset({"nav", "template", "datalist"})
_SILENT: Final = frozenset({"script", "style", "iframe", "noembed", "noframes", "noscript"})
_INLINE_LIKE_NAMES: Final = """
area audio base bgsound button canvas col colgroup defs embed g input link map math meter mi mn mo mrow ms mtext
object output param path picture progress select slot source svg symbol text track tspan use video
"""
_INLINE_LIKE: Final = INLINE_NAMES | frozenset(_INLINE_LIKE_NAMES.split())
_IN_CELL: Final = frozenset({"p", "div", "center", "section", "address", "form", "fieldset", "label"})
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LISTS: Final = frozenset({"ul", "ol", "menu", "dir"})
_ROWS: Final = frozenset({"tr", "table", "tbody", "thead", "tfoot"})
_CELL_LENGTH: Final = 400
_CHARSET: Final = re.compile(rb"""<meta\s[^>]*?charset\s*=\s*["']?\s*([-\w:.]+)""", re.IGNORECASE)
# Programs write pages for Word and Excel under the names of their files.
_OTHERS: Final = frozenset({"", ".txt", ".text", ".xml", ".doc", ".xls"})
_PAGE: Final = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.{0,1000}?-->\s*)*<(?:!doctype\s+html|html)[\s>]", re.I | re.S
)
_BEFORE_TAGS: Final = re.compile(r"(?:[^<]++|<!--(?:[^-]|-(?!->))*+-->|<[!?][^>]*+>)*+")
_LEADING: Final = re.compile(r"(?:\s|<[^>]*>)*")
_META: Final = {
    "author": "author",
    "dc.creator": "author",
    "article:author": "author",
    "description": "description",
    "keywords": "tags",
    "date": "date",
    "dc.date": "date",
    "dcterms.date": "date",
    "article:published_time": "date",
    "dc.language": "language",
}


class HtmlReader:
    """Web pages. `text` is extracted: blocks joined by line breaks, cells by tabs; alternative texts of pictures stand
    in their place, navigation, scripts, styles and templates do not."""

    kind = "html"
    suffixes: frozenset[str] = frozenset({".html", ".htm", ".xhtml", ".shtml", ".xht"})

    def claims(self, head: bytes, suffix: str, /) -> bool:
        """A doctype or `<html` at the start of a file whose suffix says nothing else."""
        return suffix in _OTHERS and bool(_PAGE.match(head.removeprefix(b"\xef\xbb\xbf")))

    def read(self, source: SourceFile) -> Document:
        """The page's text with headings, its title and what its meta elements say."""
        head = source.data[:4096]
        charset = _CHARSET.search(head)
        declared = declared_encoding(head) or (charset[1].decode("ascii", "replace") if charset else "")
        decoded = decode(source.data, declared)
        front, start = front_of(decoded.text)
        # The lines of the front matter stay lines, so that what stands below keeps its number.
        page = _Page("\n" * front.lines + decoded.text[start:])
        for name, value in front.values:
            page.fields.add(name, value)
        before = _BEFORE_TAGS.match(decoded.text)
        top = head_labels(before[0] if before else "")
        if labels := front_labels(decoded.text) + top.labels + html_labels(decoded.text):
            page.fields.add(FIELD, *labels)
        page.read()
        heading = next((block.heading for block in page.blocks if block.kind is BlockKind.HEADING), "")
        return Document(
            path=source.relative,
            text="".join(page.texts),
            blocks=tuple(page.blocks),
            title=page.title or page.fields.first("title") or heading or source.stem,
            kind=self.kind,
            fields=page.fields.build(),
            encoding=decoded.encoding,
            verbatim=False,
            notes=decoded.notes + (front.notes if start else ()) + top.notes + html_doubts(decoded.text),
        )


class _Page:
    """One pass over the tokens: what is open now, and what has been written."""

    def __init__(self, source: str) -> None:
        self.texts: list[str] = []
        self.blocks: list[Block] = []
        self.title = ""
        self.fields = FieldsBuilder()
        self._source = source
        self._tokens = Tokens(source)
        self._navigation = "navigation" in source
        self._parts: list[str] = []
        self._first = -1
        self._length = 0
        self._counted = 0
        self._line = 1
        self._heading = 0
        self._pre = self._row = False
        self._lists = self._quotes = 0

    def read(self) -> None:
        """Takes every token."""
        for token in self._tokens:
            if token.kind == "text":
                self._text(token.start, token.end)
            elif token.kind == "open":
                self._open(token)
            else:
                self._close(token.name)
        self._flush()

    def _text(self, start: int, end: int, *, escape: bool = False) -> None:
        part = self._source[start:end]
        if escape:
            part = part.replace("&", "&amp;").replace("<", "&lt;")
        if self._first < 0:
            if part.isspace() and not self._pre:
                return
            self._first = start
        self._parts.append(part)

    def _open(self, token: Token) -> None:
        name = token.name
        if name in _SILENT:
            return
        if name in _SKIPPED or (self._navigation and self._is_navigation(token)):
            self._flush()
            self._tokens.skip_element(name)
        elif name == CDATA:
            self._text(token.start, token.end, escape=True)
        elif name in {"title", "textarea", "xmp"}:
            self._raw(token)
        elif name in {"br", "option", "img", "meta", "html"}:
            self._special(token)
        elif name in {"td", "th"}:
            if self._parts:
                self._parts.append(CELL)
            self._row = True
        elif name not in _INLINE_LIKE and "-" not in name and not self._stays_in_cell(name):
            self._block(name)

    def _block(self, name: str) -> None:
        self._flush()
        if name in _HEADINGS:
            self._heading = int(name[1])
        elif name == "pre":
            self._pre = True
        elif name in _LISTS:
            self._lists += 1
        elif name == "blockquote":
            self._quotes += 1
        if name in _ROWS or name in _LISTS or name in _HEADINGS:
            self._row = False

    def _close(self, name: str) -> None:
        if name in {"td", "th"} or name in _INLINE_LIKE or name in _SILENT or "-" in name or self._stays_in_cell(name):
            return
        self._flush()
        if name in _HEADINGS:
            self._heading = 0
        elif name == "pre":
            self._pre = False
        elif name in _LISTS:
            self._lists = max(0, self._lists - 1)
        elif name == "blockquote":
            self._quotes = max(0, self._quotes - 1)
        elif name in _ROWS:
            self._row = False

    def _stays_in_cell(self, name: str) -> bool:
        """Whether a block tag inside a short table cell only breaks the line: a row is one block, a layout is not."""
        if not self._row or name not in _IN_CELL or sum(map(len, self._parts)) > _CELL_LENGTH:
            return False
        if self._parts and self._parts[-1] not in (CELL, BREAK):
            self._parts.append(BREAK)
        return True

    def _is_navigation(self, token: Token) -> bool:
        if "navigation" not in self._source[token.start : token.end]:
            return False
        return self._tokens.attributes(token).get("role", "").strip().lower() == "navigation"

    def _raw(self, token: Token) -> None:
        if token.name != "title":
            self._flush()
            self._parts = [self._source[token.start : token.end].replace("<", "&lt;")]
            self._first = token.start
            self._flush()
        elif not self.title and not self.blocks:
            self.title = clean(self._source[token.start : token.end].replace("<", "&lt;"))[:1_000]

    def _special(self, token: Token) -> None:
        if token.name in {"br", "option"}:
            if self._parts:
                self._parts.append(BREAK)
            return
        found = self._tokens.attributes(token)
        if token.name == "img":
            if words := found.get("alt", "").strip():
                self._first = token.start if self._first < 0 else self._first
                self._parts.append(f" {words.replace('<', '&lt;')} ")
        elif token.name == "html":
            if language := found.get("lang") or found.get("xml:lang"):
                self.fields.add("language", language)
        else:
            self._meta(found)

    def _meta(self, found: dict[str, str]) -> None:
        name = _META.get((found.get("name") or found.get("property") or "").lower())
        content = clean(found.get("content", "").replace("<", "&lt;"))
        if name and content:
            self.fields.add(name, *(split_tags([content]) if name == "tags" else [content]))

    def _flush(self) -> None:
        """Writes the open block, if it holds a word."""
        if not self._parts:
            self._first = -1
            return
        raw, first = "".join(self._parts), self._first
        self._parts, self._first = [], -1
        if self._pre:
            self._write_code(raw, first)
            return
        text = clean(raw)
        if not text or text.isspace():
            return
        kind = self._kind()
        start = self._separate(kind) + len(text)
        self.texts.append(text)
        span = Span(self._length, start)
        self._length = start
        leading = _LEADING.match(raw)
        line = self._line_at(first + (leading.end() if leading else 0))
        heading = heading_text(" ".join(text[:2_000].split())) if kind is BlockKind.HEADING else ""
        self.blocks.append(Block(span, kind, self._heading if heading else 0, heading, line))
        self._heading = 0

    def _kind(self) -> BlockKind:
        if self._heading:
            return BlockKind.HEADING
        if self._row:
            return BlockKind.TABLE
        if self._lists:
            return BlockKind.LIST
        return BlockKind.QUOTE if self._quotes else BlockKind.PARAGRAPH

    def _write_code(self, raw: str, first: int) -> None:
        text = clean_code(raw)
        marked = text.lstrip("\n" + BREAK)
        if not marked or marked.isspace():
            return
        # A break that a tag makes is no line of the file.
        line = self._line_at(first) + text.count("\n", 0, len(text) - len(marked))
        bare = marked.replace(BREAK, "\n")
        start = self._separate(BlockKind.CODE)
        self.texts.append(bare)
        self._length = start + len(bare)
        for low, high in paragraphs(bare):
            span = Span(start + low, start + high)
            self.blocks.append(Block(span, BlockKind.CODE, line=line + marked.count("\n", 0, low)))

    def _separate(self, kind: BlockKind) -> int:
        """Ends the last block; the length of the text so far."""
        check_count(len(self.blocks), MAX_BLOCKS, "paragraphs")
        if self.blocks:
            tight = kind is self.blocks[-1].kind and kind in (BlockKind.LIST, BlockKind.TABLE)
            self.texts.append("\n" if tight else "\n\n")
            self._length += 1 if tight else 2
        return self._length

    def _line_at(self, offset: int) -> int:
        if offset > self._counted:
            self._line += line_ends(self._source, self._counted, offset)
            self._counted = offset
        return self._line
