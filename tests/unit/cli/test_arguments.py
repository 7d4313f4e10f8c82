"""Every text of every command is UTF-8 or refused; paths and queries are any bytes, and no path is empty."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from ragspine_tui.cli.arguments import Command, Day
from ragspine_tui.cli.console import Console
from ragspine_tui.cli.registry import COMMANDS, load

BYTES = os.fsdecode(b"caf\xe9")


CLOSED = (click.Choice, click.IntRange, click.FloatRange, Day)
"""Kinds of values that say themselves which there are."""


def parameters(*, text: bool) -> Iterator[tuple[str, str]]:
    """The commands' parameters that take a value: those that are text, or those that are not."""
    for name in COMMANDS:
        for parameter in load(name).params:
            valued = not (isinstance(parameter, click.Option) and parameter.is_flag)
            if (
                valued
                and not isinstance(parameter.type, CLOSED)
                and isinstance(parameter.type, click.types.StringParamType) == text
            ):
                yield name, str(parameter.name)


def given(command: click.Command, name: str, value: str) -> click.Context:
    """The command line in which a parameter has the value, and every other required one a plain word, as read."""
    words: list[str] = []
    for parameter in command.params:
        if isinstance(parameter, click.Option) and (parameter.name or parameter.opts[0][2:]) == name:
            words += [parameter.opts[0], value]
    for parameter in command.params:
        if isinstance(parameter, click.Argument):
            words += ["--"] if "--" not in words else []
            words += [value if parameter.name == name else "word"]
    return command.make_context(command.name, words, obj=Console())


@pytest.mark.parametrize(("command", "name"), [*parameters(text=True)])
def test_a_text_that_is_not_utf8_is_refused_by_its_name(command: str, name: str) -> None:
    with pytest.raises(click.BadParameter, match=r"UTF-8|; valid: ") as refused:
        given(load(command), name, BYTES)
    assert refused.value.param is not None
    assert refused.value.param.name == name


def test_a_command_that_does_not_look_would_take_it() -> None:
    careless = click.Command("show", params=load("show").params)
    assert given(careless, "chunk_id", BYTES).params["chunk_id"] == BYTES
    assert all(isinstance(load(name), Command) for name in COMMANDS)


@pytest.mark.parametrize("name", ["limit", "sort", "recency", "today"])
@pytest.mark.parametrize("value", [BYTES, "", "nan", "-1", "1e999", "2024-02-31"])
def test_a_value_that_is_none_of_its_kind_is_refused_by_its_name(name: str, value: str) -> None:
    with pytest.raises(click.BadParameter) as refused:
        given(load("search"), name, value)
    assert refused.value.param is not None
    assert refused.value.param.name == name


@pytest.mark.parametrize(("command", "name"), [*parameters(text=False)])
def test_a_path_may_be_any_bytes_and_a_query_replaces_them(command: str, name: str) -> None:
    context = given(load(command), name, BYTES)
    kept = {"home": context.find_object(Console), **context.params}[name]
    if isinstance(kept, Console):
        kept = kept.home
    if name == "query":
        assert kept == "caf\ufffd"
    else:
        assert BYTES in (str(kept), *(kept if isinstance(kept, tuple) else ()))


@pytest.mark.parametrize(("command", "name"), [("add", "path"), ("eval", "folder"), ("eval", "run_file")])
def test_an_empty_path_is_not_the_current_folder(command: str, name: str) -> None:
    with pytest.raises(click.BadParameter, match="empty"):
        given(load(command), name, "")
    assert given(load(command), name, ".").params[name] == Path()


@pytest.mark.parametrize("command", list(COMMANDS))
def test_an_empty_home_is_not_the_current_folder(command: str) -> None:
    with pytest.raises(click.BadParameter, match="empty"):
        given(load(command), "home", "")
    console = given(load(command), "home", ".").find_object(Console)
    assert console is not None
    assert console.home == Path()
