"""Fields that Office files declare by hand: keywords, custom properties, and the labels among them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ragspine_tui.documents.fields import FieldsBuilder, split_tags
from ragspine_tui.documents.gathered import GatheredText
from ragspine_tui.documents.head_labels import doubt, head_labels, looks_like_label
from ragspine_tui.documents.labels import FIELD, folded
from ragspine_tui.types import BlockKind, Sensitivity

_LABELLED: Final = re.compile(rf"{FIELD}\s*[:=]\s*(.*)", re.DOTALL)
_PROTECTION: Final = re.compile(r"msip_label_[0-9a-f-]+_(\w+)")
_KNOWN: Final = frozenset(label.value for label in Sensitivity)
_TOP: Final = 60
_TECHNICAL_NAMES: Final = """
appversion docsecurity hyperlinkschanged linksuptodate scalecrop sharedoc presentationformat hiddenslides mmclips notes
contenttypeid mediaserviceimagetags complianceassetid grammarlydocumentid
"""
_TECHNICAL: Final = frozenset(_TECHNICAL_NAMES.split())
_BY_PRINTER: Final = re.compile(
    r"microsoft (?:word|excel|powerpoint) - |(?:document|dokument|slide|folie)\s?\d\Z", re.I
)
_NAMELESS: Final = frozenset(
    {"", "document", "presentation", "powerpoint presentation", "microsoft powerpoint presentation", "untitled"}
    | {"workbook", "powerpoint-präsentation", "présentation powerpoint", "presentación de powerpoint", "title"}
    | {"powerpoint プレゼンテーション", "powerpoint 演示文稿", "презентация powerpoint", "slide 1", "word document"}
)


def title_of(fields: FieldsBuilder, *others: str) -> str:
    """The declared title, unless it is one that programs write by themselves; else the first of the others."""
    declared = fields.first("title")
    nameless = folded(declared) in _NAMELESS or _BY_PRINTER.match(declared)
    return next((title for title in others if title), declared) if nameless else declared


def add_authors(fields: FieldsBuilder, value: str) -> None:
    """The authors of a document, whom Office programs part by semicolons."""
    fields.add("author", *(name for name in map(str.strip, value.split(";")) if name))


def add_keywords(fields: FieldsBuilder, value: str) -> None:
    """Keywords as tags; one that is `restricted`, or a label with its key, labels the document."""
    tags = split_tags(re.split(r"[;\n]", value) if ";" in value or "\n" in value else [value])
    fields.add("tags", *tags)
    for tag in tags:
        name = folded(tag)
        if match := _LABELLED.fullmatch(name):
            fields.add(FIELD, match[1])
        elif name == Sensitivity.RESTRICTED.value:
            fields.add(FIELD, name)


def add_property(fields: FieldsBuilder, name: str, value: str) -> None:
    """A custom property as a field; one named like the label is the label, a protection label's name is `label`."""
    key, value = folded(name), value.strip()
    if not key or not value:
        return
    if key == FIELD:
        fields.add(FIELD, value)
    elif match := _PROTECTION.fullmatch(key):
        if match[1] == "name":
            fields.add("label", value)
            # Protection labels have names of an organisation's own: only those that mean ours are taken for ours.
            words = set(re.findall(r"\w+", folded(value)))
            fields.add(FIELD, *sorted(words & _KNOWN))
    elif not key.startswith(("_", "msip_")) and key not in _TECHNICAL:
        fields.add(key, value)


def add_head_labels(fields: FieldsBuilder, out: GatheredText, margins: Iterable[str] = ()) -> tuple[str, ...]:
    """The labels at the top of a text and of its headers join the fields; remarks on what only looks like one.

    Rows of tables are left out: their columns may have any name. What rows declare, `label_row` takes.
    """
    text = out.text
    top = (block.span.of(text) for block in out.blocks[:_TOP] if block.kind is not BlockKind.TABLE)
    fields.add(FIELD, *out.labels)
    named = ((name, folded(value)) for name, values in fields.build().items() for value in values)
    notes = [doubt(name) for name, value in named if looks_like_label(name, value)]
    for head in ("\n\n".join(top), *margins):
        found = head_labels(head)
        fields.add(FIELD, *found.labels)
        notes += found.notes
    return tuple(dict.fromkeys(notes))[:2]


def label_row(out: GatheredText, cells: Iterable[str]) -> None:
    """The label that a row at the top of a document declares: the key in one cell and a known label in the next.

    A cell alone in its row is a line like any other.
    """
    if len(out.blocks) >= _TOP:
        return
    written = [cell for cell in cells if cell]
    if len(written) == 1:
        out.label(*head_labels(written[0]).labels)
    filled = [folded(cell) for cell in written]
    if len(filled) == 2 and filled[0].rstrip(" :=") == FIELD and filled[1] in _KNOWN:
        out.label(filled[1])
