"""Every command's name, one-line help and place: a program's start imports the one that is used and no other."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Final, NamedTuple

import click

from ragspine_tui.cli.interrupts import interrupted_afterwards


class Place(NamedTuple):
    """The module under `ragspine_tui.cli` and the name in it where a command is, and what `--help` says of it."""

    module: str
    name: str
    summary: str


COMMANDS: Final[Mapping[str, Place]] = MappingProxyType(
    {
        "add": Place("indexing", "add", "Make a library of a folder (or one file) and index it."),
        "index": Place("indexing", "index", "Bring libraries up to date: only what changed is read."),
        "watch": Place("watching", "watch", "Keep libraries up to date until Ctrl-C."),
        "libraries": Place("libraries", "libraries", "List the libraries and what their indexes hold."),
        "describe": Place("libraries", "describe", "Show a library, or give it another title or description."),
        "remove": Place("libraries", "remove", "Forget a library. Your files are never touched."),
        "search": Place("searching", "search", "Search the libraries."),
        "like": Place("searching", "like", "Search for more like a passage."),
        "show": Place("searching", "show", "Print a passage by the id that 'search --json' gives."),
        "fields": Place("searching", "fields", "List the metadata fields, their values and counts."),
        "restrict": Place("restricting", "restrict", "Mark documents RESTRICTED: their text leaves the index."),
        "unrestrict": Place("restricting", "unrestrict", "Take marks of 'restrict' away again."),
        "problems": Place("indexing", "problems", "List the files that were not indexed, with the reason."),
        "eval": Place("evaluate", "evaluate", "Measure retrieval on a judged collection."),
        "demo": Place("samples", "demo", "Try it: sample libraries in a throw-away home."),
    }
)
"""The commands in the order a person needs them."""


def load(name: str) -> click.Command:
    """The command of this name, imported."""
    place = COMMANDS[name]
    with interrupted_afterwards():
        command: click.Command = getattr(import_module(f"ragspine_tui.cli.{place.module}"), place.name)
    return command
