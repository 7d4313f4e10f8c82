"""What holds in a group of RTF: code page, destination, formatting; and the tables that the head of a file sets up."""

from __future__ import annotations

import codecs
from copy import copy
from dataclasses import dataclass, field
from typing import Final

from ragspine_tui.documents.docx_styles import heading_level

_CHARSETS: Final = {
    77: "mac_roman",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "gb18030",
    136: "big5hkscs",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    254: "cp437",
    255: "cp850",
}
_PAGES: Final = {65001: "utf-8", 10000: "mac_roman", 936: "gb18030", 950: "big5hkscs", 1361: "johab"}
_BASED: Final = 20


@dataclass(slots=True)
class Style:
    """A paragraph style as its group declares it."""

    name: str = ""
    outline: int = -1
    based_on: int = -1


@dataclass(slots=True)
class Head:
    """Fonts, styles and the code page of a file."""

    codec: str = "cp1252"
    default_font: int = 0
    fonts: dict[int, str] = field(default_factory=dict)
    styles: dict[int, Style] = field(default_factory=dict)

    def level_of(self, style: int) -> int:
        """The heading level of a style (from 1), 0 for body text."""
        for _ in range(_BASED):
            found = self.styles.get(style)
            if found is None:
                return 0
            if found.outline >= 0:
                return found.outline + 1 if found.outline < 9 else 0
            if level := heading_level(found.name):
                return level
            style = found.based_on
        return 0


@dataclass(slots=True)
class State:
    """What a group inherits and its end takes back."""

    destination: str = ""
    font: int = -1
    skip: int = 1
    hidden: bool = False
    style: int = 0
    outline: int = -1
    in_table: bool = False
    listed: bool = False

    def inner(self) -> State:
        """The state of a group that begins."""
        return copy(self)

    def plain_paragraph(self) -> None:
        """`\\pard`: as if nothing had been said of the paragraph."""
        self.style, self.outline, self.in_table, self.listed = 0, -1, False, False


def codec_of_page(page: int) -> str:
    """Python's codec for a Windows code page, '' for one it has not."""
    try:
        return codecs.lookup(_PAGES.get(page, f"cp{page}")).name
    except LookupError:
        return ""


def codec_of_charset(charset: int) -> str:
    """The codec of a font's character set, '' where that is the file's own."""
    return _CHARSETS.get(charset, "")
