"""The tokens of LaTeX, and white space as it is printed."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from ragspine_tui.documents import latex_names as names

_NEWLINE: Final = r"(?:\r\n|\r|\n)"
TOKEN: Final = re.compile(
    rf"(?P<comment>%[^\r\n]*+(?:{_NEWLINE}(?![ \t]*{_NEWLINE})[ \t]*+)?)"
    r"|(?P<math>\\\((?:[^\\]|\\(?![()]).){0,5000}?\\\)|\\\[(?:[^\\]|\\(?![\[\]]).){0,20000}?\\\]"
    r"|\$\$(?:[^$\\]|\\.){0,20000}+\$\$|\$(?:[^$\\\r\n]|\\.|[\r\n](?![ \t]*[\r\n])){1,5000}+\$)"
    r"|(?P<word>\\(?:[a-zA-Z@]++|[\"'`^~=.](?=[{\\a-zA-Z]))\*?)"
    r"|(?P<symbol>\\(?:\r\n|.)?)"
    rf"|(?P<par>{_NEWLINE}[ \t]*+(?:{_NEWLINE}[ \t]*+)++)"
    r"|(?P<sign>[{}&])"
    r"|(?P<text>[^\\%{}&$\r\n]++|\r\n|[\r\n$])",
    re.DOTALL,
)
OPTION: Final = re.compile(
    r"[ \t]*+(?:\r?\n[ \t]*+)?\[((?:[^\[\]{}\\]|\\.|\[[^\[\]]{0,100}\]|\{[^{}]{0,300}\}){0,500})\]"
)
GROUP: Final = re.compile(r"[ \t]*+(?:\r?\n[ \t]*+)?\{")
BRACE: Final = re.compile(r"[{}]|\\.|%[^\r\n]*+", re.DOTALL)
BEFORE_WORD: Final = re.compile(r"[ \t]*+(?:\r?\n[ \t]*+(?!\r?\n))?")
VERB: Final = re.compile(
    r"\\(?:verb|lstinline|mintinline)\*?(?:\[[^\[\]]*\])?(?:([^\w\s*{])([^\r\n]*?)\1|\{([^{}\r\n]*)\})"
)
LETTER: Final = re.compile(
    r"[ \t]*(?:\{[ \t]*(\\[ij](?![a-zA-Z])|[^\W\d_])[ \t]*\}|(\\[ij](?![a-zA-Z])|[^\W\d_])|(\{\}))"
)
ENVIRONMENT: Final = re.compile(r"[ \t]*\{([^{}\\\r\n]{1,60})\}")
DEFINED: Final = re.compile(r"[ \t]*+(?:\{?[ \t]*+\\([a-zA-Z@]+)[ \t]*\}?|\{([a-zA-Z*]+)\})")
BODY: Final = re.compile(r"(?<!\\)\\begin[ \t]*\{document\}")
_COMMAND: Final = re.compile(r"\\([a-zA-Z@]+)\*?[ \t]*|[{}]|\\(.)", re.DOTALL)
_SPACE: Final = re.compile(r"[ \t\u00a0]+")
_LINE_END: Final = re.compile(r" ?(?:\r\n|\r|\n) ?")
_AROUND: Final = re.compile(r" *([\x1c\x1d]) *")
_CJK: Final = r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60\U00020000-\U0003ffff]"
_CJK_BREAK: Final = re.compile(rf"(?<={_CJK})[ \t]*\r?\n[ \t]*(?={_CJK})")
SIGNS: Final = re.compile(r"---|--|``|''|~")
SIGN_OF: Final = {"---": "—", "--": "–", "``": "“", "''": "”", "~": " "}
TOP: Final = 8_192
IS_GERMAN: Final = re.compile(r"\\(?:usepackage|documentclass|selectlanguage)[^%\r\n]{0,200}\bn?german\b")
GERMAN: Final = re.compile(r"\"([aouAOUszSZ`'=~-])")
_GERMAN_OF: Final = {"s": "ß", "z": "ß", "S": "SS", "Z": "SZ", "`": "„", "'": "“", "=": "-", "~": "-", "-": ""}
CELL: Final = "\x1c"
BREAK: Final = "\x1d"


def german(match: re.Match[str]) -> str:
    """What a shorthand of the German packages stands for: `"a` is ä, `"-` may be a hyphen at a line's end."""
    sign = match[1]
    return _GERMAN_OF.get(sign) or ("" if sign == "-" else unicodedata.normalize("NFC", f"{sign}\u0308"))


def clean(text: str, *, lines: bool = True) -> str:
    """A block's text with white space as it is printed; where a line of the file ended, one ends still, if `lines`."""
    if not text.isascii():
        text = _CJK_BREAK.sub("", text)
    text = _LINE_END.sub(BREAK if lines else " ", _SPACE.sub(" ", text))
    text = _AROUND.sub(r"\1", _SPACE.sub(" ", text)).strip(f" {BREAK}")
    return text.replace(CELL, "\t").replace(BREAK, "\n").strip("\n")


def flat(text: str) -> str:
    """A short argument without its commands."""
    return _COMMAND.sub(lambda match: names.SYMBOLS.get(match[1] or match[2] or "", ""), text).replace("~", " ")
