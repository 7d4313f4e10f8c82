"""Which libraries' files may have changed, told soon after it happens: by what the system says, else by looking."""

from __future__ import annotations

import os
import stat
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from time import monotonic
from typing import Final, Self

from ragspine_tui.documents.discover import Reach, discover
from ragspine_tui.documents.ignoring import IGNORE_FILES
from ragspine_tui.errors import ReadError
from ragspine_tui.settling import Settling
from ragspine_tui.types import Library
from ragspine_tui.volumes import is_remote

LOOK_SECONDS: Final = 60.0
"""How long after a look at files of which the system tells nothing the next one comes, at least."""

_LOOK_SHARE: Final = 20
"""At most this part of the time is spent looking."""

_STEP_MS: Final = 50
_TURN_MS: Final = 100
_TURN_SECONDS: Final = _TURN_MS / 1000
_CLOSE_SECONDS: Final = 5.0
_BURST: Final = 8_000
"""After so many changes at once the system may have left out some: folders among them would not be listened to."""

_BY_FOLDER: Final = sys.platform.startswith("linux")
"""inotify takes a watch for each folder, follows links out of the library, and would listen to what is ignored."""

Told = Callable[[str], None]


class Watcher:
    """Watches the folders of libraries in a thread of its own; `take` gives the ids whose files may have changed.

    It is watching once `start` returns. Changes are told when they have been `quiet` for so many seconds, and `longest`
    after the first one at the latest. `due` is called, in the thread, when there is something to take, and `told` with
    a line for a person. What `discover` passes over, and what lies in `skip`, is no change. With `polling` it only
    looks, each `look_seconds` or less often where looking takes long; roots are compared each `roots_seconds`. `anew`
    counts all libraries as changed once it listens.
    """

    def __init__(
        self,
        libraries: Iterable[Library],
        *,
        skip: Sequence[Path] = (),
        told: Told = lambda _: None,
        due: Callable[[], None] = lambda: None,
        quiet: float = 0.5,
        longest: float = 5.0,
        polling: bool = False,
        look_seconds: float = LOOK_SECONDS,
        roots_seconds: float = 1.0,
        anew: bool = False,
    ) -> None:
        self._skip, self._told, self._due = skip, told, due
        self._polling, self._look_seconds, self._roots_seconds = polling, look_seconds, roots_seconds
        self._settling = Settling(quiet, longest)
        self._wanted = tuple(libraries)
        self._places: dict[str, _Place] = {}
        self._renewed = threading.Event()
        self._ready: set[str] = set()
        self._turn = threading.Condition()
        self._closed = threading.Event()
        self._listening = threading.Event()
        self._refused = False
        self._grown = False
        self._folders: frozenset[str] = frozenset()
        self._doubtful = {library.library_id for library in self._wanted} if anew else set[str]()
        self._missed: set[str] = set()
        self._told_of: set[str] = set()
        self._thread = threading.Thread(target=self._run, name="ragspine-watch", daemon=True)

    def begin(self) -> None:
        """Begin, without waiting until it listens."""
        self._thread.start()

    def start(self) -> Self:
        """Begin, and return when no change from now on is missed."""
        self.begin()
        self.wait()
        return self

    def wait(self) -> None:
        """Until no change from then on is missed, or it is closed."""
        self._listening.wait()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def follow(self, libraries: Iterable[Library]) -> None:
        """Watch these libraries from now on; a new one, or one that is read otherwise now, counts as changed."""
        wanted = tuple(libraries)
        with self._turn:
            if wanted == self._wanted:
                return
            before = {library.library_id: library for library in self._wanted}
            self._wanted = wanted
            self._ready &= {library.library_id for library in wanted}
            self._doubtful |= {one.library_id for one in wanted if before.get(one.library_id) != one}
        self._renewed.set()

    @property
    def libraries(self) -> tuple[Library, ...]:
        """What is watched."""
        with self._turn:
            return self._wanted

    def again(self, library_ids: Iterable[str]) -> None:
        """Have these libraries told once more: what was taken could not be done."""
        with self._turn:
            for library_id in library_ids:
                self._settling.note(library_id, monotonic())

    def take(self, seconds: float = 0.0) -> tuple[str, ...]:
        """The libraries that may have changed since they were taken last, by id; waits so long for the first."""
        with self._turn:
            self._turn.wait_for(lambda: self._ready or self._closed.is_set(), seconds)
            taken, self._ready = tuple(sorted(self._ready)), set()
        return taken

    def took(self, library_ids: Iterable[str], seconds: float) -> None:
        """Reading these took so long: they are left alone for as long, so that half of the time is free at least."""
        with self._turn:
            for library_id in library_ids:
                self._settling.rest(library_id, monotonic() + seconds)

    def close(self) -> None:
        """Stop at once; nothing is told any more."""
        self._closed.set()
        with self._turn:
            self._turn.notify_all()
        if self._thread.is_alive():
            self._thread.join(_CLOSE_SECONDS)

    # In the thread

    def _run(self) -> None:
        try:
            while not self._closed.is_set():
                self._renew()
                self._watch()
        except Exception as error:  # a thread's last words would be a traceback over whatever is on the screen
            self._told(f"folders are watched no more: unexpected {type(error).__name__}")
        finally:
            self._listening.set()

    def _renew(self) -> None:
        """See where the libraries are now."""
        self._renewed.clear()
        self._grown = False
        before, self._places = self._places, {}
        with self._turn:
            wanted = self._wanted
            self._missed |= self._doubtful
            self._doubtful = set()
        for library in wanted:
            known = before.get(library.library_id)
            same = known if known is not None and known.library == library else None
            place = _Place.of(library, self._skip, looked=same.looked if same else None)
            place.listened = place.is_folder and not (self._polling or self._refused or is_remote(Path(library.root)))
            self._places[library.library_id] = place
            if same is not None and same.seen != place.seen:
                self._missed.add(library.library_id)
        looked_at = sorted(
            one.library.library_id for one in self._places.values() if one.is_folder and not one.listened
        )
        new = [one for one in looked_at if one not in self._told_of]
        self._told_of.update(new)
        if new and not self._refused:
            why = "as asked" if self._polling else "on a drive whose changes the system does not tell"
            self._told(f"{', '.join(new)}: {why}, looked at {self._often}")

    def _watch(self) -> None:
        """Until there is a reason to begin anew: other libraries, a root that came or went, folders that are new."""
        heard = 0
        checked = monotonic()
        try:
            for turns, changes in enumerate(self._turns()):
                if not turns:
                    self._begun()
                self._hear(changes)
                heard += len(changes)
                now = monotonic()
                if now - checked >= self._roots_seconds:
                    checked = now
                    self._compare_roots()
                self._look()
                settled = self._settle()
                # Where much happens, new folders wait for the others: each beginning goes through all of them.
                if self._renewed.is_set() or (settled and (self._grown or heard > _BURST)):
                    self._missed.update(settled)
                    return
                heard = 0 if settled else heard
        except FileNotFoundError:
            # A folder went between looking and listening.
            self._closed.wait(_TURN_SECONDS)
        except (OSError, RuntimeError) as error:
            self._refuse(error)

    def _turns(self) -> Iterator[set[str]]:
        """Again and again the paths of which the system told meanwhile, until the end."""
        self._folders = frozenset(self._folders_listened())
        if not self._folders:
            while not self._closed.is_set():
                yield set()
                self._renewed.wait(_TURN_SECONDS)
            return
        # Imported only where there is something to listen to.
        from watchfiles import watch

        for changes in watch(
            *sorted(self._folders),
            watch_filter=None,
            debounce=2 * _TURN_MS,
            step=_STEP_MS,
            rust_timeout=_TURN_MS,
            yield_on_timeout=True,
            stop_event=self._closed,
            raise_interrupt=False,
            force_polling=False,
            recursive=not _BY_FOLDER,
            # Asked to ignore it, it ignores that there is no room for more watches as well.
            ignore_permission_denied=not _BY_FOLDER,
        ):
            yield {path for _, path in changes}

    def _folders_listened(self) -> Iterator[str]:
        """What the system is asked to tell of: each folder, where it should not go into folders by itself."""
        for place in self._places.values():
            if place.listened:
                real = os.path.realpath(place.library.root)
                yield from (one.rstrip(os.sep) or os.sep for one in place.reach.folders()) if _BY_FOLDER else (real,)

    def _begun(self) -> None:
        """From here on nothing is missed; what may have been missed before counts as changed."""
        self._note(*self._missed)
        self._missed.clear()
        self._listening.set()

    def _hear(self, changes: set[str]) -> None:
        for path in changes:
            for library_id, place in self._places.items():
                if place.listened and place.reach.covers(path):
                    self._note(library_id)
                    self._grown = self._grown or (_BY_FOLDER and self._opens_folders(path))

    def _opens_folders(self, path: str) -> bool:
        """Whether there may be folders now that nothing is heard of."""
        return path.rpartition(os.sep)[2] in IGNORE_FILES or (path not in self._folders and Path(path).is_dir())

    def _compare_roots(self) -> None:
        """See whether each root is what it was: listening begins anew where a folder is not."""
        for library_id, place in self._places.items():
            seen = _seen(place.library.root)
            if seen == place.seen:
                continue
            if place.is_folder or (seen is not None and seen.is_folder):
                self._renewed.set()
                self._missed.add(library_id)
            else:
                place.seen = seen
                self._note(library_id)

    def _look(self) -> None:
        """Compare what there is with what there was, where the system does not tell and it is time to."""
        for library_id, place in self._places.items():
            begun = monotonic()
            if place.listened or not place.is_folder or begun < place.next_look:
                continue
            found = self._walked(place.library)
            place.next_look = monotonic() + max(self._look_seconds, _LOOK_SHARE * (monotonic() - begun))
            if found != place.looked:
                # The first look too: what changed before it, nobody saw.
                place.looked = found
                self._note(library_id)

    def _walked(self, library: Library) -> bytes:
        """What all files of a library come to: their names, sizes and times."""
        digest = blake2b(digest_size=16)
        try:
            for source in discover(
                Path(library.root), library.include, library.exclude, skip=self._skip, ignoring=library.ignoring
            ):
                seen = f"{source.relative}\0{source.size}\0{source.mtime_ns}\n"
                digest.update(seen.encode("utf-8", "surrogateescape"))
                if self._closed.is_set():
                    break
        except ReadError:
            return b""
        return digest.digest()

    def _note(self, *library_ids: str) -> None:
        with self._turn:
            for library_id in library_ids:
                self._settling.note(library_id, monotonic())

    def _settle(self) -> tuple[str, ...]:
        """Hand over what has come to rest."""
        with self._turn:
            due = tuple(one for one in self._settling.due(monotonic()) if one in self._places)
            self._ready.update(due)
            if due:
                self._turn.notify_all()
        for library_id in due:
            self._places[library_id].reach.forget()
        if due:
            self._due()
        return due

    def _refuse(self, error: BaseException) -> None:
        """Look from now on where the system will not tell."""
        self._refused = True
        ids = sorted(one.library.library_id for one in self._places.values() if one.listened)
        self._missed.update(ids)
        reason = " ".join(str(error).split()) or type(error).__name__
        self._told(f"{', '.join(ids)}: the system cannot tell of changes ({reason}), looked at {self._often}")

    @property
    def _often(self) -> str:
        return f"every {self._look_seconds:g} seconds"


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a root is: another folder in its place, or a file with other bytes, is another."""

    is_folder: bool
    identity: tuple[int, ...]


@dataclass(slots=True)
class _Place:
    """Where a library is, and how its changes come to be known."""

    library: Library
    seen: _Seen | None
    reach: Reach
    listened: bool = False
    looked: bytes | None = None
    next_look: float = 0.0

    @classmethod
    def of(cls, library: Library, skip: Sequence[Path], looked: bytes | None) -> _Place:
        reach = Reach(Path(library.root), library.include, library.exclude, skip=skip, ignoring=library.ignoring)
        return cls(library, _seen(library.root), reach, looked=looked)

    @property
    def is_folder(self) -> bool:
        return self.seen is not None and self.seen.is_folder


def _seen(root: str) -> _Seen | None:
    """The root as it is now, None where nothing is there to be seen."""
    try:
        info = Path(root).stat()
        if stat.S_ISDIR(info.st_mode):
            return _Seen(True, (info.st_dev, info.st_ino))
        return _Seen(False, (info.st_dev, info.st_ino, info.st_size, info.st_mtime_ns))
    except (OSError, ValueError):
        return None
