from pathlib import Path

from ragspine_tui.json_output import search_json
from ragspine_tui.types import SearchRequest
from tests.homes import open_session, write_files


def test_a_library_that_routing_left_out_is_named_where_it_had_one_of_the_best_hits(tmp_path: Path) -> None:
    with open_session(tmp_path / "home") as session:
        birds = write_files(
            tmp_path / "birds", {"a.md": "A long note that says heron once among many other words of the day."}
        )
        river = write_files(tmp_path / "river", {"heron.md": "# Heron\n\nHeron, heron: the heron of the weir."})
        session.add(birds, library_id="birds", description="the heron and other birds")
        session.add(river, library_id="river", description="weirs and mills")
        session.index()
        routed = session.search(SearchRequest("heron", route="keyword"))
        assert [one.library_id for one in routed.route.libraries] == ["birds"]
        assert {hit.library_id for hit in routed.hits} == {"birds"}
        assert routed.left_out == ("river",)
        assert search_json(routed)["route"]["left_out"] == ["river"]
        assert session.search(SearchRequest("heron")).left_out == ()
        assert session.search(SearchRequest("long note", route="keyword")).left_out == ()
