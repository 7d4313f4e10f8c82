"""docs/cli.md names every command, option and exit code there is."""

from __future__ import annotations

import re
from inspect import cleandoc
from pathlib import Path

import click
import pytest

from ragspine_tui.cli.failures import ExitCode
from ragspine_tui.cli.registry import COMMANDS, load

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


def test_the_page_names_no_command_that_is_not_there() -> None:
    headings = re.findall(r"^### (.+)$", PAGE, re.MULTILINE)
    named = {word for heading in headings for word in re.findall(r"`([a-z-]+)", heading)}
    assert named == set(COMMANDS)


def test_every_exit_code_is_documented() -> None:
    assert {int(code) for code in re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)} == {code.value for code in ExitCode}
