"""Processes that read groups of files beside this one: what one file does to its reader is that file's failure only.

A worker ends by itself as soon as the process that started it is gone, however that ended.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from multiprocessing import connection, get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from queue import SimpleQueue
from typing import Any, Final, NamedTuple, Self

from ragspine_tui.documents.limits import ReadLimits, bound_memory
from ragspine_tui.groups import Group, GroupReader, ReadGroup, crashed, timed_out, unread
from ragspine_tui.types import Library

_AHEAD_BYTES: Final = 8_000_000
"""Bytes of files for each worker that are on their way: read, being read or waiting to be stored."""

_LOST: Final = (EOFError, OSError)


class _Lost(NamedTuple):
    """How a process was lost: at which file of its group (-1 before the first), and whether its time was over."""

    place: int
    seconds: float | None


class Workers:
    """`count` processes that read groups of one library; started when first needed, ended by `close` at once.

    A file that takes a process down, or longer than the limits allow, is told as such and all others are read.
    """

    def __init__(self, library: Library, count: int, limits: ReadLimits) -> None:
        self._library, self._count, self._limits = library, count, limits
        # Where no process can be started its helper ends too, and that is told otherwise.
        warnings.filterwarnings("ignore", category=UserWarning, module=r"multiprocessing\.resource_tracker")
        self._tasks: SimpleQueue[tuple[Group, Future[ReadGroup | None]] | None] = SimpleQueue()
        self._closed = threading.Event()
        self._lanes: list[_Lane] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read(self, groups: Iterable[Group], waiting: Callable[[], bool]) -> Iterator[tuple[Group, ReadGroup | None]]:
        """What each group holds, in their order; None where no worker could be started to read it.

        Groups are taken from `groups` a bounded number ahead. `waiting` is asked again and again; False ends it all.
        """
        if not self._lanes:
            self._lanes = [_Lane(self._library, self._limits, self._tasks, self._closed) for _ in range(self._count)]
        source = iter(groups)
        ahead: deque[tuple[Group, Future[ReadGroup | None]]] = deque()
        weight = 0
        while True:
            # However heavy the group in front is, the others have something to do.
            while (weight < self._count * _AHEAD_BYTES or len(ahead) < 2 * self._count) and (
                group := next(source, None)
            ):
                ahead.append((group, self._hand_out(group)))
                weight += group.size
            if not ahead:
                return
            group, future = ahead.popleft()
            while not _within(future, 0.05):
                if not waiting():
                    return
            yield group, future.result()
            weight -= group.size

    def _hand_out(self, group: Group) -> Future[ReadGroup | None]:
        future: Future[ReadGroup | None] = Future()
        self._tasks.put((group, future))
        return future

    def close(self) -> None:
        """End all processes, whatever they are doing, and wait until they are gone."""
        self._closed.set()
        for lane in self._lanes:
            self._tasks.put(None)
            lane.kill()
        for lane in self._lanes:
            lane.join()


def _within(future: Future[ReadGroup | None], seconds: float) -> bool:
    with suppress(TimeoutError):
        future.exception(seconds)
    return future.done()


class _Lane:
    """One worker and the thread that waits for it, so that it never waits for what is being stored."""

    def __init__(
        self,
        library: Library,
        limits: ReadLimits,
        tasks: SimpleQueue[tuple[Group, Future[ReadGroup | None]] | None],
        closed: threading.Event,
    ) -> None:
        self._arguments = (library, limits)
        self._tasks, self._closed = tasks, closed
        self._lock = threading.Lock()
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None
        self._thread = threading.Thread(target=self._serve, name="reading", daemon=True)
        self._thread.start()

    def kill(self) -> None:
        """End the process at once."""
        with self._lock:
            if self._process is not None:
                self._process.kill()

    def join(self) -> None:
        """Wait until thread and process are gone."""
        self._thread.join()
        self._end()

    def _serve(self) -> None:
        while (task := self._tasks.get()) is not None and not self._closed.is_set():
            group, future = task
            try:
                future.set_result(self._read(group))
            except BaseException as error:  # it is the waiting thread's to see
                future.set_exception(error)

    def _read(self, group: Group) -> ReadGroup | None:
        if self._pipe is None and not self._start():
            return None
        parts = ReadGroup()
        while group.sources and not self._closed.is_set():
            if self._pipe is None and not self._start():
                for source in group.sources:
                    parts.extend(unread(source))
                break
            found = self._ask(group)
            if isinstance(found, ReadGroup):
                parts.extend(found)
                break
            place = found.place
            if place < 0 < len(group.sources) - 1:
                # It did not live to say which: each has to show for itself.
                parts.extend(self._read(group.part(0, 1)) or ReadGroup())
                group = group.part(1)
                continue
            if place > 0:
                parts.extend(self._read(group.part(0, place)) or ReadGroup())
            parts.extend(_given_up(group, max(place, 0), found.seconds))
            group = group.part(max(place, 0) + 1)
        return parts

    def _ask(self, group: Group) -> ReadGroup | _Lost:
        """What the worker read, or how it was lost."""
        assert self._pipe is not None  # noqa: S101 - the caller started it
        place, seconds = -1, self._arguments[1].seconds
        try:
            self._pipe.send(group)
            while self._pipe.poll(seconds):
                told = self._pipe.recv()
                if isinstance(told, ReadGroup):
                    return told
                place, seconds = told
        except _LOST:
            self._end()
            return _Lost(place, None)
        self._end()
        return _Lost(place, seconds)

    def _start(self) -> bool:
        here, there = get_context("spawn").Pipe()
        process = get_context("spawn").Process(target=_work, args=(there, *self._arguments), daemon=True)
        try:
            with self._lock, _deaf():
                if self._closed.is_set():
                    return False
                process.start()
                self._process, self._pipe = process, here
            there.close()
            ready: bool = here.recv()
        except (*_LOST, RuntimeError, ValueError):
            there.close()
            self._end()
            return False
        return ready

    def _end(self) -> None:
        with self._lock:
            process, pipe, self._process, self._pipe = self._process, self._pipe, None, None
        if pipe is not None:
            pipe.close()
        if process is not None:
            process.kill()
            process.join()
            with suppress(ValueError):
                process.close()


@contextmanager
def _deaf() -> Iterator[None]:
    """What this thread starts meanwhile hears no Ctrl-C: that is for the process a person sees."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _given_up(group: Group, place: int, seconds: float | None) -> ReadGroup:
    source = group.sources[place]
    if group.head:
        return ReadGroup()
    return crashed(source) if seconds is None else timed_out(source, seconds)


def _work(pipe: Connection, library: Library, limits: ReadLimits) -> None:
    """A worker's life: groups come, what was read of them goes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _silence()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # What is made here is made of plain values and goes with its group: looking for cycles would find none.
    gc.disable()
    try:
        here = -1

        def allow(seconds: float) -> None:
            pipe.send((here, seconds))

        def begin(place: int) -> bool:
            nonlocal here
            here = place
            return True

        reader = GroupReader(library, limits, allow=allow)
        bound_memory(limits)
        pipe.send(True)
        while True:
            group: Any = pipe.recv()
            here = -1
            pipe.send(reader.read(group, begin))
            del group
            gc.collect(0)
    except _LOST:
        return


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(0)


def _silence() -> None:
    """Nothing that a reader prints reaches the person's terminal, and nothing is read from there."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    os.close(null)
    sys.stdin, sys.stdout, sys.stderr = (
        open(os.devnull, mode, encoding="utf-8")  # noqa: PTH123, SIM115 - as long as the process
        for mode in ("r", "w", "w")
    )
