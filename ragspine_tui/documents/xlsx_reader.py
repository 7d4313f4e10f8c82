"""Excel files: each sheet in the order of its tab, hidden ones too, row by row as `sheets` writes them.

Comments, threaded ones too, stand in the row of their cell (`Comment on C5 by X: ...`). After the rows of a sheet come
the texts of its drawings, charts said to be such, at the cell where they begin, and its page header and footer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

from ragspine_tui.documents.gathered import GatheredText
from ragspine_tui.documents.number_formats import NumberFormat
from ragspine_tui.documents.office_fields import add_head_labels, title_of
from ragspine_tui.documents.ooxml import (
    Relation,
    alternative_text,
    by_id,
    chosen,
    graphic_texts,
    main_part,
    note_damage,
    optional_root,
    paragraphs,
    properties,
    relations,
    root_tag,
)
from ragspine_tui.documents.packages import Package, PartError
from ragspine_tui.documents.sheets import Row, Sheet, SheetWriter, Table, cell_place, column_name
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.documents.xlsx_values import Cells, formats_of, one_line, rich_text, shared_strings
from ragspine_tui.documents.xml_names import children_of, root_of
from ragspine_tui.types import Document

_SHEET: Final = frozenset({"s:worksheet", "s:chartsheet", "s:sheetData"})
_MARGIN_CODE: Final = re.compile(r'&(?:"[^"]*"|K[0-9A-Fa-f]{6}|K\d\d[+-]\d{3}|\d{1,3}|[A-Za-z&])')
_TRUE: Final = frozenset({"1", "true", "on"})


class XlsxFormat:
    """Excel's packages."""

    kind = "xlsx"

    def holds(self, package: Package, /) -> bool:
        """Whether the main part is a workbook."""
        return root_tag(package) == "s:workbook"

    def read(self, source: SourceFile, package: Package, /) -> Document:
        """The rows of every sheet, and the properties as fields."""
        reading = _Reading(package)
        reading.read()
        out, fields = reading.out, properties(package)
        doubts = add_head_labels(fields, out)
        return Document(
            path=source.relative,
            text=out.text,
            blocks=tuple(out.blocks),
            title=title_of(fields, source.stem),
            kind=self.kind,
            fields=fields.build(),
            verbatim=False,
            notes=(*package.notes, *reading.remarks, *doubts),
        )


class _Reading:
    """One workbook being read."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.out = GatheredText()
        self._writer = SheetWriter(self.out)
        self._people: dict[str, str] = {}
        self._margins: list[str] = []

    def read(self) -> None:
        """Reads what the sheets share, then every sheet."""
        main = main_part(self.package)
        found = relations(self.package, main)
        root = root_of(self.package, main)
        since_1904 = any(each.get("date1904", "") in _TRUE for each in root.iter("s:workbookPr"))
        self._cells = Cells(self._strings(found), self._formats(found), since_1904=since_1904)
        for relation in found:
            if relation.kind == "person":
                people = optional_root(self.package, relation.target)
                for person in people if people is not None else ():
                    self._people[person.get("id", "")] = one_line(person.get("displayName", ""))
        targets = by_id(found)
        for listed in root.iter("s:sheet"):
            if target := targets.get(listed.get("r:id", "")):
                self._sheet(listed.get("name", ""), target.target)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a person may miss: formulas are not calculated here."""
        count = self._cells.unvalued
        formulas = "1 formula holds" if count == 1 else f"{count:,} formulas hold"
        return (f"{formulas} no value: open the file in a spreadsheet program and save it once",) if count else ()

    def _strings(self, found: list[Relation]) -> list[str]:
        for relation in found:
            if relation.kind == "sharedStrings":
                try:
                    return shared_strings(self.package, relation.target)
                except PartError as error:
                    note_damage(self.package, error)
        return []

    def _formats(self, found: list[Relation]) -> list[NumberFormat]:
        part = next((relation.target for relation in found if relation.kind == "styles"), "")
        return formats_of(optional_root(self.package, part) if part else None)

    def _sheet(self, name: str, part: str) -> None:
        found = relations(self.package, part)
        self._margins = []
        sheet = Sheet(name, self._rows(part), self._comments(found), self._tables(found))
        self._writer.write(sheet)
        drawn: dict[str, str] = {}
        for relation in found:
            if relation.kind == "drawing":
                for place, text in self._drawing(relation.target):
                    drawn.setdefault(text, place)
            elif relation.kind == "vmlDrawing":
                for text in self._controls(relation.target):
                    drawn.setdefault(text, "")
        for text, place in drawn.items():
            self._writer.add(text, place)
        for text in self._margins:
            self._writer.add(text, "header and footer")

    def _rows(self, part: str) -> Iterator[Row]:
        number = 0
        try:
            for child in children_of(self.package, part, _SHEET):
                if child.tag == "s:row":
                    row = self._cells.row(child, number)
                    number = row.number
                    if row.cells:
                        yield row
                elif child.tag == "s:headerFooter":
                    texts = (one_line(_MARGIN_CODE.sub(" ", each.text or "")) for each in child)
                    self._margins = [text for text in dict.fromkeys(texts) if text]
        except PartError as error:
            note_damage(self.package, error)

    def _comments(self, found: list[Relation]) -> dict[int, list[tuple[int, str]]]:
        threaded: dict[int, list[tuple[int, str]]] = {}
        plain: dict[int, list[tuple[int, str]]] = {}
        for relation in found:
            if relation.kind not in {"comments", "threadedComment"}:
                continue
            root = optional_root(self.package, relation.target)
            if root is None:
                continue
            into = plain if relation.kind == "comments" else threaded
            authors = [one_line(each.text or "") for each in root.iter("s:author")]
            for comment in root.iter():
                if comment.tag == "s:comment":
                    index = comment.get("authorId", "")
                    author = authors[int(index[:6])] if index.isdecimal() and int(index[:6]) < len(authors) else ""
                elif comment.tag == "tc:threadedComment":
                    author = self._people.get(comment.get("personId", ""), "")
                else:
                    continue
                text = " ".join(one_line(each.text or "") for each in comment if each.tag == "tc:text")
                text = text or " ".join(rich_text(each) for each in comment if each.tag == "s:text")
                place = cell_place(comment.get("ref", ""))
                if text and place:
                    into.setdefault(place[0], []).append((place[1], _said(author, text)))
        # A thread leaves a copy of itself for programs that do not know threads.
        for number, comments in plain.items():
            known = {column for column, _ in threaded.get(number, ())}
            threaded.setdefault(number, []).extend(each for each in comments if each[0] not in known)
        return threaded

    def _tables(self, found: list[Relation]) -> list[Table]:
        tables = []
        for relation in found:
            root = optional_root(self.package, relation.target) if relation.kind == "table" else None
            if root is None or root.get("headerRowCount", "1") == "0":
                continue
            first, _, last = root.get("ref", "").partition(":")
            corner, end = cell_place(first), cell_place(last)
            if corner and end:
                columns = [one_line(each.get("name", "")) for each in root.iter("s:tableColumn")]
                names = {corner[1] + place: name[:40] for place, name in enumerate(columns) if name}
                tables.append(Table(corner[0], end[0], names))
        return tables

    def _drawing(self, part: str) -> Iterator[tuple[str, str]]:
        """The texts in a sheet's drawing, each with the cell it begins at."""
        root = optional_root(self.package, part)
        targets = by_id(relations(self.package, part))
        for anchor in root if root is not None else ():
            start = next(anchor.iter("xdr:from"), None)
            place = _anchored(start) if start is not None else ""
            said = [alternative_text(each) for each in anchor.iter("xdr:cNvPr")]
            for child in anchor:
                option = chosen(child) if child.tag == "mc:AlternateContent" else child
                if option is not None:
                    said += ["\n".join(paragraphs(option)), *graphic_texts(self.package, option, targets)]
            for text in said:
                yield place, text

    def _controls(self, part: str) -> list[str]:
        """The words on buttons and in boxes of the older kind; where they are no sound XML, drawings have them too."""
        try:
            root = root_of(self.package, part)
        except PartError:
            return []
        return [one_line("".join(box.itertext())) for box in root.iter("v:textbox")]


def _said(author: str, text: str) -> str:
    if author and text.startswith(f"{author}:"):
        text = text[len(author) + 1 :].strip()
    return f" by {author}: {text}" if author else f": {text}"


def _anchored(start: Element) -> str:
    found = {child.tag: child.text or "" for child in start}
    column, row = found.get("xdr:col", ""), found.get("xdr:row", "")
    if not (column.isdecimal() and row.isdecimal()) or len(column) > 6 or len(row) > 8:
        return ""
    return f"{column_name(int(column))}{int(row) + 1}"
