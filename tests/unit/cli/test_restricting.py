"""What the commands say of restrictions is true: which documents they cover, which they miss, and why one stays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ragspine_tui.cli.app import run
from tests.homes import write_files

Say = Callable[..., tuple[int, str, str]]

FILES = {
    "a.md": "Salt and water.\n",
    "b.md": "Salt and flour.\n",
    "own.md": "---\nsensitivity: restricted\n---\n\nSalt and secrets.\n",
    "sub/c.md": "Salt and lime.\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        file = tmp_path / "rp" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path / "rp"


@pytest.fixture
def say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    """One command line in a fresh home: its exit code and both streams."""

    def said(*arguments: str | Path) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run([*map(str, arguments), "--home", str(tmp_path / "home")])
        return (code, *capsys.readouterr())

    return said


@pytest.mark.parametrize(
    ("pattern", "case"), [("nomatch/*", ""), ("*.MD", " (case counts)"), ("SUB/*", " (case counts)")]
)
def test_a_pattern_that_restricts_nothing_is_said_whenever_files_are_read(
    say: Say, folder: Path, pattern: str, case: str
) -> None:
    line = (
        f"rp: no document matches '{pattern}'{case}, so it restricts nothing now; it is kept for files that come later"
    )
    code, _, err = say("add", folder, "--restrict", pattern)
    assert (code, err.splitlines()[-1]) == (3, line)
    code, _, err = say("index")
    assert (code, err.splitlines()) == (3, [line])


def test_a_pattern_that_restricts_something_is_not_remarked_on(say: Say, folder: Path) -> None:
    assert say("add", folder, "--restrict", "sub/*", "--restrict", "./b.md")[0] == 0
    assert say("index")[::2] == (0, "")
    assert say("search", "flour", "lime")[0] == 1


def test_the_file_of_a_mark_may_go_without_a_word(say: Say, folder: Path) -> None:
    say("add", folder)
    say("restrict", "rp", "a.md")
    (folder / "a.md").unlink()
    assert say("index")[::2] == (0, "")


def test_each_path_that_matches_nothing_is_said_beside_what_was_done(say: Say, folder: Path) -> None:
    say("add", folder)
    code, _, err = say("restrict", "rp", "b.md", "typo.md")
    assert code == 3
    assert err.splitlines() == [
        "rp: 1 document restricted",
        "rp: no document matches 'typo.md', so it restricts nothing now; it is kept for files that come later",
    ]


def test_what_is_restricted_already_is_said_to_be_so(say: Say, folder: Path) -> None:
    say("add", folder)
    assert say("restrict", "rp", "a.md")[0] == 0
    assert say("restrict", "rp", "a.md")[::2] == (0, "rp: restricted already: a.md\n")
    assert say("restrict", "rp", "*.md")[::2] == (
        0,
        "rp: 2 documents restricted\nrp: restricted already: a.md, own.md\n",
    )


def test_a_document_that_stays_restricted_says_why_and_what_to_do(say: Say, folder: Path) -> None:
    say("add", folder, "--restrict", "sub/*")
    say("restrict", "rp", "a.md", "a.*")
    code, _, err = say("unrestrict", "rp", "a.md")
    assert (code, err.splitlines()) == (
        3,
        [
            "rp: 1 mark taken away",
            "rp: a.md is still restricted by the mark 'a.*': 'ragspine-tui unrestrict' takes it away",
        ],
    )
    assert say("unrestrict", "rp", "a.*")[::2] == (0, "rp: 1 mark taken away\n")
    assert say("unrestrict", "rp", "own.md")[::2] == (
        3,
        "rp: nothing is marked so; its marks: none\n"
        "rp: own.md is still restricted by its own label: change it in the file\n",
    )
    assert "by 'add --restrict sub/*': remove the library" in say("unrestrict", "rp", "sub/c.md")[2]


@pytest.mark.parametrize("path", ["../kitchen/soup.md", "sub/../../x", "../*"])
def test_a_path_out_of_the_library_is_no_mark(say: Say, folder: Path, path: str) -> None:
    say("add", folder)
    code, _, err = say("restrict", "rp", path)
    assert (code, err) == (2, f"ragspine-tui: {path!r} is not in the library: its folder is {folder}\n")


def test_a_path_with_dots_inside_the_library_restricts_that_file(say: Say, folder: Path) -> None:
    say("add", folder)
    assert say("restrict", "rp", "sub/../b.md")[::2] == (0, "rp: 1 document restricted\n")
    assert say("restrict", "rp", "./a.md")[::2] == (0, "rp: 1 document restricted\n")
    assert say("search", "flour", "water")[0] == 1


def test_restrict_without_a_path_lists_the_restricted_documents_with_their_reasons(say: Say, folder: Path) -> None:
    say("add", folder)
    say("restrict", "rp", "b.md")
    code, out, _ = say("restrict", "rp")
    assert (code, out.splitlines()) == (
        0,
        [
            "document  restricted by",
            "b.md      the mark 'b.md': 'ragspine-tui unrestrict' takes it away",
            "own.md    its own label: change it in the file",
        ],
    )
    assert say("restrict", "rp", "--json")[1] == (
        '[{"library_id": "rp", "document": "b.md", "reasons": ["the mark \'b.md\': \'ragspine-tui unrestrict\' takes it'
        ' away"]}, {"library_id": "rp", "document": "own.md", "reasons": ["its own label: change it in the file"]}]\n'
    )


def test_a_library_says_that_it_is_restricted_or_not_indexed(say: Say, folder: Path) -> None:
    say("add", folder, "--sensitivity", "restricted", "--id", "law")
    assert " restricted " in say("libraries")[1]
    assert say("fields", "-l", "law")[2] == "no fields: every document that was read is restricted\n"
    assert "a.md is still restricted by the label of the whole library" in say("unrestrict", "law", "a.md")[2]
    say("remove", "law")
    say("add", folder, "--no-index")
    assert " not indexed " in say("libraries")[1]
    say("index")
    assert " ready " in say("libraries")[1]


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("---\nsensitivty: restricted\n---\n\nwords\n", "line 2: 'sensitivty' is no key of labels"),
        ("sensitivity: sekret\n\nwords\n", "unknown sensitivity label, kept out"),
    ],
)
def test_a_doubtful_label_is_listed_after_every_run(say: Say, folder: Path, text: str, row: str) -> None:
    (folder / "typo.md").write_text(text, encoding="utf-8")
    for command in (("add", folder), ("index",)):
        code, out, _ = say(*command)
        assert code == 3
        assert row in out


def test_a_library_is_suggested_by_its_title_and_by_what_was_nearly_typed(say: Say, folder: Path) -> None:
    say("add", folder, "--id", "kitchen", "--title", "Cooking at home")
    for typed in ("Kitchen", "kitchn", "cooking at home", "Cooking At Home"):
        for command in (("search", "salt", "-l", typed), ("describe", typed), ("restrict", typed, "a.md")):
            code, _, err = say(*command)
            meant = "did you mean 'kitchen'? `ragspine-tui libraries` lists them"
            assert (code, err) == (2, f"ragspine-tui: there is no library {typed!r}: {meant}\n")


def test_a_folder_without_latin_letters_is_told_of_the_option_for_its_id(say: Say, tmp_path: Path) -> None:
    folder = tmp_path / "日記"
    folder.mkdir()
    (folder / "雪.md").write_text("雪が降る。", encoding="utf-8")
    assert "'add --id ID' gives it one" in say("add", folder)[2]
    assert "--id" not in say("add", folder / "雪.md", "--id", "snow")[2]


def test_a_mark_whose_file_is_gone_is_listed_with_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = ["--home", str(tmp_path / "home")]
    folder = write_files(tmp_path / "lib", {"fossa.txt": "The heptagon.", "a.txt": "The heron."})
    assert run(["add", str(folder), *home]) == 0
    assert run(["restrict", "lib", "fossa.txt", *home]) == 0
    write_files(folder, {"fossa-v2.txt": (folder / "fossa.txt").read_text() + "more"})
    (folder / "fossa.txt").unlink()
    assert run(["index", "lib", *home]) == 3
    assert "is gone, and a file is new" in capsys.readouterr().out
    for _ in range(2):
        assert run(["restrict", "lib", *home]) == 3
        assert "nothing is at 'fossa.txt' now, which is marked" in capsys.readouterr().err
        assert run(["index", "lib", *home]) == 0
    assert run(["unrestrict", "lib", "fossa.txt", *home]) == 0
    assert run(["restrict", "lib", *home]) == 0
