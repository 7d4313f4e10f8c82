"""Files that are met under another path than before: what a person said of them goes with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from ragspine_tui.documents.discover import Source
from ragspine_tui.documents.sensitivity import PathRestriction, literal_mark
from ragspine_tui.entries import UNREAD, one_line
from ragspine_tui.types import DocumentStatus, FileProblem, Library, shown_path
from storage.documents import KnownDocument, SourceRow, stored_time
from storage.store import Store

Known = Mapping[str, KnownDocument]


def follow_secrets(
    store: Store, library: Library, restriction: PathRestriction, known: Known, sources: Sequence[Source]
) -> tuple[FileProblem, ...]:
    """Mark what may be restricted documents under new paths; a remark on each, and on what was lost sight of."""
    restricts = restriction.covers
    moved = moved_secrets(known, sources, restricts)
    if moved:
        store.add_marks(library.library_id, following_marks(moved, (*restriction.given[1], *library.restrict)))
    told = [
        (
            path,
            f"restricted like {one_line(shown_path(old))}, which went as it came, with its size and time: if it is"
            " another file, 'ragspine-tui unrestrict' opens it",
        )
        for path, old in sorted(moved.items())
    ]
    told += _lost_sight_of(known, sources, moved, restricts)
    return tuple(FileProblem(library.library_id, path, DocumentStatus.RESTRICTED, reason) for path, reason in told)


def _lost_sight_of(
    known: Known, sources: Sequence[Source], moved: Mapping[str, str], restricts: Callable[[str], bool]
) -> list[tuple[str, str]]:
    """The first restricted document that is gone, where a new file may be it, renamed and changed: no one can tell."""
    present = {source.relative for source in sources}
    gone = [path for path in sorted(_secrets(known)) if path not in present and path not in moved.values()]
    new = sum(path not in known and path not in moved and not restricts(path) for path in present)
    if not (gone and new):
        return []
    more = f" (and {len(gone) - 1:,} more)" if len(gone) > 1 else ""
    came = "a file is new: if that" if new == 1 else f"{new:,} files are new: if one of them"
    reason = f"is gone{more}, and {came} is it, renamed and changed, 'ragspine-tui restrict' keeps it out again"
    return [(gone[0], reason)]


def _secrets(known: Known) -> dict[str, SourceRow]:
    """The documents that their paths restrict."""
    return {
        path: one.source
        for path, one in known.items()
        if one.status == DocumentStatus.RESTRICTED and one.source.hash == UNREAD
    }


def moved_secrets(known: Known, sources: Sequence[Source], restricts: Callable[[str], bool]) -> dict[str, str]:
    """New paths of what may be documents that their old paths restrict, each with the old one.

    Such a document was never read, so that size and time must tell it: a file that is new or changed, where the
    restricted one is gone or another. What is only like it is taken for it.
    """
    present = {source.relative: _measures(source) for source in sources}
    lost = {
        (row.size, row.mtime_ns): path
        for path, row in _secrets(known).items()
        if present.get(path) != (row.size, row.mtime_ns)
    }
    if not lost:
        return {}
    return {
        path: lost[measures]
        for path, measures in present.items()
        if measures in lost and not _is_same(known.get(path), measures) and not restricts(path)
    }


def following_marks(moved: Mapping[str, str], marks: Iterable[str]) -> tuple[str, ...]:
    """The marks that restrict the new paths, and of a folder that was marked and moved as a whole, the new folder."""
    folders: set[str] = set()
    for mark in marks:
        if mark.startswith("=") and mark.endswith("/"):
            folders |= set(_new_folders(moved, mark[1:]))
    alone = (path for path in moved if not any(path.startswith(folder) for folder in folders))
    return tuple(map(literal_mark, (*sorted(folders), *sorted(alone))))


def renamed(gone: Mapping[str, SourceRow], new: Mapping[str, SourceRow]) -> dict[str, str]:
    """The old path of each new file whose bytes are those of one that is gone; each old path once."""
    by_content: defaultdict[tuple[int, bytes], list[str]] = defaultdict(list)
    for path, row in sorted(gone.items(), reverse=True):
        if len(row.hash) == _HASH_BYTES:
            by_content[row.size, row.hash].append(path)
    pairs: dict[str, str] = {}
    for path, row in sorted(new.items()):
        olds = by_content.get((row.size, row.hash))
        if olds:
            # Of several with the same bytes, the one that kept its name.
            old = next((one for one in olds if _name(one) == _name(path)), olds[-1])
            olds.remove(old)
            pairs[path] = old
    return pairs


_HASH_BYTES: Final = 16


def _new_folders(moved: Mapping[str, str], folder: str) -> Iterable[str]:
    for new, old in moved.items():
        inner = old.removeprefix(folder)
        if inner != old and new.endswith(f"/{inner}"):
            yield new.removesuffix(inner)


def _measures(source: Source) -> tuple[int, int]:
    return source.size, stored_time(source.mtime_ns)


def _is_same(known: KnownDocument | None, measures: tuple[int, int]) -> bool:
    return known is not None and (known.source.size, known.source.mtime_ns) == measures


def _name(path: str) -> str:
    return path.rpartition("/")[2]
