"""docs/cli.md names every command, option and exit code there is."""

from __future__ import annotations

import re
from inspect import cleandoc
from pathlib import Path

import click
import pytest

from ragspine_tui.cli.failures import ExitCode
from ragspine_tui.cli.registry import COMMANDS, load
from ragspine_tui.specs import SEAMS
from ragspine_tui.types import Sensitivity

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "cli.md").read_text(encoding="utf-8")
COMMON = PAGE[PAGE.index("## Options of every command") : PAGE.index("## Exit codes")]


def section_of(name: str) -> str:
    """The part of the page under the command's heading, up to the next command."""
    match = re.search(rf"^### [^\n]*`{re.escape(name)}\b.*?(?=^##? |^### |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    assert match, f"docs/cli.md has no heading for {name}"
    return match.group()


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_option_of_a_command_is_named_under_its_heading(name: str) -> None:
    described = section_of(name) + COMMON
    for parameter in load(name).params:
        if isinstance(parameter, click.Option):
            missing = [option for option in parameter.opts if not re.search(rf"`{option}\b", described)]
            assert not missing, f"{name}: {missing}"


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_and_option_has_a_help_text(name: str) -> None:
    command = load(name)
    assert command.help
    assert command.name == name
    assert COMMANDS[name].summary == " ".join(cleandoc(command.help).split("\n\n")[0].split())
    assert all(parameter.help for parameter in command.params if isinstance(parameter, click.Option))


@pytest.mark.parametrize(
    ("command", "option", "seam"),
    [
        ("search", "--mode", "mode"),
        ("search", "--route", "router"),
        ("search", "--fusion", "fusion"),
        ("search", "--extract", "filter_extractor"),
        ("add", "--chunker", "chunker"),
        ("eval", "--mode", "mode"),
        ("eval", "--fusion", "fusion"),
        ("eval", "--extract", "filter_extractor"),
        ("eval", "--chunker", "chunker"),
    ],
)
def test_the_help_and_the_page_list_every_value_of_an_option(command: str, option: str, seam: str) -> None:
    (help_text,) = [
        parameter.help or ""
        for parameter in load(command).params
        if isinstance(parameter, click.Option) and option in parameter.opts
    ]
    missing = [value for value in SEAMS[seam].names if not re.search(rf"\b{value}\b", help_text)]
    assert not missing, help_text
    (row,) = re.findall(rf"^\| `{option} .*$", section_of("add" if option == "--chunker" else "search"), re.MULTILINE)
    assert not [value for value in SEAMS[seam].names if f"`{value}`" not in row], row


def test_the_help_lists_the_labels_of_sensitivity() -> None:
    (option,) = [parameter for parameter in load("add").params if parameter.name == "sensitivity"]
    assert isinstance(option, click.Option)
    assert all(label.value in str(option.help) for label in Sensitivity)


def test_the_page_names_no_command_that_is_not_there() -> None:
    headings = re.findall(r"^### (.+)$", PAGE, re.MULTILINE)
    named = {word for heading in headings for word in re.findall(r"`([a-z-]+)", heading)}
    assert named == set(COMMANDS)


def test_every_exit_code_is_documented() -> None:
    assert {int(code) for code in re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)} == {code.value for code in ExitCode}
