"""A person's own words for the values of metadata fields, kept in `synonyms.toml` in the home.

    [language]
    japanese = "ja"
    "日本語" = "ja"

A table a field; a key is what a person types, its value what the documents carry.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ragspine_tui.errors import UsageError
from ragspine_tui.locations import read_toml, shortened, synonyms_file


def load_synonyms(home: Path) -> Mapping[str, tuple[str, str]]:
    """Each typed word's (field, value), in the file's order; empty without the file.

    UsageError names the file and what is wrong with it.
    """
    path = synonyms_file(home)
    synonyms: dict[str, tuple[str, str]] = {}
    for field, table in read_toml(path).items():
        if not isinstance(table, dict):
            raise UsageError(
                f"{shortened(field)} in {str(path)!r} is no table", 'write [field], then "typed word" = "value" lines'
            )
        for word, value in table.items():
            if not isinstance(value, str):
                raise UsageError(
                    f"{shortened(word)} in {str(path)!r} must stand for one text", 'write "typed word" = "value"'
                )
            synonyms.setdefault(word, (field, value))
    return synonyms
