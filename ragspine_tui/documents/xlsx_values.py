"""What the cells of an Excel sheet show: shared strings, formats, cached results of formulas."""

from __future__ import annotations

import re
from typing import Final
from xml.etree.ElementTree import Element

from ragspine_tui.documents.bounds import check_count
from ragspine_tui.documents.extracted import MAX_TEXT
from ragspine_tui.documents.number_formats import GENERAL, NumberFormat, built_in_format, number_format
from ragspine_tui.documents.packages import Package
from ragspine_tui.documents.sheets import Row, cell_place
from ragspine_tui.documents.xml_names import children_of

_ESCAPED: Final = re.compile(r"_x([0-9a-fA-F]{4})_")
_MIDNIGHT: Final = re.compile(r"T00:00(?::00(?:\.0+)?)?Z?\Z")
_ROOT: Final = frozenset({"s:sst"})


def shared_strings(package: Package, part: str) -> list[str]:
    """The strings that cells point at; PartError after a damage, `found` so far is lost with it."""
    found: list[str] = []
    length = 0
    for item in children_of(package, part, _ROOT):
        found.append(rich_text(item))
        length += len(found[-1])
        check_count(length, MAX_TEXT, "characters of text")
    return found


def rich_text(item: Element) -> str:
    """The text of a string item in one line, without the phonetic readings over it."""
    pieces = []
    for child in item:
        if child.tag == "s:t":
            pieces.append(child.text or "")
        elif child.tag == "s:r":
            pieces += [each.text or "" for each in child if each.tag == "s:t"]
    text = "".join(pieces)
    return one_line(_ESCAPED.sub(_character, text) if "_x" in text else text)


def one_line(text: str) -> str:
    """Text with single spaces."""
    return " ".join(text.split())


def _character(match: re.Match[str]) -> str:
    code = int(match[1], 16)
    return chr(code) if code >= 32 and not 0xD800 <= code < 0xE000 else " "


def formats_of(root: Element | None) -> list[NumberFormat]:
    """The number format of each cell style of `xl/styles.xml`."""
    codes: dict[int, NumberFormat] = {}
    found: list[NumberFormat] = []
    for group in root if root is not None else ():
        if group.tag == "s:numFmts":
            codes.update((_int(each.get("numFmtId")), number_format(each.get("formatCode", ""))) for each in group)
        elif group.tag == "s:cellXfs":
            numbers = (_int(each.get("numFmtId")) for each in group)
            found = [codes[number] if number in codes else built_in_format(number) for number in numbers]
    return found


class Cells:
    """Turns the rows of a workbook's sheets into text."""

    def __init__(self, strings: list[str], formats: list[NumberFormat], *, since_1904: bool) -> None:
        self._strings = strings
        self._formats = formats
        self._since_1904 = since_1904
        self.unvalued = 0
        """How many formulas hold no value: a program wrote them that does not calculate."""

    def row(self, element: Element, before: int) -> Row:
        """The cells with text of a row; one without a number follows the one `before`."""
        number = _int(element.get("r"), before + 1)
        cells: list[tuple[int, str]] = []
        column = -1
        for cell in element:
            place = cell_place(cell.get("r", ""))
            column = place[1] if place else column + 1
            if len(cell) and (text := self._text(cell)):
                cells.append((column, text))
        return Row(number, cells)

    def _text(self, cell: Element) -> str:
        kind = cell.get("t", "n")
        value = ""
        for child in cell:
            if child.tag == "s:v":
                value = child.text or ""
            elif child.tag == "s:is":
                return rich_text(child)
        if not value and kind != "str" and any(child.tag == "s:f" for child in cell):
            self.unvalued += 1
        if kind == "s":
            index = _int(value, -1)
            return self._strings[index] if 0 <= index < len(self._strings) else ""
        if kind == "b":
            return {"1": "TRUE", "0": "FALSE"}.get(value, value)
        if kind == "n" and value:
            return self._number(value, cell.get("s"))
        return _MIDNIGHT.sub("", value) if kind == "d" else one_line(value)

    def _number(self, value: str, style: str | None) -> str:
        try:
            number = float(value)
        except ValueError:
            return one_line(value)
        index = _int(style)
        form = self._formats[index] if 0 <= index < len(self._formats) else GENERAL
        if form is GENERAL and value.isdigit():
            return value
        return form.shown(number, since_1904=self._since_1904)


def _int(value: str | None, default: int = 0) -> int:
    text = (value or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else default
