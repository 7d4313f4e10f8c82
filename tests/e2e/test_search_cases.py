"""Faults that people reported of programs like this one, from files to hits."""

from pathlib import Path

import pytest

from ragspine_tui.types import SearchRequest
from tests.homes import find, indexed, open_session, paths, shown, write_files

FILLER = {
    f"filler{number}.md": f"# Filler {number}\n\nSome words of no interest, number {number}." for number in range(6)
}


@pytest.mark.parametrize(
    ("text", "query", "highlighted"),
    [
        ("杭州的云工开物计划，学生可以申请，发放优惠券一张。", "云工开物 优惠券 怎么领", "云工开物"),
        ("重跑gen-itgc后50条悬空引用清零", "悬空", "悬空"),
        ("重跑gen-itgc后50条悬空引用清零", "itgc", "itgc"),
        ("把文件夹移到桌面", "件夹", "件夹"),
        ("把文件夹移到桌面", "夹", "夹"),
        ("見出しは ｶﾀｶﾅ １２３ です", "カタカナ 123", "ｶﾀｶﾅ"),
        ("a café by the canal", "cafe", "café"),
        ("Это Тест текста", "тест", "Тест"),
        ("see DEC-0054 for why", "DEC-0054", "DEC-0054"),
        ("call get_user_name here", "get_user_name", "get_user_name"),
        ("call get_user_name here", "user_name", "name"),
        ("upgraded to v2026.4.10 today", "2026.4.10", "2026.4.10"),
        ("follow @nasa for more", "@nasa", "nasa"),
        ("write to a@b.com please", "a@b.com", "a@b.com"),
        ("look at https://x.y/z?q=1 for it", "https://x.y/z?q=1", "https://x.y/z?q=1"),
        ("they don't mind", "don't", "don't"),
        ("run it with --error-on-warnings set", '"--error-on-warnings"', "error-on-warnings"),
        ("die Straße am Fluss", "strasse", "Straße"),
        ("ภาษาไทยไม่มีช่องว่าง", "ภาษาไทย", "ภาษาไทย"),
        ("데이터베이스를 검색한다", "데이터베이스", "데이터베이스"),
        ("दस्तावेज़ की खोज", "खोज", "खोज"),
        ("the party 🎉 begins", "🎉", "🎉"),
    ],
)
def test_what_a_person_types_is_found_and_marked_where_it_stands(
    tmp_path: Path, text: str, query: str, highlighted: str
) -> None:
    with indexed(tmp_path, {**FILLER, "right.md": text}) as session:
        result = find(session, query)
    assert paths(result)[0] == "right.md"
    assert result.hits[0].text == text
    assert highlighted in "".join(shown(result.hits[0])) or highlighted in shown(result.hits[0])


def test_a_hit_in_the_third_section_shows_that_sections_text_and_line(tmp_path: Path) -> None:
    text = "# 一\n\n早上下雨。\n\n# 二\n\n中午刮风。\n\n# 三\n\n晚上悬空的灯亮了。\n"
    with indexed(tmp_path, {"a.md": text}) as session:
        hit = find(session, "悬空").hits[0]
    assert hit.text == "# 三\n\n晚上悬空的灯亮了。"
    assert hit.line == 9
    assert text[hit.span.start : hit.span.end] == hit.text


def test_the_exact_dotted_version_stands_above_a_split_one(tmp_path: Path) -> None:
    files = {"split.md": "on the 10 of 4, 2026 we met", "exact.md": "released v2026.4.10 then", **FILLER}
    with indexed(tmp_path, files) as session:
        assert paths(find(session, "2026.4.10"))[0] == "exact.md"


def test_cpp_is_neither_c_nor_c_sharp(tmp_path: Path) -> None:
    files = {"one.md": "I write C all day", "two.md": "I write C++ all day", "three.md": "I write C# all day"}
    with indexed(tmp_path, files) as session:
        for query, document in (("C++", "two.md"), ("C#", "three.md"), ("C", "one.md")):
            hits = find(session, query).hits
            assert hits[0].document == document
            assert [hit.document for hit in hits if hit.score == hits[0].score] == [document]


def test_an_identifier_is_the_first_hit_and_its_dash_is_no_negation(tmp_path: Path) -> None:
    files = {"a.md": "the decision DEC-0054 stands", "b.md": "dec and 0054 apart", "c.md": "dec 1 and dec 2"}
    with indexed(tmp_path, files) as session:
        assert paths(find(session, "DEC-0054"))[0] == "a.md"


def test_a_title_with_a_dash_is_the_first_hit(tmp_path: Path) -> None:
    files = {"Book - Some Book.md": "contents", **{f"n{n}.md": f"some book {n} and another book" for n in range(8)}}
    with indexed(tmp_path, files) as session:
        assert paths(find(session, "Book - Some Book"))[0] == "Book - Some Book.md"


def test_the_file_named_by_the_query_comes_first(tmp_path: Path) -> None:
    files = {f"n{n}.md": f"# Note {n}\n\nThere were two of them, and two more: two." for n in range(10)}
    with indexed(tmp_path, {**files, "two.md": "# Counting\n\nNothing else."}) as session:
        assert paths(find(session, "two"))[0] == "two.md"


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_a_tiny_library_gives_its_hit_with_a_positive_score(tmp_path: Path, count: int) -> None:
    files = {"a.md": "a windy day", "b.md": "a calm day", "c.md": "a day"}
    chosen = dict(list(files.items())[:count])
    with indexed(tmp_path, chosen) as session:
        result = find(session, "windy")
    assert paths(result) == (["a.md"] if count else [])
    assert all(hit.score > 0 for hit in result.hits)


def test_a_word_in_every_passage_or_in_half_of_them_still_scores(tmp_path: Path) -> None:
    files = {"a.md": "day windy", "b.md": "day calm", "c.md": "day windy", "d.md": "day calm"}
    with indexed(tmp_path, files) as session:
        everywhere, half = find(session, "day"), find(session, "windy")
    assert len(everywhere.places) == everywhere.total == 4
    assert paths(half) in (["a.md", "c.md"], ["c.md", "a.md"])
    assert min(hit.score for hit in (*everywhere.hits, *half.hits)) > 0


def test_a_word_that_is_repeated_in_the_query_counts_again(tmp_path: Path) -> None:
    with indexed(tmp_path, {"a.md": "heron pond", "b.md": "weir pond"}) as session:
        assert paths(find(session, "heron weir weir"))[0] == "b.md"
        assert paths(find(session, "heron heron weir"))[0] == "a.md"


ANY_TEXT = [
    "park.", '"--error-on-warnings"', '"unclosed', "foo(bar", "NOT", "-x", "a AND", "*", "[", "\\", "", " ", "🎉🎊",
    "\0", "a\0b", "'; DROP TABLE documents; --", "%", "_", "field:", "field:value", "::", "NEAR/5", "^", "\ud800",
    "\u202e\u0007", "é" * 50, "の" * 300, "word " * 2_000, "x" * 10_000,
]  # fmt: skip


@pytest.mark.parametrize("query", ANY_TEXT, ids=range(len(ANY_TEXT)))
@pytest.mark.parametrize("prefix", [False, True])
def test_any_text_at_all_is_a_legal_query(tmp_path: Path, query: str, prefix: bool) -> None:
    with indexed(tmp_path, {"park.md": "the park. foo(bar) is not x", **FILLER}) as session:
        result = session.search(SearchRequest(query, prefix=prefix))
    # What cannot be encoded is searched, and told, as the replacement character: it must print and be JSON.
    assert result.query == query.replace("\ud800", "\ufffd")
    assert result.query.encode().decode() == result.query
    assert all(hit.score > 0 for hit in result.hits)
    if query in ("park.", "foo(bar"):
        assert paths(result)[0] == "park.md"


def test_nothing_that_shares_no_word_is_ever_a_hit(tmp_path: Path) -> None:
    with indexed(tmp_path, FILLER) as session:
        result = find(session, "zugzwang")
    assert (result.hits, result.total, result.unknown_terms) == ((), 0, ("zugzwang",))


def test_the_last_word_may_be_the_beginning_of_one(tmp_path: Path) -> None:
    with indexed(tmp_path, {**FILLER, "a.md": "the normalisation of lengths"}) as session:
        for typed in ("nor", "normal", "normalisat", "normalisation", "lengths normali"):
            assert paths(session.search(SearchRequest(typed, prefix=True)))[0] == "a.md"
        assert paths(find(session, "normalisat")) == []


def test_the_same_paragraph_in_five_files_is_one_hit_that_names_all_five_in_a_fixed_order(tmp_path: Path) -> None:
    files = {f"copy{number}.md": "one and the same paragraph" for number in range(5)}
    with indexed(tmp_path, files) as session:
        first = paths(find(session, "same paragraph"))
        assert len(find(session, "same paragraph").hits) == 1
    with indexed(tmp_path / "again", dict(reversed(files.items()))) as session:
        assert paths(find(session, "same paragraph")) == first
    assert first == sorted(files)


def test_only_empty_files_give_an_empty_result(tmp_path: Path) -> None:
    with indexed(tmp_path, {"a.md": "", "b.txt": "  \n\n"}) as session:
        assert find(session, "anything").hits == ()
        summary = session.libraries()[0]
    assert (summary.documents, summary.problems) == (0, 0)


def test_hits_of_several_libraries_keep_their_origin(tmp_path: Path) -> None:
    with open_session(tmp_path / "home") as session:
        for name in ("one", "two"):
            session.add(
                write_files(tmp_path / name, {"a.md": f"the heron of library {name}", **FILLER}), library_id=name
            )
        session.index()
        result = find(session, "heron")
    assert {(hit.library_id, hit.chunk_id) for hit in result.hits} == {("one", "one:a.md#c1"), ("two", "two:a.md#c1")}


def test_a_last_word_that_is_complete_still_finds_its_other_forms(tmp_path: Path) -> None:
    with indexed(tmp_path, {**FILLER, "a.md": "# Notes\n\nOne experiment was enough for all of us."}) as session:
        assert paths(session.search(SearchRequest("experiments", prefix=True)))[:1] == ["a.md"]


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("two.md", "two"),
        ("Two.md", "ｔｗｏ"),
        ("snake_case-name.txt", "snake case name"),
        ("Book - Some Book.md", "book some book"),
        ("味噌汁.md", "味噌汁"),
        ("C++.md", "C++"),
    ],
)
def test_a_document_that_is_called_so_comes_first_however_often_others_say_it(
    tmp_path: Path, name: str, query: str
) -> None:
    stem = name.rsplit(".", 1)[0]
    others = {f"other{number}.md": f"# {stem} {number}\n\n" + f"{stem}, {stem}: {stem}. " * 5 for number in range(4)}
    rest = {f"rest{number}.md": f"Nothing of note, number {number}." for number in range(40)}
    with indexed(tmp_path, {**others, **rest, name: "Quite other words."}) as session:
        first = find(session, query).hits[0]
        assert first.document == name
        assert first.score > find(session, query).hits[1].score
