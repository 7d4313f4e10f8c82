"""Walking a folder: every file a person would want found, in a fixed order, and a reason for what is left out."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple, TypeAlias

from ragspine_tui.documents.ignoring import IGNORE_FILES, IgnoreRules, matches
from ragspine_tui.errors import ReadError
from ragspine_tui.types import DocumentStatus, FolderPreview

__all__ = ["DiscoveryProblem", "Reach", "Source", "discover", "matches", "preview_folder"]

SKIPPED_NAMES: Final = frozenset(
    {".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "__MACOSX", "Thumbs.db", "desktop.ini"}
)


_FOLDERS_KEPT: Final = 10_000


class Source(NamedTuple):
    """A file to read: `relative` is `/`-separated from the root, bytes that are not UTF-8 as surrogate escapes.

    A library may have a hundred thousand of them, most of which are only compared.
    """

    location: str
    relative: str
    size: int
    mtime_ns: int

    @property
    def path(self) -> Path:
        """Where the file is."""
        return Path(self.location)


@dataclass(frozen=True, slots=True)
class DiscoveryProblem:
    """Something in the folder that a person may miss, with the reason and the status it would have as a document."""

    relative: str
    reason: str
    status: DocumentStatus


Step: TypeAlias = "Source | Iterator[Step]"
Report = Callable[[DiscoveryProblem], None]


def discover(
    root: Path,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    *,
    skip: Collection[Path] = (),
    report: Report | None = None,
    left_out: Callable[[], None] | None = None,
    ignoring: bool = True,
) -> Iterator[Source]:
    """The regular files under `root` (or `root` itself), folders in name order, each file once.

    Hidden and ignored paths are left out (an include pattern that names a dot brings hidden ones back). Links are not
    followed; those that leave the root or lead nowhere, special files and unreadable folders go to `report`.
    `skip` names files and whole folders that are left out wherever the root lies; without `ignoring`, no ignore file
    leaves anything out. `left_out` is called for each file or folder that is hidden, ignored or left out by a pattern.
    A root that is a link to a file is that file. ReadError where `root` itself cannot be read.
    """
    try:
        info = root.stat()
    except OSError as error:
        raise ReadError(f"{root} cannot be read ({_reason(error)})", status=DocumentStatus.UNREADABLE) from error
    if stat.S_ISDIR(info.st_mode):
        yield from _Walk(root, include, exclude, skip, report, ignoring=ignoring, left_out=left_out).files()
    elif not stat.S_ISREG(info.st_mode):
        raise ReadError(
            f"{root} is a pipe, socket or device",
            "name a folder or a regular file; save what it gives as a file first",
            status=DocumentStatus.UNSUPPORTED,
        )
    elif not _lies_in(os.path.realpath(root), _real_paths(skip)):
        path = os.path.realpath(root) if root.is_symlink() else os.fspath(root)
        yield Source(path, root.name, info.st_size, info.st_mtime_ns)


def preview_folder(
    root: Path,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    cancelled: Callable[[], bool] = lambda: False,
    *,
    skip: Collection[Path] = (),
) -> FolderPreview:
    """What `discover` would read, counted by suffix; `skipped` counts left-out files and folders (a folder as one).

    A cancelled one returns what it has counted so far, for the caller to drop.
    """
    walk = _Walk(root, include, exclude, skip, None)
    files = walk.files() if root.is_dir() else discover(root, include, exclude, skip=skip)
    wanted = takewhile(lambda _: not cancelled(), files)
    suffixes = Counter(PurePosixPath(source.relative).suffix.lower() for source in wanted)
    ordered = sorted(suffixes.items(), key=lambda item: (-item[1], item[0]))
    return FolderPreview(suffixes.total(), tuple(ordered), walk.skipped)


class Reach:
    """Whether what happens below a root can change what `discover` finds there; `forget` when ignore files may have."""

    def __init__(
        self,
        root: Path,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        *,
        skip: Collection[Path] = (),
        ignoring: bool = True,
    ) -> None:
        self._walk = _Walk(root, include, exclude, skip, None, ignoring=ignoring)
        self._ignoring = ignoring
        self._roots = tuple({os.fspath(root), os.path.realpath(root)})
        self._rules: dict[str, IgnoreRules | None] = {}

    def forget(self) -> None:
        """Read the ignore files anew."""
        self._rules.clear()

    def covers(self, path: str) -> bool:
        """Whether `path`, absolute, is the root or a file or folder in it that a walk would not pass over."""
        for root in self._roots:
            if path == root:
                return True
            if path.startswith(root.rstrip(os.sep) + os.sep):
                relative = path[len(root.rstrip(os.sep)) + 1 :].replace(os.sep, "/")
                return self._covers(relative)
        return False

    def folders(self) -> Iterator[str]:
        """The root and every folder below it that a walk comes into, if they can be read."""
        waiting = [("", IgnoreRules())]
        while waiting:
            prefix, above = waiting.pop()
            folder = self._walk.place(prefix)
            try:
                rules = self._here(prefix, above)
                with os.scandir(folder) as found:
                    inner = [entry.name for entry in found if entry.is_dir(follow_symlinks=False)]
            except (PermissionError, FileNotFoundError, NotADirectoryError):
                continue
            except OSError:
                # It is there all the same: whoever wants to listen to it hears what is wrong.
                yield folder
                continue
            yield folder
            waiting += [(f"{prefix}{name}/", rules) for name in inner if self._walk.enters(name, prefix + name, rules)]

    def _covers(self, relative: str) -> bool:
        folder, _, name = relative.rpartition("/")
        rules = self._inside(folder + "/" if folder else "")
        if rules is None:
            return False
        if self._ignoring and name in IGNORE_FILES:
            self.forget()
            return True
        # What is gone was either.
        return self._walk.enters(name, relative, rules) or self._walk.takes(name, relative, rules)

    def _inside(self, prefix: str) -> IgnoreRules | None:
        """The rules that hold in the folder of this prefix, None where no walk comes there."""
        if prefix in self._rules:
            return self._rules[prefix]
        if len(self._rules) >= _FOLDERS_KEPT:
            self.forget()
        rules: IgnoreRules | None = self._here("", IgnoreRules())
        end = prefix.find("/") + 1
        while end and rules is not None:
            rules = self._entered(prefix[:end], rules)
            end = prefix.find("/", end) + 1
        self._rules[prefix] = rules
        return rules

    def _entered(self, prefix: str, above: IgnoreRules) -> IgnoreRules | None:
        if prefix not in self._rules:
            relative = prefix[:-1]
            entered = self._walk.enters(relative.rpartition("/")[2], relative, above)
            self._rules[prefix] = self._here(prefix, above) if entered else None
        return self._rules[prefix]

    def _here(self, prefix: str, above: IgnoreRules) -> IgnoreRules:
        return self._walk.rules(prefix, above) if self._ignoring else above


class _Walk:
    """One walk, depth first without recursion: paths may be deeper than Python's stack."""

    def __init__(
        self,
        root: Path,
        include: Sequence[str],
        exclude: Sequence[str],
        skip: Collection[Path],
        report: Report | None,
        *,
        ignoring: bool = True,
        left_out: Callable[[], None] | None = None,
    ) -> None:
        self.skipped = 0
        self._tell_left_out = left_out
        self._ignoring = ignoring
        self._root = os.fspath(root)
        self._real = os.path.realpath(self._root)
        self._prefix = self._real.rstrip(os.sep) + os.sep
        self._include = tuple(include)
        self._exclude = tuple(exclude)
        self._dotted = tuple(p for p in include if p.lstrip("/").startswith(".") or "/." in p)
        self._skip = _real_paths(skip)
        self._report = report

    def enters(self, name: str, relative: str, rules: IgnoreRules) -> bool:
        """Whether the walk comes into a folder of this name."""
        return not (self._is_skipped(relative) or self._left_out(name, relative, True, rules))

    def takes(self, name: str, relative: str, rules: IgnoreRules) -> bool:
        """Whether the walk gives a file of this name."""
        return not (self._is_skipped(relative) or self._left_out(name, relative, False, rules))

    def place(self, prefix: str) -> str:
        """Where the folder of this prefix really is; it ends in a separator."""
        return self._prefix + prefix

    def rules(self, prefix: str, above: IgnoreRules) -> IgnoreRules:
        """The rules that hold in a folder, by what its ignore files say now."""
        folder = self.place(prefix)
        return above.inside(folder, prefix, (name for name in IGNORE_FILES if os.path.lexists(folder + name)))

    def files(self) -> Iterator[Source]:
        if _lies_in(self._real, self._skip):
            self.skipped += 1
            return
        stack = [self._entries(self._root, "", IgnoreRules())]
        while stack:
            step = next(stack[-1], None)
            if step is None:
                stack.pop()
            elif isinstance(step, Source):
                yield step
            else:
                stack.append(step)

    def _entries(self, folder: str, prefix: str, rules: IgnoreRules) -> Iterator[Step]:
        """The files of one folder and, for each folder in it, the walk of that folder."""
        try:
            with os.scandir(folder) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError as error:
            self._problem(prefix.rstrip("/") or ".", f"folder cannot be read ({_reason(error)})")
            return
        if self._ignoring:
            rules = rules.inside(folder, prefix, (entry.name for entry in entries))
        for entry in entries:
            relative = prefix + entry.name
            try:
                step = self._entry(entry, relative, rules)
            except OSError as error:
                self._problem(relative, f"cannot be read ({_reason(error)})")
            else:
                if step is not None:
                    yield step

    def _entry(self, entry: os.DirEntry[str], relative: str, rules: IgnoreRules) -> Step | None:
        is_folder = entry.is_dir(follow_symlinks=False)
        if self._is_skipped(relative):
            self.skipped += 1
        elif self._left_out(entry.name, relative, is_folder, rules):
            self.skipped += 1
            if self._tell_left_out:
                self._tell_left_out()
        elif entry.is_symlink():
            self._link(entry.path, relative)
        elif is_folder:
            return self._entries(entry.path, relative + "/", rules)
        else:
            info = entry.stat(follow_symlinks=False)
            if stat.S_ISREG(info.st_mode):
                return Source(entry.path, relative, info.st_size, info.st_mtime_ns)
            self._problem(relative, "is a pipe, socket or device, not a file", DocumentStatus.UNSUPPORTED)
        return None

    def _is_skipped(self, relative: str) -> bool:
        # No link is followed on the way, so that the real path is the root's and what comes below it.
        return bool(self._skip) and os.path.normcase(self._prefix + relative) in self._skip

    def _left_out(self, name: str, relative: str, is_folder: bool, rules: IgnoreRules) -> bool:
        path = relative + "/" if is_folder else relative
        if name in SKIPPED_NAMES or rules.ignores(path) or (self._exclude and matches(path, self._exclude)):
            return True
        if is_folder:
            return name.startswith(".") and not self._dotted
        hidden = relative.startswith(".") or "/." in relative
        if hidden and not matches(relative, self._dotted):
            return True
        return bool(self._include) and not matches(relative, self._include)

    def _link(self, path: str, relative: str) -> None:
        """A link to what is found anyway needs no word; others are told, not followed."""
        self.skipped += 1
        target = os.path.realpath(path)
        if not Path(path).exists():
            self._problem(relative, "is a link that leads nowhere", DocumentStatus.UNSUPPORTED)
        elif os.path.commonpath([target, self._real]) != self._real:
            self._problem(relative, "is a link out of the folder; links are not followed", DocumentStatus.UNSUPPORTED)
        elif not self._dotted and any(_is_hidden(part) for part in Path(os.path.relpath(target, self._real)).parts):
            self._problem(
                relative,
                "is a link to what is hidden, and so left out; links are not followed",
                DocumentStatus.UNSUPPORTED,
            )

    def _problem(self, relative: str, reason: str, status: DocumentStatus = DocumentStatus.UNREADABLE) -> None:
        if self._report:
            self._report(DiscoveryProblem(relative, reason, status))


def _is_hidden(name: str) -> bool:
    return name in SKIPPED_NAMES or name.startswith(".")


def _real_paths(paths: Collection[Path]) -> frozenset[str]:
    return frozenset(os.path.normcase(os.path.realpath(path)) for path in paths)


def _lies_in(real: str, folders: frozenset[str]) -> bool:
    """Whether a real path is one of these or lies below one."""
    return any(os.path.normcase(place) in folders for place in (real, *map(str, Path(real).parents)))


def _reason(error: OSError) -> str:
    return f"{os.strerror(error.errno)}, errno {error.errno}" if error.errno else str(error)
