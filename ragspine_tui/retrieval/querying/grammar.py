"""The text of a query to its clauses. Every text is legal: what is no operator is text.

An operator is one only where it begins a word. Full-width signs are operators where the plain ones would be: they are
what a Japanese keyboard types. `docs/query-language.md` has the rules as people read them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final
from unicodedata import category, normalize

from ragspine_tui.retrieval.lexical.scripts import SPACELESS_RUN
from ragspine_tui.retrieval.querying import clauses as kinds
from ragspine_tui.retrieval.querying.clauses import EXCLUDED, REQUIRED, Clause, shortened
from ragspine_tui.retrieval.querying.comparisons import condition_of
from ragspine_tui.retrieval.querying.remarks import remark_on_beginning, remark_on_near, remark_on_phrase
from ragspine_tui.types import Span

MAX_OPERATORS: Final = 100
"""As many clauses of a query are operators, the first ones; a pasted page is no query."""

NEAR_DISTANCE: Final = 10
"""How far apart `NEAR` without a number lets its operands be."""

_MAX_DISTANCE: Final = 10_000
_SIGNS: Final = {"+": REQUIRED, "＋": REQUIRED, "-": EXCLUDED, "－": EXCLUDED}
_STARS: Final = "*＊"
_STRAIGHT: Final = '"＂'
_CURLY: Final = "“”„‟"
_CLOSING: Final = {
    **dict.fromkeys(_STRAIGHT, _STRAIGHT),
    **dict.fromkeys(_CURLY, _CURLY),
    "«": "»",
    "»": "«",
}
"""Each opening quote with those that close it."""

_RUN: Final = re.compile(r"\S+")
_FIELD: Final = re.compile(
    r"(?P<name>[^\s\"'=<>!:：＝＜＞！+＋\-－][^\s\"'=<>!:：＝＜＞！]*)(?P<op>[><＞＜!！][=＝]|[:：><＞＜])"
)
_NEAR: Final = re.compile(r"NEAR(?:/(?P<distance>\S*))?")
_DISTANCE: Final = re.compile(r"[1-9][0-9]{0,5}")
_PLAIN_NAME: Final = re.compile(r"[^\W\d]\w*(?:-\w+)*")
_COMPARISON: Final = re.compile(r"[><＞＜!！]?[=＝]|[><＞＜]")
_BOOLEAN: Final = frozenset({"AND", "OR", "NOT"})


@dataclass(frozen=True, slots=True)
class Scope:
    """What names mean something where a query is asked: the fields of the documents, the ids of the libraries."""

    is_field: Callable[[str], bool] = field(default=lambda _: False)
    is_library: Callable[[str], bool] = field(default=lambda _: False)


@dataclass(frozen=True, slots=True)
class Parsed:
    """The clauses of a text in its order, and a line for each thing that was not understood."""

    clauses: tuple[Clause, ...]
    notes: tuple[str, ...]


def parse(text: str, scope: Scope | None = None, *, typing: bool = False) -> Parsed:
    """The clauses of any text. They do not overlap, and all between them is white space or an unfinished operator.

    With `typing` the end is still being typed: a condition without the end of its value asks for nothing yet.
    """
    return _Reader(text, scope or Scope(), typing).read()


def parse_words(text: str) -> Parsed:
    """The words of a text in which no sign means anything."""
    spans = [Span(*run.span()) for run in _RUN.finditer(text)]
    return Parsed(tuple(Clause(kinds.WORD, span, span) for span in spans), ())


class _Reader:
    """One pass over the text; `at` is the next character."""

    def __init__(self, text: str, scope: Scope, typing: bool) -> None:
        self.text = text
        self.scope = scope
        self.typing = typing
        self.at = 0
        self.operators = 0
        self.notes: dict[str, None] = {}
        self.unclosed: set[str] = set()

    def read(self) -> Parsed:
        found: list[Clause] = []
        while (run := _RUN.search(self.text, self.at)) is not None:
            self.at = run.start()
            found.append(self._operator(run.end()) or self._plain(run.end()))
            self._remark(found[-1])
        clauses = tuple(self._with_operands(found))
        if any(map(self._is_boolean, clauses)) and len(clauses) > 1 and not self.text.isupper():
            self.note("AND, OR and NOT are searched as words: +word requires one, -word leaves one out")
        return Parsed(clauses, tuple(self.notes))

    def note(self, line: str) -> None:
        self.notes[line] = None

    def _remark(self, clause: Clause) -> None:
        words = clause.inner.of(self.text)
        if clause.kind == kinds.WORD:
            self._note_if(remark_on_near(words) or remark_on_beginning(words))
        elif clause.quoted:
            self._note_if(remark_on_phrase(words))

    def _note_if(self, line: str) -> None:
        if line:
            self.note(line)

    def _operator(self, end: int) -> Clause | None:
        """The operator clause that begins here, or None where the run up to `end` is text."""
        if self.operators >= MAX_OPERATORS:
            self.note(f"only the first {MAX_OPERATORS} operators count: the rest is searched as text")
            return None
        clause = self._signed(end) or self._quoted(self.at) or self._near(end) or self._named(end) or self._prefix(end)
        if clause is not None:
            self.operators += 1
            self.at = clause.span.end
        return clause

    def _signed(self, end: int) -> Clause | None:
        sign = _SIGNS.get(self.text[self.at])
        start = self.at + 1
        if sign is None or start == end:
            return None
        phrase = self._quoted(start)
        if phrase is not None:
            return replace(phrase, span=Span(self.at, phrase.span.end), sign=sign)
        word = self.text[start:end]
        if not _may_be_signed(word):
            return None
        if sign == EXCLUDED and len(word) == 1 and word.isascii():
            self.note(f'-{word} is searched as text, as a flag of one letter: -"{word}" leaves the word out')
            return None
        if (title := self._title(start, end)) is not None:
            return replace(title, span=Span(self.at, title.span.end), sign=sign)
        if named := _FIELD.match(self.text, start, end):
            name, said = self._field(named["name"]), shortened(self.text[self.at : end])
            if self.scope.is_field(name):
                self.note(f"{said} is searched as text: a condition takes no sign (!= denies)")
                return None
            if name == "lib" and self.scope.is_library(self.text[named.end() : end]):
                self.note(f"{said} is searched as text: a library takes no sign (name those you want)")
                return None
        end = self._end_of_run(start, end)
        inner, stem = _without_star(self.text, start, end)
        return Clause(kinds.WORD, Span(self.at, end), inner, sign, stem=stem)

    def _quoted(self, start: int) -> Clause | None:
        """The phrase whose opening quote stands at `start`."""
        opening = self.text[start : start + 1]
        closing = _CLOSING.get(opening)
        if closing is None or opening in self.unclosed:
            return None
        end = self._closing(start)
        if end is None:
            if _has_words(self.text[start:]):
                self.note(f"a quote is not closed: what follows {opening} is searched as text")
            return None
        inner = Span(start + 1, end)
        if not _has_words(inner.of(self.text)):
            return None
        return Clause(kinds.PHRASE, Span(start, end + 1), inner, quoted=True)

    def _closing(self, start: int) -> int | None:
        """Where the quote that opens at `start` is closed."""
        opening = self.text[start]
        if opening in self.unclosed:
            return None
        closing = _CLOSING[opening]
        end = next((at for at in range(start + 1, len(self.text)) if self.text[at] in closing), None)
        if end is None:
            self.unclosed.add(opening)
        return end

    def _value(self, start: int) -> Clause | None:
        """The phrase whose quote stands at `start`, behind a name: one that is still open ends where the text does."""
        if self.text[start : start + 1] not in _CLOSING or self._closing(start) is not None:
            return self._quoted(start)
        end = max(start + 1, len(self.text.rstrip()))
        return Clause(kinds.PHRASE, Span(start, end), Span(start + 1, end), quoted=True)

    def _goes_on(self) -> bool:
        """Whether the end of the text is still being typed."""
        return self.typing or self.text[-1:].isspace()

    def _near(self, end: int) -> Clause | None:
        match = _NEAR.fullmatch(_plain_width(self.text[self.at : end])) if self.text[self.at] in "NＮ" else None
        if match is None:
            return None
        distance = match["distance"]
        if distance is not None and not _DISTANCE.fullmatch(distance):
            self.note(f"{match[0]} is searched as text: NEAR/5 says how many words apart")
            return None
        span = Span(self.at, end)
        apart = NEAR_DISTANCE if distance is None else min(int(distance), _MAX_DISTANCE)
        return Clause(kinds.NEAR, span, span, distance=apart)

    def _named(self, end: int) -> Clause | None:
        """`title:`, `lib:` or a condition."""
        match = _FIELD.match(self.text, self.at, end)
        if match is None:
            return None
        name, op, start = self._field(match["name"]), _plain_width(match["op"]), match.end()
        if (title := self._title(self.at, end)) is not None:
            return title
        if start == end:
            return self._unfinished(name, op, end)
        if op == ":" and name == "title":
            if not self.text[start:end].strip('"＂“”„‟«»*＊'):
                self.note(f"{shortened(self.text[self.at : end])} is searched as text: a word must follow title:")
            return None
        if op == ":" and name == "lib":
            return self._library(start, end)
        if self.scope.is_field(name):
            return self._condition(name, op, start, end)
        if op == ":" and self.text[start] not in ":：/=" and _PLAIN_NAME.fullmatch(name):
            value = self._quoted(start)
            if _may_be_a_value(value.inner.of(self.text) if value else self.text[start:end]):
                shown = shortened(self.text[self.at : value.span.end if value else end])
                named = shortened(_plain_width(match["name"]))
                self.note(f"no document has a field {named}: {shown} is searched as text")
        return None

    def _unfinished(self, name: str, op: str, end: int) -> Clause | None:
        """A name and its operator without a value."""
        said, is_field = shortened(self.text[self.at : end]), self.scope.is_field(name)
        if self.text[end:].strip():
            if name in ("title", "lib") or is_field:
                self.note(f"{said} is searched as text: no blank may follow it")
        elif is_field and self.typing and end == len(self.text):
            return Clause(kinds.CONDITION, Span(self.at, end), Span(end, end), open=True)
        elif is_field and op != ":":
            self.note(f"{said} is searched as text: a value must follow it")
        return None

    def _library(self, start: int, end: int) -> Clause | None:
        value = self._value(start)
        inner, span = value.inner if value else Span(start, end), Span(self.at, value.span.end if value else end)
        if not len(inner) or (value is None and self.text[start] in ":：/="):
            return None
        said = inner.of(self.text)
        if (library := _known(said, self.scope.is_library)) is not None:
            if value and not _is_closed(value):
                self._say_open(self.at, start)
            return Clause(kinds.LIBRARY, span, inner, library=library)
        self.note(f"no library {shortened(said)} is in scope: {shortened(span.of(self.text))} is searched as text")
        return None

    def _condition(self, name: str, op: str, start: int, end: int) -> Clause | None:
        value = self._value(start)
        inner, span = value.inner if value else Span(start, end), Span(self.at, value.span.end if value else end)
        if value is None and op == ":" and self.text[start] in ":：/=":
            return None
        if value is not None and not _is_closed(value):
            if self._goes_on():
                shown = shortened(self.text[self.at : start])
                self.note(f"the quote after {shown} is still open: the condition holds once it is closed")
                return Clause(kinds.CONDITION, span, inner, open=True)
            if len(inner):
                self._say_open(self.at, start)
        if not len(inner):
            return None
        said = inner.of(self.text)
        return Clause(kinds.CONDITION, span, inner, condition=condition_of(name, op, said, quoted=value is not None))

    def _title(self, start: int, end: int) -> Clause | None:
        match = _FIELD.match(self.text, start, end)
        if match is None or match["op"] not in ":：" or _plain_width(match["name"]).lower() != "title":
            return None
        phrase = self._value(match.end())
        if phrase is not None and _has_words(phrase.inner.of(self.text)):
            if not _is_closed(phrase):
                self._say_open(start, match.end())
            return replace(phrase, kind=kinds.TITLE, span=Span(start, phrase.span.end))
        if phrase is not None or not _has_words(self.text[match.end() : end]):
            return None
        inner, stem = _without_star(self.text, match.end(), end)
        return Clause(kinds.TITLE, Span(start, end), inner, stem=stem)

    def _say_open(self, start: int, end: int) -> None:
        self.note(f"the quote after {shortened(self.text[start:end])} is still open: taken to the end")

    def _prefix(self, end: int) -> Clause | None:
        end = self._end_of_run(self.at, end)
        inner, stem = _without_star(self.text, self.at, end)
        return Clause(kinds.PREFIX, Span(self.at, end), inner, stem=True) if stem else None

    def _plain(self, end: int) -> Clause:
        end = self._end_of_run(self.at, end)
        span = Span(self.at, end)
        self.at = end
        return Clause(kinds.WORD, span, span)

    def _end_of_run(self, start: int, end: int) -> int:
        """Where the text that begins here ends: at white space, or before a quote that opens a phrase within it."""
        at = self._behind_empty(start) or start + 1
        while at < end:
            behind = self._behind_empty(at)
            opens = behind is None and self.text[at] in _CLOSING and not _closes_up(self.text[at - 1])
            if opens and self._quoted(at) is not None:
                return at
            at = behind or at + 1
        return max(at, end)

    def _behind_empty(self, at: int) -> int | None:
        """Where a pair of quotes without a word between them ends; None where none begins."""
        if self.text[at] not in _CLOSING or (end := self._closing(at)) is None:
            return None
        return None if _has_words(self.text[at + 1 : end]) else end + 1

    def _with_operands(self, found: list[Clause]) -> list[Clause]:
        """NEAR stays an operator only between two words or phrases that are not excluded."""
        clauses: list[Clause] = []
        for number, clause in enumerate(found):
            if clause.kind == kinds.NEAR:
                beside = (found[number - 1 : number] if number else []) + found[number + 1 : number + 2]
                if len(beside) < 2 or not all(map(self._is_operand, beside)):
                    if len(found) > 1:
                        self.note(f"{clause.span.of(self.text)} is searched as text: it stands between two words")
                    clause = replace(clause, kind=kinds.WORD)
            clauses.append(clause)
            self._remark_on_blanks(found[max(number - 2, 0) : number + 1])
        return clauses

    def _remark_on_blanks(self, last: list[Clause]) -> None:
        """Say where three clauses are a condition with blanks in it: the filter takes these, a query does not."""
        if len(last) == 3 and last[0].kind == last[1].kind == kinds.WORD and not last[0].sign:
            name, sign = last[0].span.of(self.text), last[1].span.of(self.text)
            if _COMPARISON.fullmatch(sign) and self.scope.is_field(self._field(name)):
                self.note(f"{name} {sign} is searched as text: a condition has no blanks in it")
        if len(last) > 1 and last[-2].kind == last[-1].kind == kinds.WORD and not last[-2].sign:
            name, value = last[-2].span.of(self.text), last[-1].span.of(self.text)
            sign_there = _COMPARISON.match(value)
            if sign_there and sign_there.end() < len(value) and self.scope.is_field(self._field(name)):
                self.note(f"{name} {shortened(value)} is searched as text: a condition has no blanks in it")

    def _field(self, name: str) -> str:
        """The name as it is a field's, in lower case: full-width letters may stand for plain ones."""
        return _known(name, self.scope.is_field) or _plain_width(name).lower()

    def _is_operand(self, clause: Clause) -> bool:
        kind = clause.kind in (kinds.WORD, kinds.PHRASE, kinds.PREFIX)
        return kind and clause.sign != EXCLUDED and _has_words(clause.inner.of(self.text))

    def _is_boolean(self, clause: Clause) -> bool:
        return clause.kind == kinds.WORD and not clause.sign and clause.span.of(self.text) in _BOOLEAN


def _plain_width(text: str) -> str:
    return normalize("NFKC", text)


def _known(name: str, is_known: Callable[[str], bool]) -> str | None:
    """The name as typed, or typed in full width or in capitals, where there is such a one."""
    plain = _plain_width(name)
    return next((one for one in (name, plain, name.lower(), plain.lower()) if is_known(one)), None)


def _may_be_signed(word: str) -> bool:
    """Whether a sign before this makes an operator: not before a number, another sign or no word at all."""
    return _has_words(word) and not word[0].isdecimal() and word[0] not in _SIGNS and not re.match(r"[.,]\d", word)


def _may_be_a_value(text: str) -> bool:
    """Whether people write this after a field's name: not the rest of a time of day or of a Windows path."""
    return _has_words(text) and not text[0].isdigit() and text[0] != "\\"


def _without_star(text: str, start: int, end: int) -> tuple[Span, bool]:
    """The word, and whether it is a beginning: one star, right after a letter or digit."""
    word = text[start:end]
    stem = len(word) > 1 and word[-1] in _STARS and word[-2].isalnum() and not any(star in word[:-1] for star in _STARS)
    return Span(start, end - stem), stem


def _is_closed(phrase: Clause) -> bool:
    return phrase.inner.end < phrase.span.end


def _closes_up(char: str) -> bool:
    """Whether a quote right after this character belongs to a word (the inches of 5"): scripts with spaces only."""
    return (char.isalnum() or char == "_") and not SPACELESS_RUN.match(char)


def _has_words(text: str) -> bool:
    return any(char.isalnum() or (char > "\u00a0" and category(char)[0] in "LMNS") for char in text)
