import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from ragspine_tui import ingest
from ragspine_tui.errors import LibraryError, QueryError, UsageError
from ragspine_tui.retrieval.chunking.layout_chunker import Chunking, LayoutAwareChunker
from ragspine_tui.session import Session
from ragspine_tui.types import Document, DocumentStatus, IndexReport, Progress, SearchRequest
from tests.accounts import as_somebody_else
from tests.homes import find, indexed, open_session, paths, write_files

NOTES = {"a.md": "# Herons\n\nThe heron waits.", "b.txt": "A weir in the river.", "sub/c.md": "An eel passes."}


def update(session: Session) -> IndexReport:
    return session.index(["lib"])[0]


def changes(report: IndexReport) -> tuple[int, int, int, int]:
    return report.added, report.changed, report.removed, report.unchanged


def test_the_first_run_adds_everything_and_the_next_reads_nothing(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        assert changes(update(session)) == (0, 0, 0, 3)
        assert session.libraries()[0].documents == 3


def test_a_run_that_finds_nothing_to_do_leaves_what_searches_have_read_as_it_is(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        before = session._store.snapshot("lib")
        update(session)
        assert session._store.snapshot("lib") is before
        (tmp_path / "lib" / "a.md").unlink()
        update(session)
        assert session._store.snapshot("lib") is not before
        assert session.libraries()[0].complete


def test_only_what_changed_is_read(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        write_files(tmp_path / "lib", {"a.md": "# Bitterns\n\nThe bittern booms.", "new.md": "newt"})
        (tmp_path / "lib" / "b.txt").unlink()
        assert changes(update(session)) == (1, 1, 1, 1)
        assert paths(find(session, "bittern")) == ["a.md"]
        assert paths(find(session, "newt")) == ["new.md"]
        assert find(session, "heron weir").hits == ()


def test_a_file_with_new_times_and_the_same_bytes_is_not_read_again(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        os.utime(tmp_path / "lib" / "a.md", ns=(1, 1))
        assert changes(update(session)) == (0, 0, 0, 3)
        assert not find(session, "heron").hits[0].stale


def test_a_hit_whose_file_changed_or_went_is_stale_until_the_next_update(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        assert not find(session, "heron").hits[0].stale
        write_files(tmp_path / "lib", {"a.md": "# Herons\n\nThe heron left long ago."})
        (tmp_path / "lib" / "b.txt").rename(tmp_path / "lib" / "renamed.txt")
        assert find(session, "heron").hits[0].stale
        assert find(session, "weir").hits[0].stale
        update(session)
        assert not find(session, "heron").hits[0].stale
        assert [(hit.document, hit.stale) for hit in find(session, "weir").hits] == [("renamed.txt", False)]


def test_a_folder_that_is_away_keeps_everything_and_says_so(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        (tmp_path / "lib").rename(tmp_path / "away")
        report = update(session)
        assert "offline" in report.problems[0].reason
        assert session.libraries()[0].offline
        assert paths(find(session, "heron")) == ["a.md"]
        (tmp_path / "away").rename(tmp_path / "lib")
        assert changes(update(session)) == (0, 0, 0, 3)


def hide_a_folder(place: Path) -> tuple[int, list[str], list[str], list[str]]:
    """(removed, problems, hits in the hidden folder, hits elsewhere) after an update that could not look into it."""
    with indexed(place, NOTES) as session:
        (place / "lib" / "sub").chmod(0)
        report = update(session)
        (place / "lib" / "sub").chmod(0o755)
        told = [problem.document for problem in report.problems]
        return report.removed, told, paths(find(session, "eel")), paths(find(session, "heron"))


def test_what_lies_in_a_folder_that_cannot_be_read_is_kept() -> None:
    assert as_somebody_else(hide_a_folder) == (0, ["sub"], ["sub/c.md"], ["a.md"])


def forbid_a_file(place: Path) -> tuple[list[tuple[str, str]], list[str], list[str]]:
    """(problems, hits elsewhere, hits once the file may be read) of a library with a file nobody may read."""
    write_files(place / "lib", {"locked.md": "a locked heron", **NOTES})
    (place / "lib" / "locked.md").chmod(0)
    with open_session(place / "home") as session:
        session.add(place / "lib", library_id="lib")
        session.index()
        told = [(problem.document, problem.reason) for problem in session.problems()]
        before = paths(find(session, "weir"))
        (place / "lib" / "locked.md").chmod(0o644)
        session.index()
        return told, before, paths(find(session, "locked"))


def test_a_file_that_may_not_be_read_is_listed_with_its_errno_and_read_once_it_may_be() -> None:
    told, before, after = as_somebody_else(forbid_a_file)
    assert [document for document, _ in told] == ["locked.md"]
    assert "Permission denied" in told[0][1]
    assert "errno 13" in told[0][1]
    assert (before, after) == (["b.txt"], ["locked.md"])


def test_files_that_cannot_be_indexed_are_listed_and_stop_nothing(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        **NOTES,
        "empty.md": "",
        "blank.txt": " \n\n ",
        "image.png": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20,
    }
    with indexed(tmp_path, files) as session:
        statuses = {problem.document: (problem.status, problem.reason) for problem in session.problems()}
        assert statuses == {
            "empty.md": (DocumentStatus.EMPTY, "is empty"),
            "blank.txt": (DocumentStatus.EMPTY, "holds nothing but white space"),
            "image.png": (DocumentStatus.UNSUPPORTED, "is a PNG picture: this format is not read"),
        }
        report = update(session)
        assert (report.empty, len(report.problems)) == (2, 1)
        assert paths(find(session, "heron")) == ["a.md"]


def test_names_of_any_bytes_are_found_and_keep_their_bytes(tmp_path: Path) -> None:
    folder = tmp_path / "lib"
    (folder / "[").mkdir(parents=True)
    names = (b"\xff.md", b"new\nline.md", "日本語.md".encode(), b"[/x].md", b"caf\xc3\xa9.md", b"cafe\xcc\x81.md")
    for name in names:
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_text("the same heron")
    with open_session(tmp_path / "home") as session:
        session.add(folder, library_id="lib")
        session.index()
        hits = session.search(SearchRequest("heron", copies=True)).hits
        assert {os.fsencode(hit.document) for hit in hits} == set(names)
        for hit in hits:
            assert session.show(hit.chunk_id).document == hit.document
            assert session.file_of("lib", hit.document).read_text() == "the same heron"
        assert "lib:\\xff.md#c1" in {hit.chunk_id for hit in hits}


def test_a_file_named_like_the_configuration_is_data(tmp_path: Path) -> None:
    with indexed(tmp_path, {"config.toml": 'limit = "a heron"\nunknown = true\n'}) as session:
        assert paths(find(session, "heron")) == ["config.toml"]


def test_a_single_file_can_be_a_library(tmp_path: Path) -> None:
    write_files(tmp_path, {"note.md": "# Only\n\nThe only heron."})
    with open_session(tmp_path / "home") as session:
        library = session.add(tmp_path / "note.md")
        session.index()
        hit = find(session, "heron").hits[0]
        assert (library.library_id, hit.document, hit.stale) == ("note", "note.md", False)
        assert session.file_of("note", "note.md") == tmp_path / "note.md"


def test_progress_counts_up_to_what_there_is_to_read(tmp_path: Path) -> None:
    seen: list[Progress] = []
    with open_session(tmp_path / "home") as session:
        session.add(write_files(tmp_path / "lib", NOTES), library_id="lib")
        session.index(progress=seen.append)
    assert [(one.done, one.total) for one in seen] == [(0, 0), (0, 3), (1, 3), (2, 3), (3, 3)]
    assert [one.path for one in seen[1:4]] == ["a.md", "b.txt", "sub/c.md"]


def test_a_cancelled_run_keeps_what_it_read_and_the_next_goes_on(tmp_path: Path) -> None:
    seen: list[Progress] = []
    with open_session(tmp_path / "home") as session:
        session.add(write_files(tmp_path / "lib", NOTES), library_id="lib")
        report = session.index(progress=seen.append, cancelled=lambda: len(seen) > 2)[0]
        assert (report.cancelled, report.added) == (True, 2)
        assert paths(find(session, "heron")) == ["a.md"]
        assert changes(update(session)) == (1, 0, 0, 2)


def test_batches_land_one_by_one_and_are_searchable_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingest, "FIRST_BATCH_CHARACTERS", 10)
    monkeypatch.setattr(ingest, "BATCH_CHARACTERS", 10)
    found: list[int] = []
    files = {f"n{number}.md": f"heron number {number}" for number in range(5)}
    with open_session(tmp_path / "home") as session, open_session(tmp_path / "home") as reader:
        session.add(write_files(tmp_path / "lib", files), library_id="lib")
        session.index(progress=lambda one: found.append(len(find(reader, "heron").hits)))
        assert found[2:] == [1, 2, 3, 4, 5]


def test_another_chunker_or_language_rebuilds_the_index(tmp_path: Path) -> None:
    with indexed(tmp_path, {"a.md": "He was running to the weirs."}) as session:
        assert paths(find(session, "run weir")) == ["a.md"]
        with session._store._database.write() as connection:
            connection.execute("UPDATE libraries SET language = 'none', chunker = 'layout'")
        report = update(session)
        assert changes(report) == (1, 0, 0, 0)
        assert find(session, "run weir").hits == ()
        assert find(session, "weirs").hits[0].parent_locator == ""


def test_a_library_that_turns_out_to_be_in_another_language_equals_a_fresh_one(tmp_path: Path) -> None:
    german = {
        f"d{n}.md": "Die Katzen sitzen auf den Mauern und schlafen in der Sonne, wenn es nicht regnet."
        for n in range(9)
    }
    with indexed(tmp_path, {"a.md": "The cats are sitting on the walls and they sleep in the sun."}) as session:
        assert session.libraries()[0].indexed_language == "en"
        write_files(tmp_path / "lib", german)
        update(session)
        grown = (session.libraries()[0].indexed_language, [hit.score for hit in find(session, "Katze Mauer").hits])
    with open_session(tmp_path / "fresh") as session:
        session.add(tmp_path / "lib", library_id="lib")
        session.index()
        assert grown == ("de", [hit.score for hit in find(session, "Katze Mauer").hits])


def test_a_rebuild_reads_everything_again(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        assert changes(session.index(rebuild=True)[0]) == (3, 0, 0, 0)
        assert len(find(session, "heron").hits) == 1


def test_adding_says_what_is_wrong(tmp_path: Path) -> None:
    with open_session(tmp_path / "home") as session:
        with pytest.raises(LibraryError, match="no folder or file"):
            session.add(tmp_path / "nowhere")
        folder = write_files(tmp_path / "My Notes!", NOTES)
        assert session.add(folder).library_id == "my-notes"
        with pytest.raises(LibraryError, match="already"):
            session.add(folder)
        other = write_files(tmp_path / "メモ", NOTES)
        assert session.add(other).library_id == "library"
        third = write_files(tmp_path / "third", NOTES)
        wrongs: tuple[dict[str, Any], ...] = (
            {"library_id": "no:colon"},
            {"chunker": "nope"},
            {"language": "xx"},
            {"sensitivity": "secret"},
        )
        for wrong in wrongs:
            with pytest.raises(UsageError):
                session.add(third, **wrong)


def test_removing_a_library_never_touches_the_files(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        before = sorted(path.read_bytes() for path in (tmp_path / "lib").rglob("*.*"))
        session.remove("lib")
        assert session.libraries() == ()
        assert sorted(path.read_bytes() for path in (tmp_path / "lib").rglob("*.*")) == before
        shutil.rmtree(tmp_path / "lib")


def test_a_sentence_window_opens_into_its_neighbours_and_not_the_whole_section(tmp_path: Path) -> None:
    text = "# Weir\n\n" + " ".join(
        f"Sentence number {name} stands here." for name in ("one", "two", "three", "four", "five", "six", "seven")
    )
    with open_session(tmp_path / "home") as session:
        session.add(write_files(tmp_path / "lib", {"a.md": text}), library_id="lib", chunker="Sentence-Window")
        session.index()
        assert session.libraries()[0].library.chunker == "sentence_window"
        hit = find(session, "seven").hits[0]
        parent = session.parent(hit)
    assert hit.text == "Sentence number seven stands here."
    assert parent.child.of(parent.text) == hit.text
    assert "five" in parent.text
    assert "three" not in parent.text
    assert text[parent.start : parent.start + len(parent.text)] == parent.text


def test_a_library_is_partial_until_a_run_comes_to_its_end(tmp_path: Path) -> None:
    asked = iter([False, True])
    with open_session(tmp_path / "home") as session:
        session.add(write_files(tmp_path / "lib", NOTES), library_id="lib")
        session.index(cancelled=lambda: next(asked, True))
        assert not session.libraries()[0].complete
        update(session)
        assert session.libraries()[0].complete


@pytest.mark.parametrize("year", [1, 1960, 2107, 2400, 9000])
def test_a_file_of_any_date_is_indexed(tmp_path: Path, year: int) -> None:
    folder = write_files(tmp_path / "lib", NOTES)
    os.utime(folder / "a.md", ((year - 1970) * 31_556_952, (year - 1970) * 31_556_952))
    with open_session(tmp_path / "home") as session:
        session.add(folder, library_id="lib")
        assert changes(update(session)) == (3, 0, 0, 0)
        assert changes(update(session)) == (0, 0, 0, 3)
        assert not find(session, "heron").hits[0].stale


def test_what_is_neither_folder_nor_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with open_session(tmp_path / "home") as session:
        with pytest.raises(LibraryError, match="neither a folder nor a file"):
            session.add(tmp_path / "pipe")
        assert session.libraries() == ()


def test_one_library_that_cannot_be_read_never_stops_the_others(tmp_path: Path) -> None:
    with open_session(tmp_path / "home") as session:
        for name in ("a", "b"):
            session.add(write_files(tmp_path / name, NOTES), library_id=name)
        shutil.rmtree(tmp_path / "a")
        os.mkfifo(tmp_path / "a")
        reports = session.index()
        assert [len(report.problems) for report in reports] == [1, 0]
        assert reports[1].added == 3


def test_ids_of_names_that_look_alike_differ(tmp_path: Path) -> None:
    folder = tmp_path / "lib"
    folder.mkdir()
    for name, text in ((b"\xff.md", "first heron"), (b"\\xff.md", "second heron"), (b"\\\\xff.md", "third heron")):
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_text(text)
    with open_session(tmp_path / "home") as session:
        session.add(folder, library_id="lib")
        session.index()
        hits = find(session, "heron").hits
        assert len({hit.chunk_id for hit in hits}) == 3
        assert {session.show(hit.chunk_id).text for hit in hits} == {"first heron", "second heron", "third heron"}


def test_no_passage_is_shown_under_an_id_that_no_search_gives(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as session:
        for number in (2, 1_048_576, 1_048_577, 999_999_999):
            with pytest.raises(QueryError, match="there is no passage"):
                session.show(f"lib:a.md#c{number}")


def test_a_folder_of_any_bytes_can_be_a_library(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/notes\xff"))
    with open_session(tmp_path / "home") as session:
        session.add(write_files(folder, NOTES), library_id="lib")
        assert changes(update(session)) == (3, 0, 0, 0)
        assert session.libraries()[0].library.title == "notes\ufffd"
        assert not find(session, "heron").hits[0].stale


def test_every_document_carries_its_title_and_how_it_was_decoded(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a.md": "# Herons\n\nThe heron waits.",
        "b.txt": "日本語の文章です。鷺が待つ。".encode("shift_jis"),
    }
    with indexed(tmp_path, files) as session:
        fields = {hit.document: hit.fields for hit in find(session, "heron 鷺").hits}
    assert fields["a.md"]["title"] == ("Herons",)
    assert fields["a.md"]["encoding"] == ("utf-8",)
    assert fields["b.txt"]["encoding"][0].replace("-", "_").lower() in ("shift_jis", "cp932", "shift_jisx0213")


def test_a_home_inside_its_own_library_is_no_document(tmp_path: Path) -> None:
    with open_session(tmp_path / "lib" / "home") as session:
        session.add(write_files(tmp_path / "lib", NOTES), library_id="lib")
        assert session.preview(tmp_path / "lib").files == 3
        for expected in ((3, 0, 0, 0), (0, 0, 0, 3), (0, 0, 0, 3)):
            report = update(session)
            assert (changes(report), report.problems) == (expected, ())


def test_a_file_that_breaks_its_chunker_is_that_files_failure_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chunk = LayoutAwareChunker.chunk

    def breaks(self: LayoutAwareChunker, document: Document) -> Chunking:
        if document.path == "b.txt":
            raise RecursionError("too deep")
        return chunk(self, document)

    monkeypatch.setattr(LayoutAwareChunker, "chunk", breaks)
    with indexed(tmp_path, NOTES) as session:
        assert [(one.document, one.status, one.reason) for one in session.problems()] == [
            ("b.txt", DocumentStatus.DAMAGED, "the chunker parent_child failed on it (RecursionError)")
        ]
        assert paths(find(session, "heron")) == ["a.md"]
        assert changes(update(session)) == (0, 0, 0, 3)
