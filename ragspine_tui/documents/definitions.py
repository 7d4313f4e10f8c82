"""The definitions in source code: where each begins with what stands directly above it, and what it is called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ragspine_tui.documents.languages import Family

LONGEST_HEADING: Final = 120
_SIGNATURE_CHARS: Final = 1_200
_ABOVE_CHARS: Final = 4_000
_DEEPEST: Final = 6
_BRACKETS: Final = 16
_SIGNS: Final = re.compile(r"[()\[\]{}:;\r\n]")
_BODY: Final = re.compile(r"[^;{}]{0,200}+\{")
_RETURN_TYPE: Final = re.compile(r"(?!else\b|do\b)[A-Za-z_][\w \t*&:<>,]*\Z")
_END: Final = re.compile(r"[\r\n]")
_SPACE: Final = re.compile(r"\s+")


class Definition(NamedTuple):
    """text[start:end] are the lines that open it; up to `least` they must stay together. `level` counts from 1."""

    start: int
    least: int
    end: int
    level: int
    heading: str


def definitions(text: str, family: Family) -> list[Definition]:
    """The definitions of a text in order, none over another; those inside functions are left out."""
    found: list[Definition] = []
    open_ones: list[tuple[int, bool]] = []
    floor = 0
    for match in _candidates(text, family):
        indent, word = len(match["indent"].expandtabs(8)), match.start("word") - 1
        while open_ones and open_ones[-1][0] >= indent:
            open_ones.pop()
        if match.groupdict().get("other") or word < floor or not _in_place(open_ones, indent):
            continue
        called = bool(match.groupdict().get("call"))
        stop = _signature_end(text, word, family)
        if not _is_definition(text, word, stop, family, called=called, member=bool(open_ones)):
            continue
        line = word - len(match["indent"])
        start = _with_lines_above(text, line, floor, family, called)
        end = _line_end(text, stop)
        least = stop if text[stop:end].strip() else min(match.end() - 1, end)
        heading = _cleaned(text[word:stop])
        found.append(Definition(start, least, end, min(len(open_ones) + 1, _DEEPEST), heading))
        open_ones.append((indent, not called and bool(family.holders.search(heading))))
        floor = end
    return found


def _candidates(text: str, family: Family) -> Iterator[re.Match[str]]:
    # Every alternative begins with a plain sign, the line's with its end: so the first line gets one before it.
    return (match for match in family.scan.finditer("\n" + text) if match["word"])


def _in_place(open_ones: list[tuple[int, bool]], indent: int) -> bool:
    return open_ones[-1][1] if open_ones else indent == 0


def _signature_end(text: str, start: int, family: Family) -> int:
    """Where the body's sign or a line's end stands outside all brackets; the first line's end where they stay open."""
    depth = 0
    for match in _SIGNS.finditer(text, start, start + _SIGNATURE_CHARS):
        sign = match.group()
        if not depth and (sign in "\r\n" or sign in family.stops):
            return match.end() if sign == ":" else match.start()
        if sign in "([{":
            depth += 1
            if depth > _BRACKETS:
                break
        elif sign in ")]}":
            depth = max(0, depth - 1)
    return _line_end(text, start)


def _is_definition(text: str, word: int, stop: int, family: Family, *, called: bool, member: bool) -> bool:
    """Whether a body follows: a call and a mere declaration have none."""
    if called:
        if not (family.closed or member):
            return False
        return _BODY.match(text, stop) is not None and "=" not in text[word:stop].partition("(")[0]
    return not (family.closed and text[stop : stop + 1] == ";" and "record" not in text[word:stop])


def _line_end(text: str, place: int) -> int:
    match = _END.search(text, place)
    return match.start() if match else len(text)


def _with_lines_above(text: str, line: int, floor: int, family: Family, called: bool) -> int:
    """Where the decorators, attributes and comments directly above a line begin; not above `floor`."""
    floor = max(floor, line - _ABOVE_CHARS)
    start = line
    while start > floor:
        above = _line_start(text, start, floor)
        bare = text[above:start].strip()
        if above < floor or not bare:
            break
        if bare.endswith("*/") and family.stops.startswith("{"):
            above = _comment_start(text, start, floor)
        elif bare in (")", "]") and family.stops == ":":
            above = _decorator_start(text, above, floor)
        elif not family.above.match(bare) and not (
            called and start == line and _RETURN_TYPE.match(text[above:start].rstrip())
        ):
            break
        if above < 0:
            break
        start = above
    return start


def _line_start(text: str, place: int, floor: int) -> int:
    """Where the line before the one that begins at `place` begins; -1 where it began above `floor`."""
    end = place - (2 if text.startswith("\r\n", place - 2) else 1)
    start = max(text.rfind("\n", floor, end), text.rfind("\r", floor, end)) + 1
    return start if start > floor or floor == 0 or text[floor - 1] in "\r\n" else -1


def _comment_start(text: str, end: int, floor: int) -> int:
    """Where the line begins that a block comment opens; -1 where it opens behind something else."""
    opened = text.rfind("/*", floor, end)
    start = opened
    while start > floor and text[start - 1] in " \t":
        start -= 1
    return start if opened >= 0 and (start == 0 or text[start - 1] in "\r\n") else -1


def _decorator_start(text: str, closing: int, floor: int) -> int:
    """Where the decorator begins whose last bracket stands alone on the line at `closing`; -1 without one."""
    opened = max(text.rfind("\n", floor, closing - 1), -1)
    while opened > floor:
        line = text[opened + 1 : closing].lstrip(" \t")
        if line.startswith("@"):
            return opened + 1
        if not text[opened + 1 : opened + 2].isspace():
            return -1
        opened = text.rfind("\n", floor, opened)
    return -1


def _cleaned(signature: str) -> str:
    """A signature as one line without the sign that opens the body."""
    line = _SPACE.sub(" ", signature).strip().rstrip(":{=; ")
    line = line.replace("( ", "(").replace(", )", ")").replace(",)", ")").replace(" )", ")")
    return line[:LONGEST_HEADING].strip()
