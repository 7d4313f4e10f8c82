"""Real homes and folders for tests: files on disk, one SQLite file, the session a door would open."""

from collections.abc import Mapping
from pathlib import Path

from ragspine_tui.config import ServiceConfig
from ragspine_tui.session import Session
from ragspine_tui.types import Hit, SearchRequest, SearchResult


def write_files(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files by relative path below `folder`, which is returned."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def open_session(home: Path) -> Session:
    """A session on `home` that no variable of the machine's environment changes."""
    return Session.open(ServiceConfig.load(home=home, environ={}))


def indexed(tmp_path: Path, files: Mapping[str, str | bytes], library_id: str = "lib") -> Session:
    """A session on a new home with one indexed library that holds `files`."""
    session = open_session(tmp_path / "home")
    folder = tmp_path / library_id
    folder.mkdir(parents=True, exist_ok=True)
    session.add(write_files(folder, files), library_id=library_id)
    session.index([library_id])
    return session


def find(session: Session, query: str, limit: int = 20) -> SearchResult:
    """What a plain search of every library gives."""
    return session.search(SearchRequest(query, limit=limit))


def paths(result: SearchResult) -> list[str]:
    """The documents of the hits and of their copies, best first, each once."""
    return list(dict.fromkeys(hit.document for hit in result.places))


def shown(hit: Hit) -> list[str]:
    """The highlighted stretches of a hit."""
    return [span.of(hit.text) for span in hit.highlights]
