"""Git's wildcards as regular expressions that cannot be made slow by an ignore file from somewhere else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_SPECIAL: Final = frozenset("*?[\\")
_STAR: Final = "*"
_FOLDERS: Final = "**/"
_ANYTHING: Final = "**"
_WITHIN: Final = "[^/]*"
_ACROSS: Final = {_FOLDERS: "(?:[^/]*/)*?", _ANYTHING: r"[\s\S]*?"}
_CLASSES: Final = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r" \t\n\r",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


def wildcard_regex(glob: str, *, whole_path: bool) -> str | None:
    """The regular expression of a glob, None where git lets it match nothing.

    With `whole_path` a `**` between slashes crosses folders; without, the glob is for one name and `**` is `*`.
    A character is a character, also where git compares single bytes.
    """
    tokens = _tokens(glob, whole_path)
    return None if tokens is None else _joined(tokens)


def _tokens(glob: str, whole_path: bool) -> list[str] | None:
    tokens: list[str] = []
    at = 0
    while at < len(glob):
        read = _TOKEN_AT.get(glob[at], _literal)(glob, at, whole_path)
        if read is None:
            return None
        token, at = read
        if token not in (_STAR, _FOLDERS) or tokens[-1:] != [token]:
            tokens.append(token)
    return tokens


def _literal(glob: str, at: int, _: bool) -> tuple[str, int]:
    return re.escape(glob[at]), at + 1


def _escaped(glob: str, at: int, _: bool) -> tuple[str, int] | None:
    return (re.escape(glob[at + 1]), at + 2) if at + 1 < len(glob) else None


def _question(_glob: str, at: int, _: bool) -> tuple[str, int]:
    return "[^/]", at + 1


def _stars(glob: str, at: int, whole_path: bool) -> tuple[str, int]:
    end = at
    while end < len(glob) and glob[end] == "*":
        end += 1
    # Git compares what stands before the first wildcard by itself, so that a `**` right after it begins a pattern too.
    begins = at == 0 or glob[at - 1] == "/" or _SPECIAL.isdisjoint(glob[:at])
    if not whole_path or end - at == 1 or not begins:
        return _STAR, end
    if glob.startswith("/", end):
        return _FOLDERS, end + 1
    return (_ANYTHING if end == len(glob) or glob.startswith("\\/", end) else _STAR), end


def _bracket(glob: str, at: int, _: bool) -> tuple[str, int] | None:
    """The set that begins at `at`; its first member may be `]`, a range that runs backwards is its first character."""
    at += 1
    negated = glob[at : at + 1] in ("!", "^")
    at += negated
    members: list[str] = []
    low = ""
    while at < len(glob) and (glob[at] != "]" or not members):
        if low and glob[at] == "-" and glob[at + 1 : at + 2] not in ("", "]"):
            member = _set_character(glob, at + 1)
            if member is None:
                return None
            high, at = member
            members.append(f"{re.escape(low)}-{re.escape(high)}" if low <= high else re.escape(low))
            low = ""
        elif (name_end := _class_end(glob, at)) > 0:
            named = _CLASSES.get(glob[at + 2 : name_end - 2])
            if named is None:
                return None
            members.append(named)
            low, at = "", name_end
        else:
            member = _set_character(glob, at)
            if member is None:
                return None
            low, at = member
            members.append(re.escape(low))
    if at >= len(glob):
        return None
    return f"(?!/)[{'^' if negated else ''}{''.join(members)}]", at + 1


def _set_character(glob: str, at: int) -> tuple[str, int] | None:
    at += glob[at] == "\\"
    return (glob[at], at + 1) if at < len(glob) else None


def _class_end(glob: str, at: int) -> int:
    """Where a `[:name:]` that begins at `at` ends, 0 where none does."""
    close = glob.find("]", at + 2) if glob.startswith("[:", at) else -1
    return close + 1 if close > at + 2 and glob[close - 1] == ":" else 0


_TOKEN_AT: Final = {"*": _stars, "?": _question, "[": _bracket, "\\": _escaped}


def _joined(tokens: Sequence[str]) -> str:
    """The tokens as one expression that no path makes try the same places over and over."""
    # Where a later wildcard of the same reach takes up the slack, the first place that fits is as good as any other:
    # an atomic group never goes back to what led there.
    parts = _split(tokens, (_FOLDERS, _ANYTHING))
    joined = [_names(parts[0][1])]
    for place, (across, rest) in enumerate(parts[1:], 2):
        piece = _ACROSS[across] + _names(rest)
        joined.append(piece if place == len(parts) else f"(?>{piece})")
    return "".join(joined)


def _names(tokens: Sequence[str]) -> str:
    parts = _split(tokens, (_STAR,))
    joined = ["".join(parts[0][1])]
    for place, (_, rest) in enumerate(parts[1:], 2):
        piece = "".join(rest)
        joined.append(f"{_WITHIN}{piece}" if place == len(parts) else f"(?>{_WITHIN}?{piece})")
    return "".join(joined)


def _split(tokens: Sequence[str], wildcards: tuple[str, ...]) -> list[tuple[str, list[str]]]:
    """The tokens from each of the wildcards to the next; the first part has none."""
    parts: list[tuple[str, list[str]]] = [("", [])]
    for token in tokens:
        if token in wildcards:
            parts.append((token, []))
        else:
            parts[-1][1].append(token)
    return parts
