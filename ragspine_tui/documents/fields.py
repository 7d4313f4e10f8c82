"""Metadata of documents: every value a bounded string as it was written, every name in lower case."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final

from ragspine_tui.documents.dates import iso_dates
from ragspine_tui.documents.labels import FIELD, distinct, label_named
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.types import Fields, shown_path

MAX_NAME: Final = 80
MAX_VALUE: Final = 1_000
MAX_VALUES: Final = 200
MAX_FIELDS: Final = 120
_YEAR: Final = re.compile(r"(\d{4})(?!\d)")
_DATED: Final = ("year", "date", "published", "created")
_SHOWN: Final = 40
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class FieldsBuilder:
    """Collects values by field in the order they come; what exceeds the bounds is left out and named in `dropped`."""

    def __init__(self) -> None:
        self._values: dict[str, dict[str, None]] = {}
        self.dropped: list[str] = []

    def add(self, name: str, *values: str) -> None:
        """Adds each value once; white space around values goes, names become lower case."""
        key = _key(name)
        if not key or len(key) > MAX_NAME or (key not in self._values and len(self._values) >= MAX_FIELDS):
            self._drop(key)
            return
        known = self._values.setdefault(key, {})
        for value in values:
            value = value.strip()
            if len(value) > MAX_VALUE or len(known) >= MAX_VALUES:
                self._drop(key)
            else:
                known[value] = None
        if not known:
            del self._values[key]

    def add_all(self, fields: Mapping[str, Iterable[str]]) -> None:
        """Adds every value of every field."""
        for name, values in fields.items():
            self.add(name, *values)

    def first(self, name: str) -> str:
        """The first value of a field, '' without one."""
        return next(iter(self._values.get(name, ())), "")

    def build(self) -> Fields:
        """What was collected."""
        return {name: tuple(values) for name, values in self._values.items()}

    def _drop(self, key: str) -> None:
        shown = key[:40]
        if shown not in self.dropped and len(self.dropped) < 3:
            self.dropped.append(shown)


@lru_cache(1 << 10)
def _key(name: str) -> str:
    return " ".join(name.split()).lower()


def split_tags(values: Iterable[str]) -> list[str]:
    """Tags as people write them in one string or many: split at commas, without `#`."""
    tags: list[str] = []
    for value in values:
        pieces = value.split(",") if "," in value else [value]
        if len(pieces) == 1 and value.lstrip().startswith("#"):
            pieces = value.split()
        tags += [tag for piece in pieces if (tag := piece.strip().lstrip("#").strip())]
    return tags


def file_fields(source: SourceFile, kind: str) -> Fields:
    """What the file itself says: kind, ext, name, folder and those above it, size (12 digits), modified (ISO, UTC)."""
    fields = FieldsBuilder()
    fields.add("kind", kind)
    relative = shown_path(source.relative)
    fields.add("name", shown_path(source.name))
    if extension := shown_path(source.suffix[1:]):
        fields.add("ext", extension)
    # A folder holds what its folders hold: the file's own comes first.
    if folders := [str(folder) for folder in PurePosixPath(relative).parents if folder != PurePosixPath()]:
        fields.add("folder", *folders)
    fields.add("size", f"{source.size:012d}")
    fields.add("modified", iso_time(source.mtime))
    return fields.build()


def iso_time(seconds: float) -> str:
    """Seconds since 1970 as `2025-01-15T09:30:00Z`, for any year that files can carry."""
    try:
        moment = _EPOCH + timedelta(seconds=int(seconds // 1))
    except OverflowError:
        moment = _EPOCH
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")


def complete(
    declared: Fields, source: SourceFile, kind: str, labels: Iterable[str] = ()
) -> tuple[Fields, tuple[str, ...]]:
    """The document's fields: the file's own, the declared ones, and `author`, `language`, `tags`, `year` derived.

    A declared name that is also one of the file's adds its values to them; `labels` join the declared ones and are
    never left out. Notes name what did not fit.
    """
    fields = FieldsBuilder()
    fields.add_all(file_fields(source, kind))
    dated = {name: iso_dates(name, values) for name, values in declared.items()}
    declared = {name: values for name, (values, _) in dated.items()}
    if found := distinct([*map(label_named, declared.get(FIELD, ())), *labels]):
        fields.add(FIELD, *found)
    fields.add_all({name: values for name, values in declared.items() if name not in {"tags", "keywords", FIELD}})
    fields.add_all({"keywords": declared["keywords"]} if "keywords" in declared else {})
    tagged = [value for name in ("tags", "tag") for value in declared.get(name, ())]
    fields.add_all({"tags": split_tags(tagged)} if tagged else {})
    for name, other in (("author", "authors"), ("language", "lang")):
        if not fields.first(name) and declared.get(other):
            fields.add(name, *declared[other])
    if not fields.first("year"):
        years = (_YEAR.match(value) for name in _DATED for value in declared.get(name, ()))
        fields.add_all({"year": [m.group(1) for m in years if m][:1]})
    notes = [f"too long or too many for fields: {', '.join(fields.dropped)}"] if fields.dropped else []
    for name, (_, odd) in dated.items():
        notes += [f"{name} {odd[0][:_SHOWN]!r} is no date that conditions can compare: write 2025-01-31"] if odd else []
    return fields.build(), tuple(notes)
