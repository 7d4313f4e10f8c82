"""A run of text without white space -> its terms: words, identifiers whole and in parts, symbols."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from ragspine_tui.retrieval.lexical.folding import fold, fold_for_stemming, strip_accents
from ragspine_tui.retrieval.lexical.scripts import MARKS, REGIONAL, SCRIPT_RUN, SYMBOLS
from ragspine_tui.retrieval.lexical.stemming import Stemmers

MAX_TERM: Final = 128
"""Terms are cut to this many characters."""

WORD: Final = "word"
WHOLE: Final = "whole"
PART: Final = "part"
ACCENTLESS: Final = "accentless"
SYMBOL: Final = "symbol"


class WordToken(NamedTuple):
    """A term of one run; `exact` is the unstemmed form where it differs, `kind` one of this module's constants."""

    term: str
    exact: str
    start: int
    end: int
    kind: str


_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,9}://[^\s<>\"'`|{}\\^\[\]()]*[\w/]")
_SURFACE: Final = re.compile(
    r"(?P<prefix>(?<![\w.@#])(?:[.@](?=[^\W\d_])|#(?=\w)))?"
    rf"(?P<core>\w[\w{MARKS}]*(?:(?:['\u2019\u02bc.\u2010@&\u200c-]|::|(?<=\d)[:,](?=\d))\w[\w{MARKS}]*)*)"
    r"(?P<suffix>\+\+|(?<=[A-Za-z])(?<!\w\w)\#)?"
    rf"|(?P<symbol>[{REGIONAL}]{{2}}|[{SYMBOLS}])"
)
_PIECE: Final = re.compile(rf"(?:[^\W_]|[{MARKS}](?<!_))+")
_CAMEL: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_PLAIN_ASCII: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+s?|[0-9]+")
_CLOSED_UP: Final = frozenset("-_'\u2019\u02bc\u2010\u200c")
_APOSTROPHES: Final = frozenset("'\u2019\u02bc")
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:,\d{3})+")
_VERSION: Final = re.compile(r"[A-Za-z]+(?=\d+(?:\.\d+)+$)")


class Words:
    """Cuts runs of text without white space (and without unspaced scripts) into terms; not for several threads."""

    def __init__(self, language: str) -> None:
        self._stemmers = Stemmers(language)

    def tokens(self, run: str) -> list[WordToken]:
        """The terms of a normalized run, in order of their start, wholes before parts."""
        found = [
            WordToken(fold(url.group())[:MAX_TERM], "", url.start(), url.end(), WHOLE) for url in _URL.finditer(run)
        ]
        for match in _SURFACE.finditer(run):
            if match["symbol"]:
                found.append(WordToken(match["symbol"], "", match.start(), match.end(), SYMBOL))
            else:
                found.extend(self._surface(match))
        if len(found) > 1:
            found.sort(key=lambda token: (token.start, -token.end))
        return found

    def _surface(self, match: re.Match[str]) -> Iterator[WordToken]:
        core = match["core"]
        at = match.start("core")
        pieces = list(_PIECE.finditer(core))
        if not pieces:
            return
        affixed = match["prefix"] or match["suffix"]
        if len(pieces) == 1 and not affixed:
            yield from self._piece(pieces[0].group(), at + pieces[0].start(), WORD)
            return
        whole = list(self._whole(match, pieces))
        yield from whole
        if match["suffix"] and len(core) == 1:
            return
        version = _VERSION.match(core)
        if version:
            yield WordToken(core[version.end() :][:MAX_TERM], "", at + version.end(), at + len(core), WHOLE)
        for piece in pieces:
            if not _clitic(core, piece):
                for token in self._piece(piece.group(), at + piece.start(), PART):
                    if token.term != whole[0].term:
                        yield token

    def _whole(self, match: re.Match[str], pieces: list[re.Match[str]]) -> Iterator[WordToken]:
        joined = _join(match["core"], pieces)
        if joined.isalpha() and not match["prefix"] and not match["suffix"]:
            yield from self._word(joined, match.start(), match.end(), WHOLE)
            return
        term = fold((match["prefix"] or "") + joined + (match["suffix"] or ""))
        yield WordToken(term[:MAX_TERM], "", match.start(), match.end(), WHOLE)

    def _piece(self, piece: str, at: int, kind: str) -> Iterator[WordToken]:
        """A piece without joiners: one word, or a camelCase, letter-digit or mixed-script word and its parts."""
        if _PLAIN_ASCII.fullmatch(piece):
            yield from self._word(piece, at, at + len(piece), kind)
            return
        parts = list(_parts(piece))
        if len(parts) == 1:
            yield from self._word(piece, at, at + len(piece), kind)
            return
        yield from self._word(piece, at, at + len(piece), WHOLE if kind == WORD else kind)
        for start, end in parts:
            if end - start > 1:
                yield from self._word(piece[start:end], at + start, at + end, PART)

    def _word(self, word: str, start: int, end: int, kind: str) -> Iterator[WordToken]:
        """The stem, with the unstemmed form beside it; and the stem of the accentless form where that is another."""
        light = fold_for_stemming(word)
        exact = light if light.isascii() else strip_accents(light)
        script = _script(light)
        if script == "latin" and exact != light:
            stem = strip_accents(self._stemmers.stem(light, script))
            accentless = self._stemmers.stem(exact, script)
        else:
            stem = accentless = self._stemmers.stem(light, script)
            if not stem.isascii():
                stem = accentless = strip_accents(stem)
        yield WordToken(stem[:MAX_TERM], exact[:MAX_TERM] if exact != stem else "", start, end, kind)
        if accentless != stem:
            yield WordToken(accentless[:MAX_TERM], "", start, end, ACCENTLESS)


def _script(word: str) -> str:
    """The script of a folded word of letters of one script, else ''."""
    if word.isascii():
        return "latin" if word.isalpha() else ""
    run = SCRIPT_RUN.match(word)
    return run.lastgroup or "" if run and run.end() == len(word) else ""


def _parts(piece: str) -> Iterator[tuple[int, int]]:
    for run in SCRIPT_RUN.finditer(piece):
        text = run.group()
        if run.lastgroup == "latin" and text.isascii():
            for part in _CAMEL.finditer(text):
                yield run.start() + part.start(), run.start() + part.end()
        else:
            yield run.span()


def _join(core: str, pieces: list[re.Match[str]]) -> str:
    """One form for `snake_case`, `snake-case` and `snakeCase`; digits keep what stands between them."""
    if _THOUSANDS.fullmatch(core):
        return core.replace(",", "")
    if len(pieces) > 1 and all(len(piece.group()) == 1 and piece.group().isalpha() for piece in pieces):
        core = core.replace(".", "_")
    joined = pieces[0].group()
    for before, piece in pairwise(pieces):
        between = core[before.end() : piece.start()]
        closed = _CLOSED_UP.issuperset(between) and not (joined[-1].isdigit() and piece.group()[0].isdigit())
        joined += piece.group() if closed else between + piece.group()
    return joined


def _clitic(core: str, piece: re.Match[str]) -> bool:
    """Whether an apostrophe cuts off too little to be a word: the t of don't, the l of l'homme."""
    length = piece.end() - piece.start()
    after = piece.start() > 0 and core[piece.start() - 1] in _APOSTROPHES
    before = piece.end() < len(core) and core[piece.end()] in _APOSTROPHES
    return (after and length <= 2) or (before and length == 1)
