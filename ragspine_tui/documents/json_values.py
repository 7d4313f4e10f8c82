"""A walk over the tokens of JSON that keeps a stack of its own and writes what a person would read."""

from __future__ import annotations

import json
import re
from typing import Final

from ragspine_tui.documents.extracted import ExtractedText
from ragspine_tui.documents.fields import MAX_VALUE, FieldsBuilder
from ragspine_tui.documents.labels import FIELD, label_named
from ragspine_tui.documents.line_blocks import add_field
from ragspine_tui.documents.lines import line_ends
from ragspine_tui.types import Sensitivity

_TOKEN: Final = re.compile(
    r"""[ \t\r\n\ufeff]*+(?:"(?P<string>(?:[^"\\\r\n]++|\\.)*+)"|(?P<sign>[{}\[\]:,])"""
    r"""|(?P<word>-?(?:\d[\d.eE+-]*+|Infinity)|true|false|null|NaN)(?![\w.])"""
    r"""|(?P<comment>//[^\r\n]*+|/\*(?s:.*?)\*/)|(?P<end>\Z))"""
)
_SURROGATE: Final = re.compile(r"[\ud800-\udfff\x00]")
_PATH_CHARS: Final = 100
_KEY_CHARS: Final = 200
_ENOUGH: Final = 400
_MANY_BLOCKS: Final = 100_000
_ENOUGH_OF_MANY: Final = 2_000
_NAMES: Final = frozenset(
    "title author authors date published created description language lang tags keywords subject".split()  # noqa: SIM905
)


class JsonError(Exception):
    """A text is not JSON from `place` on."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


class _Open:
    """What is open: `path` leads to it; `key` is the last one read in an object, or the one an array stands under."""

    __slots__ = ("is_object", "key", "path")

    def __init__(self, *, is_object: bool, path: str, key: str) -> None:
        self.is_object = is_object
        self.path = path
        self.key = key


class JsonWalk:
    """Writes the scalars of one value after the other; those of one object stand together in a block."""

    def __init__(self, text: str, written: ExtractedText, fields: FieldsBuilder, *, by_lines: bool = False) -> None:
        self._text = text
        self._written = written
        self._fields = fields
        self._by_lines = by_lines
        self._stack: list[_Open] = []
        self._lines: list[str] = []
        self._size = 0
        self._first = 0
        self._path = self._named_path = ""
        self._since_named = 0
        self._items: list[str] = []
        self._items_size = 0
        self._items_first = 0
        self._counted, self._line = 0, 1
        self._values = 0
        self._blocks: list[tuple[str, int]] = []
        self._waiting: list[tuple[str, int]] = []
        self._waiting_size = 0

    def read(self, start: int, end: int) -> None:
        """Every value in text[start:end]; JsonError where it is not JSON, with nothing written of it if `by_lines`."""
        self._forget()
        place, state = start, "value"
        while True:
            match = _TOKEN.match(self._text, place, end)
            if not match:
                raise JsonError(place)
            kind = match.lastgroup
            if kind == "end":
                break
            state = self._token(kind or "", match, state)
            place = match.end()
        if self._stack or state not in ("value", "next"):
            raise JsonError(place)
        self._flush()

    def _forget(self) -> None:
        """Drops what was read of a value that did not end."""
        self._stack, self._items, self._lines, self._blocks = [], [], [], []
        self._size = self._items_size = 0

    def keep(self, start: int, end: int) -> None:
        """Text that is no JSON, as it stands."""
        self._forget()
        self._path = ""
        self._add_line(self._text[start:end].strip(), start)
        self._flush()

    def end(self) -> None:
        """Writes what waits to be joined with more."""
        if self._waiting:
            self._written.add("\n".join(text for text, _ in self._waiting), line=self._waiting[0][1])
            self._waiting, self._waiting_size = [], 0

    def _token(self, kind: str, match: re.Match[str], state: str) -> str:
        """Takes one token; what may follow it: `value`, `key`, `colon` or `next`."""
        place = match.start(kind)
        if kind == "comment":
            self._add_line(match[kind].strip("/* \t\r\n"), place)
            return state
        if kind == "sign":
            return self._sign(match[kind], place, state)
        if state == "key" and kind == "string":
            self._stack[-1].key = self._string(match[kind])[:_KEY_CHARS]
            return "colon"
        if state != "value":
            raise JsonError(place)
        self._scalar(self._string(match[kind]) if kind == "string" else match[kind], place, quoted=kind == "string")
        return self._after_value()

    def _sign(self, sign: str, place: int, state: str) -> str:
        if sign == ":" and state == "colon":
            return "value"
        if sign == "," and state == "next":
            return "key" if self._stack[-1].is_object else "value"
        if sign in "{[" and state == "value":
            return self._opened(is_object=sign == "{")
        # A comma before the closing bracket is a slip that many programs forgive.
        may_close = state in ("next", "key") or (state == "value" and sign == "]")
        if sign in "}]" and may_close and self._stack and self._stack[-1].is_object == (sign == "}"):
            return self._closed()
        raise JsonError(place)

    def _opened(self, *, is_object: bool) -> str:
        above = self._stack[-1] if self._stack else None
        path, key = (above.path, above.key) if above else ("", "")
        if is_object:
            self._end_items()
            self._end_lines()
            path, key = _joined(path, key), ""
        self._stack.append(_Open(is_object=is_object, path=path, key=key))
        return "key" if is_object else "value"

    def _closed(self) -> str:
        closed = self._stack.pop()
        if closed.is_object or not self._stack or self._stack[-1].is_object:
            self._end_items(closed)
        if closed.is_object:
            self._end_lines()
        return self._after_value()

    def _after_value(self) -> str:
        if self._stack:
            return "next"
        self._flush()
        self._values += 1
        return "value"

    def _scalar(self, value: str, place: int, *, quoted: bool) -> None:
        holder = self._stack[-1] if self._stack else None
        if quoted and self._values == 0 and 0 < len(self._stack) <= 2 and self._stack[0].is_object:
            self._declare(value)
        if holder is None or holder.is_object:
            key = holder.key if holder else ""
            self._open_path(holder.path if holder else "")
            self._add_line(f"{key}: {value}" if key else value, place)
            return
        if not self._items:
            self._items_first = place
        self._items.append(value)
        self._items_size += len(value) + 2
        if self._items_size > _ENOUGH:
            self._end_items()

    def _declare(self, value: str) -> None:
        """A string of the first object, or of a list in it, that names the document."""
        top = self._stack[0]
        name = top.key.lower()
        if len(self._stack) == 2 and (
            self._stack[1].is_object or name not in ("tags", "keywords", "author", "authors")
        ):
            return
        if name in _NAMES and len(value) <= MAX_VALUE:
            add_field(self._fields, name, value)
        elif name == FIELD and label_named(value) == Sensitivity.RESTRICTED.value:
            self._fields.add(FIELD, value)

    def _end_items(self, closed: _Open | None = None) -> None:
        """Writes the values of a list as one line."""
        if not self._items:
            return
        holder = closed or self._stack[-1]
        self._open_path(holder.path)
        listed = ", ".join(self._items)
        self._add_line(f"{holder.key}: {listed}" if holder.key else listed, self._items_first)
        self._items, self._items_size = [], 0

    def _open_path(self, path: str) -> None:
        if path != self._path:
            self._end_lines()
            self._path = path

    def _add_line(self, line: str, place: int) -> None:
        if not line:
            return
        if not self._lines:
            self._first = place
        self._lines.append(line)
        self._size += len(line) + 1
        if self._size > _ENOUGH:
            self._end_lines()

    def _end_lines(self) -> None:
        """Ends the block of an object; its path is written above it where it is another than that of the last one."""
        if not self._lines:
            return
        if self._path and (self._path != self._named_path or self._since_named > _ENOUGH_OF_MANY):
            self._lines.insert(0, self._path)
            self._since_named = 0
        self._named_path = self._path
        self._since_named += self._size
        self._blocks.append(("\n".join(self._lines), self._first))
        self._lines, self._size = [], 0
        if not self._by_lines:
            self._commit()

    def _flush(self) -> None:
        """Ends a value that was read whole."""
        self._end_items()
        self._end_lines()
        self._path = ""
        self._commit()

    def _commit(self) -> None:
        for text, first in self._blocks:
            self._line += line_ends(self._text, self._counted, first)
            self._counted = first
            if len(self._written.blocks) < _MANY_BLOCKS:
                self._written.add(text, line=self._line)
                continue
            self._waiting.append((text, self._line))
            self._waiting_size += len(text)
            if self._waiting_size > _ENOUGH_OF_MANY:
                self.end()
        self._blocks = []

    def _string(self, written: str) -> str:
        """What a string says: escapes decoded; half a character pair and NUL, which no text holds, replaced."""
        if "\\" in written:
            try:
                written = str(json.loads(f'"{written}"', strict=False))
            except ValueError:
                return written
            written = _SURROGATE.sub("\ufffd", written).replace("\r\n", "\n")
        return written


def _joined(path: str, key: str) -> str:
    """The path to what stands under a key; of a long one its end."""
    joined = f"{path}.{key}" if path and key else path or key
    return joined if len(joined) <= _PATH_CHARS else joined[-_PATH_CHARS:].partition(".")[2] or joined[-_PATH_CHARS:]
