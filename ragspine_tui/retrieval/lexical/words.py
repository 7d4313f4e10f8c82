"""A run of text without white space -> its terms: words, identifiers whole and in parts, symbols."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
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
_Found = tuple[str, str, int, int, str]
_Forms = tuple[str, str, str]

_LONGEST_SCHEME: Final = 10
_URL: Final = re.compile(rf"[A-Za-z][A-Za-z0-9+.-]{{1,{_LONGEST_SCHEME - 1}}}://[^\s<>\"'`|{{}}\\^\[\]()]*[\w/]")
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
_PIECE: Final = re.compile(rf"(?:[^\W_]|[{MARKS}](?<!_))+")
_ASCII_PIECE: Final = re.compile("[A-Za-z0-9]+")
_LETTERS: Final = re.compile(rf"(?:[^\W\d_]|[{MARKS}])+")
_CAMEL: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ASCII_PARTS: Final = re.compile(rf"[0-9]+|{_CAMEL.pattern}")
_PLAIN_ASCII: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+s?|[0-9]+")
# Around one plain word these signs neither join, begin nor end anything: most runs are such.
_WRAPPED: Final = re.compile(
    r"[!\"$%&'()*+,\-/:;<=>?\[\\\]^`{|}~]*([A-Z]?[a-z]+|[A-Z]+s?|[0-9]+)[!\"$%&'()*,\-./:;<=>?@\[\\\]^`{|}~]*"
)
_FIRST: Final = (0,)
_CLOSED_UP: Final = frozenset("-_'\u2019\u02bc\u2010\u200c")
_APOSTROPHES: Final = frozenset("'\u2019\u02bc")
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:,\d{3})+")
# Grouped thousands with a decimal part, or a decimal comma behind so many digits that it parts no list.
_AMOUNT: Final = re.compile(r"(\d{1,3}(?:,\d{3})+)\.(\d{1,2})|(\d{1,3}(?:\.\d{3})+),(\d{1,2})|(\d{4,}),(\d{1,2})")
_GROUPING: Final = str.maketrans("", "", ",.")
_VERSION: Final = re.compile(r"[A-Za-z]+(?=\d+(?:\.\d+)+$)")


class BoundedCache(dict[str, V]):
    """A dict that computes what is missing; when full it forgets what was not used lately. Long keys are never kept."""

    def __init__(self, compute: Callable[[str], V]) -> None:
        super().__init__()
        self._compute = compute
        self._before: dict[str, V] = {}

    def __missing__(self, key: str) -> V:
        value = self._before.get(key)
        if value is None:
            value = self._compute(key)
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
        self._latin = self._stemmers.latin
        self._surfaces = BoundedCache(self._analyze)
        self._surface_terms = BoundedCache(self._terms)
        self._plain = BoundedCache(self._plain_terms)
        self._parts = BoundedCache(self._parts_of)

    def tokens(self, run: str) -> list[Token]:
        """The terms of a normalized run, in order of their start, wholes before parts."""
        found = [Token(whole_address(address), "", *address.span(), WHOLE) for address in addresses_in(run)]
        for surface in _surface_of(run).finditer(run):
            at = surface.start()
            for term, exact, start, end, kind in self._surfaces[surface.group()]:
                found.append(Token(term, exact, at + start, at + end, kind))
        found.sort(key=lambda token: (token.start, -token.end))
        return found

    def terms(self, run: str) -> RunTerms:
        """The terms of `tokens(run)` with their places in it."""
        if "://" in run:
            return self._terms_with_urls(run)
        if wrapped := _WRAPPED.fullmatch(run):
            return self._plain[wrapped[1]]
        found = [*map(self._surface_terms.__getitem__, _surface_of(run).findall(run))]
        return found[0] if len(found) == 1 else _in_a_row(found)

    def _terms_with_urls(self, run: str) -> RunTerms:
        wholes = {address.start(): whole_address(address) for address in addresses_in(run)}
        found: list[RunTerms] = []
        for surface in _surface_of(run).finditer(run):
            one = self._surface_terms[surface.group()]
            if whole := wholes.pop(surface.start(), ""):
                one = RunTerms((whole, *one.terms), one.exacts, (0, *one.places), one.width)
            found.append(one)
        # An address that begins inside a word has a place of its own.
        return _in_a_row(found) if not wholes else _placed(self.tokens(run))

    def _terms(self, surface: str) -> RunTerms:
        return _placed(self._analyze(surface))

    def _plain_terms(self, word: str) -> RunTerms:
        """The terms of a plain ASCII word."""
        stem, exact, _ = self._forms(word)
        return RunTerms((stem,), (exact,) if exact else (), _FIRST, 1)

    def _analyze(self, surface: str) -> list[_Found]:
        """The terms of a surface with where they stand in it."""
        size = len(surface)
        found: list[_Found] = []
        if surface.isalnum():
            self._piece(found, surface, 0, WORD)
            return found
        at = 1 if surface[0] in ".@#" else 0
        if not (surface[at].isalnum() or surface[at] == "_"):
            return [(surface, "", 0, size, SYMBOL)]
        end = size - (2 if surface.endswith("++", at + 1) else 1 if surface.endswith("#", at + 1) else 0)
        core = surface[at:end]
        pieces = [piece.span() for piece in (_ASCII_PIECE if core.isascii() else _PIECE).finditer(core)]
        affixed = end - at < size
        if len(pieces) == 1 and not affixed:
            start, end = pieces[0]
            self._piece(found, core[start:end], start, WORD)
        elif pieces:
            joined = _join(core, pieces)
            if affixed or not (joined.isalpha() if joined.isascii() else _LETTERS.fullmatch(joined)):
                found.append((fold(surface[:at] + joined + surface[end:])[:MAX_TERM], "", 0, size, WHOLE))
            else:
                self._word(found, joined, 0, size, WHOLE if "_" in core or "." in core else COMPOUND)
            if end == size or len(core) > 1:
                self._pieces(found, core, pieces, at)
        return found

    def _pieces(self, found: list[_Found], core: str, pieces: list[tuple[int, int]], at: int) -> None:
        """What an identifier is made of, but for what its whole says already."""
        said = {one[0] for one in found}
        if core[-1].isdigit() and "." in core and (version := _VERSION.match(core)):
            found.append((core[version.end() :][:MAX_TERM], "", at + version.end(), at + len(core), WHOLE))
        for first, last in pieces:
            if last - first > 2 or not _clitic(core, first, last):
                start = at + first
                for term, exact, begin, end, kind in self._parts[core[first:last]]:
                    if term not in said:
                        found.append((term, exact, start + begin, start + end, kind))

    def _parts_of(self, piece: str) -> list[_Found]:
        found: list[_Found] = []
        self._piece(found, piece, 0, PART)
        return found

    def _piece(self, found: list[_Found], piece: str, at: int, kind: str) -> None:
        """A piece without joiners: one word, or a camelCase, letter-digit or mixed-script word and its parts."""
        size = len(piece)
        if size > _LONGEST_SPLIT or _PLAIN_ASCII.fullmatch(piece):
            self._word(found, piece, at, at + size, kind)
            return
        parts = _parts(piece)
        self._word(found, piece, at, at + size, WHOLE if kind == WORD and len(parts) != 1 else kind)
        if len(parts) != 1:
            for start, end in parts:
                if end - start > 1:
                    self._word(found, piece[start:end], at + start, at + end, PART)

    def _word(self, found: list[_Found], word: str, start: int, end: int, kind: str) -> None:
        """The stem, with the unstemmed form beside it; and the stem of the accentless form where that is another."""
        stem, exact, accentless = self._forms(word)
        if stem:
            found.append((stem, exact, start, end, kind))
            if accentless:
                found.append((accentless, "", start, end, ACCENTLESS))

    def _forms(self, word: str) -> _Forms:
        """A word's stem, its unstemmed form and the stem of its accentless form where they are others; '' for none."""
        light = fold_for_stemming(word[:MAX_TERM])
        if light.isascii():
            stem = self._latin(light) if light.isalpha() else light
            if stem == light:
                return light[:MAX_TERM], "", ""
            return (stem if stem.isascii() else strip_accents(stem))[:MAX_TERM], light[:MAX_TERM], ""
        exact = strip_accents(light)
        script = _script(light)
        if script == "latin" and exact != light:
            stem = strip_accents(self._stemmers.stem(light, script))
            accentless = self._stemmers.stem(exact, script)
        else:
            stem = accentless = self._stemmers.stem(light, script)
            if not stem.isascii():
                stem = accentless = exact if stem == light else strip_accents(stem)
        return (
            stem[:MAX_TERM],
            exact[:MAX_TERM] if exact != stem else "",
            accentless[:MAX_TERM] if accentless != stem else "",
        )


def _surface_of(run: str) -> re.Pattern[str]:
    return _ASCII_SURFACE if run.isascii() else _SURFACE


def _placed(found: Sequence[_Found]) -> RunTerms:
    if len(found) == 1:
        ((term, exact, *_),) = found
        return RunTerms((term,), (exact,) if exact else (), _FIRST, 1)
    starts = [one[2] for one in found]
    place = {start: number for number, start in enumerate(sorted(set(starts)))}
    return RunTerms(
        tuple([one[0] for one in found]),
        tuple([one[1] for one in found if one[1]]),
        tuple([place[start] for start in starts]),
        len(place),
    )


def _in_a_row(found: Sequence[RunTerms]) -> RunTerms:
    terms: list[str] = []
    exacts: list[str] = []
    places: list[int] = []
    width = 0
    for its_terms, its_exacts, its_places, its_width in found:
        terms += its_terms
        exacts += its_exacts
        places += [width + place for place in its_places]
        width += its_width
    return RunTerms(tuple(terms), tuple(exacts), tuple(places), width)


def addresses_in(text: str) -> Iterator[re.Match[str]]:
    """The addresses (`https://...`) in a text."""
    end = 0
    while (sign := text.find("://", end)) >= 0:
        # Only just before the sign can one begin: to try every letter of the text would take long.
        address = _URL.search(text, max(end, sign - _LONGEST_SCHEME))
        if address is None:
            return
        yield address
        end = address.end()


def whole_address(address: re.Match[str]) -> str:
    """The term of a whole address."""
    return fold(address.group())[:MAX_TERM]


def _script(word: str) -> str:
    """The script of a folded word of letters of one script, else ''."""
    if word.isascii():
        return "latin" if word.isalpha() else ""
    run = SCRIPT_RUN.match(word)
    return run.lastgroup or "" if run and run.end() == len(word) else ""


def _parts(piece: str) -> list[tuple[int, int]]:
    if piece.isascii():
        return [part.span() for part in _ASCII_PARTS.finditer(piece)]
    parts: list[tuple[int, int]] = []
    for run in SCRIPT_RUN.finditer(piece):
        text = run.group()
        if run.lastgroup == "latin" and text.isascii():
            at = run.start()
            parts += [(at + part.start(), at + part.end()) for part in _CAMEL.finditer(text)]
        else:
            parts.append(run.span())
    return parts


def _join(core: str, pieces: Sequence[tuple[int, int]]) -> str:
    """One form for `snake_case`, `snake-case` and `snakeCase`; digits keep what stands between them."""
    if _THOUSANDS.fullmatch(core):
        return core.replace(",", "")
    if amount := _AMOUNT.fullmatch(core):
        whole, decimals = filter(None, amount.groups())
        return f"{whole.translate(_GROUPING)}.{decimals}"
    if len(pieces) > 1 and all(end - start == 1 and core[start].isalpha() for start, end in pieces):
        core = core.replace(".", "_")
    last = pieces[0][1]
    joined = core[pieces[0][0] : last]
    for start, end in pieces[1:]:
        closed = _CLOSED_UP.issuperset(core[last:start]) and not (core[last - 1].isdigit() and core[start].isdigit())
        joined += core[start if closed else last : end]
        last = end
    return joined


def _clitic(core: str, start: int, end: int) -> bool:
    """Whether an apostrophe cuts off too little to be a word: the t of don't, the l of l'homme."""
    length = end - start
    after = start > 0 and core[start - 1] in _APOSTROPHES
    return (after and length <= 2) or (length == 1 and end < len(core) and core[end] in _APOSTROPHES)
