"""The terms that are no words: those of metadata and of whole names, told by a mark that no word begins with."""

from typing import Final

MARK: Final = "\x1f"
"""Begins the terms of metadata, which no word begins with: see `presence_term` and `value_term`."""

NAMED: Final = "\x1e"
"""Begins the terms of whole names: see `named_term`."""

AFTER_VALUES: Final = chr(ord(MARK) + 1)
"""The character after the mark: a field's values end where it would stand in the place of the second mark."""


def named_term(key: str) -> str:
    """The term of all documents that are called exactly so, in the `name` field."""
    return f"{NAMED}{key}"


def presence_term(name: str) -> str:
    """The term of all documents that have a metadata field."""
    return f"{MARK}{name}"


def value_term(name: str, value: str) -> str:
    """The term of all documents that have `value` in a metadata field; those of one field sort by value."""
    return f"{MARK}{name}{MARK}{value}"


def end_of_values(name: str) -> str:
    """What sorts after all value terms of a field and before any other of those that follow them."""
    return f"{MARK}{name}{AFTER_VALUES}"
