"""docs/retrieval.md shows what the program really prints; RAGSPINE_WRITE_DOCS=1 keeps the new output on the page."""

from __future__ import annotations

import doctest
import io
import os
import re
import shlex
import shutil
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Final

import pytest

from ragspine_tui.cli.app import run
from ragspine_tui.config import VARIABLES
from ragspine_tui.retrieval.chunking.chunker import CHUNKER_IMPLS
from ragspine_tui.specs import SEAMS
from ragspine_tui.types import OPERATORS

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "retrieval.md"
TEXT: Final = PAGE.read_text(encoding="utf-8")
PLACE: Final = "/home/me/ragspine-tui"
BLOCK: Final = re.compile(r"```(console|toml|python)\n(.*?)```", re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A reader's folder with the sample libraries, and nothing set in the environment."""
    for variable in ("RAGSPINE_HOME", "NO_COLOR", *VARIABLES.values()):
        # Set first, so that what the page's own `export` sets is taken away again.
        monkeypatch.setenv(variable, "")
        monkeypatch.delenv(variable)
    shutil.copytree(ROOT / "sample_libraries", tmp_path / "sample_libraries")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said_by(line: str, folder: Path) -> str:
    """What a reader sees of one command line: both streams as they come, or stdout through `cut` and then stderr."""
    command, _, cut = line.partition(" | cut -f ")
    words = shlex.split(command)
    if words[0] == "export":
        os.environ.update([words[1].split("=", 1)])  # type: ignore[list-item]
        return ""
    with pytest.MonkeyPatch.context() as patch:
        while "=" in words[0]:
            patch.setenv(*words.pop(0).split("=", 1))
        assert words[0] == "ragspine-tui", line
        data = narration = io.StringIO()
        if cut:
            narration = io.StringIO()
        with redirect_stdout(data), redirect_stderr(narration):
            run(words[1:])
    shown = data.getvalue()
    if cut:
        first, last = map(int, cut.split("-"))
        shown = "".join("\t".join(row.split("\t")[first - 1 : last]) + "\n" for row in shown.splitlines())
        shown += narration.getvalue()
    return shown.replace(str(folder), PLACE)


def console(body: str, folder: Path) -> str:
    """The block with what its commands say now."""
    commands = [line for line in body.splitlines() if line.startswith("$ ")]
    return "".join(f"{line}\n{said_by(line[2:], folder)}" for line in commands)


def python(body: str) -> str:
    """The block with what its examples say now."""
    examples = doctest.DocTestParser().get_examples(body)
    names: dict[str, object] = {}
    lines = []
    for example in examples:
        said = io.StringIO()
        with redirect_stdout(said):
            exec(compile(example.source, PAGE.name, "single"), names)
        first, *rest = example.source.splitlines()
        lines += [f">>> {first}", *(f"... {line}" for line in rest), *said.getvalue().splitlines()]
    return "".join(f"{line}\n" for line in lines)


def page_now(folder: Path) -> str:
    """The page with every example run, in order, in one folder."""

    def again(block: re.Match[str]) -> str:
        kind, body = block.groups()
        if kind == "toml":
            (folder / body.splitlines()[0].removeprefix("# ")).write_text(body, encoding="utf-8")
        else:
            body = console(body, folder) if kind == "console" else python(body)
        return f"```{kind}\n{body}```"

    return BLOCK.sub(again, TEXT)


def test_every_example_of_the_page_prints_what_the_page_shows(folder: Path) -> None:
    now = page_now(folder)
    if os.environ.get("RAGSPINE_WRITE_DOCS"):
        PAGE.write_text(now, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8").splitlines() == now.splitlines()


def test_an_example_that_drifted_would_be_found(folder: Path) -> None:
    shown = "$ ragspine-tui search owls --fusion best\nragspine-tui: something else\n"
    assert console(shown, folder) != shown
    assert python(">>> 1 + 1\n3\n") == ">>> 1 + 1\n2\n"


def rows(first: str) -> Iterator[list[str]]:
    """The cells of a table, found by the head of its first column."""
    lines = iter(TEXT[TEXT.index(f"| {first} |") :].splitlines()[2:])
    for line in lines:
        if not line.startswith("|"):
            return
        yield [cell.strip() for cell in line.strip("|").split("|")]


def test_the_table_of_settings_is_that_of_the_program() -> None:
    settings = {variable: key for key, variable in VARIABLES.items()}
    expected = [
        [
            seam.label,
            f"`{settings[seam.variable]}`",
            f"`{seam.default}`",
            f"`{seam.variable}`",
            ", ".join(
                f"`{name}` ({', '.join(f'`{word}`' for word in also)})" if also else f"`{name}`"
                for name, also in seam.names.items()
            ),
        ]
        for seam in SEAMS.values()
    ]
    assert list(rows("what")) == expected


def test_the_page_names_every_operator_and_every_chunker() -> None:
    operators = [word for row in rows("written") for word in re.findall(r"`(\w+)`", row[1])]
    assert operators == list(OPERATORS)
    named = [row[0].strip("`") for row in rows("spec")]
    assert sorted(named) == sorted(SEAMS["chunker"].names) == sorted(set(CHUNKER_IMPLS) - set(aliases("chunker")))


def aliases(seam: str) -> list[str]:
    """The other names of a seam's specs."""
    return [word for also in SEAMS[seam].names.values() for word in also]


def test_the_readme_leads_to_the_page() -> None:
    assert "(docs/retrieval.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
