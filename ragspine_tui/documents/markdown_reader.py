"""Markdown: the decoded file, its blocks, its front matter, tags and links."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from ragspine_tui.documents.encoding import decode
from ragspine_tui.documents.fields import MAX_VALUES, FieldsBuilder, split_tags
from ragspine_tui.documents.front_matter import front_matter
from ragspine_tui.documents.lines import first_lines, numbered_lines
from ragspine_tui.documents.markdown_blocks import markdown_blocks
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.types import Block, BlockKind, Document, Span

# Each alternative begins with a plain character, which lets the search skip from one to the next.
_MENTION: Final = re.compile(
    r"`(?P<tick>`{0,20}+)(?!`)[^\n]{0,1000}?(?<!`)`(?P=tick)(?!`)"
    r"|\[\[(?P<link>[^\[\]|#\n]{1,200})[^\[\]\n]{0,300}\]\]"
    r"|#(?P<tag>[\w/-]{1,100})"
    r"|<(?:[A-Za-z/](?:[^<>\r\n]|\r?\n(?![ \t\r\n>])|\r?\n[ \t]++(?![ \t\r\n>])){0,1000}+|!--[^<]{0,1000}?--)>"
)
_BEFORE_TAG: Final = frozenset(" \t\n\r\u3000,;、。")
_COLOUR: Final = re.compile(
    r"(?=[a-f]*\d)(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\Z|([0-9a-f])\1{2}(?:\1{3})?\Z", re.I
)
_DIRECTIVES: Final = frozenset(
    "include define endif ifdef ifndef if else elif pragma undef error warning line import region endregion".split()  # noqa: SIM905
)


class MarkdownReader:
    """CommonMark with front matter, tables, `[[wikilinks]]` and `#tags`; `text` is the decoded file."""

    kind = "md"
    suffixes: frozenset[str] = frozenset({".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mdx", ".rmd", ".qmd"})

    def claims(self, _head: bytes, _suffix: str, /) -> bool:
        """Never: the suffix alone tells Markdown from text."""
        return False

    def read(self, source: SourceFile) -> Document:
        """The decoded file with blocks that carry their lines; front matter becomes fields."""
        decoded = decode(source.data)
        lines = numbered_lines(decoded.text)
        front = front_matter(first_lines(decoded.text, 2_001) if decoded.text[:3] in ("---", "+++") else [])
        first = lines.index_after(front.lines)
        front_end = lines.ends[first - 1] if first else 0
        blocks = [Block(Span(0, front_end), BlockKind.FRONT_MATTER, line=1)] if first else []
        blocks += markdown_blocks(lines, first)
        fields = FieldsBuilder()
        for name, value in front.values:
            fields.add(name, value)
        tags, links = _mentions(decoded.text, front_end, blocks)
        fields.add_all({name: found for name, found in (("tags", tags), ("links", links)) if found})
        dropped = (f"front matter too long for fields: {', '.join(fields.dropped)}",) if fields.dropped else ()
        return Document(
            path=source.relative,
            text=decoded.text,
            blocks=tuple(blocks),
            title=fields.first("title") or _title(blocks) or source.stem,
            kind=self.kind,
            fields=fields.build(),
            encoding=decoded.encoding,
            notes=decoded.notes + front.notes + dropped,
        )


def _title(blocks: Sequence[Block]) -> str:
    """The first heading of level 1, else the first heading."""
    headings = [block for block in blocks if block.kind is BlockKind.HEADING and block.heading]
    return next((block.heading for block in headings if block.level == 1), headings[0].heading if headings else "")


def _mentions(text: str, body: int, blocks: Sequence[Block]) -> tuple[list[str], list[str]]:
    """The `#tags` and the targets of `[[links]]` outside code, each once, in order."""
    if "[[" not in text and "#" not in text:
        return [], []
    tags: dict[str, None] = {}
    links: dict[str, None] = {}
    starts = [block.span.start for block in blocks]
    for match in _matches(text, body):
        place = bisect_right(starts, match.start()) - 1
        if place >= 0 and blocks[place].kind is BlockKind.CODE and match.start() < blocks[place].span.end:
            continue
        if match["link"] and len(links) < MAX_VALUES:
            links[match["link"].strip()] = None
        elif match["tag"] and len(tags) < MAX_VALUES and _is_tag(text, match.start(), match["tag"]):
            tags.update(dict.fromkeys(split_tags([match["tag"].strip("/-")])))
    return list(tags), [link for link in links if link]


def _matches(text: str, body: int) -> Iterator[re.Match[str]]:
    for match in _MENTION.finditer(text, body):
        if match["link"] or (match["tag"] and (match.start() == 0 or text[match.start() - 1] in _BEFORE_TAG)):
            yield match


def _is_tag(text: str, start: int, name: str) -> bool:
    """Whether `#name` names something: no number, colour or place in this page, and no line of a C preprocessor."""
    if not any(map(str.isalpha, name)) or _COLOUR.match(name):
        return False
    before = text[max(0, start - 100) : start].rstrip(" \t")
    if before.endswith(("](", "]:")):
        return False
    return name not in _DIRECTIVES or (bool(before) and before[-1] not in "\r\n")
