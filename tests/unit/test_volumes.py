"""Which drives tell of changes: by the lines of Linux's mountinfo, as proc(5) writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragspine_tui.volumes import is_remote, is_remote_kind, kind_of_mount

MOUNTS = """\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:40 / /mnt/share rw,relatime shared:5 - nfs4 server:/export rw,vers=4.2
31 22 0:41 / /mnt/with\\040space rw - cifs //server/docs rw
32 30 0:42 / /mnt/share/local rw - tmpfs tmpfs rw
33 22 0:43 / /home/me/cloud rw - fuse.rclone remote: rw
34 22 0:44 / /home/me/over rw - nfs server:/a rw
35 22 8:2 / /home/me/over rw - ext4 /dev/sdb1 rw
not a line of mountinfo
"""


@pytest.mark.parametrize(
    ("path", "kind", "remote"),
    [
        ("/home/me/notes", "ext4", False),
        ("/mnt/share", "nfs4", True),
        ("/mnt/share/docs/a", "nfs4", True),
        ("/mnt/shared", "ext4", False),
        ("/mnt/share/local/x", "tmpfs", False),
        ("/mnt/with space/x", "cifs", True),
        ("/home/me/cloud/x", "fuse.rclone", True),
        ("/home/me/over/x", "ext4", False),
    ],
)
def test_a_folder_is_on_the_drive_that_is_mounted_nearest_above_it(path: str, kind: str, remote: bool) -> None:
    assert kind_of_mount(path, MOUNTS) == kind
    assert is_remote_kind(kind) == remote


def test_where_nothing_is_known_of_a_drive_it_is_taken_for_one_of_this_machine() -> None:
    assert kind_of_mount("/anywhere", "") == ""
    assert not is_remote_kind("")


def test_the_folder_of_this_test_is_not_far_away(tmp_path: Path) -> None:
    assert not is_remote(tmp_path)
