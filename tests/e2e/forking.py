"""The process that `tests.e2e.program` forks a run of the program from: it imports all of it, and waits."""

from __future__ import annotations

import json
import os
import runpy
import socket
import sys
from collections.abc import Sequence
from typing import Any


def prepare() -> None:
    """Imports what the commands would."""
    from ragspine_tui.cli.registry import COMMANDS, load

    for name in COMMANDS:
        load(name)
    import ragspine_tui.documents.html_reader
    import ragspine_tui.documents.markdown_reader
    import ragspine_tui.documents.reader
    import ragspine_tui.session  # noqa: F401


def serve(orders: socket.socket) -> None:
    """Takes orders, one after the other, until the other end is closed."""
    while True:
        head, descriptors, _, _ = socket.recv_fds(orders, 4, 2)
        if not head:
            return
        order = b""
        while len(order) < int.from_bytes(head, "big"):
            order += orders.recv(65_536)
        child = os.fork()
        if child == 0:
            orders.close()
            run(json.loads(order), descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        orders.sendall(code.to_bytes(4, "big", signed=True))


def run(order: dict[str, Any], descriptors: Sequence[int]) -> None:
    """The program, as `python -m ragspine_tui` runs it; ends this process."""
    null = os.open(os.devnull, os.O_RDONLY)
    for place, descriptor in enumerate([null, *descriptors]):
        os.dup2(descriptor, place)
        os.close(descriptor)
    os.chdir(order["cwd"])
    os.environ.clear()
    os.environ.update(order["environ"])
    sys.argv = ["ragspine_tui", *order["arguments"]]
    code: object = 0
    try:
        runpy.run_module("ragspine_tui", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        code = end.code
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    prepare()
    serve(socket.socket(fileno=int(sys.argv[1])))
