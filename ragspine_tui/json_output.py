"""The JSON of the command line: a search and its hits, libraries, fields, problems, as plain dictionaries.

Key order is part of the contract (docs/cli.md). Nothing here depends on the time or the machine.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Sequence
from typing import Any

from ragspine_tui.types import (
    Explanation,
    FieldValues,
    FileProblem,
    FilterReport,
    FilterStep,
    Hit,
    IndexReport,
    LibrarySummary,
    Parent,
    RestrictedDocument,
    Route,
    SearchResult,
    shown_path,
)

_SURROGATE = re.compile("[\ud800-\udfff]")
# Characters that JSON allows as they are, but that a terminal would obey: C1 controls, bidirectional overrides,
# line separators. A \uXXXX escape is the same data to every JSON reader.
_UNSAFE = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def to_json(value: object) -> str:
    """One line of JSON that every stream can carry: no lone surrogate, no character a terminal obeys."""
    line = json.dumps(_encodable(value), ensure_ascii=False)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match.group()):04x}", line)


def search_json(result: SearchResult, *, parent: bool = False, explain: bool = False) -> dict[str, Any]:
    """The object of `search --json`; a hit carries `parent` and `explain` only where they are asked for."""
    return {
        "query": result.query,
        "mode": result.mode,
        "fusion": result.fusion,
        "route": _route(result.route, result.left_out),
        "filter": _filter(result.filter),
        "unknown_terms": list(result.unknown_terms),
        "errors": [{"library_id": e.library_id, "message": e.message} for e in result.errors],
        **_understood(result),
        "total": result.total,
        **({"folded": result.folded} if result.folded else {}),
        "hits": [hit_json(hit, parent=parent, explain=explain) for hit in result.hits],
    }


def _understood(result: SearchResult) -> dict[str, Any]:
    """How the query was read and what might be better: each key only where there is something to say."""
    value: dict[str, Any] = {"match": result.match} if result.match != "any" else {}
    if result.like:
        value["like"] = _path(result.like)
    if result.sort != "relevance":
        value["sort"] = result.sort
    if result.recency:
        value["recency"] = result.recency
    if result.parse:
        value["parse"] = [
            {"kind": part.kind, "text": part.text, "start": part.start, "end": part.end} for part in result.parse
        ]
    if result.notes:
        value["notes"] = list(result.notes)
    if result.suggestions:
        value["suggestions"] = [{"word": one.word, "words": list(one.words)} for one in result.suggestions]
        value["did_you_mean"] = result.did_you_mean
    if result.narrowed:
        value["narrowed"] = {
            "without_filter": result.narrowed.without_filter,
            "without_excluded": result.narrowed.without_excluded,
            "elsewhere": result.narrowed.elsewhere,
        }
    return value


def hit_json(hit: Hit, *, parent: bool = False, explain: bool = False) -> dict[str, Any]:
    """A ranked hit of a search."""
    value: dict[str, Any] = {
        "rank": hit.rank,
        "library_id": hit.library_id,
        **_document(hit.document),
        "title": hit.title,
        "heading": hit.heading,
        "chunk_id": hit.chunk_id,
        "score": float(hit.score),
        "text": hit.text,
        "locator": _path(hit.locator),
        "line": hit.line,
        "page": hit.page,
        **_part(hit),
        "parent_locator": _path(hit.parent_locator),
        "highlights": [[span.start, span.end] for span in hit.highlights],
        "fields": {name: _one_or_many(values) for name, values in hit.fields.items()},
        "stale": hit.stale,
    }
    if hit.also:
        value["also"] = [_copy(one) for one in hit.also]
    if parent:
        value["parent"] = _parent(hit.parent)
    if explain:
        value["explain"] = _explain(hit.explain)
    return value


def _copy(hit: Hit) -> dict[str, Any]:
    """Where the passage of a hit stands as well."""
    return {
        **_document(hit.document),
        "title": hit.title,
        "heading": hit.heading,
        "chunk_id": hit.chunk_id,
        "score": float(hit.score),
        "locator": _path(hit.locator),
        "line": hit.line,
        "page": hit.page,
        **_part(hit),
        "stale": hit.stale,
    }


def _part(hit: Hit) -> dict[str, str]:
    """The slide, row, cell, chapter file or mail part; a text file has none."""
    return {"part": _path(hit.part)} if hit.part else {}


def chunk_json(hit: Hit, file: str, *, parent: bool = False) -> dict[str, Any]:
    """The object of `show --json`: a passage without a search, with `file`, the absolute path it was read from."""
    value = hit_json(hit, parent=parent)
    for of_a_search in ("rank", "score", "highlights"):
        del value[of_a_search]
    return {**value, "file": _path(file)}


def library_json(summary: LibrarySummary) -> dict[str, Any]:
    """A library of `libraries --json`: how it is read, and what its index holds."""
    library = summary.library
    return {
        "library_id": library.library_id,
        "title": library.title,
        "description": library.description,
        "root": _path(library.root),
        "chunker": library.chunker,
        "language": library.language,
        "indexed_language": summary.indexed_language,
        "include": list(library.include),
        "exclude": list(library.exclude),
        "restrict": list(library.restrict),
        "sensitivity": str(library.sensitivity),
        "ignore_files": library.ignoring,
        "documents": summary.documents,
        "chunks": summary.chunks,
        "problems": summary.problems,
        "restricted": summary.restricted,
        "text_bytes": summary.text_bytes,
        "offline": summary.offline,
        "offline_since": summary.offline_since if summary.offline else "",
        "complete": summary.complete,
    }


def field_json(field: FieldValues) -> dict[str, Any]:
    """A metadata field of `fields --json`, its most frequent values first."""
    values = [{"value": value, "documents": count} for value, count in field.values]
    return {"field": field.field, "documents": field.documents, "values": values}


def restricted_json(one: RestrictedDocument) -> dict[str, Any]:
    """A restricted document and what restricts it."""
    return {"library_id": one.library_id, **_document(one.document), "reasons": list(one.reasons)}


def report_json(report: IndexReport) -> dict[str, Any]:
    """What bringing one library up to date did: a line of `watch --json`."""
    return {
        "library_id": report.library_id,
        "added": report.added,
        "changed": report.changed,
        "removed": report.removed,
        "renamed": report.renamed,
        "unchanged": report.unchanged,
        "restricted": report.restricted,
        "chunks": report.chunks,
        "cancelled": report.cancelled,
        "problems": [problem_json(problem) for problem in report.problems],
    }


def problem_json(problem: FileProblem) -> dict[str, Any]:
    """A file of `problems --json`."""
    return {
        "library_id": problem.library_id,
        **_document(problem.document),
        "status": str(problem.status),
        "reason": problem.reason,
    }


def _route(route: Route, left_out: Sequence[str]) -> dict[str, Any]:
    value: dict[str, Any] = {
        "spec": route.spec,
        "fallback": route.fallback,
        "libraries": [
            {"library_id": chosen.library_id, "matched_terms": list(chosen.matched_terms)} for chosen in route.libraries
        ],
    }
    return {**value, "left_out": list(left_out)} if left_out else value


def _filter(report: FilterReport) -> dict[str, Any]:
    return {"text": report.text, "source": report.source, "steps": [_step(step) for step in report.steps]}


def _step(step: FilterStep) -> dict[str, Any]:
    value: dict[str, Any] = {"condition": step.condition, "documents": step.documents}
    return value if step.condition is None else {**value, "missing_field": step.missing_field}


def _parent(parent: Parent | None) -> dict[str, Any] | None:
    if parent is None:
        return None
    return {"text": parent.text, "child": [parent.child.start, parent.child.end]}


def _explain(explanation: Explanation | None) -> dict[str, Any] | None:
    if explanation is None:
        return None
    terms = [
        {
            "term": part.term,
            "field": part.field,
            "tf": int(part.tf),
            "df": int(part.df),
            "idf": float(part.idf),
            "score": float(part.score),
        }
        for part in explanation.terms
    ]
    fusion = {name: float(value) for name, value in explanation.fusion.items()}
    value: dict[str, Any] = {
        "library_rank": explanation.library_rank,
        "terms": terms,
        "share": float(explanation.share),
    }
    if explanation.recency:
        aged = explanation.recency
        value["recency"] = {"date": aged.date, "factor": float(aged.factor), "score": float(aged.score)}
    return {**value, "fusion": fusion}


def _document(path: str) -> dict[str, Any]:
    """`document`, and `document_bytes` beside it where the name's bytes are not UTF-8."""
    if not _SURROGATE.search(path):
        return {"document": path}
    try:
        raw = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raw = path.encode("utf-8", "surrogatepass")
    return {"document": _path(path), "document_bytes": base64.b64encode(raw).decode("ascii")}


def _path(path: str) -> str:
    try:
        return shown_path(path)
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", path)


def _one_or_many(values: Sequence[str]) -> str | list[str]:
    return values[0] if len(values) == 1 else list(values)


def _encodable(value: object) -> object:
    """The same value with every lone surrogate as U+FFFD: one for one, so that spans in a text stay true."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_encodable(key): _encodable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_encodable(item) for item in value]
    return value
