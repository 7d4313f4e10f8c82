"""Elements as lines: one that stands alone begins a line, one inside of a sentence does not."""

from __future__ import annotations

from typing import Final

from ragspine_tui.documents.bounds import check_count
from ragspine_tui.documents.extracted import MAX_TEXT, ExtractedText
from ragspine_tui.documents.fields import MAX_VALUE, FieldsBuilder
from ragspine_tui.documents.lines import line_ends
from ragspine_tui.documents.xml_tokens import Token, attributes, tokens, unexplained
from ragspine_tui.types import BlockKind

_INLINE: Final = frozenset(
    """
    a abbrev abbr acronym application b bold cite citation citetitle classname code command constant date emph em
    emphasis filename firstterm foreignphrase function guibutton guilabel guimenu hi i italic keycap link literal lb
    menucascade name note.ref option parameter persName phrase placeName productname q quote ref replaceable rs span
    strong sub subscript sup superscript systemitem term tt type u ulink uicontrol userinput varname xref
    """.split()  # noqa: SIM905
)
_PROSE: Final = frozenset("ab caption description entry head l li p para simpara summary title text td th".split())  # noqa: SIM905
_SECTIONS: Final = frozenset(
    """
    appendix article bibliography book chapter channel concept div doc document entry feed glossary item part preface
    refentry refsect1 refsect2 refsect3 refsection reference sect sect1 sect2 sect3 sect4 sect5 section simplesect task
    topic
    """.split()  # noqa: SIM905
)
_TRANSPARENT: Final = frozenset({"info", "articleinfo", "bookinfo", "chapterinfo", "sectioninfo", "front", "header"})
_CODE: Final = frozenset({"programlisting", "screen", "literallayout", "codeblock", "synopsis", "pre", "eg"})
_AUTHORS: Final = frozenset({"creator", "author"})
_UNREAD: Final = ("xmlns", "xsi:", "xml:space", "xml:id")
_ENOUGH: Final = 400
_SHORT: Final = 200
_DEEP: Final = 100


class _Element:
    """One that is open: `own` says that it began a line, `mixed` that words stand between its children."""

    __slots__ = ("code", "has_children", "mixed", "name", "own", "place", "title", "written")

    def __init__(self, name: str, written: str, place: int, *, own: bool, title: int, code: bool) -> None:
        self.name = name
        self.place = place
        self.written = written
        self.own = own
        self.title = title
        self.code = code
        self.mixed = self.has_children = False


class XmlLines:
    """Writes a block of lines for each element that holds some; `unexplained` tells that entities were met."""

    def __init__(self, text: str, written: ExtractedText, fields: FieldsBuilder) -> None:
        self.unexplained = False
        self._text = text
        self._written = written
        self._fields = fields
        self._stack: list[_Element] = []
        self._sections = 0
        self._out: list[str] = []
        self._lines: list[str] = []
        self._place = self._first = -1
        self._size = self._total = 0
        self._glued = False
        self._counted, self._line = 0, 1

    def read(self) -> None:
        """Takes every token."""
        for token in tokens(self._text):
            if token.kind == "text":
                self._words(token)
            elif token.kind == "open":
                self._open(token)
            elif token.kind == "empty":
                self._open(token)
                self._close(token.name)
            elif token.kind == "close":
                self._close(token.name)
        self._end_line()
        self._flush()

    def _words(self, token: Token) -> None:
        text = token.value
        holder = self._stack[-1] if self._stack else None
        if text.isspace():
            if self._out:
                self._out.append(text)
            if "\n" in text and not (holder and holder.mixed):
                self._glued = False
            return
        self.unexplained = self.unexplained or unexplained(text)
        if self._place < 0:
            self._place = token.place + len(text) - len(text.lstrip())
        self._out.append(text)
        self._total += len(text)
        check_count(self._total, MAX_TEXT, "characters of text")
        self._glued = True
        if holder:
            holder.mixed = True

    def _open(self, token: Token) -> None:
        name = token.name.rstrip("/")
        parent = self._stack[-1] if self._stack else None
        inside = bool(parent and (parent.mixed or parent.code or not parent.own))
        own = not (self._glued and inside) and not (name in _INLINE and inside) and not (parent and parent.title)
        first = bool(parent and not parent.has_children)
        title = own and first and name in ("title", "head") and self._in_section()
        if own:
            self._end_line()
            if parent and first and not title:
                self._add_line(parent.written, parent.place)
                parent.written = ""
        if parent:
            parent.has_children = parent.has_children or own
        level = self._sections if title else 0
        self._sections += name in _SECTIONS
        written = _named(name, token.value) if own else ""
        self._stack.append(_Element(name, written, token.place, own=own, title=level, code=name in _CODE))
        if own and self._place < 0:
            self._place = token.place

    def _in_section(self) -> bool:
        holders = [element.name for element in self._stack[-3:] if element.name not in _TRANSPARENT]
        return bool(holders) and holders[-1] in _SECTIONS

    def _close(self, name: str) -> None:
        name = name.rstrip("/")
        if not any(element.name == name for element in self._stack[-_DEEP:]):
            return
        while self._stack:
            element = self._stack.pop()
            if element.name in _SECTIONS:
                self._sections -= 1
            self._ended(element)
            if element.name == name:
                return

    def _ended(self, element: _Element) -> None:
        if not element.own:
            return
        if element.code:
            self._code()
        elif element.title:
            self._title(element.title)
        elif element.has_children:
            self._end_line()
            self._flush()
        else:
            self._leaf(element)
        self._glued = False

    def _leaf(self, element: _Element) -> None:
        text = " ".join("".join(self._out).split())
        if element.name in _AUTHORS and text and len(text) <= MAX_VALUE and len(self._stack) <= 3:
            self._fields.add("author", text)
        named = " " in element.written or (element.name not in _PROSE and len(text) <= _SHORT)
        prefix = element.written or element.name
        shown = f"{prefix}: {text}" if named and text else text or element.written
        place = self._place
        self._out, self._place = [], -1
        self._add_line(shown, place)

    def _title(self, level: int) -> None:
        text, place = " ".join("".join(self._out).split()), self._place
        self._out, self._place = [], -1
        self._flush()
        self._written.add(text, BlockKind.HEADING, line=self._line_at(place), level=level)
        if self._stack:
            self._add_line(self._stack[-1].written, place)
            self._stack[-1].written = ""

    def _code(self) -> None:
        text, place = "".join(self._out).strip("\r\n").rstrip(), self._place
        self._out, self._place = [], -1
        self._flush()
        self._written.add(text, BlockKind.CODE, line=self._line_at(place))

    def _end_line(self) -> None:
        text, place = " ".join("".join(self._out).split()), self._place
        self._out, self._place = [], -1
        self._add_line(text, place)

    def _add_line(self, text: str, place: int) -> None:
        if not text:
            return
        if not self._lines:
            self._first = place
        self._lines.append(text)
        self._size += len(text) + 1
        if self._size > _ENOUGH:
            self._flush()

    def _flush(self) -> None:
        if self._lines:
            self._written.add("\n".join(self._lines), line=self._line_at(self._first))
        self._lines, self._size = [], 0

    def _line_at(self, place: int) -> int:
        if place > self._counted:
            self._line += line_ends(self._text, self._counted, place)
            self._counted = place
        return self._line


def _named(name: str, written: str) -> str:
    """An element's name with those of its attributes that a person could look for."""
    found = [
        f"{key}={' '.join(value.split())}"
        for key, value in attributes(written)
        if not key.startswith(_UNREAD) and value
    ]
    return " ".join([name, *found]) if found else ""
