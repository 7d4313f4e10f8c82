"""Names and values of metadata may hold anything: a filter finds what is there and nothing else."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from ragspine_tui.session import Session
from ragspine_tui.types import OPERATORS, Block, Condition, Document, SearchRequest, Span
from tests.homes import indexed, open_session, paths, write_files

Fields = Mapping[str, tuple[str, ...]]


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with open_session(tmp_path / "home") as opened:
        opened.add(write_files(tmp_path / "lib", {"unread.md": "Nobody reads this."}), library_id="lib", language="en")
        yield opened


def keep(session: Session, *fields: Fields) -> None:
    """Documents `0.md`, `1.md` ... with these fields."""
    text = "A heron."
    session.add_documents(
        "lib",
        [Document(f"{n}.md", text, (Block(Span(0, len(text))),), fields=one) for n, one in enumerate(fields)],
    )


def left(session: Session, *conditions: Condition) -> list[str]:
    result = session.search(SearchRequest("heron", conditions=conditions))
    assert result.errors == ()
    return sorted(paths(result))


def kept(session: Session) -> dict[str, Sequence[str]]:
    return {one.field: [value for value, _ in one.values] for one in session.fields()}


@pytest.mark.parametrize(
    ("op", "value", "found"),
    [
        ("gt", "a\0b", ["c.md"]),
        ("gte", "a\0b", ["b.md", "c.md"]),
        ("lt", "a\0b", ["a.md"]),
        ("lte", "a\0b", ["a.md", "b.md"]),
        ("between", ("a\0", "a\0b"), ["b.md"]),
        ("eq", "a\0b", ["b.md"]),
    ],
)
def test_a_value_with_a_nul_is_compared_to_its_end(tmp_path: Path, op: str, value: object, found: list[str]) -> None:
    texts = {name: f'---\nx: "a{tail}"\n---\nA heron.' for name, tail in (("a", ""), ("b", "\\0b"), ("c", "\\0c"))}
    with indexed(tmp_path, {f"{name}.md": text for name, text in texts.items()}) as session:
        assert left(session, Condition("x", op, value)) == found


@pytest.mark.parametrize("op", OPERATORS)
def test_what_cannot_be_encoded_is_no_documents_value_and_no_field(session: Session, op: str) -> None:
    keep(session, {"x": ("a",)}, {"x": ("\uffff",)})
    above, below = ["1.md"], ["0.md"]
    expected = {"ne": ["0.md", "1.md"], "nin": ["0.md", "1.md"], "gt": above, "gte": above, "lt": below, "lte": below}
    value: object = {"between": ("\ud800", "\udfff"), "in": ["\ud800"], "nin": ["\ud800"]}.get(op, "\ud800")
    assert left(session, Condition("x", op, value)) == expected.get(op, [])
    assert left(session, Condition("\ud800", op, value)) == []


def test_a_query_that_cannot_be_encoded_finds_its_other_words(session: Session) -> None:
    keep(session, {})
    for query in ("\ud800 heron", "heron \udfff", '"\ud800" heron', "-\ud800 heron"):
        result = session.search(SearchRequest(query))
        assert (result.errors, paths(result)) == ((), ["0.md"])


def test_a_condition_may_list_more_values_than_a_statement_takes(session: Session) -> None:
    keep(session, {"x": ("7",)}, {"x": ("259999",)}, {"x": ("none of them",)})
    many = [str(number) for number in range(260_000)]
    assert left(session, Condition("x", "in", many)) == ["0.md", "1.md"]
    assert left(session, Condition("x", "nin", many)) == ["2.md"]


def test_the_mark_of_terms_in_a_name_makes_it_no_other_fields_value(session: Session) -> None:
    keep(session, {"a\x1fb": ("c",)}, {"a": ("b",)}, {"a": ("b\x1fc",)})
    assert {name: values for name, values in kept(session).items() if name.startswith("a")} == {
        "a": ["b", "b\x1fc"],
        "a\ufffdb": ["c"],
    }
    assert left(session, Condition("a", "eq", "b")) == ["1.md"]
    assert left(session, Condition("a", "gte", "")) == ["1.md", "2.md"]
    assert left(session, Condition("a\ufffdb", "eq", "c")) == ["0.md"]
    for op in ("eq", "ne", "gte", "lte"):
        assert left(session, Condition("a\x1fb", op, "c")) == []


def test_an_undecodable_byte_is_kept_as_the_sign_for_one(session: Session) -> None:
    keep(session, {"na\udcffme": ("va\udc80lue", "\ud800")})
    assert kept(session)["na\ufffdme"] == ["va\ufffdlue", "\ufffd"]
    assert left(session, Condition("na\ufffdme", "eq", "va\ufffdlue")) == ["0.md"]
    hit = session.search(SearchRequest("heron")).hits[0]
    assert hit.fields["na\ufffdme"] == ("va\ufffdlue", "\ufffd")
