"""Permissions as a person meets them: the superuser, as which tests may run, reads and writes everywhere."""

import os
import shutil
import tempfile
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeVar

# Whatever the body needs is loaded before: another account may not read the interpreter's own folder.
from storage import schema as schema

T = TypeVar("T")
_NOBODY = 65534


def as_somebody_else(body: Callable[[Path], T]) -> T:
    """What `body` returns (it must pickle) for a new folder, in a process that is not the superuser's."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    fork = get_context("fork")
    ours, theirs = fork.Pipe(duplex=False)
    child = fork.Process(target=_run, args=(body, folder, theirs))
    child.start()
    theirs.close()
    try:
        value: T = ours.recv()
    finally:
        child.join()
        shutil.rmtree(folder, ignore_errors=True)
    return value


def _run(body: Callable[[Path], object], folder: Path, told: Connection) -> None:
    if os.geteuid() == 0:
        os.setgid(_NOBODY)
        os.setuid(_NOBODY)
    told.send(body(folder))
