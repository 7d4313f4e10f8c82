"""A chunker of an installed package is a guest: whatever it does is told, and costs no other library anything."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragspine_tui.errors import UsageError
from ragspine_tui.retrieval.chunking.chunker import ENTRY_POINTS, Chunking
from ragspine_tui.retrieval.chunking.layout_chunker import LayoutAwareChunker
from ragspine_tui.session import Session
from ragspine_tui.types import Chunk, Document, Section, Span
from tests.homes import find, open_session, paths, write_files
from tests.packages import install

TEXT = "# Weir\n\nA heron at the weir.\n\n## Eels\n\nEels below it.\n"


class Guest(LayoutAwareChunker):
    """A sound chunker, for the others to spoil."""

    def chunk(self, document: Document) -> Chunking:
        cut = super().chunk(document)
        return Chunking(self.sections(cut.sections), self.chunks(cut.chunks))

    def sections(self, sections: tuple[Section, ...]) -> tuple[Section, ...]:
        return sections

    def chunks(self, chunks: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
        return chunks


class Invents(Guest):
    def chunks(self, chunks: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
        return tuple(replace(one, source="an invented kingfisher " * 9) for one in chunks)


class Overshoots(Guest):
    def chunks(self, chunks: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
        return tuple(replace(one, span=Span(one.span.start, 10**6)) for one in chunks)


class Reverses(Guest):
    def chunks(self, chunks: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
        return tuple(replace(one, index=number) for number, one in enumerate(reversed(chunks), start=1))


class Misnumbers(Guest):
    def chunks(self, chunks: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
        return chunks[1:]


class HasNoSections(Guest):
    def sections(self, sections: tuple[Section, ...]) -> tuple[Section, ...]:
        return ()


class LeavesGaps(Guest):
    def sections(self, sections: tuple[Section, ...]) -> tuple[Section, ...]:
        return sections[:1]


class PointsBeyond(Guest):
    def chunks(self, chunks: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
        return tuple(replace(one, section=99) for one in chunks)


class CountsBackwards(Guest):
    def chunks(self, chunks: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
        return tuple(replace(one, section=-1) for one in chunks)


class LooksTooFar(Guest):
    def chunks(self, chunks: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
        return tuple(replace(one, window=Span(0, 10**6)) for one in chunks)


class NamesAnother(Guest):
    def chunks(self, chunks: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
        return tuple(replace(one, document="other.md") for one in chunks)


class Empties(Guest):
    def chunks(self, chunks: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
        return tuple(replace(one, span=Span(one.span.start, one.span.start)) for one in chunks)


class Words(Guest):
    def chunks(self, chunks: tuple[Chunk, ...]) -> Any:
        return tuple(one.text for one in chunks)


class Streams(Guest):
    def chunks(self, chunks: tuple[Chunk, ...]) -> Any:
        return iter(chunks)


class Forgets(Guest):
    def chunk(self, document: Document) -> Any:
        return None


class Raises(Guest):
    def chunk(self, document: Document) -> Any:
        raise RuntimeError(document.text)


class Quits(Guest):
    def chunk(self, document: Document) -> Any:
        raise SystemExit(document.text)


class CannotBeMade:
    def __init__(self) -> None:
        raise RuntimeError("no licence")


class AsksTooMuch:
    def __init__(self, licence: str) -> None:
        self.licence = licence


BROKEN = (
    *(Invents, Overshoots, Reverses, Misnumbers, HasNoSections, LeavesGaps, PointsBeyond, CountsBackwards),
    *(LooksTooFar, NamesAnother, Empties, Words, Streams, Forgets, Raises, Quits),
)


def with_guest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, point: str) -> Session:
    """A home with two folders beside it, and an installed package whose chunker is called `guest`."""
    install(tmp_path / "site", ENTRY_POINTS, guest=point)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    for name in ("own", "theirs"):
        write_files(tmp_path / name, {"weir.md": TEXT})
    return open_session(tmp_path / "home")


def test_a_sound_guest_is_a_chunker_like_any_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with with_guest(tmp_path, monkeypatch, f"{__name__}:Guest") as session:
        session.add(tmp_path / "theirs", chunker="guest")
        assert session.index()[0].problems == ()
        assert [hit.text for hit in find(session, "eels").hits] == ["## Eels\n\nEels below it."]


@pytest.mark.parametrize("broken", BROKEN)
def test_a_guest_that_breaks_its_word_loses_its_own_documents_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: type
) -> None:
    with with_guest(tmp_path, monkeypatch, f"{__name__}:{broken.__name__}") as session:
        session.add(tmp_path / "own")
        session.add(tmp_path / "theirs", chunker="guest")
        own, theirs = session.index()
        assert (own.chunks, own.problems) == (2, ())
        assert [(one.document, str(one.status)) for one in theirs.problems] == [("weir.md", "damaged")]
        assert theirs.problems[0].reason.startswith("the chunker guest ")
        assert "heron" not in theirs.problems[0].reason
        assert [(hit.library_id, hit.text) for hit in find(session, "heron").hits] == [
            ("own", "# Weir\n\nA heron at the weir.")
        ]
        assert find(session, "kingfisher").total == 0


@pytest.mark.parametrize(
    "point", [f"{__name__}:CannotBeMade", f"{__name__}:AsksTooMuch", f"{__name__}:absent", "no_such_module:x"]
)
def test_a_guest_that_cannot_be_loaded_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    with with_guest(tmp_path, monkeypatch, point) as session:
        with pytest.raises(UsageError, match=r"the chunker 'guest' of rope-walk cannot be loaded \(\w+\)"):
            session.add(tmp_path / "theirs", chunker="guest")
        assert session.libraries() == ()


def test_a_library_whose_chunker_was_uninstalled_keeps_what_it_has_and_holds_up_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with with_guest(tmp_path, monkeypatch, f"{__name__}:Guest") as session:
        session.add(tmp_path / "theirs", chunker="guest")
        session.add(tmp_path / "own", library_id="z-own")
        session.index()
        monkeypatch.undo()
        for name in ("own", "theirs"):
            write_files(tmp_path / name, {"mill.md": "# Mill\n\nA heron at the mill."})
            (tmp_path / name / "weir.md").unlink()
        theirs, own = session.index(rebuild=True)
        assert (own.added, own.removed, own.problems) == (1, 0, ())
        assert "unknown chunker 'guest'; valid: none, layout" in theirs.problems[0].reason
        assert "install its package" in theirs.problems[0].reason
        assert {(hit.library_id, hit.document) for hit in find(session, "heron").hits} == {
            ("theirs", "weir.md"),
            ("z-own", "mill.md"),
        }
        assert paths(find(session, "eels")) == ["weir.md"]
