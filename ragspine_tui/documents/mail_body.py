"""The plain text of a message in blocks: paragraphs, what is quoted, and lines that flow put together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from ragspine_tui.documents.lines import paragraphs
from ragspine_tui.types import BlockKind

_ARMOUR: Final = re.compile(r"-----BEGIN PGP (MESSAGE|SIGNATURE|PUBLIC KEY BLOCK)-----\n")
_DEPTH: Final = re.compile(r">*")
_EMPTY_QUOTE: Final = re.compile(r"[> \t]*\Z")


def unix_lines(text: str) -> str:
    """Text whose lines end by \\n alone."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def body_blocks(text: str) -> Iterator[tuple[BlockKind, str]]:
    """The blocks of a text whose lines end by \\n; lines that begin with `>` are a QUOTE."""
    for start, end in paragraphs(text):
        paragraph = text[start:end]
        if ">" not in paragraph:
            yield BlockKind.PARAGRAPH, paragraph
            continue
        for quoted, lines in groupby(paragraph.split("\n"), lambda line: line.lstrip(" ").startswith(">")):
            if not quoted:
                yield BlockKind.PARAGRAPH, "\n".join(lines)
                continue
            for empty, said in groupby(lines, lambda line: bool(_EMPTY_QUOTE.match(line))):
                if not empty:
                    yield BlockKind.QUOTE, "\n".join(said)


def unflowed(text: str, *, joined: bool) -> str:
    """Text of `format=flowed` with the lines of a paragraph in one; `joined` lines lose the space they end with."""
    out: list[str] = []
    current: list[str] = []
    depth = -1
    for line in text.split("\n"):
        found = _DEPTH.match(line)
        quotes = found.end() if found else 0
        content = line[quotes:].removeprefix(" ")
        if current and quotes != depth:
            out.append(_line(depth, current))
            current = []
        depth = quotes
        flows = content.endswith(" ") and content != "-- "
        current.append(content[:-1] if flows and joined else content)
        if not flows:
            out.append(_line(depth, current))
            current = []
    if current:
        out.append(_line(depth, current))
    return "\n".join(out)


def _line(depth: int, pieces: list[str]) -> str:
    text = "".join(pieces)
    return f"{'>' * depth} {text}" if depth and text else ">" * depth + text


def without_armour(text: str) -> tuple[str, bool]:
    """A text without the letters of PGP's messages, keys and signatures; whether some of it was encrypted."""
    kept: list[str] = []
    position, encrypted = 0, False
    while begin := _ARMOUR.search(text, position):
        closing = f"-----END PGP {begin[1]}-----"
        end = text.find(closing, begin.end())
        if end < 0:
            break
        encrypted = encrypted or begin[1] == "MESSAGE"
        kept.append(text[position : begin.start()])
        position = end + len(closing)
    return "".join([*kept, text[position:]]), encrypted
