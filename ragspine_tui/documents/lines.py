"""Lines as files have them: ended by \\n, \\r\\n or \\r, and by nothing else."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from itertools import accumulate, islice
from typing import Final

from ragspine_tui.documents.bounds import MAX_BLOCKS, MAX_LINES, check_count

_END: Final = re.compile(r"\r\n|\r|\n")
_BLANK_LINES: Final = re.compile(r"(?:[ \t]*+(?>\r\n|\r|\n)){3,}+")
_BLANK_RUN: Final = re.compile(rf"(?>\r\n|\r|\n)({_BLANK_LINES.pattern})")
# What tells that there is one, in a text whose lines end with \n alone: it is found from a plain character.
_PLAIN_BLANK_RUN: Final = re.compile(r"\n(?:[ \t]*+\n){3}")
_FEW_LINES: Final = 100_000
"""Lines that may be cut out all at once, which is quick but takes memory."""
PARAGRAPH_GAP: Final = re.compile(r"(?>\r\n|\r|\n)(?:[ \t\f\v]*+(?>\r\n|\r|\n))++")


class Lines:
    """The lines of a text as places in it; of a long run of blank lines only the first and the last are kept.

    `starts` and `ends` bound each line without its end; `numbers` counts from 1 over all lines of the text.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts, self.ends, self.numbers = array("Q"), array("Q"), array("Q")

    def __len__(self) -> int:
        return len(self.starts)

    def line(self, index: int) -> str:
        """The line without its end."""
        return self.text[self.starts[index] : self.ends[index]]

    def index_after(self, number: int) -> int:
        """The index of the first kept line behind the line with this number."""
        return bisect_right(self.numbers, number)

    def add(self, start: int, end: int, number: int) -> None:
        """One more line."""
        self.starts.append(start)
        self.ends.append(end)
        self.numbers.append(number)

    def add_plain(self) -> None:
        """All lines of a text of few, where only \\n ends one."""
        after = list(accumulate([len(line) + 1 for line in self.text.split("\n")]))
        self.starts = array("Q", [0, *after[:-1]])
        self.ends = array("Q", [end - 1 for end in after])
        self.numbers = array("Q", range(1, len(after) + 1))

    def add_all(self, start: int, end: int, number: int) -> tuple[int, int]:
        """The lines that end in text[start:end]; where the next one begins, and its number."""
        for match in _END.finditer(self.text, start, end):
            self.add(start, match.start(), number)
            start = match.end()
            number += 1
        check_count(len(self), MAX_LINES, "lines")
        return start, number


def numbered_lines(text: str) -> Lines:
    """The lines of a text, the last one also where it is empty."""
    lines = Lines(text)
    leading = _BLANK_LINES.match(text)
    few = "\r" not in text and text.count("\n") < _FEW_LINES
    if few and not leading and not _PLAIN_BLANK_RUN.search(text):
        lines.add_plain()
        return lines
    start, number = 0, 1
    if leading:
        start, number = _add_run(lines, 0, leading.end(), number)
    for run in _BLANK_RUN.finditer(text, max(0, start - 1)):
        _, number = lines.add_all(start, run.start(1), number)
        start, number = _add_run(lines, run.start(1), run.end(1), number)
    start, number = lines.add_all(start, len(text), number)
    lines.add(start, len(text), number)
    return lines


def _add_run(lines: Lines, start: int, end: int, number: int) -> tuple[int, int]:
    """The first and the last of the blank lines in text[start:end]; where the next line begins, and its number."""
    text = lines.text
    first = _END.search(text, start)
    lines.add(start, first.start() if first else end, number)
    number += line_ends(text, start, end)
    stop = end - (2 if text.startswith("\r\n", end - 2) else 1)
    last = start + len(text[start:stop].rstrip(" \t"))
    lines.add(last, stop, number - 1)
    return end, number


def first_lines(text: str, count: int) -> list[str]:
    """At most `count` lines from the beginning of a text."""
    if "\r" not in text:
        return text.split("\n", count)[:count]
    lines: list[str] = []
    start = 0
    for match in islice(_END.finditer(text), count):
        lines.append(text[start : match.start()])
        start = match.end()
    return lines if len(lines) == count else [*lines, text[start:]]


def line_start(text: str, count: int) -> int:
    """Where the line behind the first `count` lines of a text begins, or its end."""
    ends = [match.end() for match in islice(_END.finditer(text), count)]
    return 0 if not count else ends[-1] if len(ends) == count else len(text)


def line_ends(text: str, start: int, end: int) -> int:
    """How many lines end in text[start:end]; a CR LF cut in two counts where its LF stands."""
    count = text.count("\n", start, end)
    returns = text.count("\r", start, end)
    if returns:
        count += returns - text.count("\r\n", start, min(end + 1, len(text)))
    return count


def paragraphs(text: str) -> list[tuple[int, int]]:
    """The spans between blank lines, from the first character of a line to the last before the gap."""
    spans: list[tuple[int, int]] = []
    start = 0
    for gap in PARAGRAPH_GAP.finditer(text):
        if gap.start() > start and not text[start : gap.start()].isspace():
            spans.append((start, gap.start()))
        start = gap.end()
        check_count(len(spans), MAX_BLOCKS, "paragraphs")
    if start < len(text) and not text[start:].isspace():
        spans.append((start, len(text)))
    return spans
