"""Lines as files have them: ended by \\n, \\r\\n or \\r, and by nothing else."""

from __future__ import annotations

import re
from typing import Final

_END: Final = re.compile(r"(\r\n|\r|\n)")
PARAGRAPH_GAP: Final = re.compile(r"(?>\r\n|\r|\n)(?:[ \t\f\v]*(?>\r\n|\r|\n))+")


def numbered_lines(text: str) -> list[tuple[int, str]]:
    """Each line without its end, with the offset where it starts."""
    lines: list[tuple[int, str]] = []
    offset = 0
    if "\r" not in text:
        for line in text.split("\n"):
            lines.append((offset, line))
            offset += len(line) + 1
        return lines
    parts = _END.split(text)
    for number, part in enumerate(parts):
        if number % 2 == 0:
            lines.append((offset, part))
        offset += len(part)
    return lines


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
    if start < len(text) and not text[start:].isspace():
        spans.append((start, len(text)))
    return spans
