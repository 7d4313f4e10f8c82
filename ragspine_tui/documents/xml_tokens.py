"""The tokens of XML as they are written: no entity is expanded, no declaration followed, nothing fetched."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_TOKEN: Final = re.compile(
    r"""<!--(?s:.*?)(?:-->|\Z)
      | <!\[CDATA\[(?P<raw>(?s:.*?))(?:\]\]>|\Z)
      | <\?(?s:.*?)(?:\?>|\Z)
      | <![^<>]*+>
      | </(?P<close>[^\s<>/]++)[^<>]*+>
      | <(?P<open>[^\s<>/!?"'=]++)(?P<rest>(?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+)>
      | (?P<text>[^<]++|<)""",
    re.VERBOSE,
)
# Looked for once, at the beginning: many that are never closed must not be looked through again and again.
_DOCTYPE: Final = re.compile(
    r"""(?:\s++|<\?(?s:.*?)\?>|<!--(?s:.*?)-->)*+
        <!DOCTYPE[^\[<>]*+(?:\[(?:<!--(?s:.*?)-->|"[^"]*+"|'[^']*+'|[^\]"'])*+\]\s*+)?+>""",
    re.VERBOSE,
)
_ATTRIBUTE: Final = re.compile(r"""([^\s=<>"'/]{1,80}+)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""")
_REFERENCE: Final = re.compile(r"&(?:#[xX]?[0-9a-fA-F]{1,7}|[A-Za-z][\w.-]{0,60});")
_CERTAIN: Final = re.compile(r"&(?:#[xX]?[0-9a-fA-F]{1,7}|amp|lt|gt|quot|apos);")


class Token(NamedTuple):
    """`kind` is `open`, `empty`, `close` or `text`; `name` has no prefix; `value` is text or attributes."""

    kind: str
    place: int
    name: str
    value: str


def tokens(text: str) -> Iterator[Token]:
    """Every token but comments and instructions; references to characters are decoded, to entities they are not.

    Well-known names of characters count for no declaration where the file makes its own.
    """
    plain = _own_names if "<!ENTITY" in text else decoded
    declared = _DOCTYPE.match(text)
    for match in _TOKEN.finditer(text, declared.end() if declared else 0):
        place = match.start()
        if match["text"] is not None:
            yield Token("text", place, "", plain(match["text"]))
        elif match["open"]:
            kind = "empty" if match["rest"].endswith("/") or match["open"].endswith("/") else "open"
            yield Token(kind, place, local(match["open"]), match["rest"])
        elif match["close"]:
            yield Token("close", place, local(match["close"]), "")
        elif match["raw"]:
            yield Token("text", place + 9, "", match["raw"])


def local(name: str) -> str:
    """A name without the prefix of its namespace."""
    return name.rpartition(":")[2]


def attributes(written: str) -> list[tuple[str, str]]:
    """The names, with prefixes, and values of a tag's attributes."""
    return [(match[1], decoded(match[2] or match[3] or "")) for match in _ATTRIBUTE.finditer(written)]


def decoded(text: str) -> str:
    """A text with its characters' references decoded; what only a declaration could explain stays as it is written."""
    return _REFERENCE.sub(lambda match: html.unescape(match[0]), text) if "&" in text else text


def _own_names(text: str) -> str:
    return _CERTAIN.sub(lambda match: html.unescape(match[0]), text) if "&" in text else text


def unexplained(text: str) -> bool:
    """Whether a decoded text still refers to entities."""
    return "&" in text and bool(_REFERENCE.search(text))


def without_references(text: str) -> str:
    """A decoded text without the entities it still refers to."""
    return _REFERENCE.sub("", text) if "&" in text else text
