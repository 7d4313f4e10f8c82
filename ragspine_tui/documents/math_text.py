"""Equations of Office files as a line of text."""

from __future__ import annotations

from typing import Final
from xml.etree.ElementTree import Element

_ARGUMENTS: Final = frozenset({"m:e", "m:sub", "m:sup", "m:deg", "m:lim", "m:fName", "m:den"})
_PROPERTIES: Final = frozenset({"m:ctrlPr", "m:rPr", "w:rPr", "a:rPr"})


def math_text(root: Element) -> str:
    """An equation in one line: its symbols, a fraction with `/`, the arguments of other forms apart."""
    pieces: list[str] = []
    waiting: list[Element | str] = [root]
    while waiting:
        element = waiting.pop()
        if isinstance(element, str):
            pieces.append(element)
        elif element.tag in {"m:t", "w:t"}:
            pieces.append(element.text or "")
        elif element.tag == "m:num":
            waiting += ["/", *reversed(element)]
        elif element.tag not in _PROPERTIES:
            waiting += [" ", *reversed(element)] if element.tag in _ARGUMENTS else reversed(element)
    return " ".join("".join(pieces).split())
