"""The escapes of roff as the characters they print."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

_ESCAPE: Final = re.compile(
    r"\\(?:"
    r"(?P<string>\*(?:\((?P<string2>..)|\[(?P<string3>[^\[\]\r\n]{0,60})\]|(?P<string1>.)))"
    r"|\((?P<two>..)|\[(?P<long>[^\[\]\r\n]{0,60})\]"
    r"|(?:[fFmMgkVY]|n[+-]?)(?:\(..|\[[^\[\]\r\n]{0,60}\]|.)?"
    r"|s(?:[+-]?(?:\(..|\[[^\[\]\r\n]{0,20}\]|'[^'\r\n]{0,20}'|\d)|\([+-]?..)?"
    r"|N'(?P<code>\d{1,7})'"
    r"|[oZC]'(?P<kept>[^'\r\n]{0,200})'"
    r"|[ABbDhHlLRSvwxX](?P<quote>['\"^|\\])[^\r\n]{0,200}?(?P=quote)"
    r"|\"[^\r\n]*+|\#[^\r\n]*+"
    r"|(?P<sign>.)"
    r")?",
    re.DOTALL,
)
_SIGNS: Final = {
    "-": "-",
    "e": "\\",
    "\\": "\\",
    "E": "\\",
    " ": " ",
    "~": " ",
    "0": " ",
    "'": "'",
    "`": "`",
    ".": ".",
    "t": "\t",
    "_": "_",
    "\n": "",
}
_LETTERS: Final = "ABGDEZYHIKLMNCOPRSTUFXQW"
_GREEK: Final = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ"
_ACCENTS: Final = {
    "'": "\u0301",
    "`": "\u0300",
    "^": "\u0302",
    ":": "\u0308",
    "~": "\u0303",
    ",": "\u0327",
    "v": "\u030c",
}
# A name, then what it prints.
_PAIRS: Final = """
em — en – hy - lq “ rq ” oq ‘ cq ’ aq ' dq " bu • co © rg ® tm ™ de ° mu × di ÷ +- ± <= ≤ >= ≥ != ≠ == ≡ -> → <- ← ua ↑
da ↓ <> ↔ ha ^ ti ~ rs \\ sl / ga ` aa ´ ba | br | bv | bb ¦ sc § ps ¶ dg † dd ‡ 12 ½ 14 ¼ 34 ¾ Fo « Fc » fo ‹ fc › mi −
pl + eq = ss ß ae æ AE Æ oe œ OE Œ /o ø /O Ø oa å oA Å /l ł /L Ł Po £ Eu € eu € Ye ¥ ct ¢ if ∞ ap ∼ ~~ ≈ ~= ≃ mc µ ul _
ru _ lB [ rB ] lC { rC } la ⟨ ra ⟩ at @ sh # Do $ sq □ ci ○ OK ✓ fm ′ sd ″ r! ¡ r? ¿ -D Ð Sd ð TP Þ Tp þ Bq „ bq ‚ ff ff
fi fi fl fl Fi ffi Fl ffl integral ∫ sum ∑ sqrt √ mo ∈ nm ∉ es ∅ ca ∩ cu ∪ sb ⊂ sp ⊃ OR ∨ no ¬ fa ∀ te ∃ pd ∂ gr ∇ pt ∝
""".split()  # noqa: SIM905
_NAMES: Final = {
    **{f"*{latin}": greek for latin, greek in zip(_LETTERS, _GREEK, strict=True)},
    **{f"*{latin.lower()}": greek.lower() for latin, greek in zip(_LETTERS, _GREEK, strict=True)},
    **dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True)),
}
STRINGS: Final = {
    "lq": "“",
    "rq": "”",
    "R": "®",
    "Tm": "™",
    "Aq": "'",
    'L"': "“",
    'R"': "”",
    "C`": "",
    "C'": "",
    "--": "—",
    "Px": "POSIX",
}
"""Strings that pages use without defining them."""


def printed(text: str, strings: Mapping[str, str] = STRINGS) -> str:
    """A line as it is printed: fonts and sizes gone, characters by their names, strings replaced."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda match: _printed(match, strings), text)


def without_comment(line: str) -> str:
    """A line before its comment."""
    place = line.find('\\"')
    while place > 0 and _slashes(line, place) % 2:
        place = line.find('\\"', place + 1)
    return line if place < 0 else line[:place]


def _slashes(line: str, end: int) -> int:
    start = end
    while start and line[start - 1] == "\\":
        start -= 1
    return end - start


def _printed(match: re.Match[str], strings: Mapping[str, str]) -> str:
    if match["string"]:
        name = match["string1"] or match["string2"] or match["string3"] or ""
        # What a string says may hold escapes, but no further string.
        return _ESCAPE.sub(lambda inner: _printed(inner, {}), strings.get(name, ""))
    name = match["two"] or match["long"]
    if name:
        return _character(name)
    if match["code"]:
        return _by_code(int(match["code"]))
    if match["kept"]:
        return match["kept"]
    return _SIGNS.get(match["sign"] or "", "")


def _character(name: str) -> str:
    if name in _NAMES:
        return _NAMES[name]
    if len(name) == 2 and name[0] in _ACCENTS and name[1].isalpha():
        return unicodedata.normalize("NFC", name[1] + _ACCENTS[name[0]])
    if len(name) > 4 and name[0] == "u":
        try:
            return unicodedata.normalize("NFC", "".join(_by_code(int(code, 16)) for code in name[1:].split("_")))
        except ValueError:
            return ""
    return _by_code(int(name[4:])) if name.startswith("char") and name[4:].isdecimal() and len(name) < 12 else ""


def _by_code(code: int) -> str:
    return chr(code) if 31 < code < 0xD800 or 0xE000 <= code < 0x110000 else ""
