"""The first exit: candidates become hits. RESTRICTED ones are dropped here; text is read by its span alone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from ragspine_tui.errors import RagspineError
from ragspine_tui.types import Explanation, Hit, Locator, Parent, Sensitivity, Span, chunk_id


class Scored(Protocol):
    """What the exit needs of a candidate."""

    @property
    def library_id(self) -> str:
        """The library of origin."""

    @property
    def document_id(self) -> int:
        """The document's row id."""

    @property
    def index(self) -> int:
        """The chunk's number in its document, from 1."""


S = TypeVar("S", bound=Scored)


class Passage(Protocol):
    """A stored chunk with its section; `window` is the section's text and begins at `window_start`."""

    @property
    def document(self) -> str:
        """The document's path."""

    @property
    def title(self) -> str:
        """The document's title."""

    @property
    def sensitivity(self) -> Sensitivity:
        """The document's label."""

    @property
    def index(self) -> int:
        """The chunk's number in its document, from 1."""

    @property
    def span(self) -> Span:
        """Where the chunk stands in the document."""

    @property
    def text(self) -> str:
        """The characters of the span."""

    @property
    def locator(self) -> Locator:
        """The chunk's paragraphs."""

    @property
    def parent_locator(self) -> Locator:
        """The section's paragraphs."""

    @property
    def expands(self) -> bool:
        """Whether the library's chunker lets a hit open into its section."""

    @property
    def heading_path(self) -> tuple[str, ...]:
        """The section's headings, outermost first."""

    @property
    def window(self) -> str:
        """The section's text."""

    @property
    def window_start(self) -> int:
        """Where the section begins in the document."""

    @property
    def line(self) -> int | None:
        """The file's line at the chunk's start."""

    @property
    def page(self) -> int | None:
        """The page the chunk begins on."""

    @property
    def part(self) -> str:
        """The slide, sheet, chapter or mail part."""


class PassageSource(Protocol):
    """Where passages are read."""

    def passage(self, library_id: str, document_id: int, index: int) -> Passage | None:
        """The chunk, or None where it is gone."""

    def fields_of(self, document_id: int) -> Mapping[str, tuple[str, ...]]:
        """The document's metadata."""


Highlight = Callable[[str, str], tuple[Span, ...]]
"""(library id, text) -> the spans of the text that the query's terms cover."""

Stale = Callable[[str, Passage], bool]
"""(library id, passage) -> whether the file is gone or changed since it was read."""


@dataclass(frozen=True, slots=True)
class LinkExit:
    """Reads candidates into hits, in their order; a restricted or vanished one is left out.

    One that cannot be read is left out too, and `errors` has its library's message.
    """

    source: PassageSource
    highlight: Highlight
    stale: Stale
    parents: bool = False
    errors: dict[str, str] = field(default_factory=dict)

    def link(
        self,
        candidates: Sequence[tuple[S, float]],
        limit: int,
        explain: Callable[[S, float], Explanation] | None = None,
    ) -> list[Hit]:
        """At most `limit` hits of (candidate, score) pairs; dropping comes before the cut."""
        hits: list[Hit] = []
        for candidate, score in candidates:
            if len(hits) == limit:
                break
            try:
                hit = self._read(candidate, score, rank=len(hits) + 1)
            except RagspineError as error:
                self.errors.setdefault(candidate.library_id, str(error))
                continue
            if hit is not None:
                hits.append(replace(hit, explain=explain(candidate, score)) if explain else hit)
        return hits

    def text_of(self, candidate: Scored) -> str | None:
        """The text of a candidate, only to be compared: nothing is decided of whether it may be shown."""
        try:
            passage = self.source.passage(candidate.library_id, candidate.document_id, candidate.index)
        except RagspineError:
            return None
        return None if passage is None else passage.text

    def _read(self, candidate: Scored, score: float, rank: int) -> Hit | None:
        passage = self.source.passage(candidate.library_id, candidate.document_id, candidate.index)
        if passage is None or passage.sensitivity == Sensitivity.RESTRICTED:
            return None
        return self._hit(candidate, passage, score, rank)

    def _hit(self, candidate: Scored, passage: Passage, score: float, rank: int) -> Hit:
        return Hit(
            rank=rank,
            library_id=candidate.library_id,
            document=passage.document,
            title=passage.title,
            heading=passage.heading_path[-1] if passage.heading_path else "",
            chunk_id=chunk_id(candidate.library_id, passage.document, passage.index),
            score=score,
            text=passage.text,
            span=passage.span,
            locator=str(passage.locator),
            line=passage.line,
            page=passage.page,
            part=passage.part,
            parent_locator=str(passage.parent_locator) if passage.expands else "",
            highlights=self.highlight(candidate.library_id, passage.text),
            fields=self.source.fields_of(candidate.document_id),
            sensitivity=passage.sensitivity,
            stale=self.stale(candidate.library_id, passage),
            parent=parent_of(passage) if self.parents else None,
        )


def parent_of(passage: Passage) -> Parent:
    """The section of a passage, with the passage marked in it."""
    start = passage.window_start
    return Parent(
        text=passage.window,
        child=Span(passage.span.start - start, passage.span.end - start),
        start=start,
        locator=str(passage.parent_locator),
        heading=" › ".join(passage.heading_path),
    )
