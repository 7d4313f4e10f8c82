"""Headings of a PDF: the titles of its outline where they stand on their page, else what is set larger or bolder."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from ragspine_tui.documents.pdf_paragraphs import Paragraph
from ragspine_tui.types import BlockKind

DEEPEST: Final = 6

_LONGEST: Final = 200
_LONGEST_BOLD: Final = 100
_LARGER: Final = 1.12
_MOST_LINES: Final = 3
_MOST_ENTRIES: Final = 200
_REPEATED: Final = 3
_SIGNS: Final = re.compile(r"[\W_]+")
_COUNTED: Final = re.compile(r"\d+|\b[ivxlc]+\b")
_NUMBERING: Final = re.compile(
    r"(?:chapter|section|part|appendix|kapitel|abschnitt|teil|chapitre|partie|cap[ií]tulo|глава|第)?[0-9ivxlca-h]{0,8}"
    r"[章節节部]?\Z"
)
_NO_END: Final = (".", ",", ";", "\u3002", "\u3001", "-")


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A bookmark: `level` counts from 1, `page` too."""

    title: str
    level: int
    page: int


@dataclass(slots=True)
class Piece:
    """A paragraph without its lines: `count` is how many it had; `edge` that it was first or last on its page."""

    text: str
    page: int
    kind: BlockKind
    level: int = 0
    size: float = 0.0
    bold: bool = False
    count: int = 1
    edge: bool = False


def pieces_of(paragraphs: Sequence[Paragraph], entries: Sequence[OutlineEntry]) -> list[Piece]:
    """The paragraphs of one page, with the headings that the outline's entries for this page name."""
    found = list(paragraphs)
    levels: dict[int, int] = {}
    keys = {id(line): _key(line.text) for one in found for line in one.lines[:_MOST_ENTRIES] if entries}
    for entry in entries[:_MOST_ENTRIES]:
        place = _place(found, _key(entry.title), keys)
        if place is None:
            continue
        number, first, last = place
        whole = found[number]
        heading = Paragraph(whole.page, whole.lines[first:last], BlockKind.HEADING)
        levels[id(heading)] = min(DEEPEST, entry.level)
        parts = [Paragraph(whole.page, part, whole.kind) for part in (whole.lines[:first], whole.lines[last:]) if part]
        found[number : number + 1] = [*parts[: bool(first)], heading, *parts[bool(first) :]]
    edges = {id(one) for one in (*_edges(found),)}
    return [_piece(one, levels.get(id(one), 0), id(one) in edges) for one in found]


def mark_by_look(pieces: Sequence[Piece]) -> None:
    """Makes headings of the short paragraphs that are set larger than most of the text, or in bold above it."""
    letters: Counter[float] = Counter()
    bold = 0
    for piece in pieces:
        letters[_rounded(piece.size)] += len(piece.text)
        bold += len(piece.text) * piece.bold
    if not letters:
        return
    body = max(letters, key=lambda size: (letters[size], -size))
    running = _running(pieces)
    total = sum(letters.values())
    short = [piece for piece in pieces if _may_head(piece, running)]
    large = [piece for piece in short if body and piece.size >= _LARGER * body]
    if sum(len(piece.text) for piece in large) > 0.4 * total:
        return
    sizes = sorted({_rounded(piece.size) for piece in large}, reverse=True)
    levels = {size: min(DEEPEST, number) for number, size in enumerate(_distinct(sizes), 1)}
    for piece in large:
        piece.level = levels[min(levels, key=lambda size: abs(size - piece.size))]
    for piece in _heading_something(pieces, {id(piece) for piece in large}):
        piece.kind = BlockKind.HEADING
    if bold * 5 < total:
        _mark_bold(pieces, {id(piece) for piece in short}, body, min(DEEPEST, len(levels) + 1))


def _heading_something(pieces: Sequence[Piece], large: set[int]) -> list[Piece]:
    """The large ones but for those that stand right above one of their size or larger, as authors below a title do."""
    found: list[Piece] = []
    for piece, after in pairwise(pieces):
        if id(piece) not in large:
            continue
        if id(after) in large and after.page == piece.page and after.level <= piece.level:
            piece.level = 0
        else:
            found.append(piece)
    return found


def _mark_bold(pieces: Sequence[Piece], short: set[int], body: float, level: int) -> None:
    for piece, after in pairwise(pieces):
        if (
            piece.bold
            and id(piece) in short
            and piece.kind is not BlockKind.HEADING
            and piece.size >= 0.95 * body
            and len(piece.text) <= _LONGEST_BOLD
            and not piece.text.endswith(_NO_END)
            and not after.bold
        ):
            piece.kind, piece.level = BlockKind.HEADING, level


def _may_head(piece: Piece, running: set[str]) -> bool:
    if piece.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST) or piece.count > _MOST_LINES:
        return False
    text = piece.text
    if len(text) > _LONGEST or (len(text) > _LONGEST_BOLD and text.endswith(_NO_END)):
        return False
    letters = sum(map(str.isalpha, text))
    if letters < 2 or letters * 2 < len(text) - text.count(" "):
        return False
    return not (running and piece.edge and _repeated_form(text) in running)


def _repeated_form(text: str) -> str:
    """A line without regard to the numbers in it."""
    return _COUNTED.sub("#", " ".join(text.lower().split()))


def _running(pieces: Sequence[Piece]) -> set[str]:
    """The headers and footers that come again on page after page, in their repeated form."""
    pages: dict[str, set[int]] = {}
    for piece in pieces:
        if piece.edge and piece.count == 1 and len(piece.text) <= _LONGEST:
            pages.setdefault(_repeated_form(piece.text), set()).add(piece.page)
    return {form for form, found in pages.items() if len(found) >= _REPEATED}


def _edges(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    """The two highest and the two lowest paragraphs of a page."""
    ordered = sorted(paragraphs, key=lambda one: one.lines[0].base)
    return [*ordered[:2], *ordered[-2:]]


def _piece(paragraph: Paragraph, level: int, edge: bool) -> Piece:
    text = paragraph.text
    count = len(paragraph.lines)
    return Piece(text, paragraph.page, paragraph.kind, level, paragraph.size, paragraph.bold, count, edge)


def _place(paragraphs: Sequence[Paragraph], key: str, keys: Mapping[int, str]) -> tuple[int, int, int] | None:
    """The paragraph and the lines of it that are a title; the largest letters where it stands twice."""
    best: tuple[float, int, int, int] | None = None
    for number, paragraph in enumerate(paragraphs):
        if paragraph.kind is BlockKind.HEADING or not key:
            continue
        said = [keys.get(id(line), "") for line in paragraph.lines]
        for first in range(len(said)):
            last = _end(said, first, key)
            size = paragraph.lines[first].largest
            if last and (best is None or size > 1.05 * best[0]):
                best = (size, number, first, last)
    return best[1:] if best else None


def _end(keys: Sequence[str], first: int, key: str) -> int:
    """Where the lines end that begin at `first` and are the title together; 0 where they are another text."""
    said = ""
    for last in range(first, min(len(keys), first + _MOST_LINES + 1)):
        said += keys[last]
        if said == key or _numbered(said, key) or _numbered(key, said):
            return last + 1
        if len(said) > len(key) + 20:
            break
    return 0


def _numbered(longer: str, title: str) -> bool:
    """Whether one is the other with the number of its chapter before it."""
    if len(title) < 3 or not longer.endswith(title):
        return False
    return bool(_NUMBERING.match(longer[: -len(title)]))


def _key(text: str) -> str:
    # Without accents: old fonts have them as signs beside their letters.
    return _SIGNS.sub("", unicodedata.normalize("NFKD", text[:1_000]).casefold())


def _rounded(size: float) -> float:
    return round(size * 2) / 2


def _distinct(sizes: Sequence[float]) -> list[float]:
    """Sizes from the largest, without those that are nearly the one before."""
    found: list[float] = []
    for size in sizes:
        if not found or size < 0.95 * found[-1]:
            found.append(size)
    return found
