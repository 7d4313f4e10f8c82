"""The filter: a line to type a condition, the conditions as a list, and the fields with their values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar, Final

from rich.cells import cell_len
from textual import events
from textual.binding import BindingType
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.suggester import Suggester

from ragspine_tui.printable import one_line
from ragspine_tui.tui import keymap
from ragspine_tui.tui.glyphs import Glyphs
from ragspine_tui.tui.inputs import LineInput
from ragspine_tui.tui.rows import Painted, Rows
from ragspine_tui.tui.state import FilterLine
from ragspine_tui.tui.text import Line, Run, counted, cut, width_of
from ragspine_tui.types import OPERATORS, FieldValues, FilterStep


class FilterSuggester(Suggester):
    """Completes a condition word by word from the fields, the operators and the values that are there."""

    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self.fields: Sequence[FieldValues] = ()

    async def get_suggestion(self, value: str) -> str | None:
        """The line completed to the first field, operator or value that starts so; None where none does."""
        head, _, last = value.rpartition(" ")
        words = head.split()
        if not last and not words:
            return None
        for candidate in self._candidates(words):
            if candidate.startswith(last) and candidate != last:
                return value + candidate[len(last) :]
        return None

    def _candidates(self, words: Sequence[str]) -> list[str]:
        if not words:
            return _spelled(field.field for field in self.fields)
        if len(words) == 1:
            return list(OPERATORS)
        values = next((field.values for field in self.fields if words[0] in _spelled([field.field])), ())
        return _spelled(value for value, _ in values)


def _spelled(texts: Iterable[str]) -> list[str]:
    """Fields or values as a condition spells them, without those that are no single word of it."""
    return [word for text in texts if " " not in (word := spelled(text)) and one_line(text) == text]


def spelled(text: str) -> str:
    """A field or a value as a condition spells it."""
    # Loading the session takes a while; fields come from one that is open.
    from ragspine_tui.session import format_text

    return format_text(text)


_FIELD: Final = re.compile(r"""\s*("[^"]*"|'[^']*'|[^\s"'=<>!]+)(\s*)""")
_SIGN: Final = re.compile(r"[=<>!]+\s*")
_SIGNS: Final = ("=", "!=", ">", ">=", "<", "<=", "!")
_QUOTED: Final = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'""")
_VALUES_NAMED: Final = 3
OPERATOR_NEXT: Final = "then an operator: = != > >= < <= in between"


def comes_next(text: str, fields: Sequence[FieldValues]) -> str:
    """What a condition that is right so far still lacks, in one quiet line; '' where it is wrong, not unfinished."""
    field = _FIELD.match(text)
    if field is None:
        return "" if text.strip()[:1] not in ('"', "'") else "then the closing quote"
    rest = text[field.end() :]
    sign = _SIGN.match(rest)
    if sign is not None:
        op, value = sign[0].strip(), rest[sign.end() :]
        return _value_next(field[1], op, value, fields) if op in _SIGNS else ""
    op, blank, value = rest.partition(" ")
    if not blank and not (op in OPERATORS and field[2]):
        return OPERATOR_NEXT if any(name.startswith(op) for name in OPERATORS) else ""
    return _value_next(field[1], op, value.strip(), fields) if op in OPERATORS else ""


def _value_next(field: str, op: str, value: str, fields: Sequence[FieldValues]) -> str:
    if not value:
        known = next((one.values for one in fields if field in (one.field, spelled(one.field), f"'{one.field}'")), ())
        named = ", ".join(spelled(value) for value, _ in known[:_VALUES_NAMED] if field not in _QUIET_FIELDS)
        return "then a value" + (f", like {named}" if named else "")
    if _QUOTED.sub("", value).strip()[:1] in ('"', "'"):
        return "then the closing quote"
    if op == "between" and len(re.split(r"\.\.|,|\s+", value.rstrip(". ,"))) == 1:
        return "then the second value: low..high"
    if op in ("in", "nin"):
        return "then another value" if value.endswith(",") else "then a closing )" if value.startswith("(") else ""
    return ""


class FilterInput(LineInput):
    """One condition, `field operator value`."""

    BINDINGS: ClassVar[list[BindingType]] = keymap.bindings(keymap.FILTER)


class FilterList(Rows):
    """The conditions, on `[x]` or off `[ ]`, with how many documents each left."""

    BINDINGS: ClassVar[list[BindingType]] = keymap.bindings(keymap.MOVES, keymap.LISTS, keymap.FILTERS)

    lines: tuple[FilterLine, ...] = ()
    steps: Mapping[str, FilterStep] = MappingProxyType({})

    def on_mount(self) -> None:
        """Nothing to go into yet."""
        self.can_focus = False

    def show(self, lines: Sequence[FilterLine]) -> None:
        """Show these conditions, the cursor where it was."""
        self.lines = tuple(lines)
        self.can_focus = bool(lines)
        self.set_heights([1] * len(self.lines), self.cursor or 0)
        self.refresh(layout=True)

    def tell(self, steps: Mapping[str, FilterStep]) -> None:
        """Say what each condition left in the latest search."""
        if steps != self.steps:
            self.steps = steps
            self.refresh()

    def line(self, index: int, row: int, width: int) -> Line:  # noqa: ARG002
        """One condition."""
        line = self.lines[index]
        mark = Run("[x] " if line.active else "[ ] ", "accent" if line.active else "dim")
        left = (mark, Run(one_line(line.shown), "" if line.active else "quiet"))
        step = self.steps.get(line.text) if line.active else None
        if step is None:
            return Line(left, (Run(""),))
        told = f"{step.documents:,} "
        if (
            step.missing_field
            and width_of(left) + cell_len(lack := f"{step.missing_field:,} lack it, ") + len(told) < width
        ):
            told = lack + told
        return Line(left, (Run(told, "dim"),))


_NAME_CELLS: Final = 9
# Fields of a stretch of values nobody filters by one of: their values are named by the filter's completion instead.
_QUIET_FIELDS: Final = frozenset({"size", "path", "name", "title", "modified", "created"})


def _usefulness(field: FieldValues) -> tuple[bool, int, str]:
    return field.field in _QUIET_FIELDS, -max((count for _, count in field.values), default=0), field.field


class FieldsView(Painted):
    """The fields of the hits' documents, else of the libraries, with counted values; a click starts a condition."""

    class Picked(Message):
        """A field was clicked; `field` is spelled as a condition begins with it."""

        def __init__(self, field: str) -> None:
            super().__init__()
            self.field = field

    def __init__(self, glyphs: Glyphs, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.glyphs = glyphs
        self._fields: tuple[FieldValues, ...] = ()

    def show(self, fields: Sequence[FieldValues]) -> None:
        """Show these fields, those whose values divide the documents best first."""
        self._fields = tuple(sorted(fields, key=_usefulness))
        self.virtual_size = Size(self.size.width, len(self._fields))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One field."""
        width = self.scrollable_content_region.width
        row = y + round(self.scroll_offset.y)
        if row >= len(self._fields):
            return Strip.blank(width, self.rich_style)
        field = self._fields[row]
        name = cut(one_line(field.field), _NAME_CELLS - 1)
        runs = [Run(" "), Run(name, "accent"), Run(" " * (_NAME_CELLS - cell_len(name)))]
        if field.field in _QUIET_FIELDS:
            runs.append(Run(f"in {counted(field.documents, 'document')}", "dim"))
        for index, (value, count) in enumerate(() if field.field in _QUIET_FIELDS else field.values):
            runs += [
                Run(f" {self.glyphs.dot} " if index else "", "dim"),
                Run(one_line(value)),
                Run(f" {count:,}", "dim"),
            ]
        line = Line(tuple(runs), (Run(""),)).fitted(width, self.glyphs.ellipsis)
        return self.strip_of(line, width, self.rich_style).apply_meta({"field": row})

    def on_click(self, event: events.Click) -> None:
        """Start a condition on the clicked field."""
        row = event.style.meta.get("field")
        if isinstance(row, int):
            self.post_message(self.Picked(spelled(self._fields[row].field)))
