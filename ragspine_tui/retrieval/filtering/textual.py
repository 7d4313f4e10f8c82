"""Conditions as people type them: `field operator value`, and back."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import Final

from ragspine_tui.errors import FilterError
from ragspine_tui.retrieval.filtering.completion import folded_condition
from ragspine_tui.types import OPERATORS, Condition

SIGNS: Final = {"=": "eq", "!=": "ne", ">": "gt", ">=": "gte", "<": "lt", "<=": "lte"}
"""The operators that have a sign; `low..high` is `between`, `in` and `nin` are words only."""

SYNTAX: Final = 'field operator value, like: year >= 2009 · lang in en,ja · date 2024..2025 · author = "Ada Byron"'

_SIGN_OF: Final = {op: sign for sign, op in SIGNS.items()}
_NEAR: Final = {
    **{"==": "=", "=>": ">=", "=<": "<=", "<>": "!=", "!": "!="},
    **{"ge": "gte", "le": "lte", "is": "eq", "equals": "eq", "not": "nin"},
}
_ANOTHER: Final = re.compile(r"(?:and|or|&&?|\|\|?)\s+\S", re.IGNORECASE)
_SEVERAL: Final = {
    "between": "write two values as low..high, and quote a value with spaces",
    "in": "separate values with commas, and quote a value with spaces",
    "nin": "separate values with commas, and quote a value with spaces",
}
# What Japanese and Chinese keyboards and word processors type means what the plain signs mean.
_WIDE_SIGNS: Final = str.maketrans(
    {"＝": "=", "＜": "<", "＞": ">", "！": "!", "≥": ">=", "≧": ">=", "≤": "<=", "≦": "<=", "≠": "!="}
)
_WIDE: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_FIELD: Final = re.compile(r"[^\s\"'=<>!＝＜＞！≥≧≤≦≠]+")
_SIGN: Final = re.compile(r"[=<>!＝＜＞！≥≧≤≦≠]+")
_WORD: Final = re.compile(r"[A-Za-z]+(?=[\s\"'“„‘＂(（]|\Z)")
_SPACE: Final = re.compile(r"\s*")
_BARE: Final = re.compile(r"\S+")
_BARE_ITEM: Final = re.compile(r"[^\s,，、]+")
_BARE_BRACKETED: Final = re.compile(r"[^\s,，、()（）]+")
_OPEN: Final = re.compile(r"[(（]\s*")
_CLOSE: Final = re.compile(r"\s*[)）]")
_NO_VALUES: Final = re.compile(r"[(（]\s*[)）]")
_COMMA: Final = re.compile(r"\s*[,，、]\s*")
_DOTS: Final = r"\.{2,3}|[…‥]|．．"
_RANGE_SIGN: Final = re.compile(_DOTS)
_BETWEEN: Final = re.compile(rf"\s*(?:{_DOTS}|[,，])\s*|\s+")
_BARE_END: Final = re.compile(rf"(?:(?!{_DOTS})[^\s,，])+")
_QUOTED: Final = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'", re.DOTALL)
_CURLY: Final = re.compile(r"[“„‟”]([^“”„‟]*)[”“‟]|[‘‚‛’]([^‘’‚‛]*)[’‘‛]|＂([^＂]*)＂")
_CURLY_END: Final = re.compile(rf"\s|[,，、)）]|{_DOTS}|\Z")
_ESCAPE: Final = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|([\\\"']))")
_PLAIN_CHAR: Final = r"[^\s\"'\\,=<>!().“”„‟‘’‚‛＂＝＜＞！≥≧≤≦≠，、．…‥（）]"
_PLAIN: Final = re.compile(rf"{_PLAIN_CHAR}+(?:\.{_PLAIN_CHAR}+)*")


def parse_condition(text: str) -> Condition:
    """The condition that `text` spells. FilterError says what was expected and at which character (from 1)."""
    return _Parser(text).condition()


def format_condition(condition: Condition) -> str:
    """One line that `parse_condition` reads back as the same condition, with signs where there are any."""
    field, values = _format_field(condition.field), [format_text(value) for value in condition.values]
    # What would be folded when it is read back.
    for at, (value, folded) in enumerate(zip(condition.values, folded_condition(condition).values, strict=True)):
        if value != folded:
            values[at] = f'"{value}"'
    if condition.op == "between":
        return f"{field} {values[0]}..{values[1]}"
    if condition.op in ("in", "nin"):
        return f"{field} {condition.op} {','.join(values) or '()'}"
    return f"{field} {_SIGN_OF[condition.op]} {values[0]}"


def plain_field(name: str) -> str:
    """A field's name as it is kept: in lower case, its full-width letters as plain ones."""
    return name.translate(_WIDE).lower()


def _format_field(name: str) -> str:
    return format_text(name) if plain_field(name) == name else f'"{"".join(map(_escaped, name))}"'


class _Parser:
    """One pass over one condition; `at` is the next character to read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.bare: list[bool] = []

    def condition(self) -> Condition:
        self._take(_SPACE)
        field = self._value(_FIELD, "a field name" if self.at < len(self.text) else f"a condition: {SYNTAX}")
        if self.bare.pop():
            field = plain_field(field)
        self._take(_SPACE)
        op = self._operator(field)
        self._take(_SPACE)
        start = self.at
        value = self._range() if op == "between" else self._list() if op in ("in", "nin") else self._single(op)
        self._take(_SPACE)
        if self.at < len(self.text):
            rest = self.text[self.at :].strip()
            quoted = f"{format_text(field)} {_SIGN_OF.get(op, op)} {format_text(self.text[start:].strip())}"
            hint = _SEVERAL.get(op, f"quote a value with spaces: {quoted}")
            if _ANOTHER.match(rest):
                hint = "give each condition by itself"
            raise self._error(f"the end, found {_shown(rest)}", hint, self.at)
        return self._folded(Condition(field, op, value))

    def _folded(self, condition: Condition) -> Condition:
        """What stands in quotes stays as it is."""
        folded = folded_condition(condition).values
        values = tuple(new if bare else old for bare, old, new in zip(self.bare, condition.values, folded, strict=True))
        return replace(condition, value=values if isinstance(condition.value, tuple) else values[0])

    def _operator(self, field: str) -> str:
        start = self.at
        if sign := self._take(_SIGN).translate(_WIDE_SIGNS):
            if sign in SIGNS:
                return SIGNS[sign]
            raise self._error(f"an operator, found {sign!r}", _instead(sign), start)
        word = self._take(_WORD)
        if word in OPERATORS:
            return word
        if word:
            raise self._error(f"an operator, found {word!r}", _instead(word), start)
        if _looks_like_range(self.text[start:]):
            return "between"
        found = self.text[start:].split(maxsplit=1)
        seen = f", found {_shown(found[0])}" if found else ""
        raise self._error(f"an operator after {_shown(field)}{seen}", _instead(""), start)

    def _single(self, op: str) -> str:
        return self._value(_BARE, f"a value after {_SIGN_OF[op]}")

    def _range(self) -> tuple[str, str]:
        low = self._value(_BARE_END, "the low value of between")
        start = self.at
        if not self._take(_BETWEEN) or self.at == len(self.text):
            raise self._error("two values", _SEVERAL["between"], start)
        return low, self._value(_BARE_END, "the high value of between")

    def _list(self) -> tuple[str, ...]:
        if self._take(_NO_VALUES):
            return ()
        bracketed, start = self._take(_OPEN), self.at
        bare = _BARE_BRACKETED if bracketed else _BARE_ITEM
        values = [self._value(bare, "values, separated by commas")]
        while self._take(_COMMA):
            values.append(self._value(bare, "a value after the comma"))
        if bracketed and not self._take(_CLOSE):
            raise self._error("a closing )", _SEVERAL["in"], start)
        return tuple(values)

    def _value(self, bare: re.Pattern[str], expected: str) -> str:
        start = self.at
        opening = self.text[start : start + 1]
        curly = _CURLY.match(self.text, start)
        if curly and _CURLY_END.match(self.text, curly.end()):
            self.at = curly.end()
            self.bare.append(False)
            return next(part for part in curly.groups() if part is not None)
        if opening not in ('"', "'"):
            if found := self._take(bare):
                self.bare.append(True)
                return found
            raise self._error(expected, "", start)
        match = _QUOTED.match(self.text, start)
        if match is None:
            raise self._error(f"a closing {opening}", "close the quotes", start)
        self.at = match.end()
        self.bare.append(False)
        return _ESCAPE.sub(_unescaped, match[1] if match[1] is not None else match[2])

    def _take(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        if match is None:
            return ""
        self.at = match.end()
        return match[0]

    def _error(self, expected: str, hint: str, at: int) -> FilterError:
        where = f" at character {at + 1} of {_shown(self.text)}" if self.text.strip() else ""
        return FilterError(f"expected {expected}{where}", hint)


def _instead(found: str) -> str:
    lower = found.lower()
    if lower in OPERATORS:
        return f"operators are lower-case: write {lower}"
    if lower in _NEAR:
        return f"write {_NEAR[lower]}"
    return f"operators: {' '.join(OPERATORS)}, or {' '.join(SIGNS)} and low..high"


def _looks_like_range(rest: str) -> bool:
    if quoted := _QUOTED.match(rest) or _CURLY.match(rest):
        return bool(_RANGE_SIGN.match(rest, quoted.end()))
    return bool(rest) and bool(_RANGE_SIGN.search(rest.split(maxsplit=1)[0]))


def _shown(text: str) -> str:
    """In quotes, with escapes for what cannot be seen; the wide space of Japanese is no such thing."""
    return repr(text).replace("\\u3000", "\u3000")


def format_text(value: str) -> str:
    """A field or a value as a condition spells it: quoted where it could be read as anything else."""
    if _PLAIN.fullmatch(value) and value.isprintable():
        return value
    return '"' + "".join(_escaped(char) for char in value) + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    # What would break a condition's one line, or cannot be written at all (a surrogate).
    return f"\\u{{{ord(char):x}}}" if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") else char


def _unescaped(match: re.Match[str]) -> str:
    if match[1] is None:
        return match[2]
    code = int(match[1], 16)
    return chr(code) if code <= 0x10FFFF else match[0]
