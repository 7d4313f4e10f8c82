"""The labels of sensitivity a text file declares, looked for in the lines of its head as they are written.

No parser stands between: a slip elsewhere in the head, its length or an odd form must never hide a label. What is not
one plain, known label on the line of its key counts as UNKNOWN, which restricts.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ragspine_tui.types import Sensitivity

FIELD: Final = "sensitivity"
"""The key that labels a document."""
UNKNOWN: Final = "unknown"
"""What stands for a label that is none of the known ones; what was written is not repeated."""

_KNOWN: Final = frozenset(label.value for label in Sensitivity)
_UNCLOSED_CHARS: Final = 1_048_576
_LONGEST_VALUE: Final = 400
_INVISIBLE: Final = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff"
_UNSEEN: Final = re.compile(f"[{_INVISIBLE}]")
_OPENING: Final = re.compile(rf"[\s{_INVISIBLE}]*+(?:%[^\r\n]*+[\s{_INVISIBLE}]++)*+(---(?!-)|\+\+\+(?!\+))([^\r\n]*)")
_OPENING_REST: Final = re.compile(r"\s*(?:[a-z]{0,10}\s*|[#{\[!&|>\"'].*)\Z", re.IGNORECASE | re.DOTALL)
_CLOSING: Final = {
    "---": re.compile(r"(?<![^\r\n])(?:---|\.\.\.)[ \t]*(?=[\r\n]|\Z)"),
    "+++": re.compile(r"(?<![^\r\n])\+\+\+[ \t]*(?=[\r\n]|\Z)"),
}
_ESCAPE: Final = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8}))", re.IGNORECASE)
# Where a line begins, after the signs of lists and keys, or inside braces; under other keys by dots.
_KEY: Final = re.compile(
    r"""(?:\A|(?P<flow>[{\[,]))(?P<signs>[\s?:>*+-]*+)(?:[!&]\S{0,100}+\s++){0,4}+"""
    r"""(?:["']?[\w-]{1,80}+["']?\s{0,8}\.\s{0,8}){0,8}"""
    r"""(?P<quote>["']?)(?P<key>sensitivity)(?P=quote)(?P<deeper>\s*+\.[^:=]{1,200}|\s*+)(?:(?P<equals>[:=])|\Z)"""
)
_TABLE: Final = re.compile(r"""\[+[^\]=]*(?<![\w-])sensitivity(?![\w-])""")
_COMMENT: Final = re.compile(r"(?:\s|\A)#.*", re.DOTALL)
_META: Final = re.compile(r"<meta(?=[\s/])", re.IGNORECASE)
_META_END: Final = re.compile(r"""(?:[^>"']++|"[^"]*+"|'[^']*+')*+>""")
_ATTRIBUTE: Final = re.compile(r"""([^\s=>"'/]{1,80}+)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"']++))""")


def folded(text: str) -> str:
    """Text without regard to case, width, invisible characters and white space around it."""
    if text.isascii():
        return text.strip().lower()
    return _UNSEEN.sub("", unicodedata.normalize("NFKC", text)).strip().casefold()


def label_named(value: str) -> str:
    """The label that a value names, UNKNOWN for any other value."""
    label = folded(value) if len(value) <= _LONGEST_VALUE else UNKNOWN
    return label if label in _KNOWN else UNKNOWN


def distinct(labels: Iterable[str]) -> tuple[str, ...]:
    """Each label once, in order."""
    return tuple(dict.fromkeys(labels))


def plain_head(text: str) -> str:
    """The beginning of a text without regard to case, width, invisible characters and escapes; its lines stay lines."""
    text = _unescaped(text)
    return text.lower() if text.isascii() else _UNSEEN.sub("", unicodedata.normalize("NFKC", text)).casefold()


def fenced_end(text: str) -> int:
    """Where the closed block between `---` or `+++` ends that a text begins with; 0 where there is none."""
    opening = _OPENING.match(text)
    closing = _CLOSING[opening[1]].search(text, opening.end()) if opening else None
    return closing.end() if closing else 0


def front_labels(text: str) -> tuple[str, ...]:
    """The labels in the block between `---` or `+++` that a text begins with; one never closed ends with the text.

    Blank lines before the block count for nothing.
    """
    opening = _OPENING.match(text)
    if not opening:
        return ()
    fence, rest = opening.groups()
    first = folded(_unescaped(rest))
    if not _OPENING_REST.match(first) and not _KEY.match(first):
        return ()
    closing = _CLOSING[fence].search(text, opening.end())
    end = closing.start() if closing else opening.end() + _UNCLOSED_CHARS
    head = plain_head(text[opening.start(2) : end])
    if FIELD not in head:
        return ()
    return distinct(_labels(head.splitlines(), fence))


def html_labels(source: str) -> tuple[str, ...]:
    """The labels in the meta elements of a page, wherever they stand but in comments."""
    return distinct(label for tag in _meta_tags(source) for label in _meta_labels(tag))


def html_named(source: str) -> Iterator[tuple[str, str]]:
    """The folded names and contents of the meta elements of a page, but of those in comments."""
    for tag in _meta_tags(source):
        found = {name: folded(_entities(value[:_LONGEST_VALUE])) for name, value in _attributes(tag)}
        yield found.get("name") or found.get("property") or "", found.get("content") or ""


def _meta_tags(source: str) -> list[str]:
    return _META.split("".join(_outside_comments(source)))[1:] if _META.search(source) else []


def _outside_comments(source: str) -> Iterator[str]:
    """The parts of a page between its closed comments."""
    position = 0
    while (start := source.find("<!--", position)) >= 0:
        # `<!-->` is a whole comment.
        end = source.find("-->", start + 2)
        if end < 0:
            break
        yield source[position:start] + " "
        position = end + 3
    yield source[position:]


def _meta_labels(tag: str) -> Iterator[str]:
    found = _attributes(tag)
    if any(name != "content" and folded(_entities(value[:_LONGEST_VALUE])) == FIELD for name, value in found):
        contents = [value for name, value in found if name == "content"]
        yield from (label_named(_entities(value)) for value in contents or [""])


def _attributes(tag: str) -> list[tuple[str, str]]:
    whole = _META_END.match(tag)
    written = whole.group() if whole else tag.partition(">")[0]
    return [(match[1].lower(), match[2] or match[3] or match[4] or "") for match in _ATTRIBUTE.finditer(written)]


def _entities(value: str) -> str:
    return html.unescape(value) if "&" in value else value


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda match: _character(match[1] or match[2] or match[3]), text) if "\\" in text else text


def _character(digits: str) -> str:
    code = int(digits, 16)
    return chr(code) if code < 0xD800 or 0xDFFF < code < 0x110000 else "\ufffd"


def _labels(lines: Sequence[str], fence: str) -> Iterator[str]:
    for number, line in enumerate(lines):
        if FIELD not in line:
            continue
        if fence == "+++" and _TABLE.match(line.lstrip()):
            yield UNKNOWN
        for match in _KEY.finditer(line):
            if match["equals"]:
                yield _label(line, match, lines, number)
            elif "?" in match["signs"]:
                yield UNKNOWN


def _label(line: str, match: re.Match[str], lines: Sequence[str], number: int) -> str:
    """The label after a key; a value that goes on below, or a key with keys below it, is none."""
    if match["deeper"].strip():
        return UNKNOWN
    value = _COMMENT.sub("", line[match.end() : match.end() + _LONGEST_VALUE]).strip()
    if match["flow"]:
        value = re.split(r"[,}\]]", value, maxsplit=1)[0].rstrip()
    elif match["equals"] == ":" and _goes_on(lines, number, match.start("key")):
        return UNKNOWN
    value = value.rstrip(", ")
    if len(value) > 1 and value[0] in "\"'" and value[-1] == value[0]:
        value = value[1:-1]
    return label_named(value)


def _goes_on(lines: Sequence[str], number: int, column: int) -> bool:
    for line in lines[number + 1 : number + 100]:
        bare = line.lstrip()
        if bare and bare[0] != "#":
            return len(line) - len(bare) > column
    return False
