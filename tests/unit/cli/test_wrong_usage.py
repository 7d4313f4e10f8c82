"""A slip on the command line is told in one line with what was meant and where the help is."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragspine_tui.cli.app import run

SEVERAL = "each condition has a -f of its own; with --any-filter one of them is enough"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("serach", "x"), "no command 'serach'; did you mean 'search'?: see 'ragspine-tui --help'"),
        (("Search", "x"), "no command 'Search'; did you mean 'search'?: see 'ragspine-tui --help'"),
        (("zzz",), "No such command 'zzz': see 'ragspine-tui --help'"),
        (("search", "salt", "--filter"), "Option '--filter' requires an argument: see 'ragspine-tui search --help'"),
        (
            ("search", "salt", "-k", "many"),
            "Invalid value for '-k': 'many' is no whole number from 0 to 10,000: see 'ragspine-tui search --help'",
        ),
        (
            ("search", "salt", "-k", "-1"),
            "Invalid value for '-k': '-1' is no whole number from 0 to 10,000: see 'ragspine-tui search --help'",
        ),
        (("search", "salt", "-f", "tags = winter and rating = 9"), SEVERAL),
        (("search", "salt", "-f", "tags in a,b OR rating = 9"), SEVERAL),
        (("search", "salt", "-f", "tags = winter cold"), 'quote a value with spaces: tags = "winter cold"'),
        (("search", "salt", "-f", "季節　冬"), "an operator after '季節', found '冬' at character 4 of '季節　冬'"),
    ],
)
def test_a_slip_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str
) -> None:
    code = run(["--home", str(tmp_path), *arguments])
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert told in err


def test_the_help_of_search_names_the_operators(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", "--help"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "= != > >= < <= or 'in a,b', 'nin a,b', 'low..high'" in said
