"""The default path opens no socket: indexing, searching, and a whole session of the terminal interface."""

import subprocess
import sys
from pathlib import Path

import pytest

from ragspine_tui.session import sample_libraries_path

GUARD = """
import sys, socket
NETWORK = ("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo",
           "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo", "urllib.Request",
           "http.client.connect")
def guard(event, arguments):
    # The event loop's own wake-up pair is local; nothing else may make a socket, and nobody may address one.
    local = event == "socket.__new__" and arguments[1] == getattr(socket, "AF_UNIX", None)
    if event in NETWORK or (event == "socket.__new__" and not local):
        print("NETWORK", event, arguments[1:])
        sys.stdout.flush()
        import os; os._exit(9)
sys.addaudithook(guard)
"""

INDEX_AND_SEARCH = """
from pathlib import Path
from ragspine_tui.config import ServiceConfig
from ragspine_tui.session import Session
from ragspine_tui.types import SearchRequest
with Session.open(ServiceConfig.load(home=Path(sys.argv[1]), environ={})) as session:
    session.add_samples()
    session.index()
    for route in ("none", "keyword"):
        result = session.search(SearchRequest("toads 味噌 ink", route=route, parent=True, explain=True))
        assert result.hits
    print("DONE", len(result.hits))
"""

TERMINAL = """
import asyncio
from pathlib import Path
from ragspine_tui.config import ServiceConfig
from ragspine_tui.tui.app import RagspineApp
async def main():
    app = RagspineApp(ServiceConfig.load(home=Path(sys.argv[1]), environ={}))
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.press(*"toads")
        for _ in range(200):
            await pilot.pause()
            shown = "\\n".join(strip.text for strip in app.screen._compositor.render_strips(app.size))
            if "toad-lane" in shown:
                break
        assert "toad-lane" in shown, shown
    print("DONE")
asyncio.run(main())
"""

LEAKING = (
    INDEX_AND_SEARCH
    + """
import socket
socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
"""
)


def run(script: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Run a script under the guard in a fresh interpreter."""
    return subprocess.run(
        [sys.executable, "-c", GUARD + script, str(home)],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def test_indexing_and_searching_open_no_socket(tmp_path: Path) -> None:
    done = run(INDEX_AND_SEARCH, tmp_path)
    assert (done.returncode, done.stdout.split()[0]) == (0, "DONE"), done.stdout + done.stderr


def test_a_session_of_the_terminal_interface_opens_no_socket(tmp_path: Path) -> None:
    assert run(INDEX_AND_SEARCH, tmp_path).returncode == 0
    done = run(TERMINAL, tmp_path)
    assert (done.returncode, done.stdout.split()[:1]) == (0, ["DONE"]), done.stdout + done.stderr


@pytest.mark.parametrize(
    "script", [LEAKING, LEAKING.replace("socket.socket(", "socket.getaddrinfo('localhost', 80) or (")]
)
def test_a_leak_would_be_found_out(tmp_path: Path, script: str) -> None:
    assert sample_libraries_path() is not None
    done = run(script, tmp_path)
    assert done.returncode == 9
    assert "NETWORK socket." in done.stdout
