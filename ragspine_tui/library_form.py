"""What a person says of a library, checked and made exact: its folder, id, patterns, chunker, language, label."""

from __future__ import annotations

import os
import re
import tomllib
import unicodedata
from collections.abc import Container, Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from ragspine_tui.documents.ignoring import is_pattern
from ragspine_tui.documents.sensitivity import literal_mark, parse_label
from ragspine_tui.errors import LibraryError, UsageError
from ragspine_tui.retrieval.chunking.chunker import make_chunker
from ragspine_tui.retrieval.lexical.stemming import LANGUAGES
from ragspine_tui.specs import resolve_spec
from ragspine_tui.types import Library, Sensitivity

_SLUG: Final = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?")
_SLUG_LENGTH: Final = 48


def existing_root(path: Path) -> Path:
    """The absolute path of a folder or file that is there. Raises LibraryError."""
    try:
        root = Path(os.path.normpath(path.expanduser().absolute()))
        there = root.exists()
    except (OSError, RuntimeError, ValueError) as error:
        raise LibraryError(f"{str(path)!r} cannot be used as a folder ({error})", "check the path") from error
    if not there:
        raise LibraryError(f"there is no folder or file {str(root)!r}", "check the path")
    if not (root.is_dir() or root.is_file()):
        raise LibraryError(f"{str(root)!r} is neither a folder nor a file", "choose a folder of documents")
    return root


def unused_root(path: Path, libraries: Iterable[Library]) -> Path:
    """The absolute path of a folder or file that is there and no library's yet. Raises LibraryError."""
    root = existing_root(path)
    for library in libraries:
        if Path(library.root) == root:
            raise LibraryError(f"{root} is the library {library.library_id!r} already", "index it, or remove it first")
    return root


def known_library(libraries: Sequence[Library], library_id: str) -> Library:
    """The library of this id. Raises LibraryError that names the one whose title or id was nearly typed."""
    by_name = {library.title.casefold(): library.library_id for library in libraries}
    by_name |= {library.library_id: library.library_id for library in libraries}
    for library in libraries:
        if library.library_id == library_id:
            return library
    near = get_close_matches(library_id.casefold(), by_name, n=1)
    meant = f"did you mean {by_name[near[0]]!r}? " if near else ""
    raise LibraryError(f"there is no library {library_id!r}", f"{meant}`ragspine-tui libraries` lists them")


def checked_id(library_id: str) -> str:
    """A library id that can be typed and read back. Raises ValueError."""
    if not _SLUG.fullmatch(library_id):
        raise ValueError(f"not a library id: {library_id!r} (1-64 of a-z 0-9 . _ -, first and last a letter or digit)")
    return library_id


def free_id(name: str, taken: set[str]) -> str:
    """An id made of a name, not among those taken."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_SLUG_LENGTH].strip("-") or "library"
    number = 2
    candidate = slug
    while candidate in taken:
        candidate, number = f"{slug}-{number}", number + 1
    return candidate


def checked_patterns(globs: Iterable[str]) -> tuple[str, ...]:
    """The globs, all of which can match: one with a slip in it would leave out, or restrict, nothing at all."""
    kept = tuple(globs)
    for glob in kept:
        if not is_pattern(glob):
            raise UsageError(
                f"{glob!r} is no path and no pattern", "close its brackets, or write a backslash before them"
            )
    return kept


def checked_mark(root: Path, text: str) -> str:
    """The mark a person means: exactly that path where it names a file or folder in the library, else a pattern."""
    try:
        path = Path(os.path.normpath(root / Path(text).expanduser()))
        if ".." in Path(text).parts and not path.is_relative_to(root):
            raise UsageError(f"{text!r} is not in the library", f"its folder is {root}")
        relative = "" if path == root else path.relative_to(root).as_posix()
        if path.is_dir() and relative:
            return literal_mark(f"{relative}/")
        if path.exists() and relative:
            return literal_mark(relative)
    except (OSError, RuntimeError, ValueError):
        pass
    if text.startswith("!"):
        raise UsageError(f"{text!r} would lift a restriction", "use unrestrict for that")
    return checked_patterns([text.removeprefix("./") or text])[0]


def as_marks(library: Library, known: Container[str], patterns: Iterable[str]) -> list[str]:
    """The marks a person means: the very path of what is indexed or there, else a pattern."""
    root = Path(library.root)
    return [literal_mark(pattern) if pattern in known else checked_mark(root, pattern) for pattern in patterns]


def possible_marks(library: Library, patterns: Iterable[str]) -> list[str]:
    """All marks that a person may have meant by the patterns, whatever is there now."""
    root = Path(library.root)
    return sorted({mark for text in patterns for mark in (text, literal_mark(text), checked_mark(root, text))})


def checked_chunker(spec: str) -> str:
    """The canonical name of a chunker. Raises ValueError that lists the valid ones."""
    make_chunker(spec)
    return resolve_spec("chunker", spec)


def checked_language(code: str) -> str:
    """A language code, or `auto`. Raises ValueError that lists the valid ones."""
    if code != "auto" and code not in LANGUAGES:
        raise ValueError(f"unknown language {code!r}; valid: auto, {', '.join(LANGUAGES)}")
    return code


def checked_label(label: str) -> Sensitivity:
    """The sensitivity a label names. Raises ValueError that lists the valid ones."""
    try:
        return parse_label(label)
    except ValueError as error:
        raise ValueError(f"unknown sensitivity {label!r}; valid: {', '.join(Sensitivity)}") from error


def sample_libraries_path() -> Path | None:
    """The folder of the sample libraries, in a checkout or an installed copy; None where it is missing."""
    folder = Path(__file__).resolve().parent.parent / "sample_libraries"
    return folder if (folder / "libraries.toml").is_file() else None


def sample_libraries() -> tuple[Library, ...]:
    """The sample libraries as they would be added. Raises LibraryError where they are missing."""
    folder = sample_libraries_path()
    if folder is None:
        raise LibraryError("the sample libraries are not installed", "get them from the source distribution")
    tables = tomllib.loads((folder / "libraries.toml").read_text(encoding="utf-8"))["library"]
    return tuple(Library(one["id"], str(folder / one["folder"]), one["title"], one["description"]) for one in tables)
