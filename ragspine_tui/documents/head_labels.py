"""The label a text declares at its very top without front matter: a bare line, a comment, a keyword, a data key.

Also what only looks like a label, so that nobody takes a document for restricted that is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from ragspine_tui.documents.labels import FIELD, UNKNOWN, distinct, fenced_end, html_named, label_named, plain_head
from ragspine_tui.types import NOT_RESTRICTED, Sensitivity

_HEAD_CHARS: Final = 16_384
_HEAD_LINES: Final = 200
_LINE_CHARS: Final = 4_096
_PROSE_WORDS: Final = 6
_RESTRICTED: Final = Sensitivity.RESTRICTED.value
_WORDS: Final = r"(?:(?:rem|dnl|export|set|const|let|var|final|static|string|str)\s{1,8})?"
_DOTS: Final = r"(?:[\w-]{1,60}\.){0,8}"
_KEY: Final = re.compile(
    rf"""(?<![^\W_]){FIELD}(?![^\W_])(?P<close>[^\w\s:=<>,]{{0,4}}|_{{1,4}}["'`*]{{0,4}})"""
    rf"""(?:\s{{0,8}}(?:=>|:=|[:=])|(?P<tag>[^<>]{{0,200}}>)|[ \-–—→>]{{1,16}}(?={_RESTRICTED}[\W_]*\Z))"""
)
_BEFORE: Final = re.compile(rf"[\W_]{{0,200}}{_WORDS}{_DOTS}[\W_]{{0,8}}\Z")
_IN_FLOW: Final = re.compile(r"""[{\[(,<\s]["'`*_@.$-]{0,4}\Z""")
_SIGNS: Final = re.compile(r"[\W_]*\Z")
_COMMENT: Final = re.compile(
    r"""(?:\#|//|/\*|\*|%|;|--|<!|<\?|\{-|\(\*|\"\"\"|'''|\.\.|@|\+|[{\[\]}()]|<|(?:rem|dnl|export|set)\s)"""
)
_ANY_KEY: Final = re.compile(
    rf"""[\W_]{{0,40}}{_WORDS}{_DOTS}[\W_]{{0,8}}(?P<key>\w[\w -]{{0,60}}?)[^\w\s:=<>,]{{0,4}}\s{{0,8}}"""
    r"""(?:=>|:=|[:=])(?P<value>.*)"""
)
_DECLARED: Final = re.compile(r"(?::|#\+|\.\.\s)\s?\w")
_ITEM: Final = re.compile(r"\s+\S|-\s")
_CLOSERS: Final = re.compile(r"(?:(?<!\s)\s*(?:-->|\*/|-\}|\*\)|\"\"\"|'''|\s(?:#|//).*))+\Z")
_NUMBER: Final = re.compile(r"[-+]?[\d.,]+(?:e[-+]?\d+)?\s?\S{0,8}\Z")
_STRICT_STEMS: Final = ("restrict", "confiden", "secret", "privat", "classified", "sensitive")
_ALIKE: Final = 0.8
_OTHER_KEYS: Final = frozenset({"classification", "confidentiality", "secrecy", "privacy"})


@dataclass(frozen=True, slots=True)
class HeadLabels:
    """The labels at the top of a text, and one-line remarks on what looks like a label there and is none."""

    labels: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def head_labels(text: str, *, hashes_are_headings: bool = False) -> HeadLabels:
    """The labels in the lines a text opens with; in a front matter's lines only what looks like one is told.

    In a heading, below a title and in nested data only `restricted` counts: other words there are about something else.
    """
    fenced = fenced_end(text)
    head = plain_head(text[: min(fenced or _HEAD_CHARS, _HEAD_CHARS)])
    reading = _Reading(hashes_are_headings=hashes_are_headings, fenced=bool(fenced))
    found = list(reading.read(head))
    labels = distinct(label for label, _ in found if label)
    notes = tuple(note for _, note in found if note)[:2]
    return HeadLabels(labels, notes)


def html_doubts(source: str) -> tuple[str, ...]:
    """Remarks on the meta elements of a page that only look like a label."""
    return tuple(doubt(name) for name, value in html_named(source) if looks_like_label(name, value))[:2]


def looks_like_label(key: str, value: str) -> bool:
    """Whether a folded key and value can hardly mean anything but `sensitivity: restricted`."""
    bare = value.strip(" \t\"'`*_.,;")
    near_value = any(stem in bare for stem in _STRICT_STEMS) or _alike(bare, _RESTRICTED)
    if key == FIELD or not near_value or len(bare.split()) > _PROSE_WORDS:
        return False
    return _alike(key, FIELD) or "sensitiv" in key or key in _OTHER_KEYS or bare == _RESTRICTED


def doubt(key: str) -> str:
    """The remark on a key that looks like the one of labels."""
    return f"{key[:40]!r} is no key of labels, {NOT_RESTRICTED}; write {FIELD}: {_RESTRICTED}"


class _Reading:
    """One pass over the lines of a head."""

    def __init__(self, *, hashes_are_headings: bool, fenced: bool) -> None:
        self._headings = hashes_are_headings
        self._fenced = fenced
        self._depth = 0
        self._first = ""
        self._titled = self._gap = False

    def read(self, head: str) -> Iterator[tuple[str, str]]:
        """Labels and remarks, one pair a line that has either."""
        for number, line in enumerate(re.split(r"\r\n|\r|\n", head)[:_HEAD_LINES], 1):
            line = line[:_LINE_CHARS]
            bare = line.strip()
            if not bare:
                self._gap |= self._titled
                continue
            if self._gap and not _DECLARED.match(bare):
                return
            known = self._label(line, bare)
            if not (known or self._belongs(line, bare)):
                return
            label, note = known or self._near(line)
            if label or note:
                yield label, f"line {number}: {note}" if note else ""
            self._first = self._first or bare
            self._depth += sum(map(line.count, "{[")) - sum(map(line.count, "}]"))
            self._titled |= bare[0] == "#" and self._headings

    def _belongs(self, line: str, bare: str) -> bool:
        """Whether the text's own words have not begun; its first line may be a title."""
        if self._fenced or self._depth > 0 or _SIGNS.match(bare) or _COMMENT.match(bare) or _ANY_KEY.match(bare):
            return True
        if not self._first:
            self._titled = True
            return len(bare) <= 100
        return bool(_ITEM.match(line))

    def _label(self, line: str, bare: str) -> tuple[str, str] | None:
        """The label, or the remark, of a line that has the key; None for any other line."""
        if self._fenced or FIELD not in line:
            return None
        for match in _KEY.finditer(line):
            before = line[: match.start()]
            flow = self._depth > 0 or bare[0] in "{[<("
            if match["tag"] and not before.endswith("<"):
                continue
            if _BEFORE.match(before) or (flow and _IN_FLOW.search(before)):
                return self._judged(line, match, flow=flow)
        return None

    def _judged(self, line: str, match: re.Match[str], *, flow: bool) -> tuple[str, str]:
        before = line[: match.start()]
        value = _value(line[match.end() :], flow=flow)
        label = label_named(value)
        if label == _RESTRICTED:
            return label, ""
        plain = label != UNKNOWN
        if self._is_loose(before) or (not plain and (_NUMBER.match(value) or _is_prose(value))):
            return "", "" if plain else f"{FIELD} names no label here, {NOT_RESTRICTED}; write {FIELD}: {_RESTRICTED}"
        return label, ""

    def _is_loose(self, before: str) -> bool:
        """Whether the key may be about what the text or the data is about, rather than about the file."""
        depth = self._depth + sum(map(before.count, "{[")) - sum(map(before.count, "}]"))
        if depth > 0:
            return depth > 1 or not (self._first or before.lstrip()).startswith("{")
        signs = before.strip()
        if signs:
            return self._headings and set(signs) == {"#"}
        return self._titled or (bool(before) and bool(self._first))

    def _near(self, line: str) -> tuple[str, str]:
        match = _ANY_KEY.match(line)
        if not match:
            return "", ""
        key = match["key"].strip()
        return "", doubt(key) if looks_like_label(key, _value(match["value"], flow=self._depth > 0)) else ""


def _value(rest: str, *, flow: bool) -> str:
    """What stands behind a key, without quotes, the signs that end a comment, and what follows in the same braces."""
    value = _CLOSERS.sub("", rest).strip()
    quote = value[:1]
    if quote in ("'", '"') and (end := value.find(quote, 1)) > 0:
        return value[1:end]
    if flow:
        value = re.split(r"[,}\]<>]", value, maxsplit=1)[0]
    return value.strip(" \t\"'`*_;,.)")


def _is_prose(value: str) -> bool:
    return len(value.split()) > _PROSE_WORDS and not any(stem in value for stem in _STRICT_STEMS)


def _alike(word: str, other: str) -> bool:
    if abs(len(word) - len(other)) > 3:
        return False
    # Seldom enough letters are shared at all: their order, which takes long to compare, can only make it less.
    shared = sum(map(other.__contains__, word))
    likest = 2.0 * shared / (len(word) + len(other))
    return likest >= _ALIKE and SequenceMatcher(None, word, other, autojunk=False).ratio() >= _ALIKE
