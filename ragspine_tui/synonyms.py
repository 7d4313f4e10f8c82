"""A person's own words for the values of metadata fields, kept in `synonyms.toml` in the home.

    [language]
    japanese = "ja"
    "日本語" = "ja"

A table a field; a key is what a person types, its value what the documents carry.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from ragspine_tui.errors import UsageError
from ragspine_tui.locations import synonyms_file


def load_synonyms(home: Path) -> Mapping[str, tuple[str, str]]:
    """Each typed word's (field, value), in the file's order; empty without the file.

    UsageError names the file and what is wrong with it.
    """
    path = synonyms_file(home)
    try:
        tables = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise UsageError(f"cannot read {str(path)!r}: {error.strerror}", "make it readable or move it away") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{str(path)!r} is not UTF-8 (byte {error.start})", "save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{str(path)!r} is not valid TOML: {error}", "mend that line") from error
    synonyms: dict[str, tuple[str, str]] = {}
    for field, table in tables.items():
        if not isinstance(table, dict):
            raise UsageError(
                f"{field!r} in {str(path)!r} is no table", 'write [field], then "typed word" = "value" lines'
            )
        for word, value in table.items():
            if not isinstance(value, str):
                raise UsageError(f"{word!r} in {str(path)!r} must stand for one text", f'write "{word}" = "value"')
            synonyms.setdefault(word, (field, value))
    return synonyms
