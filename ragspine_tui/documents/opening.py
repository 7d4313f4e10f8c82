"""Opening files that others may change meanwhile: only regular ones, no larger than allowed, and never waiting."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from ragspine_tui.errors import ReadError
from ragspine_tui.types import DocumentStatus

MAX_BYTES: Final = 256 * 1024 * 1024
_PIECE: Final = 1024 * 1024
# A pipe or device put in a file's place after it was found must neither block nor be followed.
_FLAGS: Final = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_NOCTTY", "O_BINARY")
)


def open_regular(path: Path, most: int = MAX_BYTES, *, head: int = MAX_BYTES) -> tuple[bytes, os.stat_result]:
    """The first `head` bytes of a regular file as it is when it is opened, and what the system says of it then.

    ReadError, without waiting and with nothing read, for anything else, for links, and for more than `most` bytes.
    """
    try:
        _check(os.lstat(path), most)
        descriptor = os.open(path, _FLAGS)
        try:
            info = os.fstat(descriptor)
            _check(info, most)
            return _read(descriptor, min(head, info.st_size)), info
        finally:
            os.close(descriptor)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise ReadError(
            f"cannot be opened ({reason}, errno {error.errno})", status=DocumentStatus.UNREADABLE
        ) from error


def _check(info: os.stat_result, most: int) -> None:
    if stat.S_ISLNK(info.st_mode):
        raise ReadError("is a link; links are not followed", status=DocumentStatus.UNSUPPORTED)
    if not stat.S_ISREG(info.st_mode):
        raise ReadError("is not a regular file", status=DocumentStatus.UNSUPPORTED)
    if info.st_size > most:
        raise ReadError(
            f"is larger than {most // 1024 // 1024} MB", "split it, or exclude it", status=DocumentStatus.TOO_LARGE
        )


def _read(descriptor: int, size: int) -> bytes:
    """At most `size` bytes, in pieces: between two of them the program can be stopped."""
    data = bytearray()
    while len(data) < size and (piece := os.read(descriptor, min(_PIECE, size - len(data)))):
        data += piece
    return bytes(data)
