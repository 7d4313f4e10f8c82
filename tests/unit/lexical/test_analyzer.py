"""The analyzer's laws: counting equals tokenizing, spans land on the original characters, any text is fine."""

import os
import subprocess
import sys
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.retrieval.lexical.analyzer import Analyzer
from ragspine_tui.retrieval.lexical.folding import fold, normalize, normalize_with_offsets
from ragspine_tui.retrieval.lexical.scripts import UNSPACED_RUN
from ragspine_tui.retrieval.lexical.stemming import LANGUAGES
from ragspine_tui.retrieval.lexical.tokens import RUN_END, SINGLE, UNIGRAM

ENGLISH = Analyzer("en")
ANY_TEXT = st.text(st.characters(codec=None), max_size=60)
# Characters whose folding changes lengths, joins neighbours or cuts words, so that they meet often.
TRICKY = st.text(
    st.sampled_from(
        "aZ1 ._-'’@#+:/,ßﬁİıéе\u0301\u0308\u200d\u00adｶﾞﾊﾟガ々ー１²Ⅷ각\u1100\u1161\u11a8ᄀน้ำปี漢é🎉🇯🇵👍🏽я\u0306ةأ"
    ),
    max_size=30,
)


def check_laws(analyzer: Analyzer, text: str) -> None:
    tokens = analyzer.tokens(text)
    counts = analyzer.count(text)
    assert dict(counts.body) == Counter(token.term for token in tokens)
    assert dict(counts.exact) == Counter(token.exact for token in tokens if token.exact)
    assert counts.length == len(tokens)
    assert all(token.term and token.term != token.exact for token in tokens)
    assert all(0 <= token.start < token.end <= len(text) for token in tokens)
    assert [token.start for token in tokens] == sorted(token.start for token in tokens)


def check_places(analyzer: Analyzer, text: str) -> None:
    tokens = analyzer.tokens(text)
    starts = sorted({token.start for token in tokens})
    sequence = analyzer.sequence(text)
    found = Counter(sequence.characters)
    placed: list[tuple[str, int]] = []
    ends: list[tuple[str, int]] = []
    base = 0
    for run in sequence.runs:
        for term, place in zip(run.terms, run.places, strict=True):
            (ends if term.startswith(RUN_END) else placed).append((term.removeprefix(RUN_END), starts[base + place]))
        base += run.width
    found.update(term for term, _ in placed)
    assert base == len(starts)
    assert found == Counter(token.term for token in tokens)
    assert sequence.length == len(tokens)
    assert Counter(form for run in sequence.runs for form in run.exacts) == analyzer.count(text).exact
    single = (UNIGRAM, SINGLE)
    assert sorted(placed) == sorted((token.term, token.start) for token in tokens if token.kind not in single)
    pairs = {start for _, start in placed}
    assert sorted(ends) == sorted(
        (token.term, token.start) for token in tokens if token.kind in single and token.start not in pairs
    )


def alone(text: str) -> str:
    """Without the scripts whose grams are shown wider than they are, to hold their vowel signs."""
    return UNSPACED_RUN.sub(" ", normalize(text))


@given((ANY_TEXT | TRICKY).map(alone).filter(lambda text: normalize_with_offsets(text).starts is None))
def test_a_sequence_has_the_same_terms_where_they_begin(text: str) -> None:
    check_places(ENGLISH, text)


def test_a_sequence_has_the_same_terms_whatever_the_characters() -> None:
    for first in range(0, 0x20000, 0x800):
        text = normalize(alone("".join(map(chr, range(first, first + 0x800)))))
        check_places(ENGLISH, text)


@pytest.mark.parametrize(
    "text",
    [
        "See [the page](https://example.org/a/b?c=1#d), or (<http://x.io/>) and ftp://y.z/w.",
        "1https://a.b/c no_http://d.e/f a-very-long-scheme://g.h/i x:https://j.k/l",
        "https://a.b/it's http://c.d/e'f http://web.archive.org/web/http://g.h/ ://nothing word:///",
        "either/or <b>bold</b> 50%|60%; f(x)*g{y} ~/.bashrc $HOME C:\\Users \\n 12:30,5 1,000=a?b!c",
    ],
)
def test_signs_and_addresses_leave_every_term_in_its_place(text: str) -> None:
    check_places(ENGLISH, text)


def test_grams_of_unspaced_scripts_have_a_place_a_character() -> None:
    (run,) = ENGLISH.sequence("ปีใหม่").runs
    assert run.terms == ("ปีใ", "ีให", "ใหม", "หม่", "ม่", "่")
    assert run.places == (0, 1, 2, 3, 4, 5)
    assert run.width == 6


@given(ANY_TEXT)
def test_counting_gives_the_terms_of_tokenizing_and_spans_stay_inside_any_text(text: str) -> None:
    check_laws(ENGLISH, text)


@given(TRICKY)
def test_the_same_holds_where_folding_changes_lengths(text: str) -> None:
    check_laws(ENGLISH, text)


def test_the_same_holds_for_every_character_there_is() -> None:
    for first in range(0, sys.maxunicode + 1, 0x4000):
        check_laws(ENGLISH, "".join(f"{chr(code)} a" for code in range(first, first + 0x4000, 7)))
    for first in range(0, 0x20000, 0x800):
        check_laws(ENGLISH, "".join(map(chr, range(first, first + 0x800))))


@given(TRICKY | ANY_TEXT)
def test_every_character_of_a_normalized_text_has_its_place_in_the_original(text: str) -> None:
    normal = normalize_with_offsets(text)
    assert normal.text == normalize(text)
    places = [normal.original(at, at + 1) for at in range(len(normal.text))]
    assert places == sorted(places)
    assert all(0 <= start < end <= len(text) for start, end in places)


@given(st.text(st.sampled_from("abcDEF é ß 漢字 かな ｶﾞ Ж ё"), max_size=20))
def test_a_highlight_is_a_span_in_order_that_touches_no_other(text: str) -> None:
    spans = ENGLISH.highlights(text, ENGLISH.query(text))
    assert all(earlier.end < later.start for earlier, later in pairwise(spans))
    assert all(span.of(text).strip() for span in spans)


@given(TRICKY | ANY_TEXT, st.booleans())
def test_a_query_of_any_text_finds_the_text_itself(text: str, prefix: bool) -> None:
    indexed = ENGLISH.count(text)
    for term in ENGLISH.query(text, prefix):
        assert term.term in indexed.body
        assert not term.exact or term.exact in indexed.exact
        assert term.weight > 0


@given(ANY_TEXT)
def test_a_text_with_terms_never_makes_an_empty_query(text: str) -> None:
    assert bool(ENGLISH.query(text)) == bool(ENGLISH.count(text).body)


@given(TRICKY | ANY_TEXT)
def test_folding_a_folded_word_changes_nothing(text: str) -> None:
    folded = fold(normalize(text))
    assert fold(folded) == folded


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_its_stemmer(language: str) -> None:
    analyzer = Analyzer(language)
    assert analyzer.language == language
    assert analyzer.count("Houses of books").length == 3
    check_laws(analyzer, "L'été, naïve Straße; Łódź İstanbul façade – información 東京 тёплый")


def test_an_unknown_language_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"klingon.*none, ca, cs"):
        Analyzer("klingon")


def test_analyzers_of_one_language_are_equal() -> None:
    assert Analyzer("de") == Analyzer("de")
    assert len({Analyzer("de"), Analyzer("de"), Analyzer("en")}) == 2


@pytest.mark.parametrize(
    "text",
    ["x" * 10_000, "xY1" * 3_000, "a." * 5_000, "漢" * 10_000, "ก" * 10_000, "http://" * 2_000, "e" + "\u0301" * 9_999],
    ids=["word", "camel", "dotted", "han", "thai", "urls", "accents"],
)
def test_ten_thousand_characters_are_no_trouble(text: str) -> None:
    check_laws(ENGLISH, text)
    assert ENGLISH.query(text, prefix=True)
    assert max(len(token.term) for token in ENGLISH.tokens(text)) <= 128


@pytest.mark.parametrize(
    "text", ["", " ", "\0", "*", "[", "\\", "()", "\ud800", "\x1b[2J", "- -- ---", "\u0301", "____"]
)
def test_text_without_words_has_no_terms_or_plain_ones(text: str) -> None:
    check_laws(ENGLISH, text)
    assert ENGLISH.highlights(text, ENGLISH.query(text)) == ENGLISH.highlights(text, ENGLISH.query(text))


def test_terms_do_not_depend_on_the_hash_seed() -> None:
    program = (
        "from ragspine_tui.retrieval.lexical.analyzer import Analyzer, detect_language\n"
        "text = 'The café of get_user_name in 東京都 costs 3.14 тёплых ภาษาไทย C++ the'\n"
        "a = Analyzer('en')\n"
        "print(ascii((a.tokens(text), list(a.count(text).body.items()), a.query(text, True), detect_language([text]))))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


@pytest.mark.parametrize(
    ("query", "word", "weight"),
    [
        ("東京のhotel", "hotel", 3.0),
        ("โรงแรม hotel", "hotel", 3.0),
        ("서울 hotel", "hotel", 3.0),
        ("hotel", "hotel", 1.0),
        ("grand hotel", "hotel", 1.0),
        ("гостиница hotel", "hotel", 1.0),
        ("東京のhotel", "東京", 1.0),
    ],
)
def test_a_latin_word_among_grams_weighs_as_much_as_a_word_of_theirs(query: str, word: str, weight: float) -> None:
    (found,) = [term.weight for term in Analyzer("none").query(query) if term.term == word]
    assert found == weight
