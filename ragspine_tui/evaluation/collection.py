"""Reads a judged collection in the BEIR layout: `corpus.jsonl`, `queries.jsonl`, `qrels.tsv` or `qrels/test.tsv`.

Whatever is wrong with it is one UsageError that names the file and the line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ragspine_tui.errors import UsageError

Judgments = Mapping[str, Mapping[str, int]]
"""A query's id to the relevance of each judged document's id."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One document of a corpus."""

    entry_id: str
    title: str
    text: str

    @property
    def whole_text(self) -> str:
        """What a file of this entry would hold: its title once at the beginning, then its text."""
        if self.text.lstrip().startswith(self.title):
            return self.text
        return f"{self.title}\n\n{self.text}" if self.text.strip() else self.title


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents in file order, queries by id, judgments by query."""

    name: str
    entries: tuple[Entry, ...]
    queries: Mapping[str, str]
    judgments: Judgments

    @classmethod
    def load(cls, folder: Path) -> Collection:
        """The collection in a folder; raises UsageError where a file is missing, malformed or names an id twice."""
        if not folder.is_dir():
            raise UsageError(f"no folder {str(folder)!r}", "give the folder that holds corpus.jsonl")
        entries = tuple(
            Entry(identifier, _string(value.get("title")), _string(value.get("text")))
            for identifier, value in _objects(folder / "corpus.jsonl")
        )
        queries = {key: _string(value.get("text")) for key, value in _objects(folder / "queries.jsonl")}
        return cls(folder.resolve().name, entries, queries, _judgments(folder))

    def judged(self) -> dict[str, Mapping[str, int]]:
        """The judgments of the queries that have a positive one, in file order."""
        return {
            query: relevances
            for query, relevances in self.judgments.items()
            if any(relevance > 0 for relevance in relevances.values())
        }


def _objects(path: Path) -> Iterator[tuple[str, dict[str, object]]]:
    seen: set[str] = set()
    for number, line in _lines(path):
        try:
            value = json.loads(line)
        except ValueError as error:
            raise UsageError(f"{path.name}:{number} is not JSON ({error})", "one object a line") from None
        if not isinstance(value, dict) or value.get("id", value.get("_id")) is None:
            raise UsageError(f"{path.name}:{number} has no id", 'a line looks like {"id": "1", "text": "..."}')
        identifier = str(value.get("id", value.get("_id")))
        if identifier in seen:
            raise UsageError(f"{path.name}:{number} repeats the id {identifier!r}", "ids are unique")
        seen.add(identifier)
        yield identifier, value


def _judgments(folder: Path) -> Judgments:
    path = next((p for p in (folder / "qrels.tsv", folder / "qrels" / "test.tsv") if p.is_file()), folder / "qrels.tsv")
    found: dict[str, dict[str, int]] = {}
    for number, line in _lines(path):
        columns = [column.strip() for column in (line.split("\t") if "\t" in line else line.split())]
        try:
            query, document, relevance = columns[0], columns[1], int(float(columns[2]))
        except (IndexError, ValueError, OverflowError):
            if number == 1:
                continue
            raise UsageError(
                f"{path.name}:{number} is no judgment", "a line is: query id, tab, document id, tab, relevance"
            ) from None
        found.setdefault(query, {})[document] = max(relevance, 0)
    return found


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with path.open(encoding="utf-8-sig", newline="\n") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield number, line
    except UnicodeDecodeError as error:
        raise UsageError(f"{path.name} is not UTF-8 (byte {error.start})", "save it as UTF-8") from None
    except OSError as error:
        raise UsageError(f"cannot read {path.name}: {error.strerror}", "a collection needs this file") from None


def _string(value: object) -> str:
    return "" if value is None else str(value)
