"""Numbers of spreadsheets as a person sees them: dates in ISO form, percentages, decimals, `INV-0042`.

No commas stand between thousands, so that what is typed as a number is found.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

_BUILT_IN: Final = {
    1: "0",
    2: "0.00",
    3: "0",
    4: "0.00",
    9: "0%",
    10: "0.00%",
    22: "yyyy h:mm",
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss",
    37: "0",
    38: "0",
    39: "0.00",
    40: "0.00",
}
_DATES: Final = frozenset({*range(14, 18), *range(27, 37), *range(50, 59)})
_TIMES: Final = frozenset({18, 19, 20, 21})
_TOKEN: Final = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|\[\$(?P<currency>[^\]-]*)[^\]]*\]|\[(?P<bracket>[^\]]*)\]|_.|\*.|(?P<plain>.)',
    re.DOTALL,
)
_ELAPSED: Final = re.compile(r"(?:h+|m+|s+)", re.IGNORECASE)
_LONGEST: Final = 255
_DAY_SECONDS: Final = 86_400
_LAST_DAY: Final = 2_958_466


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """How a style shows a number; `kind` is general, number, date, time, moment or elapsed."""

    kind: str = "general"
    before: str = ""
    after: str = ""
    whole: int = 0
    least: int = 0
    most: int = 0
    factor: int = 1

    def shown(self, value: float, *, since_1904: bool = False) -> str:
        """The number as text; one that the format cannot show is shown plain."""
        if self.kind == "general" or value != value or abs(value) > 1e15:
            return general(value)
        if self.kind != "number":
            return self._time(value, since_1904) or general(value)
        text = f"{abs(value) * self.factor:.{self.most}f}"
        whole, point, decimals = text.partition(".")
        decimals = decimals[: self.least] + decimals[self.least :].rstrip("0")
        sign = "-" if value < 0 and float(text) else ""
        return f"{sign}{self.before}{whole.zfill(self.whole)}{point if decimals else ''}{decimals}{self.after}".strip()

    def _time(self, value: float, since_1904: bool) -> str:
        seconds = round(value * _DAY_SECONDS)
        if self.kind == "elapsed":
            minutes, rest = divmod(abs(seconds), 60)
            return f"{'-' if seconds < 0 else ''}{minutes // 60}:{minutes % 60:02}:{rest:02}"
        if not 0 <= value < _LAST_DAY:
            return ""
        # Excel counts a 29th of February 1900 that never was.
        first = datetime(1904, 1, 1) if since_1904 else datetime(1899, 12, 31 if value < 60 else 30)
        moment = first + timedelta(seconds=seconds)
        clock = moment.strftime("%H:%M:%S" if moment.second else "%H:%M")
        if self.kind == "time" and value < 1:
            return clock
        day = moment.date().isoformat()
        return day if seconds % _DAY_SECONDS == 0 else f"{day} {clock}"


def general(value: float) -> str:
    """A number without a format: as short as it is exact to fifteen digits."""
    if abs(value) < 1e15 and value == int(value):
        return str(int(value))
    return f"{value:.15g}"


GENERAL: Final = NumberFormat()


def built_in_format(number: int) -> NumberFormat:
    """The format that a number stands for in every workbook."""
    if number in _DATES:
        return NumberFormat("date")
    if number in _TIMES:
        return NumberFormat("time")
    return number_format(_BUILT_IN[number]) if number in _BUILT_IN else GENERAL


def number_format(code: str) -> NumberFormat:
    """The format that a code such as `0.00%` or `yyyy-mm-dd` says; GENERAL for one that is not understood."""
    if len(code) > _LONGEST:
        return GENERAL
    tokens = list(_TOKEN.finditer(_first_section(code)))
    plain = "".join(token["plain"] or "" for token in tokens)
    brackets = [token["bracket"] for token in tokens if token["bracket"]]
    lower = plain.lower()
    if any(_ELAPSED.fullmatch(bracket) for bracket in brackets):
        return NumberFormat("elapsed")
    if not plain or "general" in lower or "@" in plain or "e+" in lower or "e-" in lower:
        return GENERAL
    letters = set(lower.replace("am/pm", "h").replace("a/p", "h")) & set("ymdhsge")
    if letters:
        if letters & set("hs") or letters == {"m"}:
            return NumberFormat("moment" if letters & set("yd") else "time")
        return NumberFormat("date")
    return _decimal(tokens)


def _first_section(code: str) -> str:
    """What stands before the first `;` outside of quotes: the format of positive numbers."""
    position = 0
    for token in _TOKEN.finditer(code):
        if token["plain"] == ";":
            break
        position = token.end()
    return code[:position]


def _decimal(tokens: list[re.Match[str]]) -> NumberFormat:
    before, digits, after = "", "", ""
    factor = 1
    for token in tokens:
        plain = token["plain"] or ""
        literal = token["quoted"] or token["escaped"] or token["currency"] or ""
        if plain and plain in "0#?,.":
            if after.strip():
                return GENERAL
            digits += plain
            continue
        if plain == "/":
            return GENERAL
        factor *= 100 if plain == "%" else 1
        literal += plain
        if digits:
            after += literal
        else:
            before += literal
    if not digits.strip(",") or digits.endswith(",") or digits.count(".") > 1:
        return GENERAL
    whole, _, decimals = digits.partition(".")
    return NumberFormat(
        "number", before, after, whole.count("0"), decimals.count("0"), len(decimals.replace(",", "")), factor
    )
