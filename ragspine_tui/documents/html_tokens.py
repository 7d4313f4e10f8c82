"""HTML as a flat run of tokens with their offsets: no tree, so neither depth nor tag soup can break it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_ATTRS: Final = r"""(?:[\s/](?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+)*+)?+"""
_INLINE: Final = (
    r"a|abbr|acronym|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|nobr|q|rb|rp|rt|ruby|s|samp|small"
    r"|span|strike|strong|sub|sup|time|tt|u|var|wbr"
)
# A run of text with the inline tags in it is one token: words that tags cut in two stay whole, and most tags of a page
# never reach Python.
_TEXT: Final = re.compile(rf"(?:[^<]++|<(?![A-Za-z/!?])|</?(?:{_INLINE})(?=[\s/>]){_ATTRS}>)++", re.IGNORECASE)
_BARE_TEXT: Final = re.compile(r"(?:[^<]++|<(?![A-Za-z/!?]))++")
_TAG: Final = re.compile(rf"<(/?)([A-Za-z][^\s/>]*+)({_ATTRS})>")
_LOOSE_TAG: Final = re.compile(r"<(/?)([A-Za-z][^\s/<>]*+)([^<>]*+)>?")
INLINE_NAMES: Final = frozenset(_INLINE.split("|"))
INLINE_TAG: Final = re.compile(rf"</?(?:{_INLINE})(?=[\s/>]){_ATTRS}>", re.IGNORECASE)
CDATA: Final = "<![CDATA["
_RAW: Final = frozenset({"script", "style", "xmp", "iframe", "noembed", "noframes", "noscript", "title", "textarea"})
_CODE: Final = frozenset({"script", "style"})
_ATTRIBUTE: Final = re.compile(r"""([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?""")
_MAX_FAILURES: Final = 16


class Token(NamedTuple):
    """A piece of the source: `kind` is `text`, `open` or `close`; `name` the tag in lower case.

    `start` to `end` is the text, the tag's attributes, or for elements whose content is no markup (script, title ...)
    that content, with the attributes left out.
    """

    kind: str
    name: str
    start: int
    end: int


class Tokens:
    """The tokens of a page from first to last; comments, declarations and inline tags are left out.

    What is looked for to the end of the page in vain is not looked for again, so that no page costs a square.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.position = 0
        self._failures = 0
        self._endless: set[str] = set()

    def __iter__(self) -> Iterator[Token]:
        source, size = self.source, len(self.source)
        while self.position < size:
            position = self.position
            match = (_TEXT if self._failures < _MAX_FAILURES else _BARE_TEXT).match(source, position)
            if match:
                self.position = match.end()
                yield Token("text", "", position, self.position)
            elif source.startswith(CDATA, position) and (end := source.find("]]>", position)) > 0:
                self.position = end + 3
                yield Token("open", CDATA, position + len(CDATA), end)
            elif source[position + 1] in "!?" or (source[position + 1] == "/" and not _letter(source, position + 2)):
                self.position = self._after_declaration(position)
            elif token := self._tag(position):
                yield token

    def skip_element(self, name: str) -> bool:
        """Passes over the rest of the element just opened; False, and nowhere, where it never closes."""
        if name in self._endless:
            return False
        depth = 1
        for match in re.compile(rf"<(/?){re.escape(name)}(?=[\s/>])", re.IGNORECASE).finditer(
            self.source, self.position
        ):
            depth += -1 if match[1] else 1
            if not depth:
                self.position = self._past(match.end())
                return True
        self._endless.add(name)
        return False

    def attributes(self, token: Token) -> dict[str, str]:
        """The attributes of an opening tag, names in lower case, values as written."""
        found = _ATTRIBUTE.finditer(self.source[token.start : min(token.end, token.start + 65_536)])
        return {m[1].lower(): m[2] or m[3] or m[4] or "" for m in found}

    def _tag(self, position: int) -> Token | None:
        tag = _TAG.match(self.source, position) if self._failures < _MAX_FAILURES else None
        if tag is None:
            self._failures += 1
            tag = _LOOSE_TAG.match(self.source, position)
        if tag is None:
            self.position = position + 1
            return None
        self.position = tag.end()
        name = tag[2].lower()
        if tag[1]:
            return Token("close", name, tag.start(3), tag.end(3))
        if name in _RAW and (content := self._raw(name)):
            return Token("open", name, *content)
        return Token("open", name, tag.start(3), tag.end(3))

    def _raw(self, name: str) -> tuple[int, int] | None:
        """The content of an element that holds no markup. Unclosed, code runs to the end, the others hold nothing."""
        start = self.position
        if name not in self._endless:
            end = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(self.source, start)
            if end:
                self.position = self._past(end.end())
                return start, end.start()
            self._endless.add(name)
        if name not in _CODE:
            return start, start
        self.position = len(self.source)
        return start, self.position

    def _past(self, position: int) -> int:
        end = self.source.find(">", position)
        return end + 1 if end >= 0 else len(self.source)

    def _after_declaration(self, position: int) -> int:
        """Past a comment, a doctype or a processing instruction; unclosed ones end at the next `>`."""
        source = self.source
        if source.startswith("<!--", position) and not source.startswith(("<!-->", "<!--->"), position):
            end = source.find("-->", position + 4) if "<!--" not in self._endless else -1
            if end >= 0:
                return end + 3
            self._endless.add("<!--")
        return self._past(position)


def _letter(source: str, position: int) -> bool:
    return source[position : position + 1].isalpha()
