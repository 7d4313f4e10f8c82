"""The words that a line of mdoc prints: its macros call one another, so a line is read word by word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

_PAIRS: Final = {
    "Op": ("[", "]"),
    "Oo": ("[", ""),
    "Bq": ("[", "]"),
    "Bo": ("[", ""),
    "Pq": ("(", ")"),
    "Po": ("(", ""),
    "Aq": ("<", ">"),
    "Ao": ("<", ""),
    "Brq": ("{", "}"),
    "Bro": ("{", ""),
    "Dq": ("“", "”"),
    "Do": ("“", ""),
    "Qq": ('"', '"'),
    "Qo": ('"', ""),
    "Sq": ("‘", "’"),
    "So": ("‘", ""),
    "Ql": ("‘", "’"),
}
_CLOSING: Final = {"Oc": "]", "Bc": "]", "Pc": ")", "Ac": ">", "Brc": "}", "Dc": "”", "Qc": '"', "Sc": "’", "Fc": ")"}
_SYSTEMS: Final = {
    "Bx": "BSD",
    "Nx": "NetBSD",
    "Fx": "FreeBSD",
    "Ox": "OpenBSD",
    "Dx": "DragonFly",
    "Bsx": "BSD/OS",
    "Ux": "UNIX",
    "At": "AT&T UNIX",
}
_PLAIN: Final = frozenset(
    """
    Fl Cm Ic Ar In Xr Ap Ad An Cd Dv Em Er Ev Fa Fr Ft Hf Lb Li Lk Ms Mt No Pa Sx Sy Tn Va Vt Bf Ef St Nm Fn Fo Pf Ns Xo
    Xc Ta Eo Ec Es En
    """.split()  # noqa: SIM905
)
MACROS: Final = frozenset({*_PAIRS, *_CLOSING, *_SYSTEMS, *_PLAIN})
_ATTACHED: Final = frozenset(".,:;?!)]")
_OPENING: Final = frozenset("([")


class MdocLine:
    """What is printed of one line; `name` is the page's own, which `Nm` alone stands for."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._out: list[str] = []
        self._glued = True
        self._ends: list[str] = []

    def read(self, words: Sequence[str]) -> str:
        """The text of a macro and its arguments."""
        place = 0
        while place < len(words):
            word = words[place]
            place += 1
            if word in MACROS:
                arguments = list(_arguments(words, place))
                place += len(arguments)
                self._macro(word, arguments, last=place >= len(words))
            elif word in _ATTACHED and place >= len(words):
                self._close()
                self._add(word)
            else:
                self._add(word)
        self._close()
        return "".join(self._out)

    def _add(self, word: str) -> None:
        if not word:
            return
        attached = self._glued or word in _ATTACHED
        self._out.append(word if attached else f" {word}")
        self._glued = word in _OPENING

    def _close(self) -> None:
        while self._ends:
            self._out.append(self._ends.pop())

    def _macro(self, name: str, words: list[str], *, last: bool) -> None:
        tail = [words.pop()] if last and words and words[-1] in _ATTACHED and words[-1] else []
        if name in _PAIRS:
            opening, closing = _PAIRS[name]
            self._open(opening)
            if closing:
                self._ends.append(closing)
            self._all(words)
        elif name in _CLOSING:
            self._out.append(_CLOSING[name])
            self._glued = False
            self._all(words)
        elif name in _SYSTEMS:
            self._all([_SYSTEMS[name], *words])
        else:
            self._known(name, words)
        if tail:
            self._close()
            self._all(tail)

    def _open(self, sign: str) -> None:
        self._add(sign)
        self._glued = True

    def _all(self, words: Sequence[str]) -> None:
        for word in words:
            self._add(word)

    def _known(self, name: str, words: list[str]) -> None:
        if name == "Fl":
            self._all([f"-{word}" if word not in _ATTACHED | {"|"} else word for word in words] or ["-"])
            # Alone it is the hyphen of what follows: `Fl Fl verbose`.
            self._glued = not words
        elif name == "Ar":
            self._all(words or ["file", "..."])
        elif name == "Nm":
            self._all(words or [self.name])
        elif name == "Xr" and len(words) > 1:
            self._all([f"{words[0]}({words[1]})", *words[2:]])
        elif name == "Fn" and words:
            self._all([f"{words[0]}({', '.join(words[1:])})"])
        elif name == "Fo" and words:
            self._all([f"{words[0]}("])
        elif name == "In" and words:
            self._all([f"<{words[0]}>", *words[1:]])
        elif name in ("Ns", "Ap", "Pf"):
            self._out.append("'" if name == "Ap" else "")
            self._all(words[:1] if name == "Pf" else ())
            self._glued = True
            self._all(words[1:] if name == "Pf" else words)
        elif name == "Ta":
            self._out.append("\t")
            self._glued = True
            self._all(words)
        else:
            self._all(words)


def _arguments(words: Sequence[str], start: int) -> Iterator[str]:
    """The words from `start` up to the next macro."""
    for place in range(start, len(words)):
        if words[place] in MACROS:
            return
        yield words[place]
