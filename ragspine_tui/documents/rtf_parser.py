"""Goes through the tokens of RTF once: groups as a stack of states, destinations as flows of their own."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from ragspine_tui.documents.fields import FieldsBuilder
from ragspine_tui.documents.gathered import GatheredText
from ragspine_tui.documents.rtf_destinations import BOX, DESTINATIONS, FLOWS, Captured, is_silent
from ragspine_tui.documents.rtf_flow import Flow
from ragspine_tui.documents.rtf_state import Head, State, Style, codec_of_charset, codec_of_page

_TOKEN: Final = re.compile(
    r"(?P<text>[^\\{}\r\n\0]+)|(?P<brace>[{}])|\\(?:(?P<word>[a-zA-Z]{1,40})(?P<number>-?\d{1,10})?\ ?"
    r"|'(?P<hex>[0-9a-fA-F]{2})|(?P<symbol>[^a-zA-Z]))|[\r\n\0\\]",
    re.DOTALL,
)
_CHARACTERS: Final = {
    "line": "\n",
    "lbr": "\n",
    "softline": "\n",
    "tab": "\t",
    "emdash": "\u2014",
    "endash": "\u2013",
    "lquote": "\u2018",
    "rquote": "\u2019",
    "ldblquote": "\u201c",
    "rdblquote": "\u201d",
    "bullet": "\u2022",
    "emspace": " ",
    "enspace": " ",
    "qmspace": " ",
    "zwj": "\u200d",
    "zwnj": "\u200c",
}
_SYMBOLS: Final = {"~": " ", "_": "-", "\\": "\\", "{": "{", "}": "}"}
_DEEPEST: Final = 5_000


class RtfParser:
    """Reads one file into `out`; afterwards `fields`, `title`, `apart` (what was written behind the body) are known."""

    def __init__(self, out: GatheredText) -> None:
        self.head = Head()
        self.fields = FieldsBuilder()
        self.apart: list[tuple[str, str]] = []
        self.pictures = False
        self.is_cut_off = False
        self._out = out
        self._state = State()
        self._stack: list[State] = []
        self._deeper = 0
        self._flow = Flow(out)
        self._flows: list[tuple[int, Flow]] = []
        self._pending = bytearray()
        self._skip = 0
        self._high = 0
        self._starred = self._opened = False
        self._captured = Captured(self.fields)
        self._style = Style()
        self._style_number = self._font = 0
        self._words: dict[str, Callable[[int | None], None]] = {
            name[6:]: getattr(self, name) for name in dir(self) if name.startswith("_word_")
        }

    @property
    def title(self) -> str:
        """The text of the paragraph whose style is a title's."""
        return self._flow.title

    def read(self, data: bytes) -> None:
        """Takes every token; what stands behind the last brace is nothing."""
        source = data.decode("latin-1")
        position = max(0, source.find("{\\rtf"))
        while match := _TOKEN.match(source, position):
            position = match.end()
            kind = match.lastgroup
            if kind == "text":
                self._raw(match[0])
            elif kind == "hex":
                self._byte(int(match["hex"], 16))
            elif kind in {"word", "number"}:
                number = int(match["number"]) if match["number"] else None
                if match["word"] == "bin" and number:
                    position += max(0, number)
                self._word(match["word"], number)
            elif kind == "symbol":
                self._symbol(match["symbol"])
            elif kind == "brace" and match[0] == "{":
                self._open()
            elif kind == "brace":
                self._close()
                if not self._stack:
                    break
        self.is_cut_off = bool(self._stack)
        while self._stack:
            self._close()
        self._flow.finish()
        self._write_apart()

    def _write_apart(self) -> None:
        for wanted in ("footnote", "endnote", "comment", "header", "footer"):
            for part, text in dict.fromkeys(self.apart):
                if part == wanted:
                    self._out.add(text, part=part)

    # Text: bytes wait until their code page ends, for two may be one character.

    def _raw(self, text: str) -> None:
        if is_silent(self._state.destination):
            return
        if self._skip:
            left = min(self._skip, len(text))
            self._skip -= left
            text = text[left:]
        if text:
            self._pending += text.encode("latin-1")
            self._opened = False

    def _byte(self, code: int) -> None:
        if self._skip:
            self._skip -= 1
        else:
            self._pending.append(code)
            self._opened = False

    def _decode(self) -> None:
        if self._pending:
            codec = self.head.fonts.get(self._state.font) or self.head.codec
            text = self._pending.decode(codec, "replace")
            self._pending.clear()
            self._say(text)

    def _say(self, text: str) -> None:
        self._high = 0
        destination = self._state.destination
        if destination == "":
            if not self._state.hidden:
                self._flow.pieces.append(text)
        elif destination == "stylesheet":
            self._style.name += text
        elif not is_silent(destination):
            self._captured.say(destination, text)

    def _character(self, text: str) -> None:
        self._decode()
        self._say(text)

    def _symbol(self, symbol: str) -> None:
        if symbol == "*":
            self._starred = self._opened
            return
        self._opened = False
        if self._skip:
            self._skip -= 1
        elif symbol in "\\{}":
            self._pending += symbol.encode()
        elif symbol in _SYMBOLS:
            self._character(_SYMBOLS[symbol])
        elif symbol in "\r\n":
            self._word("par", None)

    # Groups.

    def _open(self) -> None:
        self._decode()
        self._skip = 0
        if len(self._stack) >= _DEEPEST:
            self._deeper += 1
            return
        self._stack.append(self._state)
        self._state = self._state.inner()
        self._opened, self._starred = True, False
        if self._is_stylesheet():
            self._style, self._style_number = Style(), 0

    def _is_stylesheet(self) -> bool:
        """Whether the group around is the style sheet itself, not one of its styles."""
        around = [state.destination == "stylesheet" for state in self._stack[-2:]]
        return around == [False, True]

    def _close(self) -> None:
        self._decode()
        self._skip, self._opened = 0, False
        if self._deeper:
            self._deeper -= 1
            return
        if not self._stack:
            return
        ended, in_sheet = self._state, self._is_stylesheet()
        self._state = self._stack.pop()
        if in_sheet:
            self._style.name = self._style.name.strip(" ;").lower()
            self.head.styles.setdefault(self._style_number, self._style)
        elif ended.destination and ended.destination != self._state.destination:
            self._captured.end(ended.destination)
            self._flow.hanging += [(text, "") for text in self._captured.take_pictures()]
        if self._flows and self._flows[-1][0] == len(self._stack):
            self._leave_flow()

    def _leave_flow(self) -> None:
        part, text = self._flow.part, self._flow.flat()
        _, self._flow = self._flows.pop()
        if part == "comment":
            author = self._captured.take("atnauthor") or self._captured.take("atnid")
            text = f"{author}: {text}" if author and text else text
        if part == BOX:
            self._flow.hanging.append((text, BOX))
        elif text:
            self.apart.append((part, text))

    # Control words.

    def _word(self, word: str, number: int | None) -> None:
        skipped, self._skip = self._skip and word in _CHARACTERS, 0
        if skipped:
            return
        self._decode()
        opened, self._opened = self._opened, False
        starred, self._starred = self._starred, False
        if opened and (word in DESTINATIONS or starred or word in FLOWS):
            self._destination(word)
        elif word == "u":
            self._unicode(number or 0)
        elif self._state.destination:
            self._in_destination(word, number)
        elif word in _CHARACTERS:
            self._say(_CHARACTERS[word])
        elif action := self._words.get(word):
            action(number)

    def _destination(self, word: str) -> None:
        state = self._state
        if word in FLOWS and state.destination == "":
            self._flows.append((len(self._stack) - 1, self._flow))
            self._flow = Flow(None, FLOWS[word])
            state.plain_paragraph()
            state.hidden = False
        elif word == "ud":
            state.destination = self._stack[-2].destination if len(self._stack) > 1 else ""
        elif is_silent(state.destination) and not DESTINATIONS.get(word, "").startswith("="):
            return
        else:
            self.pictures = self.pictures or word == "pict"
            state.destination = DESTINATIONS.get(word, "silent").lstrip("=")
            self._captured.begin(state.destination)
            if state.destination == "listed":
                state.destination = "silent"
                self._stack[-1].listed = True

    def _unicode(self, number: int) -> None:
        code = number & 0xFFFF if number < 0 else number
        self._skip = self._state.skip
        if 0xD800 <= code < 0xDC00:
            self._high = code
            return
        if 0xDC00 <= code < 0xE000:
            code = 0x10000 + ((self._high - 0xD800) << 10) + (code - 0xDC00) if self._high else 0xFFFD
        # Symbol fonts hide their ASCII in the private area.
        code -= 0xF000 if 0xF020 <= code <= 0xF07E else 0
        self._say(chr(code) if code < 0x110000 else "\ufffd")

    def _in_destination(self, word: str, number: int | None) -> None:
        destination = self._state.destination
        if word == "uc":
            self._state.skip = max(0, min(number if number is not None else 1, 100))
        elif destination == "fonttbl":
            self._font_word(word, number)
        elif destination == "stylesheet":
            self._style_word(word, number or 0)
        elif word in _CHARACTERS:
            self._say(_CHARACTERS[word])
        else:
            self._captured.word(destination, word, number)

    def _font_word(self, word: str, number: int | None) -> None:
        if word == "f":
            self._font = number or 0
        elif word in {"fcharset", "cpg"}:
            codec = codec_of_charset(number or 0) if word == "fcharset" else codec_of_page(number or 0)
            if codec:
                self.head.fonts[self._font] = codec

    def _style_word(self, word: str, number: int) -> None:
        if word == "s":
            self._style_number = number
        elif word in {"cs", "ds", "ts"}:
            self._style_number = -1 - number
        elif word == "outlinelevel":
            self._style.outline = number
        elif word == "sbasedon":
            self._style.based_on = number

    def _word_ansicpg(self, number: int | None) -> None:
        self.head.codec = codec_of_page(number or 1252) or self.head.codec

    def _word_mac(self, _number: int | None) -> None:
        self.head.codec = "mac_roman"

    def _word_pc(self, _number: int | None) -> None:
        self.head.codec = "cp437"

    def _word_pca(self, _number: int | None) -> None:
        self.head.codec = "cp850"

    def _word_deff(self, number: int | None) -> None:
        self.head.default_font = self._state.font = number or 0

    def _word_f(self, number: int | None) -> None:
        self._state.font = number or 0

    def _word_uc(self, number: int | None) -> None:
        self._state.skip = max(0, min(number if number is not None else 1, 100))

    def _word_plain(self, _number: int | None) -> None:
        self._state.font, self._state.hidden = self.head.default_font, False

    def _word_v(self, number: int | None) -> None:
        self._state.hidden = number != 0

    _word_deleted = _word_htmlrtf = _word_v

    def _word_pard(self, _number: int | None) -> None:
        self._state.plain_paragraph()

    def _word_s(self, number: int | None) -> None:
        self._state.style = number or 0

    def _word_outlinelevel(self, number: int | None) -> None:
        self._state.outline = number or 0

    def _word_intbl(self, _number: int | None) -> None:
        self._state.in_table = True

    def _word_ls(self, number: int | None) -> None:
        self._state.listed = bool(number)

    def _word_par(self, _number: int | None) -> None:
        self._flow.paragraph(self._state, self.head)

    _word_sect = _word_page = _word_column = _word_par

    def _word_cell(self, _number: int | None) -> None:
        self._flow.cell()

    def _word_row(self, _number: int | None) -> None:
        self._flow.row()

    def _word_nestcell(self, _number: int | None) -> None:
        self._flow.cell(nested=True)

    def _word_nestrow(self, _number: int | None) -> None:
        self._flow.row(nested=True)

    def _word_ftnalt(self, _number: int | None) -> None:
        if self._flow.part == "footnote":
            self._flow.part = "endnote"
