"""The text of OpenDocument paragraphs, and what hangs on them: notes, annotations, frames."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final
from xml.etree.ElementTree import Element

SHAPES: Final = frozenset(
    """draw:frame draw:g draw:a draw:custom-shape draw:rect draw:line draw:polyline draw:polygon draw:path draw:circle
    draw:ellipse draw:connector draw:caption draw:measure draw:regular-polygon draw:page-thumbnail draw:control
    dr3d:scene""".split()  # noqa: SIM905
)
_SILENT: Final = frozenset(
    """text:note-citation text:page-number text:page-count text:tracked-changes text:script text:hidden-text
    text:sheet-name office:event-listeners office:forms script:event-listener text:alphabetical-index-mark""".split()  # noqa: SIM905
)
_BREAKS: Final = {"text:tab": "\t", "text:line-break": "\n"}
_SPACES: Final = re.compile(r"[ \t\r\n]+")
_MOST_SPACES: Final = 100


@dataclass(slots=True)
class Inline:
    """One paragraph's text, and the elements in it that are read apart."""

    text: str = ""
    notes: list[Element] = field(default_factory=list)
    annotations: list[Element] = field(default_factory=list)
    shapes: list[Element] = field(default_factory=list)


def inline(paragraph: Element, formula: Callable[[Element], str] = lambda _: "") -> Inline:
    """What a paragraph says; `formula` is the text of a frame that stands for words of the paragraph."""
    found = Inline()
    pieces: list[str] = []
    waiting: list[Element | str] = []
    _below(paragraph, waiting)
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            pieces.append(_SPACES.sub(" ", each))
            continue
        tag = each.tag
        if tag == "text:s":
            count = each.get("text:c", "1")
            pieces.append(" " * (min(int(count), _MOST_SPACES) if count.isdecimal() and len(count) < 9 else 1))
        elif tag in _BREAKS:
            pieces.append(_BREAKS[tag])
        elif tag == "text:note":
            found.notes.append(each)
        elif tag == "office:annotation":
            found.annotations.append(each)
        elif tag in SHAPES:
            if words := formula(each):
                pieces.append(words)
            else:
                found.shapes.append(each)
        elif tag == "text:ruby-text":
            pieces.append(f"({''.join(each.itertext()).strip()})")
        elif tag not in _SILENT:
            _below(each, waiting)
    text = "".join(pieces)
    if "\n" in text:
        text = "\n".join(line for line in map(str.strip, text.split("\n")) if line)
    found.text = text.strip()
    return found


def _below(element: Element, waiting: list[Element | str]) -> None:
    for child in reversed(element):
        if child.tail:
            waiting.append(child.tail)
        waiting.append(child)
    if element.text:
        waiting.append(element.text)


def paragraphs_below(root: Element) -> Iterator[Element]:
    """Every heading and paragraph below, in order, those inside of others not among them."""
    waiting = [root]
    while waiting:
        element = waiting.pop()
        if element.tag in {"text:p", "text:h"}:
            yield element
        elif element.tag not in _SILENT:
            waiting.extend(reversed(element))


def flat_text(root: Element) -> str:
    """All paragraphs below in lines, those of frames and notes in them too."""
    lines: list[str] = []
    waiting = list(paragraphs_below(root))[::-1]
    while waiting:
        found = inline(waiting.pop())
        lines.append(found.text)
        for apart in (*found.shapes, *found.notes):
            waiting.extend(list(paragraphs_below(apart))[::-1])
    return "\n".join(line for line in lines if line)


def remark(annotation: Element) -> tuple[str, str]:
    """The author and the text of an annotation."""
    creator = next((each for each in annotation if each.tag == "dc:creator"), None)
    author = " ".join((creator.text or "").split()) if creator is not None else ""
    return author, flat_text(annotation)
