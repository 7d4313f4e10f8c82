"""What a person is told of a query that found nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragspine_tui.errors import RagspineError
from ragspine_tui.retrieval.lexical.analyzer import Analyzer
from ragspine_tui.retrieval.querying.clauses import Clause, shortened
from ragspine_tui.retrieval.querying.constraints import Constraints
from ragspine_tui.retrieval.querying.query import Query

_FEW = 10


def why_nothing(query: Query, libraries: Sequence[tuple[Constraints, Analyzer]]) -> Iterator[str]:
    """A line for each thing the query requires that no document of these libraries has, or that none has together."""
    if query.only_excludes:
        yield "the query only says what to leave out: add a word to search for"
        return
    required = {clause.span: clause for clause in query.required}
    for _, analyzer in libraries:
        required |= {clause.span: clause for clause in query.demanded(analyzer)}
    clauses = [required[span] for span in sorted(required)][:_FEW]
    lacking = [clause for clause in clauses if not any(_documents(one, query, clause) for one, _ in libraries)]
    yield from dict.fromkeys(
        f"no document has {shortened(clause.span.of(query.text).lstrip('+＋'))}" for clause in lacking
    )
    if any(clause.quoted for clause in lacking):
        yield "words in quotes must stand together: without the quotes each is searched by itself"
    if not lacking and len(clauses) + len(query.nears) > 1:
        yield "each of these is somewhere, but no document has all that is required"
    elif not lacking and query.nears:
        yield f"no passage has these words within {query.nears[0][1].distance} of each other"


def _documents(constraints: Constraints, query: Query, clause: Clause) -> int:
    try:
        return constraints.documents_with(query, clause)
    except RagspineError:
        return 0
