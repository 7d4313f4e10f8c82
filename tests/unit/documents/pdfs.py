"""PDF files written by hand: pages of drawn text, an outline, an information dictionary, encryption."""

from __future__ import annotations

import codecs
import hashlib
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

PLAIN, BOLD, WIDE, UPRIGHT = "F1", "F2", "F3", "F4"
"""Helvetica, its bold face, a font of any characters, and the same set in columns from top to bottom."""

_PAD = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")


def line(x: float, y: float, text: str, size: float = 12, font: str = PLAIN, matrix: str = "1 0 0 1") -> str:
    """The command that draws `text` at a place of the page."""
    if font in (WIDE, UPRIGHT):
        shown = f"<{text.encode('utf-16-be').hex()}>"
    else:
        shown = "(" + text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)") + ")"
    return f"BT /{font} {size} Tf {matrix} {x} {y} Tm {shown} Tj ET"


def lines(texts: Iterable[str], x: float = 72, y: float = 700, size: float = 12, step: float = 14) -> str:
    """Lines below each other."""
    return "".join(line(x, y - number * step, text, size) + "\n" for number, text in enumerate(texts))


@dataclass
class Pdf:
    """A file to write: contents of pages, `outline` as (title, level, page from 1), `remarks` as entries by page.

    `meanings` are texts that wide characters stand for, instead of themselves. `packed` says how often the contents are
    deflated; with a `password`, even an empty one, the file is encrypted.
    """

    pages: Sequence[str]
    info: dict[str, str] = field(default_factory=dict)
    outline: Sequence[tuple[str, int, int]] = ()
    remarks: dict[int, list[str]] = field(default_factory=dict)
    rotate: int = 0
    language: str = ""
    password: str | None = None
    packed: int = 0
    attached: dict[str, bytes] = field(default_factory=dict)
    meanings: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._objects: dict[int, bytes] = {}
        self._key = b""
        self._widgets: list[int] = []

    def content(self) -> bytes:
        """The whole file, with a right cross-reference table."""
        trailer = self._encryption() if self.password is not None else ""
        first = 20
        kids = []
        for number, content in enumerate(self.pages):
            page, stream = first + 2 * number, first + 2 * number + 1
            kids.append(f"{page} 0 R")
            self._stream(stream, content.encode("latin-1"), self.packed)
            remarks = "".join(f" {self._remark(entry)} 0 R" for entry in self.remarks.get(number + 1, []))
            self._put(
                page,
                f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Rotate {self.rotate}/Contents {stream} 0 R"
                f"/Resources<</Font<</F1 3 0 R/F2 4 0 R/F3 5 0 R/F4 6 0 R>>>>/Annots[{remarks}]>>",
            )
        marks = self._marks(first + 2 * len(self.pages)) if self.outline else ""
        language = f"/Lang{self._string(1, self.language)}" if self.language else ""
        form = f"/AcroForm<</Fields[{' '.join(f'{one} 0 R' for one in self._widgets)}]>>" if self._widgets else ""
        names = "".join(self._file_entry(name, data) for name, data in sorted(self.attached.items()))
        files = f"/Names<</EmbeddedFiles<</Names[{names}]>>>>" if names else ""
        self._put(1, f"<</Type/Catalog/Pages 2 0 R{marks}{language}{form}{files}>>")
        self._put(2, f"<</Type/Pages/Count {len(kids)}/Kids[{' '.join(kids)}]>>")
        self._fonts()
        if self.info:
            self._put(10, f"<<{''.join(f'/{key}{self._string(10, value)}' for key, value in self.info.items())}>>")
            trailer += "/Info 10 0 R"
        return self._file(trailer)

    def _file(self, trailer: str) -> bytes:
        body = b"%PDF-1.4\n"
        places = {}
        for number in sorted(self._objects):
            places[number] = len(body)
            body += b"%d 0 obj\n%s\nendobj\n" % (number, self._objects[number])
        size = max(places) + 1
        table = f"xref\n0 {size}\n0000000000 65535 f \n"
        for number in range(1, size):
            table += f"{places[number]:010d} 00000 n \n" if number in places else "0000000000 65535 f \n"
        end = f"trailer\n<</Size {size}/Root 1 0 R{trailer}>>\nstartxref\n{len(body)}\n%%EOF\n"
        return body + (table + end).encode("latin-1")

    def _fonts(self) -> None:
        self._put(3, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
        self._put(4, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>")
        for number, way in ((5, "H"), (6, "V")):
            self._put(
                number,
                f"<</Type/Font/Subtype/Type0/BaseFont/Wide/Encoding/Identity-{way}/DescendantFonts[7 0 R]"
                "/ToUnicode 9 0 R>>",
            )
        system = "<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"
        self._put(
            7, f"<</Type/Font/Subtype/CIDFontType2/BaseFont/Wide/CIDSystemInfo{system}/FontDescriptor 8 0 R/DW 1000>>"
        )
        self._put(8, "<</Type/FontDescriptor/FontName/Wide/Flags 4/Ascent 880/Descent -120/FontBBox[0 -120 1000 880]>>")
        codes = sorted({code for content in self.pages for code in _codes(content)})
        meant = {char.encode("utf-16-be").hex(): text.encode("utf-16-be").hex() for char, text in self.meanings.items()}
        pairs = "".join(f"<{code}> <{meant.get(code, code)}>\n" for code in codes)
        mapping = f"1 begincodespacerange <0000> <ffff> endcodespacerange\n{len(codes)} beginbfchar\n{pairs}endbfchar\n"
        self._stream(9, f"/CIDInit /ProcSet findresource begin begincmap\n{mapping}endcmap end".encode())

    def _marks(self, first: int) -> str:
        """Bookmarks, each a child of the last one before it that is higher."""
        count = len(self.outline)
        levels = [level for _, level, _ in self.outline]
        parents = [next((j for j in range(i - 1, -1, -1) if levels[j] < levels[i]), -1) for i in range(count)]
        self._put(first + count, _family(first, [i for i in range(count) if parents[i] < 0]))
        for number, (title, _, page) in enumerate(self.outline):
            same = [i for i in range(count) if parents[i] == parents[number]]
            after = [i for i in same if i > number]
            following = f"/Next {first + after[0]} 0 R" if after else ""
            family = _family(first, [i for i in range(count) if parents[i] == number])[2:-2]
            parent = first + (parents[number] if parents[number] >= 0 else count)
            name = self._string(first + number, title)
            self._put(
                first + number,
                f"<</Title{name}/Parent {parent} 0 R/Dest[{18 + 2 * page} 0 R/Fit]{following}{family}>>",
            )
        return f"/Outlines {first + count} 0 R"

    def _remark(self, entry: str) -> int:
        number = 200 + len(self._objects)
        self._put(number, f"<</Type/Annot/Rect[9 9 99 29]{entry}>>")
        if "/Widget" in entry:
            self._widgets.append(number)
        return number

    def _file_entry(self, name: str, data: bytes) -> str:
        number = 400 + len(self._objects)
        self._stream(number, data)
        said = self._string(1, name)
        return f"{said}<</Type/Filespec/F{said}/UF{said}/EF<</F {number} 0 R>>>>"

    def _string(self, number: int, value: str) -> str:
        return f"<{self._secret(number, codecs.BOM_UTF16_BE + value.encode('utf-16-be')).hex()}>"

    def _put(self, number: int, body: str) -> None:
        self._objects[number] = body.encode("latin-1")

    def _stream(self, number: int, data: bytes, packed: int = 0) -> None:
        for _ in range(packed):
            data = zlib.compress(data, 9)
        data = self._secret(number, data)
        filters = b"/Filter[" + b"/FlateDecode" * packed + b"]" if packed else b""
        self._objects[number] = b"<<%s/Length %d>>\nstream\n%s\nendstream" % (filters, len(data), data)

    def _encryption(self) -> str:
        """The oldest way (40 bits): enough to need a password."""
        user = ((self.password or "").encode() + _PAD)[:32]
        owner = _rc4(hashlib.md5(_PAD).digest()[:5], user)
        self._key = hashlib.md5(user + owner + b"\xfc\xff\xff\xff" + b"id").digest()[:5]
        check = _rc4(self._key, _PAD)
        return f"/ID[<6964><6964>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<{owner.hex()}>/U<{check.hex()}>>>"

    def _secret(self, number: int, data: bytes) -> bytes:
        if not self._key:
            return data
        return _rc4(hashlib.md5(self._key + number.to_bytes(3, "little") + b"\0\0").digest()[:10], data)


def _family(first: int, children: Sequence[int]) -> str:
    if not children:
        return "<<>>"
    return f"<</Count {len(children)}/First {first + children[0]} 0 R/Last {first + children[-1]} 0 R>>"


def _codes(content: str) -> list[str]:
    """The characters of the text that is drawn in the wide fonts."""
    shown = [part.partition(">")[0] for part in content.split("<")[1:]]
    return [part[at : at + 4] for part in shown for at in range(0, len(part), 4)]


def _rc4(key: bytes, data: bytes) -> bytes:
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    i = j = 0
    out = bytearray()
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)
