"""A reader of an installed package reads what no reader here does; what it does costs no other file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ragspine_tui.documents.guests import ENTRY_POINTS, guest_readers
from ragspine_tui.documents.reader import choose_reader, load, read_document
from ragspine_tui.documents.source_file import SourceFile
from ragspine_tui.errors import ReadError
from ragspine_tui.types import Block, Document, DocumentStatus, Span
from tests.homes import find, open_session, paths, write_files
from tests.packages import install

PNG = b"\x89PNG\r\n\x1a\n"


class Captions:
    """Reads the caption of a picture, which here is all that follows its signature."""

    kind = "png"
    suffixes: frozenset[str] = frozenset({".caption"})

    def claims(self, head: bytes, suffix: str, /) -> bool:
        return head.startswith(PNG) and suffix == ".png"

    def read(self, source: SourceFile) -> Document:
        text = source.data.removeprefix(PNG).decode()
        return Document("elsewhere", text, (Block(Span(0, len(text)), part="caption"),), kind=self.kind, verbatim=False)


class Fails(Captions):
    def read(self, source: SourceFile) -> Document:
        raise RuntimeError("whatever")


class GivesBytes(Captions):
    def read(self, source: SourceFile) -> Document:
        return source.data  # type: ignore[return-value]


class Overshoots(Captions):
    def read(self, source: SourceFile) -> Document:
        return Document("a", "short", (Block(Span(0, 99)),), kind="png")


class ClaimsBadly(Captions):
    suffixes = frozenset({".png"})

    def claims(self, head: bytes, suffix: str, /) -> bool:
        raise ValueError


class ClaimsAll(Captions):
    suffixes = frozenset({".md", ".txt"})

    def claims(self, head: bytes, suffix: str, /) -> bool:
        return True


class Refuses(Captions):
    def __init__(self) -> None:
        raise RuntimeError


Use = Callable[..., None]


@pytest.fixture
def use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Use]:
    """Install guests by name."""

    def installed(**guests: type) -> None:
        install(
            tmp_path / "packages", ENTRY_POINTS, **{name: f"{__name__}:{one.__name__}" for name, one in guests.items()}
        )
        monkeypatch.syspath_prepend(str(tmp_path / "packages"))
        guest_readers.cache_clear()

    yield installed
    guest_readers.cache_clear()


def picture(tmp_path: Path, name: str = "tern.png") -> Path:
    (tmp_path / name).write_bytes(PNG + b"a tern above the weir")
    return tmp_path / name


def test_a_guest_reads_what_nobody_here_does_and_its_hits_have_their_place(tmp_path: Path, use: Use) -> None:
    use(captions=Captions)
    folder = write_files(tmp_path / "lib", {"a.md": "# A heron\n\nat the weir"})
    picture(folder)
    with open_session(tmp_path / "home") as session:
        session.add(folder, library_id="lib")
        session.index()
        hits = find(session, "tern").hits
        assert [(hit.document, hit.part) for hit in hits] == [("tern.png", "caption")]
        assert paths(find(session, "kind:png")) == ["tern.png"]


def test_what_the_programs_own_readers_claim_is_theirs(tmp_path: Path, use: Use) -> None:
    use(greedy=ClaimsAll)
    for name, text, kind in (
        ("a.md", "# Heron", "md"),
        ("b", "<!doctype html><p>heron", "html"),
        ("c.txt", "a", "txt"),
    ):
        (tmp_path / name).write_text(text)
        assert read_document(tmp_path / name, name).kind == kind
    (tmp_path / "d.unheard").write_bytes(PNG)
    assert choose_reader(load(tmp_path / "d.unheard", "d.unheard")).kind == "png"


@pytest.mark.parametrize(
    ("guest", "reason"),
    [
        (Fails, "failed on it (RuntimeError)"),
        (GivesBytes, "failed on it (gave no Document but bytes)"),
        (Overshoots, "failed on it (gave blocks that overlap or lie outside of the text)"),
    ],
)
def test_a_guest_that_fails_is_named_as_the_files_reason(tmp_path: Path, use: Use, guest: type, reason: str) -> None:
    use(captions=guest)
    with pytest.raises(ReadError) as raised:
        read_document(picture(tmp_path), "tern.png")
    assert raised.value.status == DocumentStatus.DAMAGED
    assert f"the reader 'captions' of rope-walk {reason}" in str(raised.value)


def test_a_guest_that_cannot_tell_its_content_has_its_suffixes(tmp_path: Path, use: Use) -> None:
    use(badly=ClaimsBadly)
    assert read_document(picture(tmp_path), "tern.png").text == "a tern above the weir"


def test_a_guest_that_cannot_be_loaded_is_named_where_a_file_is_not_read(tmp_path: Path, use: Use) -> None:
    use(refuses=Refuses)
    with pytest.raises(ReadError) as raised:
        read_document(picture(tmp_path), "tern.png")
    assert raised.value.status == DocumentStatus.UNSUPPORTED
    assert "the reader 'refuses' of rope-walk cannot be loaded (RuntimeError)" in str(raised.value)
    (tmp_path / "a.txt").write_text("a heron")
    assert read_document(tmp_path / "a.txt", "a.txt").text == "a heron"
