"""A file of one line of five megabytes: what is shown of it is the stretch around the match."""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.homes import find, indexed, shown

SIZE = 5_000_000


def test_the_window_in_a_line_of_five_megabytes_is_around_the_match(tmp_path: Path) -> None:
    random = Random(7)
    words = " ".join(random.choice(("alpha", "beta", "gamma", "delta", "omega")) for _ in range(SIZE // 6))
    middle = len(words) // 2
    text = f"{words[:middle]} the grey heron stood {words[middle:]}"
    with indexed(tmp_path, {"line.txt": text}) as session:
        for query, marked in (('"grey heron"', ["grey heron"]), ("+heron stood", ["heron", "stood"])):
            hit = find(session, query).hits[0]
            assert shown(hit) == marked
            assert len(hit.text) <= 480
            assert text[hit.span.start : hit.span.end] == hit.text
            parent = session.parent(hit)
            assert len(parent.text) < 100_000
            assert parent.child.of(parent.text) == hit.text
