"""Hits as people read them: where, what, the section around it, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import dropwhile

from ragspine_tui.cli.console import Console
from ragspine_tui.cli.text import marked, one_line, table, wrapped
from ragspine_tui.printable import escaped
from ragspine_tui.types import Explanation, Hit, Span


def print_hits(console: Console, hits: Sequence[Hit]) -> None:
    """Every hit with its passage or section, and where the same passage stands as well."""
    for hit in hits:
        console.out(f"{hit.rank:>2}  {console.bold(where(hit))}" + ("  [file changed or gone]" if hit.stale else ""))
        if hit.also:
            console.out(f"    ×{len(hit.also) + 1}, also in " + ", ".join(map(_copy, hit.also)))
        console.out(*(f"    {line}".rstrip() for line in passage(console, hit, parent=hit.parent is not None)))
        if hit.explain:
            console.out("", *(f"    {line}" for line in _why(hit.score, hit.explain)))
        console.out("")


def plain_line(hit: Hit) -> str:
    """A hit as one line of tab-separated rank, library, document, line (else page or part) and text."""
    return "\t".join((str(hit.rank), hit.library_id, escaped(hit.document), _position(hit), one_line(hit.text)))


def _position(hit: Hit) -> str:
    """Where a hit is in its file, as short as it can be said: `12`, `p.3`, `Costs!A4:F4`."""
    if hit.page is not None:
        return f"p.{hit.page}"
    return one_line(hit.part) if hit.line is None else str(hit.line)


def where(hit: Hit) -> str:
    """Library, document, line, page or part, paragraphs and heading of a hit, on one line."""
    place = f"{hit.library_id} › {escaped(hit.document)}"
    if hit.line is not None and hit.page is None:
        place += f":{hit.line}"
    paragraphs = hit.locator.rpartition("#para")[2].replace("-", "–")
    page = "" if hit.page is None else f"p.{hit.page}"
    said = (place, page, one_line(hit.part), f"¶{paragraphs}", one_line(hit.heading or hit.title))
    return "  ".join(one for one in said if one)


def passage(console: Console, hit: Hit, *, parent: bool) -> Iterator[str]:
    """The printed lines of a hit, or of its section with the hit itself marked; found words in bold.

    A terminal's lines are wrapped; in a pipe they are the document's, tabs and all. Where the hit begins or ends inside
    a line of its section, the line is broken.
    """
    width = None if console.width is None else console.width - 6
    tabs = width is None
    if not (parent and hit.parent):
        for line in wrapped(hit.text.rstrip(), width):
            yield marked(hit.text, line, hit.highlights, console.bold, tabs=tabs)
        return
    child, text = hit.parent.child, hit.parent.text
    found = [Span(span.start + child.start, span.end + child.start) for span in hit.highlights]
    lines = dropwhile(lambda line: not len(line), wrapped(text.rstrip(), width))
    for line in lines:
        for piece in _broken(text, line, child):
            inside = piece.start < child.end and piece.end > child.start
            yield ("┃ " if inside else "  ") + marked(text, piece, found, console.bold, tabs=tabs)


def _broken(text: str, line: Span, child: Span) -> Iterator[Span]:
    """The line, in pieces where the child begins or ends among other words of it."""
    start = line.start
    for cut in (child.start, child.end):
        if start < cut < line.end and text[start:cut].strip() and text[cut : line.end].strip():
            yield Span(start, cut)
            start = cut + len(text[cut : line.end]) - len(text[cut : line.end].lstrip())
    yield Span(start, line.end)


def _copy(hit: Hit) -> str:
    """`letters/may.md:12`: where a copy stands in its library."""
    place = escaped(hit.document)
    place += f":{hit.line}" if hit.page is None and hit.line is not None else ""
    place += "" if hit.page is None else f" p.{hit.page}"
    place += f" {one_line(hit.part)}" if hit.part else ""
    return place + (" [file changed or gone]" if hit.stale else "")


def _why(score: float, explanation: Explanation) -> list[str]:
    rows = [
        (part.term, part.field, str(part.tf), f"{part.df:,}", f"{part.idf:.3f}", f"{part.score:.3f}")
        for part in explanation.terms
    ]
    if explanation.recency:
        aged = explanation.recency
        rows.append((f"× {aged.factor:.3f}", "recency", "", "", one_line(aged.date), f"{aged.score:.3f}"))
    fusion = ", ".join(f"{name} {value:.4g}" for name, value in explanation.fusion.items())
    lines = table(("term", "field", "tf", "df", "idf", "score"), rows, numbers=(2, 3, 4, 5))
    share = f"share of its document {explanation.share:.3f}"
    return [*lines, f"score {score:.3f}; #{explanation.library_rank} in its library; {share}; {one_line(fusion)}"]
