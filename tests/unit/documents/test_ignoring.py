"""Ignore patterns: git itself says which paths they match."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.documents.ignoring import IgnoreRules, matches

FILES: Final = (
    "a.md",
    "A.md",
    "b/a.md",
    "b/c/a.md",
    "b/c/d/ab.log",
    "a/b/a",
    "a/aab/b",
    "foo/bar",
    "foox/bar",
    "foobar/bar",
    "x/foo/y/bar",
    "#a",
    "!a",
    "sp ace",
    " lead",
    "-dash",
    "日本/語.txt",
    "é.md",
    "]",
    "0",
    "~/^",
)
ODD_FILES: Final = (
    "line\nbreak/a\n",
    "a.md\n",
    "trail ",
    "trail  ",
    "tab\t",
    "back\\slash",
    "*",
    "?",
    "[a]",
    "[",
    "a:b",
)
BYTE_FILES: Final = ("\udcff.md", "b/\udc80")

PATTERNS: Final = (
    *("", " ", "/", "//", "!", "#a", r"\#a", r"\!a", "!a", "a.md", "A.*", "*.MD", "/a.md", "b/", "b", "/b", "b/a.md"),
    *("c/a.md", "b/*", "b/*/", "b/**", "b/**/", "**/c", "**/c/", "**/a.md", "b/**/a.md", "b/**/**/ab.log", "*", "/*"),
    *("*/", "**", "**/", "/**", "/**/", "***", "*/a*", "**/*", "*/*/a.md", "a**", "a**/b", "foo**/bar", "foo***bar"),
    *("?oo**/bar", "/foo**", "b/c**", r"b/**\/ab.log", r"b/**\/c", "b//a.md", "a//", "//a.md", "./a.md", "../a.md"),
    *("trail", "trail ", "trail   ", r"trail\ ", r"trail\  ", r"trail \ ", r"trail\\ ", "tab\t", "sp ace", "sp\\ ace"),
    *(" lead", r"\ lead", "?", "??", "[a-c]", "[!a-c]", "[^a-c]", "[]]", "[!]]", "[]-a]", "[a", "[", "a[", "[!", "[]"),
    *("[z-a]", "[a-a-z]", "[a-]", "[-a]", "[--0]", r"[\]]", r"[\\]", r"[a-\c]", r"[\a-c]", "[a/b]", "b[/]c", "b[!x]c"),
    *("[[:alpha:]]", "[[:upper:]].md", "[[:punct:]]", "[[:digit:]a]", "[![:alnum:]]", "[[:foo:]]", "[[::]]", "[[:]"),
    *("[[:alpha:]", "[[:alpha]]", "[[:space:]]*", "*[[:space:]]", "[[:cntrl:]]*", "*[[:cntrl:]]", "[a-[:alpha:]]"),
    *(
        "a\\",
        "\\",
        "*\\",
        r"\a.md",
        r"a\.md",
        r"\*",
        r"\?",
        r"\[a\]",
        "[[]a]",
        r"[[]a[]]",
        r"\[",
        r"back\\slash",
        "*\\\\*",
    ),
    *(
        "日本/",
        "日*",
        "*語*",
        "é.md",
        "\udcff.md",
        "?.md",
        "*\udc80",
        "[\udc80-\udcff].md",
        "[&&|~--]",
        "-*",
        "{a,b}.md",
    ),
    *("a:b", "$", "^", "~", "(a)", "a|b", "*.md", "*d", "*.log", "*a*b*", "*a*a*", "line*", "*break", "*/a?", "a.md?"),
)

ISOLATED: Final = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
}


@dataclass(frozen=True)
class Repository:
    """A folder that git knows, with its paths: folders end in `/`, each before what lies in it."""

    root: Path
    paths: tuple[str, ...]

    def ignored(self, patterns: Sequence[str], nested: Sequence[str] = ()) -> set[str]:
        """What git leaves out when these lines are the root's .gitignore, and others that of the folder `b`."""
        write(self.root / ".gitignore", patterns)
        write(self.root / "b" / ".gitignore", nested)
        asked = b"".join(os.fsencode(path.rstrip("/")) + b"\0" for path in self.paths)
        told = git(self.root, "check-ignore", "--no-index", "--stdin", "-z", given=asked)
        named = {os.fsdecode(path) for path in told.split(b"\0")}
        return {path for path in self.paths if path.rstrip("/") in named}

    def left_out(self) -> set[str]:
        """What a walk with the ignore files that lie there now leaves out."""
        rules = {"": IgnoreRules().inside(str(self.root), "", [".gitignore"])}
        left_out: set[str] = set()
        for path in self.paths:
            folder = path.rstrip("/").rpartition("/")[0]
            above = folder + "/" if folder else ""
            if above in left_out or rules[above].ignores(path):
                left_out.add(path)
            elif path.endswith("/"):
                rules[path] = rules[above].inside(str(self.root / path), path, [".gitignore"])
            rules.setdefault(path, rules[above])
        return left_out


def git(root: Path, *arguments: str, given: bytes = b"") -> bytes:
    command = ["git", "-c", "core.ignorecase=false", "-c", "core.excludesFile=", *arguments]
    done = subprocess.run(command, cwd=root, env=ISOLATED, input=given, capture_output=True, timeout=60)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def write(path: Path, lines: Sequence[str]) -> None:
    path.write_bytes("".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape"))


def comparable(path: str, patterns: Sequence[str]) -> bool:
    """Git compares bytes: `?` and `[...]` take a part of a character there, and all of it here."""
    sets = [pattern for pattern in patterns if set(pattern) & set("?[")]
    return not any(several_bytes(pattern) or several_bytes(path) for pattern in sets)


def several_bytes(text: str) -> bool:
    """Whether some character of the text is more than one byte of a name."""
    return any(ord(character) > 127 and not "\udc80" <= character <= "\udcff" for character in text)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Repository]:
    root = tmp_path_factory.mktemp("repository")
    git(root, "init", "--quiet")
    names = [*FILES, *(ODD_FILES if os.name != "nt" else ()), *(BYTE_FILES if sys.platform == "linux" else ())]
    paths: set[str] = set()
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"")
        parts = name.split("/")
        paths |= {name, *("/".join(parts[:end]) + "/" for end in range(1, len(parts)))}
    yield Repository(root, tuple(sorted(paths)))


@pytest.mark.parametrize("pattern", PATTERNS)
def test_one_pattern_matches_what_git_says(repository: Repository, pattern: str) -> None:
    told = repository.ignored([pattern])
    asked = [path for path in repository.paths if comparable(path, [pattern])]
    assert [path for path in asked if matches(path, [pattern])] == [path for path in asked if path in told]


pieces = st.sampled_from(
    (
        *"ab/*?[]!-^\\ #.:0",
        "**/",
        "/**",
        "**",
        "foo",
        "bar",
        ".md",
        "[!",
        "[a-",
        "[[:",
        ":]",
        "[:alpha:]",
        "\udcff",
        "日",
        "é",
    )
)
globs = st.lists(pieces, max_size=7).map("".join)
names = st.sampled_from([part for file in FILES + ODD_FILES for part in (file, *file.split("/"))])
lines = st.one_of(
    globs,
    st.sampled_from(PATTERNS),
    st.builds(
        "{}{}{}".format, st.sampled_from(["", "!", "/", "!/", "**/"]), names, st.sampled_from(["", "/", "/**", "*"])
    ),
).filter(lambda line: "\n" not in line)


@given(pattern=lines)
def test_any_pattern_matches_what_git_says(repository: Repository, pattern: str) -> None:
    told = repository.ignored([pattern])
    asked = [path for path in repository.paths if comparable(path, [pattern])]
    assert [path for path in asked if matches(path, [pattern])] == [path for path in asked if path in told]


@given(patterns=st.lists(lines, max_size=6), nested=st.lists(lines, max_size=3))
def test_a_walk_leaves_out_what_git_ignores(
    repository: Repository, patterns: Sequence[str], nested: Sequence[str]
) -> None:
    told = repository.ignored(patterns, nested)
    asked = {path for path in repository.paths if comparable(path, [*patterns, *nested])}
    assert repository.left_out() & asked == told & asked


def test_several_patterns_without_exceptions_match_what_any_of_them_matches(repository: Repository) -> None:
    patterns = [pattern for pattern in PATTERNS if not pattern.startswith("!")]
    for path in repository.paths:
        assert matches(path, patterns) == any(matches(path, [pattern]) for pattern in patterns)


@pytest.mark.parametrize(
    ("patterns", "path", "matched"),
    [
        (["*.log", "!keep.log"], "a/keep.log", False),
        (["!keep.log", "*.log"], "a/keep.log", True),
        (["docs/", "!docs/drafts/"], "docs/drafts/a.md", False),
        (["docs/", "!docs/drafts/"], "docs/a.md", True),
        (["!docs/drafts/", "docs/"], "docs/drafts/a.md", True),
        (["docs/", "!docs/drafts/", "docs/drafts/b.md"], "docs/drafts/b.md", True),
        (["docs/", "!docs/drafts/a.md"], "docs/drafts/a.md", False),
        (["*.log", "!docs/"], "docs/a.log", True),
        (["a/", "!b/", "c/", "!d"], "a/b/c/d", False),
        (["a/", "!b/", "c/", "!d"], "a/b/c/e", True),
        (["!d", "c/", "!b/", "a/"], "a/b/c/d", True),
    ],
)
def test_the_last_pattern_decides_also_inside_a_matched_folder(
    patterns: Sequence[str], path: str, matched: bool
) -> None:
    assert matches(path, patterns) is matched


@pytest.mark.parametrize("pattern", ["?.md", "[é].md", "[!a].md", "[à-ü].md"])
def test_a_wildcard_takes_a_whole_character(pattern: str) -> None:
    assert matches("é.md", [pattern])


def test_a_pattern_may_hold_a_newline() -> None:
    assert matches("a/line\nbreak.md", ["line\nbreak.md"])
    assert not matches("line.md\n", ["*.md"])


def test_an_ignore_file_may_begin_with_a_mark_and_end_its_lines_like_windows(repository: Repository) -> None:
    (repository.root / "b" / ".gitignore").unlink(missing_ok=True)
    (repository.root / ".gitignore").write_bytes(b"\xef\xbb\xbfa.md\r\n*.log\r\nfoo\x0cbar\n/\xff.md")
    told = git(repository.root, "ls-files", "--others", "--exclude-standard", "-z").split(b"\0")
    kept = {os.fsdecode(path) for path in told} - {"", ".gitignore"}
    assert {path for path in repository.paths if not path.endswith("/")} - repository.left_out() == kept
    assert "a.md" not in kept and "foo/bar" in kept


@pytest.mark.parametrize(
    "pattern",
    [
        "*a" * 40 + "*b",
        "/" + "**/a/" * 40 + "b",
        "/**" * 3000,
        "**/" + "*a*/" * 40 + "*b",
        "**/" * 50 + "*a" * 50 + "b",
    ],
)
@pytest.mark.parametrize("path", ["a" * 255, "/".join("a" * 1000), "/".join(["aaaa"] * 300)])
def test_no_pattern_needs_more_time_than_a_long_path_is_worth(pattern: str, path: str) -> None:
    assert matches(path, [pattern]) is (pattern == "/**" * 3000)
