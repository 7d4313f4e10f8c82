"""The text of one Word paragraph: runs joined, results of fields, no deleted or hidden text, and what hangs on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final
from xml.etree.ElementTree import Element

from ragspine_tui.documents.math_text import math_text
from ragspine_tui.documents.ooxml import alternative_text, chosen

DEPTH: Final = 40
"""How deep elements are followed one by one; what lies deeper is read without its structure."""
_SILENT: Final = frozenset(
    """w:pPr w:rPr w:del w:moveFrom w:delText w:instrText w:delInstrText w:sdtPr w:sdtEndPr w:fldData w:ffData
    w:tblPr w:trPr w:tcPr w:rubyPr w:annotationRef a:graphicFrameLocks""".split()  # noqa: SIM905
)
_BREAKS: Final = {"w:br": "\n", "w:cr": "\n", "w:tab": "\t", "w:ptab": "\t", "w:noBreakHyphen": "-"}
_GREEK: Final = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ"
_PRIVATE: Final = 0xF000
_OFF: Final = frozenset({"0", "false", "off"})


@dataclass(slots=True)
class Inline:
    """A paragraph's text so far; `boxes` are text boxes in it, `pictures` what pictures show, `drawings` their XML."""

    pieces: list[str] = field(default_factory=list)
    boxes: list[Element] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    drawings: list[Element] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text with at most one line break at a time."""
        text = "".join(self.pieces)
        if "\n" in text:
            text = "\n".join(line for line in map(str.strip, text.split("\n")) if line)
        return text.strip()

    def take(self, element: Element, depth: int = 0) -> None:
        """Adds the text below an element of a paragraph."""
        if depth > DEPTH:
            self.pieces.extend(t.text or "" for t in element.iter("w:t"))
            return
        for child in element:
            self._child(child, depth)

    def _child(self, child: Element, depth: int) -> None:
        tag = child.tag
        if tag == "w:t":
            text = child.text or ""
            self.pieces.append(" ".join(text.splitlines()) if "\n" in text else text)
        elif tag == "w:r":
            if not _is_hidden(child):
                self.take(child, depth + 1)
        elif tag in _SILENT:
            return
        elif tag in _BREAKS:
            self.pieces.append(_BREAKS[tag])
        elif tag == "w:sym":
            self.pieces.append(_symbol(child))
        elif tag == "w:txbxContent":
            self.boxes.append(child)
        elif tag == "mc:AlternateContent":
            option = chosen(child)
            if option is not None:
                self.take(option, depth + 1)
        elif tag in {"m:oMath", "m:oMathPara"}:
            self.pieces.append(math_text(child))
        elif tag == "w:ruby":
            self._ruby(child, depth)
        else:
            self._drawn(child, depth)

    def _ruby(self, ruby: Element, depth: int) -> None:
        base, reading = ruby.find("w:rubyBase"), Inline()
        if base is not None:
            self.take(base, depth + 1)
        if (found := ruby.find("w:rt")) is not None:
            reading.take(found, depth + 1)
            self.pieces.append(f"({reading.text})" if reading.text else "")

    def _drawn(self, child: Element, depth: int) -> None:
        tag = child.tag
        if tag == "wp:docPr":
            self.pictures.append(alternative_text(child))
        elif tag == "v:textpath":
            self.pieces.append(f" {child.get('string', '')} ")
        elif tag in {"v:shape", "v:rect", "v:oval"} and (said := " ".join(child.get("alt", "").split())):
            self.pictures.append(f"Picture: {said}")
        elif tag == "a:graphic":
            self.drawings.append(child)
        elif tag == "a:t":
            self.pieces.append(f"{child.text or ''} ")
        self.take(child, depth + 1)


def _is_hidden(run: Element) -> bool:
    properties = run.find("w:rPr")
    vanish = properties.find("w:vanish") if properties is not None else None
    return vanish is not None and vanish.get("w:val", "1") not in _OFF


def _symbol(element: Element) -> str:
    try:
        code = int(element.get("w:char", ""), 16)
    except ValueError:
        return ""
    if code < _PRIVATE or code > _PRIVATE + 0xFF:
        return chr(code) if 0x20 <= code < 0xD800 or _PRIVATE + 0xFF < code < 0x110000 else ""
    code -= _PRIVATE
    if element.get("w:font", "").lower() != "symbol":
        # The pictures of other symbol fonts have no characters.
        return " "
    if 0x41 <= code <= 0x5A:
        return _GREEK[code - 0x41]
    if 0x61 <= code <= 0x7A:
        return "αβχδεφγηιϕκλμνοπθρστυϖωξψζ"[code - 0x61]
    return chr(code) if 0x20 <= code < 0x7F else " "
