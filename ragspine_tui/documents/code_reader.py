"""Source code and other line-bound text: blocks of lines between blank lines, nothing rewritten."""

from __future__ import annotations

import re
from typing import Final

from ragspine_tui.documents.encoding import decode
from ragspine_tui.documents.lines import paragraphs
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.types import Block, BlockKind, Document, Span

_SUFFIXES: Final = """
.py .pyi .pyx .ipy .c .h .cc .cpp .cxx .hh .hpp .hxx .cs .java .kt .kts .scala .groovy .gradle .go .rs .swift .m .mm
.d .zig .nim .v .js .mjs .cjs .jsx .ts .mts .cts .tsx .vue .svelte .css .scss .sass .less .php .rb .erb .pl .pm .lua
.tcl .r .jl .m4 .awk .sed .sh .bash .zsh .fish .ps1 .psm1 .bat .cmd .vim .el .lisp .lsp .scm .clj .cljs .edn .hs .lhs
.ml .mli .fs .fsi .fsx .ex .exs .erl .hrl .sql .graphql .proto .thrift .cmake .mk .mak .ninja .bzl .nix .tf .hcl
.dockerfile .asm .s .f .f90 .f95 .for .pas .ada .adb .ads .cob .vb .vbs .dart .sol .cu .glsl .vert .frag .wgsl .patch
.diff .toml .ini .cfg .conf .properties .env .json .jsonl .ndjson .json5 .yaml .yml .xml .xsd .xsl .xslt .svg .dtd
.plist .po .pot .bib .sty .cls .gv .dot .puml .mmd
""".split()  # noqa: SIM905
_COOKIE: Final = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)")
_XML: Final = re.compile(rb"""\s*<\?xml[^>]*?\bencoding\s*=\s*["']([-_.a-zA-Z0-9]+)["']""")


class CodeReader:
    """Source code, markup and data files as they are written; `text` is the decoded file."""

    kind = "code"
    suffixes: frozenset[str] = frozenset(_SUFFIXES)

    def claims(self, head: bytes, suffix: str, /) -> bool:
        """A first line `#!` in a file without a suffix."""
        return not suffix and head.startswith(b"#!")

    def read(self, source: SourceFile) -> Document:
        """The decoded file in blocks between blank lines; the encoding is the one the file declares (PEP 263, XML)."""
        decoded = decode(source.data, declared_encoding(source.data))
        blocks = tuple(Block(Span(start, end), BlockKind.CODE) for start, end in paragraphs(decoded.text))
        return Document(
            path=source.relative,
            text=decoded.text,
            blocks=blocks,
            title=source.name,
            kind=self.kind,
            encoding=decoded.encoding,
            notes=decoded.notes,
        )


def declared_encoding(data: bytes) -> str:
    """The encoding named in the first two lines (`# coding: latin-1`) or in an XML declaration, '' without one."""
    for line in data[:1024].split(b"\n", 2)[:2]:
        if match := _COOKIE.match(line):
            return match.group(1).decode("ascii")
    match = _XML.match(data[:1024])
    return match.group(1).decode("ascii") if match else ""
