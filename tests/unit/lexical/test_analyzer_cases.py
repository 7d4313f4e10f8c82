"""What people search for and how it is written in their files: the terms, the weights and the marks."""

import pytest

from ragspine_tui.retrieval.lexical.analyzer import Analyzer, QueryTerm

PLAIN = Analyzer("none")
ENGLISH = Analyzer("en")


def matched(query: str, text: str, analyzer: Analyzer = PLAIN) -> list[str]:
    """The query's terms that an index of the text holds."""
    counts = analyzer.count(text)
    return [term.term for term in analyzer.query(query) if term.term in counts.body or term.exact in counts.exact]


def share(query: str, text: str, analyzer: Analyzer = PLAIN) -> float:
    """How much of the query's weight the text has."""
    found = set(matched(query, text, analyzer))
    terms = analyzer.query(query)
    return sum(term.weight for term in terms if term.term in found) / sum(term.weight for term in terms)


@pytest.mark.parametrize(
    "text", ["6.829,50", "6,829.50", "6829,50", "6829.50", "(6.829,50)", "€6,829.50", "６．８２９，５０"]
)
@pytest.mark.parametrize("query", ["6.829,50", "6,829.50", "6829,50", "6829.50"])
def test_an_amount_is_found_however_its_thousands_and_decimals_are_written(query: str, text: str) -> None:
    assert "6829.50" in matched(query, text)
    assert marks(query, f"paid {text} today")[0].strip("€()") == text.strip("€()")


@pytest.mark.parametrize(
    ("number", "other"),
    [
        ("6.829,50", "6829.5"),
        ("1.037,25", "1037.26"),
        ("1.2.3", "12.3"),
        ("1.234.567", "1234567"),
        ("1,2", "1.2"),
        ("12,34", "12.34"),
        ("1.2345,50", "12345.50"),
        ("1,037.255", "1037.255"),
    ],
)
def test_versions_lists_and_other_amounts_stay_what_they_are(number: str, other: str) -> None:
    whole = PLAIN.query(number)[0].term
    assert whole != PLAIN.query(other)[0].term
    assert whole in PLAIN.count(f"a {number} b").body


def test_millions_with_decimals_are_one_number() -> None:
    assert "1234567.8" in matched("1,234,567.8", "1.234.567,8")
    assert "1234567.8" in matched("1234567.8", "1,234,567.8")


def marks(query: str, text: str, analyzer: Analyzer = PLAIN, prefix: bool = False) -> list[str]:
    return [span.of(text) for span in analyzer.highlights(text, analyzer.query(query, prefix))]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("云工开物 优惠券 怎么领", "云工开物发了新的优惠券"),
        ("悬空", "重跑gen-itgc后50条悬空引用清零"),
        ("itgc", "重跑gen-itgc后50条悬空引用清零"),
        ("50", "重跑gen-itgc后50条悬空引用清零"),
        ("件夹", "文件夹"),
        ("夹", "文件夹"),
        ("revenue", "香港REVENUE为什么"),
        ("カタカナ 123", "ｶﾀｶﾅ １２３"),
        ("カタカナ", "ｶﾀｶﾅ"),
        ("ガス", "ｶﾞｽ"),
        ("人々", "色々な人々"),
        ("コーヒー", "ｺｰﾋｰ"),
        ("한국", "한국어 문서"),
        ("각", "\u1100\u1161\u11a8"),
        ("cafe", "café"),
        ("café", "cafe\u0301"),
        ("CAFÉ", "cafe"),
        ("strasse", "Straße"),
        ("fine", "ﬁne"),
        ("istanbul", "İstanbul"),
        ("lodz", "Łódź"),
        ("тест", "Тест"),
        ("елка", "Ёлка"),
        ("ελλάσ", "ΕΛΛΆΣ"),
        ("DEC-0054", "DEC-0054"),
        ("dec0054", "DEC-0054"),
        ("0054", "DEC-0054"),
        ("get_user_name", "get_user_name()"),
        ("user_name", "get_user_name()"),
        ("getUserName", "get_user_name"),
        ("http request", "parseHttpRequest"),
        ("XMLHttpRequest", "XMLHttpRequest2"),
        ("2026.4.10", "v2026.4.10"),
        ("v2026.4.10", "v2026.4.10"),
        ("ubuntu 20.04", "Ubuntu 20.04 LTS"),
        ("@nasa", "by @nasa today"),
        ("nasa", "by @nasa today"),
        ("@nasa", "NASA"),
        ("a@b.com", "Mail a@b.com."),
        ("https://x.y/z?q=1", "see <https://x.y/z?q=1>"),
        ("don't", "I don’t"),
        ("dont", "I don't"),
        ("don", "I don't"),
        ("park.", "the park"),
        ('"--error-on-warnings"', "use --error-on-warnings"),
        ("error-on-warnings", "--error-on-warnings"),
        ('"unclosed', "unclosed"),
        ("foo(bar", "foo bar"),
        ("NOT", "not"),
        ("-x", "x"),
        ("foo::bar", "foo::bar"),
        ("bar", "foo::bar"),
        ("10:30", "at 10:30"),
        ("3.14", "3.14"),
        ("tar.gz", "file.tar.gz"),
        ("file.tar.gz", "file.tar.gz"),
        ("e-mail", "email"),
        ("snake case", "snake-case-words"),
        ("1000", "1,000"),
        ("USA", "U.S.A."),
        ("homme", "l'homme"),
        (".NET", "the .NET runtime"),
        (".gitignore", "a .gitignore file"),
        ("Book - Some Book", "Some Book"),
        ("🎉", "done 🎉!"),
        ("👍", "👍🏽"),
        ("🇯🇵", "🇯🇵🇫🇷"),
        ("cooperate", "co\u00adoperate"),
        ("العربية", "اللغة العربيّة"),
        ("اسلام", "إسلام"),
        ("हिन्दी", "हिन्दी में"),
        ("١٢٣", "123"),
        ("ไทย", "ภาษาไทย"),
        ("ខ្មែរ", "ភាសាខ្មែរ"),
        ("ລາວ", "ພາສາລາວ"),
        ("မြန်မာ", "မြန်မာစာ"),
    ],
)
def test_a_query_meets_the_text(query: str, text: str) -> None:
    assert matched(query, text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("が", "か"),
        ("だ", "た"),
        ("ぱ", "は"),
        ("й", "и"),
        ("ï", "नी"),
        ("हिम", "हम"),
        ("C++", "C"),
        ("C++", "C#"),
        ("C#", "C"),
        ("C", "C++ and C#"),
        ("F#", "F"),
        ("猫", "犬"),
        ("t", "don't"),
    ],
)
def test_a_query_does_not_meet_another_text(query: str, text: str) -> None:
    assert not matched(query, text)


def test_the_whole_identifier_counts_more_than_its_parts_apart() -> None:
    for whole, split in [("20.04", "20 04"), ("v2026.4.10", "2026 4 10"), ("get_user_name", "name of user to get")]:
        assert share(whole, whole) == 1 > share(whole, split) > 0


def test_more_matching_parts_of_an_unspaced_query_count_more() -> None:
    query = "云工开物 优惠券 怎么领"
    assert share(query, "云工开物的优惠券") > share(query, "优惠券") > share(query, "天气") == 0


def test_words_of_one_stem_meet_and_the_unstemmed_form_is_kept_beside() -> None:
    assert matched("flies", "a fly", ENGLISH) == ["fli"]
    assert ENGLISH.count("wings").exact == {"wings": 1}
    assert ENGLISH.count("wings").body == ENGLISH.count("wing").body == {"wing": 1}
    assert ENGLISH.count("wing").exact == PLAIN.count("wings").exact == {}


@pytest.mark.parametrize(
    ("one", "other"),
    [("книги", "книга"), ("книгами", "книга"), ("लड़कियाँ", "लड़की"), ("البيت", "بيت"), ("άνθρωποι", "άνθρωπος")],
)
def test_other_scripts_are_stemmed_whatever_the_language(one: str, other: str) -> None:
    assert matched(one, other, PLAIN)
    assert matched(one, other, ENGLISH)


def test_words_typed_without_accents_meet_the_accented_ones_in_stemmed_languages() -> None:
    spanish = Analyzer("es")
    assert matched("informacion", "la información", spanish)
    assert matched("información", "informaciones", spanish)
    assert matched("eleve", "l’élève", Analyzer("fr"))
    assert matched("muller", "Müller", Analyzer("de"))


def test_function_words_leave_a_query_unless_nothing_else_is_in_it() -> None:
    assert [term.term for term in ENGLISH.query("what is the wing of a plane")] == ["wing", "plane"]
    assert [term.term for term in ENGLISH.query("to be or not to be")] == ["to", "be", "or", "not", "to", "be"]
    assert [term.term for term in ENGLISH.query("I don't know")] == ["know"]
    assert [term.term for term in ENGLISH.query("the IT budget")] == ["it", "budget"]
    assert [term.term for term in ENGLISH.query("THE WHO")] == ["the", "who"]
    assert [term.term for term in PLAIN.query("the wing")] == ["the", "wing"]
    assert [term.term for term in PLAIN.query("что это за книга")] == ["книг"]


def test_repeated_words_stay_repeated_and_in_order() -> None:
    assert [term.term for term in PLAIN.query("tea for two two tea")] == ["tea", "for", "two", "two", "tea"]


def test_the_last_word_is_a_prefix_until_something_follows_it() -> None:
    assert ENGLISH.query("warm experimen", prefix=True)[-1].prefix == "experimen"
    assert ENGLISH.query("Wings", prefix=True) == [QueryTerm("wing", "wings", 1.0, "wings")]
    assert [term.prefix for term in ENGLISH.query("the", prefix=True)] == ["the"]
    assert [term.prefix for term in ENGLISH.query("wing of th", prefix=True)] == ["", "th"]
    assert {term.prefix for term in ENGLISH.query("get_user_na", prefix=True)} == {"getuserna", "na", ""}
    for ended in ("warm ", "warm.", "warm-", "東京", "warm 東京"):
        assert not any(term.prefix for term in ENGLISH.query(ended, prefix=True))
    assert not any(term.prefix for term in ENGLISH.query("warm"))


def test_one_or_two_characters_of_an_unspaced_script_ask_for_what_begins_with_them() -> None:
    (term,) = PLAIN.query("ปี")
    assert term.prefix == "ปี"
    for text in ("ปีนี้", "สองปี", "สองปีแล้ว"):
        assert any(form.startswith("ปี") for form in PLAIN.count(text).body)
    assert not any(term.prefix for term in PLAIN.query("สองปี"))


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        ("カタカナ 123", "これはｶﾀｶﾅと１２３。", ["ｶﾀｶﾅ", "１２３"]),
        ("ガス", "都市ｶﾞｽの栓", ["ｶﾞｽ"]),
        ("cafe", "un cafe\u0301, un café", ["cafe\u0301", "café"]),
        ("fine", "a ﬁne day", ["ﬁne"]),
        ("strasse", "die Straße", ["Straße"]),
        ("user_name", "get_user_name", ["user", "name"]),
        ("C++", "C, C++, C#", ["C++"]),
        ("20.04", "in 20 days: 20.04", ["20.04"]),
        ("件夹", "文件夹和文件", ["件夹"]),
        ("夹", "文件夹的夹", ["夹", "夹"]),
        ("文件夹", "文件夹里的文和夹", ["文件夹"]),
        ("東京都", "東京都と京都", ["東京都", "京都"]),
        ("ปี", "สองปีแล้ว", ["ปี"]),
        ("https://x.y/z?q=1", "at https://x.y/z?q=1 now", ["https://x.y/z?q=1"]),
        ("🎉", "ok 🎉🎉", ["🎉🎉"]),
        ("nothing", "something else", []),
    ],
)
def test_marks_cover_the_original_characters(query: str, text: str, expected: list[str]) -> None:
    assert marks(query, text) == expected


def test_marks_cover_the_whole_word_of_a_stem_or_prefix_match() -> None:
    assert marks("fly", "He flies; a fly flew.", ENGLISH) == ["flies", "fly"]
    assert marks("expe", "Experts expect an escape", ENGLISH, prefix=True) == ["Experts", "expect"]


def test_marks_never_cut_a_character_from_its_vowel_signs() -> None:
    text = "ภาษาที่นี่"
    for span in PLAIN.highlights(text, PLAIN.query("ษาท")):
        assert span.of(text) == "ษาที่"
