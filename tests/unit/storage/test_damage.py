"""Damaged rows are one library's failure: told in one line, beside the hits of the others."""

from pathlib import Path

import pytest

from ragspine_tui.types import SearchRequest
from tests.homes import find, open_session, write_files

LAST_SEGMENT = "(SELECT max(id) FROM segments)"
LAST_DOCUMENT = "(SELECT max(id) FROM documents)"

DAMAGES = {
    "cut posting list": f"UPDATE postings SET body = X'09ff' WHERE segment = {LAST_SEGMENT}",
    "posting list beyond the segment": f"UPDATE postings SET body = X'00ffff01' WHERE segment = {LAST_SEGMENT}",
    "empty posting list": f"UPDATE postings SET body = X'' WHERE segment = {LAST_SEGMENT}",
    "cut array": f"UPDATE segments SET documents = X'01' WHERE id = {LAST_SEGMENT}",
    "missing lengths": f"UPDATE segments SET body_lengths = X'' WHERE id = {LAST_SEGMENT}",
    "falling bounds": f"UPDATE segments SET first_chunk = X'0500000001000000' WHERE id = {LAST_SEGMENT}",
    "cut text": f"UPDATE blocks SET content = X'00' WHERE key >= {LAST_DOCUMENT} << 20",
    "missing section": f"DELETE FROM sections WHERE key >= {LAST_DOCUMENT} << 20",
    "missing block": f"DELETE FROM blocks WHERE key >= {LAST_DOCUMENT} << 20",
    "cut fields": f"UPDATE documents SET fields = X'00' WHERE id = {LAST_DOCUMENT}",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_library_never_fails_the_search_of_the_others(tmp_path: Path, damage: str) -> None:
    with open_session(tmp_path / "home") as session:
        for name in ("a", "b"):
            session.add(
                write_files(tmp_path / name, {"x.md": f"# Heron\n\nA heron at the weir of {name}."}), library_id=name
            )
        session.index()
        with session._store._database.write() as connection:
            connection.execute(DAMAGES[damage])
    with open_session(tmp_path / "home") as session:
        result = session.search(SearchRequest("heron", parent=True, explain=True))
        assert [hit.library_id for hit in result.hits] == ["a"]
        assert [error.library_id for error in result.errors] == ["b"]
        assert "index --rebuild" in result.errors[0].message
        session.index(["b"], rebuild=True)
        result = find(session, "heron")
        assert ({hit.library_id for hit in result.hits}, result.errors) == ({"a", "b"}, ())
