"""Text of documents and file names, made safe to print: a terminal must never obey what a document says."""

from __future__ import annotations

import re
from typing import Final

_REPLACEMENT: Final = 0xFFFD
_CONTROL_PICTURES: Final = 0x2400

# Characters that reorder, hide or swallow what stands beside them: bidi marks, embeddings, overrides and isolates,
# line and paragraph separators, interlinear annotations, byte order marks, zero-width space, word joiner, fillers.
_DECEIVING: Final = (
    0x061C,
    0x115F,
    0x1160,
    0x180E,
    0x200B,
    0x200E,
    0x200F,
    *range(0x2028, 0x202F),
    *range(0x2060, 0x2070),
    0x3164,
    0xFEFF,
    0xFFA0,
    *range(0xFFF9, 0xFFFC),
    *range(0xE0000, 0xE0080),
)


def _table() -> dict[int, int]:
    table = {code: _CONTROL_PICTURES + code for code in range(0x20) if code not in (0x09, 0x0A)}
    table[0x7F] = 0x2421
    table.update(dict.fromkeys(range(0x80, 0xA0), _REPLACEMENT))
    table.update(dict.fromkeys(_DECEIVING, _REPLACEMENT))
    # Terminals draw a soft hyphen with or without a cell; a hyphen has one everywhere.
    table[0xAD] = 0x2010
    return table


_TABLE: Final = _table()
_ONE_LINE: Final = {**_TABLE, 0x09: 0x20, 0x0A: 0x2424}
_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_UNSAFE: Final = re.compile(f"[{''.join(re.escape(chr(code)) for code in _TABLE)}\ud800-\udfff]")


def printable(text: str) -> str:
    """The text with every character a terminal would obey replaced by one that only shows.

    Length-preserving, so spans stay true: C0 controls become control pictures; C1, bidi controls, invisible
    separators and lone surrogates become U+FFFD. Line feeds and tabs stay: the caller lays lines out.
    """
    return _SURROGATES.sub("\ufffd", text.translate(_TABLE)) if _UNSAFE.search(text) else text


def without_surrogates(text: str) -> str:
    """The text as it can be encoded: half of a surrogate pair becomes U+FFFD."""
    return _SURROGATES.sub("\ufffd", text)


def one_line(text: str) -> str:
    """`printable` for a single line: also length-preserving, a line feed becomes its symbol and a tab a space."""
    return _SURROGATES.sub("\ufffd", text.translate(_ONE_LINE))


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    if code <= 0xFF:
        return {9: "\\t", 10: "\\n", 13: "\\r"}.get(code, f"\\x{code:02x}")
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


_ESCAPED: Final = re.compile(f"[\t\n{''.join(re.escape(chr(code)) for code in _TABLE)}\ud800-\udfff]")


def escaped(text: str) -> str:
    """The text on one line with every unprintable character written as a backslash escape (`\\x1b`, `\\u202e`).

    Undecodable bytes of a file name (surrogate escapes) are written as the bytes they are.
    """
    return _ESCAPED.sub(_escape, text)
