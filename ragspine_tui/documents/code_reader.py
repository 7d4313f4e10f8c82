"""Source code and other line-bound text: definitions and blocks of lines between blank lines, nothing rewritten."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from ragspine_tui.documents.bounds import MAX_BLOCKS, check_count
from ragspine_tui.documents.definitions import Definition, definitions
from ragspine_tui.documents.encoding import decode
from ragspine_tui.documents.languages import family_of
from ragspine_tui.documents.lines import paragraphs
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.types import Block, BlockKind, Document, Span

_SUFFIXES: Final = """
.py .pyi .pyx .ipy .c .h .cc .cpp .cxx .hh .hpp .hxx .cs .java .kt .kts .scala .groovy .gradle .go .rs .swift .m .mm
.d .zig .nim .v .js .mjs .cjs .jsx .ts .mts .cts .tsx .vue .svelte .css .scss .sass .less .php .rb .erb .pl .pm .lua
.tcl .r .jl .m4 .awk .sed .sh .bash .zsh .fish .ps1 .psm1 .bat .cmd .vim .el .lisp .lsp .scm .clj .cljs .edn .hs .lhs
.ml .mli .fs .fsi .fsx .ex .exs .erl .hrl .sql .graphql .proto .thrift .cmake .mk .mak .ninja .bzl .nix .tf .hcl
.dockerfile .asm .s .f .f90 .f95 .for .pas .ada .adb .ads .cob .vb .vbs .dart .sol .cu .glsl .vert .frag .wgsl .patch
.diff .ini .cfg .conf .properties .env .json5 .xsd .xsl .xslt .dtd
.plist .po .pot .bib .sty .cls .gv .dot .puml .mmd
""".split()  # noqa: SIM905
_COOKIE: Final = re.compile(rb"[ \t\f]*(?:#|//|/\*|;|%|\.\.|--|<!--|[.']\\\").*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)")
_XML: Final = re.compile(rb"""\s*<\?xml[^>]*?\bencoding\s*=\s*["']([-_.a-zA-Z0-9]+)["']""")


class CodeReader:
    """Source code, markup and data files as they are written; `text` is the decoded file."""

    kind = "code"
    suffixes: frozenset[str] = frozenset(_SUFFIXES)

    def claims(self, head: bytes, suffix: str, /) -> bool:
        """A first line `#!` in a file without a suffix."""
        return not suffix and head.startswith(b"#!")

    def read(self, source: SourceFile) -> Document:
        """The decoded file in blocks between blank lines, each definition under a heading of its own.

        The encoding is the one the file declares (PEP 263, XML).
        """
        decoded = decode(source.data, declared_encoding(source.data))
        return Document(
            path=source.relative,
            text=decoded.text,
            blocks=code_blocks(decoded.text, source.suffix),
            title=source.name,
            kind=self.kind,
            encoding=decoded.encoding,
            notes=decoded.notes,
        )


def code_blocks(text: str, suffix: str) -> tuple[Block, ...]:
    """The blocks of source code in order: a HEADING where a definition opens, CODE between blank lines."""
    spans = paragraphs(text)
    family = family_of(text, suffix)
    found = definitions(text, family) if family else []
    if not found:
        return tuple(Block(Span(start, end), BlockKind.CODE) for start, end in spans)
    blocks = list(_with_bodies(text, list(_cut(text, spans, found)), found))
    check_count(len(blocks), MAX_BLOCKS, "paragraphs")
    return tuple(blocks)


def _cut(text: str, spans: Sequence[tuple[int, int]], found: Sequence[Definition]) -> Iterator[Block]:
    """The paragraphs, cut where definitions open."""
    place = number = 0
    for start, end in spans:
        place = max(place, start)
        while number < len(found) and found[number].start < end:
            opened = found[number]
            yield from _code(text, place, opened.start)
            yield Block(Span(opened.start, opened.end), BlockKind.HEADING, opened.level, opened.heading)
            place, number = opened.end, number + 1
        yield from _code(text, place, end)


def _with_bodies(text: str, blocks: Sequence[Block], found: Sequence[Definition]) -> Iterator[Block]:
    """A definition that nothing below it follows gives the rest of its line to be its body."""
    least = {one.start: one.least for one in found}
    for block, following in zip_longest(blocks, blocks[1:]):
        bare = following is None or (following.kind is BlockKind.HEADING and following.level <= block.level)
        if block.kind is BlockKind.HEADING and bare and block.span.start < least[block.span.start] < block.span.end:
            middle = least[block.span.start]
            yield Block(Span(block.span.start, middle), BlockKind.HEADING, block.level, block.heading)
            yield from _code(text, middle, block.span.end)
        else:
            yield block


def _code(text: str, start: int, end: int) -> Iterator[Block]:
    """What stands between, from the first line that holds something; nothing where none does."""
    part = text[start:end] if start < end else ""
    if part and not part.isspace():
        yield Block(Span(start + len(part) - len(part.lstrip("\r\n")), end), BlockKind.CODE)


def declared_encoding(data: bytes) -> str:
    """The encoding named in the first two lines (`# coding: latin-1`) or in an XML declaration, '' without one."""
    for line in data[:1024].split(b"\n", 2)[:2]:
        if match := _COOKIE.match(line):
            return match.group(1).decode("ascii")
    match = _XML.match(data[:1024])
    return match.group(1).decode("ascii") if match else ""
