"""The query a person typed: what of it is ranked, what is required or left out, what narrows. Any text is legal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Self

from ragspine_tui.retrieval.lexical.analyzer import Analyzer, QueryTerm
from ragspine_tui.retrieval.lexical.statistics import searched_terms
from ragspine_tui.retrieval.querying import clauses as kinds
from ragspine_tui.retrieval.querying.clauses import EXCLUDED, REQUIRED, Clause
from ragspine_tui.retrieval.querying.grammar import Scope, parse, parse_words
from ragspine_tui.types import Condition, QueryPart

_SEARCHED: Final = (kinds.WORD, kinds.PHRASE, kinds.PREFIX, kinds.TITLE)


@dataclass(frozen=True)
class Query:
    """`text` as typed and its clauses; `prefix` takes the last word as the beginning of one.

    With `every`, each word that is ranked must be in a document. The document of the row `without` is never found.
    """

    text: str
    clauses: tuple[Clause, ...] = ()
    notes: tuple[str, ...] = ()
    prefix: bool = False
    every: bool = False
    without: int = 0

    @classmethod
    def parsed(
        cls,
        text: str,
        scope: Scope | None = None,
        *,
        prefix: bool = False,
        every: bool = False,
        literal: bool = False,
    ) -> Self:
        """The query that `text` spells in a scope of fields and libraries; with `literal`, its words alone."""
        found = parse_words(text) if literal else parse(text, scope, typing=prefix)
        clauses = list(found.clauses)
        last = clauses[-1] if clauses else None
        bare = last is not None and last.kind in (kinds.WORD, kinds.TITLE)
        # A phrase whose quote is closed ends with a whole word.
        bare = bare and not (last is not None and last.quoted and last.inner.end < last.span.end)
        if prefix and bare and last is not None and last.span.end == len(text) and last.sign != EXCLUDED:
            clauses[-1] = replace(last, open=True)
        return cls(text, tuple(clauses), found.notes, prefix, every)

    @cached_property
    def plain(self) -> str:
        """The words that are searched for, each where it stands in `text`; everything else is blank."""
        return self._without(lambda clause: clause.kind not in _SEARCHED)

    @cached_property
    def loose(self) -> str:
        """The plain words without those in quotes."""
        return self._without(lambda clause: clause.quoted or clause.kind not in _SEARCHED)

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions, in order."""
        return tuple(clause.condition for clause in self.clauses if clause.condition is not None)

    @cached_property
    def libraries(self) -> tuple[str, ...]:
        """The libraries chosen by hand, each once."""
        return tuple(dict.fromkeys(clause.library for clause in self.clauses if clause.library))

    @cached_property
    def excluded(self) -> tuple[Clause, ...]:
        """What no document may hold."""
        return tuple(clause for clause in self.clauses if clause.sign == EXCLUDED)

    @cached_property
    def required(self) -> tuple[Clause, ...]:
        """Phrases, titles and +words, which every document must hold."""
        return tuple(
            clause
            for clause in self.clauses
            if clause.sign == REQUIRED or (clause.kind in (kinds.PHRASE, kinds.TITLE) and clause.sign != EXCLUDED)
        )

    @cached_property
    def nears(self) -> tuple[tuple[Clause, Clause, Clause], ...]:
        """(the one, NEAR, the other), which every document must hold close to each other."""
        return tuple(
            (self.clauses[number - 1], clause, self.clauses[number + 1])
            for number, clause in enumerate(self.clauses)
            if clause.kind == kinds.NEAR
        )

    @property
    def is_plain(self) -> bool:
        """Whether there is nothing but ranked words."""
        return all(clause.kind == kinds.WORD and not clause.sign for clause in self.clauses)

    @property
    def only_narrows(self) -> bool:
        """Whether it only says which documents, be it half typed, and no word to rank them by."""
        narrows = any(clause.kind in (kinds.CONDITION, kinds.LIBRARY) for clause in self.clauses)
        return narrows and not self.plain.strip()

    @property
    def only_excludes(self) -> bool:
        """Whether it only says what is not wanted."""
        return bool(self.excluded) and not self.plain.strip() and not self.only_narrows

    def without_exclusions(self) -> Query:
        """The same query, leaving nothing out."""
        text = list(self.text)
        for clause in self.excluded:
            text[clause.span.start : clause.span.end] = " " * len(clause.span)
        kept = tuple(clause for clause in self.clauses if clause.sign != EXCLUDED)
        return replace(self, text="".join(text), clauses=kept)

    def words(self, clause: Clause) -> str:
        """The words of a clause, as typed."""
        return clause.inner.of(self.text)

    def terms(self, analyzer: Analyzer) -> list[QueryTerm]:
        """What is scored: the words in order, and the beginnings; function words only where there is nothing else.

        What is required is scored even where it is made of function words: a passage that holds it is a hit.
        """
        stems = [clause for clause in self.clauses if clause.stem and clause.sign != EXCLUDED]
        base = self._without(lambda clause: clause.stem or clause.kind not in _SEARCHED) if stems else self.plain
        if stems and not self._is_typed_on():
            last = stems.pop()
            found = analyzer.query(f"{base} {self.words(last)}", prefix=True)
        else:
            found = analyzer.query(base, prefix=self._is_typed_on())
        for clause in stems:
            found += analyzer.query(self.words(clause), prefix=True)
        said = {term.term for term in found}
        for clause in self.required + tuple(one for near in self.nears for one in (near[0], near[2])):
            own = analyzer.query(self.words(clause), prefix=clause.begins)
            if said.isdisjoint(term.term for term in own):
                found += own
        return found

    def demanded(self, analyzer: Analyzer) -> Iterator[Clause]:
        """The plain words that `every` asks for: all but the function words that a search leaves out."""
        if self.every:
            said = {term.term for term in searched_terms(self.terms(analyzer))}
            for clause in self.clauses:
                if clause.kind in (kinds.WORD, kinds.PREFIX) and not clause.sign:
                    own = analyzer.query(self.words(clause), prefix=clause.begins)
                    if not said.isdisjoint(term.term for term in own):
                        yield clause

    def parts(self) -> tuple[QueryPart, ...]:
        """What each stretch of the text was taken for; words side by side are one part."""
        found: list[QueryPart] = []
        for clause in self.clauses:
            kind = {EXCLUDED: "excluded", REQUIRED: "required"}.get(clause.sign, clause.kind)
            text = clause.span.of(self.text)
            if found and kind == kinds.WORD == found[-1].kind:
                start = found[-1].start
                found[-1] = QueryPart(kind, self.text[start : clause.span.end], start, clause.span.end)
            else:
                found.append(QueryPart(kind, text, clause.span.start, clause.span.end))
        return tuple(found)

    def _is_typed_on(self) -> bool:
        """Whether the last word is still being typed."""
        return self.prefix and (not self.clauses or self.clauses[-1].open)

    def _without(self, dropped: Callable[[Clause], bool]) -> str:
        """The text with all but the words of the kept clauses blanked, so that every word stays in its place."""
        if self.is_plain:
            return self.text
        shown = list(" " * len(self.text))
        for clause in self.clauses:
            if clause.sign != EXCLUDED and not dropped(clause):
                shown[clause.inner.start : clause.inner.end] = self.words(clause)
        return "".join(shown)
