"""What a query requires and leaves out, against reading every document."""

from __future__ import annotations

import re
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.types import SearchRequest
from tests.homes import find, indexed, open_session, paths, shown, write_files
from tests.unit.querying.homes_of_words import CJK, FEW, LATIN, Texts, cjk_texts, documents, home, latin_texts, those

WORD = st.sampled_from(LATIN)


def words(text: str) -> list[str]:
    """A text's words in order."""
    return re.findall(r"\w+", text)


def holds(text: str, phrase: list[str]) -> bool:
    """Whether the words stand side by side."""
    found = words(text)
    return any(found[at : at + len(phrase)] == phrase for at in range(len(found) - len(phrase) + 1))


@FEW
@given(latin_texts(), WORD, WORD)
def test_a_required_word_leaves_the_documents_that_have_it(texts: Texts, one: str, other: str) -> None:
    with home(texts) as session:
        assert documents(session, f"+{one}") == those(texts, lambda text: one in words(text))
        assert documents(session, f"+{one} {other}") == those(texts, lambda text: one in words(text))
        assert documents(session, f"+{one} +{other}") == those(texts, lambda text: {one, other} <= {*words(text)})
        assert documents(session, f"{one} {other}", every=True) == documents(session, f"+{one} +{other}")


@FEW
@given(latin_texts(), WORD, WORD)
def test_an_excluded_word_leaves_the_documents_without_it(texts: Texts, one: str, other: str) -> None:
    with home(texts) as session:
        expected = those(texts, lambda text: one in words(text) and other not in words(text))
        assert documents(session, f"{one} -{other}") == expected
        assert documents(session, f'-"{other}" {one}') == expected


@FEW
@given(cjk_texts(), st.text(st.sampled_from(CJK), min_size=1, max_size=3))
def test_required_characters_stand_together_in_a_document(texts: Texts, run: str) -> None:
    with home(texts) as session:
        expected = those(texts, lambda text: run in text)
        assert documents(session, f"+{run}") == expected
        assert documents(session, f'"{run}"') == expected
        assert documents(session, f"{CJK} -{run}") == set(texts) - expected


@FEW
@given(latin_texts(), st.lists(WORD, min_size=1, max_size=3))
def test_a_phrase_leaves_the_documents_that_have_its_words_side_by_side(texts: Texts, phrase: list[str]) -> None:
    with home(texts) as session:
        expected = those(texts, lambda text: holds(text, phrase))
        assert documents(session, f'"{" ".join(phrase)}"') == expected
        assert documents(session, f'+"{", ".join(phrase)}"') == expected
        assert documents(session, f'{" ".join(LATIN)} -"{" ".join(phrase)}"') == set(texts) - expected


@FEW
@given(cjk_texts(), st.text(st.sampled_from(CJK), min_size=1, max_size=2), st.sampled_from(CJK))
def test_a_phrase_of_characters_goes_across_punctuation(texts: Texts, one: str, other: str) -> None:
    with home(texts) as session:
        # The characters of one run stand in one run; between two runs of the phrase punctuation does not matter.
        pattern = re.compile(f"{one}、?{other}")
        assert documents(session, f'"{one} {other}"') == those(texts, lambda text: bool(pattern.search(text)))


@FEW
@given(latin_texts(), WORD, WORD, st.integers(1, 4))
def test_near_leaves_the_documents_where_the_words_are_close(texts: Texts, one: str, other: str, apart: int) -> None:
    def close(text: str) -> bool:
        found = words(text)
        places = product(
            (at for at, word in enumerate(found) if word == one), (at for at, word in enumerate(found) if word == other)
        )
        return any(1 <= abs(left - right) <= apart for left, right in places)

    with home(texts) as session:
        assert documents(session, f"{one} NEAR/{apart} {other}") == those(texts, close)


@FEW
@given(latin_texts(), st.sampled_from(["h", "he", "ot", "m", "we", "eel"]))
def test_a_prefix_is_the_beginning_of_words(texts: Texts, begin: str) -> None:
    def has(text: str) -> bool:
        return any(word.startswith(begin) for word in words(text))

    with home(texts) as session:
        assert documents(session, f"{begin}*") == documents(session, f"+{begin}*") == those(texts, has)
        assert documents(session, f"{' '.join(LATIN)} -{begin}*") == set(texts) - those(texts, has)


@FEW
@given(latin_texts(), st.lists(WORD, min_size=2, max_size=4))
def test_what_is_required_changes_no_score_and_no_order(texts: Texts, asked: list[str]) -> None:
    with home(texts) as session:
        free = session.search(SearchRequest(" ".join(asked), limit=1000, copies=True))
        bound = session.search(SearchRequest(" ".join(f"+{word}" for word in asked), limit=1000, copies=True))
        kept = {hit.chunk_id for hit in bound.hits}
        assert [(hit.chunk_id, hit.score) for hit in bound.hits] == [
            (hit.chunk_id, hit.score) for hit in free.hits if hit.chunk_id in kept
        ]
        assert bound.total == len(bound.hits)
        scores = [hit.score for hit in bound.hits]
        assert all(first >= second for first, second in pairwise(scores))


FILES = {
    "a.md": "---\ntags: bird\nremark: seen at dusk\n---\n# The grey heron\n\nIt stands still.\n\n## Food\n\nEels.",
    "b.md": "# Owls\n\nA heron is grey, and owls are not.\n\nTo be, or not to be.",
    "grey-heron-song.md": "# Nothing\n\nWords of no interest.",
}


@pytest.mark.parametrize(
    ("query", "right"),
    [
        # A word counts as there in the body, the title, a heading, the file's name, the front matter.
        ("+stands +heron", {"a.md"}),
        ("+eels +food", {"a.md"}),
        ("words +song", {"grey-heron-song.md"}),
        ("eels +dusk", {"a.md"}),
        ("+herons +owl", {"b.md"}),
        # So does a phrase: a passage under the title is a hit of it.
        ('+stands "grey heron"', {"a.md"}),
        ('interest "grey heron song"', {"grey-heron-song.md"}),
        ('eels "seen at dusk"', {"a.md"}),
        ('eels "at seen"', set()),
        ('"to be or not to be"', {"b.md"}),
        ('owls "to be or not to be"', {"b.md"}),
        ("title:heron", {"a.md"}),
        ('title:"grey heron"', {"a.md"}),
        ('title:"heron grey"', set()),
        ("heron -title:heron", {"b.md", "grey-heron-song.md"}),
        ("title:her*", {"a.md"}),
        ("grey NEAR/1 heron", {"a.md", "grey-heron-song.md"}),
        ("heron NEAR/2 grey", {"a.md", "b.md", "grey-heron-song.md"}),
        ('"to be" NEAR/3 "to be"', {"b.md"}),
    ],
)  # fmt: skip
def test_a_word_is_there_in_whatever_field_it_stands(tmp_path: Path, query: str, right: set[str]) -> None:
    with indexed(tmp_path, FILES) as session:
        assert set(paths(find(session, query))) == right


def test_a_passage_of_a_phrase_holds_it_and_shows_it_as_one(tmp_path: Path) -> None:
    text = "# Notes\n\n" + "A heron here.\n\n" + "word " * 200 + "\n\nThen, by the weir: a grey, old heron stood.\n"
    with indexed(tmp_path, {"a.md": text}) as session:
        hits = find(session, 'heron "grey, old heron"').hits
        assert [shown(hit) for hit in hits] == [["grey, old heron"]]
        assert text[hits[0].span.start : hits[0].span.end] == hits[0].text


def test_every_library_decides_in_its_own_language(tmp_path: Path) -> None:
    with open_session(tmp_path / "home") as session:
        english = "The herons were standing in the marsh when the others came over from the weir."
        german = "Die Reiher standen in den Häusern, und wir waren mit den anderen bei der Mühle."
        for name, text in (("en", english), ("de", german)):
            session.add(write_files(tmp_path / name, {"a.md": text}), library_id=name, language=name)
        session.index()
        found = [
            {hit.library_id for hit in find(session, query).hits}
            for query in ("+heron", "+Haus", "herons Häuser", "herons Häuser -Haus", '"stehen in"', '"standing in"')
        ]
    assert found == [{"en"}, {"de"}, {"en", "de"}, {"en"}, set(), {"en"}]


def test_a_query_that_only_excludes_finds_nothing_and_says_why(tmp_path: Path) -> None:
    with indexed(tmp_path, FILES) as session:
        result = find(session, "-heron")
    assert (result.hits, result.total) == ((), 0)
    assert result.notes == ("the query only says what to leave out: add a word to search for",)


def test_what_emptied_the_result_is_said(tmp_path: Path) -> None:
    with indexed(tmp_path, FILES) as session:
        apart = find(session, '"heron owls" eels +"heron owls"').notes
        long = find(session, f'"heron\n{"owls " * 500}"').notes
        together = find(session, "+owls +eels").notes
        near = find(session, "heron NEAR/1 owls").notes
        excluded = find(session, "owls -heron").narrowed
        filtered = find(session, "owls tags:bird").narrowed
    way = "words in quotes must stand together: without the quotes each is searched by itself"
    assert apart == ('no document has "heron owls"', way)
    assert long == ('no document has "heron owls owls owls owls owls owls ow…', way)
    assert together == ("each of these is somewhere, but no document has all that is required",)
    assert near == ("no passage has these words within 1 of each other",)
    assert excluded is not None and excluded.without_excluded == 1
    assert filtered is not None and filtered.without_filter == 1
