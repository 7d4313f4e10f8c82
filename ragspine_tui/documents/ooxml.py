"""What Word, Excel and PowerPoint packages share: parts by relationship, properties, the text of drawings."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from ragspine_tui.documents.fields import FieldsBuilder
from ragspine_tui.documents.math_text import math_text
from ragspine_tui.documents.office_fields import add_authors, add_keywords, add_property
from ragspine_tui.documents.packages import Package, PartError
from ragspine_tui.documents.xml_names import elements, root_of

_KNOWN_MAIN: Final = ("word/document.xml", "ppt/presentation.xml", "xl/workbook.xml")
_POINTING: Final = frozenset({"c:chart", "dgm:relIds", "cx:chart", "a:blip"})
_LOOKED_AT: Final = 500
_MOST_LOOKS: Final = 1_000
_MOST_NOTES: Final = 5
_CORE: Final = {
    "dc:title": "title",
    "dc:subject": "subject",
    "dc:description": "description",
    "dc:language": "language",
    "cp:category": "category",
    "cp:contentStatus": "status",
    "dcterms:created": "created",
    "dcterms:modified": "modified",
}
_APP: Final = {"ep:Pages": "pages", "ep:Slides": "slides", "ep:Company": "company", "ep:Manager": "manager"}


@dataclass(frozen=True, slots=True)
class Relation:
    """One arrow from a part to another one of the package; `kind` is the last word of its type."""

    id: str
    kind: str
    target: str


def relations(package: Package, part: str) -> list[Relation]:
    """The parts that `part` points at, '' being the package; what lies outside or is missing is left out."""
    folder, _, name = part.rpartition("/")
    listing = posixpath.join(folder, "_rels", f"{name}.rels")
    if listing not in package:
        return []
    found = []
    for child in optional_root(package, listing) or ():
        target = child.get("Target", "")
        if child.get("TargetMode") == "External" or not target:
            continue
        path = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
        if path not in package:
            path = unquote(path)
        if path in package:
            found.append(Relation(child.get("Id", ""), child.get("Type", "").rpartition("/")[2], path))
    return found


def main_part(package: Package) -> str:
    """The part that the package is about, '' where it names none."""
    for relation in relations(package, ""):
        if relation.kind == "officeDocument":
            return relation.target
    return next((name for name in _KNOWN_MAIN if name in package), "")


def root_tag(package: Package) -> str:
    """The root element of the package's main part; '' where it has none."""
    main = main_part(package)
    return next((element.tag for _, element in elements(package, main)), "") if main else ""


def optional_root(package: Package, part: str) -> Element | None:
    """A small part as a tree; None where it is damaged or missing, and a remark says so."""
    try:
        return root_of(package, part)
    except PartError as error:
        note_damage(package, error)
        return None


def note_damage(package: Package, error: PartError) -> None:
    """Remarks that a part was left out, or read up to its damage."""
    remark(package, str(error))


def remark(package: Package, reason: str) -> None:
    """Says why something is not indexed; only the first remarks are kept."""
    if len(package.notes) < _MOST_NOTES:
        package.notes.append(f"{reason}; the rest is indexed")


def properties(package: Package) -> FieldsBuilder:
    """The fields that the package declares: core, extended and custom properties, labels among them."""
    fields = FieldsBuilder()
    for relation in relations(package, ""):
        if relation.kind in {"core-properties", "coreProperties"}:
            _core(fields, optional_root(package, relation.target))
        elif relation.kind in {"extended-properties", "extendedProperties"}:
            for child in optional_root(package, relation.target) or ():
                if child.tag in _APP and (child.text or "").strip() not in ("", "0"):
                    fields.add(_APP[child.tag], child.text or "")
        elif relation.kind in {"custom-properties", "customProperties"}:
            for child in optional_root(package, relation.target) or ():
                add_property(fields, child.get("name", ""), "".join(child.itertext()))
    return fields


def _core(fields: FieldsBuilder, root: Element | None) -> None:
    for child in root if root is not None else ():
        value = "".join(child.itertext()).strip()
        if not value:
            continue
        if child.tag == "dc:creator":
            add_authors(fields, value)
        elif child.tag in _CORE:
            fields.add(_CORE[child.tag], value)
        elif child.tag == "cp:keywords":
            add_keywords(fields, value)


def chosen(alternative: Element, *, look: bool = True) -> Element | None:
    """The one of the alternatives (`mc:AlternateContent`) to read: the first choice that says something.

    Without `look` it is the first one.
    """
    options = [child for child in alternative if child.tag in {"mc:Choice", "mc:Fallback"}]
    return next((option for option in options if look and _says(option)), options[0] if options else None)


def _says(option: Element) -> bool:
    """Whether text or what points at it comes soon: alternatives may lie in alternatives, and each is looked into."""
    return any(
        element.tag in _POINTING or bool(element.text and not element.text.isspace())
        for element in islice(option.iter(), _LOOKED_AT)
    )


def descend(root: Element) -> Iterator[Element]:
    """All elements below in document order, of alternatives only the chosen one."""
    waiting = [root]
    looked = 0
    while waiting:
        element = waiting.pop()
        yield element
        if element.tag == "mc:AlternateContent":
            looked += 1
            option = chosen(element, look=looked <= _MOST_LOOKS)
            waiting.extend([option] if option is not None else [])
        else:
            waiting.extend(reversed(element))


def paragraphs(root: Element) -> Iterator[str]:
    """The text of each DrawingML paragraph below; line breaks and tabs are white space."""
    for element in descend(root):
        if element.tag == "a:p" and (text := paragraph_text(element)):
            yield text


def paragraph_text(paragraph: Element) -> str:
    """The text of one DrawingML paragraph in one line; slide numbers are no text."""
    pieces: list[str] = []
    waiting = [paragraph]
    while waiting:
        element = waiting.pop()
        if element.tag in {"m:oMath", "m:oMathPara"}:
            pieces.append(math_text(element))
        elif element.tag == "a:t":
            pieces.append(element.text or "")
        elif element.tag in {"a:br", "a:tab"}:
            pieces.append(" ")
        elif element.tag == "mc:AlternateContent":
            option = chosen(element, look=False)
            waiting.extend(reversed(option) if option is not None else ())
        elif element.tag != "a:fld" or element.get("type") != "slidenum":
            waiting.extend(reversed(element))
    return " ".join("".join(pieces).split())


def chart_texts(package: Package, part: str) -> list[str]:
    """What a chart says: titles and text boxes, the names of its series and categories, each once."""
    root = optional_root(package, part)
    if root is None:
        return []
    texts = list(paragraphs(root))
    for element in root.iter():
        if element.tag in {"c:tx", "c:cat"}:
            texts += [" ".join((value.text or "").split()) for value in element.iter("c:v")]
        elif element.tag in {"cx:v", "cx:pt"} and element.text:
            texts.append(" ".join(element.text.split()))
    for relation in relations(package, part):
        if relation.kind == "chartUserShapes":
            drawing = optional_root(package, relation.target)
            texts += list(paragraphs(drawing)) if drawing is not None else []
    return _distinct(texts)


def diagram_texts(package: Package, part: str) -> list[str]:
    """The text of each node of a diagram (SmartArt)."""
    root = optional_root(package, part)
    return list(paragraphs(root)) if root is not None else []


def graphic_texts(package: Package, drawing: Element, targets: dict[str, Relation]) -> list[str]:
    """The texts of the charts and diagrams that a drawing points at, each in one line."""
    found: list[str] = []
    for element in descend(drawing):
        if element.tag in {"c:chart", "cx:chart"} and (relation := targets.get(element.get("r:id", ""))):
            texts = chart_texts(package, relation.target)
            found += ["Chart: " + "; ".join(texts)] if texts else []
        elif element.tag == "dgm:relIds" and (relation := targets.get(element.get("r:dm", ""))):
            texts = diagram_texts(package, relation.target)
            found += ["Diagram: " + "; ".join(texts)] if texts else []
    return found


def alternative_text(properties: Element) -> str:
    """What a picture's properties (`docPr`, `cNvPr`) say it shows; names that programs give say nothing."""
    texts = (" ".join(properties.get(name, "").split()) for name in ("title", "descr"))
    said = ". ".join(_distinct(text for text in texts if text))
    return f"Picture: {said}" if said else ""


def by_id(found: Iterable[Relation]) -> dict[str, Relation]:
    """Relations by their id."""
    return {relation.id: relation for relation in found}


def _distinct(texts: Iterable[str]) -> list[str]:
    return [text for text in dict.fromkeys(texts) if text]
