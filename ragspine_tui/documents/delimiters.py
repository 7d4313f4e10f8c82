"""How a table in text is written: which sign parts its cells, and whether its first row names its columns."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

_SIGNS: Final = ",;\t|"
_SAMPLE: Final = 65_536
_MOST_ROWS: Final = 200
_LONGEST_NAME: Final = 60
_LONG_NAME: Final = 25
_MOSTLY: Final = 0.8
_VALUE: Final = re.compile(
    r"""(?:
        [-+(]?[$€£¥]?\s?\d[\d.,\s'’]*(?:e[-+]?\d+)?\s?(?:%|[$€£¥]|[a-zA-Zµ°]{1,3})?\)?   # a number, with its unit
        | \d{1,4}[-/.年]\d{1,2}(?:[-/.月]\d{1,4}日?)?(?:[T\s]\d{1,2}:\d\d(?::\d\d)?.{0,12})?    # a date
        | \d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m)?
        | true|false|yes|no|n/a|null|none|nan
        | [^\s@]{1,64}@[^\s@]{1,100}\.[a-z]{2,}
        | https?://\S{1,400}
        | [0-9a-f]{8}-[0-9a-f-]{20,}
    )\Z""",
    re.IGNORECASE | re.VERBOSE,
)
_IDENTIFIER: Final = re.compile(
    r"[a-z][a-z0-9]*(?:[_.-][a-z0-9]+)*\Z|[a-z]+(?:[A-Z][a-z0-9]+)+\Z|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*\Z"
)
_SENTENCE: Final = re.compile(r"[.!?。！？]\Z|[.!?;] ")


def delimiter_of(text: str, expected: str) -> str:
    """The sign whose cells give the same number of columns in the most rows; `expected` where none does."""
    sample = text[:_SAMPLE]
    if len(text) > _SAMPLE:
        sample = sample[: max(sample.rfind("\n"), sample.rfind("\r")) + 1] or sample
    best, best_score = expected, (0.0, False, False, False, 0)
    for sign in _SIGNS:
        if sign not in sample:
            continue
        rows, well_quoted = _rows(sample, sign)
        widths = [len(row) for row in rows if row]
        wide = Counter(width for width in widths if width > 1)
        if not wide:
            continue
        width, count = wide.most_common(1)[0]
        # Rounded, that one odd row does not decide; a comma may part the digits of a number as well as cells.
        share = round(20 * count / len(widths)) / (20 if well_quoted else 40)
        score = (share, widths[0] > 1, sign == expected != ",", sign != ",", width)
        if score > best_score:
            best, best_score = sign, score
    return best


def _rows(sample: str, sign: str) -> tuple[list[list[str]], bool]:
    """The first rows under a delimiter, and whether its quotations end where cells do."""
    reader = csv.reader(io.StringIO(sample, newline=""), delimiter=sign)
    rows = [row for _, row in zip(range(_MOST_ROWS), reader, strict=False)]
    try:
        strict = csv.reader(io.StringIO(sample, newline=""), delimiter=sign, strict=True)
        for _ in zip(range(_MOST_ROWS), strict, strict=False):
            pass
    except csv.Error as error:
        # The sample may end inside a quotation.
        return rows, "unexpected end" in str(error)
    return rows, True


def has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first of these rows can be nothing but the names of the columns.

    A row taken for names would be repeated with every other one: in doubt it is none.
    """
    names = [name.strip() for name in rows[0]]
    body = [row for row in rows[1:] if any(map(str.strip, row))]
    filled = [name for name in names if name]
    if len(names) < 2 or not body or len(filled) < len(names) - len(names) // 4 - 1 or not filled:
        return False
    if len({*map(str.casefold, filled)}) < len(filled) or any(map(_is_no_name, filled)):
        return False
    columns = [
        [row[place].strip() for row in body if place < len(row) and row[place].strip()] for place, _ in enumerate(names)
    ]
    if any(_is_typed(column) for column in columns):
        return True
    if all(_IDENTIFIER.match(name) for name in filled):
        return not all(_IDENTIFIER.match(cell) for column in columns for cell in column)
    return any(_stands_out(name, column) for name, column in zip(names, columns, strict=True) if name and column)


def _is_no_name(name: str) -> bool:
    return len(name) > _LONGEST_NAME or bool(_VALUE.match(name)) or bool(_SENTENCE.search(name))


def _is_typed(column: Sequence[str]) -> bool:
    """Whether nearly all cells are numbers, dates, addresses or the like: a name above them is none of these."""
    return bool(column) and sum(bool(_VALUE.match(cell[:500])) for cell in column) >= _MOSTLY * len(column)


def _stands_out(name: str, column: Sequence[str]) -> bool:
    """Whether a short name stands above long texts, or above few words that come again and again."""
    if len(name) > _LONG_NAME:
        return False
    if sum(map(len, column)) > 3 * len(name) * len(column):
        return True
    return len(column) >= 6 and len({*column}) * 3 <= len(column) and name not in column
