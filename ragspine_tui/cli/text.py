"""Text on a terminal: made safe, measured in cells, wrapped, with the found words in bold."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence

from ragspine_tui.printable import escaped, printable
from ragspine_tui.types import Span

_NOT_FIRST = frozenset("、。，．）」』】〉》！？：；・ー々）］｝,.!?;:)]}")
_ZERO_WIDTH = ("Mn", "Me", "Cf")
_TAB = 4
_LETTERS = 60


def one_line(text: str) -> str:
    """The text as one printable line: each run of white space becomes one space."""
    return printable(" ".join(text.split()))


def cut(text: str) -> str:
    """The beginning of a word that a line for people may name: anything may be typed, or stand in a document."""
    return text if len(text) <= _LETTERS else f"{text[: _LETTERS - 1]}…"


def cells(text: str) -> int:
    """How many terminal cells a printable text takes."""
    return len(text) if text.isascii() and "\t" not in text else sum(map(_cells, text))


def fitted(text: str, width: int) -> str:
    """As much of a printable text as fits into so many cells, its end cut off."""
    if cells(text) <= width:
        return text
    kept, room = [], width - 1
    for character in text:
        room -= _cells(character)
        if room < 0:
            break
        kept.append(character)
    return "".join(kept) + "…"


def _cells(character: str) -> int:
    if character.isascii():
        return _TAB if character == "\t" else 1
    if unicodedata.category(character) in _ZERO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def wrapped(text: str, width: int | None) -> Iterator[Span]:
    """The lines of a text as spans of it, none wider than `width` cells when printed; blank lines are empty spans.

    Without a width, the text's own lines.
    """
    start = 0
    for line in text.splitlines(keepends=True):
        end = start + len(line.rstrip())
        if width is None or len(line) * _TAB <= width or (line.isascii() and cells(line) <= width):
            yield Span(start, end)
        else:
            yield from _folded(printable(text[start:end]), start, max(width, _TAB))
        start += len(line)


def _folded(line: str, offset: int, width: int) -> Iterator[Span]:
    """The spans of one long line: broken after white space or a wide character, else anywhere."""
    begin, used, good = 0, 0, 0
    for at, character in enumerate(line):
        size = _cells(character)
        if used + size > width and at > begin:
            cut = good if good > begin else at
            yield Span(offset + begin, offset + cut)
            begin, used = cut, cells(line[cut:at])
        if begin == at and at and character.isspace():
            begin = at + 1
            continue
        used += size
        if character.isspace() or (size == 2 and line[at + 1 : at + 2] not in _NOT_FIRST):
            good = at + 1
    yield Span(offset + begin, offset + len(line))


def marked(text: str, line: Span, found: Sequence[Span], mark: Callable[[str], str], *, tabs: bool = False) -> str:
    """One line of a text as it is printed: made safe, with `mark` around what of `found` stands in it.

    Tabs stay tabs only with `tabs`: how wide a terminal draws them depends on where they stand.
    """
    shown = printable if tabs else _shown
    parts: list[str] = []
    at = line.start
    for span in found:
        start, end = max(span.start, at), min(span.end, line.end)
        if start < end:
            parts += [shown(text[at:start]), mark(shown(text[start:end]))]
            at = end
    return "".join([*parts, shown(text[at : line.end])]).rstrip()


def _shown(text: str) -> str:
    return printable(text).replace("\t", " " * _TAB)


def table(head: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int] = ()) -> list[str]:
    """Aligned lines, the head first; columns named in `numbers` are right-aligned; cells are escaped here."""
    printed = [[escaped(cell) for cell in row] for row in (head, *rows)]
    widths = [max(cells(row[column]) for row in printed) for column in range(len(head))]
    return ["  ".join(_padded(row, widths, numbers)).rstrip() for row in printed]


def _padded(row: Sequence[str], widths: Sequence[int], numbers: Sequence[int]) -> Iterator[str]:
    for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
        space = " " * (width - cells(cell))
        yield space + cell if column in numbers else cell + space
