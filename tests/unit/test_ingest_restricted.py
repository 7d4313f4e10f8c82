from pathlib import Path
from typing import Any

import pytest

from ragspine_tui.errors import UsageError
from ragspine_tui.session import Session
from ragspine_tui.types import DocumentStatus, IndexReport, Progress
from tests.homes import find, indexed, open_session, paths, write_files

NOTES = {"a.md": "# Herons\n\nThe heron waits.", "b.txt": "A weir in the river.", "sub/c.md": "An eel passes."}


def update(session: Session) -> IndexReport:
    return session.index(["lib"])[0]


def changes(report: IndexReport) -> tuple[int, int, int, int]:
    return report.added, report.changed, report.removed, report.unchanged


def test_an_unknown_sensitivity_label_keeps_the_document_out_and_is_told(tmp_path: Path) -> None:
    with indexed(tmp_path, {**NOTES, "odd.md": "---\nsensitivity: sekret\n---\nThe hidden heron."}) as session:
        assert paths(find(session, "hidden heron")) == ["a.md"]
        problem = session.problems()[0]
        assert (problem.document, problem.status) == ("odd.md", DocumentStatus.RESTRICTED)
        assert "unknown sensitivity label" in problem.reason
        assert "sekret" not in problem.reason


def test_restricted_documents_are_not_read_again_while_nothing_changes(tmp_path: Path) -> None:
    files = {**NOTES, "own.md": "---\nsensitivity: restricted\n---\nhidden", "private/x.md": "hidden"}
    with open_session(tmp_path / "home") as session:
        session.add(write_files(tmp_path / "lib", files), library_id="lib", restrict=["private/"])
        assert changes(update(session)) == (5, 0, 0, 0)
        assert changes(update(session)) == (0, 0, 0, 5)
        session.restrict("lib", ["a.md"])
        assert changes(update(session)) == (0, 0, 0, 5)
        write_files(tmp_path / "lib", {"own.md": "---\nsensitivity: public\n---\nshown now"})
        assert changes(update(session)) == (0, 1, 0, 4)
        assert paths(find(session, "shown")) == ["own.md"]


def test_an_old_version_of_a_restricted_document_is_gone_too(tmp_path: Path) -> None:
    others = {f"n{number}.md": f"Another heron, number {number}." for number in range(12)}
    with indexed(tmp_path, {**NOTES, **others, "s.md": "The first zugzwang."}) as session:
        write_files(tmp_path / "lib", {"s.md": "The second fianchetto."})
        update(session)
        (tmp_path / "lib" / "s.md").rename(tmp_path / "lib" / "t.md")
        update(session)
        assert session.restrict("lib", ["t.md"]) == 1
        raw = b"".join(path.read_bytes() for path in (tmp_path / "home").iterdir())
    assert b"fianchetto" not in raw
    assert b"zugzwang" not in raw


def test_a_mark_set_while_its_file_is_read_counts(tmp_path: Path) -> None:
    with open_session(tmp_path / "home") as session, open_session(tmp_path / "home") as person:
        session.add(write_files(tmp_path / "lib", {**NOTES, "zz.md": "The hidden zugzwang."}), library_id="lib")

        def mark(one: Progress) -> None:
            if one.path == "zz.md":
                person.restrict("lib", ["zz.md"])

        session.index(progress=mark)
        assert find(session, "zugzwang").total == 0
        raw = b"".join(path.read_bytes() for path in (tmp_path / "home").iterdir())
    assert b"zugzwang" not in raw


@pytest.mark.parametrize("name", ["secret [x].md", "wild*.md", "=odd.md", "!loud.md", "a b.md"])
@pytest.mark.parametrize("absolute", [True, False])
def test_a_file_is_restricted_by_its_name_whatever_it_is_called(tmp_path: Path, name: str, absolute: bool) -> None:
    folder = write_files(
        tmp_path / "lib", {name: "The hidden zugzwang.", "sub/x.md": "zugzwang", "open.md": "A heron."}
    )
    with open_session(tmp_path / "home") as session:
        session.add(folder, library_id="lib", restrict=[str(folder / name) if absolute else name, str(folder / "sub")])
        session.index()
        assert paths(find(session, "zugzwang heron")) == ["open.md"]
        session.restrict("lib", [str(folder / "open.md")])
        assert find(session, "heron").total == 0
        assert session.unrestrict("lib", [str(folder / "open.md")]) == 1
        assert paths(find(session, "heron")) == ["open.md"]


def test_no_pattern_lifts_a_restriction(tmp_path: Path) -> None:
    with open_session(tmp_path / "home") as session:
        session.add(write_files(tmp_path / "lib", {"s.md": "zugzwang"}), library_id="lib", restrict=["s.md"])
        with pytest.raises(UsageError, match="would lift a restriction"):
            session.restrict("lib", ["!s.md"])
        session.index()
        assert find(session, "zugzwang").total == 0


def test_restricting_what_made_the_language_equals_never_having_had_it(tmp_path: Path) -> None:
    german = "Die Katzen sitzen auf den Mauern und schlafen in der Sonne, wenn es nicht regnet."
    english = {
        f"en{n}.md": "The cats are sitting on the walls and they sleep in the sun while it is warm." for n in range(4)
    }
    with indexed(tmp_path, {"de.md": german, **english}) as session:
        assert session.libraries()[0].indexed_language == "en"
        session.restrict("lib", ["en*.md"])
        assert session.libraries()[0].indexed_language == "de"
        assert paths(find(session, "Katze Mauer")) == ["de.md"]


def test_a_library_removed_while_it_is_indexed_ends_its_run(tmp_path: Path) -> None:
    with open_session(tmp_path / "home") as session, open_session(tmp_path / "home") as person:
        session.add(write_files(tmp_path / "lib", NOTES), library_id="lib")
        other = write_files(tmp_path / "other", {"o.md": "The other newt."})

        def remove(one: Progress) -> None:
            if one.path == "b.txt":
                person.remove("lib")
                person.add(other, library_id="lib")

        report = session.index(progress=remove)[0]
        assert report.cancelled
        assert "removed meanwhile" in report.problems[0].reason
        assert find(session, "heron").total == 0


@pytest.mark.parametrize("restrict", [{"restrict": ["*.md"]}, {"sensitivity": "restricted"}, {}])
def test_the_only_file_that_is_gone_is_counted_though_it_was_restricted(
    tmp_path: Path, restrict: dict[str, Any]
) -> None:
    folder = write_files(tmp_path / "lib", {"s.md": "The hidden zugzwang."})
    with open_session(tmp_path / "home") as session:
        session.add(folder, library_id="lib", **restrict)
        session.index()
        session.restrict("lib", ["s.md"])
        (folder / "s.md").unlink()
        assert changes(update(session)) == (0, 0, 1, 0)
