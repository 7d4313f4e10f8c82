"""A run of text without white space -> its terms: words, identifiers whole and in parts, symbols."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, pairwise
from operator import itemgetter
from typing import Final, TypeVar

from ragspine_tui.retrieval.lexical.folding import fold, fold_for_stemming, strip_accents
from ragspine_tui.retrieval.lexical.scripts import MARKS, REGIONAL, SCRIPT_RUN, SYMBOLS
from ragspine_tui.retrieval.lexical.stemming import Stemmers
from ragspine_tui.retrieval.lexical.tokens import ACCENTLESS, COMPOUND, PART, SYMBOL, WHOLE, WORD, RunTerms, Token

MAX_TERM: Final = 128
"""Terms are cut to this many characters."""

# Longer pieces are data (base64, hashes), whose parts would mean nothing.
_LONGEST_SPLIT: Final = 64
_CACHED: Final = 1 << 16
_LONGEST_CACHED: Final = 32
V = TypeVar("V")

_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,9}://[^\s<>\"'`|{}\\^\[\]()]*[\w/]")
_PREFIX: Final = r"(?<![\w.@#])(?:[.@](?=[^\W\d_])|#(?=\w))"
_CORE: Final = rf"\w[\w{MARKS}]*(?:(?:['\u2019\u02bc.\u2010@&\u200c-]|::|(?<=\d)[:,](?=\d))\w[\w{MARKS}]*)*"
_SUFFIX: Final = r"\+\+|(?<=[A-Za-z])(?<!\w\w)\#"
_SYMBOL: Final = f"[{REGIONAL}]{{2}}|[{SYMBOLS}]"
_SURFACE: Final = re.compile(f"(?:{_PREFIX})?{_CORE}(?:{_SUFFIX})?|{_SYMBOL}")
# The same of ASCII text, in a third of the time: a first character is one of few.
_ASCII_SURFACE: Final = re.compile(
    r"(?:[.@](?<![\w.@#].)[A-Za-z]|#(?<![\w.@#].)\w|\w)\w*(?:(?:['.@&-]|::|(?<=\d)[:,](?=\d))\w+)*"
    rf"(?:{_SUFFIX})?",
    re.ASCII | re.DOTALL,
)
_ANATOMY: Final = re.compile(r"(?P<prefix>[.@#])?(?P<core>\w.*?)(?P<suffix>\+\+|#)?", re.DOTALL)
_PIECE: Final = re.compile(rf"(?:[^\W_]|[{MARKS}](?<!_))+")
_ASCII_PIECE: Final = re.compile("[A-Za-z0-9]+")
_LETTERS: Final = re.compile(rf"(?:[^\W\d_]|[{MARKS}])+")
_CAMEL: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_PLAIN_ASCII: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+s?|[0-9]+")
# Around one plain word these signs neither join, begin nor end anything: most runs are such.
_WRAPPED: Final = re.compile(
    r"[!\"$%&'()*+,\-/:;<=>?\[\\\]^`{|}~]*([A-Z]?[a-z]+|[A-Z]+s?|[0-9]+)[!\"$%&'()*,\-./:;<=>?@\[\\\]^`{|}~]*"
)
_FIRST: Final = (0,)
_CLOSED_UP: Final = frozenset("-_'\u2019\u02bc\u2010\u200c")
_COMPOUND_JOINERS: Final = _CLOSED_UP - {"_"}
_APOSTROPHES: Final = frozenset("'\u2019\u02bc")
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:,\d{3})+")
_VERSION: Final = re.compile(r"[A-Za-z]+(?=\d+(?:\.\d+)+$)")


class BoundedCache(dict[str, V]):
    """A dict that computes what is missing; when full it forgets what was not used lately. Long keys are never kept."""

    def __init__(self, compute: Callable[[str], V]) -> None:
        super().__init__()
        self._compute = compute
        self._before: dict[str, V] = {}

    def __missing__(self, key: str) -> V:
        value = self._before[key] if key in self._before else self._compute(key)
        if len(key) <= _LONGEST_CACHED:
            if len(self) >= _CACHED:
                # Common words are in use again at once, and are taken over from there.
                self._before = dict(self)
                self.clear()
            self[key] = value
        return value


class Words:
    """Cuts runs of text without white space (and without unspaced scripts) into terms; not for several threads."""

    def __init__(self, language: str) -> None:
        self._stemmers = Stemmers(language)
        self._surfaces = BoundedCache(self._analyze)
        self._surface_terms = BoundedCache(self._terms)
        self._plain = BoundedCache(self._plain_terms)

    def tokens(self, run: str) -> list[Token]:
        """The terms of a normalized run, in order of their start, wholes before parts."""
        found = [Token(_whole_url(url), "", *url.span(), WHOLE) for url in _urls(run)]
        for surface in (_ASCII_SURFACE if run.isascii() else _SURFACE).finditer(run):
            at = surface.start()
            for term, exact, start, end, kind in self._surfaces[surface.group()]:
                found.append(Token(term, exact, at + start, at + end, kind))
        found.sort(key=lambda token: (token.start, -token.end))
        return found

    def terms(self, run: str) -> RunTerms:
        """The terms of `tokens(run)` with their places in it."""
        if "://" in run:
            return _placed(self.tokens(run))
        if wrapped := _WRAPPED.fullmatch(run):
            return self._plain[wrapped[1]]
        found = [*map(self._surface_terms.__getitem__, _surfaces(run))]
        if len(found) == 1:
            return found[0]
        places: list[int] = []
        width = 0
        for one in found:
            places += one.places if not width else [width + place for place in one.places]
            width += one.width
        terms, exacts = (tuple(chain.from_iterable(map(itemgetter(part), found))) for part in (0, 1))
        return RunTerms(terms, exacts, tuple(places), width)

    def _terms(self, surface: str) -> RunTerms:
        return _placed(self._surfaces[surface])

    def _plain_terms(self, word: str) -> RunTerms:
        """The terms of a plain ASCII word."""
        exact = word[:MAX_TERM].lower()
        stem = self._stemmers.stem(exact, _script(exact))
        term = (stem if stem.isascii() else strip_accents(stem))[:MAX_TERM]
        return RunTerms((term,), (exact,) if exact != term else (), _FIRST, 1)

    def _analyze(self, surface: str) -> tuple[Token, ...]:
        if _PLAIN_ASCII.fullmatch(surface):
            return tuple(self._word(surface, 0, len(surface), WORD))
        match = _ANATOMY.fullmatch(surface)
        if match is None:
            return (Token(surface, "", 0, len(surface), SYMBOL),)
        return tuple(self._surface(match))

    def _surface(self, match: re.Match[str]) -> Iterator[Token]:
        core = match["core"]
        at = match.start("core")
        pieces = list((_ASCII_PIECE if core.isascii() else _PIECE).finditer(core))
        if len(pieces) == 1 and not match["prefix"] and not match["suffix"]:
            yield from self._piece(pieces[0].group(), at + pieces[0].start(), WORD)
        elif pieces:
            whole = list(self._whole(match, pieces))
            said = {token.term for token in whole}
            yield from whole
            if match["suffix"] and len(core) == 1:
                return
            version = _VERSION.match(core)
            if version:
                yield Token(core[version.end() :][:MAX_TERM], "", at + version.end(), at + len(core), WHOLE)
            for piece in pieces:
                if not _clitic(core, piece):
                    for token in self._piece(piece.group(), at + piece.start(), PART):
                        if token.term not in said:
                            yield token

    def _whole(self, match: re.Match[str], pieces: list[re.Match[str]]) -> Iterator[Token]:
        joined = _join(match["core"], pieces)
        if _LETTERS.fullmatch(joined) and not match["prefix"] and not match["suffix"]:
            compound = _COMPOUND_JOINERS.issuperset(_PIECE.sub("", match["core"]))
            yield from self._word(joined, match.start(), match.end(), COMPOUND if compound else WHOLE)
            return
        term = fold((match["prefix"] or "") + joined + (match["suffix"] or ""))
        yield Token(term[:MAX_TERM], "", match.start(), match.end(), WHOLE)

    def _piece(self, piece: str, at: int, kind: str) -> Iterator[Token]:
        """A piece without joiners: one word, or a camelCase, letter-digit or mixed-script word and its parts."""
        if len(piece) > _LONGEST_SPLIT or _PLAIN_ASCII.fullmatch(piece):
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

    def _word(self, word: str, start: int, end: int, kind: str) -> Iterator[Token]:
        """The stem, with the unstemmed form beside it; and the stem of the accentless form where that is another."""
        light = fold_for_stemming(word[:MAX_TERM])
        exact = light if light.isascii() else strip_accents(light)
        if not exact:
            return
        script = _script(light)
        if script == "latin" and exact != light:
            stem = strip_accents(self._stemmers.stem(light, script))
            accentless = self._stemmers.stem(exact, script)
        else:
            stem = accentless = self._stemmers.stem(light, script)
            if not stem.isascii():
                stem = accentless = strip_accents(stem)
        yield Token(stem[:MAX_TERM], exact[:MAX_TERM] if exact != stem else "", start, end, kind)
        if accentless != stem:
            yield Token(accentless[:MAX_TERM], "", start, end, ACCENTLESS)


def _surfaces(run: str) -> list[str]:
    return (_ASCII_SURFACE if run.isascii() else _SURFACE).findall(run)


def _placed(tokens: Sequence[Token]) -> RunTerms:
    place = {start: number for number, start in enumerate(sorted({token.start for token in tokens}))}
    return RunTerms(
        tuple([token.term for token in tokens]),
        tuple([token.exact for token in tokens if token.exact]),
        tuple([place[token.start] for token in tokens]),
        len(place),
    )


def _urls(run: str) -> Iterable[re.Match[str]]:
    return _URL.finditer(run) if "://" in run else ()


def _whole_url(url: re.Match[str]) -> str:
    return fold(url.group())[:MAX_TERM]


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
