"""Where questions and their answers begin: `Q:` and `A:`, 問 and 答, or a question on a line of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ragspine_tui.retrieval.chunking.marked import Line, Mark, clean

_SEPARATOR: Final = r"[*_]{0,3}\s?[:：.．)）、][*_]{0,3}"
_QUESTION: Final = re.compile(
    rf"(?:(?:Q|Ｑ|Question|QUESTION|Frage|Pregunta|Вопрос)\s?[.#]?\s?[0-9０-９]{{0,4}}{_SEPARATOR}|Q[0-9]{{1,4}}\s|"
    rf"(?:問い?|问|質問|问题|問題|設問)\s?[0-9０-９一二三四五六七八九十]{{0,4}}(?:{_SEPARATOR}|[\u3000 ]))"
)
_ANSWER: Final = re.compile(
    rf"(?:(?:A|Ａ|Answer|ANSWER|Antwort|Respuesta|Ответ)\s?[.#]?\s?[0-9０-９]{{0,4}}{_SEPARATOR}|A[0-9]{{1,4}}\s|"
    rf"(?:答え?|回答|解答)\s?[0-9０-９一二三四五六七八九十]{{0,4}}(?:{_SEPARATOR}|[\u3000 ]))"
)
_ANSWER_ON_LINE: Final = re.compile(rf"[?？][*_\"”』」]{{0,4}}(\s{{1,8}})(?=[*_]{{0,3}}{_ANSWER.pattern})")
_ANSWER_HEADING: Final = re.compile(
    r"(?:A|Answer|Antwort|Respuesta|Ответ|答え?|回答|解答)\s?\d{0,4}[:：.]?\Z", re.IGNORECASE
)
_ASKS: Final = ("?", "？", "؟")
_QUESTION_RANK: Final = 1


def question_rank(heading: str) -> int:
    """1 for a heading that asks, 0 for any other."""
    return int(bool(_QUESTION.match(heading)) or heading.endswith(_ASKS))


def heads_answer(heading: str) -> bool:
    """Whether a heading only says that the answer follows."""
    return bool(_ANSWER_HEADING.match(heading) or _ANSWER.match(heading))


def has_marks(lines: Sequence[Line]) -> bool:
    """Whether any line begins with the mark of a question."""
    return any(_QUESTION.match(line.bare) for line in lines)


def marked_questions(text: str, lines: Sequence[Line]) -> Iterator[Mark]:
    """Questions that begin with a mark: to the line that asks, the answer's mark, or the end of the block."""
    number = 0
    while number < len(lines):
        first = lines[number]
        sign = _QUESTION.match(first.bare)
        if not sign:
            number += 1
            continue
        last = number
        while not _asks(lines[last]) and last + 1 < len(lines):
            following = lines[last + 1].bare
            if _ANSWER.match(following) or _QUESTION.match(following):
                break
            last += 1
        end = lines[last].end
        if inline := _ANSWER_ON_LINE.search(text, lines[last].start, end):
            end = inline.start(1)
        least = text.index(first.bare, first.start) + sign.end()
        yield Mark(first.start, end, _QUESTION_RANK, clean(text[first.start : end]), least)
        number = last + 1


def bare_questions(text: str, lines: Sequence[Line]) -> Iterator[Mark]:
    """For documents without such marks: a block that begins with one line that asks."""
    if lines and _asks(lines[0]):
        first = lines[0]
        yield Mark(first.start, first.end, _QUESTION_RANK, clean(text[first.start : first.end]), first.end)


def _asks(line: Line) -> bool:
    bare = line.bare.rstrip('*_ "”』」')
    return bare.endswith(_ASKS) or bool(_ANSWER_ON_LINE.search(line.bare))
