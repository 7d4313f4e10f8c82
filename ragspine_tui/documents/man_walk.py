"""One pass over the lines of a manual page: requests and macros act, all else is text."""

from __future__ import annotations

import re
from typing import Final

from ragspine_tui.documents.bounds import check_count
from ragspine_tui.documents.extracted import MAX_TEXT, ExtractedText
from ragspine_tui.documents.fields import FieldsBuilder
from ragspine_tui.documents.lines import line_ends, numbered_lines
from ragspine_tui.documents.man_tables import ManTable
from ragspine_tui.documents.mdoc_words import MACROS, MdocLine
from ragspine_tui.documents.roff_escapes import STRINGS, printed, without_comment
from ragspine_tui.types import BlockKind

_REQUEST: Final = re.compile(r"[.'][ \t]*+(\\?[^\s\\]{1,40}|)[ \t]*+(.*)\Z", re.DOTALL)
_ARGUMENT: Final = re.compile(r'[ \t]*+(?:"((?:[^"]|"")*+)"?|((?:[^ \t\\]|\\.?)++))', re.DOTALL)
_BRACES: Final = re.compile(r"\\[{}]")
_CONDITION: Final = re.compile(
    r"[ \t]*+(!?)[ \t]*+([a-z](?![a-z])|\\n\([.\w]{2}|\\n\[[^\]]*\]|'[^']*'[^']*'|\([^ \t]*\)|[^ \t\\{]+|\\\S+)"
)
_DATE: Final = re.compile(r"\$Mdocdate:?[ \t]*(.*?)[ \t]*\$\Z")
_ALTERNATING: Final = frozenset({"BR", "BI", "IB", "IR", "RB", "RI"})
_FONTS: Final = frozenset({"B", "I", "R", "SM", "SB"})
_BREAKS: Final = frozenset("PP P LP Pp Lp HP RS RE sp Sp bp SP br Bl El Bk Ek ne".split())  # noqa: SIM905
_CODE_OPENS: Final = frozenset({"nf", "EX", "Vb", "DS", "CS"})
_CODE_ENDS: Final = frozenset({"fi", "EE", "Ve", "DE", "CE"})
_SILENT: Final = frozenset(
    """
    ad af bd bo box c2 cc ce cf ch cs ct cu cflags da di do dt DT ec em eo ev evc fc ft fl fp ftr fam fspecial hc hw
    hy hym hpf hla hlm IX in it kern lc lf lg linetabs ll ls lt mc mk mso na nh nm nn nr ns nx Os PD pc pi pl pm pn po
    psbb pso ptr pv rchar rd rj rm rn rnn rr rs rt Sm shift so spreadwarn special ss sty sv sy ta tc ti tkf tl tm tm1 tr
    trf trin trnt troff uf ul UC vpt vs warn warnscale wh write AT Db Rs Re hys BB BE VS VE AS
    """.split()  # noqa: SIM905
)
_REFERENCES: Final = frozenset("%A %B %C %D %I %J %N %O %P %Q %R %T %U %V".split())  # noqa: SIM905
_STANDARD: Final = {
    "Ex": "The {} utility exits 0 on success, and >0 if an error occurs.",
    "Rv": "The {} function returns the value 0 if successful; otherwise the value -1 is returned.",
}
_LONGEST_STRING: Final = 200
_MOST_STRINGS: Final = 1_000
_MOST_CONDITIONS: Final = 20


class ManWalk:
    """Writes the page's blocks; `fill` says whether lines run together."""

    def __init__(self, text: str, written: ExtractedText, fields: FieldsBuilder) -> None:
        self._lines = numbered_lines(text)
        self._written = written
        self._fields = fields
        self._out: list[str] = []
        self._first = self._now = self._size = 0
        self._join = ""
        self._code = self._tagged = False
        self._awaits = ""
        self._strings = dict(STRINGS)
        self._name = ""
        self._section = ""
        self._skip = 0
        self._until = ""
        self._last_if = False
        self._table: ManTable | None = None

    def read(self, start: int) -> None:
        """Takes every line from the character `start` on."""
        text = self._lines.text
        number = self._lines.index_after(line_ends(text, 0, start)) if start else 0
        while number < len(self._lines):
            self._now = self._lines.numbers[number]
            line = self._lines.line(number)
            number += 1
            # A backslash at the end joins lines.
            if line.endswith("\\") and not line.endswith("\\\\"):
                pieces = [line[:-1]]
                while number < len(self._lines) and len(pieces) < 200:
                    more = self._lines.line(number)
                    number += 1
                    pieces.append(more[:-1] if more.endswith("\\") and not more.endswith("\\\\") else more)
                    if pieces[-1] is more:
                        break
                line = "".join(pieces)
            self._take(line)
        self._end_table()
        self._flush()

    def _take(self, line: str) -> None:
        # A condition may guard another one.
        for _ in range(_MOST_CONDITIONS):
            line = self._one(line)
            if not line:
                return

    def _one(self, line: str) -> str:
        """Takes a line; what a condition in it guards, if that is to be taken too."""
        if self._until:
            if line.startswith((".", "'")) and line[1:].strip() == self._until:
                self._until = ""
        elif self._skip:
            found = [sign[0][1] for sign in _BRACES.finditer(line)]
            self._skip = max(0, self._skip + found.count("{") - found.count("}"))
        elif self._table and self._table.takes(line):
            self._table.take(line, self._now, self._strings_for(line))
        elif line[:1] in (".", "'"):
            return self._request(line)
        else:
            self._text(line)
        return ""

    def _request(self, line: str) -> str:
        match = _REQUEST.match(line)
        name, rest = (match[1], match[2]) if match else ("", "")
        if not name or name.startswith("\\"):
            return ""
        if name in ("if", "ie", "el", "while"):
            return self._condition(name, rest)
        if name in ("de", "de1", "am", "ig", "dei", "ami"):
            words = rest.split()
            self._until = words[0] if name == "ig" and words else words[1] if len(words) > 1 else "."
        elif name in ("ds", "as", "ds1"):
            key, _, value = rest.partition(" ")
            self._strings[key] = value.strip().removeprefix('"')[:_LONGEST_STRING]
        elif name == "TS":
            self._flush()
            self._table = ManTable()
        elif name == "TE":
            self._end_table()
        else:
            self._macro(name, without_comment(rest))
        return ""

    def _condition(self, name: str, rest: str) -> str:
        """What a condition guards if a terminal would show it."""
        true = not self._last_if
        if name != "el":
            match = _CONDITION.match(rest)
            tested = match[2] if match else ""
            true = tested == "n" or tested.startswith(("\\n(.g", "(\\n(.g"))
            true = true != bool(match and match[1])
            rest = rest[match.end() :] if match else rest
            if name == "ie":
                self._last_if = true
        guarded = rest.lstrip()
        opens = guarded.startswith("\\{")
        if not true:
            found = [sign[0][1] for sign in _BRACES.finditer(guarded)]
            self._skip = max(0, found.count("{") - found.count("}")) if opens else 0
            return ""
        return guarded.removeprefix("\\{").replace("\\}", "").strip()

    def _macro(self, name: str, rest: str) -> None:
        if name in ("SH", "Sh", "SS", "Ss"):
            self._flush()
            self._code = self._tagged = False
            self._awaits = name
            if rest.strip():
                self._heading(" ".join(self._words(rest)))
        elif name in ("TH", "Dt", "Dd"):
            self._title(name, self._words(rest))
        elif name in _CODE_OPENS or name in _CODE_ENDS or name in ("Bd", "Ed"):
            self._flush()
            self._code = name in _CODE_OPENS or (name == "Bd" and ("-literal" in rest or "-unfilled" in rest))
        elif name in _BREAKS:
            self._break(name)
        elif name in ("TP", "TQ", "IP", "It"):
            self._item(name, rest)
        elif name not in _SILENT:
            self._words_of(name, rest)

    def _break(self, name: str) -> None:
        if name in ("br", "ne", "Bk", "Ek"):
            if not self._code and self._out and name == "br":
                self._join = "\n"
            return
        if self._code and name in ("sp", "Sp", "PP", "P", "LP", "Pp", "Lp"):
            self._flush()
            return
        self._flush()
        self._tagged = False

    def _title(self, name: str, words: list[str]) -> None:
        if name == "Dd":
            if date := _DATE.sub(r"\1", " ".join(words)):
                self._fields.add("date", date)
            return
        if words:
            page = words[0].lower() if words[0].isupper() else words[0]
            self._fields.add("title", f"{page}({words[1]})" if len(words) > 1 else page)
            self._name = self._name or page
        if len(words) > 1:
            self._fields.add("section", words[1])
        if name == "TH" and len(words) > 2 and any(map(str.isdigit, words[2])):
            self._fields.add("date", words[2])

    def _heading(self, text: str) -> None:
        level = 1 if self._awaits in ("SH", "Sh") else 2
        self._awaits = ""
        self._section = text.casefold()
        self._written.add(" ".join(text.split()), BlockKind.HEADING, line=self._now, level=level)

    def _item(self, name: str, rest: str) -> None:
        if name != "TQ":
            self._flush()
        self._tagged = True
        words = self._words(rest)
        if name == "IP" and words:
            self._put(words[0])
            self._join = " "
        elif name == "It" and words:
            self._put(MdocLine(self._name).read(words))
            self._join = "\n"
        elif name in ("TP", "TQ"):
            self._awaits = "TP"

    def _words_of(self, name: str, rest: str) -> None:
        """A macro that prints its arguments."""
        words = self._words(rest)
        if name in _ALTERNATING:
            self._line("".join(words))
        elif name in _FONTS:
            self._line(" ".join(words))
        elif name == "OP":
            self._line(f"[{' '.join(words)}]")
        elif name == "SY":
            self._flush()
            self._line(" ".join(words))
        elif name in ("UR", "MT"):
            self._line(" ".join(words[:1]))
        elif name in ("UE", "ME"):
            self._out.append("".join(words))
        elif name == "MR" and len(words) > 1:
            self._line(f"{words[0]}({words[1]}){''.join(words[2:])}")
        elif name in ("Ex", "Rv") and words:
            self._line(_STANDARD[name].format(", ".join(words[1:]) or self._name))
        elif name == "Nd":
            self._line(f"– {' '.join(words)}")
        elif name in ("D1", "Dl"):
            self._line(MdocLine(self._name).read(words))
            self._join = "\n"
        elif name in _REFERENCES:
            self._line(f"{' '.join(words)},")
        elif name in MACROS or name == "Nm":
            if name == "Nm" and words and self._section == "name":
                self._name = words[0]
            self._line(MdocLine(self._name).read([name, *words]))
        elif words:
            self._line(" ".join(words))

    def _words(self, rest: str) -> list[str]:
        words = [
            quoted.replace('""', '"') if quoted or not bare else bare
            for quoted, bare in _ARGUMENT.findall(rest.rstrip())
        ]
        return [self._printed(word) for word in words]

    def _printed(self, text: str) -> str:
        return printed(text, self._strings_for(text))

    def _strings_for(self, text: str) -> dict[str, str]:
        """The strings a text may use: one that uses very many gets none, for each may stand for many characters."""
        return self._strings if text.count("\\*") <= _MOST_STRINGS else {}

    def _text(self, line: str) -> None:
        line = without_comment(line)
        if not line.strip():
            if self._code and self._out:
                self._out.append("\n")
            elif not self._code:
                self._flush()
            return
        glued = line.endswith("\\c")
        shown = self._printed(line)
        if line[0].isspace() and not self._code and self._out:
            self._join = "\n"
        self._line(shown if self._code else " ".join(shown.split()))
        if glued:
            self._join = "\0"

    def _line(self, text: str) -> None:
        """One line of output, or what the macro above waits for."""
        if self._awaits in ("SH", "Sh", "SS", "Ss"):
            self._heading(text)
            return
        self._put(text)
        if self._awaits == "TP":
            self._awaits = ""
            self._join = "\n"

    def _put(self, text: str) -> None:
        if not text:
            return
        if not self._out:
            self._first = self._now
        else:
            self._out.append("\n" if self._code else "" if self._join == "\0" else self._join or " ")
        self._join = ""
        self._out.append(text)
        self._size += len(text)
        check_count(self._size, MAX_TEXT, "characters of text")

    def _flush(self) -> None:
        text = "".join(self._out).rstrip() if self._code else "".join(self._out).strip()
        self._out, self._join = [], ""
        kind = BlockKind.CODE if self._code else BlockKind.LIST if self._tagged else BlockKind.PARAGRAPH
        self._written.add(text, kind, line=self._first)

    def _end_table(self) -> None:
        table, self._table = self._table, None
        for line, row in table.rows() if table else ():
            self._written.add(row, BlockKind.TABLE, line=line)
