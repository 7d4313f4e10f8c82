"""Whether a folder lies on a drive of this machine: what others change on a network drive, no system tells."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Final

_MOUNTS: Final = Path("/proc/self/mountinfo")
_REMOTE: Final = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "9p", "virtiofs", "vboxsf", "davfs", "drvfs", "glusterfs"}
)
_OCTAL: Final = re.compile(r"\\([0-7]{3})")
_DRIVE_REMOTE: Final = 4


def is_remote(folder: Path) -> bool:
    """Whether others may change the folder without this system's knowing; False where that cannot be told."""
    if sys.platform == "win32":
        return _is_remote_drive(folder)
    try:
        return is_remote_kind(kind_of_mount(os.path.realpath(folder), _MOUNTS.read_text("utf-8", "surrogateescape")))
    except OSError:
        return False


def is_remote_kind(kind: str) -> bool:
    """Whether file systems of this kind are, or may be, written to from elsewhere."""
    return kind in _REMOTE or kind.startswith("fuse.")


def kind_of_mount(real: str, mounts: str) -> str:
    """The kind of file system that a real path lies on, by the lines of Linux's mountinfo; '' where none is named."""
    best, kind = "", ""
    for line in mounts.splitlines():
        fields, _, rest = line.partition(" - ")
        parts = fields.split(" ")
        if len(parts) < 5 or not rest:
            continue
        point = _OCTAL.sub(lambda found: chr(int(found[1], 8)), parts[4])
        # A later mount on the same place hides the earlier one.
        if len(point) >= len(best) and (real == point or real.startswith(point.rstrip("/") + "/")):
            best, kind = point, rest.split(" ")[0]
    return kind


def _is_remote_drive(folder: Path) -> bool:
    if sys.platform == "win32":
        import ctypes

        drive = os.path.splitdrive(os.path.realpath(folder))[0]
        return drive.startswith("\\\\") or ctypes.windll.kernel32.GetDriveTypeW(f"{drive}\\") == _DRIVE_REMOTE
    return False
