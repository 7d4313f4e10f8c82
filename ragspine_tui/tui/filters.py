"""The filter: a line to type a condition, the conditions as a list, and the fields with their values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar, Final

from rich.cells import cell_len
from textual.binding import BindingType
from textual.message import Message
from textual.suggester import Suggester

from ragspine_tui.printable import one_line
from ragspine_tui.tui import keymap
from ragspine_tui.tui.inputs import LineInput
from ragspine_tui.tui.rows import Rows
from ragspine_tui.tui.state import FilterLine
from ragspine_tui.tui.text import Line, Run, counted, fit, rows_of, width_of
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
        fields = (field for field in self.fields if words[0] in _spelled([field.field]))
        return _spelled(value for field in fields for value, _ in field.values)


def _spelled(texts: Iterable[str]) -> list[str]:
    """Fields or values as a condition spells them, without those that are no single word of it."""
    return [word for text in texts if (word := spelled(text)).split() == [word] and one_line(text) == text]


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
        named = ", ".join(spelled(value) for value, _ in known[:_VALUES_NAMED] if field not in QUIET_FIELDS)
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
    """The conditions, on `[x]` or off `[ ]`, with how many documents each left and, below, what is odd about it."""

    BINDINGS: ClassVar[list[BindingType]] = keymap.bindings(keymap.MOVES, keymap.LISTS, keymap.FILTERS)

    lines: tuple[FilterLine, ...] = ()
    doubts: tuple[str, ...] = ()
    steps: Mapping[str, FilterStep] = MappingProxyType({})
    _heights: list[int] | None = None

    def on_mount(self) -> None:
        """Nothing to go into yet."""
        self.can_focus = False

    def show(self, lines: Sequence[FilterLine], doubts: Sequence[str]) -> None:
        """Show these conditions, each with what is odd about it ('' for nothing), the cursor where it was."""
        self.lines, self.doubts = tuple(lines), tuple(doubts)
        self.can_focus = bool(lines)
        self._lay_out()

    def on_resize(self) -> None:
        """Long conditions and doubts take other rows in another width."""
        super().on_resize()
        self._lay_out()

    def _lay_out(self) -> None:
        width = self.scrollable_content_region.width or _HIDDEN_CELLS
        room = max(_NAME_CELLS, width - _MARK_CELLS - 1)
        self._texts = [rows_of([Run(one_line(line.shown))], room - _COUNT_CELLS) for line in self.lines]
        self._told = [rows_of([Run(doubt, "warn")], room) if doubt else [] for doubt in self.doubts]
        heights = [len(text) + len(told) for text, told in zip(self._texts, self._told, strict=True)]
        if heights != self._heights:
            self._heights = heights
            self.set_heights(heights, self.cursor or 0)
            self.refresh(layout=True)
        self.refresh()

    def tell(self, steps: Mapping[str, FilterStep]) -> None:
        """Say what each condition left in the latest search."""
        if steps != self.steps:
            self.steps = steps
            self.refresh()

    def line(self, index: int, row: int, width: int) -> Line:
        """A row of a condition, or of what is odd about it."""
        line, text = self.lines[index], self._texts[index]
        if row >= len(text):
            return Line((Run(" " * _MARK_CELLS), *self._told[index][row - len(text)]))
        mark = Run(" " * _MARK_CELLS) if row else Run("[x] ", "accent") if line.active else Run("[ ] ", "dim")
        left = (mark, Run("".join(run.text for run in text[row]), "" if line.active else "quiet"))
        step = self.steps.get(line.text) if line.active and not row else None
        if step is None:
            return Line(left)
        told = f"{step.documents:,} "
        lack = f"{step.missing_field:,} lack it, " if step.missing_field else ""
        if lack and width_of(left) + cell_len(lack) + len(told) < width:
            told = lack + told
        return Line(left, (Run(told, "dim"),))


_MARK_CELLS: Final = 4
_COUNT_CELLS: Final = 4
_HIDDEN_CELLS: Final = 40
_NAME_CELLS: Final = 9
QUIET_FIELDS: Final = frozenset({"size", "path", "name", "title", "modified", "created"})
"""Fields of a stretch of values nobody filters by one of: their values are named by the filter's completion instead."""

# What every file has, whatever a person wrote into it.
_FILE_FIELDS: Final = frozenset({"encoding", "ext", "folder", "kind"})


def _usefulness(field: FieldValues) -> tuple[bool, bool, int, str]:
    most = max((count for _, count in field.values), default=0)
    return field.field in QUIET_FIELDS, field.field in _FILE_FIELDS, -most, field.field


class FieldsView(Rows):
    """The fields of all documents found, else of the libraries, with counted values; choosing one starts a condition.

    A person's own fields come first, then those that every file has.
    """

    BINDINGS: ClassVar[list[BindingType]] = keymap.bindings(keymap.MOVES, keymap.LISTS, keymap.FIELDS)

    class Picked(Message):
        """A field was chosen; `field` is spelled as a condition begins with it."""

        def __init__(self, field: str) -> None:
            super().__init__()
            self.field = field

    fields: tuple[FieldValues, ...] = ()

    def on_mount(self) -> None:
        """Nothing to go into yet."""
        self.can_focus = False

    def show(self, fields: Sequence[FieldValues]) -> None:
        """Show these fields, those whose values divide the documents best first; the cursor stays on its field."""
        ordered = tuple(sorted(fields, key=_usefulness))
        if ordered == self.fields:
            return
        names = [field.field for field in ordered]
        now = self.fields[self.cursor].field if self.fields and self.cursor is not None else ""
        self.fields = ordered
        self.can_focus = bool(ordered)
        self.set_heights([1] * len(ordered), names.index(now) if now in names else 0)

    def pick(self) -> None:
        """Start a condition with the field under the cursor."""
        if self.cursor is not None and self.fields:
            self.post_message(self.Picked(spelled(self.fields[self.cursor].field)))

    def line(self, index: int, row: int, width: int) -> Line:  # noqa: ARG002
        """One field, its name cut with a mark where it is longer than the column."""
        longest = max(cell_len(one_line(field.field)) for field in self.fields)
        column = min(longest + 1, max(_NAME_CELLS, width * 2 // 5))
        field = self.fields[index]
        name = fit([Run(one_line(field.field), "accent")], column - 1, self.glyphs.ellipsis)
        runs = [*name, Run(" " * (column - width_of(name)))]
        if field.field in QUIET_FIELDS:
            runs.append(Run(f"in {counted(field.documents, 'document')}", "dim"))
        for number, (value, count) in enumerate(() if field.field in QUIET_FIELDS else field.values):
            runs += [
                Run(f" {self.glyphs.dot} " if number else "", "dim"),
                Run(one_line(value)),
                Run(f" {count:,}", "dim"),
            ]
        return Line(tuple(runs), (Run(""),))
