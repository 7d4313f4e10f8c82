"""The words of a piece of HTML: no tags, entities decoded, white space as a browser shows it."""

from __future__ import annotations

import html
import re
from typing import Final

from ragspine_tui.documents.html_tokens import INLINE_TAG

CELL: Final = "\x1c"
BREAK: Final = "\x1d"
_SPACES: Final = re.compile(r"[ \t\n\r\f]{2,}|[\t\n\r\f]")
_CJK: Final = r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60\U00020000-\U0003ffff]"
_CJK_BREAK: Final = re.compile(rf"(?<={_CJK})[ \t\r\f]*\n[ \t\n\r\f]*(?={_CJK})")
_MARKS: Final = re.compile(rf"[ ]*([{CELL}{BREAK}])[ ]*")
_PERMALINK: Final = re.compile(r">[¶§#🔗]</a>")
_RUBY: Final = re.compile(r"<ruby[^>]*+>((?:[^<]++|<(?!/?ruby))*+)</ruby>", re.IGNORECASE)
_READING: Final = re.compile(r"<r(t|p)(?:\s[^>]*)?>(.*?)(?=</?r[tpbu]|\Z)", re.IGNORECASE | re.DOTALL)


def clean(raw: str) -> str:
    """One block's text; `CELL` and `BREAK` in `raw` become a tab and a line break."""
    if "<" in raw:
        raw = _without_tags(raw)
    if "\n" in raw and not raw.isascii():
        raw = _CJK_BREAK.sub("", raw)
    text = _SPACES.sub(" ", raw).strip(" ")
    if CELL in text or BREAK in text:
        text = _MARKS.sub(r"\1", text).strip(CELL + BREAK).replace(CELL, "\t").replace(BREAK, "\n")
    return html.unescape(text) if "&" in text else text


def clean_code(raw: str) -> str:
    """Preformatted text: tags gone, entities decoded, white space kept, lines ended by \\n; `BREAK` stays."""
    text = INLINE_TAG.sub("", raw) if "<" in raw else raw
    text = text.replace("\r\n", "\n").replace(CELL, "\t")
    return (html.unescape(text) if "&" in text else text).rstrip()


def _without_tags(raw: str) -> str:
    if "</a>" in raw:
        raw = _PERMALINK.sub("></a>", raw)
    if "</ruby" in raw:
        raw = _RUBY.sub(_base_then_reading, raw)
    return INLINE_TAG.sub("", raw)


def _base_then_reading(match: re.Match[str]) -> str:
    """Ruby as a word followed by its reading in brackets: both can be found, and neither is cut up by the other."""
    reading = "".join(found[2] for found in _READING.finditer(match[1]) if found[1] in "tT")
    base = _READING.sub("", match[1])
    return f"{base}({reading.strip()})" if reading.strip() else base
