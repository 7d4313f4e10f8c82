"""Which paragraph styles of a Word file are headings, titles and list items, through all styles they are based on."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final
from xml.etree.ElementTree import Element

_HEADING: Final = re.compile(
    r"(?:heading|überschrift|titre|título|titulo|titolo|kop|rubrik|overskrift|otsikko|nagłówek|nadpis|címsor|titlu"
    r"|başlık|заголовок|επικεφαλίδα|見出し|标题|標題|제목|כותרת|عنوان)\s?([1-9])"
)
_BODY: Final = 9
_DEPTH: Final = 40


@dataclass(slots=True)
class Styles:
    """Style ids to heading levels (from 1, 0 for body text), and the ids of titles and of list items."""

    levels: dict[str, int] = field(default_factory=dict)
    titles: set[str] = field(default_factory=set)
    lists: set[str] = field(default_factory=set)


def heading_level(name: str) -> int:
    """The level that a style's name says in one of many languages, 0 where it says none."""
    match = _HEADING.fullmatch(" ".join(name.lower().split()))
    return int(match[1]) if match else 0


def outline_level(properties: Element | None) -> int | None:
    """The level that paragraph properties themselves say, 0 for body text, None where they say nothing."""
    found = properties.find("w:outlineLvl") if properties is not None else None
    value = found.get("w:val", "") if found is not None else ""
    if not value.isascii() or not value.isdigit() or len(value) > 2:
        return None
    return int(value) + 1 if int(value) < _BODY else 0


def is_list(properties: Element | None) -> bool | None:
    """Whether paragraph properties say that it is a list item; None where they say nothing."""
    numbering = properties.find("w:numPr") if properties is not None else None
    if numbering is None:
        return None
    number = numbering.find("w:numId")
    return number is None or number.get("w:val") != "0"


def read_styles(root: Element | None) -> Styles:
    """The styles of `word/styles.xml`; none where there is no such part."""
    styles = Styles()
    found = {style.get("w:styleId", ""): style for style in (root if root is not None else ()) if _of_paragraph(style)}
    for style_id in found:
        chain = _chain(found, style_id)
        names = [(_value(style, "w:name") or "").lower() for style in chain]
        if names[0] == "title":
            styles.titles.add(style_id)
        for style, name in zip(chain, names, strict=True):
            level = outline_level(style.find("w:pPr"))
            level = heading_level(name) or None if level is None else level
            if level is not None:
                styles.levels[style_id] = level
                break
        listed = (is_list(style.find("w:pPr")) for style in chain)
        if next((said for said in listed if said is not None), False):
            styles.lists.add(style_id)
    return styles


def _of_paragraph(style: Element) -> bool:
    return style.tag == "w:style" and style.get("w:type", "paragraph") == "paragraph"


def _chain(found: dict[str, Element], style_id: str) -> list[Element]:
    chain: list[Element] = []
    seen: set[str] = set()
    while style_id in found and style_id not in seen and len(chain) < _DEPTH:
        seen.add(style_id)
        chain.append(found[style_id])
        style_id = _value(found[style_id], "w:basedOn") or ""
    return chain


def _value(element: Element, name: str) -> str | None:
    child = element.find(name)
    return child.get("w:val") if child is not None else None
