"""One pass over the tokens of LaTeX, with a stack of its own for what is open: nesting is as deep as it likes."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from ragspine_tui.documents import latex_names as names
from ragspine_tui.documents import latex_tokens as tokens
from ragspine_tui.documents.bounds import check_count
from ragspine_tui.documents.dates import iso_date
from ragspine_tui.documents.extracted import MAX_TEXT, ExtractedText
from ragspine_tui.documents.fields import MAX_VALUE, FieldsBuilder, split_tags
from ragspine_tui.documents.lines import line_ends
from ragspine_tui.types import BlockKind

_LONGEST_GROUP: Final = 20_000
_LONGEST_MACRO: Final = 200


class _Open:
    """A group that is open: what it will be used for, and the text that waits outside of it."""

    __slots__ = ("name", "outside", "place")

    def __init__(self, name: str, outside: list[str], place: int) -> None:
        self.name = name
        self.outside = outside
        self.place = place


class LatexWalk:
    """Writes the blocks of a body; what a preamble declares goes to the fields."""

    def __init__(self, text: str, written: ExtractedText, fields: FieldsBuilder) -> None:
        self._text = text
        self._written = written
        self._fields = fields
        self._out: list[str] = []
        self._first = -1
        self._size = 0
        self._groups: list[_Open | None] = []
        self._captures = 0
        self._waiting = ""
        self._notes: list[tuple[str, int]] = []
        self._macros: dict[str, str] = {}
        self._kinds: list[tuple[str, BlockKind]] = []
        self._silent = False
        self._german = bool(tokens.IS_GERMAN.search(text[: tokens.TOP]))
        self._unclosed = 0
        self._endless: set[str] = set()
        self._counted, self._line = 0, 1

    def read(self, start: int, line: int) -> None:
        """Takes every token from `start` on, which stands in `line`."""
        self._counted, self._line = start, line
        body = tokens.BODY.search(self._text, start)
        self._silent = body is not None
        place, length = start, len(self._text)
        while place < length:
            if body and self._silent and place >= body.start():
                self._silent, self._groups, self._captures, self._out = False, [], 0, []
                place = body.end()
                continue
            match = tokens.TOKEN.match(self._text, place)
            if not match:
                break
            after = self._take(match.lastgroup or "", match)
            if after < 0:
                break
            place = after
        while self._groups:
            self._close_group()
        self._flush()

    def _take(self, kind: str, match: re.Match[str]) -> int:
        """Takes one token; where the next one begins, -1 at the end of the document."""
        if kind == "word":
            return self._word(match)
        if kind == "sign":
            self._sign(match[0], match.start())
        elif kind == "symbol":
            return self._symbol(match)
        elif kind == "par":
            self._paragraph()
        elif kind == "math":
            self._write(match[0], match.start())
        elif kind == "text":
            text = tokens.GERMAN.sub(tokens.german, match[0]) if self._german else match[0]
            self._write(tokens.SIGNS.sub(lambda sign: tokens.SIGN_OF[sign[0]], text), match.start())
        return match.end()

    def _write(self, text: str, place: int) -> None:
        if self._silent and not self._captures:
            return
        if self._first < 0 and not self._captures:
            if text.isspace():
                return
            self._first = place
        self._out.append(text)
        self._size += len(text)
        check_count(self._size, MAX_TEXT, "characters of text")
        if self._waiting and not text.isspace():
            self._waiting = ""

    def _sign(self, sign: str, place: int) -> None:
        if sign == "&":
            self._write(tokens.CELL if self._in_table() else " ", place)
        elif sign == "}":
            self._close_group()
        elif self._waiting:
            self._groups.append(_Open(self._waiting, self._out, place))
            self._out, self._waiting = [], ""
            self._captures += 1
        else:
            self._groups.append(None)

    def _close_group(self) -> None:
        group = self._groups.pop() if self._groups else None
        if group is None:
            return
        text, self._out = tokens.clean("".join(self._out), lines=False), group.outside
        self._captures -= 1
        self._use(group.name, text, group.place)

    def _use(self, name: str, text: str, place: int) -> None:
        """Does with the argument of a command what the command is for."""
        line = self._line_at(place)
        if label := names.NOTES.get(name):
            if text and (self._captures or not self._silent):
                self._notes.append((f"{label}: {text}", line))
        elif name in names.NAMED:
            self._declare(names.NAMED[name], text, line)
        elif level := names.HEADINGS.get(name):
            if self._captures:
                self._out.append(f" {text} ")
                return
            notes, self._notes = self._notes, []
            self._flush()
            self._notes = notes
            heading = text.replace("\n", " ").replace(names.AND, " ")
            self._written.add(heading, BlockKind.HEADING, line=line, level=level)
            if name == "title" and len(heading) <= MAX_VALUE:
                self._fields.add("title", heading)
            self._write_notes()

    def _declare(self, name: str, text: str, line: int) -> None:
        values = [" ".join(one.split()) for one in text.split(names.AND)]
        if not self._captures:
            self._flush()
            self._written.add(", ".join(value for value in values if value), line=line)
        if name == "author":
            values = [value.partition("\n")[0] for value in text.split(names.AND)]
        elif name == "tags":
            values = split_tags(values)
        elif name == "date":
            values = [value for value in values if iso_date(value)]
        self._fields.add(name, *(value for value in values if value.strip()))

    def _symbol(self, match: re.Match[str]) -> int:
        sign = match[0][1:]
        if sign == "\\":
            self._write(tokens.BREAK, match.start())
            if self._in_table() and not self._captures:
                self._flush()
            option = tokens.OPTION.match(self._text, match.end())
            return option.end() if option else match.end()
        if sign in names.ACCENTS:
            return match.end()
        self._write(" " if sign == "\r\n" else names.SYMBOLS.get(sign, ""), match.start())
        return match.end()

    def _word(self, match: re.Match[str]) -> int:
        name, end = match[0][1:].rstrip("*"), match.end()
        if name in names.ACCENTS:
            letter = tokens.LETTER.match(self._text, match.start() + 1 + len(name))
            if letter and (letter[1] or letter[2] or letter[3]):
                base = (letter[1] or letter[2] or "").replace("\\i", "i").replace("\\j", "j")
                self._write(unicodedata.normalize("NFC", base + names.ACCENTS[name]) if base else "", match.start())
                return letter.end()
            if not name.isalpha():
                return end
        if name in ("begin", "end"):
            return self._environment(name, match)
        if name in ("verb", "lstinline", "mintinline") and (verb := tokens.VERB.match(self._text, match.start())):
            self._write(verb[2] or verb[3] or "", match.start())
            return verb.end()
        known = names.SYMBOLS.get(name, self._macros.get(name))
        if known is not None:
            self._write(tokens.BREAK if known == "\n" else known, match.start())
            return self._behind_word(end)
        if name in names.DEFINITIONS or name in ("def", "gdef", "edef"):
            return self._definition(name, end)
        return self._command(name, match)

    def _command(self, name: str, match: re.Match[str]) -> int:
        """Any other command: it vanishes with its options; its arguments are read, but those nobody sees."""
        end = match.end()
        if name == "par":
            self._paragraph()
        elif name in ("item", "bibitem"):
            return self._item(name, match)
        elif name == "caption":
            self._paragraph()
        if name in names.CITED:
            while option := tokens.OPTION.match(self._text, end):
                end = option.end()
            group = self._group_end(end)
            if group > 0:
                self._write(f"[{self._text[end:group].strip(' {}')}]", match.start())
                return group
        skipped = names.SKIPPED.get(name)
        while option := tokens.OPTION.match(self._text, end):
            end = option.end()
        for _ in range(skipped or 0):
            after = self._group_end(end)
            if after < 0:
                break
            end = after
            while option := tokens.OPTION.match(self._text, end):
                end = option.end()
        if skipped is not None:
            return end
        if name in names.NOTES or name in names.NAMED or name in names.HEADINGS:
            if name in names.HEADINGS and name != "title" and not self._captures:
                self._flush()
            self._waiting = name if tokens.GROUP.match(self._text, end) else ""
            return end
        return self._behind_word(end)

    def _item(self, name: str, match: re.Match[str]) -> int:
        self._paragraph()
        end = match.end()
        if option := tokens.OPTION.match(self._text, end):
            end = option.end()
            self._write(f"{tokens.flat(option[1])} ", match.start())
        if name == "bibitem" and (group := self._group_end(end)) > 0:
            self._write(f"[{self._text[end:group].strip(' {}')}] ", match.start())
            end = group
        return end

    def _behind_word(self, end: int) -> int:
        """White space behind a command only ends its name."""
        space = tokens.BEFORE_WORD.match(self._text, end)
        return space.end() if space else end

    def _definition(self, name: str, end: int) -> int:
        """Passes over a definition; a command that stands for a few words is remembered."""
        defined = tokens.DEFINED.match(self._text, end)
        if not defined:
            return end
        end, takes = defined.end(), False
        if name.endswith("def"):
            opened = self._text.find("{", end, end + 100)
            takes, end = opened > end, max(end, opened)
        while option := tokens.OPTION.match(self._text, end):
            end, takes = option.end(), True
        for _ in range(names.DEFINITIONS.get(name, 1)):
            after = self._group_end(end)
            if after < 0:
                return end
            body, end = self._text[end:after].strip(), after
        if defined[1] and not takes and len(body) <= _LONGEST_MACRO and "$" not in body:
            self._macros[defined[1]] = tokens.flat(body)
        return end

    def _environment(self, name: str, match: re.Match[str]) -> int:
        named = tokens.ENVIRONMENT.match(self._text, match.end())
        if not named:
            return match.end()
        written, end = named[1], named.end()
        kind = written.rstrip("*")
        if name == "end":
            self._end_environment(kind)
            return -1 if kind == "document" and not self._silent else end
        if kind in names.CODE or kind in names.MATH or kind in names.DROPPED:
            return self._raw(written, match.start(), end)
        self._paragraph()
        while option := tokens.OPTION.match(self._text, end):
            end = option.end()
            if kind not in names.TABLES and " " in option[1] and "=" not in option[1]:
                self._write(f"({tokens.flat(option[1])}) ", option.start())
        count = names.TABLES.get(kind, names.ARGUMENTS.get(kind, 0)) + (kind == "tabular" and written != kind)
        for _ in range(count):
            after = self._group_end(end)
            end = after if after > 0 else end
        if kind in names.TABLES:
            self._kinds.append((kind, BlockKind.TABLE))
        elif kind in names.LISTS or kind in names.QUOTES:
            self._kinds.append((kind, BlockKind.LIST if kind in names.LISTS else BlockKind.QUOTE))
        elif kind == "frame" and (group := tokens.GROUP.match(self._text, end)):
            self._waiting = "frametitle"
            return group.end() - 1
        return end

    def _end_environment(self, kind: str) -> None:
        self._paragraph()
        if any(kind == opened for opened, _ in self._kinds[-50:]):
            while self._kinds.pop()[0] != kind:
                pass

    def _raw(self, written: str, start: int, end: int) -> int:
        """An environment that is kept as it is written: code and mathematics."""
        closing = -1 if written in self._endless else self._text.find(f"\\end{{{written}}}", end)
        if closing < 0:
            self._endless.add(written)
            return end
        kind = written.rstrip("*")
        after = closing + len(written) + 6
        if kind in names.DROPPED or (self._silent and not self._captures):
            return after
        if kind in names.MATH and kind != "math":
            body = self._text[start:after]
        else:
            option = tokens.OPTION.match(self._text, end)
            body = self._text[option.end() if option else end : closing]
        if self._captures or kind == "math":
            self._write(body, start)
            return after
        self._flush()
        line = self._line_at(start)
        bare = body.lstrip("\r\n")
        if kind not in names.MATH:
            line += line_ends(body, 0, len(body) - len(bare)) if body.startswith(("\r", "\n")) else 0
        self._written.add(bare.rstrip(), BlockKind.CODE, line=line)
        return after

    def _group_end(self, start: int) -> int:
        """Where the group ends that begins at `start`, -1 where none does or it is too long for what nobody reads."""
        opened = tokens.GROUP.match(self._text, start)
        if not opened or start < self._unclosed:
            return -1
        depth = 1
        for match in tokens.BRACE.finditer(self._text, opened.end(), opened.end() + _LONGEST_GROUP):
            if match[0] in "{}":
                depth += 1 if match[0] == "{" else -1
                if not depth:
                    return match.end()
        # None of the groups in what was looked through is worth another look: many never closed must cost no more.
        self._unclosed = opened.end() + _LONGEST_GROUP
        return -1

    def _in_table(self) -> bool:
        return bool(self._kinds) and self._kinds[-1][1] is BlockKind.TABLE

    def _paragraph(self) -> None:
        """A blank line or what is like one: ends the open block, and a title that was never closed."""
        while self._groups and (group := self._groups[-1]) and group.name in names.HEADINGS:
            self._close_group()
        if self._captures:
            self._write(tokens.BREAK, 0)
        elif not self._in_table():
            self._flush()
        else:
            self._write(" ", 0)

    def _flush(self) -> None:
        """Writes the open block, then the notes that stood in it."""
        text, first = tokens.clean("".join(self._out), lines=not self._in_table()), self._first
        self._out, self._first = [], -1
        kind = self._kinds[-1][1] if self._kinds else BlockKind.PARAGRAPH
        if text and not self._silent:
            self._written.add(text, kind, line=self._line_at(first))
        self._write_notes()

    def _write_notes(self) -> None:
        notes, self._notes = self._notes, []
        for note, line in notes:
            self._written.add(note, line=line)

    def _line_at(self, place: int) -> int:
        """The line that holds a place; places mostly rise."""
        if place >= self._counted:
            self._line += line_ends(self._text, self._counted, place)
        else:
            self._line -= line_ends(self._text, place, self._counted)
        self._counted = place
        return self._line
