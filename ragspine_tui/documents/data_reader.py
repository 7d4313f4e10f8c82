"""YAML and TOML: the decoded file, cut where its entries begin, so that a value of many lines stays whole."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from ragspine_tui.documents.code_reader import declared_encoding
from ragspine_tui.documents.encoding import decode
from ragspine_tui.documents.fields import FieldsBuilder, split_tags
from ragspine_tui.documents.line_blocks import LineBlocks, add_field
from ragspine_tui.documents.lines import Lines, numbered_lines
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.types import Block, BlockKind, Document

# Files of more lines are cut at blank lines alone.
_HEAD: Final = 1_000
_MOST_LINES: Final = 200_000
_YAML_ENTRY: Final = re.compile(
    r"""(?:-[ \t]+){0,8}+(?:"[^"]{1,200}"|'[^']{1,200}'|[^\s#'"\[{&*!|>%@,][^:#]{0,200}?)[ \t]*+"""
    r"""(?::[ \t]+(?P<value>\S.*)|:\Z)"""
)
_YAML_TEXT: Final = re.compile(r"(?:[&!]\S{1,100}[ \t]+){0,3}[|>][-+\d]{0,2}(?:[ \t]+#.*)?\Z")
_YAML_NAMED: Final = re.compile(r"""["']?(\w{2,30})["']?[ \t]*:[ \t]+(\S.*)\Z""")
_TOML_TABLE: Final = re.compile(r"\[{1,2}[ \t]*+([^\[\]]{1,200}?)[ \t]*\]{1,2}[ \t]*(?:#.*)?\Z")
_TOML_NAMED: Final = re.compile(r"""["']?([\w-]{2,30})["']?[ \t]*=[ \t]*(\S.*)\Z""")
_TOML_TEXT: Final = re.compile(r"\"\"\"|'''")
_DOT: Final = re.compile(r"[ \t]*\.[ \t]*")
_QUOTED: Final = re.compile(r"""(["'])(.*?)\1""")
_COMMENT: Final = re.compile(r"[ \t]#.*\Z")
_NAMES: Final = frozenset(
    "title author authors date published created description language lang tags keywords subject".split()  # noqa: SIM905
)
_NO_VALUES: Final = ("|", ">", "&", "*", "!", "{")


class YamlReader:
    """YAML; `text` is the decoded file."""

    kind = "yaml"
    suffixes: frozenset[str] = frozenset({".yaml", ".yml"})

    def claims(self, _head: bytes, _suffix: str, /) -> bool:
        """Never: lines with colons are still text."""
        return False

    def read(self, source: SourceFile) -> Document:
        """A block an entry, with the lines its value goes on in; what names the document at its top becomes fields."""
        return _document(source, self.kind, _yaml_blocks)


class TomlReader:
    """TOML; `text` is the decoded file."""

    kind = "toml"
    suffixes: frozenset[str] = frozenset({".toml"})

    def claims(self, _head: bytes, _suffix: str, /) -> bool:
        """Never: lines with equals signs are still text."""
        return False

    def read(self, source: SourceFile) -> Document:
        """Each table a section; what names the document above the first one becomes fields."""
        return _document(source, self.kind, _toml_blocks)


def _document(source: SourceFile, kind: str, scan: Callable[[Lines, FieldsBuilder], list[Block]]) -> Document:
    decoded = decode(source.data, declared_encoding(source.data))
    fields = FieldsBuilder()
    blocks = scan(numbered_lines(decoded.text), fields)
    return Document(
        path=source.relative,
        text=decoded.text,
        blocks=tuple(blocks),
        title=fields.first("title") or source.name,
        kind=kind,
        fields=fields.build(),
        encoding=decoded.encoding,
        notes=decoded.notes,
    )


def _yaml_blocks(lines: Lines, fields: FieldsBuilder) -> list[Block]:
    found = LineBlocks(lines)
    inside = -1
    whole = len(lines) > _MOST_LINES
    for number in range(len(lines)):
        line = lines.line(number)
        bare = line.strip()
        if not bare or bare == "---":
            # Blank lines belong to the text of many lines they stand in.
            if inside < 0 or bare:
                found.close()
                inside = -1
            continue
        indent = len(line) - len(line.lstrip())
        if inside >= 0 and indent > inside:
            found.extend(number, BlockKind.CODE)
            continue
        inside = -1
        match = _YAML_ENTRY.match(bare[:_HEAD])
        if (match or bare[0] == "#" or bare.startswith("- ")) and not whole:
            found.close()
        if match and match["value"] and _YAML_TEXT.match(match["value"]):
            inside = indent
        if match and not indent:
            _declare(fields, _YAML_NAMED.match(bare))
        found.extend(number, BlockKind.CODE)
    found.close()
    return found.blocks


def _toml_blocks(lines: Lines, fields: FieldsBuilder) -> list[Block]:
    found = LineBlocks(lines)
    text, top = "", True
    for number in range(len(lines)):
        bare = lines.line(number).strip()
        if text:
            found.extend(number, BlockKind.CODE)
            text = "" if bare.count(text) % 2 else text
        elif not bare:
            found.close()
        elif match := _TOML_TABLE.match(bare[:_HEAD]) if bare[0] == "[" else None:
            name = _QUOTED.sub(r"\2", match[1])
            found.heading(number, number, 1 + len(_DOT.findall(match[1])), name)
            top = False
        else:
            if top:
                _declare(fields, _TOML_NAMED.match(bare))
            found.extend(number, BlockKind.CODE)
            opened = _TOML_TEXT.search(bare)
            text = opened[0] if opened and bare.count(opened[0]) % 2 else ""
    found.close()
    return found.blocks


def _declare(fields: FieldsBuilder, match: re.Match[str] | None) -> None:
    """One entry that names the document, where its value is a plain string or a list of them on its line."""
    if not match or match[1].lower() not in _NAMES:
        return
    name, value = match[1].lower(), _COMMENT.sub("", match[2]).strip()
    if value[0] == "[" and value[-1] == "]":
        values = split_tags([value[1:-1].replace('"', "").replace("'", "")])
        fields.add({"keywords": "tags", "authors": "author"}.get(name, name), *values)
    elif not value.startswith((*_NO_VALUES, "[", '"""', "'''")):
        quoted = _QUOTED.fullmatch(value)
        add_field(fields, name, quoted[2] if quoted else value)
