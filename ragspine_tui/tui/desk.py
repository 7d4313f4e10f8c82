"""Threads that own a Session each; the screen hands them jobs and hears of the results in its own thread."""

from __future__ import annotations

import threading
import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ragspine_tui.errors import RagspineError, StorageError

if TYPE_CHECKING:
    from ragspine_tui.config import ServiceConfig
    from ragspine_tui.session import Session

T = TypeVar("T")
Cancelled = Callable[[], bool]
Call = Callable[["Session", Cancelled], T]
Deliver = Callable[[Callable[[], None]], object]

_CLOSE_SECONDS: Final = 5.0


@dataclass(slots=True, eq=False)
class _Job:
    call: Call[Any]
    done: Callable[[Any], None]
    failed: Callable[[str], None]
    slot: str
    number: int
    cancelled: threading.Event = field(default_factory=threading.Event)


class Desk:
    """One thread with one Session, opened there (a connection belongs to its thread) and kept warm between jobs.

    Jobs run in order. A job with a slot replaces those of its slot: a waiting one is dropped, a running one is asked
    to stop, and its result never arrives. `deliver` must run what it is given in the screen's thread.
    """

    def __init__(
        self, config: ServiceConfig, name: str, deliver: Deliver, unusable: Callable[[str], None] | None = None
    ) -> None:
        self._config = config
        self._deliver = deliver
        self._unusable = unusable
        self._waiting: deque[_Job] = deque()
        self._running: _Job | None = None
        self._latest: dict[str, int] = {}
        self._number = 0
        self._unfinished = 0
        self._closed = False
        self._wake = threading.Condition()
        self._thread = threading.Thread(target=self._work, name=f"ragspine-{name}", daemon=True)
        self._started = False

    def submit(
        self,
        call: Call[T],
        done: Callable[[T], None],
        failed: Callable[[str], None],
        *,
        slot: str = "",
    ) -> None:
        """Queue `call`; exactly one of `done` and `failed` (with one line) follows, unless a later job replaces it."""
        with self._wake:
            if self._closed:
                return
            self._number += 1
            job = _Job(call, done, failed, slot, self._number)
            if slot:
                self._forget(slot)
                self._latest[slot] = job.number
            self._waiting.append(job)
            self._unfinished += 1
            if not self._started:
                self._started = True
                self._thread.start()
            self._wake.notify()

    def stop(self) -> bool:
        """Ask the running job to stop and drop the waiting ones; a stopped job still reports. False if idle."""
        with self._wake:
            busy = self._running is not None or bool(self._waiting)
            self._unfinished -= len(self._waiting)
            self._waiting.clear()
            if self._running:
                self._running.cancelled.set()
            return busy

    def drop(self, slot: str) -> None:
        """Forget what is asked for in this slot: nothing of it arrives any more."""
        with self._wake:
            self._forget(slot)
            self._latest.pop(slot, None)

    @property
    def busy(self) -> bool:
        """Whether a job waits, runs, or has a result that the screen has not taken yet."""
        with self._wake:
            return self._unfinished > 0

    def close(self) -> None:
        """Stop the jobs and wait for the thread, so that nothing is written after the program ends."""
        with self._wake:
            self._closed = True
            self._waiting.clear()
            if self._running:
                self._running.cancelled.set()
            self._wake.notify()
        if self._started:
            self._thread.join(_CLOSE_SECONDS)

    def _forget(self, slot: str) -> None:
        kept = deque(job for job in self._waiting if job.slot != slot)
        self._unfinished -= len(self._waiting) - len(kept)
        self._waiting = kept
        if self._running and self._running.slot == slot:
            self._running.cancelled.set()

    def _next(self) -> _Job | None:
        with self._wake:
            self._running = None
            while not self._waiting and not self._closed:
                self._wake.wait()
            if self._closed:
                return None
            self._running = self._waiting.popleft()
            return self._running

    def _work(self) -> None:
        session: Session | None = None
        try:
            while job := self._next():
                try:
                    if session is None:
                        session = self._open()
                    result = job.call(session, job.cancelled.is_set)
                except StorageError as error:
                    self._report(job, error)
                    if session is None and self._unusable:
                        self._deliver(_later(self._unusable, str(error)))
                except Exception as error:
                    self._report(job, error)
                else:
                    self._deliver(_later(self._finish, job, result))
        finally:
            if session is not None:
                session.close()

    def _open(self) -> Session:
        from ragspine_tui.session import Session

        return Session.open(self._config, workers=True)

    def _report(self, job: _Job, error: Exception) -> None:
        self._deliver(_later(self._fail, job, one_line_of(error)))

    def _taken(self, job: _Job) -> bool:
        """Count the job as finished; whether it is still the one its slot waits for."""
        with self._wake:
            self._unfinished -= 1
            return not self._closed and (not job.slot or self._latest.get(job.slot) == job.number)

    def _finish(self, job: _Job, result: object) -> None:
        if self._taken(job):
            job.done(result)

    def _fail(self, job: _Job, message: str) -> None:
        if self._taken(job):
            job.failed(message)


def _later(function: Callable[..., None], *arguments: object) -> Callable[[], None]:
    return lambda: function(*arguments)


def one_line_of(error: BaseException) -> str:
    """What a person is told of an error: its own words where it was raised on purpose, else only its kind and place.

    Unexpected errors may carry document text in their message and local variables; neither is ever shown.
    """
    if isinstance(error, RagspineError):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    where = f" in {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"unexpected error: {type(error).__name__}{where}"
